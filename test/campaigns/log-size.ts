/** Many writes from several clients at once, while the size of the write-ahead log is watched. */
import { statSync } from 'node:fs';
import { Server } from '../server.ts';
import type { Campaign, Figures } from './campaign.ts';
import { Owner, outcomeOf, send } from './chain.ts';
import { branch, type Chance, naming, newChance } from './chance.ts';
import { readChain, requireSame, requireSound } from './database.ts';

interface Scale {
	writes: number;
}

export const logSize: Campaign<Scale> = {
	name: 'log-size',
	claim: 'the write-ahead log never grows beyond 8 MiB, however much is written',
	short: { writes: 1200 },
	full: { writes: 100_000 },
	run: (scale, report) => {
		const chance = newChance();
		return naming(chance, () => writeMuch(scale, chance, report));
	},
};

const clients = 8;
const largestAllowed = 8 * 1024 * 1024;

async function writeMuch({ writes }: Scale, chance: Chance, report: (step: string) => void): Promise<Figures> {
	const server = await Server.start();
	const before = readChain(server.database);
	const log = new WatchedLog(`${server.database}-wal`);
	const watch = setInterval(() => log.measure(), 20);
	try {
		const token = server.superToken;
		const owners = Array.from({ length: clients }, (_, digit) => new Owner(digit, branch(chance), { hashing: false }));
		const started = performance.now();
		let answered = 0;
		const work = async (owner: Owner) => {
			while (answered < writes) {
				const wishes = owner.next();
				const answers = await Promise.all(wishes.map((wish) => send(server, token, wish)));
				owner.apply(outcomeOf(wishes, answers));
				answered += 1;
				if (answered % 100 === 0) log.measure();
				if (answered % 10_000 === 0) report(`${answered} writes, the largest log so far ${log.largest} bytes`);
				log.requireSmall();
			}
		};
		await Promise.all(owners.map(work));
		const seconds = (performance.now() - started) / 1000;
		requireSound(server.database);
		requireSame(new Map([...before, ...owners.flatMap((owner) => [...owner.lines()])]), readChain(server.database));
		return {
			writes: answered,
			'writes per second': Math.round(answered / seconds),
			'largest log in MiB': (log.largest / 1024 / 1024).toFixed(2),
			'times it was measured': log.measured,
			'database in MiB': (statSync(server.database).size / 1024 / 1024).toFixed(1),
			seed: chance.seed,
		};
	} finally {
		clearInterval(watch);
		await server.program.end('SIGKILL');
	}
}

/** The largest measured size of the log. */
class WatchedLog {
	largest = 0;
	measured = 0;
	readonly #path: string;

	constructor(path: string) {
		this.#path = path;
	}

	measure(): void {
		this.measured += 1;
		this.largest = Math.max(this.largest, statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0);
	}

	requireSmall(): void {
		if (this.largest > largestAllowed)
			throw new Error(`the log has ${this.largest} bytes, more than ${largestAllowed}`);
	}
}
