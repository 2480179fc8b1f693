/** The real program as a child process: started, called over a socket, stopped or killed. */
import { Database } from 'bun:sqlite';
import {
	chmodSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	renameSync,
	rmSync,
	statSync,
	utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hanging } from './hanging.ts';
import { type Answer, exchange, type Sent } from './http.ts';

export const root = join(import.meta.dir, '..');
export const fromSource = [process.execPath, join(root, 'src/main.ts')];
/** The program from source, which seals at little cost: the compiled one takes two seconds for a file. */
export const cheapProgram = [process.execPath, join(root, 'test/cheap-program.ts')];

/** The compiled program as a command: `ACCESS_BINARY`, or one that is compiled once for each state of the source. */
export function compiled(): string[] {
	if (process.env.ACCESS_BINARY) return [process.env.ACCESS_BINARY];
	if (binary === undefined || !existsSync(binary)) binary = compile();
	// Keeps the binary during a run of hours: only those unused for an hour are removed.
	utimesSync(binary, new Date(), new Date());
	return [binary];
}

let binary: string | undefined;

// One folder per user: others may not touch root's files.
const binaries = join(tmpdir(), `access-test-binaries-${process.getuid?.()}`);
/** The milliseconds that a binary of 110 MB is kept after its last use. `ours` is for older states of this source. */
const kept = { ours: 600_000, others: 3_600_000 };

function compile(): string {
	const ours = Bun.hash(root).toString(36);
	const path = join(binaries, `${ours}-${sourceState()}`);
	if (existsSync(path)) return path;
	mkdirSync(binaries, { recursive: true });
	for (const name of readdirSync(binaries)) {
		const unusedFor = Date.now() - (statSync(join(binaries, name), { throwIfNoEntry: false })?.mtimeMs ?? 0);
		const limit = name.startsWith(ours) ? kept.ours : kept.others;
		if (unusedFor > limit) rmSync(join(binaries, name), { force: true });
	}
	withLock(`${path}.lock`, () => {
		if (existsSync(path)) return;
		// A file with its final name is complete.
		const partial = `${path}.partial`;
		const built = Bun.spawnSync([process.execPath, 'src/commands/build.ts', '--outfile', partial], { cwd: root });
		if (!built.success) throw new Error(`it does not compile: ${built.stderr}`);
		renameSync(partial, path);
	});
	return path;
}

/** Does work in one test process at a time. */
function withLock(path: string, work: () => void): void {
	using lock = new Database(path);
	lock.run(`pragma busy_timeout = ${hanging}`);
	// SQLite's lock ends with the process, however that ends.
	lock.run('begin immediate');
	work();
}

/** A hash of the names, sizes and times of everything that is compiled. */
function sourceState(): string {
	const hash = new Bun.CryptoHasher('sha256');
	for (const top of ['src', 'drizzle', 'package.json', 'bun.lock', 'tsconfig.json']) {
		const path = join(root, top);
		const inside = statSync(path).isDirectory()
			? readdirSync(path, { recursive: true, encoding: 'utf8' }).sort()
			: [''];
		for (const name of inside) {
			const { size, mtimeMs } = statSync(join(path, name));
			hash.update(`${path}/${name} ${size} ${mtimeMs}\n`);
		}
	}
	return hash.digest('hex').slice(0, 16);
}

/** A new folder that is removed by {@link removeFolders}. @param mode lets other users in */
export function newFolder(mode = 0o700): string {
	const folder = mkdtempSync(join(tmpdir(), 'access-test-'));
	chmodSync(folder, mode);
	folders.push(folder);
	return folder;
}

const folders: string[] = [];

/** The ports of this process, below those that the system assigns. Files that run at once have others. */
const ports = { first: 10_000 + (process.pid % 40) * 500, used: 0 };

/** A free port, which no other program gets meanwhile. */
export function freePort(): string {
	for (;;) {
		ports.used += 1;
		const port = ports.first + (ports.used % 500);
		try {
			using _free = Bun.listen({ hostname: '127.0.0.1', port, socket: { data() {} } });
			return String(port);
		} catch {
			// The port is in use.
		}
	}
}

/** Kills the programs that still run. */
export async function endPrograms(): Promise<void> {
	for (const child of children) child.kill('SIGKILL');
	await Promise.all(Array.from(children, ({ exited }) => exited));
}

