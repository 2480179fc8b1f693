/** The service manager of the machine. */
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { parseJson } from '../../platform/machine/durable-file.ts';
import { OperationError } from '../../platform/vocabulary/errors.ts';

/** Starts and stops services. Each call resolves when that is done. */
export type ServiceManager = ReturnType<typeof systemd>;

export const service = 'access.service';

/** Reads the units again, and clears failures. It names patterns: a unit that is not loaded is an error. */
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
		/** Reads the units again, enables one, and starts it. It may still end at once. */
		async start(unit: string) {
			await reload();
			await run(['systemctl', 'enable', '--quiet', unit]);
			await run(['systemctl', 'start', unit]);
		},
		stop: (unit: string) => run(['systemctl', 'stop', unit]),
		/** Stops a unit, and keeps it from starting with the machine. */
		disable: (unit: string) => run(['systemctl', 'disable', '--now', '--quiet', unit]),
		/** Whether the program has ended, even if systemd has restarted it. */
		async hasEnded() {
			const state = await run(['systemctl', 'show', '--property=ActiveState,NRestarts', service]);
			return !(/^ActiveState=active$/m.test(state) && /^NRestarts=0$/m.test(state));
		},
		/** The time of the last start, in milliseconds; infinite without one. systemd counts microseconds since the boot. */
		async startedAt() {
			const shown = await run(['systemctl', 'show', '--property=ActiveEnterTimestampMonotonic', service]);
			const uptime = Number.parseFloat(readFileSync('/proc/uptime', 'utf8')) * 1000;
			return Date.now() - uptime + (Number(shown.split('=')[1]) || Number.POSITIVE_INFINITY) / 1000;
		},
		logSince: (at: Date) =>
			run(['journalctl', `_SYSTEMD_UNIT=${service}`, `--since=@${at.getTime() / 1000}`, '--output=cat', '--no-pager']),
	};
}

export interface RunOptions {
	/** Whether the command is one of this program, which reports its failure as a sentence. */
	isOwn?: boolean;
	/** Receives each line that the command reports. */
	report?: (line: string) => void;
	/** The time that the command may be silent, in milliseconds. */
	patience?: number;
	/** Ends the command; its reason is the error. */
	signal?: AbortSignal;
}

/** Runs a command. @returns its standard output. @throws OperationError with its error message */
export async function run(command: readonly string[], options: RunOptions = {}): Promise<string> {
	const { report, patience = 0 } = options;
	const late = new AbortController();
	const signal = AbortSignal.any([late.signal, options.signal ?? late.signal]);
	// Detached, because Ctrl+C would reach every process of the terminal, also those of a rollback.
	const streams = { stdout: 'pipe', stderr: 'pipe', stdin: 'ignore' } as const;
	const child = Bun.spawn([...command], { ...streams, detached: true, signal });
	const end = () => late.abort(new OperationError(`it did nothing for ${patience / 1000} seconds`));
	const timer = patience > 0 ? setTimeout(end, patience) : undefined;
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
	signal.throwIfAborted();
	// A new process is in the group of its parent for a moment.
	if (child.signalCode === 'SIGINT') return run(command, options);
	if (child.signalCode) throw new OperationError(`it was ended by ${child.signalCode}`);
	if (options.isOwn) throw new OperationError(findLastMessage(said) || `it ended with ${code}`);
	throw new OperationError(`${command.join(' ')} failed: ${said.join(' ') || `it ended with ${code}`}`);
}

/** The last message of a log, without the trace of an error. */
export function findLastMessage(lines: readonly string[]): string {
	const line = lines.findLast((each) => !/^\s*(at .*)?$/.test(each)) ?? '';
	const { message = line, error } = (parseJson(line) ?? {}) as { message?: string; error?: string };
	return error === undefined ? message : `${message}: ${error}`;
}
