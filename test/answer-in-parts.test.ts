import { expect, test } from 'bun:test';
import { createAnswerInParts } from '../src/http/answer-in-parts.ts';

const limits = { written: 20, ofAccount: 3, ordinary: 1000, pause: 3_600_000 };
const partSize = 600;

/** Parts of one letter each. */
async function* partsOf(count: number): AsyncGenerator<Uint8Array> {
	for (let made = 0; made < count; made += 1)
		yield new TextEncoder().encode(String.fromCharCode(97 + made).repeat(partSize));
}

const textOf = (count: number) =>
	Array.from({ length: count }, (_, made) => String.fromCharCode(97 + made).repeat(partSize)).join('');

/** Asks for answers. Each has a `response` once it has its place. */
function asker(given: Partial<typeof limits> = {}) {
	const answer = createAnswerInParts(() => {}, { ...limits, ...given });
	return function ask(account: string, parts = 5) {
		const actor = { accountType: 'EMPLOYEE', id: account.charCodeAt(0) } as const;
		const client = new AbortController();
		const request = new Request('http://localhost/', { signal: client.signal });
		const asked = { account, response: undefined as Response | undefined, leave: () => client.abort() };
		const response = answer({ request, actor }, partsOf(parts), {}).then((response) => {
			asked.response = response;
			return response;
		});
		return Object.assign(asked, { text: () => response.then((each) => each.text()), begun: response });
	};
}

/** Everything that can go on without a client has gone on. */
const settled = () => Bun.sleep(5);

test('an account has three answers written at a time, and keeps nobody else waiting', async () => {
	const ask = asker();
	const own = Array.from({ length: 5 }, () => ask('a'));
	await Promise.all(own.slice(0, 3).map(({ begun }) => begun));
	await settled();
	expect(own.map(({ response }) => response !== undefined)).toEqual([true, true, true, false, false]);
	expect(await ask('b').text()).toBe(textOf(5));
	expect(await own[0]?.text()).toBe(textOf(5));
	own[1]?.leave();
	expect(await Promise.all([own[3]?.text(), own[4]?.text()])).toEqual([textOf(5), textOf(5)]);
	expect(await Promise.all(Array.from({ length: 9 }, () => ask('a').text()))).toHaveLength(9);
});

test('an answer of ordinary size needs no place', async () => {
	const ask = asker({ written: 1, ofAccount: 1 });
	const first = ask('a');
	await first.begun;
	const second = ask('a');
	expect(await ask('a', 1).text()).toBe(textOf(1));
	await settled();
	expect(second.response).toBeUndefined();
	expect(await first.text()).toBe(textOf(5));
	expect(await second.text()).toBe(textOf(5));
});

test('a client who takes nothing gives its place up, and gets the rest when it goes on', async () => {
	const ask = asker({ written: 1, pause: 10 });
	const slow = await ask('a').begun;
	const reader = slow.body?.getReader();
	let received = Buffer.from((await reader?.read())?.value ?? []);
	// They get the one place, one after the other.
	expect(await Promise.all(['b', 'c', 'd'].map((account) => ask(account).text()))).toEqual(Array(3).fill(textOf(5)));
	for (;;) {
		const { value, done = true } = (await reader?.read()) ?? {};
		if (done) break;
		received = Buffer.concat([received, value ?? new Uint8Array()]);
	}
	expect(received.toString()).toBe(textOf(5));
});

test.each(['cancels', 'hangs up'])(
	'a client who takes nothing still counts for its account, until it %s',
	async (how) => {
		const ask = asker({ ofAccount: 1, pause: 1 });
		const slow = ask('a');
		const { body } = await slow.begun;
		const next = ask('a');
		await settled();
		expect(next.response).toBeUndefined();
		if (how === 'cancels') await body?.cancel();
		else slow.leave();
		expect(await next.text()).toBe(textOf(5));
	},
);
