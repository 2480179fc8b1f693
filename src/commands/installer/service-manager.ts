/** Starting and stopping the service. */
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { parseJson } from '../../platform/machine/durable-file.ts';
import { OperationError } from '../../platform/vocabulary/errors.ts';

/** What starts services on a machine; each call ends when that is done. */
export type ServiceManager = ReturnType<typeof systemd>;

const service = 'access.service';

/** Reads the units again, and forgets what failed before. Patterns, because a unit that is not loaded would be an error. */
async function reload(): Promise<void> {
	await run(['systemctl', 'daemon-reload']);
	await run(['systemctl', 'reset-failed', 'access.*', 'access-watch.*']);
}

/** The service manager of Linux; units have the names of their files. */
export function systemd() {
	return {
		isThere: () => existsSync('/run/systemd/system'),
		makeUser: (name: string) => run(['systemd-sysusers', '--inline', `u ${name} - "Access service" /var/lib/access`]),
		reload,
		/** Reads the units again, lets one start with the machine, and starts it. It may still end at once. */
		async start(unit: string) {
			await reload();
			await run(['systemctl', 'enable', '--quiet', unit]);
			await run(['systemctl', 'start', unit]);
		},
		stop: (unit: string) => run(['systemctl', 'stop', unit]),
		/** Stops a unit, which no longer starts with the machine. */
		disable: (unit: string) => run(['systemctl', 'disable', '--now', '--quiet', unit]),
		/** Whether the program that was started has ended, even if it is started again. */
		async hasEnded() {
			const state = await run(['systemctl', 'show', '--property=ActiveState,NRestarts', service]);
			return !(/^ActiveState=active$/m.test(state) && /^NRestarts=0$/m.test(state));
		},
		logSince: (at: Date) =>
			run(['journalctl', `_SYSTEMD_UNIT=${service}`, `--since=@${at.getTime() / 1000}`, '--output=cat', '--no-pager']),
	};
}

interface RunOptions {
	/** Gets each line that the command says about its work. */
	report?: (line: string) => void;
	/** For how long it may say nothing, in milliseconds. */
	patience?: number;
}

/** Runs a command. @returns what it wrote to standard output. @throws OperationError with what it said. */
export async function run(command: readonly string[], { report, patience }: RunOptions = {}): Promise<string> {
	const child = Bun.spawn([...command], { stdout: 'pipe', stderr: 'pipe', stdin: 'ignore' });
	let isLate = false;
	const end = () => {
		isLate = true;
		child.kill();
	};
	const timer = patience === undefined ? undefined : setTimeout(end, patience);
	const listen = async () => {
		const said: string[] = [];
		for await (const line of createInterface({ input: Readable.fromWeb(child.stderr) })) {
			timer?.refresh();
			report?.(line);
			said.push(line);
		}
		return said;
	};
	const [written, said, code] = await Promise.all([child.stdout.text(), listen(), child.exited]);
	clearTimeout(timer);
	if (code === 0) return written.trim();
	if (isLate) throw new OperationError(`it did nothing for ${(patience ?? 0) / 1000} seconds`);
	if (child.signalCode) throw new OperationError(`it was ended by ${child.signalCode}`);
	// What this program itself says is a sentence; other commands are named.
	if (report !== undefined) throw new OperationError(lastOf(said) || `it ended with ${code}`);
	throw new OperationError(`${command.join(' ')} failed: ${said[0] ?? `it ended with ${code}`}`);
}

/** The last of the lines of a log as a sentence, without the trace of an error. */
export function lastOf(lines: readonly string[]): string {
	const line = lines.findLast((each) => !/^\s*(at .*)?$/.test(each)) ?? '';
	const { message = line, error } = (parseJson(line) ?? {}) as { message?: string; error?: string };
	return error === undefined ? message : `${message}: ${error}`;
}
