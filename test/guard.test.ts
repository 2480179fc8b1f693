/** Limits on password guesses, known devices, and the queue. The tests set the clock. */
import { beforeEach, describe, expect, spyOn, test } from 'bun:test';
import fc from 'fast-check';
import { attemptSubject } from '../src/features/auth/sign-in.ts';
import { type Attempt, createLimits, noLimits } from '../src/identity/guard/attempts.ts';
import { createDevices } from '../src/identity/guard/device.ts';
import { createGuard } from '../src/identity/guard/guard.ts';
import { createQueue } from '../src/identity/guard/hashing.ts';
import { findAccountsNamed } from '../src/identity/session/accounts.ts';
import {
	type Answer,
	adminPassword,
	expectRefusal,
	expectStatus,
	initialPassword,
	Service,
	withConstantSlots,
} from './harness.ts';
import { doors, jwtSecret } from './world.ts';

const service = await Service.start();
const { id: storeId } = await service.addStore();
service.restoreBeforeEachTest();

let phone: string;
let employeeId: number;
beforeEach(async () => {
	({ id: employeeId, phone } = await service.addEmployee(storeId, [service.builtIn('store_manager')]));
});

const shop = '203.0.113.7';
const home = '192.0.2.1';
const unknownName = '13099999999';
const wrong = 'a-wrong-guess';
const attacker = (index: number) => `198.51.100.${index % 50}`;

interface Sender {
	peer?: string;
	door?: string | undefined;
	device?: string | undefined;
}

function signIn(username: string, password: string, { peer = home, door = doors[2], device }: Sender = {}) {
	const headers = { [Service.peerHeader]: peer, ...(device !== undefined && { 'device-token': device }) };
	return service.send('POST', door, { body: { username, password }, headers });
}

const signInAsAdmin = (sender: Sender = {}) => signIn('admin', adminPassword, { door: doors[1], ...sender });
const guess = (username = phone, sender?: Sender) => signIn(username, wrong, sender);

/** The `Device-Token` of a successful answer. */
function deviceIn(answer: Answer): string {
	expectStatus(answer, 200);
	return answer.headers.get('device-token') ?? 'none';
}

const deviceOf = async (username = phone, password = initialPassword, sender?: Sender) =>
	deviceIn(await signIn(username, password, sender));

/** The seconds of `Retry-After`. */
function expectTooMany(answer: Answer): number {
	expectRefusal(answer, 429, '尝试次数过多，请稍后再试');
	const seconds = answer.headers.get('retry-after') ?? '';
	expect(seconds).toMatch(/^[1-9][0-9]*$/);
	return Number(seconds);
}

async function guessTimes(count: number, username?: string, sender?: Sender): Promise<void> {
	for (let time = 0; time < count; time += 1) expectRefusal(await guess(username, sender), 401);
}

/** Uses up the 40 free guesses of a name, as if from fifty addresses, without any request. */
function attack(username = phone): void {
	const { administrator, employee } = findAccountsNamed(service.db, username);
	const subject = attemptSubject(username, administrator ?? employee);
	for (let index = 0; index < 40; index += 1) service.limits.add({ subject, address: attacker(index) });
}

const waits = [1, 2, 4, 8, 16, 32, 64, 128, 256, 300];

/** The waits after the free guesses. Each one refuses until it ends, then allows one guess. */
async function waitsOf(username: string, sender?: Sender): Promise<number[]> {
	const found: number[] = [];
	for (const _ of waits) {
		const wait = expectTooMany(await guess(username, sender));
		found.push(wait);
		service.tick(wait - 0.5);
		expectTooMany(await guess(username, sender));
		service.tick(0.5);
		await guessTimes(1, username, sender);
	}
	return found;
}

