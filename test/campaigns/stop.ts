/** Whether a stop at any moment interrupts anything, and whether the next start finds everything in order. */
import { existsSync } from 'node:fs';
import { Connection, type WireAnswer, wireTextOf } from '../connection.ts';
import { Server } from '../server.ts';
import { adminPassword, newName } from '../world.ts';
import { anyTime, type Campaign, quantile } from './campaign.ts';

interface Scale {
	/** Stops while much is going on. */
	stops: number;
	/** Stops against a client that never finishes its request; each takes eight seconds, all run at once. */
	stalled: number;
	/** Each takes less than this, in milliseconds. */
	within: number;
}

const writers = 8;

export const stop: Campaign<Scale> = {
	name: 'stop',
	claim: 'a stop answers what is in flight, loses nothing, and takes less than ten seconds',
	short: { stops: 4, stalled: 0, within: anyTime },
	full: { stops: 100, stalled: 4, within: 10_000 },
	async run(scale) {
		const stalled = Array.from({ length: scale.stalled }, () =>
			Server.with((server) => new Shop(server).stopRound('stays')),
		);
		const figures = await Server.with((server) => everyRound(new Shop(server), scale));
		const durations = (await Promise.all(stalled)).map((milliseconds) => Math.round(milliseconds));
		requireWithin(scale, durations);
		return { ...figures, 'stops against clients who stall (ms)': durations.join(', ') };
	},
};

async function everyRound(shop: Shop, scale: Scale) {
	const stops: number[] = [];
	for (let round = 0; round < scale.stops; round += 1) {
		stops.push(await shop.stopRound('leaves'));
		await shop.server.restart();
		await shop.checkBooks(`after stop ${round}`);
	}
	requireWithin(scale, stops);
	return {
		'stops under load': stops.length,
		'stops p50, max (ms)': [0.5, 1].map((share) => Math.round(quantile(stops, share))).join(', '),
		'writes acknowledged, none lost': shop.acknowledged,
	};
}

function requireWithin({ within }: Scale, stops: readonly number[]): void {
	const longest = Math.max(...stops);
	if (longest >= within) throw new Error(`a stop took ${longest} ms`);
}

const login = { method: 'POST', path: '/api/auth/login', body: { username: 'admin', password: adminPassword } };
const halfHead = 'POST /api/stores HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-';

/** An installation, and what it acknowledged to its writers. */
class Shop {
	readonly server: Server;
	readonly #token: string;
	/** The names of the acknowledged stores. */
	readonly #books = new Set<string>();

	constructor(server: Server) {
		this.server = server;
		this.#token = server.superToken;
	}

	get acknowledged(): number {
		return this.#books.size;
	}

	/** Stops the server while all kinds of clients are connected; how long that took. */
	async stopRound(staller: 'leaves' | 'stays'): Promise<number> {
		const { program } = this.server;
		const open = () => Connection.open(program.url);
		const idle = await Promise.all([open(), open(), open()]);
		for (const connection of idle) await answered(connection.ask({ method: 'GET', path: '/health' }), 200, 'health');
		const slowName = newName('店');
		const whole = wireTextOf({ method: 'POST', path: '/api/stores', token: this.#token, body: { name: slowName } });
		const slow = await open();
		slow.write(whole.slice(0, -8));
		const stalled = await open();
		stalled.write(halfHead);
		const writing = await this.#startWriters(20);
		const signIn = answered((await open()).ask(login), 200, 'a sign-in');
		// It is awaited below.
		signIn.catch(() => {});
		// Its answer shows that what was sent before has arrived.
		await answered((await open()).ask({ method: 'GET', path: '/health' }), 200, 'health');

		const since = performance.now();
		program.signal('SIGTERM');
		await program.wrote(/"message":"stopping"/);
		// Idle connections are closed at once.
		await Promise.all(idle.map(({ closed }) => closed));
		await refused(program.url);
		slow.write(whole.slice(-8));
		await answered(slow.answer(), 201, 'a request half of which was sent before the stop');
		this.#books.add(slowName);
		await signIn;
		if (staller === 'leaves') stalled.close();
		const code = await program.end();
		const took = performance.now() - since;
		const unanswered = await writing.ended;
		stalled.close();

		if (code !== 0) throw new Error(`a stop ended with ${code}: ${program.output.slice(-1000)}`);
		if (existsSync(`${this.server.database}-wal`)) throw new Error('a stop left access.db-wal');
		this.#checkUnanswered(unanswered);
		return took;
	}

	/** Checks that every acknowledged store exists. */
	async checkBooks(when: string): Promise<void> {
		const { body } = await this.server.send('GET', '/api/stores?includeInactive=true', { token: this.#token });
		const stored = new Set(body.data.map(({ name }: { name: string }) => name));
		const missing = [...this.#books].filter((name) => !stored.has(name));
		if (missing.length > 0) throw new Error(`${when} these acknowledged stores are missing: ${missing}`);
	}

	/** A stop answers every request it accepted: a write that was made must have been answered. */
	#checkUnanswered(names: readonly string[]): void {
		const stored = new Set(this.server.rows('select name from stores').map(({ name }) => name));
		const done = names.filter((name) => stored.has(name));
		if (done.length > 0) throw new Error(`these stores were opened by a stopping server, but not answered: ${done}`);
	}

	/**
	 * Lets writers write until the server is gone; resolves once `enough` writes were answered. `ended` gives the names
	 * whose request was never answered.
	 */
	async #startWriters(enough: number): Promise<{ ended: Promise<string[]> }> {
		const target = this.#books.size + enough;
		const busy = Promise.withResolvers<void>();
		const connections = await Promise.all(
			Array.from({ length: writers }, () => Connection.open(this.server.program.url)),
		);
		const ended = Promise.all(
			connections.map((connection) =>
				this.#write(connection, () => {
					if (this.#books.size >= target) busy.resolve();
				}),
			),
		);
		ended.catch(busy.reject);
		await busy.promise;
		return { ended: ended.then((names) => names.flat()) };
	}

	/** Creates stores until the connection ends; the name whose request was not answered. */
	async #write(connection: Connection, onAnswer: () => void): Promise<string[]> {
		for (;;) {
			const name = newName('店');
			const answer = await connection.ask({ method: 'POST', path: '/api/stores', token: this.#token, body: { name } });
			if (answer === undefined) return [name];
			if (answer.status !== 201) throw new Error(`a write was answered ${answer.status} ${answer.text}`);
			this.#books.add(name);
			onAnswer();
		}
	}
}

async function answered(answer: Promise<WireAnswer | undefined>, status: number, what: string): Promise<void> {
	const got = await answer;
	if (got?.status !== status) throw new Error(`${what} got ${got ? `${got.status} ${got.text}` : 'no answer'}`);
}

/** A stopping server accepts no connection. */
async function refused(url: string): Promise<void> {
	const connection = await Connection.open(url).catch(() => undefined);
	if (connection === undefined) return;
	connection.close();
	throw new Error('a stopping server takes new connections');
}
