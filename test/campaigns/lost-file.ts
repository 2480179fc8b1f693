/** Database files are removed or replaced under the running program, then put back. */
import { copyFileSync, existsSync, linkSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { hanging } from '../hanging.ts';
import { Server } from '../server.ts';
import { branch, type Campaign, type Chance } from './campaign.ts';
import { requireFailure, Writers } from './writers.ts';

interface Scale {
	/** The losses that happen on one server, each so many times. */
	servers: readonly (readonly Loss[])[];
	rounds: number;
	/** How many writes succeed before. */
	writes: number;
	/** How many writes are refused while the loss is known. */
	refusals: number;
}

/** A loss, or a return, is noticed within this time, in milliseconds. */
const noticedWithin = 5000;

interface Loss {
	name: string;
	/** Takes something out of a data folder; gives what puts it back. */
	take(data: string): () => void;
}

const losses: readonly Loss[] = [
	{ name: 'database taken away', take: (data) => takeAway(data, ['access.db']) },
	{ name: 'log taken away', take: (data) => takeAway(data, ['access.db-wal']) },
	{ name: 'all files taken away', take: (data) => takeAway(data, ['access.db', 'access.db-wal', 'access.db-shm']) },
	{ name: 'database replaced', take: (data) => replace(data, 'access.db') },
	{ name: 'log replaced', take: (data) => replace(data, 'access.db-wal') },
	{ name: 'folder taken away', take: takeFolderAway },
];

export const lostFile: Campaign<Scale> = {
	name: 'lost-file',
	claim: 'a removed or replaced database file is noticed within 5 s; writes are refused until it is back',
	short: { servers: [losses], rounds: 1, writes: 6, refusals: 3 },
	full: { servers: losses.map((loss) => [loss]), rounds: 40, writes: 20, refusals: 100 },
	async run(scale, { chance, report, judgesTimes }) {
		const found: Found = { acknowledged: 0, refused: 0, notices: [], returns: [] };
		const lose = async (some: readonly Loss[]) => {
			await loseAgainAndAgain(some, scale, branch(chance), found);
			report(`${some.map(({ name }) => name)} ${scale.rounds} times`);
		};
		await Promise.all(scale.servers.map(lose));
		const [notice, comeback] = [Math.max(...found.notices), Math.max(...found.returns)];
		if (judgesTimes && Math.max(notice, comeback) > noticedWithin)
			throw new Error(`noticed after ${notice} and ${comeback} ms`);
		return {
			losses: found.notices.length,
			'acknowledged writes': found.acknowledged,
			'refused writes': found.refused,
			'lost, or there though refused': 0,
			'longest until noticed, in ms': Math.round(notice),
			'longest until it worked again, in ms': Math.round(comeback),
		};
	},
};

const clients = [0, 1, 2];

function takeAway(data: string, names: readonly string[]): () => void {
	const aside = join(data, '..', 'aside');
	mkdirSync(aside, { recursive: true });
	for (const name of names) renameSync(join(data, name), join(aside, name));
	return () => {
		for (const name of names) renameSync(join(aside, name), join(data, name));
	};
}

/** An earlier copy replaces a file in one step, as in a restore by hand. */
function replace(data: string, name: string): () => void {
	const path = join(data, name);
	const aside = join(data, '..', `${name}.aside`);
	const other = join(data, '..', `${name}.other`);
	copyFileSync(path, other);
	linkSync(path, aside);
	renameSync(other, path);
	return () => renameSync(aside, path);
}

function takeFolderAway(data: string): () => void {
	renameSync(data, `${data}-aside`);
	return () => renameSync(`${data}-aside`, data);
}

/** Over all servers; until a loss was noticed, and until it worked again, in milliseconds. */
interface Found {
	acknowledged: number;
	refused: number;
	notices: number[];
	returns: number[];
}

async function loseAgainAndAgain(some: readonly Loss[], scale: Scale, chance: Chance, found: Found): Promise<void> {
	await Server.with(async (server) => {
		const writers = new Writers(server, clients.length, chance);
		for (const { name, take } of some.flatMap((each) => Array<Loss>(scale.rounds).fill(each))) {
			await loseOnce(server, writers, scale, take, found).catch((error) => {
				throw new Error(`${name}: ${error.message}`);
			});
		}
		await stopWhileLost(server, some.at(-1)?.take ?? takeFolderAway);
		await server.restart();
		writers.requireStored();
		found.acknowledged += writers.acknowledged;
		found.refused += writers.refused;
	});
}

async function loseOnce(server: Server, writers: Writers, scale: Scale, take: Loss['take'], found: Found) {
	const putBack = await lose(server, writers, scale, take, found.notices);
	for (let count = 0; count < scale.refusals; count += 1) {
		if (await writers.write()) throw new Error('a write is acknowledged though the loss is known');
	}
	const statuses = [...writers.failures].join();
	if (statuses !== '503') throw new Error(`writes are refused with ${statuses}, not with 503`);
	await writers.read('/api/employees?pageSize=5');
	putBack();
	found.returns.push(await untilHealthIs(server, 200));
	writers.requireStored();
	await writers.requireRecovered();
}

/** Everybody writes when the files go; gives what puts them back, once everybody was refused and /health says so. */
async function lose(
	server: Server,
	writers: Writers,
	{ writes }: Scale,
	take: Loss['take'],
	notices: number[],
): Promise<() => void> {
	const enough = writers.acknowledged + writes;
	const taken = Promise.withResolvers<() => void>();
	const writing = clients.map(async (client) => {
		// The loss may come between the commit and the answer.
		while (await writers.write(client, { mayBeStored: true })) {
			if (writers.acknowledged === enough) taken.resolve(take(server.data));
		}
	});
	const putBack = await taken.promise;
	notices.push(await untilHealthIs(server, 503));
	await Promise.all(writing);
	return putBack;
}

/** How long it takes until /health answers so, in milliseconds. */
async function untilHealthIs(server: Server, status: 200 | 503): Promise<number> {
	const started = performance.now();
	for (;;) {
		const health = await server.send('GET', '/health');
		if (health.status !== 200) requireFailure(health);
		const elapsed = performance.now() - started;
		if (health.status === status) return elapsed;
		if (elapsed > hanging) throw new Error(`/health is still ${health.status} after ${hanging} ms, not ${status}`);
		await Bun.sleep(10);
	}
}

/** A stop in the meantime is orderly and harms nothing that is put back later. */
async function stopWhileLost(server: Server, take: Loss['take']): Promise<void> {
	const putBack = take(server.data);
	const code = await server.program.end();
	putBack();
	if (code !== 0) throw new Error(`a stop without the files exited with ${code}`);
	if (!existsSync(server.database)) throw new Error('a stop without the files removed the database');
}
