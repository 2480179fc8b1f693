/** Whether a stop at any moment interrupts anything, and whether the next start finds everything in order. */
import { existsSync } from 'node:fs';
import { Connection } from '../connection.ts';
import { Server } from '../server.ts';
import { newName } from '../world.ts';
import { anyTime, type Campaign, quantile } from './campaign.ts';

interface Scale {
	/** Stops while much is going on. */
	stops: number;
	/** Stops against a client that never finishes its request; each takes eight seconds, all run at once. */
	stalled: number;
	/** Each takes less than this, in milliseconds. */
	within: number;
}

export const stop: Campaign<Scale> = {
	name: 'stop',
	claim: 'a stop answers what is in flight, loses nothing, and takes less than ten seconds',
	short: { stops: 4, stalled: 0, within: anyTime },
	full: { stops: 100, stalled: 4, within: 10_000 },
	async run({ stops, stalled, within }) {
		const against = Array.from({ length: stalled }, () => Server.with((server) => new Shop(server).stopRound('stays')));
		const durations: number[] = [];
		const acknowledged = await Server.with(async (server) => {
			const shop = new Shop(server);
			for (let round = 0; round < stops; round += 1) {
				durations.push(await shop.stopRound('leaves'));
				await server.restart();
			}
			return shop.acknowledged;
		});
		const slow = await Promise.all(against);
		const longest = Math.max(...durations, ...slow);
		if (longest >= within) throw new Error(`a stop took ${longest} ms`);
		return {
			'stops under load': stops,
			'stops p50, max (ms)': [0.5, 1].map((share) => Math.round(quantile(durations, share))).join(', '),
			'writes acknowledged, none lost': acknowledged,
			'stops against clients who stall (ms)': slow.map(Math.round).join(', '),
		};
	},
};

const writers = 8;

/** An installation, and what it acknowledged to its writers. */
class Shop {
	readonly #server: Server;
	readonly #token: string;
	/** The names of the acknowledged stores. */
	readonly #books = new Set<string>();

	constructor(server: Server) {
		this.#server = server;
		this.#token = server.superToken;
	}

	get acknowledged(): number {
		return this.#books.size;
	}

	/** Stops the server while everybody writes and one request is only half sent; how long that took. */
	async stopRound(staller: 'leaves' | 'stays'): Promise<number> {
		const { program, url, database } = this.#server;
		const stalled = await Connection.open(url);
		stalled.write('POST /api/stores HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-');
		const enough = this.#books.size + 20;
		const busy = Promise.withResolvers<void>();
		const connections = await Promise.all(Array.from({ length: writers }, () => Connection.open(url)));
		const writing = Promise.all(
			connections.map((connection) =>
				this.#write(connection, () => {
					if (this.#books.size >= enough) busy.resolve();
				}),
			),
		);
		writing.catch(busy.reject);
		await busy.promise;

		const since = performance.now();
		program.signal('SIGTERM');
		await program.wrote(/"message":"stopping"/);
		if (staller === 'leaves') stalled.close();
		const code = await program.end();
		const took = performance.now() - since;
		stalled.close();
		if (code !== 0) throw new Error(`a stop ended with ${code}: ${program.output.slice(-1000)}`);
		if (existsSync(`${database}-wal`)) throw new Error('a stop left access.db-wal');
		this.#check(await writing);
		return took;
	}

	/** @throws Error unless every acknowledged store is stored, and no other: a write that was made must be answered. */
	#check(unanswered: readonly string[]): void {
		const stored = new Set(this.#server.rows('select name from stores').map(({ name }) => String(name)));
		const missing = [...this.#books.difference(stored)];
		if (missing.length > 0) throw new Error(`these acknowledged stores are missing: ${missing}`);
		const done = unanswered.filter((name) => stored.has(name));
		if (done.length > 0) throw new Error(`these stores were opened by a stopping server, but not answered: ${done}`);
	}

	/** Creates stores until the connection ends; the name whose request was not answered. */
	async #write(connection: Connection, onAnswer: () => void): Promise<string> {
		for (;;) {
			const name = newName('店');
			const answer = await connection.ask({ method: 'POST', path: '/api/stores', token: this.#token, body: { name } });
			if (answer === undefined) return name;
			if (answer.status !== 201) throw new Error(`a write was answered ${answer.status} ${answer.text}`);
			this.#books.add(name);
			onAnswer();
		}
	}
}
