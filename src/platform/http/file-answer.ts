/** Answers that are saved as a file, and exports, which are written part by part. */
import { yieldToRequests } from '../machine/background.ts';
import type { Log } from '../machine/log.ts';
import { loggableOf } from './failure.ts';
import { choice, wholeFile } from './fields.ts';
import { createSemaphore } from './semaphore.ts';

export const csvType = 'text/csv';
export const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const exportFormats = ['xlsx', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];

const fileTypes = { csv: `${csvType}; charset=utf-8`, xlsx: xlsxType };

const savedFile = (types: string[]) => wholeFile(types, { description: 'The file.', headers: ['Content-Disposition'] });

/** A file in any of these formats, and one that is always a workbook. */
export const ExportedFile = savedFile([xlsxType, csvType]);
export const SpreadsheetFile = savedFile([xlsxType]);

/** The format of an export, in a query. */
export const exportFormat = choice(exportFormats, 'The format of the file; xlsx when absent.', 'csv');

/** The headers of an answer that is saved as a file. */
export function fileHeaders(name: string, format: ExportFormat): Record<string, string> {
	return { 'content-type': fileTypes[format], 'content-disposition': `attachment; filename="${name}.${format}"` };
}

/** Lets the answer to a request take this many seconds from now on: the server's idle timeout also ends one that waits. */
export type ExtendTimeout = (request: Request, seconds: number) => void;

/** Bun's longest timeout of a request, in seconds. */
const maxSeconds = 255;

/** The number of answers that are written at a time, each with buffers of up to 2 MB, and of those that wait. */
const productionLimits = { running: 20, waiting: 40, seconds: maxSeconds };

/** The bytes of an answer, made when they are asked for. */
type Parts = AsyncIteratorObject<Uint8Array>;

export type AnswerInParts<Caller> = ReturnType<typeof createAnswerInParts<Caller>>;

interface Dependencies<Caller> {
	extendTimeout: ExtendTimeout;
	/** Checks the rights of a caller who waited. @throws AppError */
	requireStillPermitted: (caller: Caller) => Caller;
	log: Pick<Log, 'info' | 'error'>;
}

/**
 * Exports, which are written part by part, and only a few at a time. A part is made once the client has taken the
 * previous ones. So a hundred need little more memory than one, and no other request waits for more than a part.
 */
export function createAnswerInParts<Caller>(
	{ extendTimeout, requireStillPermitted, log }: Dependencies<Caller>,
	{ running, waiting, seconds } = productionLimits,
) {
	const semaphore = createSemaphore({ running, waiting });

	/**
	 * An answer of the parts that `makeParts` makes for the caller, once it has its turn. The turn ends when all is taken,
	 * the client is gone, or its time is over.
	 * @throws AppError SERVICE_UNAVAILABLE when too many wait; what `requireStillPermitted` and `makeParts` throw.
	 */
	return async function answerInParts(
		{ caller, request }: { caller: Caller; request: Request },
		makeParts: (caller: Caller) => Parts,
		headers: Record<string, string>,
	): Promise<Response> {
		extendTimeout(request, maxSeconds);
		using held = new DisposableStack();
		held.use(await semaphore.enter());
		extendTimeout(request, seconds);
		const parts = makeParts(requireStillPermitted(caller));
		const began = performance.now();
		const sent: Sent = { bytes: 0, isWhole: false };
		held.defer(() => {
			// The line of the request is written when the answer begins.
			const path = new URL(request.url).pathname;
			const facts = { path, bytes: sent.bytes, ms: Math.round(performance.now() - began) };
			if (sent.failure !== undefined) log.error('export failed', { ...facts, ...loggableOf(sent.failure) });
			else log.info(sent.isWhole ? 'export done' : 'export ended early', facts);
		});
		const signal = AbortSignal.any([request.signal, AbortSignal.timeout(seconds * 1000)]);
		return new Response(streamOf(parts, signal, sent, held.move()), { headers });
	};
}

/** What the client received, and the failure to make the rest, which nothing else reports. */
interface Sent {
	bytes: number;
	isWhole: boolean;
	failure?: unknown;
}

/**
 * Nothing is read ahead of what the connection takes. A client that hangs up may never ask for the next part.
 * @param sent receives the outcome @param held is disposed at the end
 */
function streamOf(parts: Parts, signal: AbortSignal, sent: Sent, held: DisposableStack) {
	const end = () => held.dispose();
	signal.addEventListener('abort', end);
	if (signal.aborted) end();
	async function pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
		try {
			// A part may need no wait of its own: without this one, a file would be written in one go.
			await yieldToRequests();
			signal.throwIfAborted();
			const { value, done } = await parts.next();
			if (!done) {
				sent.bytes += value.length;
				return controller.enqueue(value);
			}
			sent.isWhole = true;
			controller.close();
		} catch (error) {
			if (!signal.aborted) sent.failure = error;
			controller.error(error);
		}
		end();
	}
	return new ReadableStream({ pull, cancel: end }, { highWaterMark: 0 });
}
