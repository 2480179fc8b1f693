/**
 * `bun run bench [--quick] [--start] [--reads] [--worst] [--history] [--chain]`: loads the compiled binary over loopback on
 * databases of three sizes, with 1 and with 32 connections, in turn with the floor (floor.ts), and prints one table.
 * `--start`, `--reads`, `--worst`, `--history` and `--chain` measure only those; `--quick` takes two sizes and one short
 * round.
 * `bun run bench --against PROGRAM FOLDER`: compares with another compiled program instead (against.ts).
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { againstTable, compareWith } from './against.ts';
import { chainTable, measureChain } from './chain.ts';
import { adminPassword, cache, databaseOf, sizes } from './databases.ts';
import { historyTable, measureHistory } from './history.ts';
import { createEmployees, type Load, load, median, middle } from './load.ts';
import { crowds, reads } from './reads.ts';
import {
	binary,
	change,
	employeeToken,
	residentMegabytes,
	serviceEnvironment,
	signIn,
	start,
	startService,
} from './server.ts';
import { measureWorstCases, worstCasesTable } from './worst-cases.ts';

const parts = ['--start', '--reads', '--worst', '--history', '--chain', '--against'];
const words = process.argv.slice(2);
const only = words.find((word) => parts.includes(word));
const [, program, database] = only === '--against' ? words.splice(words.indexOf(only), 3) : [];
/** The other program of `--against`, and the folder of its database. */
const contender = program !== undefined && database !== undefined ? ([program, database] as const) : undefined;
const unknown = words.filter((word) => word !== only && word !== '--quick');
if (unknown.length > 0 || (only === '--against' && !contender)) {
	console.error(
		`cannot read ${process.argv.slice(2).join(' ')}: give --quick, one of ${parts.join(', ')} PROGRAM FOLDER`,
	);
	process.exit(2);
}
const quick = words.includes('--quick');
/** Whether a part that has an option is measured; the other parts are left out by any such option. */
const isWanted = (part: string) => only === undefined || only === part;
const seconds = quick ? 1 : 2;
const rounds = quick ? 1 : 3;
const measured = quick ? sizes.slice(0, 2) : sizes;
const root = join(import.meta.dir, '../..');

interface Result extends Load {
	target: string;
	employees: number;
	connections: number;
	/** Requests per second as a share of the floor's. */
	share?: number;
	/** Requests per second at the smallest size as a multiple of those at this one. */
	growth?: number;
}

/** Reads, on every size, each in turn with the floor. */
async function measureReads(figures: Record<string, number | string>): Promise<Result[]> {
	const results: Result[] = [];
	for (const size of measured) {
		const folder = await databaseOf(size);
		const service = await startService(folder);
		const floor = await start([process.execPath, join(import.meta.dir, 'floor.ts'), join(folder, 'access.db')]);
		const token = await signIn(service.url);
		const employee = await employeeToken(service.url, token);
		for (const [target, connections] of reads.flatMap((each) => crowds.map((crowd) => [each, crowd] as const))) {
			const holder = target.asEmployee ? employee : token;
			const path = target.path(size.employees);
			const urls = { service: service.url + path, floor: floor.url + path };
			const { mine, floors } = await inTurn(urls, holder, connections, target.floor === true);
			const smallest = results.find((other) => other.target === target.name && other.connections === connections);
			const result: Result = {
				target: target.name,
				employees: size.employees,
				connections,
				...mine,
				...(floors && { share: mine.rate / floors.rate }),
				...(smallest && { growth: smallest.rate / mine.rate }),
			};
			results.push(result);
			const share = result.share === undefined ? '' : `, ${result.share.toFixed(2)} of the floor`;
			console.error(
				`${size.employees} ${target.name} by ${connections}: ${Math.round(result.rate)}/s, p99 ${result.p99.toFixed(2)} ms${share}`,
			);
		}
		figures[`resident after reads at ${size.employees}, MB`] = residentMegabytes(service.pid);
		await service.stop();
		await floor.stop();
	}
	return results;
}

/** One target under load, round by round in turn with the floor where the floor answers it. */
async function inTurn(urls: { service: string; floor: string }, token: string, connections: number, hasFloor: boolean) {
	const mine: Load[] = [];
	const floors: Load[] = [];
	for (let round = 0; round < rounds; round += 1) {
		mine.push(await load(urls.service, { token, connections, for: seconds }));
		if (hasFloor) floors.push(await load(urls.floor, { token, connections, for: seconds }));
	}
	return { mine: middle(mine), floors: hasFloor ? middle(floors) : undefined };
}

/** Creates of employees, by 16 at once, and changes by one. */
async function measureWrites(figures: Record<string, number | string>): Promise<void> {
	const first = measured[0];
	const last = measured.at(-1);
	if (!first || !last) return;
	const alone: Record<string, Record<number, number>> = { create: {}, rename: {}, delete: {} };
	for (const size of [first, last]) {
		const service = await startService(await databaseOf(size));
		const token = await signIn(service.url);
		const one = await load(`${service.url}/api/employees`, {
			script: createEmployees(token, '199', 0),
			for: seconds * 2,
		});
		const many = await load(`${service.url}/api/employees`, {
			script: createEmployees(token, '199', 50_000_000),
			connections: 16,
			for: seconds * 2,
		});
		const rename = await medianOf(300, (id) => change(service.url, token, 'PATCH', id, { name: `王${id}芳` }));
		const remove = await medianOf(300, (id) => change(service.url, token, 'DELETE', id));
		Object.assign(alone.create ?? {}, { [size.employees]: one.p50 });
		Object.assign(alone.rename ?? {}, { [size.employees]: rename });
		Object.assign(alone.delete ?? {}, { [size.employees]: remove });
		figures[`creates/s at ${size.employees}, one client`] = Math.round(one.rate);
		figures[`creates/s at ${size.employees}, 16 clients`] = Math.round(many.rate);
		figures[`failed creates at ${size.employees}`] = one.errors + many.errors;
		await service.stop();
	}
	for (const [change, costs] of Object.entries(alone)) {
		const ratio = (costs[last.employees] ?? Number.NaN) / (costs[first.employees] ?? Number.NaN);
		figures[`cost of a ${change} at ${last.employees} against ${first.employees}`] = ratio.toFixed(2);
	}
}

