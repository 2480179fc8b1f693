/** Guessing passwords (README, "Signing in too often"). Time is a clock that the tests set. */
import { beforeEach, describe, expect, test } from 'bun:test';
import { recallKnownPlaces } from '../src/auth/known-places.ts';
import { createThrottle } from '../src/auth/throttle.ts';
import { AppError } from '../src/errors.ts';
import { clientAddress } from '../src/http/client-address.ts';
import { createLog } from '../src/log.ts';
import { parseNetwork } from '../src/network.ts';
import { type Answer, adminPassword, expectRefusal, expectStatus, initialPassword, Service } from './harness.ts';
import { root } from './program.ts';

let service: Service;
let phone: string;
let employeeId: number;
const refusals: object[] = [];

beforeEach(async () => {
	service = await Service.start();
	const store = await service.addStore();
	({ id: employeeId, phone } = await service.addEmployee(store.id, [service.builtIn('store_manager')]));
});

const doors = ['/api/auth/login', '/api/auth/admin/login', '/api/auth/employee/login'] as const;

function signIn(username: string, password: string, peer = '192.0.2.1', door: string = '/api/auth/employee/login') {
	return service.send('POST', door, { body: { username, password }, headers: { [Service.peerHeader]: peer } });
}

const guess = (username = phone, peer?: string, door?: string) => signIn(username, 'a-wrong-guess', peer, door);

function pass(seconds: number): void {
	service.time = new Date(service.time.getTime() + seconds * 1000);
}

function expectTooMany(answer: Answer): number {
	expectRefusal(answer, 429, 'TOO_MANY_REQUESTS', '尝试次数过多，请稍后再试');
	const seconds = answer.headers.get('retry-after') ?? '';
	expect(seconds).toMatch(/^[1-9][0-9]*$/);
	return Number(seconds);
}

async function guessTimes(count: number, username?: string, peer?: string): Promise<void> {
	for (let time = 0; time < count; time += 1) expectRefusal(await guess(username, peer), 401, 'UNAUTHORIZED');
}

describe.each(['a known name', 'an unknown name'])('one address and %s', (kind) => {
	const name = () => (kind === 'a known name' ? phone : '13099999999');

	test('has ten wrong passwords free, then waits 2, 4, 8 … and at most 900 seconds', async () => {
		await guessTimes(10, name());
		const waits: number[] = [];
		for (let round = 0; round < 11; round += 1) {
			const wait = expectTooMany(await guess(name()));
			waits.push(wait);
			pass(wait - 0.5);
			expectTooMany(await guess(name()));
			pass(0.5);
			expectRefusal(await guess(name()), 401, 'UNAUTHORIZED');
		}
		expect(waits).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
	});

	test('is told no more by the refusal than anybody', async () => {
		await guessTimes(10, name());
		const { text, status, headers } = await guess(name());
		const fields = [...headers.keys()].toSorted();
		refusals.push({ text, status, fields });
		expect(refusals).toEqual(refusals.map(() => refusals[0] as object));
	});

	test('is counted over all three doors, spaces around the name or not', async () => {
		for (let time = 0; time < 10; time += 1) await guess(` ${name()} `, undefined, doors[time % 3]);
		for (const door of doors) expectTooMany(await guess(name(), undefined, door));
	});
});

describe('who has to wait', () => {
	test('does not get in with the right password either, until then', async () => {
		await guessTimes(10);
		pass(expectTooMany(await signIn(phone, initialPassword)));
		expectStatus(await signIn(phone, initialPassword), 200);
	});

	test('costs no hashing', async () => {
		await guessTimes(10);
		let hashed = 0;
		const { verify } = service.passwords;
		service.passwords.verify = (...args) => {
			hashed += 1;
			return verify(...args);
		};
		expectTooMany(await guess());
		expect(hashed).toBe(0);
	});

	test('may sign in with another name, and from another address', async () => {
		await guessTimes(10);
		expectStatus(await signIn('admin', adminPassword, '192.0.2.1', '/api/auth/login'), 200);
		expectStatus(await signIn(phone, initialPassword, '192.0.2.2'), 200);
	});

	test('starts anew after a right password, and after half a day', async () => {
		await guessTimes(9);
		expectStatus(await signIn(phone, initialPassword), 200);
		await guessTimes(10);
		expectTooMany(await guess());
		pass(12 * 3600 + 1);
		await guessTimes(10);
	});

	test('is not excused by a right password of a disabled account, nor blamed for it', async () => {
		await service.asSuper('PATCH', `/api/employees/${employeeId}/status`, { status: 'INACTIVE' });
		await guessTimes(9);
		for (let time = 0; time < 20; time += 1) {
			expectRefusal(await signIn(phone, initialPassword), 401, 'UNAUTHORIZED', '账号已被禁用');
		}
		await guessTimes(1);
		expectTooMany(await guess());
	});
});

