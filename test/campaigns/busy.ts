/** Whether the server stays correct while much goes on at once: programs beside it, writers, and a crowd that signs in. */
import { Database } from 'bun:sqlite';
import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Connection } from '../connection.ts';
import { compiled, runToEnd } from '../program.ts';
import { environmentFor, Server } from '../server.ts';
import { adminPassword } from '../world.ts';
import { type Campaign, type Figures, quantile } from './campaign.ts';
import { Traffic, type TrafficScale } from './traffic.ts';
import { residentMegabytes } from './vitals.ts';

interface Scale {
	traffic: TrafficScale;
	/** How many walks through the pages of each list. */
	walks: number;
	/** How many employees there are before the walks. */
	employees: number;
	/** For how many milliseconds a crowd signs in again and again. */
	signIns: number;
	/** Whether to judge by times, and to try more sign-ins at once than may wait. */
	timed: boolean;
}

export const busy: Campaign<Scale> = {
	name: 'busy',
	claim:
		'no answer fails or contradicts itself beside backups, checks, other readers, writers and a crowd that signs in',
	short: { traffic: { requests: 600, signIns: 4 }, walks: 1, employees: 60, signIns: 0, timed: false },
	full: { traffic: { requests: 100_000, signIns: 100 }, walks: 20, employees: 1000, signIns: 30_000, timed: true },
	async run(scale, report) {
		const server = await Server.start();
		try {
			const traffic = await Traffic.prepare(server);
			const beside = await besidePrograms(server, traffic, scale.traffic);
			report('beside other programs: held');
			const walks = await walkBesideWriters(server, traffic, scale);
			report('pages beside writers: held');
			return { ...beside, ...walks, ...(await readBesideSignIns(server, scale)) };
		} finally {
			await server.program.end();
		}
	},
};

/** Repeats something until it is stopped; `stop` throws the error that ended it. */
function repeatedly(work: (round: number) => Promise<void>) {
	let stopped = false;
	let rounds = 0;
	const ended = (async () => {
		while (!stopped) {
			await work(rounds);
			rounds += 1;
		}
	})();
	// `stop` reports the error.
	ended.catch(() => {});
	return {
		async stop(): Promise<number> {
			stopped = true;
			await ended;
			return rounds;
		},
	};
}

/** A pause between two programs, in milliseconds: else the machine would do nothing but start them. */
const breath = 300;

/** No request fails because the database is busy: the traffic throws on any wrong answer. */
async function besidePrograms(server: Server, traffic: Traffic, scale: TrafficScale): Promise<Figures> {
	const copy = join(server.folder, 'copy.db');
	const reader = repeatedly(() => readInTransaction(server.database));
	const backups = repeatedly(async () => {
		await succeed(server, 'backup', copy);
		rmSync(copy);
		await pause(breath);
	});
	const checks = repeatedly(async () => {
		await succeed(server, 'check', '--only', 'database');
		await pause(breath);
	});
	await traffic.run(scale, 12);
	return {
		'requests beside other programs': scale.requests,
		answers: JSON.stringify(traffic.statuses),
		'reads, backups, checks beside them': [await reader.stop(), await backups.stop(), await checks.stop()].join(', '),
	};
}

/** Keeps a read transaction open for a while, as a report or a copying tool does. */
async function readInTransaction(path: string): Promise<void> {
	const database = new Database(path, { readonly: true });
	try {
		database.run('begin');
		const count = () => JSON.stringify(database.query('select count(*), max(updated_at) from employees').values());
		const before = count();
		await pause(40);
		if (count() !== before) throw new Error('what another program reads changed within its transaction');
		database.run('commit');
	} finally {
		database.close();
	}
}

/** Runs a command of the program that must succeed. */
async function succeed(server: Server, ...args: string[]): Promise<void> {
	const ended = await runToEnd({
		command: [...compiled(), ...args],
		cwd: server.folder,
		environment: environmentFor(server.data),
	});
	if (ended.code !== 0) throw new Error(`access ${args.join(' ')} beside the server: ${JSON.stringify(ended)}`);
}

/** The parts of a page that can be wrong. */
interface Page {
	items: { id: number }[];
	pagination: { page: number; pageSize: number; total: number; totalPages: number };
}

/** A slow writer: a list that grows faster than it is read has no end. */
function paced(write: () => Promise<unknown>) {
	return repeatedly(async () => {
		await write();
		await pause(5);
	});
}

