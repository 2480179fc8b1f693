/** What the history costs a change, and how fast a long history is read, whatever its data. */
import { Database } from 'bun:sqlite';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { cache, databaseOf, type History, histories, historyOf } from './databases.ts';
import { jsonRequest, type Load, type LoadAndOthers, load, loadWithOthers, median, middle } from './load.ts';
import { binary, dataOf, type Server, signIn, startService } from './server.ts';
import { compileWithoutHistory } from './without-history.ts';

/** A list of the history that is loaded; each request replaces `$` with another number. */
interface Target {
	name: string;
	query: string;
	/** The numbers are from 1 to this share of the records. */
	pages?: number;
	/** The numbers are from 1 to this. */
	ids?: number;
}

const named = (keyword: string) => `keyword=${encodeURIComponent(keyword)}`;

/** The default page has 20 records; a share of 1/20 reaches the last page of them all. */
const targets: Readonly<Record<History, readonly Target[]>> = {
	chain: [
		{ name: 'everything', query: '' },
		{ name: 'everything, any page', query: 'page=$', pages: 1 / 20 },
		{ name: 'one action, any page', query: 'action=EMPLOYEE_UPDATE&page=$', pages: 1 / 60 },
		{ name: 'one actor', query: 'actorType=EMPLOYEE&actorId=$', ids: 100_000 },
		{ name: 'the administrator, any page', query: 'actorType=SUPER_ADMIN&actorId=1&page=$', pages: 1 / 200 },
		{ name: 'one target', query: 'targetType=EMPLOYEE&targetId=$', ids: 100_000 },
		{ name: 'one target and action', query: 'targetType=EMPLOYEE&targetId=$&action=EMPLOYEE_UPDATE', ids: 100_000 },
		{ name: 'one type of target, any page', query: 'targetType=STORE&page=$', pages: 1 / 240 },
		{ name: 'a day, any page', query: 'from=2026-06-20&to=2026-06-21&page=$', ids: 1440 },
		{ name: 'actor, action and ten days', query: 'actorId=1&action=SIGN_IN&from=2026-06-20&page=$', ids: 500 },
		{ name: 'keyword 王芳', query: named('王芳') },
		{ name: 'keyword 人民路', query: named('人民路') },
		{ name: 'keyword 王, any page', query: `${named('王')}&page=$`, pages: 1 / 300 },
		{ name: 'keyword 王, ten days', query: `${named('王')}&from=2026-06-20` },
		{ name: 'keyword 王, one action, any page', query: `${named('王')}&action=EMPLOYEE_UPDATE&page=$`, pages: 1 / 700 },
		{ name: 'keyword 王, the administrator', query: `${named('王')}&actorType=SUPER_ADMIN&actorId=1` },
		{ name: 'keyword 王, one employee', query: `${named('王')}&actorType=EMPLOYEE&actorId=$`, ids: 100_000 },
		{ name: 'keyword admin, any page', query: `${named('admin')}&page=$`, pages: 1 / 200 },
		{ name: 'keyword without a match', query: named('龘龘') },
	],
	actor: [
		{ name: 'the administrator, any page', query: 'actorType=SUPER_ADMIN&actorId=1&page=$', pages: 1 / 20 },
		{ name: 'keyword admin, any page', query: `${named('admin')}&page=$`, pages: 1 / 20 },
		{
			name: 'keyword admin, one action, any page',
			query: `${named('admin')}&action=EMPLOYEE_UPDATE&page=$`,
			pages: 1 / 60,
		},
		{ name: 'keyword 王, the administrator', query: `${named('王')}&actorType=SUPER_ADMIN&actorId=1` },
	],
	name: [
		{ name: 'keyword 王, any page', query: `${named('王')}&page=$`, pages: 1 / 20 },
		{ name: 'keyword 王, one action, any page', query: `${named('王')}&action=EMPLOYEE_UPDATE&page=$`, pages: 1 / 25 },
		{
			name: 'keyword 王, actor and target',
			query: `${named('王')}&actorType=EMPLOYEE&targetType=EMPLOYEE&targetId=$`,
			ids: 100_000,
		},
		{ name: 'keyword without a match', query: named('龘龘') },
	],
	names: [
		{ name: 'keyword manager, any page', query: `${named('manager')}&page=$`, pages: 1 / 20 },
		{ name: 'keyword 1, any page', query: `${named('1')}&page=$`, pages: 1 / 30 },
		{ name: 'keyword 1, one action, any page', query: `${named('1')}&action=EMPLOYEE_UPDATE&page=$`, pages: 1 / 80 },
		{ name: 'keyword without a match', query: named('龘龘') },
	],
};

/** What a list of the history gave. */
export interface HistoryLoad extends LoadAndOthers {
	target: string;
	history: string;
	records: number;
}

/** How much is measured. */
interface Scale {
	/** How many records the histories have that are read; the ordinary one also with ten times as many. */
	records: number;
	seconds: number;
	rounds: number;
	figures: Record<string, number | string>;
}

/** Measures all of it; figures of one number go to `figures`. */
export async function measureHistory(scale: Scale): Promise<HistoryLoad[]> {
	await measureWriteCost(scale);
	await measurePruning(scale);
	const results: HistoryLoad[] = [];
	for (const history of Object.keys(histories) as History[]) {
		results.push(...(await measureLists(history, scale.records, scale)));
	}
	return [...results, ...(await measureLists('chain', 10 * scale.records, scale))];
}

