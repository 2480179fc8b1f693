/** Limits on guessing passwords. Time is a clock that the tests set. */
import { beforeEach, describe, expect, spyOn, test } from 'bun:test';
import { rememberPlace } from '../src/auth/known-places.ts';
import { createThrottle } from '../src/auth/throttle.ts';
import { transaction } from '../src/database/query.ts';
import { type Answer, adminPassword, expectRefusal, expectStatus, initialPassword, Service } from './harness.ts';
import { root } from './program.ts';

let service: Service;
let phone: string;
let employeeId: number;
let roleId: number;
let storeId: number;

beforeEach(async () => {
	service = await Service.start();
	storeId = (await service.addStore()).id;
	roleId = service.builtIn('store_manager');
	({ id: employeeId, phone } = await service.addEmployee(storeId, [roleId]));
});

const doors = ['/api/auth/login', '/api/auth/admin/login', '/api/auth/employee/login'] as const;
const shop = '203.0.113.7';
const unknownName = '13099999999';

function signIn(username: string, password: string, peer = '192.0.2.1', door: string = '/api/auth/employee/login') {
	return service.send('POST', door, { body: { username, password }, headers: { [Service.peerHeader]: peer } });
}

const guess = (username = phone, peer?: string, door?: string) => signIn(username, 'a-wrong-guess', peer, door);

function pass(seconds: number): void {
	service.time = new Date(service.time.getTime() + seconds * 1000);
}

/** The seconds of `Retry-After`. */
function expectTooMany(answer: Answer): number {
	expectRefusal(answer, 429, 'TOO_MANY_REQUESTS', '尝试次数过多，请稍后再试');
	const seconds = answer.headers.get('retry-after') ?? '';
	expect(seconds).toMatch(/^[1-9][0-9]*$/);
	return Number(seconds);
}

async function guessTimes(count: number, username?: string, peer?: string): Promise<void> {
	for (let time = 0; time < count; time += 1) expectRefusal(await guess(username, peer), 401, 'UNAUTHORIZED');
}

const attacker = (index: number) => `198.51.100.${index % 50}`;

/** Uses up the 40 free guesses of a name, from fifty addresses. */
async function attack(username: string): Promise<void> {
	for (let index = 0; index < 40; index += 1) {
		expectRefusal(await guess(username, attacker(index)), 401, 'UNAUTHORIZED');
	}
}

describe.each([
	['a known name', () => phone],
	['an unknown name', () => unknownName],
	['the administrator', () => 'admin'],
])('from one address, %s', (_, name) => {
	test('has 30 wrong passwords free over all doors, then waits 1, 2, 4 … and at most 300 seconds', async () => {
		for (let time = 0; time < 30; time += 1) {
			expectRefusal(await guess(` ${name()} `, undefined, doors[time % 3]), 401, 'UNAUTHORIZED');
		}
		const waits: number[] = [];
		for (let round = 0; round < 10; round += 1) {
			const wait = expectTooMany(await guess(name()));
			waits.push(wait);
			pass(wait - 0.5);
			expectTooMany(await guess(name()));
			pass(0.5);
			expectRefusal(await guess(name()), 401, 'UNAUTHORIZED');
		}
		expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300]);
		for (const door of doors) expectTooMany(await guess(name(), undefined, door));
	});
});

describe('a caller who must wait', () => {
	test('is refused without hashing, with the right password too, until then', async () => {
		await guessTimes(30);
		const verify = spyOn(service.passwords, 'verify');
		const wait = expectTooMany(await signIn(phone, initialPassword));
		expect(verify).not.toHaveBeenCalled();
		pass(wait);
		expectStatus(await signIn(phone, initialPassword), 200);
	});

	test('may sign in with another name, and from another address', async () => {
		await guessTimes(30);
		expectStatus(await signIn('admin', adminPassword, '192.0.2.1', '/api/auth/login'), 200);
		expectStatus(await signIn(phone, initialPassword, '192.0.2.2'), 200);
	});
});

