/**
 * The cost of the feed of changes: its pages in a long history, the delay of a change, and the cost of waiting clients
 * for others.
 */
import { quantile } from '../campaigns/campaign.ts';
import { residentMegabytes } from '../campaigns/vitals.ts';
import { type Contender, oneEmployee, type Part, rename, repeat, send, timeOf } from './measure.ts';

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

/** Does work while clients wait for each change. `told` gets the time at which a client learns of one. */
async function withFollowers<T>(contender: Contender, told: (at: number) => void, work: () => Promise<T>): Promise<T> {
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
			if (data.items.length > 0) told(performance.now());
			after = data.next;
		}
	}
	const following = Array.from({ length: clients }, (_, index) => follow(own[index % own.length] ?? ''));
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
				const read = async () => {
					const memory = residentMegabytes(contender.program.pid) - before;
					const times = await repeat(1000, () => timeOf(contender, oneEmployee));
					return { p50: quantile(times, 0.5), p99: quantile(times, 0.99), 'megabytes more': memory };
				};
				return withFollowers(contender, () => {}, read);
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
		{
			what: `a change until ${clients} clients know of it`,
			rounds: 1,
			async run(contender) {
				const times: number[] = [];
				let sent = 0;
				const change = async () => {
					for (let changes = 1; changes <= 50; changes += 1) {
						sent = performance.now();
						await rename(contender);
						while (times.length < changes * clients) await Bun.sleep(1);
						// Until all clients wait again.
						await Bun.sleep(600);
					}
				};
				await withFollowers(contender, (at) => times.push(at - sent), change);
				return { p50: quantile(times, 0.5), p99: quantile(times, 0.99), longest: Math.max(...times) };
			},
			limits: { p99: { milliseconds: 1000 } },
		},
	],
};
