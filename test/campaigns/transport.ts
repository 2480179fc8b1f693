/**
 * The layer below the routes: which path a request goes to, where it ends, and how large it may be. Written as bytes to
 * the compiled program, because no client would send such requests.
 */
import { readFileSync } from 'node:fs';
import { bytesOfText, exchangeBytes, type Heard, type Patience } from '../connection.ts';
import { type Document, endpointsOf, type Operation } from '../contract.ts';
import { Server } from '../server.ts';
import type { Campaign, Figures } from './campaign.ts';
import { framings } from './transport/smuggling.ts';

interface Scale {
	/** One in so many combinations of host, operation and path is tried. */
	everyNth: number;
	/** How often everything is tried. */
	rounds: number;
	/** How much of a body without an end is sent, in MiB. */
	endless: number;
}

export const transport: Campaign<Scale> = {
	name: 'transport',
	claim: 'no Host, path, framing or size gets a request past sign-in, a second request in, or the memory up',
	short: { everyNth: 11, rounds: 1, endless: 8 },
	full: { everyNth: 1, rounds: 5, endless: 256 },
	async run(scale, report) {
		const server = await Server.start();
		try {
			return await new Transport(server).all(scale, report);
		} finally {
			await server.program.end('SIGKILL');
		}
	},
};

const megabyte = 1_048_576;

/** For requests that are answered, however busy the machine is, and whose connection is closed then. */
const untilClosed: Patience = { first: 30_000, more: 30_000 };

/** For requests that are answered, on a connection that may stay open. */
const untilAnswered: Patience = { first: 30_000, more: 300 };

/** For requests that may never be answered. */
const briefly: Patience = { first: 300, more: 300 };

/** How many sockets are open at once. */
const sockets = 40;

/** The lines of a request that say which host is meant. */
const hosts: Record<string, { lines: string; malformed?: true }> = {
	none: { lines: '', malformed: true },
	'an empty one': { lines: 'Host:\r\n', malformed: true },
	'a letter': { lines: 'Host: x\r\n' },
	'three letters': { lines: 'Host: abc\r\n' },
	'a letter and a port': { lines: 'Host: x:1\r\n' },
	'a blank inside': { lines: 'Host: a b\r\n', malformed: true },
	'a path': { lines: 'Host: localhost/health\r\n', malformed: true },
	'two of them': { lines: 'Host: localhost\r\nHost: localhost\r\n', malformed: true },
	'two, one short': { lines: 'Host: x\r\nHost: localhost\r\n', malformed: true },
	'a user': { lines: 'Host: user@localhost\r\n', malformed: true },
	'half an IPv6 address': { lines: 'Host: [::1\r\n', malformed: true },
	'an IPv6 address': { lines: 'Host: [::1]:3000\r\n' },
	'a good one': { lines: 'Host: localhost\r\n' },
};