describe('the count of one name from one address', () => {
	test('is cleared by a successful sign-in', async () => {
		await guessTimes(29);
		expectStatus(await signIn(phone, initialPassword), 200);
		pass(3000);
		await guessTimes(30);
		expectTooMany(await guess());
	});

	test('is forgotten after an hour without an attempt, and not before', async () => {
		await guessTimes(30);
		pass(3599);
		await guessTimes(1);
		expectTooMany(await guess());
		pass(3601);
		await guessTimes(30);
	});

	test('is not cleared by the right password of a disabled account, nor increased by it', async () => {
		await service.asSuper('PATCH', `/api/employees/${employeeId}/status`, { status: 'INACTIVE' });
		await guessTimes(29);
		for (let time = 0; time < 35; time += 1) {
			expectRefusal(await signIn(phone, initialPassword), 401, 'UNAUTHORIZED', '账号已被禁用');
		}
		await guessTimes(1);
		expectTooMany(await guess());
	});
});

describe.each([
	['a reset', () => service.asSuper('PATCH', `/api/employees/${employeeId}/password/reset`)],
	['a deletion', () => service.asSuper('DELETE', `/api/employees/${employeeId}`)],
])('%s', (_, act) => {
	test('clears every count of the name', async () => {
		await guessTimes(30);
		expectTooMany(await guess());
		for (let index = 0; index < 10; index += 1) await guess(phone, attacker(index));
		expectTooMany(await guess(phone, attacker(20)));
		expect((await act()).status).toBeOneOf([200, 204]);
		await guessTimes(30);
		await guessTimes(10, phone, attacker(20));
	});
});

test('of guesses sent all at once, no more than the free ones are checked', async () => {
	const answers = await Promise.all(Array.from({ length: 60 }, () => guess()));
	const checked = answers.filter(({ status }) => status === 401).length;
	expect(checked).toBeGreaterThanOrEqual(30);
	// As many as are checked at the same moment can pass.
	expect(checked).toBeLessThanOrEqual(30 + navigator.hardwareConcurrency);
	expect(answers.filter(({ status }) => status === 429).length).toBe(60 - checked);
});

test('100 correct sign-ins of one person at once all succeed', async () => {
	const answers = await Promise.all(Array.from({ length: 100 }, () => signIn(phone, initialPassword)));
	for (const answer of answers) expectStatus(answer, 200);
});

describe('a name that is attacked from fifty addresses', () => {
	test('is tried at most 100 times in any hour', async () => {
		const checkedAt: number[] = [];
		for (let second = 0; second < 3 * 3600; second += 5) {
			const { status } = await guess(phone, attacker(second / 5));
			expect([401, 429]).toContain(status);
			if (status === 401) checkedAt.push(second);
			// A pause, after which more than one is free again.
			pass(5);
			if (second === 5000) pass(1800);
		}
		for (const from of checkedAt) {
			const inHour = checkedAt.filter((second) => second >= from && second < from + 3600).length;
			expect(inHour).toBeLessThanOrEqual(100);
		}
		expect(checkedAt.filter((second) => second < 3600).length).toBeGreaterThan(90);
	});

	test('may sign in elsewhere once a minute, and freely an hour after the attack', async () => {
		await attack(phone);
		expectTooMany(await signIn(phone, initialPassword, shop));
		pass(60);
		expectRefusal(await guess(phone, attacker(1)), 401, 'UNAUTHORIZED');
		expectTooMany(await guess(phone, attacker(2)));
		pass(3600);
		await guessTimes(2, phone, attacker(2));
	});

	test('is known at a place for 30 days after the last sign-in there', async () => {
		expectStatus(await signIn(phone, initialPassword, shop), 200);
		pass(30 * 86_400 - 60);
		await attack(phone);
		expectStatus(await signIn(phone, initialPassword, shop), 200);
		pass(30 * 86_400);
		await attack(phone);
		expectTooMany(await signIn(phone, initialPassword, shop));
	});
});