test('guesses that are sent all at once are not all checked', async () => {
	const answers = await Promise.all(Array.from({ length: 60 }, () => guess()));
	const checked = answers.filter(({ status }) => status === 401).length;
	expect(checked).toBeGreaterThanOrEqual(10);
	// As many as are worked on at the same moment can slip through.
	expect(checked).toBeLessThanOrEqual(10 + navigator.hardwareConcurrency);
	expect(answers.filter(({ status }) => status === 429).length).toBe(60 - checked);
});

test('sixty right passwords sent all at once all get in', async () => {
	const answers = await Promise.all(Array.from({ length: 60 }, () => signIn(phone, initialPassword)));
	for (const answer of answers) expectStatus(answer, 200);
});

describe('a name that is attacked from fifty addresses', () => {
	const attacker = (index: number) => `198.51.100.${index % 50}`;

	test('is tried fewer than 100 times in an hour', async () => {
		let checked = 0;
		for (let second = 0; second < 3600; second += 5) {
			const { status } = await guess(phone, attacker(second / 5));
			expect([401, 429]).toContain(status);
			if (status === 401) checked += 1;
			pass(5);
		}
		expect(checked).toBeGreaterThan(30);
		expect(checked).toBeLessThanOrEqual(90);
	});

	test('lets its owner in from where he was before, 100 times out of 100', async () => {
		expectStatus(await signIn(phone, initialPassword, '203.0.113.7'), 200);
		for (let time = 0; time < 100; time += 1) {
			for (let attack = 0; attack < 4; attack += 1) await guess(phone, attacker(time * 4 + attack));
			expectStatus(await signIn(phone, initialPassword, '203.0.113.7'), 200);
			pass(18);
		}
		expectTooMany(await guess(phone, attacker(0)));
	});

	test('is free again an hour after it ended', async () => {
		for (let time = 0; time < 30; time += 1) await guess(phone, attacker(time));
		expectTooMany(await signIn(phone, initialPassword, '203.0.113.7'));
		pass(60);
		expectStatus(await signIn(phone, initialPassword, '203.0.113.7'), 200);
		await guess(phone, attacker(1));
		expectTooMany(await guess(phone, attacker(2)));
		pass(3600);
		expectRefusal(await guess(phone, attacker(2)), 401, 'UNAUTHORIZED');
		expectRefusal(await guess(phone, attacker(3)), 401, 'UNAUTHORIZED');
	});
});

describe('one address', () => {
	const spray = (from: number, count: number, peer: string) =>
		Promise.all(
			Array.from({ length: count }, async (_, index) => (await guess(`130${10_000_000 + from + index}`, peer)).status),
		);

	test('has 300 wrong passwords in ten minutes, whatever the names', async () => {
		for (let from = 0; from < 300; from += 50)
			expect(new Set(await spray(from, 50, '192.0.2.9'))).toEqual(new Set([401]));
		expect(expectTooMany(await guess('13888888888', '192.0.2.9'))).toBe(600);
		expectRefusal(await guess('13888888888', '192.0.2.10'), 401, 'UNAUTHORIZED');
		pass(600);
		expectRefusal(await guess('13888888888', '192.0.2.9'), 401, 'UNAUTHORIZED');
	});

	test('is the whole /64 in IPv6', async () => {
		for (let time = 0; time < 10; time += 1) await guess(phone, `2001:db8:0:1::${time}`);
		expectTooMany(await guess(phone, '2001:db8:0:1:ffff::1'));
		expectRefusal(await guess(phone, '2001:db8:0:2::1'), 401, 'UNAUTHORIZED');
	});
});

test('the old password of a password change is guarded by the same counters', async () => {
	const change = (oldPassword: string) =>
		service.send('PATCH', `/api/employees/${employeeId}/password`, {
			token: service.superToken,
			body: { oldPassword, newPassword: 'a-new-password' },
			headers: { [Service.peerHeader]: '192.0.2.1' },
		});
	for (let time = 0; time < 5; time += 1) {
		expectRefusal(await change('a-wrong-guess'), 400, 'BAD_REQUEST', '原密码错误');
		expectRefusal(await guess(), 401, 'UNAUTHORIZED');
	}
	expectTooMany(await change(initialPassword));
	pass(expectTooMany(await guess()));
	expectStatus(await change(initialPassword), 200);
	expectStatus(await signIn(phone, 'a-new-password'), 200);
});

