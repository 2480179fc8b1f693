/**
 * The cost of the feed of changes: its pages in a long history, the delay of a change, and the cost of waiting clients
 * for others.
 */
import { quantile, repeatDuring } from '../campaigns/campaign.ts';
import { processorMilliseconds, residentMegabytes } from '../campaigns/vitals.ts';
import { type Contender, oneEmployee, type Part, rename, send, timeAndOthers, timeOf } from './measure.ts';

/** The waiting clients, five for each program. */
const clients = 200;

const feed = '/api/changes';

/** The keys of programs that follow the feed, one per five clients. */
const keys = new WeakMap<Contender, Promise<string[]>>();

async function makeKeys(contender: Contender): Promise<string[]> {
	const endsOn = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
	const made: string[] = [];
	while (made.length < clients / 5) {
		const program = { name: `程序 ${contender.next()}`, permissions: ['employee:view:all'], endsOn };
		made.push((await send(contender, 'POST', '/api/programs', program)).key);
	}
	return made;
}

interface Followers {
	count: number;
	/** Called with the time at which a client learns of a change. */
	told?(at: number): void;
}

/** Does work while clients wait for each change. */
async function withFollowers<T>(contender: Contender, { count, told }: Followers, work: () => Promise<T>): Promise<T> {
	const own = await keys.getOrInsertComputed(contender, makeKeys);
	const end = new AbortController();
	const { next: begin } = await send(contender, 'GET', `${feed}?newest=true`);
	async function follow(key: string): Promise<void> {
		const headers = { authorization: `Bearer ${key}` };
		for (let after = begin; ; ) {
			const path = `${feed}?wait=25&after=${after}`;
			const answer = await contender.program.request(path, { headers, signal: end.signal });
			// The server may not have noticed that the last clients left.
			if (answer.status === 429) await Bun.sleep(100);
			if (!answer.ok) continue;
			const { data } = (await answer.json()) as { data: { items: unknown[]; next: string } };
			if (data.items.length > 0) told?.(performance.now());
			after = data.next;
		}
	}
	const following = Array.from({ length: count }, (_, index) => follow(own[index % own.length] ?? ''));
	// Clients end by an abort. Any other error is real.
	const failed = Promise.all(following).catch((error: unknown) => {
		if (!end.signal.aborted) throw error;
	});
	const done = Bun.sleep(1000).then(work);
	await Promise.race([failed, done]);
	end.abort();
	await failed;
	return done;
}

/** Measures the waits of other requests. */
async function othersFor(contender: Contender, seconds: number) {
	const times: number[] = [];
	for (const until = performance.now() + seconds * 1000; performance.now() < until; ) {
		times.push(await timeOf(contender, oneEmployee));
	}
	return { 'reads a second': times.length / seconds, p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

export const changesPart: Part = {
	kinds: ['history'],
	sizes: [1_000_000],
	measures: () => [
		{
			what: `others, ${clients} wait`,
			rounds: 1,
			// Runs first, because other measures leave reusable memory behind.
			async run(contender) {
				const before = residentMegabytes(contender.program.pid);
				return withFollowers(contender, { count: clients }, async () => {
					const memory = residentMegabytes(contender.program.pid) - before;
					return { ...(await othersFor(contender, 3)), 'megabytes more': memory };
				});
			},
		},
		{
			what: 'all pages of 1000',
			rounds: 1,
			async run(contender) {
				const times: number[] = [];
				for (let after = ''; ; ) {
					const path = `${feed}?limit=1000${after}`;
					times.push(await timeOf(contender, path));
					const { items, next } = await send(contender, 'GET', path);
					if (items.length === 0) break;
					after = `&after=${next}`;
				}
				const pages = times.length;
				return { pages, p50: quantile(times, 0.5), p99: quantile(times, 0.99), longest: Math.max(...times) };
			},
		},
		{ what: 'the first page of 1000', run: (contender) => timeAndOthers(contender, `${feed}?limit=1000`) },
		{ what: 'the newest cursor', run: (contender) => timeAndOthers(contender, `${feed}?newest=true`) },
		...[1, clients].map((count) => ({
			what: `a change until ${count} clients know of it`,
			rounds: 1,
			async run(contender: Contender) {
				const times: number[] = [];
				let [sent, used] = [0, 0];
				const told = (at: number) => times.push(at - sent);
				await withFollowers(contender, { count, told }, async () => {
					const before = processorMilliseconds(contender.program.pid);
					for (let changes = 1; changes <= 50; changes += 1) {
						sent = performance.now();
						await rename(contender);
						while (times.length < changes * count) await Bun.sleep(1);
						// Until all clients wait again.
						await Bun.sleep(600);
					}
					used = (processorMilliseconds(contender.program.pid) - before) / 50;
				});
				const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
				return { p50, p99, longest: Math.max(...times), 'of a processor for each change': used };
			},
			limits: { p99: { milliseconds: 1000 } },
		})),
		{ what: 'others, nobody waits', run: (contender) => othersFor(contender, 3) },
		...[0, clients].map((count) => ({
			what: `others, ${count} wait and ten changes come a second`,
			run: (contender: Contender) =>
				withFollowers(contender, { count }, () =>
					repeatDuring(
						() => othersFor(contender, 3),
						async () => {
							await rename(contender);
							await Bun.sleep(100);
						},
					),
				),
		})),
	],
};
