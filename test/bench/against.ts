/**
 * Compares this version with another compiled program, in turn: `--against PROGRAM FOLDER`, where FOLDER holds a database
 * of the other program. Each runs on a copy; this version upgrades its copy first.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { load, median } from './load.ts';
import { type Read, reads } from './reads.ts';
import { binary, change, employeeToken, type Server, send, signIn, startService } from './server.ts';

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
	/** Employees that are not deleted, one for each change. */
	ids: number[];
}

const rounds = 7;
const changesPerRound = 100;
const crowds = [1, 32] as const;

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
			const run = (each: Contender) => loadOnce(each, read, employees, clients);
			note({
				request: `${read.name}, ${clients === 1 ? 'one client' : `${clients} clients`}`,
				...(await inTurn(contenders, run)),
			});
		}
	}
	for (const [name, write] of Object.entries(writes)) {
		let next = 0;
		const run = async (each: Contender) => {
			const from = Math.floor(next / contenders.length) * changesPerRound;
			next += 1;
			for (let index = from; index < from + changesPerRound; index += 1) await write(each, index);
			return changesPerRound;
		};
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
	for (let page = 1; ids.length < rounds * changesPerRound; page += 1) {
		const { items } = await pageOf(url, token, page);
		ids.push(...items.map(({ id }) => id));
	}
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

/** Runs the same work on each contender, round by round; `run` returns how many requests it made. */
async function inTurn(contenders: Contender[], run: (each: Contender) => Promise<number>) {
	const times: Record<keyof Pair, number[]> = { other: [], own: [] };
	const works: Record<keyof Pair, number[]> = { other: [], own: [] };
	for (let round = 0; round < rounds; round += 1) {
		for (const each of round % 2 === 0 ? contenders : contenders.toReversed()) {
			const [before, begun] = [processorTime(each.pid), performance.now()];
			const requests = await run(each);
			times[each.name].push((performance.now() - begun) / requests);
			works[each.name].push((processorTime(each.pid) - before) / requests);
		}
	}
	const middle = ({ other, own }: Record<keyof Pair, number[]>): Pair => ({ other: median(other), own: median(own) });
	return { time: middle(times), work: middle(works) };
}

async function loadOnce(each: Contender, read: Read, employees: number, clients: number): Promise<number> {
	const token = read.asEmployee ? each.employee : each.token;
	const { requests, errors } = await load(each.url + read.path(employees), { token, connections: clients, for: 1 });
	if (errors > 0) throw new Error(`${each.name}: ${errors} of ${requests} requests failed: ${read.name}`);
	return requests;
}

/** The changes, of an employee who is another one each time. */
const writes: Record<string, (each: Contender, index: number) => Promise<void>> = {
	create: ({ url, token }, index) =>
		send(`${url}/api/employees`, token, 'POST', {
			storeId: 1,
			name: '王小芳',
			phone: `144${String(index).padStart(8, '0')}`,
			roleIds: [3],
		}),
	rename: ({ url, token, ids }, index) => change(url, token, 'PATCH', ids[index] ?? 0, { name: `王${index}芳` }),
	'change of a remark': ({ url, token, ids }, index) =>
		change(url, token, 'PATCH', ids[index] ?? 0, { remark: `备注${index}` }),
	disabling: ({ url, token, ids }, index) =>
		send(`${url}/api/employees/${ids[index]}/status`, token, 'PATCH', { status: 'INACTIVE' }),
};

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
