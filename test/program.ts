/** The real program as a child process: started from source or as the compiled binary, called over a socket, killed. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const root = join(import.meta.dir, '..');
export const fromSource = [process.execPath, join(root, 'src/main.ts')];

/** A new folder that is removed by {@link removeFolders}. */
export function newFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), 'access-test-'));
	folders.push(folder);
	return folder;
}

const folders: string[] = [];

export function removeFolders(): void {
	for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** How a program ended that was to end by itself. */
export interface Ended {
	code: number;
	stdout: string;
	stderr: string;
}

export interface Launch {
	command?: string[];
	cwd?: string;
	environment?: Record<string, string>;
}

function spawn({ command = fromSource, cwd = root, environment = {} }: Launch) {
	return Bun.spawn(command, {
		cwd,
		// Nothing of the developer's own environment reaches the program.
		env: { PATH: process.env.PATH ?? '', HOST: '127.0.0.1', PORT: '0', ...environment },
		stdout: 'pipe',
		stderr: 'pipe',
	});
}

/** Runs the program until it ends by itself. */
export async function runToEnd(launch: Launch): Promise<Ended> {
	const child = spawn(launch);
	const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
	return { code: await child.exited, stdout, stderr };
}

/** A program that serves. */
export class Program {
	readonly url: string;
	/** What it said up to the line with its address. */
	readonly output: string;
	readonly #child: ReturnType<typeof spawn>;

	private constructor(child: ReturnType<typeof spawn>, output: string, url: string) {
		this.#child = child;
		this.output = output;
		this.url = url;
	}

	/** Starts the program and waits for its address. */
	static async start(launch: Launch): Promise<Program> {
		const child = spawn(launch);
		let output = '';
		for await (const chunk of child.stdout) {
			output += new TextDecoder().decode(chunk);
			const url = /Listening on (http\S+)/.exec(output)?.[1];
			if (url) return new Program(child, output, url);
		}
		throw new Error(`the program did not start: ${output}${await child.stderr.text()}`);
	}

	/** Ends the program with a signal; its exit code. */
	async end(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL' = 'SIGTERM'): Promise<number> {
		this.#child.kill(signal);
		return this.#child.exited;
	}

	/** Sends a JSON request. */
	async send(method: string, path: string, { token, body }: { token?: string; body?: unknown } = {}) {
		const headers: Record<string, string> = { 'content-type': 'application/json' };
		if (token !== undefined) headers.authorization = `Bearer ${token}`;
		const response = await fetch(`${this.url}${path}`, {
			method,
			headers,
			body: body === undefined ? null : JSON.stringify(body),
		});
		const text = await response.text();
		// biome-ignore lint/suspicious/noExplicitAny: the tests look into answers of every shape.
		return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as any) };
	}

	/** Signs in to the back office; the token. */
	async signIn(username: string, password: string): Promise<string> {
		const { body } = await this.send('POST', '/api/auth/login', { body: { username, password } });
		return body.data.token;
	}
}
