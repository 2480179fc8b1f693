/**
 * Compares this version with another compiled program, in turn: `--against PROGRAM FOLDER`, where FOLDER holds a database
 * of the other program. Each runs on a copy; this version upgrades its copy first.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createEmployees, jsonRequest, type Load, load, median } from './load.ts';
import { crowds, reads } from './reads.ts';
import { binary, employeeToken, type Server, signIn, startService } from './server.ts';

/** What one request takes, of the other program and of this one. */
export interface Comparison {
	request: string;
	/** Milliseconds from one answer to the next. */
	time: Pair;
	/** Milliseconds of processor time. */
	work: Pair;
}

interface Pair {
	other: number;
	own: number;
}

interface Contender extends Server {
	name: keyof Pair;
	token: string;
	employee: string;
	/** Employees that are not deleted. */
	ids: number[];
}

const rounds = 7;

/** Reads with one and with 32 clients, then changes by one. */
export async function compareWith(program: string, folder: string): Promise<Comparison[]> {
	const other = await contender('other', [program], folder);
	const contenders = [other, await contender('own', [binary], folder)];
	const employees = (await pageOf(other.url, other.token, 1)).pagination.total;
	const comparisons: Comparison[] = [];
	const note = (comparison: Comparison) => {
		comparisons.push(comparison);
		console.error(rowOf(comparison));
	};
	for (const clients of crowds) {
		for (const read of reads) {
			const run = ({ url, token, employee }: Contender) =>
				load(url + read.path(employees), { token: read.asEmployee ? employee : token, connections: clients, for: 1 });
			const request = `${read.name}, ${clients === 1 ? 'one client' : `${clients} clients`}`;
			note({ request, ...(await inTurn(contenders, run)) });
		}
	}
	for (const [name, write] of Object.entries(writes)) {
		const run = (each: Contender, round: number) => load(each.url, { script: write(each, round), for: 1 });
		note({ request: `${name}, one client`, ...(await inTurn(contenders, run)) });
	}
	for (const each of contenders) await each.stop();
	return comparisons;
}

async function contender(name: keyof Pair, command: string[], folder: string): Promise<Contender> {
	const server = await startService(folder, command, `against-${name}`);
	const token = await signIn(server.url);
	const employee = await employeeToken(server.url, token);
	await rest(server);
	return { ...server, name, token, employee, ids: await firstIds(server.url, token) };
}

async function firstIds(url: string, token: string): Promise<number[]> {
	const ids: number[] = [];
	for (let page = 1; page <= 10; page += 1) ids.push(...(await pageOf(url, token, page)).items.map(({ id }) => id));
	return ids;
}

async function pageOf(url: string, token: string, page: number) {
	const headers = { authorization: `Bearer ${token}` };
	const answer = await fetch(`${url}/api/employees?pageSize=100&page=${page}`, { headers });
	const { data } = (await answer.json()) as { data: { items: { id: number }[]; pagination: { total: number } } };
	return data;
}

/** Waits until a server has finished what it does in the background after its start. */
async function rest({ pid }: Server): Promise<void> {
	for (let before = processorTime(pid), used = 1000; used > 20; ) {
		await Bun.sleep(1000);
		const now = processorTime(pid);
		used = now - before;
		before = now;
	}
}

/** Loads each contender, round by round, after one round that does not count. */
async function inTurn(contenders: Contender[], run: (each: Contender, round: number) => Promise<Load>) {
	const times: Record<keyof Pair, number[]> = { other: [], own: [] };
	const works: Record<keyof Pair, number[]> = { other: [], own: [] };
	for (let round = 0; round <= rounds; round += 1) {
		for (const each of round % 2 === 0 ? contenders : contenders.toReversed()) {
			const before = processorTime(each.pid);
			const { requests, rate, errors } = await run(each, round);
			if (errors > 0) throw new Error(`${each.name}: ${errors} of ${requests} requests failed`);
			if (round === 0) continue;
			times[each.name].push(1000 / rate);
			works[each.name].push((processorTime(each.pid) - before) / requests);
		}
	}
	const middle = ({ other, own }: Record<keyof Pair, number[]>): Pair => ({ other: median(other), own: median(own) });
	return { time: middle(times), work: middle(works) };
}

/** Changes of one employee after the other, as scripts of wrk. */
const writes: Record<string, (each: Contender, round: number) => string> = {
	create: ({ token }, round) => createEmployees(token, '144', round * 1_000_000),
	rename: (each, round) => changes(each, round, '', `string.format('{"name":"王%d芳"}', count)`),
	'change of a remark': (each, round) => changes(each, round, '', `string.format('{"remark":"备注%d"}', count)`),
	'change of a status': (each, round) =>
		changes(each, round, '/status', `count % 2 == 0 and '{"status":"INACTIVE"}' or '{"status":"ACTIVE"}'`),
};

/** `body` is Lua; in it `count` is another number for each request. */
function changes({ token, ids }: Contender, round: number, path: string, body: string): string {
	// An odd number of employees: so each of them gets another status every time.
	return `${jsonRequest(token)}
local ids = { ${ids.slice(1).join(', ')} }
local count = ${round * 1_000_000}
function request()
	count = count + 1
	return wrk.format("PATCH", "/api/employees/" .. ids[count % #ids + 1] .. "${path}", nil, ${body})
end`;
}

/** The processor time of all threads of a process so far, in milliseconds. */
function processorTime(pid: number): number {
	return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + threadTime(pid, thread), 0);
}

/** 0 for a thread that has ended. */
function threadTime(pid: number, thread: string): number {
	try {
		return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
	} catch {
		return 0;
	}
}

function rowOf({ request, time, work }: Comparison): string {
	const cells = [time, work].flatMap(({ other, own }) => [other.toFixed(3), own.toFixed(3), (other / own).toFixed(2)]);
	return [request, ...cells].join(' | ');
}

/** The comparison as a table in Markdown; a ratio above 1 means that this version is faster. */
export function againstTable(comparisons: Comparison[]): string {
	return [
		'request | ms, other | ms, this | ratio | CPU ms, other | CPU ms, this | ratio',
		'--- | --: | --: | --: | --: | --: | --:',
		...comparisons.map(rowOf),
	].join('\n');
}
