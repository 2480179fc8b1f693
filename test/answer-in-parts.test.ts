/** Answers that are written in parts, such as exports: how many at a time, and when their place is free again. */
import { expect, setDefaultTimeout, spyOn, test } from 'bun:test';
import { createAnswerInParts } from '../src/platform/http/file-answer.ts';
import { hanging } from './hanging.ts';

setDefaultTimeout(hanging);

const limits = { running: 20, waiting: 2, seconds: 60 };
const partSize = 600;

/** Parts of one letter each. */
async function* partsOf(count: number): AsyncGenerator<Uint8Array> {
	for (let made = 0; made < count; made += 1)
		yield new TextEncoder().encode(String.fromCharCode(97 + made).repeat(partSize));
}

const text = Array.from({ length: 5 }, (_, made) => String.fromCharCode(97 + made).repeat(partSize)).join('');

/** Returns `ask`. An answer has its `response` once it has a place. */
function asker(given: Partial<typeof limits> = {}) {
	const logged: unknown[] = [];
	const log = (message: string, { ms: _, stack: __, ...facts }: Record<string, unknown>) =>
		void logged.push({ message, ...facts });
	const dependencies = { extendTimeout() {}, requireStillPermitted() {}, log: { info: log, error: log } as never };
	const answer = createAnswerInParts(dependencies, { ...limits, ...given });
	return Object.assign(ask, { logged });
	function ask(makeParts = () => partsOf(5)) {
		const client = new AbortController();
		const request = new Request('http://localhost/api/employees/export', { signal: client.signal });
		const asked = { response: undefined as Response | undefined, leave: () => client.abort() };
		const response = answer({ caller: undefined, request }, makeParts, {}).then((response) => {
			asked.response = response;
			return response;
		});
		return Object.assign(asked, { text: () => response.then((each) => each.text()), begun: response });
	}
}

/** Waits until everything that needs no client has happened. */
async function settled(): Promise<void> {
	for (let turn = 0; turn < 20; turn += 1) await Bun.sleep(0);
}

test('the end of an export is in the log, also when its client is gone', async () => {
	const ask = asker();
	await ask().text();
	const left = ask();
	await left.begun;
	left.leave();
	await settled();
	const path = '/api/employees/export';
	expect(ask.logged).toEqual([
		{ message: 'export done', path, bytes: text.length },
		{ message: 'export ended early', path, bytes: 0 },
	]);
});

test('some answers are written at a time, some wait, and more are refused', async () => {
	const ask = asker({ running: 3 });
	const asked = Array.from({ length: 5 }, () => ask());
	await settled();
	expect(asked.map(({ response }) => response !== undefined)).toEqual([true, true, true, false, false]);
	expect(await ask().begun.catch((error) => error)).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfter: 5 });
	expect(await asked[0]?.text()).toBe(text);
	asked[1]?.leave();
	expect(await Promise.all([asked[3]?.text(), asked[4]?.text()])).toEqual([text, text]);
	asked[2]?.leave();
	await settled();
	expect(await Promise.all(Array.from({ length: 5 }, () => ask().text()))).toHaveLength(5);
});

test('a client that hangs up while it waits takes no place', async () => {
	const ask = asker({ running: 1 });
	const [first, gone, last] = [ask(), ask(), ask()];
	gone.leave();
	await first.text();
	await settled();
	expect(last.response).toBeDefined();
});

test('other requests are served between its parts', async () => {
	let turns = 0;
	let counting = setImmediate(function count() {
		turns += 1;
		counting = setImmediate(count);
	});
	const seen = new Set<number>();
	async function* parts() {
		for await (const part of partsOf(5)) {
			seen.add(turns);
			yield part;
		}
	}
	expect(await asker()(parts).text()).toBe(text);
	clearImmediate(counting);
	expect(seen.size).toBe(5);
});

test('its parts are made when it has its turn, and a refusal then frees the place', async () => {
	const ask = asker({ running: 1 });
	const [first, second] = [
		ask(),
		ask(() => {
			throw new Error('disabled meanwhile');
		}),
	];
	await first.text();
	expect(await second.begun.catch(String)).toBe('Error: disabled meanwhile');
	expect(await ask().text()).toBe(text);
});

async function* failing(): AsyncGenerator<Uint8Array> {
	yield* partsOf(3);
	throw new Error('the database is gone');
}

const endings: [how: string, end: (asked: ReturnType<ReturnType<typeof asker>>, time: AbortController) => unknown][] = [
	['its client cancels', async ({ begun }) => (await begun).body?.cancel()],
	['its client hangs up', ({ leave }) => leave()],
	['its time is over', (_, time) => time.abort()],
];
test.each(endings)('a place is free again when %s', async (how, end) => {
	const time = new AbortController();
	using limit = spyOn(AbortSignal, 'timeout').mockReturnValueOnce(time.signal);
	const ask = asker({ running: 1 });
	const slow = ask();
	await slow.begun;
	expect(limit).toHaveBeenCalledWith(limits.seconds * 1000);
	const next = ask();
	await end(slow, time);
	expect(await next.text()).toBe(text);
	if (how !== 'its client cancels') expect(await slow.text().catch(() => 'failed')).toBe('failed');
});

test('a failure ends the connection, is in the log, and frees the place', async () => {
	const ask = asker({ running: 1 });
	const error = 'the database is gone';
	expect(await ask(failing).text().catch(String)).toBe(`Error: ${error}`);
	const path = '/api/employees/export';
	expect(ask.logged).toEqual([{ message: 'export failed', path, bytes: 3 * partSize, error }]);
	expect(await ask().text()).toBe(text);
});