/** Reads lists page by page, first while others only append, then while they also delete. */
async function walkBesideWriters(server: Server, traffic: Traffic, { walks, employees }: Scale): Promise<Figures> {
	const token = traffic.superToken;
	const hire = async () => {
		const body = { storeId: 3, name: traffic.newName(), phone: traffic.newPhone() };
		const { status, body: answer } = await server.send('POST', '/api/employees', { token, body });
		if (status !== 201) throw new Error(`a hire was answered ${status}`);
		return answer.data.id as number;
	};
	const open = async () => {
		const { status } = await server.send('POST', '/api/stores', { token, body: { name: traffic.newName() } });
		if (status !== 201) throw new Error(`an opening was answered ${status}`);
	};
	for (let count = 0; count < employees; count += 1) await hire();
	for (let count = 0; count < employees / 10; count += 1) await open();
	const lists = [
		{ path: '/api/employees?', alive: 'select id from employees where deleted_at is null' },
		{ path: '/api/employees?storeId=3&', alive: 'select id from employees where store_id = 3 and deleted_at is null' },
		{
			path: '/api/employees?keyword=%E6%96%B0&',
			alive: "select id from employees where instr(name, '新') and deleted_at is null",
		},
		{ path: '/api/stores?', alive: "select id from stores where status = 'ACTIVE' and deleted_at is null" },
	];
	const walker = new Walker(server, token);
	const walkAll = async (isComplete: boolean) => {
		for (let walk = 0; walk < walks; walk += 1) {
			for (const { path, alive } of lists) {
				const before = isComplete ? server.rows(alive).map(({ id }) => id as number) : [];
				await walker.walk(path, before);
			}
		}
	};
	const appending = [paced(hire), paced(open)];
	await walkAll(true);
	const appended = await Promise.all(appending.map((writer) => writer.stop()));
	const deleting = paced(async () => {
		const hired = [await hire(), await hire(), await hire()];
		for (const id of hired) await server.send('DELETE', `/api/employees/${id}`, { token });
		const old = server.rows('select id from employees where store_id = 3 and deleted_at is null limit 1')[0];
		await server.send('DELETE', `/api/employees/${old.id}`, { token });
	});
	await walkAll(false);
	return {
		'walks through lists beside writers': walks * lists.length * 2,
		'pages seen': walker.pages,
		'hires and openings in the meantime': appended.join(', '),
		'rounds of hiring and deleting in the meantime': await deleting.stop(),
	};
}

/** Goes through a list page by page. */
class Walker {
	pages = 0;
	readonly #server: Server;
	readonly #token: string;

	constructor(server: Server, token: string) {
		this.#server = server;
		this.#token = token;
	}

	/**
	 * Ids only rise through a whole walk, because a deletion moves later rows forward and never back; so no row appears
	 * twice. Every id of `before` must be found.
	 */
	async walk(path: string, before: readonly number[]): Promise<void> {
		const seen = new Set<number>();
		let last = 0;
		for (let page = 1; ; page += 1) {
			const address = `${path}page=${page}&pageSize=20`;
			const { items, pagination } = await this.#read(address);
			for (const { id } of items) {
				if (id <= last) throw new Error(`GET ${address} shows ${id} after ${last}`);
				seen.add(id);
				last = id;
			}
			if (page >= pagination.totalPages) break;
		}
		const missed = before.filter((id) => !seen.has(id));
		if (missed.length > 0) throw new Error(`a walk through ${path} beside writers missed the ids ${missed}`);
	}

	/** A page whose total and items must be of the same moment. */
	async #read(address: string): Promise<Page> {
		this.pages += 1;
		const { status, body, text } = await this.#server.send('GET', address, { token: this.#token });
		if (status !== 200) throw new Error(`GET ${address} beside writers: ${status} ${text}`);
		const { items, pagination }: Page = body.data;
		const { page, pageSize, total, totalPages } = pagination;
		const expected = Math.min(pageSize, Math.max(0, total - (page - 1) * pageSize));
		if (items.length !== expected || totalPages !== Math.ceil(total / pageSize)) {
			throw new Error(`GET ${address} shows ${items.length} items, but says ${JSON.stringify(pagination)}`);
		}
		return body.data;
	}
}

/** As many as a chain's staff at the start of a shift: every one of them is served. */
const crowdSize = { short: 12, full: 200 };
/** More than run and may wait: 400 for each core but one. */
const tooMany = 500 * Math.max(1, availableParallelism() - 1) + 100;
const few = 8;