/** The median time of work that is done one after the other, in milliseconds, on the first ids up; a few are deleted already. */
async function medianOf(times: number, work: (id: number) => Promise<void>): Promise<number> {
	const taken: number[] = [];
	for (let id = 1; taken.length < times; id += 1) {
		const begun = performance.now();
		await work(id).catch(() => undefined);
		taken.push(performance.now() - begun);
	}
	return median(taken);
}

/** Sign-ins, and what they leave to those who only read. */
async function measureLogins(figures: Record<string, number | string>): Promise<void> {
	const size = measured[0];
	if (!size) return;
	const service = await startService(await databaseOf(size));
	const token = await signIn(service.url);
	const logins = `wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.body = '{"username":"admin","password":"${adminPassword}"}'`;
	const time = seconds * 2;
	const [signIns, reads] = await Promise.all([
		load(`${service.url}/api/auth/login`, { script: logins, connections: 64, for: time }),
		load(`${service.url}/api/auth/me`, { token, for: time }),
	]);
	figures['logins/s, 64 in flight'] = Math.round(signIns.rate);
	figures['refused logins'] = signIns.errors;
	figures['GET p50 under 64 logins, ms'] = reads.p50.toFixed(2);
	figures['GET p99 under 64 logins, ms'] = reads.p99.toFixed(2);
	const before = residentMegabytes(service.pid);
	const requests = quick ? 50_000 : 1_000_000;
	let done = 0;
	while (done < requests)
		done += (await load(`${service.url}/api/employees/77`, { token, connections: 8, for: 5 })).rate * 5;
	figures[`resident before and after ${requests} requests, MB`] = `${before} → ${residentMegabytes(service.pid)}`;
	await service.stop();
}

async function measureStartup(figures: Record<string, number | string>): Promise<void> {
	const empty = join(cache, 'empty');
	for (const [name, folder] of [
		['an empty folder', undefined],
		...measured.map((size) => [`${size.employees} employees`, size] as const),
	] as const) {
		const times: number[] = [];
		for (let round = 0; round < 5; round += 1) {
			if (folder === undefined) rmSync(empty, { recursive: true, force: true });
			// A copy: this process may still have the database open that it has just made.
			const service = await (folder === undefined
				? start([binary], serviceEnvironment(empty))
				: startService(await databaseOf(folder)));
			times.push(service.startup);
			await service.stop();
		}
		figures[`ready on ${name}, ms`] = Math.round(median(times));
	}
}

function table(results: Result[], figures: Record<string, number | string>): string {
	const rows = results.map(({ target, employees, connections, rate, p50, p99, share, growth }) =>
		[
			target,
			employees.toLocaleString('en'),
			connections,
			Math.round(rate).toLocaleString('en'),
			p50.toFixed(2),
			p99.toFixed(2),
			share?.toFixed(2) ?? '',
			growth?.toFixed(2) ?? '',
		].join(' | '),
	);
	const lines = Object.entries(figures).map(([name, value]) => `${name} | ${value}`);
	return [
		'route | employees | connections | requests/s | p50 ms | p99 ms | share of the floor | slower than the smallest by',
		'--- | --: | --: | --: | --: | --: | --: | --:',
		...rows,
		'',
		'figure | value',
		'--- | --:',
		...lines,
	].join('\n');
}

mkdirSync(cache, { recursive: true });
const built = Bun.spawnSync([process.execPath, join(root, 'src/build.ts'), '--outfile', binary]);
if (built.exitCode !== 0) throw new Error(built.stderr.toString());
const figures: Record<string, number | string> = {
	machine: `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}`,
};
if (isWanted('--start')) await measureStartup(figures);
const results = isWanted('--reads') ? await measureReads(figures) : [];
if (only === undefined) {
	await measureWrites(figures);
	await measureLogins(figures);
}
const history = isWanted('--history')
	? await measureHistory({ records: quick ? 10_000 : 1_000_000, seconds, rounds, figures })
	: [];
const worst = !quick && isWanted('--worst') ? await measureWorstCases({ seconds, figures }) : [];
const chain = !quick && isWanted('--chain') ? await measureChain(figures) : [];
const against = contender ? await compareWith(...contender) : [];
const text = [
	table(results, figures),
	...(worst.length > 0 ? [worstCasesTable(worst)] : []),
	...(history.length > 0 ? [historyTable(history)] : []),
	...(chain.length > 0 ? [chainTable(chain)] : []),
	...(against.length > 0 ? [againstTable(against)] : []),
].join('\n\n');
writeFileSync(join(cache, 'results.md'), `${text}\n`);
writeFileSync(
	join(cache, 'results.json'),
	`${JSON.stringify({ results, worst, history, chain, against, figures }, null, '\t')}\n`,
);
console.log(text);