describe('one name from one network', () => {
	test.each([
		['a known name', () => phone],
		['an unknown name', () => unknownName],
		['the administrator', () => 'admin'],
	])('%s has 30 wrong passwords free over all doors, then waits', async (_, name) => {
		for (let time = 0; time < 30; time += 1) await guessTimes(1, ` ${name()} `, { door: doors[time % 3] });
		expect(await waitsOf(name())).toEqual(waits);
		for (const door of doors) expectTooMany(await guess(name(), { door }));
	});

	test('is refused without hashing, with the right password too; other names and networks are not', async () => {
		await guessTimes(30);
		const verify = spyOn(service.passwords, 'verify');
		const wait = expectTooMany(await signIn(phone, initialPassword));
		expect(verify).not.toHaveBeenCalled();
		verify.mockRestore();
		expectStatus(await signInAsAdmin(), 200);
		expectStatus(await signIn(phone, initialPassword, { peer: shop }), 200);
		service.tick(wait);
		expectStatus(await signIn(phone, initialPassword), 200);
	});

	test('starts again after a success, and after an hour without an attempt', async () => {
		await guessTimes(29);
		expectStatus(await signIn(phone, initialPassword), 200);
		await guessTimes(30);
		expectTooMany(await guess());
		service.tick(3599);
		await guessTimes(1);
		expectTooMany(await guess());
		service.tick(3600);
		await guessTimes(30);
	});

	test('neither starts again nor counts when a disabled account gives the right password', async () => {
		await service.asSuper('PATCH', `/api/employees/${employeeId}/status`, { status: 'INACTIVE' });
		await guessTimes(29);
		for (let time = 0; time < 5; time += 1) {
			expectRefusal(await signIn(phone, initialPassword), 401, '账号已被禁用');
		}
		await guessTimes(1);
		expectTooMany(await guess());
	});

	test('does not follow the account to another phone, which answers like an unknown one', async () => {
		await guessTimes(30);
		expectStatus(await service.asSuper('PATCH', `/api/employees/${employeeId}`, { phone: unknownName }), 200);
		await guessTimes(30, unknownName);
		expectTooMany(await guess(unknownName));
	});

	test.each([
		['a reset', () => service.asSuper('PATCH', `/api/employees/${employeeId}/password/reset`)],
		['a deletion', () => service.asSuper('DELETE', `/api/employees/${employeeId}`)],
	])('starts again, like the name from everywhere, after %s', async (_, act) => {
		await guessTimes(30);
		await guessTimes(10, phone, { peer: shop });
		expectTooMany(await guess(phone, { peer: attacker(1) }));
		expect((await act()).status).toBeOneOf([200, 204]);
		await guessTimes(30);
		await guessTimes(10, phone, { peer: attacker(1) });
	});

	test('is the whole /64 in IPv6', async () => {
		for (let time = 0; time < 30; time += 1) await guess(phone, { peer: `2001:db8:0:1::${time}` });
		expectTooMany(await guess(phone, { peer: '2001:db8:0:1:ffff::1' }));
		await guessTimes(1, phone, { peer: '2001:db8:0:2::1' });
	});

	test('gets no more checks than are free, also when all guesses come at once', async () => {
		const answers = await Promise.all(Array.from({ length: 60 }, () => guess()));
		expect(answers.filter(({ status }) => status === 401)).toHaveLength(30);
		expect(answers.filter(({ status }) => status === 429)).toHaveLength(30);
	});
});

