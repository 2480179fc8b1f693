/** Whether a stop, asked for at any moment, breaks off anything, and whether the next start finds all in order. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Connection, type WireAnswer, wireTextOf } from '../connection.ts';
import { compiled, spawn } from '../program.ts';
import { Server, settings } from '../server.ts';
import { adminPassword } from '../world.ts';
import { type Campaign, quantile } from './campaign.ts';

interface Scale {
	/** Stops while much is going on. */
	stops: number;
	/** Stops against a client who never goes on with his request; each takes eight seconds, all are made at once. */
	stalled: number;
	/** Kills, each followed by a start. */
	kills: number;
	/** Starts of a second server on the same folder. */
	seconds: number;
	/** How long a second server may take to give up, in milliseconds. */
	givesUpWithin: number;
}

const stopsWithin = 10_000;
const writers = 8;

export const stop: Campaign<Scale> = {
	name: 'stop',
	claim: 'a stop answers what is in flight and loses nothing, a second server gives up, and a start after a kill works',
	short: { stops: 5, stalled: 0, kills: 5, seconds: 1, givesUpWithin: 5000 },
	full: { stops: 100, stalled: 4, kills: 100, seconds: 20, givesUpWithin: 1000 },
	async run(scale, report) {
		const stalled = Array.from({ length: scale.stalled }, () => onNewServer((shop) => shop.stopRound('stays')));
		const figures = await onNewServer((shop) => everyRound(shop, scale, report));
		const durations = (await Promise.all(stalled)).map((milliseconds) => Math.round(milliseconds));
		return { ...figures, 'stops against clients who stall (ms)': durations.join(', ') };
	},
};

async function onNewServer<Result>(work: (shop: Shop) => Promise<Result>): Promise<Result> {
	const shop = new Shop(await Server.start());
	try {
		return await work(shop);
	} finally {
		await shop.server.program.end('SIGKILL');
	}
}

async function everyRound(shop: Shop, scale: Scale, report: (step: string) => void) {
	const givenUp: number[] = [];
	for (let count = 0; count < scale.seconds; count += 1) givenUp.push(await shop.startSecond(scale.givesUpWithin));
	report('second servers: gave up');
	const stops: number[] = [];
	for (let round = 0; round < scale.stops; round += 1) {
		stops.push(await shop.stopRound('leaves'));
		await shop.server.restart();
		await shop.checkBooks(`after stop ${round}`);
	}
	report('stops: held');
	const starts: number[] = [];
	for (let round = 0; round < scale.kills; round += 1) {
		// Other moments in each round, the same in each run.
		await shop.killAfter((round * 37) % 100);
		const since = performance.now();
		await shop.server.restart();
		starts.push(performance.now() - since);
		await shop.checkBooks(`after kill ${round}`);
	}
	const middleAndMost = (values: number[]) => [0.5, 1].map((share) => Math.round(quantile(values, share))).join(', ');
	return {
		'stops under load': stops.length,
		'stops p50, max (ms)': middleAndMost(stops),
		'kills, each followed by a start': starts.length,
		'starts after a kill p50, max (ms)': middleAndMost(starts),
		'second servers gave up after p50, max (ms)': middleAndMost(givenUp),
		'writes acknowledged, none lost': shop.acknowledged,
		'writes that a kill left unanswered': shop.unansweredByKill,
	};
}

const login = { method: 'POST', path: '/api/auth/login', body: { username: 'admin', password: adminPassword } };
const halfHead = 'POST /api/stores HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-';

/** An installation, and what it told its writers. */
class Shop {
	readonly server: Server;
	unansweredByKill = 0;
	readonly #token: string;
	/** The names of the stores that it said it opened. */
	readonly #books = new Set<string>();
	#names = 0;

	constructor(server: Server) {
		this.server = server;
		this.#token = server.superToken;
	}

	get acknowledged(): number {
		return this.#books.size;
	}

