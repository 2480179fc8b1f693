/** Tests whether a server under long load, with writers and thousands of clients, fails nobody and stays small and fast. */
import { Connection, type WireRequest } from '../connection.ts';
import { hanging } from '../hanging.ts';
import { words } from '../oracle.ts';
import { Server } from '../server.ts';
import { adminPassword, adminUsername, newName, newPhone } from '../world.ts';
import { type Campaign, type Chance, type Figures, quantile, type Tools } from './campaign.ts';
import { openDescriptors, requireDescriptors, residentMegabytes } from './vitals.ts';

interface Scale {
	requests: number;
	/** The number of sign-ins among the requests. Each takes a good part of a core for some 50 ms. */
	signIns: number;
	/** The number of requests before memory and open files are compared. */
	warmUp: number;
	/** The allowed growth of memory after the warm-up, in megabytes. */
	growth: number;
	/** The pause before open files are counted, in milliseconds. An idle connection ends after ten seconds. */
	rest: number;
	/** The number of slow clients at once: of all ways on one server if `together`, or of each way on its own server. */
	slow: number;
	together: boolean;
	/** The time to watch others meanwhile, in milliseconds. With 0, neither times nor closed connections count. */
	watch: number;
}

export const load: Campaign<Scale> = {
	name: 'load',
	claim:
		'no request fails while others write; a million requests leak nothing; thousands of slow clients fill no memory and delay nobody',
	// So few requests are all warm-up: they reveal only extreme growth.
	short: { warmUp: 100, requests: 300, signIns: 4, growth: 100, rest: 200, slow: 40, together: true, watch: 0 },
	full: {
		warmUp: 200,
		requests: 1e6,
		signIns: 500,
		growth: 20,
		rest: 15_000,
		slow: 4000,
		together: false,
		watch: 10_000,
	},
	async run(scale, tools) {
		requireDescriptors(scale.slow + 200);
		const figures = await Server.with(async (server) => {
			const found = await soak(server, scale, tools);
			return scale.together ? { ...found, slow: await besideSlow(server, Object.values(ways), scale) } : found;
		});
		for (const [name, way] of scale.together ? [] : Object.entries(ways)) {
			figures[name] = await Server.with((server) => besideSlow(server, [way], scale));
			tools.report(`${name}: ${figures[name]}`);
		}
		return figures;
	},
};

const clients = 10;

/** Reads, by the status of the required answer. */
const paths: Readonly<Record<number, string>> = {
	200: `
		/health /api/auth/me /api/permissions/me /api/permissions/policies /api/permissions/definitions /api/stores
		/api/stores?page=2&pageSize=5 /api/stores/1 /api/stores/1/employees /api/roles /api/roles/3 /api/employees/7
		/api/employees?page=2&pageSize=10 /api/employees?storeId=1&pageSize=5
		/api/employees?keyword=%E5%91%98&status=ACTIVE
	`,
	400: '/api/employees?page=0',
	404: '/api/nothing',
};
const reads = Object.entries(paths).flatMap(([status, some]) =>
	words(some).map((path) => [Number(status), path] as const),
);

const credentials = { username: adminUsername, password: adminPassword };
const signIn: WireRequest = { method: 'POST', path: '/api/auth/login', body: credentials };
const wrongSignIn = { ...signIn, body: { username: adminUsername, password: 'a-wrong-password' } };

/** The number of administrators, with ids from 1. */
const staff = 40;

/** Sends from all clients at once, over kept-alive connections. @throws Error when an answer is not the required one. */
async function work(server: Server, chance: Chance, { requests, signIns }: Scale, onAnswer: (sent: number) => void) {
	const signInEvery = Math.ceil(requests / signIns);
	let sent = 0;

	/** Returns varied tokens, more than the server can remember. */
	const tokenOf = (number: number) =>
		server.sign(`EMPLOYEE:${1 + (number % staff)}`, 1, Math.floor(Date.now() / 1000) - (number % 3600));

	function next(): readonly [status: number, request: WireRequest] {
		sent += 1;
		if (sent % signInEvery === 0) return sent % (2 * signInEvery) === 0 ? [401, wrongSignIn] : [200, signIn];
		const token = tokenOf(sent);
		const [status, path] = chance.pick(reads);
		if (chance.below(5) > 0) return [status, { method: 'GET', path, token }];
		const employee = `/api/employees/${1 + chance.below(staff)}`;
		return chance.pick<[number, WireRequest]>([
			[200, { method: 'PATCH', path: employee, token, body: { remark: newName() } }],
			[200, { method: 'PATCH', path: '/api/stores/1', token, body: { name: newName() } }],
			[201, { method: 'POST', path: '/api/employees', token, body: { storeId: 1, name: '某', phone: newPhone() } }],
		]);
	}

	async function client(): Promise<void> {
		const connection = await Connection.open(server.url);
		while (sent < requests) {
			const [status, request] = next();
			const answer = await connection.ask(request);
			if (answer?.status !== status)
				throw new Error(`${request.path} must be ${status}, but got ${answer?.head} ${answer?.text.slice(0, 300)}`);
			onAnswer(sent);
		}
		connection.close();
	}
	await Promise.all(Array.from({ length: clients }, client));
}

/**
 * Checks that no request fails and nothing leaks. Compares the median memory of the second and the last fifth, because
 * garbage collection varies.
 */
