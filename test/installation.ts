/** The shared parts of the tests of commands: a stopped installation, commands on copies of it, and their leftovers. */
import { afterAll, expect, setDefaultTimeout } from 'bun:test';
import { copyFileSync, cpSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { hanging } from './hanging.ts';
import { children, compiled, type Ended, logLines, newFolder, Program, removeFolders, runToEnd } from './program.ts';
import { runHere } from './run-here.ts';
import { given, newInstallation, withDatabase } from './server.ts';
import { adminPassword } from './world.ts';

/** Leaves nothing behind the tests of this file, which may take long. */
export function removeFoldersAfterAll(): void {
	setDefaultTimeout(hanging);
	afterAll(removeFolders);
}

/** Runs one command on a data folder, in this process. */
export function access(folder: string, args: string[], input?: string): Promise<Ended> {
	return runHere(args, { DATA_DIR: folder, ...given }, input);
}

/** Runs one command of the compiled program on a data folder. */
export function accessBinary(folder: string, args: string[]): Promise<Ended> {
	return runToEnd({ command: [...compiled(), ...args], environment: { DATA_DIR: folder, ...given } });
}

/** Starts in this process, which must fail. */
export function failToStart(environment: Record<string, string>): Promise<Ended> {
	return runHere(['serve'], { DATA_DIR: newFolder(), ...environment });
}

/** Starts and stops a server in this process. @returns its log lines */
export async function startHere(environment: Record<string, string>, args: string[] = []) {
	const { code, stdout, stderr } = await runHere(['serve', ...args], environment);
	expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
	return logLines(stdout);
}

/**
 * Starts a server in this process, to test its answers, log and files. Use `serve` for a server that is killed, timed or
 * used by other processes. It starts `program` for its own commands.
 */
export function serveHere(environment: Record<string, string>, program = compiled()): Promise<Program> {
	const { readable, writable } = new TextEncoderStream();
	const output = writable.getWriter();
	const stopping = Promise.withResolvers<void>();
	const ended = runHere(['serve'], environment, '', {
		// Output after the end is lost, as with a process.
		write: (text) => output.write(String(text)).catch(() => {}),
		onStop: (stop) => void stopping.promise.then(stop),
		program,
	}).finally(() => {
		children.delete(child);
		return output.close();
	});
	const child = {
		pid: process.pid,
		stdout: readable,
		stderr: { text: async () => (await ended).stderr },
		exited: ended.then(({ code }) => code),
		kill: () => stopping.resolve(),
	};
	children.add(child);
	return Program.of(child);
}

export const oneLine = expect.stringMatching(/^[^\n]+\n$/);
export const failed = { code: 1, stdout: '', stderr: oneLine };

/** Fails the test unless a command failed with one line that contains all of this, and no standard output. */
export function expectFailed(ended: Ended, ...says: (string | RegExp)[]): void {
	expect(ended).toEqual(failed);
	for (const each of says) expect(ended.stderr).toMatch(each);
}

export const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
export const secretsOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8'));
export const databaseOf = (folder: string) => join(folder, 'access.db');

export function namesIn(path: string): string[] {
	return withDatabase(path, (database) =>
		database
			.query<{ name: string }, []>('select name from stores order by id')
			.all()
			.map(({ name }) => name),
	);
}

/** The files of a stopped server with given secrets: there is no write-ahead log. */
export const stoppedFolder = ['access.db', 'access.installed', 'access.lock'];

/** A stopped installation to copy from, and a backup of it. */
export const installed = { folder: '', backup: '' };

/** Makes {@link installed}: a store "甲店" and nothing else. */
export async function install(): Promise<void> {
	const folder = await newInstallation();
	const program = await serveHere({ DATA_DIR: folder, ...given });
	const token = await program.signIn('admin', adminPassword);
	await program.send('POST', '/api/stores', { token, body: { name: '甲店' } });
	await program.end();
	installed.folder = newFolder();
	// The write-ahead log is empty, but exists while this process holds a statement of that server.
	for (const name of stoppedFolder) copyFileSync(join(folder, name), join(installed.folder, name));
	installed.backup = join(newFolder(), 'good.db');
	await access(copyOfInstalled(), ['backup', installed.backup]);
}

export function copyOfInstalled(): string {
	const folder = newFolder();
	cpSync(installed.folder, folder, { recursive: true });
	return folder;
}

/** The content of the files in a folder, to see whether anything changed. */
export function contentsOf(folder: string): Record<string, string> {
	const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
	return Object.fromEntries(
		files.map((entry) => {
			const path = join(entry.parentPath, entry.name);
			return [path, String(Bun.hash(readFileSync(path)))];
		}),
	);
}
