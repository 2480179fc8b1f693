/** Database files are removed or replaced under the running program, then put back. */
import { copyFileSync, existsSync, linkSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { hanging } from '../hanging.ts';
import { Server } from '../server.ts';
import type { Campaign } from './campaign.ts';
import { requireFailure, Writers } from './writers.ts';

interface Scale {
	/** How often each loss happens, and how many writes are refused while it is there. */
	rounds: number;
	refusals: number;
}

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
	claim:
		'no write is acknowledged while a database file is removed or replaced; /health says so, and all works when it is back',
	short: { rounds: 1, refusals: 3 },
	full: { rounds: 40, refusals: 100 },
	run: (scale, { chance }) =>
		Server.with(async (server) => {
			const writers = new Writers(server, 1, chance);
			for (const loss of losses.flatMap((each) => Array<Loss>(scale.rounds).fill(each))) {
				await loseOnce(server, writers, scale, loss).catch((error) => {
					throw new Error(`${loss.name}: ${error.message}`);
				});
			}
			await stopWhileLost(server);
			await server.restart();
			writers.requireStored();
			return {
				losses: losses.length * scale.rounds,
				'acknowledged writes': writers.acknowledged,
				'refused writes': writers.refused,
				'lost, or there though refused': 0,
			};
		}),
};

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

async function loseOnce(server: Server, writers: Writers, { refusals }: Scale, { take }: Loss): Promise<void> {
	for (let count = 0; count < 6; count += 1) await writers.write();
	const putBack = take(server.data);
	for (let count = 0; count < refusals; count += 1) {
		if (await writers.write()) throw new Error('a write is acknowledged though its file is gone');
	}
	const statuses = [...writers.failures].join();
	if (statuses !== '503') throw new Error(`writes are refused with ${statuses}, not with 503`);
	await untilHealthIs(server, 503);
	await writers.read('/api/employees?pageSize=5');
	putBack();
	await untilHealthIs(server, 200);
	writers.requireStored();
	await writers.requireRecovered();
}

async function untilHealthIs(server: Server, status: 200 | 503): Promise<void> {
	for (const started = performance.now(); ; await Bun.sleep(10)) {
		const health = await server.send('GET', '/health');
		if (health.status !== 200) requireFailure(health);
		if (health.status === status) return;
		if (performance.now() - started > hanging) throw new Error(`/health is still ${health.status}, not ${status}`);
	}
}

/** A stop in the meantime is orderly and harms nothing that is put back later. */
async function stopWhileLost(server: Server): Promise<void> {
	const putBack = takeFolderAway(server.data);
	const code = await server.program.end();
	putBack();
	if (code !== 0) throw new Error(`a stop without the files exited with ${code}`);
	if (!existsSync(server.database)) throw new Error('a stop without the files removed the database');
}
