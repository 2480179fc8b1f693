/**
 * Reads the files of imports, and writes what imports find in them, in processes of their own. No file can hold up the server
 * then, whatever it does to a parser: a Worker could not be stopped in the middle of a regular expression.
 */
import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import type { ImportReader } from '../features/files/import.ts';
import { tooBusy } from '../platform/http/reply.ts';
import { givenWay } from '../platform/machine/background.ts';
import type { Log } from '../platform/machine/log.ts';
import { businessError } from '../platform/vocabulary/errors.ts';

export interface ReaderLimits {
	milliseconds: number;
	/** Of memory, in bytes; it is looked at on Linux only. */
	memory: number;
	/** What it may answer, in bytes: the server holds it in memory, and reads it in one go. */
	answer: number;
}

const mebibyte = 1_048_576;

const productionLimits: ReaderLimits = { milliseconds: 10_000, memory: 300 * mebibyte, answer: 12 * mebibyte };

const tooCostly = (noun: string) => `文件过于复杂，请只保留要导入的${noun}后重试`;

/** How often the memory of a reader is looked at, in milliseconds. */
const lookEvery = 20;

/** Below that of the server: requests come first. */
const priority = 10;

/** Starts a process for each file; its end kills them. @param program how to run another command of this program. */
export function createImportReader(
	program: readonly string[],
	log: Log,
	limits = productionLimits,
): Disposable & ImportReader {
	const stopping = new AbortController();

	/** @throws AppError SERVICE_UNAVAILABLE when no process starts; PAYLOAD_TOO_LARGE when it does not end well. */
	async function answerTo(input: Blob, noun: string, signal: AbortSignal): Promise<Uint8Array> {
		const reader = startReader(program, input, limits, AbortSignal.any([signal, stopping.signal]));
		const watching = setInterval(() => {
			if (residentBytes(reader.pid) > limits.memory) reader.kill('SIGKILL');
		}, lookEvery);
		try {
			const answer = await new Response(reader.stdout).bytes();
			if ((await reader.exited) === 0) return answer;
		} finally {
			clearInterval(watching);
			// What is done with the answer takes long: others are served before it.
			await givenWay();
		}
		const { signalCode, exitCode } = reader;
		log.warn('the reader of an import was stopped', { signal: signalCode, code: exitCode, ...limits });
		throw businessError('PAYLOAD_TOO_LARGE', 'body', tooCostly(noun));
	}

	return {
		async read(layout, file, signal) {
			const { inputOf, tableIn } = await readerTask();
			const answer = await answerTo(inputOf(layout, file), layout.noun, signal);
			return tableIn(new TextDecoder().decode(answer));
		},
		async mark(layout, file, findings, signal) {
			const { inputOf } = await readerTask();
			return answerTo(inputOf(layout, file, findings), layout.noun, signal);
		},
		[Symbol.dispose]: () => stopping.abort(),
	};
}

/** With the formats of files, which a start does not need. */
const readerTask = () => import('../features/files/reader-task.ts');

/** Without the environment, which has the secrets, and away from the data folder. @throws AppError SERVICE_UNAVAILABLE */
function startReader(
	program: readonly string[],
	input: Blob,
	{ milliseconds, answer }: ReaderLimits,
	signal: AbortSignal,
) {
	try {
		const reader = Bun.spawn([...program, 'read-import'], {
			cwd: '/',
			env: {},
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

/** The memory of a process, or 0 where it is not known. */
function residentBytes(pid: number): number {
	try {
		const kibibytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
		return Number(kibibytes ?? 0) * 1024;
	} catch {
		return 0;
	}
}