	/** Starts a second server on the same folder, which must give up; how long that took. */
	async startSecond(within: number): Promise<number> {
		const environment = { ...settings, DATA_DIR: join(this.server.folder, 'data') };
		const since = performance.now();
		const child = spawn({ command: compiled(), cwd: this.server.folder, environment });
		// One that does not give up would serve for ever.
		const tooLate = setTimeout(() => child.kill('SIGKILL'), 2 * within);
		const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
		const code = await child.exited;
		const took = performance.now() - since;
		clearTimeout(tooLate);
		if (code === 0 || stdout !== '' || !/^[^\n]+\n$/.test(stderr)) {
			throw new Error(`a second server ended with ${code}, ${JSON.stringify({ stdout, stderr })}`);
		}
		if (took >= within) throw new Error(`a second server gave up after ${took} ms only`);
		return took;
	}

	/** Stops the server while all kinds of clients are at it; how long that took. */
	async stopRound(staller: 'leaves' | 'stays'): Promise<number> {
		const { program } = this.server;
		const open = () => Connection.open(program.url);
		const idle = await Promise.all([open(), open(), open()]);
		for (const connection of idle) await answered(connection.ask({ method: 'GET', path: '/health' }), 200, 'health');
		const slowName = this.#newName();
		const whole = wireTextOf({ method: 'POST', path: '/api/stores', token: this.#token, body: { name: slowName } });
		const slow = await open();
		slow.write(whole.slice(0, -8));
		const stalled = await open();
		stalled.write(halfHead);
		const writing = await this.#startWriters(20);
		const signIn = answered((await open()).ask(login), 200, 'a sign-in');
		// It is waited for below, whatever fails before.
		signIn.catch(() => {});
		// Its answer shows that what was sent before has arrived.
		await answered((await open()).ask({ method: 'GET', path: '/health' }), 200, 'health');

		const since = performance.now();
		program.signal('SIGTERM');
		await program.wrote(/"message":"stopping"/);
		// Those who are idle are sent away in the same breath in which the door is closed.
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
		if (took >= stopsWithin) throw new Error(`a stop took ${took} ms`);
		if (existsSync(`${this.server.database}-wal`)) throw new Error('a stop left access.db-wal');
		this.#checkUnanswered(unanswered);
		return took;
	}

	/** Kills the server some milliseconds after writers began. */
	async killAfter(milliseconds: number): Promise<void> {
		const writing = await this.#startWriters(1);
		await pause(milliseconds);
		await this.server.program.end('SIGKILL');
		this.unansweredByKill += (await writing.ended).length;
	}

	/** What was acknowledged is there. */
	async checkBooks(when: string): Promise<void> {
		const { body } = await this.server.send('GET', '/api/stores?includeInactive=true', { token: this.#token });
		const stored = new Set(body.data.map(({ name }: { name: string }) => name));
		const missing = [...this.#books].filter((name) => !stored.has(name));
		if (missing.length > 0) throw new Error(`${when} these acknowledged stores are missing: ${missing}`);
	}

	/** A stop answers what it took: a write that is done was answered. */
	#checkUnanswered(names: readonly string[]): void {
		const stored = new Set(this.server.rows('select name from stores').map(({ name }) => name));
		const done = names.filter((name) => stored.has(name));
		if (done.length > 0) throw new Error(`these stores were opened by a stopping server, but not answered: ${done}`);
	}

	#newName(): string {
		this.#names += 1;
		return `店${this.#names}`;
	}

	/**
	 * Has writers write until the server is gone; resolves once they are well at it. `ended` gives the names whose
	 * request was never answered.
	 */
	async #startWriters(enough: number): Promise<{ ended: Promise<string[]> }> {
		const target = this.#books.size + enough;
		const wellAtIt = Promise.withResolvers<void>();
		const connections = await Promise.all(
			Array.from({ length: writers }, () => Connection.open(this.server.program.url)),
		);
		const ended = Promise.all(
			connections.map((connection) =>
				this.#write(connection, () => {
					if (this.#books.size >= target) wellAtIt.resolve();
				}),
			),
		);
		ended.catch(wellAtIt.reject);
		await wellAtIt.promise;
		return { ended: ended.then((names) => names.flat()) };
	}

	/** Opens stores until the connection ends; the name that was not answered any more. */
	async #write(connection: Connection, onAnswer: () => void): Promise<string[]> {
		for (;;) {
			const name = this.#newName();
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

/** A server that is about to stop lets nobody in. */
async function refused(url: string): Promise<void> {
	const connection = await Connection.open(url).catch(() => undefined);
	if (connection === undefined) return;
	connection.close();
	throw new Error('a stopping server takes new connections');
}