describe('one name from everywhere', () => {
	test('has 40 wrong passwords free, then one a minute', async () => {
		for (let index = 0; index < 40; index += 1) await guessTimes(1, phone, { peer: attacker(index) });
		expect(expectTooMany(await signIn(phone, initialPassword, { peer: shop }))).toBe(60);
		service.tick(60);
		await guessTimes(1, phone, { peer: attacker(1) });
		expectTooMany(await guess(phone, { peer: attacker(2) }));
		service.tick(3600);
		await guessTimes(2, phone, { peer: attacker(2) });
	});

	/** An event: the owner does something, others guess, and then some time passes. */
	const event = fc.record({
		owner: fc.constantFrom('nothing', 'nothing', 'sign in', 'use the device', 'mistype', 'sign out'),
		guesses: fc.integer({ min: 0, max: 45 }),
		seconds: fc.oneof(fc.integer({ min: 0, max: 90 }), fc.integer({ min: 0, max: 1800 })),
	});
	type Event = typeof event extends fc.Arbitrary<infer E> ? E : never;

	/** The times at which others tried a password, in milliseconds. */
	async function triesDuring(events: Event[]): Promise<number[]> {
		const device = await deviceOf(phone, initialPassword, { peer: shop });
		const acts: Record<Event['owner'], () => Promise<unknown>> = {
			nothing: async () => {},
			'sign in': () => signIn(phone, initialPassword, { peer: shop }),
			'use the device': async () => expectStatus(await signIn(phone, initialPassword, { device }), 200),
			mistype: () => guess(phone, { peer: shop }),
			'sign out': () => service.as(service.tokenOf(employeeId), 'POST', '/api/auth/logout'),
		};
		const tries: number[] = [];
		let peers = 0;
		for (const { owner, guesses, seconds } of events) {
			await acts[owner]();
			for (let time = 0; time < guesses; time += 1) {
				peers += 1;
				const { status } = await guess(phone, { peer: `198.51.${(peers >> 8) & 255}.${peers & 255}` });
				if (status === 401) tries.push(service.time.getTime());
			}
			service.tick(seconds);
		}
		return tries;
	}

	test('is tried at most 100 times in any hour, whatever the owner does meanwhile', async () => {
		const property = fc.asyncProperty(fc.array(event, { minLength: 20, maxLength: 40 }), async (events) => {
			service.forgetAttempts();
			const tries = await triesDuring(events);
			for (const from of tries) {
				const inHour = tries.filter((at) => at >= from && at <= from + 3_600_000);
				expect(inHour.length).toBeLessThanOrEqual(100);
			}
		});
		await fc.assert(property, { numRuns: 3 });
	});

	test('forgets after a success only the guesses of that network, and no flood of other names displaces its count', () => {
		const limits = withConstantSlots(() => createLimits(() => 0));
		const at = (index: number, subject = 'admin'): Attempt => {
			return { subject, address: `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}` };
		};
		for (let index = 0; index < 40; index += 1) limits.add(at(index));
		limits.forget(at(40));
		expect(limits.wait(at(41))).toBe(60_000);
		for (const _ of [1, 2]) limits.forget(at(3));
		expect(limits.wait(at(41))).toBe(0);
		limits.add(at(3));
		expect(limits.wait(at(41))).toBe(60_000);
		// One sign-in clears the count while another one is checked, which turns out to be right, too.
		for (const act of ['add', 'forget', 'remove'] as const) limits[act](at(42, 'owner'));
		expect(limits.wait(at(42, 'owner'))).toBe(0);
		for (let index = 50; index < 50_000; index += 1) limits.add(at(index, `other ${index}`));
		expect(limits.wait(at(41))).toBeGreaterThanOrEqual(60_000);
	});
});

/** Counts 1,000 wrong passwords for unknown names, without any request. */
function useUp(address: string): void {
	const attempt = { subject: 'a name of nobody', address };
	for (let time = 0; time < 1000; time += 1) service.limits.add(attempt);
}

test('one network has 1,000 wrong passwords in ten minutes, whatever the names', async () => {
	await guessTimes(1, '13888888888', { peer: shop });
	service.tick(200);
	useUp(shop);
	expect(expectTooMany(await guess('13888888888', { peer: shop }))).toBe(400);
	expectTooMany(await signInAsAdmin({ peer: shop }));
	await guessTimes(1, '13888888888', { peer: '192.0.2.10' });
	service.tick(400);
	await guessTimes(1, '13888888888', { peer: shop });
});

describe.each([
	['nobody attacks', () => {}],
	['the names are attacked from elsewhere', attack],
	['the network has used up its guesses', () => useUp(shop)],
])('when %s', (_, prepare) => {
	test('known and unknown names get the same answers at every sign-in, with and without a device of others', async () => {
		const { phone: elsewhere } = await service.addEmployee(storeId);
		const device = deviceIn(await signIn(elsewhere, initialPassword, { peer: shop }));
		for (const sender of [{ peer: shop }, { peer: '192.0.2.200' }, { peer: shop, device }]) {
			const curves: string[][] = [];
			// One name signed in at the store, one never did, and one does not exist.
			for (const name of [phone, 'admin', unknownName]) {
				service.forgetAttempts();
				expectStatus(await signIn(phone, initialPassword, { peer: shop }), 200);
				prepare(name);
				curves.push(await curve(name, sender));
			}
			for (const each of curves) expect(each).toEqual(curves[0] as string[]);
		}
	});
});

