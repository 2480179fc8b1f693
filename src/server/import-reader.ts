/**
 * Reads the files of imports, and marks their problems, in separate processes. No file can hold up the server, whatever
 * it does to a parser: a Worker could not be stopped in the middle of a regular expression.
 */
import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import type { ImportReader } from '../features/files/import.ts';
import { tooBusy } from '../platform/http/reply.ts';
import { yieldToRequests } from '../platform/machine/background.ts';
import type { Log } from '../platform/machine/log.ts';
import { businessError, orUndefined } from '../platform/vocabulary/errors.ts';
import { because } from '../platform/vocabulary/reasons.ts';

export type ReaderLimits = typeof productionLimits;

const mebibyte = 1_048_576;

const productionLimits = {
	milliseconds: 10_000,
	/** Memory in bytes, measured on Linux only. */
	memory: 300 * mebibyte,
	/** The size of the answer in bytes. The server holds it in memory and reads it in one go. */
	answer: 12 * mebibyte,
};

const tooCostly = (noun: string) => because('file_too_complex', `文件过于复杂，请只保留要导入的${noun}后重试`);

/** The interval at which the memory of a reader is measured, in milliseconds. */
const measureInterval = 20;

/** Lower than the server's, because requests come first. */
const priority = 10;

/** Bun's last compiler is off, because it does not pay off for one file: 5,000 lines take a fifth less processor time. */
const environment = { BUN_JSC_useFTLJIT: '0' };

/**
 * Makes the reader, which starts a process for each file. Disposing the reader kills them.
 * @param program the command of this program
 */
export function createImportReader(
	program: readonly string[],
	log: Log,
	limits = productionLimits,
): Disposable & ImportReader {
	const stopping = new AbortController();

	/** @throws AppError SERVICE_UNAVAILABLE when no process starts; PAYLOAD_TOO_LARGE when it does not end well. */
	async function runTask(input: Blob, noun: string, signal: AbortSignal): Promise<Uint8Array> {
		const end = AbortSignal.any([signal, stopping.signal]);
		const reader = startReader(program, input, limits, end);
		const watching = setInterval(() => {
			if (readResidentBytes(reader.pid) > limits.memory) reader.kill('SIGKILL');
		}, measureInterval);
		try {
			const answer = await new Response(reader.stdout).bytes();
			if ((await reader.exited) === 0) return answer;
		} finally {
			clearInterval(watching);
			// The work on the answer takes long, so other requests are served first.
			await yieldToRequests();
		}
		const { signalCode, exitCode } = reader;
		// A client that has gone, or a stop of the server, is no fault of the file.
		if (!end.aborted)
			log.warn('the reader of an import was stopped', { signal: signalCode, code: exitCode, ...limits });
		throw businessError('PAYLOAD_TOO_LARGE', 'body', tooCostly(noun));
	}

	return {
		async read(layout, file, signal) {
			const { encodeTask, decodeTable } = await readerTask();
			const answer = await runTask(encodeTask(layout, file), layout.noun, signal);
			return decodeTable(new TextDecoder().decode(answer));
		},
		async mark(layout, file, findings, signal) {
			const { encodeTask } = await readerTask();
			return runTask(encodeTask(layout, file, findings), layout.noun, signal);
		},
		[Symbol.dispose]: () => stopping.abort(),
	};
}

/** Loads the file formats on demand, because a start does not need them. */
const readerTask = () => import('../features/files/reader-task.ts');

/**
 * Starts a process without the server's environment, which has the secrets, and outside the data folder.
 * @throws AppError SERVICE_UNAVAILABLE
 */
function startReader(
	program: readonly string[],
	input: Blob,
	{ milliseconds, answer }: ReaderLimits,
	signal: AbortSignal,
) {
	try {
		const reader = Bun.spawn([...program, 'read-import'], {
			cwd: '/',
			env: environment,
			stdin: input,
			stdout: 'pipe',
			stderr: 'ignore',
			timeout: milliseconds,
			maxBuffer: answer,
			killSignal: 'SIGKILL',
			signal,
		});
		setPriority(reader.pid, priority);
		return reader;
	} catch (error) {
		throw tooBusy(error);
	}
}

/** The memory of a process, or 0 if it is unknown. */
function readResidentBytes(pid: number): number {
	const status = orUndefined(() => readFileSync(`/proc/${pid}/status`, 'utf8')) ?? '';
	const [, kibibytes = 0] = /^VmRSS:\s+(\d+)/m.exec(status) ?? [];
	return Number(kibibytes) * 1024;
}
