/**
 * Reads the files of imports in processes of their own. No file can hold up the server then, whatever it does to a parser:
 * a Worker could not be stopped in the middle of a regular expression.
 */
import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { tooBusy } from '../http/reply.ts';
import { givenWay } from '../http/steps.ts';
import type { Log } from '../machine/log.ts';
import type { ReadImport } from '../sheets/importing.ts';
import type { Layout } from '../sheets/layout.ts';
import { inputOf, tableOf } from '../sheets/output.ts';
import type { ImportFile } from '../sheets/read-file.ts';
import { ruleBroken } from '../vocabulary/errors.ts';

/** What one reader may take. */
export interface ReaderLimits {
	milliseconds: number;
	/** Of memory, in bytes; it is looked at on Linux only. */
	memory: number;
}

const productionLimits: ReaderLimits = { milliseconds: 10_000, memory: 300 * 1_048_576 };

/** How long a reader waits for its file, in milliseconds: people check a file, and import it some minutes later. */
const defaultWait = 600_000;

const tooCostly = (noun: string) => `文件过于复杂，请只保留要导入的${noun}后重试`;

/** How often a reader that has its file is looked at, in milliseconds. */
const lookEvery = 20;

/** Below that of the server: requests come first. */
const priority = 10;

/**
 * Reads files; its end kills the readers. A reader reads one file. Then the next one is started and waits, because its start
 * takes longer than most files.
 * @param program how to run another command of this program.
 */
export function createImportReader(
	program: readonly string[],
	log: Log,
	limits = productionLimits,
	maxWait = defaultWait,
): Disposable & { read: ReadImport } {
	const stopping = new AbortController();
	let waiting: Reader | undefined;
	let dismissal: Timer | undefined;

	function takeReader(): Reader {
		const reader = waiting;
		waiting = undefined;
		clearTimeout(dismissal);
		return reader?.killed === false ? reader : startReader(program, stopping.signal);
	}

	function prepareReader(): void {
		if (waiting?.killed === false || stopping.signal.aborted) return;
		try {
			waiting = startReader(program, stopping.signal);
			clearTimeout(dismissal);
			dismissal = setTimeout(dismissReader, maxWait).unref();
		} catch {
			// The next import starts one, or says why it cannot.
		}
	}

	function dismissReader(): void {
		waiting?.kill('SIGKILL');
		waiting = undefined;
	}

	return {
		async read(layout: Layout, file: ImportFile, signal: AbortSignal) {
			// A waiting reader that the system has just killed is noticed in a later turn.
			await Bun.sleep(1);
			const reader = takeReader();
			try {
				void send(reader, inputOf(layout, file));
				watch(reader, limits, signal);
				const table = await tableOf(linesOf(reader.stdout));
				if (table) return table;
				log.warn('the reader of an import was stopped', {
					signal: reader.signalCode,
					code: reader.exitCode,
					...limits,
				});
				throw ruleBroken('PAYLOAD_TOO_LARGE', 'body', tooCostly(layout.noun));
			} finally {
				reader.kill('SIGKILL');
				prepareReader();
				// What is done with the table takes long: others are served before it.
				await givenWay();
			}
		},
		[Symbol.dispose]: () => stopping.abort(),
	};
}

type Reader = ReturnType<typeof startReader>;

/** Without the environment, which has the secrets, and away from the data folder. @throws AppError SERVICE_UNAVAILABLE */
function startReader(program: readonly string[], signal: AbortSignal) {
	try {
		const reader = Bun.spawn([...program, 'read-import'], {
			cwd: '/',
			env: {},
			stdin: 'pipe',
			stdout: 'pipe',
			stderr: 'ignore',
			killSignal: 'SIGKILL',
			signal,
		});
		setPriority(reader.pid, priority);
		return reader;
	} catch (error) {
		throw tooBusy(error);
	}
}

async function send({ stdin }: Reader, parts: readonly Uint8Array[]): Promise<void> {
	try {
		for (const part of parts) await stdin.write(part);
		await stdin.end();
	} catch {
		// It has ended before it had all: its output shows why.
	}
}

/** Kills a reader that takes too much, or whose caller has gone. */
function watch(reader: Reader, { milliseconds, memory }: ReaderLimits, signal: AbortSignal): void {
	const end = performance.now() + milliseconds;
	const looking = setInterval(() => {
		if (signal.aborted || performance.now() > end || residentBytes(reader.pid) > memory) reader.kill('SIGKILL');
	}, lookEvery);
	void reader.exited.finally(() => clearInterval(looking));
}

/** The memory of a process, or 0 where it is not known. */
function residentBytes(pid: number): number {
	try {
		const kibibytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
		return Number(kibibytes ?? 0) * 1024;
	} catch {
		return 0;
	}
}

async function* linesOf(output: ReadableStream<Uint8Array>): AsyncGenerator<string> {
	const decoder = new TextDecoder();
	let rest = '';
	for await (const chunk of output) {
		const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
		rest = lines.pop() ?? '';
		yield* lines;
	}
}
