/** Loads a server with wrk, and sums up its report. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cache } from './databases.ts';

/** The result of one load, with latencies in milliseconds. */
export interface Load {
	/** Requests per second. */
	rate: number;
	p99: number;
	longest: number;
}

/** Runs wrk for a second; `script` is Lua. @throws Error when a request fails. */
export async function load(
	url: string,
	options: { connections?: number; token?: string; script?: string } = {},
): Promise<Load> {
	const { connections = 1, token, script = '' } = options;
	const header = token ? ['-H', `Authorization: Bearer ${token}`] : [];
	const file = join(cache, `load-${connections}.lua`);
	writeFileSync(file, `${script}\n${report}`);
	const args = ['-t1', `-c${connections}`, '-d1s', '--timeout', '30s', ...header, '-s', file, url];
	const child = Bun.spawn(['wrk', ...args], { stdout: 'pipe', stderr: 'pipe' });
	const output = await child.stdout.text();
	const line = /REPORT (.*)/.exec(output)?.[1];
	if (!line) throw new Error(`wrk failed (install Debian's package wrk): ${output}${await child.stderr.text()}`);
	const [requests = 0, microseconds = 0, p99 = 0, longest = 0, errors = 0] = line.split(' ').map(Number);
	if (errors > 0) throw new Error(`${errors} of ${requests} requests to ${url} failed`);
	return { rate: requests / (microseconds / 1e6), p99: p99 / 1000, longest: longest / 1000 };
}

const report = `
function done(summary, latency, requests)
	local e = summary.errors
	io.write(string.format("REPORT %d %d %d %d %d\\n", summary.requests, summary.duration,
		latency:percentile(99), latency.max, e.connect + e.read + e.write + e.timeout + e.status))
end`;
