/** What the tests of commands share: a stopped installation, commands on copies of it, and what they left. */
import { expect, spyOn } from 'bun:test';
import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessContext } from '../src/commands/process.ts';
import { runCommandLine } from '../src/commands/run.ts';
import { callingUser } from '../src/machine/user-name.ts';
import { requireSound } from './campaigns/database.ts';
import {
	baseEnvironment,
	compiled,
	type Ended,
	fromSource,
	logLines,
	newFolder,
	Program,
	runToEnd,
	spawn,
} from './program.ts';
import { given, newInstallation, serve, withDatabase } from './server.ts';
import { adminPassword } from './world.ts';

const { hash } = Bun.password;

/**
 * Runs a command line in this process, which takes less time than to start another one. The test does nothing else
 * meanwhile. A command that is killed, timed, run beside others or as another user is started with `spawn`, `runToEnd` or
 * {@link accessBinary}.
 */
export async function runHere(
	args: string[],
	environment: Record<string, string> = {},
	input = '',
	more: Partial<ProcessContext> = {},
): Promise<Ended> {
	const ended = { code: 0, stdout: '', stderr: '' };
	const context: ProcessContext = {
		environment: { ...baseEnvironment, ...environment },
		async write(text) {
			ended.stdout += text;
		},
		isTerminal: false,
		report(line) {
			ended.stderr += `${line}\n`;
		},
		user: callingUser(environment),
		userId: process.getuid?.(),
		platform: process.platform,
		ask: (_question, byDefault) => input || byDefault,
		input: new Blob([input]),
		program: fromSource,
		// A start that should fail, but does not, ends at once.
		onStop: (stop) => stop(),
		onUnforeseen() {},
		...more,
	};
	const leave = enterProgram();
	try {
		ended.code = await runCommandLine(context, args);
		return ended;
	} finally {
		leave();
	}
}

/** How many commands run in this process: the first one changes it, and the last one changes it back. */
let running = 0;
let leaveLast = () => {};

/** Files are as private as those of the program, and a hash costs little: that is what the tests of signing in are about. */
function enterProgram(): () => void {
	running += 1;
	if (running === 1) {
		const mask = process.umask(0o077);
		const cheap = { algorithm: 'argon2id', memoryCost: 8, timeCost: 2 } as const;
		const hashing = spyOn(Bun.password, 'hash').mockImplementation((password) => hash(password, cheap));
		leaveLast = () => {
			hashing.mockRestore();
			process.umask(mask);
		};
	}
	return () => {
		running -= 1;
		if (running === 0) leaveLast();
	};
}

/** Runs one command on a data folder, in this process. */
export function access(folder: string, args: string[], input?: string): Promise<Ended> {
	return runHere(args, { DATA_DIR: folder, ...given }, input);
}

/** Runs one command of the compiled program on a data folder. */
export function accessBinary(folder: string, args: string[], input?: string): Promise<Ended> {
	const environment = { DATA_DIR: folder, ...given };
	return runToEnd({ command: [...compiled(), ...args], environment, ...(input !== undefined && { input }) });
}

/** A start in this process that must fail. */
export function failToStart(environment: Record<string, string>): Promise<Ended> {
	return runHere(['serve'], { DATA_DIR: newFolder(), ...environment });
}

/** A start in this process, and a stop at once; the lines of its log. */
export async function startHere(environment: Record<string, string>, args: string[] = []) {
	const { code, stdout, stderr } = await runHere(['serve', ...args], environment);
	expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
	return logLines(stdout);
}

/**
 * A server in this process: for what it answers, logs and leaves. One that is killed or timed, or that other processes
 * meet, is started with `serve`.
 */
export function serveHere(environment: Record<string, string>): Promise<Program> {
	const { readable, writable } = new TextEncoderStream();
	const output = writable.getWriter();
	const stopping = Promise.withResolvers<void>();
	const ended = runHere(['serve'], environment, '', {
		// What comes after the end is lost, as it is with a process.
		write: (text) => output.write(text).catch(() => {}),
		onStop: (stop) => void stopping.promise.then(stop),
		program: compiled(),
	}).finally(() => output.close());
	return Program.of({
		pid: process.pid,
		stdout: readable,
		stderr: { text: async () => (await ended).stderr },
		exited: ended.then(({ code }) => code),
		kill: () => stopping.resolve(),
	});
}

export const oneLine = expect.stringMatching(/^[^\n]+\n$/);
export const failed = { code: 1, stdout: '', stderr: oneLine };
export const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
export const secretsOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8'));
export const databaseOf = (folder: string) => join(folder, 'access.db');

/** Fails the test when a database is damaged or a row points at nothing. */
export const expectSound = requireSound;

export function namesIn(path: string): string[] {
	return withDatabase(path, (database) =>
		database
			.query<{ name: string }, []>('select name from stores order by id')
			.all()
			.map(({ name }) => name),
	);
}

/** One installation that was stopped, to copy from, and a backup of it. */
export const installed = { folder: '', backup: '' };

/** Makes {@link installed}: a store "甲店" and nothing else. */
export async function install(): Promise<void> {
	installed.folder = await newInstallation();
	const program = await serve({ DATA_DIR: installed.folder });
	const token = await program.signIn('admin', adminPassword);
	await program.send('POST', '/api/stores', { token, body: { name: '甲店' } });
	await program.end();
	installed.backup = join(newFolder(), 'good.db');
	await access(copyOfInstalled(), ['backup', installed.backup]);
}

export function copyOfInstalled(): string {
	const folder = newFolder();
	cpSync(installed.folder, folder, { recursive: true });
	return folder;
}

/** What is in the files of a folder, to see whether anything changed. */
export function contentsOf(folder: string): Record<string, string> {
	const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
	return Object.fromEntries(
		files.map((entry) => {
			const path = join(entry.parentPath, entry.name);
			return [path, String(Bun.hash(readFileSync(path)))];
		}),
	);
}

export function damage(path: string): void {
	const content = readFileSync(path);
	content.fill(0xff, 4096 * 2, 4096 * 4);
	writeFileSync(path, content);
}

/** Runs a command until it has said something on stderr, then a little longer, then kills it; its exit code or null. */
export async function killAfter(
	folder: string,
	args: string[],
	said: string,
	milliseconds: number,
): Promise<number | null> {
	const child = spawn({ command: [...compiled(), ...args], environment: { DATA_DIR: folder, ...given } });
	let heard = '';
	for await (const chunk of child.stderr) {
		heard += new TextDecoder().decode(chunk);
		if (heard.includes(said)) break;
	}
	await Bun.sleep(milliseconds);
	child.kill('SIGKILL');
	await child.exited;
	return child.exitCode;
}
