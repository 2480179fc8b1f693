/** What the history costs a change, and how fast it is read when it is long. */
import { Database } from 'bun:sqlite';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { cache, databaseOf, historyOf } from './databases.ts';
import { jsonRequest, type Load, load, median, middle } from './load.ts';
import { binary, dataOf, type Server, serviceEnvironment, signIn, start, startService } from './server.ts';
import { compileWithoutHistory } from './without-history.ts';

/** A list of the history that is loaded; `$` in it becomes another number with each request. */
interface Target {
	name: string;
	query: string;
	/** The numbers are from 1 to this. */
	numbers?: number;
}

const named = (keyword: string) => `keyword=${encodeURIComponent(keyword)}`;

const targets: readonly Target[] = [
	{ name: 'everything, newest', query: '' },
	{ name: 'everything, any page', query: 'page=$', numbers: 5000 },
	{ name: 'one action, any page', query: 'action=EMPLOYEE_UPDATE&page=$', numbers: 5000 },
	{ name: 'one actor', query: 'actorType=EMPLOYEE&actorId=$', numbers: 100_000 },
	{ name: 'the administrator, any page', query: 'actorType=SUPER_ADMIN&actorId=1&page=$', numbers: 5000 },
	{ name: 'one target', query: 'targetType=EMPLOYEE&targetId=$', numbers: 100_000 },
	{ name: 'one kind of target', query: 'targetType=STORE&page=$', numbers: 500 },
	{ name: 'a day', query: 'from=2026-05-01&to=2026-05-02&page=$', numbers: 1000 },
	{
		name: 'actor, action and half a year',
		query: 'actorType=SUPER_ADMIN&actorId=1&action=SIGN_IN&from=2026-01-01&page=$',
		numbers: 500,
	},
	{ name: 'keyword 王芳', query: named('王芳') },
	{ name: 'keyword 人民路', query: named('人民路') },
	{ name: 'keyword 王', query: named('王') },
	{ name: 'keyword 王, any page', query: `${named('王')}&page=$`, numbers: 30_000 },
	{ name: 'keyword 王, half a year', query: `${named('王')}&from=2026-01-01` },
	{ name: 'keyword 王, a month', query: `${named('王')}&from=2026-05-01&to=2026-06-01` },
	{ name: 'keyword 王, one action, any page', query: `${named('王')}&action=EMPLOYEE_UPDATE&page=$`, numbers: 15_000 },
	{ name: 'keyword 王, one kind of target', query: `${named('王')}&targetType=EMPLOYEE&to=2026-01-01` },
	{ name: 'keyword 王, the administrator', query: `${named('王')}&actorType=SUPER_ADMIN&actorId=1` },
	{ name: 'keyword 王, one employee', query: `${named('王')}&actorType=EMPLOYEE&actorId=$`, numbers: 100_000 },
	{ name: 'keyword admin', query: named('admin') },
	{
		name: 'keyword admin, one action, any page',
		query: `${named('admin')}&action=EMPLOYEE_UPDATE&page=$`,
		numbers: 10_000,
	},
	{ name: 'keyword without a hit', query: named('龘龘') },
];

/** What a list of the history gave. */
export interface HistoryLoad extends Load {
	target: string;
}

/** How much is measured. */
interface Scale {
	/** How long the history is that is read. */
	records: number;
	seconds: number;
	rounds: number;
	figures: Record<string, number | string>;
}

/** Measures all of it; figures of one number go to `figures`. */
export async function measureHistory(scale: Scale): Promise<HistoryLoad[]> {
	await measureWriteCost(scale);
	await measurePruning(scale);
	return measureLists(scale);
}

async function measureLists({ records, seconds, figures }: Scale): Promise<HistoryLoad[]> {
	const folder = await historyOf(records);
	figures[`size of a database with ${records} records, MB`] = Math.round(
		statSync(join(folder, 'access.db')).size / 1e6,
	);
	// A server that has run for a while has its file in the memory of the machine.
	await Bun.spawn(['cat', join(folder, 'access.db')], { stdout: 'ignore' }).exited;
	const service = await start([binary], { ...serviceEnvironment(folder), HISTORY_DAYS: '0' });
	const token = await signIn(service.url);
	const results: HistoryLoad[] = [];
	for (const { name, query, numbers = 1 } of targets) {
		const script = `function request()
	return wrk.format("GET", (string.gsub("/api/history?${query}", "%$", math.random(${numbers}))))
end`;
		const result = { target: name, ...(await load(service.url, { token, script, for: seconds })) };
		results.push(result);
		console.error(`history, ${name}: p50 ${result.p50.toFixed(2)}, p99 ${result.p99.toFixed(2)} ms`);
	}
	await service.stop();
	return results;
}

/** The same program with and without the writing of records, in turn. */
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
			// A disk is noisier than all else.
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

/** Whether those who read notice that old records go. */
async function measurePruning({ seconds, figures }: Scale): Promise<void> {
	const folder = await historyOf(100_000);
	const service = await startService(folder, [binary], 'running', { HISTORY_DAYS: '1' });
	const token = await signIn(service.url);
	await Bun.sleep(1500);
	const before = recordsIn('running');
	const reads = await load(`${service.url}/api/auth/me`, { token, for: seconds * 2 });
	const removed = before - recordsIn('running');
	figures['records removed per second as too old'] = Math.round(removed / (seconds * 2));
	figures['GET p99 meanwhile, ms'] = reads.p99.toFixed(2);
	await service.stop();
}

/** The loads as a table. */
export function historyTable(results: readonly HistoryLoad[]): string {
	const rows = results.map(({ target, rate, p50, p99, errors }) =>
		[target, Math.round(rate), p50.toFixed(2), p99.toFixed(2), errors].join(' | '),
	);
	return ['list of the history | requests/s | p50 ms | p99 ms | failed', '--- | --: | --: | --: | --:', ...rows].join(
		'\n',
	);
}
