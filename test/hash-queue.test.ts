import { expect, test } from 'bun:test';
import { createHashQueue, productionLimits } from '../src/auth/hash-queue.ts';
import { adminPassword, adminUsername, expectRefusal, Service } from './harness.ts';

/** Work that ends when it is told to. */
function heldWork() {
	const ends: (() => void)[] = [];
	const work = () => new Promise<void>((resolve) => ends.push(resolve));
	return { work, ends };
}

test('as many run as may, the next ones wait in order, and the one too many is refused at once', async () => {
	const queue = createHashQueue({ running: 2, waiting: 2 });
	const { work, ends } = heldWork();
	const done: number[] = [];
	const turns = [1, 2, 3, 4].map((number) => queue(work).then(() => done.push(number)));
	await Bun.sleep(0);
	expect(ends).toHaveLength(2);
	expect(queue(work)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfter: 1 });
	for (let index = 0; index < 4; index += 1) {
		ends[index]?.();
		await Bun.sleep(0);
	}
	await Promise.all(turns);
	expect(done).toEqual([1, 2, 3, 4]);
});

test('a failure gives its place to the next', async () => {
	const queue = createHashQueue({ running: 1, waiting: 1 });
	const failing = queue(() => Promise.reject(new Error('no')));
	const next = queue(() => Promise.resolve('done'));
	expect(failing).rejects.toThrow('no');
	expect(await next).toBe('done');
	expect(await queue(() => Promise.resolve('again'))).toBe('again');
});

test('more sign-ins than can wait are told to come back, and all others are served', async () => {
	const service = await Service.start();
	const most = productionLimits.running + productionLimits.waiting;
	const answers = await Promise.all(
		Array.from({ length: most + 5 }, () => service.login('/api/auth/login', adminUsername, adminPassword)),
	);
	const refused = answers.filter(({ status }) => status === 503);
	expect(answers.filter(({ status }) => status === 200)).toHaveLength(answers.length - refused.length);
	expect(refused).toHaveLength(5);
	for (const answer of refused) {
		expectRefusal(answer, 503, 'SERVICE_UNAVAILABLE', '系统繁忙，请稍后再试');
		expect(answer.headers.get('retry-after')).toBe('1');
	}
});
