/**
 * Reads the files of imports in processes of their own. No file can hold up the server then, whatever it does to a parser:
 * a Worker could not be stopped in the middle of a regular expression.
 */
import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { tooBusy } from '../http/reply.ts';
import type { Log } from '../machine/log.ts';
import type { ReadImport } from '../sheets/importing.ts';
import type { Layout } from '../sheets/layout.ts';
import { tableOf } from '../sheets/output.ts';
import type { ImportFile } from '../sheets/read-file.ts';
import { ruleBroken } from '../vocabulary/errors.ts';

/** What one reader may take. */
export interface ReaderLimits {
	milliseconds: number;
	/** Of memory, in bytes; it is looked at on Linux only. */
	memory: number;
}

const productionLimits: ReaderLimits = { milliseconds: 10_000, memory: 300 * 1_048_576 };

const tooCostly = (noun: string) => `文件过于复杂，请只保留要导入的${noun}后重试`;

/** How often the memory of a reader is looked at, in milliseconds. */
const lookEvery = 20;

/** Below that of the server: requests come first. */
const priority = 10;

/**
 * Reads files; its end kills the readers that run.
 * @param program how to run another command of this program.
 */
export function createImportReader(
	program: readonly string[],
	log: Log,
	limits = productionLimits,
): Disposable & { read: ReadImport } {
	const stopping = new AbortController();
	return {
		async read(layout: Layout, file: ImportFile, signal: AbortSignal) {
			const { contentType, charset, bytes, mode, keepsRows } = file;
			const asked = [layout.kind, mode, contentType, charset ?? '', ...(keepsRows ? ['rows'] : [])];
			const command = [...program, 'read-import', ...asked];
			const reader = startReader(command, bytes, limits, AbortSignal.any([signal, stopping.signal]));
			try {
				const table = await tableOf(linesOf(reader.stdout));
				if (table) return table;
				log.warn('the reader of an import was stopped', {
					signal: reader.signalCode,
					code: reader.exitCode,
					...limits,
				});
				throw ruleBroken('PAYLOAD_TOO_LARGE', 'body', tooCostly(layout.noun));
			} finally {
				reader.kill();
			}
		},
		[Symbol.dispose]: () => stopping.abort(),
	};
}

/** Without the environment, which has the secrets, and away from the data folder. */
function startReader(
	command: string[],
	input: Uint8Array,
	{ milliseconds, memory }: ReaderLimits,
	signal: AbortSignal,
) {
	try {
		const reader = Bun.spawn(command, {
			cwd: '/',
			env: {},
			stdin: input,
			stdout: 'pipe',
			stderr: 'ignore',
			timeout: milliseconds,
			killSignal: 'SIGKILL',
			signal,
		});
		setPriority(reader.pid, priority);
		const watch = setInterval(() => {
			if (residentBytes(reader.pid) > memory) reader.kill();
		}, lookEvery);
		void reader.exited.finally(() => clearInterval(watch));
		return reader;
	} catch (error) {
		throw tooBusy(error);
	}
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