/** Ends the programs that still run, and removes all folders of {@link newFolder}. */
export async function removeFolders(): Promise<void> {
	await endPrograms();
	for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** The outcome of a program. */
export interface Ended {
	code: number;
	stdout: string;
	stderr: string;
}

export interface Launch {
	command?: string[];
	cwd?: string;
	environment?: Record<string, string>;
	input?: string;
	/** `false` keeps only the newest output, for long runs. */
	keepsOutput?: boolean;
}

const { PATH = '' } = process.env;
/** The environment of every program. The developer's own environment does not reach it. */
export const baseEnvironment = { PATH, SETTINGS_FILE: '/dev/null', HOST: '127.0.0.1', PORT: '0' };

/** Running programs, in other processes and in this one. */
export const children = new Set<Pick<Child, 'kill' | 'exited'>>();

/** Starts the program. */
export function spawn({ command = compiled(), cwd = root, environment = {}, input }: Launch) {
	const child = Bun.spawn(command, {
		cwd,
		env: { ...baseEnvironment, ...environment },
		stdin: input === undefined ? 'ignore' : new Blob([input]),
		stdout: 'pipe',
		stderr: 'pipe',
		onExit: (ended) => void children.delete(ended),
	});
	children.add(child);
	return child;
}

/** Runs the program until it ends by itself. */
export async function runToEnd(launch: Launch): Promise<Ended> {
	const child = spawn(launch);
	const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
	return { code: await child.exited, stdout, stderr };
}

/** Starts the program at a terminal and waits for its address. `output` has the text on the terminal. */
export async function startAtTerminal(environment: Record<string, string>) {
	const shown = { output: '', url: '' };
	const child = Bun.spawn(compiled(), {
		env: { ...baseEnvironment, ...environment },
		terminal: {
			cols: 300,
			rows: 50,
			data(_, chunk) {
				shown.output += new TextDecoder().decode(chunk);
			},
		},
	});
	while (!shown.output.includes('listening url=')) await Bun.sleep(5);
	shown.url = /listening url=(\S+)/.exec(shown.output)?.[1] ?? '';
	return Object.assign(shown, { child });
}

/** Parses the lines of a JSON log. */
// biome-ignore lint/suspicious/noExplicitAny: the tests look into lines of every shape.
export function logLines(output: string): any[] {
	return output
		.split('\n')
		.filter(Boolean)
		.map((line) => JSON.parse(line));
}

type Signal = 'SIGTERM' | 'SIGINT' | 'SIGHUP' | 'SIGKILL';

/** The parts of a process that a {@link Program} needs. */
type Child = Pick<ReturnType<typeof spawn>, 'pid' | 'stdout' | 'exited'> & {
	stderr: { text(): Promise<string> };
	kill(signal: Signal): void;
};

/** A program that serves. */
export class Program {
	url = '';
	output = '';
	readonly #child: Child;
	/** Callbacks that wait for more output. */
	#waiting: (() => void)[] = [];
	#ended = false;
	#reading: Promise<void> | undefined;
	readonly #maxOutput: number;

	private constructor(child: Child, keepsOutput: boolean) {
		this.#child = child;
		this.#maxOutput = keepsOutput ? Number.POSITIVE_INFINITY : 65_536;
	}

	/** Starts the program and waits for its address. @throws Error when it ends before. */
	static start(launch: Launch): Promise<Program> {
		return Program.of(spawn(launch), launch.keepsOutput);
	}

	/** Waits for the address of a started program. */
	static async of(child: Child, keepsOutput = true): Promise<Program> {
		const program = new Program(child, keepsOutput);
		await program.#listening();
		return program;
	}

	async #listening(): Promise<void> {
		const address = /"message":"listening","url":"([^"]+)"/;
		this.#reading = this.#read();
		try {
			await this.wrote(address);
		} catch {
			throw new Error(`it did not start: ${this.output}${await this.#child.stderr.text()}`);
		}
		this.url = address.exec(this.output)?.[1] ?? '';
	}

	/** Keeps reading, because unread output blocks the program. */
	async #read(): Promise<void> {
		const decoder = new TextDecoder();
		for await (const chunk of this.#child.stdout) {
			this.output += decoder.decode(chunk, { stream: true });
			if (this.output.length > this.#maxOutput) this.output = this.output.slice(-this.#maxOutput / 2);
			this.#wake();
		}
		this.#ended = true;
		this.#wake();
	}

	#wake(): void {
		for (const wake of this.#waiting.splice(0)) wake();
	}

	get log() {
		return logLines(this.output);
	}

	get pid(): number {
		return this.#child.pid;
	}

	get exited(): Promise<number> {
		return this.#child.exited;
	}

	signal(signal: Signal): void {
		this.#child.kill(signal);
	}

	/** Ends the program with a signal. Returns its exit code once all output is read. */
	async end(signal: Signal = 'SIGTERM'): Promise<number> {
		this.#child.kill(signal);
		await this.#reading;
		return this.#child.exited;
	}

	/** Ends the program after its test. @throws Error when it fails */
	async [Symbol.asyncDispose](): Promise<void> {
		const code = await this.end();
		if (code !== 0) throw new Error(`it ended with ${code}: ${this.output}`);
	}

	/** Resolves once the output matches a pattern. */
	async wrote(pattern: RegExp): Promise<void> {
		while (!pattern.test(this.output)) {
			if (this.#ended) throw new Error(`it did not write ${pattern}: ${this.output}`);
			await new Promise<void>((resolve) => this.#waiting.push(resolve));
		}
	}

	/** Sends a request and accepts any certificate. */
	request(path: string, options: RequestInit = {}): Promise<Response> {
		// On a busy machine, the program may have just closed a kept connection after its ten seconds.
		return fetch(`${this.url}${path}`, { keepalive: false, ...options, tls: { rejectUnauthorized: false } });
	}

	/** Sends a request and reads the whole answer. */
	send(method: string, path: string, sent: Sent = {}): Promise<Answer> {
		return exchange((init) => this.request(path, init), method, sent);
	}

	/** Signs in to the back office for a token. */
	async signIn(username: string, password: string): Promise<string> {
		const { body } = await this.send('POST', '/api/auth/login', { body: { username, password } });
		return body.data.token;
	}
}