/** Reads do not notice that many people sign in, and each of those is served or asked to come again. */
async function readBesideSignIns(server: Server, { signIns, timed }: Scale): Promise<Figures> {
	const latencies: number[] = [];
	const memory: number[] = [];
	const token = server.superToken;
	const atOnce = timed ? crowdSize.full : crowdSize.short;
	const crowd = new SignIns(server);
	// A warm-up: the first hashes of a process are slower.
	if (timed) await crowd.signIn(few);
	const readers = Array.from({ length: 4 }, () => readRepeatedly(server, token, latencies));
	const until = performance.now() + signIns;
	do {
		await crowd.signIn(atOnce);
		memory.push(residentMegabytes(server.program.pid));
	} while (performance.now() < until);
	if (crowd.refused > 0) throw new Error(`${crowd.refused} of ${atOnce} sign-ins at once were refused`);
	const served = crowd.signedIn;
	if (timed) {
		await crowd.signIn(tooMany);
		memory.push(residentMegabytes(server.program.pid));
		if (crowd.refused === 0) throw new Error(`of ${tooMany} sign-ins at once none was asked to come again`);
	}
	await Promise.all(readers.map((reader) => reader.stop()));
	const honest = await waitAmong(crowd, few, timed ? 10 : 1);
	const [p50, p99, most] = [0.5, 0.99, 1].map((share) => quantile(latencies, share)) as [number, number, number];
	const megabytes = Math.max(...memory);
	if (timed) judge({ p99, most, honest, megabytes });
	return {
		'sign-ins of the crowd, none refused': served,
		'reads beside them': latencies.length,
		'reads p50, p99, max (ms)': [p50, p99, most].map((value) => value.toFixed(2)).join(', '),
		[`of ${tooMany} sign-ins at once asked to come again`]: timed ? crowd.refused : 'not tried',
		'longest wait of one person who signs in beside 8 (ms)': Math.round(honest),
		'most memory (MB)': megabytes,
	};
}

/** @throws Error when something takes too long, in milliseconds, or too much memory. */
function judge({ p99, most, honest, megabytes }: Record<'p99' | 'most' | 'honest' | 'megabytes', number>): void {
	if (p99 >= 25) throw new Error(`p99 of reads beside a crowd that signs in is ${p99} ms`);
	if (most >= 250) throw new Error(`a read beside a crowd that signs in took ${most} ms`);
	if (honest >= 3000) throw new Error(`a sign-in beside ${few} others waited ${honest} ms`);
	if (megabytes >= 300) throw new Error(`${megabytes} MB are held while ${tooMany} sign in`);
}

function readRepeatedly(server: Server, token: string, latencies: number[]) {
	const opened = Connection.open(server.program.url);
	const reader = repeatedly(async () => {
		const connection = await opened;
		const since = performance.now();
		const answer = await connection.ask({ method: 'GET', path: '/api/employees', token });
		if (answer?.status !== 200) throw new Error(`a read beside sign-ins: ${answer?.head ?? 'no answer'}`);
		latencies.push(performance.now() - since);
	});
	return {
		async stop(): Promise<void> {
			await reader.stop();
			(await opened).close();
		},
	};
}

/** Signs the super administrator in, over and over. */
class SignIns {
	signedIn = 0;
	refused = 0;
	readonly #server: Server;

	constructor(server: Server) {
		this.#server = server;
	}

	/** Signs in that many times at once; resolves when all are answered. */
	async signIn(count: number): Promise<void> {
		await Promise.all(Array.from({ length: count }, () => this.one()));
	}

	async one(): Promise<void> {
		const body = { username: 'admin', password: adminPassword };
		// A connection each: `fetch` opens at most 256.
		const connection = await Connection.open(this.#server.program.url);
		const answer = await connection.ask({ method: 'POST', path: '/api/auth/login', body });
		connection.close();
		if (answer?.status === 200) this.signedIn += 1;
		else if (answer?.status === 503 && /^retry-after: [1-9]/im.test(answer.head)) this.refused += 1;
		else throw new Error(`a sign-in among many was answered ${answer?.head ?? 'nothing'}`);
	}
}

/** How long the slowest of some single sign-ins takes while others keep signing in, in milliseconds. */
async function waitAmong(crowd: SignIns, others: number, times: number): Promise<number> {
	const busyOnes = Array.from({ length: others }, () => repeatedly(() => crowd.one()));
	const waits: number[] = [];
	for (let count = 0; count < times; count += 1) {
		const since = performance.now();
		await crowd.one();
		waits.push(performance.now() - since);
	}
	await Promise.all(busyOnes.map((one) => one.stop()));
	return Math.max(...waits);
}