test('a name that is attacked is not forgotten for all the other names that are', () => {
	const throttle = createThrottle(() => 0);
	const from = (index: number) => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
	for (let index = 0; index < 30; index += 1) throttle.failed({ name: 'admin', address: from(index) });
	for (let index = 30; index < 50_000; index += 1) throttle.failed({ name: `other ${index}`, address: from(index) });
	expect(() => throttle.require({ name: 'admin', address: '192.0.2.1' })).toThrow(AppError);
});

test('an owner gets in during an attack from where he got in before the start', async () => {
	expectStatus(await signIn(phone, initialPassword, '192.0.2.77'), 200);
	expectStatus(await signIn('admin', adminPassword, '2001:db8::77', '/api/auth/login'), 200);
	pass(3600);
	// The program starts anew: nothing is left of the throttle but what the history tells.
	const throttle = createThrottle(() => 0);
	recallKnownPlaces(service.db, throttle, service.time);
	for (const name of [phone, 'admin', '13099999999']) {
		for (let index = 0; index < 30; index += 1) throttle.failed({ name, address: `203.0.113.${index}` });
	}
	throttle.require({ name: phone, address: '192.0.2.77' });
	throttle.require({ name: 'admin', address: '2001:db8::1' });
	for (const [name, address] of [
		[phone, '192.0.2.78'],
		['admin', '192.0.2.77'],
		['13099999999', '192.0.2.77'],
	] as const) {
		expect(() => throttle.require({ name, address })).toThrow(AppError);
	}
});

test('a million names cost less than 20 MB', () => {
	// In a process of its own: what other tests leave behind is none of it.
	const { stdout } = Bun.spawnSync([process.execPath, '-e', measureMemory], { cwd: root });
	expect(Number(stdout)).toBeLessThan(20_000_000);
	expect(stdout.length).toBeGreaterThan(0);
}, 30_000);

const measureMemory = `
	const { createThrottle } = await import('./src/auth/throttle.ts');
	const throttle = createThrottle(() => performance.now());
	const attempt = (index) => ({ name: String(index).padStart(50, '名'), address: '10.' + (index % 200) + '.1.1' });
	for (let index = 0; index < 20_000; index += 1) throttle.failed(attempt(index));
	Bun.gc(true);
	const before = process.memoryUsage.rss();
	for (let index = 20_000; index < 1_000_000; index += 1) throttle.failed(attempt(index));
	Bun.gc(true);
	console.log(process.memoryUsage.rss() - before);
`;

describe('the address of the client', () => {
	const lines: string[] = [];
	const of = (peer: string, forwarded?: string, trusted = ['10.0.0.0/8', '127.0.0.1', 'fd00::/8']) => {
		lines.length = 0;
		const addressOf = clientAddress({
			trusted: trusted.map(parseNetwork).filter((network) => network !== undefined),
			peerOf: () => peer,
			log: createLog({ write: (line) => lines.push(line) }, 'info'),
		});
		return addressOf(
			new Request('http://localhost', forwarded === undefined ? {} : { headers: { 'x-forwarded-for': forwarded } }),
		);
	};

	test.each([
		['192.0.2.1', undefined, '192.0.2.1'],
		['::ffff:192.0.2.1', undefined, '192.0.2.1'],
		['2001:DB8:0:0::1', undefined, '2001:db8::1'],
		['127.0.0.1', undefined, '127.0.0.1'],
		['127.0.0.1', '192.0.2.1', '192.0.2.1'],
		['127.0.0.1', ' 203.0.113.9 , 192.0.2.1 ', '192.0.2.1'],
		['127.0.0.1', '203.0.113.9, 192.0.2.1, 10.1.2.3', '192.0.2.1'],
		['::ffff:127.0.0.1', '2001:db8::1', '2001:db8::1'],
		['fd00::5', '192.0.2.1', '192.0.2.1'],
		['10.9.9.9', '10.1.1.1, 10.2.2.2', '10.1.1.1'],
		['127.0.0.1', 'not an address', '127.0.0.1'],
		['127.0.0.1', '192.0.2.1, unknown, 10.1.1.1', '10.1.1.1'],
		['127.0.0.1', '', '127.0.0.1'],
		['192.0.2.1', '203.0.113.9', '192.0.2.1'],
		['', undefined, 'unknown'],
	])('peer %p, X-Forwarded-For %p: %p', (peer, forwarded, expected) => {
		expect(of(peer, forwarded)).toBe(expected);
	});

	test('that an unknown proxy forwards is ignored, with one warning', () => {
		expect(of('127.0.0.1', '192.0.2.1', [])).toBe('127.0.0.1');
		expect(lines).toEqual([expect.stringContaining('set TRUST_PROXY')]);
	});
});
