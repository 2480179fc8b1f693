/** The waiting line for password hashing. Its work ends when the test ends it, and its time is a clock that the tests set. */
import { beforeEach, describe, expect, test } from 'bun:test';
import { createHashQueue, type HashQueueLimits, limitsFor, type Turn } from '../src/auth/hash-queue.ts';
import { adminPassword, adminUsername, initialPassword, Service } from './harness.ts';

let time: number;
beforeEach(() => {
	time = 0;
});

/** A line whose turns are named; `served` is the order in which they started. */
class Line {
	readonly served: string[] = [];
	readonly refused: string[] = [];
	readonly #ends: (() => void)[] = [];
	readonly #queue;

	constructor(limits: Partial<HashQueueLimits> = {}) {
		this.#queue = createHashQueue({ running: 1, waiting: 400, maxWait: 30_000, ...limits }, () => time);
	}

	join(label: string, turn: Partial<Turn> = {}): Promise<void> {
		const whole = { network: '192.0.2.1', name: 'name', goesFirst: false, ...turn };
		return this.#queue(whole, () => {
			this.served.push(label);
			return new Promise<void>((resolve) => this.#ends.push(resolve));
		}).catch((error) => {
			expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfter: 5 });
			this.refused.push(label);
		});
	}

	/** Many turns of one kind, labelled with a number. */
	crowd(label: string, count: number, turn: (index: number) => Partial<Turn>): void {
		for (let index = 0; index < count; index += 1) void this.join(`${label} ${index}`, turn(index));
	}

	/** Ends what runs, so that the next ones start. */
	async step(times = 1): Promise<void> {
		await settled();
		for (let done = 0; done < times; done += 1) {
			this.#ends.shift()?.();
			time += 35;
			await settled();
		}
	}

	/** After how many more turns this one starts. */
	async turnsUntil(label: string): Promise<number> {
		await settled();
		const before = this.served.length;
		for (let steps = 0; !this.served.includes(label); steps += 1) {
			if (steps > 1000) throw new Error(`${label} is never served`);
			await this.step();
		}
		return this.served.indexOf(label) - before + 1;
	}
}

