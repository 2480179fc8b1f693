/** Whether thousands of clients that never finish their requests slow down others. */
import { setTimeout as pause } from 'node:timers/promises';
import { Connection, wireTextOf } from '../connection.ts';
import { hanging } from '../hanging.ts';
import { Server } from '../server.ts';
import { type Campaign, quantile } from './campaign.ts';
import { openDescriptors, requireDescriptors, residentMegabytes } from './vitals.ts';

interface Scale {
	/** How many stall in the head of their request, how many in its body, and how many send a byte now and then. */
	heads: number;
	bodies: number;
	drips: number;
	/** How long the reads of an honest client are watched, in milliseconds. */
	watch: number;
	/** Whether to wait until the server has closed every one of them, and to judge by times. */
	toTheEnd: boolean;
}

const closedWithin = 40_000;
const readWithin = 50;
const dripEvery = 2000;

/** At full scale reads stay below 50 ms (p99), and all slow connections are closed after 40 s. */
export const slowClients: Campaign<Scale> = {
	name: 'slow-clients',
	claim: 'two thousand half-sent heads and two thousand half-sent bodies delay nobody, and are closed',
	short: { heads: 100, bodies: 100, drips: 20, watch: 1000, toTheEnd: false },
	full: { heads: 2000, bodies: 2000, drips: 200, watch: 15_000, toTheEnd: true },
	async run(scale, report) {
		requireDescriptors(scale.heads + scale.bodies + scale.drips + 200);
		const server = await Server.start();
		const crowd = new Crowd(server);
		try {
			return await watch(server, crowd, scale, report);
		} finally {
			crowd.leave();
			await server.program.end('SIGKILL');
		}
	},
};

const half = {
	head: 'POST /api/auth/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-',
	body: `${wireTextOf({
		method: 'POST',
		path: '/api/auth/login',
		headers: { 'content-type': 'application/json', 'content-length': '80' },
	})}{"username":`,
	chunk: `${wireTextOf({
		method: 'POST',
		path: '/api/auth/login',
		headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
	})}5\r\n{"use\r\n`,
};

/** The slow clients. */
class Crowd {
	readonly #server: Server;
	readonly #connections: Connection[] = [];
	readonly #timers: Timer[] = [];
	/** How long each connection lasted, in milliseconds. */
	readonly stays: number[] = [];

	constructor(server: Server) {
		this.#server = server;
	}

	/** Adds clients that send half a request, and then nothing, or `drip` now and then. */
	async add(count: number, firstHalf: string, drip?: string): Promise<void> {
		for (let left = count; left > 0; left -= 50) {
			await Promise.all(Array.from({ length: Math.min(left, 50) }, () => this.#addOne(firstHalf, drip)));
		}
	}

	async #addOne(firstHalf: string, drip: string | undefined): Promise<void> {
		const connection = await Connection.open(this.#server.program.url);
		const since = performance.now();
		this.#connections.push(connection);
		connection.closed.then(() => this.stays.push(performance.now() - since));
		connection.write(firstHalf);
		if (drip !== undefined) this.#timers.push(setInterval(() => connection.write(drip), dripEvery));
	}

	get size(): number {
		return this.#connections.length;
	}

	/** How many are still connected. */
	get open(): number {
		return this.#connections.filter(({ isClosed }) => !isClosed).length;
	}

	leave(): void {
		for (const timer of this.#timers) clearInterval(timer);
		for (const connection of this.#connections) connection.close();
	}
}

async function watch(server: Server, crowd: Crowd, scale: Scale, report: (step: string) => void) {
	const { pid, url } = server.program;
	const descriptors = openDescriptors(pid);
	const reader = new Reader(url, server.superToken);
	const reading = reader.readUntilStopped();
	try {
		await crowd.add(scale.heads, half.head);
		await crowd.add(scale.bodies, half.body);
		await crowd.add(scale.drips / 2, half.head, 'x');
		await crowd.add(scale.drips / 2, half.chunk, '1\r\nx\r\n');
		report(`${crowd.size} are there, ${residentMegabytes(pid)} MB`);
		await untilLetIn(crowd, () => openDescriptors(pid) - descriptors);
		const megabytes = residentMegabytes(pid);
		await pause(scale.watch);
		if (scale.toTheEnd) await untilAllClosed(crowd);
		reader.stop();
		await reading;
		if (scale.toTheEnd) judge(reader.latencies, crowd);
		return figures(reader.latencies, crowd, megabytes);
	} finally {
		reader.stop();
		await reading.catch(() => {});
	}
}

/** The operating system accepts connections before the server does: the claim is about those that the server has. */
async function untilLetIn(crowd: Crowd, count: () => number): Promise<void> {
	const since = performance.now();
	while (count() < crowd.size) {
		if (performance.now() - since > hanging) throw new Error(`${count()} of ${crowd.size} are let in at once`);
		await pause(10);
	}
}

async function untilAllClosed(crowd: Crowd): Promise<void> {
	const since = performance.now();
	while (crowd.open > 0) {
		if (performance.now() - since > closedWithin) {
			throw new Error(`${crowd.open} of ${crowd.size} slow connections are open after ${closedWithin} ms`);
		}
		await pause(100);
	}
}

function judge(latencies: number[], { stays }: Crowd): void {
	const p99 = quantile(latencies, 0.99);
	if (p99 >= readWithin) throw new Error(`p99 of ${latencies.length} reads beside the slow clients is ${p99} ms`);
	const longest = Math.max(...stays);
	if (longest > closedWithin) throw new Error(`a slow connection was closed after ${longest} ms only`);
}

function figures(latencies: number[], crowd: Crowd, megabytes: number) {
	const shown = [0.5, 0.99, 1].map((share) => quantile(latencies, share).toFixed(2));
	return {
		'slow clients at once': crowd.size,
		'reads beside them': latencies.length,
		'reads p50, p99, max (ms)': shown.join(', '),
		'closed by the server': crowd.stays.length,
		'closed after at least, at most (s)': [0, 1]
			.map((share) => (quantile(crowd.stays, share) / 1000).toFixed(1))
			.join(', '),
		'memory with all of them there (MB)': megabytes,
	};
}

/** An honest client that reads without a pause. */
class Reader {
	readonly latencies: number[] = [];
	readonly #url: string;
	readonly #token: string;
	#stopped = false;

	constructor(url: string, token: string) {
		this.#url = url;
		this.#token = token;
	}

	stop(): void {
		this.#stopped = true;
	}

	async readUntilStopped(): Promise<void> {
		while (!this.#stopped) await this.#readOverNewConnection();
	}

	/** Reads over a new connection: opening it is part of being served. */
	async #readOverNewConnection(): Promise<void> {
		let since = performance.now();
		const connection = await Connection.open(this.#url);
		for (let count = 0; count < 50 && !this.#stopped; count += 1) {
			const path = count % 2 === 0 ? '/api/auth/me' : '/api/employees';
			const answer = await connection.ask({ method: 'GET', path, token: this.#token });
			if (answer?.status !== 200)
				throw new Error(`GET ${path} beside the slow clients: ${answer?.head ?? 'no answer'}`);
			this.latencies.push(performance.now() - since);
			since = performance.now();
		}
		connection.close();
	}
}