/** Ways to write a path that a program may read as another. */
const disguises: Record<string, (path: string) => string> = {
	'as it is': (path) => path,
	'a slash more': (path) => `/${path}`,
	'two slashes inside': (path) => path.replace('/', '/').replace(/(.)\//, '$1//'),
	'a dot': (path) => `/.${path}`,
	'an encoded dot': (path) => `/%2e${path}`,
	'a way back': (path) => `/health/..${path}`,
	'an encoded way back': (path) => `/health/%2e%2e${path}`,
	'an encoded slash': (path) => path.replace(/(.)\//, '$1%2f'),
	'an encoded letter': (path) => path.replace('api', '%61pi'),
	'behind another segment': (path) => `/zz${path}`,
	'behind a public path': (path) => `/health${path}`,
	'a query': (path) => `${path}?u=/health`,
	'in a query': (path) => `/zz?u=${path}`,
	'in the query of a public path': (path) => `/health?u=${path}`,
	'in a fragment': (path) => `/health#${path}`,
	'in capitals': (path) => path.toUpperCase(),
	'a slash at the end': (path) => `${path}/`,
	'a semicolon': (path) => `${path};/health`,
	'an encoded NUL': (path) => `${path}%00`,
	'an encoded line': (path) => `${path}%0d%0a`,
	'a whole address': (path) => `http://localhost${path}`,
	'a whole address of a short host': (path) => `http://x${path}`,
	'a whole address with a user': (path) => `https://user@localhost${path}`,
	'without a slash': (path) => path.slice(1),
};

/** An operation at a path that leads to something that exists. */
interface Door {
	method: string;
	path: string;
	secured: boolean;
	body: string;
}

class Transport {
	readonly #server: Server;
	readonly #authorization: string;
	#doors: Door[] = [];
	#exchanges = 0;
	/** How many were answered before they were found to be malformed. */
	#brokenLater = 0;

	constructor(server: Server) {
		this.#server = server;
		this.#authorization = `Authorization: Bearer ${server.superToken}\r\n`;
	}

	async all({ everyNth, rounds, endless }: Scale, report: (step: string) => void): Promise<Figures> {
		this.#doors = await this.#findDoors();
		// Memory that the first requests allocate is no growth.
		await this.#disguised(97);
		await this.#limits(2);
		const before = this.#residentMegabytes();
		this.#exchanges = 0;
		let disguised = 0;
		let smuggled = 0;
		let limits = 0;
		for (let round = 0; round < rounds; round += 1) {
			disguised += await this.#disguised(everyNth);
			report(`${disguised} hosts and paths`);
			smuggled += await this.#smuggled(round, everyNth);
			report(`${smuggled} ways to hide a request`);
			limits += await this.#limits(endless);
			report(`${limits} limits`);
		}
		const growth = this.#residentMegabytes() - before;
		if (growth >= 50) throw new Error(`the memory grew by ${growth.toFixed(1)} MB`);
		return {
			operations: this.#doors.length,
			'hosts × paths × operations tried': disguised,
			'handlers that ran for nobody': 0,
			'ways to hide a request tried': smuggled,
			'hidden requests carried out': 0,
			'of them answered first, and broken off then': this.#brokenLater,
			'limits tried': limits,
			'server errors': 0,
			exchanges: this.#exchanges,
			'memory grew by, in MB': growth.toFixed(1),
		};
	}

	async #findDoors(): Promise<Door[]> {
		const token = this.#server.superToken;
		const create = async (path: string, body: unknown) => {
			const answer = await this.#server.send('POST', path, { token, body });
			if (answer.status !== 201) throw new Error(`cannot prepare: POST ${path} gave ${answer.text}`);
			return answer.body.data.id as number;
		};
		const stores = await create('/api/stores', { name: 'kept' });
		const roles = await create('/api/roles', { code: 'kept', name: 'kept' });
		const employees = await create('/api/employees', { storeId: stores, name: 'kept', phone: '13000000000' });
		const document = (await this.#server.send('GET', '/swagger/json')).body as Document;
		const ids: Record<string, number> = { stores, roles, employees };
		return endpointsOf(document).map(({ method, template, operation }) => ({
			method,
			path: template.replace(/([^/]+)\/\{\w+\}/g, (_, noun: string) => `${noun}/${ids[noun] ?? 1}`),
			secured: operation.security.length > 0,
			// Public operations may succeed; an invalid body avoids the cost of hashing.
			body: operation.security.length > 0 ? exampleOf(operation) : '{}',
		}));
	}

	/** Everything that the service keeps. */
	#everything(): string {
		const tables = ['stores', 'roles', 'employees', 'employee_roles', 'role_permissions', 'administrators'];
		return JSON.stringify(tables.map((table) => this.#server.rows(`select * from ${table} order by 1`)));
	}

	/** Every host, operation and path without a token: nothing changes, and only public data is shown. */
	async #disguised(everyNth: number): Promise<number> {
		const before = this.#everything();
		const attempts = this.#doors
			.flatMap((door) =>
				Object.entries(hosts).flatMap(([hostName, host]) =>
					Object.entries(disguises).map(([disguiseName, disguise]) => ({
						door,
						host,
						target: disguise(door.path),
						name: `${door.method} ${door.path}, Host: ${hostName}, path: ${disguiseName}`,
					})),
				),
			)
			.filter((_, index) => index % everyNth === 0);
		await each(attempts, async ({ door, host, target, name }) => {
			const head = `${door.method} ${target} HTTP/1.1\r\n${host.lines}${contentOf(door.body)}Connection: close\r\n\r\n`;
			const heard = await this.#exchange([`${head}${door.body}`], untilClosed);
			const mayPass = !door.secured && host.malformed === undefined && isPathOf(target, door.path);
			expectRefusedOnce(heard, name, mayPass || leadsToHealth(door.method, target, host.malformed));
		});
		if (this.#everything() !== before) throw new Error('a request without a token changed what is stored');
		return attempts.length;
	}

	/** Requests hidden in others, with every ambiguity about where one ends. */
	async #smuggled(round: number, everyNth: number): Promise<number> {
		const carriers = [
			'POST /api/auth/login',
			'GET /health',
			'POST /api/stores',
			'DELETE /api/roles/1',
			'GET /zz',
			'PATCH /api/employees/999/password/reset',
		];
		const hidden = (name: string) => {
			const body = JSON.stringify({ name: `hidden ${name}` });
			return `POST /api/stores HTTP/1.1\r\nHost: localhost\r\n${this.#authorization}${contentOf(body)}\r\n${body}`;
		};
		// The short form takes one carrier for each way.
		const step = everyNth === 1 ? 1 : carriers.length;
		const attempts = carriers.flatMap((carrier, of) =>
			framings('').map((_, way) => ({ carrier, way, marker: `${round}-${of}-${way}`, turn: of + way })),
		);
		const tried = attempts.filter(({ turn }) => turn % step === 0);
		await each(tried, async ({ carrier, way, marker }) => {
			const framing = framings(hidden(marker))[way];
			if (!framing) return;
			const { name, headers, body, version = 'HTTP/1.1', lineEnd = '\r\n', lawful = false } = framing;
			const end = version === '' ? lineEnd : ` ${version}${lineEnd}`;
			const head = `${carrier}${end}${headers}Host: localhost\r\nContent-Type: application/json\r\n\r\n`;
			const pieces = round % 2 === 0 ? [`${head}${body}`] : [head, body.slice(0, 5), body.slice(5)];
			this.#expectOneRefusal(await this.#exchange(pieces, briefly), `${carrier} with ${name}`, lawful);
		});
		await each(carriers, async (carrier) => this.#expectWhole(carrier, hidden('in a proper body')));
		await this.#expectNothingHidden();
		return tried.length + 2 * carriers.length;
	}

	/** A request ends where it says, whether its body is read, ignored or too large. */
	async #expectWhole(carrier: string, inside: string): Promise<void> {
		const next = 'GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
		const head = `${carrier} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`;
		const size = inside.length.toString(16);
		const requests = [
			`${head}Content-Length: ${inside.length}\r\n\r\n${inside}`,
			`${head}Transfer-Encoding: chunked\r\n\r\n${size}\r\n${inside}\r\n0\r\n\r\n`,
		];
		for (const request of requests) {
			const { answers } = await this.#exchange([`${request}${next}`], untilClosed);
			const [first, second, ...more] = answers.map(({ status }) => status);
			if (first === undefined || first >= 500 || second !== 200 || more.length > 0) {
				const statuses = answers.map(({ status }) => status).join(', ');
				throw new Error(`${carrier} and then GET /health gave ${statuses}`);
			}
		}
	}

	/** At most one answer, and a refusal unless the request is lawful. */
	#expectOneRefusal({ answers, closed }: Heard, name: string, lawful: boolean): void {
		const [first, second, ...more] = answers;
		const heard = `${name} gave ${answers.map(({ status }) => status).join(' and ') || 'nothing'}`;
		// 505 comes from the HTTP server: it supports no other version.
		if (answers.some(({ status }) => status >= 500 && status !== 505)) throw new Error(heard);
		if (second) {
			// After a refusal that did not read the body, a malformed body gets a bare 400 and the connection is closed.
			const isOfTheServer = second.status === 400 && second.text === '' && closed && more.length === 0;
			if (!isOfTheServer) throw new Error(`${heard}: two answers`);
			this.#brokenLater += 1;
			return;
		}
		if (first && first.status < 400 && !lawful) throw new Error(`${heard}: taken for a proper request`);
	}

	async #expectNothingHidden(): Promise<void> {
		const found = this.#server.rows("select name from stores where name like 'hidden%'").map(({ name }) => name);
		if (found.length > 0) throw new Error(`hidden requests were carried out: ${found.join('; ')}`);
		// This proves something only if the hidden request works when it is sent openly.
		const body = JSON.stringify({ name: 'hidden no more' });
		const request = `POST /api/stores HTTP/1.1\r\n${this.#ours}${contentOf(body)}\r\n${body}`;
		const { answers } = await this.#exchange([request], untilClosed);
		const id = JSON.parse(answers[0]?.text ?? 'null')?.data?.id;
		if (answers[0]?.status !== 201) throw new Error(`the hidden request does not work: ${answers[0]?.text}`);
		await this.#server.send('PATCH', `/api/stores/${id}`, {
			token: this.#server.superToken,
			body: { name: `open ${id}` },
		});
	}

	/** Sizes around each limit, and far beyond it. */
	async #limits(endless: number): Promise<number> {
		const expected: [name: string, pieces: (string | Buffer)[], statuses: (number | 'closed')[]][] = [
			['a body of 1 MiB', [this.#create(this.#padded(megabyte))], [201]],
			['a body of 1 MiB and a byte', [this.#create(this.#padded(megabyte + 1))], [413]],
			['1 MiB in chunks', [this.#createInChunks(this.#padded(megabyte))], [201]],
			['1 MiB and a byte in chunks', [this.#createInChunks(this.#padded(megabyte + 1))], [413]],
			['a length of 10 GiB', [this.#head(`Content-Length: ${10_240 * megabyte}\r\n`), '{'], [413]],
			// The server closes while the client still sends, so the reset of the connection may overtake the answer.
			['a body without end', this.#endless(endless), [413, 'closed']],
			[
				'a header of 100 kB',
				[`GET /health HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`],
				tooLarge,
			],
			['an address of 100 kB', [`GET /health?${'x'.repeat(100_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`], tooLarge],
			['300 headers', [`GET /health HTTP/1.1\r\nHost: localhost\r\n${'X: y\r\n'.repeat(300)}\r\n`], tooLarge],
			['headers without end', [`GET /health HTTP/1.1\r\n${'X: y\r\n'.repeat(100_000)}`], tooLarge],
			['a cookie of 100 kB', [`GET /health HTTP/1.1\r\nCookie: ${'a=b;'.repeat(25_000)}\r\n\r\n`], tooLarge],
			['an address without end', ['x'.repeat(megabyte)], tooLarge],
			['21 roles', [this.#create(`{"storeId":1,"name":"x","phone":"13111111111","roleIds":[${ids(21)}]}`)], [400]],
			['a page of 101', [`GET /api/employees?pageSize=101 HTTP/1.1\r\n${this.#ours}\r\n`], [400]],
			['a nesting of 100,000', [this.#create('['.repeat(100_000) + ']'.repeat(100_000))], [400]],
			['a nesting in a field', [this.#create(`{"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)], [400]],
			['a nesting of objects', [this.#create(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`)], [400]],
		];
		for (const [name, pieces, statuses] of expected) {
			const heard = await this.#exchange(pieces, untilAnswered);
			const status = heard.answers[0]?.status ?? (heard.closed ? 'closed' : 'silence');
			if (heard.answers.length > 1 || !statuses.includes(status as number)) {
				throw new Error(`${name} gave ${heard.answers.map((answer) => answer.status).join(', ') || status}`);
			}
			const [answer] = heard.answers;
			if (answer && answer.status !== 431 && answer.text !== '') expectJson(name, answer.text, answer.status);
			if (answer?.status === 413 && answer.text === '') throw new Error(`${name}: 413 without the envelope`);
		}
		return expected.length;
	}

	get #ours(): string {
		return `Host: localhost\r\nConnection: close\r\n${this.#authorization}`;
	}

	#head(headers: string, path = '/api/stores'): string {
		return `POST ${path} HTTP/1.1\r\n${this.#ours}Content-Type: application/json\r\n${headers}\r\n`;
	}

	#create(body: string): string {
		const path = body.includes('roleIds') ? '/api/employees' : '/api/stores';
		return `${this.#head(`Content-Length: ${body.length}\r\n`, path)}${body}`;
	}

	#createInChunks(body: string): string {
		return `${this.#head('Transfer-Encoding: chunked\r\n')}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
	}

	#stores = 0;

	/** The body of a new store, blanks included. */
	#padded(size: number): string {
		this.#stores += 1;
		return `{"name":"large ${this.#stores}"}`.padEnd(size, ' ');
	}

	/** So many MiB in chunks, and no end. */
	#endless(megabytes: number): (string | Buffer)[] {
		const chunk = bytesOfText(`10000\r\n${'x'.repeat(0x10000)}\r\n`);
		return [this.#head('Transfer-Encoding: chunked\r\n'), ...Array.from({ length: megabytes * 16 }, () => chunk)];
	}

	async #exchange(pieces: readonly (string | Buffer)[], patience: Patience): Promise<Heard> {
		this.#exchanges += 1;
		const bytes = pieces.map((piece) => (typeof piece === 'string' ? bytesOfText(piece) : piece));
		return exchangeBytes(this.#server.url, bytes, patience);
	}

	#residentMegabytes(): number {
		const status = readFileSync(`/proc/${this.#server.program.pid}/status`, 'utf8');
		return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
	}
}

const tooLarge: (number | 'closed')[] = [400, 413, 414, 431, 'closed'];

function ids(count: number): string {
	return Array.from({ length: count }, (_, index) => index + 1).join(',');
}

/** A body that the document gives as an example; empty for an operation without one. */
function exampleOf({ requestBody }: Operation): string {
	const example = requestBody?.content['application/json']?.example;
	// Over the wire there are bytes only.
	return example === undefined ? '' : Buffer.from(JSON.stringify(example)).toString('latin1');
}

function contentOf(body: string): string {
	return body === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
}

/** Whether a target names a path when it is read as browsers read addresses. */
function isPathOf(target: string, path: string): boolean {
	if (!/^(?:\/(?!\/)|https?:)/.test(target)) return false;
	return new URL(target, 'http://localhost').pathname === path;
}

function leadsToHealth(method: string, target: string, malformed = false): boolean {
	return method === 'GET' && !malformed && isPathOf(target, '/health');
}

/** Work on everything, on some at a time. */
async function each<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
	const left = items.values();
	const lane = async () => {
		for (const item of left) await work(item);
	};
	await Promise.all(Array.from({ length: sockets }, lane));
}

/** Requires one answer: a refusal, or a success for a public path. */
function expectRefusedOnce({ answers, rest, closed }: Heard, name: string, mayPass: boolean): void {
	const [answer, ...more] = answers;
	const heard = `${name} gave ${answers.map(({ status }) => status).join(', ')}${rest.slice(0, 100)}`;
	if (!answer && closed && rest === '') return;
	if (!answer || more.length > 0) throw new Error(`${heard}: not one answer`);
	const refused = [400, 401, 404].includes(answer.status);
	if (!refused && !(mayPass && answer.status < 300)) throw new Error(`${heard}: not refused ${answer.text}`);
	if (answer.text !== '') expectJson(name, answer.text, answer.status);
}

/** The answer of the application is the envelope. */
function expectJson(name: string, body: string, status: number): void {
	const { success, error } = JSON.parse(body);
	const isRefusal = success === false && typeof error.code === 'string' && Array.isArray(error.details);
	if (status < 400 ? success !== true : !isRefusal) throw new Error(`${name} gave ${status} ${body}`);
}
