/** Servers to be loaded: the service on a copy of a database, and whatever else is compared with it. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { adminPassword, cache, initialPassword } from './databases.ts';

/** Where the bench compiles the binary to. */
export const binary = join(cache, 'access');

/** A server under load. */
export interface Server {
	url: string;
	pid: number;
	/** From the start of the process to its first answer, in milliseconds. */
	startup: number;
	stop(): Promise<void>;
}

/** Starts a server, and waits for its first answer. */
export async function start(command: string[], environment: Record<string, string> = {}): Promise<Server> {
	const begun = performance.now();
	const child = Bun.spawn(command, {
		env: { PATH: process.env.PATH ?? '', HOST: '127.0.0.1', PORT: '0', ...environment },
		stdout: 'pipe',
		stderr: 'inherit',
	});
	process.once('exit', () => child.kill());
	const reader = child.stdout.getReader();
	let output = '';
	let url: string | undefined;
	while (!url) {
		const { value, done } = await reader.read();
		if (done) throw new Error(`${command[0]} did not start: ${output}`);
		output += new TextDecoder().decode(value);
		url = /"message":"listening","url":"([^"]+)"/.exec(output)?.[1];
	}
	await (await fetch(`${url}/health`)).text();
	const startup = performance.now() - begun;
	const drained = (async () => {
		while (!(await reader.read()).done);
	})();
	const stop = async () => {
		child.kill();
		await Promise.all([child.exited, drained]);
	};
	return { url, pid: child.pid, startup, stop };
}

/** The folder of a service that runs on a copy. */
export function dataOf(name: string): string {
	return join(cache, name);
}

/** The service on its own copy of a database, so that writes do not change the cached one. */
export async function startService(
	folder: string,
	command: string[] = [binary],
	name = 'running',
	environment: Record<string, string> = {},
): Promise<Server> {
	const data = dataOf(name);
	rmSync(data, { recursive: true, force: true });
	mkdirSync(data, { recursive: true, mode: 0o700 });
	for (const file of readdirSync(folder)) copyFileSync(join(folder, file), join(data, file));
	return start(command, { ...serviceEnvironment(data), ...environment });
}

/** The environment of the measured service. */
export function serviceEnvironment(data: string): Record<string, string> {
	return {
		DATA_DIR: data,
		ADMIN_PASSWORD: adminPassword,
		INITIAL_EMPLOYEE_PASSWORD: initialPassword,
		JWT_SECRET: 'a-secret-of-the-bench-that-is-long-enough',
	};
}

/** A token of the super administrator. */
export async function signIn(url: string): Promise<string> {
	const body = JSON.stringify({ username: 'admin', password: adminPassword });
	const headers = { 'content-type': 'application/json' };
	const answer = await fetch(`${url}/api/auth/login`, { method: 'POST', headers, body });
	const { data } = (await answer.json()) as { data: { token: string } };
	return data.token;
}

/** A token of an employee who holds a role. */
export async function employeeToken(url: string, token: string): Promise<string> {
	const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
	const list = await fetch(`${url}/api/employees?status=ACTIVE&pageSize=100`, { headers });
	const { data } = (await list.json()) as { data: { items: { phone: string; storeStatus: string }[] } };
	const phone = data.items.find((item) => item.storeStatus === 'ACTIVE')?.phone;
	const body = JSON.stringify({ username: phone, password: initialPassword });
	const answer = await fetch(`${url}/api/auth/employee/login`, { method: 'POST', headers, body });
	const signedIn = (await answer.json()) as { data: { token: string } };
	return signedIn.data.token;
}

/** The memory of a process. */
export function residentMegabytes(pid: number): number {
	const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
	return Math.round(Number(kilobytes) / 1024);
}

/** One change of an employee. */
export async function change(url: string, token: string, method: string, id: number, body?: unknown): Promise<void> {
	const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
	const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
	const answer = await fetch(`${url}/api/employees/${id}`, init);
	if (!answer.ok) throw new Error(`${method} of employee ${id}: ${answer.status}`);
	await answer.text();
}