async function soak(server: Server, scale: Scale, { chance, report }: Tools): Promise<Figures> {
	const { warmUp, requests, growth, rest } = scale;
	await server.hashAdministratorAsOthers();
	const { id } = await server.addStore();
	for (let hired = 0; hired < staff; hired += 1) await server.addEmployee(id, [1]);
	const { pid } = server.program;
	// Files that stay open, such as the database's log, are open after the first requests.
	await work(server, chance, { ...scale, requests: warmUp, signIns: 2 }, () => {});
	await Bun.sleep(rest);
	const atRest = openDescriptors(pid);
	const memory: number[] = [];
	let atWork = atRest;
	await work(server, chance, scale, (sent) => {
		if (sent % Math.ceil(requests / 200) !== 0) return;
		memory.push(residentMegabytes(pid));
		atWork = Math.max(atWork, openDescriptors(pid));
		if (memory.length % 20 === 0) report(`${sent} requests, ${memory.at(-1)} MB, ${atWork} descriptors`);
	});
	const fifth = Math.floor(memory.length / 5);
	const early = quantile(memory.slice(fifth, 2 * fifth), 0.5);
	const late = quantile(memory.slice(-fifth), 0.5);
	if (late - early > growth) throw new Error(`memory grew from ${early} to ${late} MB: ${memory}`);
	// At work, the server may have only the clients' connections besides those at rest.
	if (atWork > atRest + clients + 4) throw new Error(`${atWork} descriptors at work, ${atRest} at rest`);
	await until(() => openDescriptors(pid) <= atRest, hanging, `more than ${atRest} descriptors stay open at rest`);
	return {
		'reads and sign-ins during writes, answered as they must be': requests,
		'memory in the second fifth, the last, most (MB)': `${early}, ${late}, ${Math.max(...memory)}`,
		'descriptors at rest and at work': `${atRest}, ${atWork}`,
	};
}

/** Returns the milliseconds of each request over a new connection; opening it is part of the first. */
async function timesOf(server: Server, requests: readonly WireRequest[]): Promise<number[]> {
	const times: number[] = [];
	let since = performance.now();
	const connection = await Connection.open(server.url);
	for (const request of requests) {
		const answer = await connection.ask(request);
		if (answer?.status !== 200) throw new Error(`${request.path} with slow clients: ${answer?.head ?? 'no answer'}`);
		times.push(performance.now() - since);
		since = performance.now();
	}
	connection.close();
	return times;
}

/** A way to be slow: the start of a request, what follows, and how often, in milliseconds. */
interface Way {
	begin: string;
	more?: string;
	every?: number;
	/** Whether the server must close the connection itself, and keep other reads fast. */
	isStalled: boolean;
}

const unfinished = 'POST /api/auth/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n';
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const declared = (length: number) => `${unfinished}Content-Length: ${length}\r\n\r\n`;
const chunked = `${unfinished}Transfer-Encoding: chunked\r\n\r\n`;

const ways: Record<string, Way> = {
	'half a head': { begin: unfinished, isStalled: true },
	'half a body': { begin: `${declared(80)}{"username":`, isStalled: true },
	'a head that drips': { begin: unfinished, more: 'x', every: 2000, isStalled: true },
	'chunks that drip': { begin: chunked, more: chunk('x'), every: 2000, isStalled: true },
	'uploads in chunks of a byte': { begin: chunked, more: chunk('x').repeat(32), every: 100, isStalled: false },
	'uploads of 16 KiB without end': { begin: declared(16_384), more: 'x'.repeat(100), every: 100, isStalled: false },
};

const memoryLimit = 300;
const closedWithin = 40_000;

/** Reads and signs in while slow clients are connected. Returns a summary. */
async function besideSlow(server: Server, some: readonly Way[], scale: Scale): Promise<string> {
	await server.hashAdministratorAsOthers();
	const token = server.superToken;
	const readBoth = ['/api/auth/me', '/api/employees'].map((path) => ({ method: 'GET', path, token }));
	const { pid } = server.program;
	const before = openDescriptors(pid);
	const crowd: Connection[] = [];
	const reads: number[] = [];
	let peakMemory = 0;
	while (crowd.length < scale.slow) {
		crowd.push(...(await Promise.all(Array.from({ length: 40 }, () => Connection.open(server.url)))));
	}
	const begun = performance.now();
	const timers = some.map(({ begin, more = '', every = 1e9 }, index) => {
		const slow = crowd.filter((_, place) => place % some.length === index);
		for (const connection of slow) connection.write(begin);
		return setInterval(() => slow.forEach((connection) => void connection.write(more)), every);
	});
	const stalled = some.filter(({ isStalled }) => isStalled).length;
	try {
		const mustStay = (crowd.length * stalled) / some.length;
		await until(() => openDescriptors(pid) - before >= mustStay, hanging, 'not all are let in');
		const end = performance.now() + scale.watch;
		for (let count = 0; count === 0 || performance.now() < end; count += 1) {
			await timesOf(server, [signIn]);
			reads.push(...(await timesOf(server, Array(25).fill(readBoth).flat())));
			peakMemory = Math.max(peakMemory, residentMegabytes(pid));
			if (peakMemory >= memoryLimit) throw new Error(`the program takes ${peakMemory} MB`);
		}
		const p99 = quantile(reads, 0.99);
		if (scale.watch > 0 && stalled > 0) {
			if (p99 >= 50) throw new Error(`p99 of ${reads.length} reads with slow clients is ${p99} ms`);
			const left = closedWithin - (performance.now() - begun);
			await until(() => crowd.every(({ isClosed }) => isClosed), left, 'slow connections stay open');
		}
		return `at most ${peakMemory} MB; ${reads.length} reads meanwhile, p99 ${p99.toFixed(2)} ms`;
	} finally {
		for (const timer of timers) clearInterval(timer);
		for (const connection of crowd) connection.close();
	}
}

async function until(isSo: () => boolean, within: number, otherwise: string): Promise<void> {
	for (const since = performance.now(); !isSo(); await Bun.sleep(20)) {
		if (performance.now() - since > within) throw new Error(otherwise);
	}
}
