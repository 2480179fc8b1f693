/** Loads a server with wrk, and sums up its report. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cache } from './databases.ts';

/** The result of one load: requests per second, latencies in milliseconds, failed requests. */
export interface Load {
	requests: number;
	rate: number;
	p50: number;
	p99: number;
	/** The longest of all, in milliseconds. */
	longest: number;
	errors: number;
}

/** Runs wrk for some seconds; `script` is Lua. */
export async function load(
	url: string,
	options: { connections?: number; token?: string; script?: string; for?: number } = {},
): Promise<Load> {
	const { connections = 1, token, script } = options;
	const header = token ? ['-H', `Authorization: Bearer ${token}`] : [];
	const file = join(cache, `load-${connections}.lua`);
	writeFileSync(file, `${script ?? ''}\n${report}`);
	const args = ['-t1', `-c${connections}`, `-d${options.for ?? 2}s`, '--timeout', '30s', ...header, '-s', file, url];
	const child = Bun.spawn(['wrk', ...args], { stdout: 'pipe', stderr: 'pipe' });
	const output = await child.stdout.text();
	const line = /REPORT (.*)/.exec(output)?.[1];
	if (!line) throw new Error(`wrk failed (install Debian's package wrk): ${output}${await child.stderr.text()}`);
	const [requests, microseconds, p50, p99, longest, errors] = line.split(' ').map(Number) as [
		number,
		number,
		number,
		number,
		number,
		number,
	];
	return {
		requests,
		rate: requests / (microseconds / 1e6),
		p50: p50 / 1000,
		p99: p99 / 1000,
		longest: longest / 1000,
		errors,
	};
}

const report = `
function done(summary, latency, requests)
	local e = summary.errors
	io.write(string.format("REPORT %d %d %d %d %d %d\\n", summary.requests, summary.duration, latency:percentile(50),
		latency:percentile(99), latency.max, e.connect + e.read + e.write + e.timeout + e.status))
end`;

/** What one client gets alone, and what another client gets, who asks for one employee while four clients send the request. */
export interface LoadAndOthers {
	alone: Load;
	others: Load;
}

/** Runs a request for some seconds alone, and as long beside another client. */
export async function loadWithOthers(
	service: string,
	options: { path?: string; script?: string; token: string; for: number },
): Promise<LoadAndOthers> {
	const { path = '', script, ...usual } = options;
	const url = service + path;
	const request = script === undefined ? usual : { ...usual, script };
	const alone = await load(url, request);
	const [, others] = await Promise.all([
		load(url, { ...request, connections: 4 }),
		load(`${service}/api/employees/77`, usual),
	]);
	return { alone, others };
}

/** The value in the middle. */
export function median(values: number[]): number {
	const sorted = values.toSorted((one, other) => one - other);
	return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The medians of several loads; their errors together. */
export function middle(loads: Load[]): Load {
	return {
		requests: loads.reduce((sum, each) => sum + each.requests, 0),
		rate: median(loads.map((each) => each.rate)),
		p50: median(loads.map((each) => each.p50)),
		p99: median(loads.map((each) => each.p99)),
		longest: median(loads.map((each) => each.longest)),
		errors: loads.reduce((sum, each) => sum + each.errors, 0),
	};
}

/** The beginning of a script that sends JSON. */
export const jsonRequest = (token: string) =>
	`wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.headers["Authorization"] = "Bearer ${token}"
`;

/** A script that creates one employee after the other; the prefix of the phones has three digits, `start` counts on from them. */
export const createEmployees = (token: string, prefix: string, start: number) =>
	`${jsonRequest(token)}
local phone = ${start}
function request()
	phone = phone + 1
	return wrk.format(nil, "/api/employees", nil,
		string.format('{"storeId":1,"name":"王小芳","phone":"${prefix}%08d","roleIds":[3]}', phone))
end`;
