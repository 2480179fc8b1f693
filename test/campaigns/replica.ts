/** Litestream beside a busy server, both killed at a random moment: what it has is restored, served and checked. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compiled, newFolder, runToEnd, spawn } from '../program.ts';
import { environmentFor, Server } from '../server.ts';
import { beside, type Campaign, NotPossibleHere, quantile, type Tools } from './campaign.ts';
import { hiringOn, restoreAndServe } from './recover.ts';

interface Scale {
	/** For how long people are hired, in milliseconds. */
	life: number;
}

export const replica: Campaign<Scale> = {
	name: 'replica',
	claim: 'what Litestream has of a machine that is lost lacks the last seconds, two at most, and nothing before them',
	short: { life: 800 },
	full: { life: 30_000 },
	run: ({ life }, tools) => Server.with((server) => lose(server, life, tools)),
};

/** The package brings it for the common machines. */
const litestream = Bun.fileURLToPath(
	new URL(
		`../litestream-${process.platform}-${process.arch}/litestream`,
		import.meta.resolve('@flydotio/litestream/package.json'),
	),
);

async function lose(server: Server, life: number, { chance, judgesTimes }: Tools) {
	if (!existsSync(litestream)) throw new NotPossibleHere('there is no Litestream for this machine');
	const folder = newFolder();
	const place = `file://${join(folder, 'replica')}`;
	const hiring = await hiringOn(server);
	const durations: number[] = [];
	const hire = async () => {
		const began = performance.now();
		await hiring.next();
		durations.push(performance.now() - began);
	};
	await beside(() => Bun.sleep(life / 2), hire);
	const alone = costOf(durations.splice(0), [server.program.pid]);

	// The program starts on a database that Litestream knows, too.
	await server.program.end();
	const command = [litestream, 'replicate', join(server.data, 'access.db'), place];
	const replicating = spawn({ command, environment: {} });
	while (!existsSync(join(folder, 'replica'))) await Bun.sleep(10);
	await server.restart();
	await succeed([...compiled(), 'check'], environmentFor(server.data));
	const live = async () => {
		await Bun.sleep(life / 2);
		// A place with nothing of the log yet has nothing to restore.
		while (segmentsIn(folder) === 0) await Bun.sleep(20);
		await Bun.sleep(chance.random() * 1000);
	};
	await beside(live, hire);
	const both = costOf(durations, [server.program.pid, replicating.pid]);
	server.program.signal('SIGKILL');
	replicating.kill('SIGKILL');
	const end = performance.now();
	await Promise.all([server.program.exited, replicating.exited]);

	const restored = join(folder, 'restored.db');
	await succeed([litestream, 'restore', '-o', restored, place], {});
	const found = await restoreAndServe(restored, folder);
	await succeed([...compiled(), 'check'], environmentFor(join(folder, 'data')));
	const gone = Array.from(hiring.hired).filter(([phone]) => !found.has(phone));
	const kept = Array.from(hiring.hired).filter(([phone]) => found.has(phone));
	const first = Math.min(end, ...gone.map(([, at]) => at));
	if (kept.some(([, at]) => at > first))
		throw new Error(`${gone.length} people are gone, and somebody who was hired after one of them is not`);
	const span = Math.round(end - first);
	if (judgesTimes && span > 2000)
		throw new Error(`the first of those who are gone was hired ${span} ms before the end`);
	return {
		'people hired': hiring.hired.size,
		'of these lost': gone.length,
		'longest loss in ms': span,
		'kB written for a hire, alone and with Litestream': `${alone.kilobytes}, ${both.kilobytes}`,
		'hire p50, p99, max in ms, alone': alone.times,
		'the same with Litestream': both.times,
	};
}

/** How many parts of the log were sent. */
function segmentsIn(folder: string): number {
	const files = readdirSync(join(folder, 'replica'), { recursive: true, encoding: 'utf8' });
	return files.filter((name) => name.endsWith('.wal.lz4')).length;
}

/** What hiring cost the processes that did it. */
function costOf(durations: readonly number[], pids: readonly number[]) {
	const bytes = pids.map((pid) => Number(/write_bytes: (\d+)/.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]));
	const written = bytes.reduce((sum, each) => sum + each, 0);
	return {
		kilobytes: Math.round(written / durations.length / 1000),
		times: [0.5, 0.99, 1].map((share) => quantile(durations, share).toFixed(1)).join(', '),
	};
}

async function succeed(command: string[], environment: Record<string, string>): Promise<void> {
	const { code, stdout, stderr } = await runToEnd({ command, environment });
	if (code !== 0) throw new Error(`${command.join(' ')} ends with ${code}: ${stdout}${stderr}`);
}
