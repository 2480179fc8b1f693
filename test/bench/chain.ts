/** The chain's own work: importing and exporting people, closing a store, the overview, who holds a role. */
import { csvOf, xlsxOf } from '../spreadsheets.ts';
import { databaseOf, type Size, sizes, skewed } from './databases.ts';
import { load } from './load.ts';
import { residentMegabytes, type Server, signIn, startService } from './server.ts';

const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** What one piece of work took, in milliseconds. */
export interface Work {
	name: string;
	employees: number;
	took: number;
	/** How long a client that reads one employee waited at most. */
	others: number;
}

interface Given {
	service: Server;
	token: string;
	size: Size;
}

/** Measures all of it; figures of one number go to `figures`. */
export async function measureChain(figures: Record<string, number | string>): Promise<Work[]> {
	const results: Work[] = [];
	const [few, many, most] = sizes;
	for (const size of [few, most]) {
		if (size) results.push(...(await onService(size, measureImports)));
	}
	if (many) results.push(...(await onService(many, (given) => measureExports(given, figures))));
	if (most) await onService(most, (given) => measureLists(given, figures));
	results.push(...(await onService(skewed, measureClosing)));
	return results;
}

async function onService<Result>(size: Size, measure: (given: Given) => Promise<Result>): Promise<Result> {
	const service = await startService(await databaseOf(size), undefined, 'chain');
	try {
		return await measure({ service, token: await signIn(service.url), size });
	} finally {
		await service.stop();
	}
}

/** The remarks of an import, by what its name says of them. */
const remarks = { '': '早班', ', long remarks': '早'.repeat(500) };

async function measureImports(given: Given): Promise<Work[]> {
	const results: Work[] = [];
	let first = 0;
	for (const lines of [100, 1000, 5000]) {
		for (const [format, what] of [
			['CSV', ''],
			['XLSX', ''],
			['CSV', ', long remarks'],
		] as const) {
			for (const kind of ['check', 'import']) {
				for (let round = 0; round < 3; round += 1) {
					const body = fileOf(format, first, lines, remarks[what]);
					first += lines;
					const headers = { 'content-type': format === 'CSV' ? 'text/csv' : xlsx };
					const name = `${kind} of ${lines} lines, ${format}${what}`;
					const path = `/api/employees/import?dryRun=${kind === 'check'}`;
					results.push(await measure(given, name, path, { method: 'POST', headers, body }));
				}
			}
		}
	}
	return results;
}

/** A file that hires so many people into the first store, with numbers that no database of the bench has. */
function fileOf(
	format: 'CSV' | 'XLSX',
	first: number,
	lines: number,
	remark: string,
): string | Uint8Array<ArrayBuffer> {
	const rows = Array.from({ length: lines }, (_, index) => [
		`王小${index}`,
		`14${String(first + index).padStart(9, '0')}`,
		'1',
		'cashier',
		'启用',
		remark,
	]);
	const table = [['姓名', '手机号', '门店', '角色', '状态', '备注'], ...rows];
	if (format === 'CSV') return csvOf(table);
	return new Uint8Array(xlsxOf(Object.fromEntries(table.map((row, index) => [index + 1, row]))));
}

async function measureExports(given: Given, figures: Record<string, number | string>): Promise<Work[]> {
	const results: Work[] = [];
	for (const format of ['csv', 'xlsx']) {
		const before = residentMegabytes(given.service.pid);
		let most = before;
		const watch = setInterval(() => {
			most = Math.max(most, residentMegabytes(given.service.pid));
		}, 20);
		results.push(await measure(given, `export, ${format}`, `/api/employees/export?format=${format}`));
		clearInterval(watch);
		figures[`resident before and during an export of ${given.size.employees} as ${format}, MB`] = `${before}, ${most}`;
	}
	return results;
}

const lists = [
	['overview', '/api/overview'],
	['employees of a role', '/api/employees?roleId=3'],
	['employees of a role, newest first', '/api/employees?roleId=3&order=desc'],
	['employees of a role, status and store', '/api/employees?roleId=3&status=ACTIVE&storeId=7'],
	['employees, newest first', '/api/employees?order=desc'],
	['employees of a role with 王, newest first', '/api/employees?roleId=3&order=desc&keyword=%E7%8E%8B'],
	['holders of a role', '/api/roles/3/employees'],
	['holders of a role, page 10,000', '/api/roles/3/employees?page=10000'],
	['one employee’s access', '/api/employees/77/access'],
	['options of the form', '/api/employees/options'],
] as const;

async function measureLists({ service, token, size }: Given, figures: Record<string, number | string>): Promise<void> {
	for (const [name, path] of lists) {
		const { p50, p99, errors } = await load(service.url + path, { token });
		const failed = errors > 0 ? `, ${errors} failed` : '';
		figures[`${name} at ${size.employees}: p50, p99, ms`] = `${p50.toFixed(2)}, ${p99.toFixed(2)}${failed}`;
		console.error(`${name}: p50 ${p50.toFixed(2)}, p99 ${p99.toFixed(2)} ms${failed}`);
	}
}

async function measureClosing(given: Given): Promise<Work[]> {
	const headers = { 'content-type': 'application/json' };
	// biome-ignore lint/suspicious/noThenProperty: a field of the API, and its text is no function.
	const body = JSON.stringify({ moveTo: 2, then: 'DISABLE' });
	return [
		await measure(given, 'closing a store of 30,000 people', '/api/stores/1/close', { method: 'POST', headers, body }),
	];
}

/** Times one request from its first byte to the last of its answer, beside a client that reads one employee. */
async function measure(
	{ service, token, size }: Given,
	name: string,
	path: string,
	init: RequestInit = {},
): Promise<Work> {
	const headers = { authorization: `Bearer ${token}` };
	let isDone = false;
	let others = 0;
	const reading = (async () => {
		while (!isDone) {
			const begun = performance.now();
			await (await fetch(`${service.url}/api/employees/77`, { headers })).text();
			others = Math.max(others, performance.now() - begun);
			await Bun.sleep(1);
		}
	})();
	await Bun.sleep(50);
	const begun = performance.now();
	const answer = await fetch(service.url + path, { ...init, headers: { ...headers, ...init.headers } });
	if (!answer.ok) throw new Error(`${name}: ${answer.status} ${await answer.text()}`);
	for await (const _ of answer.body ?? []);
	const took = performance.now() - begun;
	isDone = true;
	await reading;
	console.error(`${size.employees} employees, ${name}: ${took.toFixed(0)} ms, others waited ${others.toFixed(0)} ms`);
	return { name, employees: size.employees, took, others };
}

/** The results as a table: of several rounds, the middle time and the longest wait. */
export function chainTable(results: readonly Work[]): string {
	const groups = Map.groupBy(results, ({ name, employees }) => `${name} | ${employees.toLocaleString('en')}`);
	const rows = Array.from(groups, ([name, works]) => {
		const times = works.map(({ took }) => took).toSorted((one, other) => one - other);
		const longest = Math.max(...works.map(({ others }) => others));
		return `${name} | ${times[Math.floor(times.length / 2)]?.toFixed(0)} | ${longest.toFixed(0)}`;
	});
	return ['work | employees | ms | longest wait of others, ms', '--- | --: | --: | --:', ...rows].join('\n');
}
