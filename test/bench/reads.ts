/** Ordinary reads, by one client and by many; a start, the memory of an idle program, and a check. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { peakMegabytes, residentMegabytes } from '../campaigns/vitals.ts';
import { newFolder, Program } from '../program.ts';
import { environmentOf, phoneOf } from './databases.ts';
import { load } from './load.ts';
import { type Contender, keyword, type Limit, oneEmployee, type Part } from './measure.ts';

/** Common reads, which may not get slower. */
const reads: readonly { what: string; path: string }[] = [
	{ what: 'health', path: '/health' },
	{ what: 'one role', path: '/api/roles/2' },
	{ what: 'one employee', path: oneEmployee },
	{ what: 'employees, first page', path: '/api/employees' },
	{ what: 'one store', path: '/api/employees?storeId=7' },
	{ what: 'one status', path: '/api/employees?status=INACTIVE' },
	{ what: 'keyword 王 (one in 20)', path: `/api/employees?${keyword('王')}` },
	{ what: 'a whole phone', path: `/api/employees?${keyword(phoneOf(77))}` },
];

/** One client at a time, and a busy service. */
const crowds = [1, 32];
const readLimit: Limit = { timesOld: 1.3 };

export const readsPart: Part = {
	kinds: ['ordinary'],
	sizes: [100_000],
	measures: () =>
		reads.map(({ what, path }) => ({
			what,
			rounds: 5,
			async run({ program, token }) {
				const figures: Record<string, number> = {};
				for (const connections of crowds) {
					const { rate } = await load(program.url + path, { token, connections });
					figures[clients(connections)] = 1000 / rate;
				}
				return figures;
			},
			limits: Object.fromEntries(crowds.map((crowd) => [clients(crowd), readLimit])),
		})),
};

const clients = (count: number) => (count === 1 ? 'one client' : `${count} clients`);

export const startPart: Part = {
	kinds: ['ordinary'],
	sizes: [100_000],
	measures: () => [
		{ what: 'first start', rounds: 9, run: firstStart, limits: { '': readLimit } },
		{ what: 'start', rounds: 9, run: restart, limits: { '': readLimit, 'idle memory, MB': readLimit } },
		{ what: 'access check', run: check },
	],
};

/** Starts a program, and measures the time to its first answer. */
async function startOn(data: string, { command }: Contender) {
	const begun = performance.now();
	const program = await Program.start({ command: [command], environment: environmentOf(data), keepsOutput: false });
	await program.send('GET', '/health');
	return { program, time: performance.now() - begun };
}

async function firstStart(contender: Contender): Promise<Record<string, number>> {
	const { program, time } = await startOn(newFolder(), contender);
	await program.end();
	return { '': time };
}

async function restart(contender: Contender): Promise<Record<string, number>> {
	await contender.program.end();
	const { program, time } = await startOn(contender.data, contender);
	contender.program = program;
	await Bun.sleep(1000);
	return { '': time, 'idle memory, MB': residentMegabytes(program.pid) };
}

async function check({ command, data }: Contender): Promise<Record<string, number>> {
	const begun = performance.now();
	const child = Bun.spawn([command, 'check'], { env: environmentOf(data), stdout: 'ignore', stderr: 'ignore' });
	const memory = await peakMegabytes(child);
	const database = statSync(join(data, 'access.db')).size / 1_000_000;
	return { time: performance.now() - begun, 'memory, MB': memory, 'database, MB': database };
}