async function measureLists(history: History, records: number, { seconds, figures }: Scale): Promise<HistoryLoad[]> {
	const folder = await historyOf(records, history);
	const size = statSync(join(folder, 'access.db')).size;
	figures[`size of a database with ${records} records, ${histories[history]}, MB`] = Math.round(size / 1e6);
	const service = await startService(folder, [binary], 'running', { HISTORY_DAYS: '0' });
	// A server that has run for a while has its file in the memory of the machine.
	await Bun.spawn(['cat', join(dataOf('running'), 'access.db')], { stdout: 'ignore' }).exited;
	const token = await signIn(service.url);
	const first = await timeOfSearch(service.url, token);
	figures[`first search of ${records} records after a start, ${histories[history]}, ms`] = Math.round(first);
	const results: HistoryLoad[] = [];
	for (const { name, query, pages = 0, ids = 1 } of targets[history]) {
		const numbers = pages === 0 ? ids : Math.floor(records * pages);
		const script = `function request()
	return wrk.format("GET", (string.gsub("/api/history?${query}", "%$", math.random(${numbers}))))
end`;
		const { alone, others } = await loadWithOthers(service.url, { token, script, for: seconds });
		results.push({ target: name, history: histories[history], records, alone, others });
		const [p50, p99, longest] = [alone.p50, alone.p99, others.longest].map((time) => time.toFixed(2));
		console.error(`${records} records, ${name}: p50 ${p50}, p99 ${p99} ms, others wait up to ${longest} ms`);
	}
	await service.stop();
	return results;
}

/** What one search by keyword takes, in milliseconds. */
async function timeOfSearch(url: string, token: string): Promise<number> {
	const begun = performance.now();
	const answer = await fetch(`${url}/api/history?${named('王')}`, { headers: { authorization: `Bearer ${token}` } });
	if (!answer.ok) throw new Error(`the first search: ${answer.status}`);
	await answer.text();
	return performance.now() - begun;
}

/** The same program with and without writing records, in turn. */
async function measureWriteCost({ rounds, seconds, figures }: Scale): Promise<void> {
	const folder = await databaseOf({ employees: 1000, stores: 20 });
	const withHistory = await startService(folder, [binary], 'with-history');
	const silent = join(cache, 'access-without-history');
	await compileWithoutHistory(silent);
	const without = await startService(folder, [silent], 'without-history');
	for (const [name, method, path, body] of [
		['rename', 'PATCH', '/api/employees/77', `'{"name":"王' .. number .. '芳"}'`],
		['create', 'POST', '/api/employees', `string.format('{"storeId":1,"name":"王小芳","phone":"1%010d"}', number)`],
	] as const) {
		for (const connections of [1, 16]) {
			const costs: { mine: Load; other: Load }[] = [];
			// A disk is noisier than anything else.
			for (let round = 0; round < 2 * rounds + 1; round += 1) {
				const script = (token: string) => `${jsonRequest(token)}
local number = ${3_000_000_000 + (round * 2 + Math.min(connections, 2)) * 10_000_000}
function request()
	number = number + 1
	return wrk.format("${method}", "${path}", nil, ${body.replaceAll("' .. number .. '", "' .. number % 1000 .. '")})
end`;
				const run = async ({ url }: Server) =>
					load(url, { connections, script: script(await signIn(url)), for: seconds });
				costs.push({ mine: await run(withHistory), other: await run(without) });
			}
			const ratio = median(costs.map(({ mine, other }) => other.rate / mine.rate));
			const [mine, other] = [middle(costs.map((cost) => cost.mine)), middle(costs.map((cost) => cost.other))];
			figures[`cost of a ${name} with its record against one without, ${connections} at once`] = ratio.toFixed(2);
			figures[`${name}s/s with and without, ${connections} at once`] =
				`${Math.round(mine.rate)}, ${Math.round(other.rate)} (${mine.errors + other.errors} failed)`;
		}
	}
	await withHistory.stop();
	await without.stop();
	if (recordsIn('without-history') > recordsIn('with-history') / 100)
		throw new Error('the other one wrote a history too');
}

function recordsIn(name: string): number {
	const client = new Database(join(dataOf(name), 'access.db'), { readonly: true });
	const row = client.query<{ total: number }, []>('select count(*) as total from history').get();
	client.close();
	return row?.total ?? 0;
}

/** How fast reads are while old records are pruned. */
async function measurePruning({ seconds, figures }: Scale): Promise<void> {
	const folder = await historyOf(100_000);
	const service = await startService(folder, [binary], 'running', { HISTORY_DAYS: '1' });
	const token = await signIn(service.url);
	await Bun.sleep(1500);
	const before = recordsIn('running');
	const reads = await load(`${service.url}/api/auth/me`, { token, for: seconds * 2 });
	const removed = before - recordsIn('running');
	figures['records pruned per second'] = Math.round(removed / (seconds * 2));
	figures['GET p99 while pruning, ms'] = reads.p99.toFixed(2);
	await service.stop();
}

/** The loads as a table. */
export function historyTable(results: readonly HistoryLoad[]): string {
	const rows = results.map(({ target, history, records, alone, others }) => {
		const times = [alone.p50, alone.p99, others.p99, others.longest].map((time) => time.toFixed(2));
		return [records.toLocaleString('en'), history, target, ...times, alone.errors + others.errors].join(' | ');
	});
	const head = [
		'records | history | list | p50 ms | p99 ms | others beside four, p99 ms | longest ms | failed',
		'--: | --- | --- | --: | --: | --: | --: | --:',
	];
	return [...head, ...rows].join('\n');
}