/** The answers to 36 wrong passwords, one per second: more than the free guesses. */
async function curve(name: string, sender: Sender): Promise<string[]> {
	const answers: string[] = [];
	for (let time = 0; time < 36; time += 1) {
		const { status, headers, text } = await guess(name, { ...sender, door: doors[time % 3] });
		answers.push(`${status} ${headers.get('retry-after')} ${text} ${[...headers.keys()].toSorted()}`);
		service.tick(1);
	}
	return answers;
}

describe('a device', () => {
	test('is let in whatever others do, at every sign-in and in any network', async () => {
		const ofAdmin = deviceIn(await signInAsAdmin());
		const device = await deviceOf();
		useUp(home);
		for (const name of ['admin', phone]) attack(name);
		expectTooMany(await signIn(phone, initialPassword));
		expectTooMany(await signInAsAdmin({ peer: shop }));
		expectStatus(await signIn(phone, initialPassword, { device }), 200);
		for (const door of doors) expectStatus(await signIn(phone, initialPassword, { door, device, peer: shop }), 200);
		expectStatus(await signInAsAdmin({ device: ofAdmin }), 200);
	});

	test('has 10 wrong passwords free, then waits; a success starts again, and others notice nothing', async () => {
		const device = await deviceOf();
		await guessTimes(9, phone, { device });
		const again = deviceIn(await signIn(phone, initialPassword, { device }));
		await guessTimes(10, phone, { device });
		await guessTimes(30);
		await guessTimes(10, phone, { peer: shop });
		// The renewed token belongs to the same device.
		expect(await waitsOf(phone, { device: again })).toEqual(waits);
		expectTooMany(await signIn(phone, initialPassword, { device }));
	});

	test('lasts 180 days, through a sign-out and a clock that jumps', async () => {
		const device = await deviceOf();
		const works = async () => {
			service.forgetAttempts();
			attack();
			const { status } = await signIn(phone, initialPassword, { device });
			return status === 200;
		};
		await service.as(service.tokenOf(employeeId), 'POST', '/api/auth/logout');
		expect(await works()).toBe(true);
		service.tick(179 * 86_400);
		expect(await works()).toBe(true);
		service.tick(86_400);
		expect(await works()).toBe(false);
		service.tick(-90 * 86_400);
		expect(await works()).toBe(true);
	});

	const reset = () => service.asSuper('PATCH', `/api/employees/${employeeId}/password/reset`);
	test('is ended by a new password, and the change answers the next token of the same device', async () => {
		const device = await deviceOf();
		const change = async (oldPassword: string, newPassword: string) =>
			service.send('PATCH', '/api/auth/me/password', {
				token: service.tokenOf(employeeId),
				body: { oldPassword, newPassword },
				headers: { [Service.peerHeader]: home, 'device-token': device },
			});
		attack();
		const next = deviceIn(await change(initialPassword, 'a-new-password'));
		expect(next.split('.')[0]).toBe(device.split('.')[0] as string);
		attack();
		expectTooMany(await signIn(phone, 'a-new-password', { device }));
		expectStatus(await signIn(phone, 'a-new-password', { device: next }), 200);
		service.tick(1);
		await reset();
		attack();
		expectTooMany(await signIn(phone, initialPassword, { device: next }));
	});

	const colleague = async () => deviceOf((await service.addEmployee(storeId)).phone);
	const forged = (secret: string, epoch: string) => async () => {
		const owner = { accountType: 'EMPLOYEE', id: employeeId, passwordChangedAt: null } as const;
		return createDevices(secret, epoch, () => service.time).issue(owner);
	};
	const changed = (at: number) => async () => {
		const device = await deviceOf();
		return `${device.slice(0, at)}${device[at] === 'B' ? 'C' : 'B'}${device.slice(at + 1)}`;
	};
	test.each<[string, () => Promise<string>]>([
		['of a colleague', colleague],
		['of the administrator', async () => deviceIn(await signInAsAdmin())],
		['signed with another secret', forged('x'.repeat(32), 'epoch')],
		['from before a restored backup', forged(jwtSecret, 'another epoch')],
		['with another device id', changed(3)],
		['with another signature', changed(50)],
		['with more behind it', async () => `${await deviceOf()}x`],
		['that lasts longer', async () => (await deviceOf()).replace(/\.\d/, '.9')],
		['that is empty', async () => ''],
		['of 8,000 characters', async () => 'x'.repeat(8000)],
	])('%s is ignored', async (_, make) => {
		const device = await make();
		attack();
		expectTooMany(await signIn(phone, initialPassword, { device }));
		service.tick(3600);
		expectStatus(await signIn(phone, initialPassword, { device }), 200);
	});
});