describe('a known place', () => {
	test('survives a restart, and is the whole /64 in IPv6', async () => {
		expectStatus(await signIn(phone, initialPassword, shop), 200);
		expectStatus(await signIn('admin', adminPassword, '2001:db8::77', '/api/auth/login'), 200);
		// A restart forgets every count, so the attack comes after it.
		forgetCounts();
		await attack(phone);
		await attack('admin');
		expectStatus(await signIn(phone, initialPassword, shop), 200);
		expectStatus(await signIn('admin', adminPassword, '2001:db8::1', '/api/auth/login'), 200);
		expectTooMany(await signIn('admin', adminPassword, '2001:db8:0:1::1', '/api/auth/login'));
		expectTooMany(await signIn('admin', adminPassword, shop, '/api/auth/login'));
	});

	test('is not displaced by sign-ins of others from 10,100 networks', async () => {
		expectStatus(await signIn('admin', adminPassword, shop, '/api/auth/login'), 200);
		const cashier = { accountType: 'EMPLOYEE', id: employeeId } as const;
		transaction(service.db, () => {
			for (let index = 0; index < 10_100; index += 1) {
				const network = `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
				rememberPlace(service.db, cashier, network, service.time.toISOString());
			}
		});
		await attack('admin');
		expectStatus(await signIn('admin', adminPassword, shop, '/api/auth/login'), 200);
	});

	test('costs at most one row for each account and network, until it is 30 days old', async () => {
		const rows = () => service.rows('select count(*) as total from sign_in_places')[0].total;
		for (let time = 0; time < 3; time += 1) expectStatus(await signIn(phone, initialPassword, shop), 200);
		expectStatus(await signIn(phone, initialPassword, attacker(1)), 200);
		expect(rows()).toBe(2);
		pass(30 * 86_400 + 1);
		expectStatus(await signIn(phone, initialPassword, attacker(2)), 200);
		expect(rows()).toBe(1);
	});
});

/** The statuses and waits of 60 wrong passwords, one a second. */
async function curve(name: string, peer: string): Promise<string[]> {
	const answers: string[] = [];
	for (let time = 0; time < 60; time += 1) {
		const { status, headers, text } = await guess(name, peer, doors[time % 3]);
		answers.push(`${status} ${headers.get('retry-after')} ${text} ${[...headers.keys()].toSorted()}`);
		pass(1);
	}
	return answers;
}

describe.each([
	['nobody attacks', async () => {}],
	['the names are attacked from elsewhere', async (name: string) => attack(name)],
	['the address has used up its guesses', async () => useUp(shop)],
])('when %s', (_, prepare) => {
	test('known and unknown names read the same at an address where people sign in, and anywhere else', async () => {
		const { phone: elsewhere } = await service.addEmployee(storeId, [roleId]);
		for (const peer of [shop, '192.0.2.200']) {
			const curves: string[][] = [];
			// `phone` signs in at the shop, `elsewhere` and the administrator never did, the last one does not exist.
			for (const name of [phone, elsewhere, 'admin', unknownName]) {
				forgetCounts();
				expectStatus(await signIn(phone, initialPassword, shop), 200);
				await prepare(name);
				curves.push(await curve(name, peer));
			}
			for (const each of curves) expect(each).toEqual(curves[0] as string[]);
		}
	});
});

function forgetCounts(): void {
	Object.assign(
		service.throttle,
		createThrottle(() => service.time.getTime()),
	);
}

/** Uses up the 1,000 guesses of an address with names that nobody has. */
async function exhaust(peer: string): Promise<void> {
	for (let from = 0; from < 1000; from += 50) {
		const names = Array.from({ length: 50 }, (_, index) => `130${10_000_000 + from + index}`);
		const answers = await Promise.all(names.map((name) => guess(name, peer)));
		expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
	}
}

/** The same without a request. All are guesses at one name: one of a thousand names could share a counter with the tested one. */
function useUp(network: string): void {
	for (let time = 0; time < 1000; time += 1) service.throttle.failed({ subject: 'a name of nobody', network });
}

describe('one address', () => {
	test('has 1,000 wrong passwords in ten minutes, whatever the names; who signed in there before is let in', async () => {
		expectStatus(await signIn(phone, initialPassword, shop), 200);
		await exhaust(shop);
		expect(expectTooMany(await guess('13888888888', shop))).toBe(600);
		expectTooMany(await signIn('admin', adminPassword, shop, '/api/auth/login'));
		expectStatus(await signIn(phone, initialPassword, shop), 200);
		expectRefusal(await guess('13888888888', '192.0.2.10'), 401, 'UNAUTHORIZED');
		pass(600);
		expectRefusal(await guess('13888888888', shop), 401, 'UNAUTHORIZED');
	});

	test('is the whole /64 in IPv6', async () => {
		for (let time = 0; time < 30; time += 1) await guess(phone, `2001:db8:0:1::${time}`);
		expectTooMany(await guess(phone, '2001:db8:0:1:ffff::1'));
		expectRefusal(await guess(phone, '2001:db8:0:2::1'), 401, 'UNAUTHORIZED');
	});
});

describe('changing the password of another employee', () => {
	const change = (token: string, oldPassword: string, id = employeeId) =>
		service.send('PATCH', `/api/employees/${id}/password`, {
			token,
			body: { oldPassword, newPassword: 'a-new-password' },
			headers: { [Service.peerHeader]: '192.0.2.1' },
		});

	test('is counted by caller, over all employees, and apart from sign-ins', async () => {
		const manager = await service.addPerson(storeId, 'employee:view:all', 'employee:manage');
		const other = await service.addEmployee(storeId);
		for (let time = 0; time < 30; time += 1) {
			const id = time % 2 === 0 ? employeeId : other.id;
			expectRefusal(await change(manager.token, 'a-wrong-guess', id), 400, 'BAD_REQUEST', '原密码错误');
		}
		expectTooMany(await change(manager.token, initialPassword));
		expectStatus(await signIn(phone, initialPassword), 200);
		expectStatus(await signIn(manager.phone, initialPassword), 200);
		expectStatus(await change(service.superToken, initialPassword), 200);
		await guessTimes(30);
		expectTooMany(await guess());
		expectStatus(await change(service.superToken, 'a-new-password'), 200);
	});
});

describe('the counters', () => {
	test('of a name forget the failures of the network that it signs in from, and those of no other', () => {
		let now = 0;
		const throttle = createThrottle(() => now);
		const fail = (network: string, count: number) => {
			for (let time = 0; time < count; time += 1) throttle.failed({ subject: 'admin', network });
		};
		const wait = () => throttle.waits({ subject: 'admin', network: 'elsewhere' }).elsewhere;
		expect(throttle.waits({ subject: 'admin', network: 'shop' })).toEqual({ here: 0, elsewhere: 0 });
		fail('shop', 10);
		now = 1000;
		fail('attacker', 15);
		fail('shop', 15);
		expect(wait()).toBe(60_000);
		throttle.succeeded({ subject: 'admin', network: 'shop' });
		expect(wait()).toBe(0);
		fail('attacker', 24);
		expect(wait()).toBe(0);
		fail('attacker', 1);
		expect(wait()).toBe(60_000);
		now += 3_600_000;
		expect(wait()).toBe(0);
	});

	const from = (index: number) => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;

	test('of a name that is attacked are not displaced by those of other names', () => {
		const throttle = createThrottle(() => 0);
		for (let index = 0; index < 40; index += 1) throttle.failed({ subject: 'admin', network: from(index) });
		for (let index = 40; index < 50_000; index += 1) {
			throttle.failed({ subject: `other ${index}`, network: from(index) });
		}
		expect(throttle.waits({ subject: 'admin', network: '192.0.2.1' }).elsewhere).toBeGreaterThan(0);
	});

	test('of a million names cost less than 20 MB', () => {
		// In a process of its own: the memory of other tests does not count.
		const { stdout } = Bun.spawnSync([process.execPath, '-e', measureMemory], { cwd: root });
		expect(stdout.length).toBeGreaterThan(0);
		expect(Number(stdout)).toBeLessThan(20_000_000);
	});
});

const measureMemory = `
	const { createThrottle } = await import('./src/auth/throttle.ts');
	const guess = (index) => ({ subject: String(index).padStart(50, '名'), network: '10.' + (index % 200) + '.1.1' });
	const warmUp = createThrottle(() => performance.now());
	for (let index = 0; index < 20_000; index += 1) warmUp.failed(guess(index % 10));
	Bun.gc(true);
	const before = process.memoryUsage.rss();
	const throttle = createThrottle(() => performance.now());
	for (let index = 0; index < 1_000_000; index += 1) throttle.failed(guess(index));
	Bun.gc(true);
	console.log(process.memoryUsage.rss() - before);
`;