async function settled(): Promise<void> {
	for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

const network = (index: number) => `10.${index >> 8}.${index & 255}.0`;
const victim = { network: '203.0.113.7', name: 'admin' };
const atUsualPlace = { ...victim, goesFirst: true };

test('as many run at once as may, and callers of equal share are served in the order of arrival', async () => {
	const line = new Line({ running: 2 });
	line.crowd('turn', 5, (index) => ({ network: network(index), name: `name ${index}` }));
	await settled();
	expect(line.served).toEqual(['turn 0', 'turn 1']);
	await line.step(3);
	expect(line.served).toEqual(['turn 0', 'turn 1', 'turn 2', 'turn 3', 'turn 4']);
});

test('a failure ends its turn like a success', async () => {
	const queue = createHashQueue({ running: 1, waiting: 1, maxWait: 30_000 });
	const turn: Turn = { ...victim, goesFirst: false };
	const failing = queue(turn, () => Promise.reject(new Error('no')));
	const next = queue(turn, () => Promise.resolve('done'));
	expect(failing).rejects.toThrow('no');
	expect(await next).toBe('done');
	expect(await queue(turn, () => Promise.resolve('again'))).toBe('again');
});

describe('somebody new is served soon', () => {
	const crowds: [string, (index: number) => Partial<Turn>][] = [
		['200 turns of one name from one network', () => ({ network: '192.0.2.1', name: 'cashier' })],
		['200 names from one network', (index) => ({ network: '192.0.2.1', name: `name ${index}` })],
		['one name from 200 networks', (index) => ({ network: network(index), name: 'cashier' })],
		['200 turns of one name, from its usual place', () => ({ network: '192.0.2.1', name: 'cashier', goesFirst: true })],
		[
			'one name from 200 of its usual places',
			(index) => ({ network: network(index), name: 'cashier', goesFirst: true }),
		],
		['200 turns with the own name from elsewhere', () => ({ network: '192.0.2.1', name: victim.name })],
		['200 turns of another name from the own network', () => ({ network: victim.network, name: 'cashier' })],
		[
			'200 turns of another name from the own network, its usual place too',
			() => ({ network: victim.network, name: 'cashier', goesFirst: true }),
		],
	];

	test.each(crowds)('behind %s', async (_, turn) => {
		for (const [place, limit] of [
			[victim, 4],
			[atUsualPlace, 3],
		] as const) {
			const line = new Line();
			line.crowd('crowd', 200, turn);
			await line.step(5);
			void line.join('victim', place);
			expect(await line.turnsUntil('victim')).toBeLessThanOrEqual(limit);
			expect(line.refused).toEqual([]);
		}
	});
});

test('callers at their usual places leave every other turn to the rest', async () => {
	const line = new Line();
	line.crowd('first', 20, (index) => ({ network: network(index), name: `name ${index}`, goesFirst: true }));
	line.crowd('other', 20, (index) => ({ network: network(100 + index), name: `name ${100 + index}` }));
	await line.step(9);
	expect(line.served.filter((label) => label.startsWith('other'))).toHaveLength(5);
});

test('the turns that a network had count against it for some seconds only', async () => {
	const line = new Line();
	const shop = (index: number) => ({ network: '192.0.2.1', name: `person ${index}` });
	line.crowd('early', 20, shop);
	await line.step(20);
	time += 5000;
	line.crowd('shop', 2, shop);
	line.crowd('stranger', 2, (index) => ({ network: network(index), name: `stranger ${index}` }));
	await line.step(3);
	expect(line.served.slice(20)).toEqual(['shop 0', 'stranger 0', 'stranger 1', 'shop 1']);
});

describe('a full line', () => {
	test('takes as many as are allowed and refuses nobody until then', async () => {
		const line = new Line({ waiting: 400 });
		line.crowd('turn', 401, (index) => ({ network: network(index), name: `name ${index}` }));
		await settled();
		expect(line.refused).toEqual([]);
		void line.join('one too many', { network: '192.0.2.1', name: 'late' });
		await settled();
		expect(line.refused).toEqual(['one too many']);
	});

	test('refuses the caller who crowds it, not the one who comes', async () => {
		const line = new Line({ waiting: 10 });
		line.crowd('crowd', 11, () => ({ network: '192.0.2.1', name: 'cashier' }));
		void line.join('victim', victim);
		await settled();
		expect(line.refused).toEqual(['crowd 10']);
		expect(await line.turnsUntil('victim')).toBeLessThanOrEqual(2);
	});

	test('keeps those who are at their usual place', async () => {
		const line = new Line({ waiting: 10 });
		line.crowd('crowd', 11, (index) => ({ network: network(index), name: victim.name }));
		for (let time = 0; time < 5; time += 1) void line.join(`victim ${time}`, atUsualPlace);
		await settled();
		expect(line.refused).toHaveLength(5);
		expect(line.refused.every((label) => label.startsWith('crowd'))).toBe(true);
	});

	test('refuses a turn that waited longer than the limit', async () => {
		const line = new Line({ maxWait: 1000 });
		line.crowd('turn', 3, (index) => ({ network: network(index), name: `name ${index}` }));
		await settled();
		time = 1001;
		await line.step();
		expect(line.served).toEqual(['turn 0']);
		expect(line.refused).toEqual(['turn 1', 'turn 2']);
	});
});

describe('a caller who is gone', () => {
	test('loses the place in the line, and nothing is hashed', async () => {
		const line = new Line({ waiting: 3 });
		const gone = new AbortController();
		void line.join('running');
		void line.join('gone', { signal: gone.signal });
		void line.join('next');
		gone.abort();
		await line.step(3);
		expect(line.served).toEqual(['running', 'next']);
		expect(line.refused).toEqual(['gone']);
	});
});

describe('the password of a client that has hung up is not hashed', () => {
	const oldAndNew = { oldPassword: initialPassword, newPassword: 'another-password' };
	test.each([
		['a sign-in', 'POST', () => '/api/auth/login', { username: adminUsername, password: adminPassword }],
		['a change of the own password', 'PATCH', () => '/api/auth/me/password', oldAndNew],
		["a change of an employee's password", 'PATCH', (id: number) => `/api/employees/${id}/password`, oldAndNew],
	] as const)('%s', async (_, method, pathOf, body) => {
		const service = await Service.start();
		const { id } = await service.addEmployee((await service.addStore()).id);
		const own = pathOf(id) === '/api/auth/me/password';
		const authorization = `Bearer ${own ? await service.tokenOf(id) : service.superToken}`;
		const headers = { 'content-type': 'application/json', authorization };
		const init = { method, headers, body: JSON.stringify(body), signal: AbortSignal.abort() };
		const answer = await service.app.handle(new Request(`http://localhost${pathOf(id)}`, init));
		expect(answer.status).toBe(503);
		expect(await answer.json()).toMatchObject({ error: { message: '服务繁忙，请稍后再试' } });
	});
});

test.each([
	[1, 1, 400],
	[2, 2, 400],
	[3, 2, 800],
	[8, 7, 2800],
])('on %p cores %p hashes run at once, and %p wait', (cores, running, waiting) => {
	expect(limitsFor(cores)).toMatchObject({ running, waiting });
});
