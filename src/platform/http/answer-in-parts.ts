/**
 * Answers that are written part by part, each made when the client has taken the ones before, and only some at a time: a
 * hundred at once need little more memory than one, and no other request waits for more than a part.
 */
import pLimit from 'p-limit';
import { yieldToRequests } from '../machine/background.ts';
import type { Log } from '../machine/log.ts';
import { tooBusy } from './reply.ts';

/** The longest that Bun lets an answer wait for its turn, and then be written, in seconds. */
const maxSeconds = 255;

/** How many answers are written at a time, where the buffers of each take up to 2 MB, and how many wait. */
const productionLimits = { written: 20, waiting: 40, seconds: maxSeconds };

/** The bytes of an answer, made when they are asked for. */
type Parts = IteratorObject<Uint8Array> | AsyncIteratorObject<Uint8Array>;

export type AnswerInParts = ReturnType<typeof createAnswerInParts>;

/** @param extendTimeout lets the answer to a request take this many seconds from now on. */
export function createAnswerInParts(
	extendTimeout: (request: Request, seconds: number) => void,
	log: Pick<Log, 'info'>,
	{ written, waiting, seconds } = productionLimits,
) {
	const places = pLimit(written);

	/**
	 * An answer of these parts, once there is a place for it. The place is free again when all is taken, the client is gone,
	 * or its time is over.
	 * @throws AppError SERVICE_UNAVAILABLE when too many wait.
	 */
	return function answerInParts(request: Request, parts: Parts, headers: Record<string, string>): Promise<Response> {
		if (places.pendingCount >= waiting) throw tooBusy();
		extendTimeout(request, maxSeconds);
		const answer = Promise.withResolvers<Response>();
		void places(async () => {
			extendTimeout(request, seconds);
			const began = performance.now();
			const signal = AbortSignal.any([request.signal, AbortSignal.timeout(seconds * 1000)]);
			const ended = Promise.withResolvers<Sent>();
			answer.resolve(new Response(streamOf(parts, signal, ended.resolve), { headers }));
			const { bytes, isWhole } = await ended.promise;
			// The line of the request is written when the answer begins.
			const path = new URL(request.url).pathname;
			const ms = Math.round(performance.now() - began);
			if (path.endsWith('/export')) log.info(isWhole ? 'export done' : 'export ended early', { path, bytes, ms });
		});
		return answer.promise;
	};
}

/** What a client took of an answer. */
interface Sent {
	bytes: number;
	isWhole: boolean;
}

/** Nothing is read ahead of what the connection takes. A client that hangs up may never ask for the next part. */
function streamOf(parts: Parts, signal: AbortSignal, leave: (sent: Sent) => void): ReadableStream<Uint8Array> {
	const sent = { bytes: 0, isWhole: false };
	async function end(): Promise<void> {
		leave(sent);
		await parts.return?.();
	}
	signal.addEventListener('abort', end);
	if (signal.aborted) void end();
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
			controller.error(error);
		}
		await end();
	}
	return new ReadableStream({ pull, cancel: end }, { highWaterMark: 0 });
}