test('changing the passwords of others is counted by caller, apart from sign-ins', async () => {
	const change = (token: string, oldPassword: string, id: number) =>
		service.send('PATCH', `/api/employees/${id}/password`, {
			token,
			body: { oldPassword, newPassword: 'a-new-password' },
			headers: { [Service.peerHeader]: home },
		});
	const manager = await service.addPerson(storeId, 'employee:view:all', 'employee:manage');
	const other = await service.addEmployee(storeId);
	for (let time = 0; time < 30; time += 1) {
		const answer = await change(manager.token, wrong, time % 2 === 0 ? employeeId : other.id);
		expectRefusal(answer, 400, '原密码错误');
	}
	expectTooMany(await change(manager.token, initialPassword, employeeId));
	expectStatus(await signIn(manager.phone, initialPassword), 200);
	useUp(home);
	attack('admin');
	expectStatus(await change(service.superToken, initialPassword, employeeId), 200);
});

describe('the queue', () => {
	/** A queue with named turns, which the test ends. `served` is the order in which they started. */
	class NamedQueue {
		readonly served: string[] = [];
		readonly refused: string[] = [];
		readonly #ends: (() => void)[] = [];
		readonly #queue;

		constructor(limits: { waiting?: number; maxWait?: number; running?: number } = {}) {
			this.#queue = withConstantSlots(() => createQueue({ running: 1, waiting: 400, maxWait: 600_000, ...limits }));
		}

		join(label: string, turn: Partial<Attempt> = {}): Promise<void> {
			const attempt = { subject: 'name', address: home, ...turn };
			return this.#queue(attempt, () => {
				this.served.push(label);
				return new Promise<void>((resolve) => this.#ends.push(resolve));
			}).catch((error) => {
				expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfter: 5 });
				this.refused.push(label);
			});
		}

		crowd(label: string, count: number, turn: (index: number) => Partial<Attempt>): void {
			for (let index = 0; index < count; index += 1) void this.join(`${label} ${index}`, turn(index));
		}

		/** Ends a running turn, so the next one starts. */
		async step(times = 1): Promise<void> {
			await settled();
			for (let done = 0; done < times; done += 1) {
				this.#ends.shift()?.();
				await settled();
			}
		}
	}

	async function settled(): Promise<void> {
		for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
	}

	const network = (index: number) => ({ address: `10.${index >> 8}.${index & 255}.0` });
	const own = { kind: 'device', key: 'mine' } as const;
	const person = { address: shop, subject: 'person' };

	test.each<[string, more: number, (index: number) => Partial<Attempt>]>([
		['200 turns of one name from one network', 150, () => ({})],
		['200 names from one network', 150, (index) => ({ subject: `name ${index}` })],
		['one name from 200 networks', 150, (index) => ({ ...network(index), subject: 'cashier' })],
		['200 names from 200 networks', 0, (index) => ({ ...network(index), subject: `name ${index}` })],
		['200 devices', 0, (index) => ({ ...network(index), subject: `name ${index}`, own })],
	])('behind %s and before %d more somebody new is served soon, a device at once', async (_, more, turn) => {
		for (const [label, attempt] of [
			['person', person],
			['device', { ...person, own }],
		] as const) {
			const queue = new NamedQueue();
			queue.crowd('crowd', 200, turn);
			await queue.step(5);
			void queue.join(label, attempt);
			queue.crowd('more', more, (index) => turn(200 + index));
			await queue.step(3);
			expect(queue.served).toContain(label);
			expect(queue.refused).toEqual([]);
		}
	});

	test('runs as many at once as allowed, and goes on after a failure', async () => {
		const queue = new NamedQueue({ running: 2 });
		queue.crowd('turn', 5, network);
		await settled();
		expect(queue.served).toEqual(['turn 0', 'turn 1']);
		await queue.step(3);
		expect(queue.served).toHaveLength(5);
		const inTurn = createQueue({ running: 1, waiting: 1, maxWait: 600_000 });
		const attempt = { subject: 'name', address: home };
		const failing = inTurn(attempt, () => Promise.reject(new Error('no')));
		expect(await failing.catch((error: Error) => error.message)).toBe('no');
		expect(await inTurn(attempt, () => Promise.resolve('done'))).toBe('done');
	});

	test('leaves every other turn to attempts without a device', async () => {
		const queue = new NamedQueue();
		queue.crowd('device', 20, (index) => ({ ...network(index), own }));
		queue.crowd('other', 20, (index) => network(100 + index));
		await queue.step(9);
		expect(queue.served.filter((label) => label.startsWith('other'))).toHaveLength(5);
	});

	test('takes the allowed number, then refuses the crowd, and devices last', async () => {
		const queue = new NamedQueue({ waiting: 10 });
		queue.crowd('crowd', 11, () => ({}));
		await settled();
		expect(queue.refused).toEqual([]);
		void queue.join('person', person);
		void queue.join('device', { own });
		await settled();
		expect(queue.refused).toEqual(['crowd 10', 'crowd 9']);
		queue.crowd('devices', 20, () => ({ own }));
		await settled();
		expect(queue.refused.filter((label) => label.startsWith('devices'))).toHaveLength(11);
	});

	test('refuses a caller who waits too long, and drops one who is gone', async () => {
		const queue = new NamedQueue({ maxWait: 1 });
		const gone = new AbortController();
		void queue.join('running');
		const late = queue.join('late');
		const left = queue.join('gone', { signal: gone.signal });
		gone.abort();
		await left;
		expect(queue.refused).toEqual(['gone']);
		await late;
		await queue.step(3);
		expect(queue.served).toEqual(['running']);
	});

	test('has no place for an attempt that comes too early', async () => {
		const guard = createGuard({ ...noLimits, wait: () => 1 });
		// The queue would refuse a client that has hung up.
		const attempt = { subject: 'name', address: home, signal: AbortSignal.abort() };
		expect(await guard.try(attempt, async () => true).catch(({ code }) => code)).toBe('TOO_MANY_REQUESTS');
	});

	const oldAndNew = { oldPassword: initialPassword, newPassword: 'another-password' };
	test.each([
		['a sign-in', 'POST', () => '/api/auth/login', { username: 'admin', password: adminPassword }],
		['a change of one’s own password', 'PATCH', () => '/api/auth/me/password', oldAndNew],
		["a change of an employee's password", 'PATCH', (id: number) => `/api/employees/${id}/password`, oldAndNew],
	] as const)('does not hash for a client that has hung up: %s', async (_, method, pathOf, body) => {
		const path = pathOf(employeeId);
		const token = path.includes('/me/') ? service.tokenOf(employeeId) : service.superToken;
		const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
		const init = { method, headers, body: JSON.stringify(body), signal: AbortSignal.abort() };
		const answer = await service.app.handle(new Request(`http://localhost${path}`, init));
		expect(answer.status).toBe(503);
		expect(await answer.json()).toMatchObject({ error: { message: '服务繁忙，请稍后再试' } });
	});
});
