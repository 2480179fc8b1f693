/**
 * Answers that are written to the connection part by part, each made when the client has taken the ones before, and only
 * some at a time: a hundred such requests at once need little more memory than one, and no other request waits for more
 * than a part.
 */
import pLimit, { type LimitFunction } from 'p-limit';

/** How long an answer may wait for its turn, the most that Bun allows, and how long a client may take to receive it. */
const seconds = { waiting: 255, writing: 60 };

const productionLimits = {
	/** How many answers are written at a time; the buffers of each take up to 2 MB. */
	written: 20,
	/** How many of one account. */
	ofAccount: 3,
	/** Answers up to this size, in bytes, are ordinary ones, which need no place. */
	ordinary: 65_536,
	/** How long a client may take nothing before its place goes to another one, in milliseconds. */
	pause: 10_000,
};

/** A request that is answered in parts. */
export interface LongRequest {
	request: Request;
	/** Who asks. */
	account: string;
}

/**
 * An answer of these parts, once there is a place for it.
 * @param writingSeconds how long the client may take to receive it, at most 255.
 */
export type AnswerInParts = (
	asked: LongRequest,
	parts: AsyncGenerator<Uint8Array>,
	headers: Record<string, string>,
	writingSeconds?: number,
) => Promise<Response>;

/** @param extendTimeout lets the answer to a request take this many seconds from now on. */
export function createAnswerInParts(
	extendTimeout: (request: Request, seconds: number) => void,
	limits = productionLimits,
): AnswerInParts {
	const places = pLimit(limits.written);
	const accounts = new Map<string, LimitFunction>();

	function enterAs(account: string): Promise<() => void> {
		const own = accounts.get(account) ?? pLimit(limits.ofAccount);
		accounts.set(account, own);
		return enter(own, () => {
			if (own.activeCount + own.pendingCount === 0) accounts.delete(account);
		});
	}

	return async function answerInParts({ request, account }, parts, headers, writingSeconds = seconds.writing) {
		const { start, isAll } = await startOf(parts, limits.ordinary);
		if (isAll) return new Response(start, { headers });
		extendTimeout(request, seconds.waiting);
		const leaveAccount = await enterAs(account);
		const answer = longAnswer({ start, parts, pause: limits.pause, enter: () => enter(places), leaveAccount });
		await answer.takePlace();
		extendTimeout(request, writingSeconds);
		// A client that hangs up may never ask for the next part.
		request.signal.addEventListener('abort', answer.cancel);
		if (request.signal.aborted) answer.cancel();
		// Nothing is read ahead of what the connection takes.
		return new Response(new ReadableStream(answer, { highWaterMark: 0 }), { headers });
	};
}

/** Waits for a place. @returns a function that gives it up. */
function enter(places: LimitFunction, onLeft = () => {}): Promise<() => void> {
	return new Promise((entered) => {
		void places(() => new Promise<void>((leave) => entered(leave))).finally(onLeft);
	});
}

/** The parts up to the size of an ordinary answer. */
async function startOf(parts: AsyncGenerator<Uint8Array>, maxSize: number) {
	const start: Uint8Array[] = [];
	for (let size = 0; size <= maxSize; ) {
		const { value, done } = await parts.next();
		if (done) return { start: Buffer.concat(start), isAll: true };
		start.push(value);
		size += value.byteLength;
	}
	return { start: Buffer.concat(start), isAll: false };
}

interface LongAnswer {
	/** What comes before the parts. */
	start: Uint8Array;
	parts: AsyncGenerator<Uint8Array>;
	pause: number;
	enter(): Promise<() => void>;
	leaveAccount(): void;
}

/**
 * The source of an answer's bytes. While the client takes nothing, the answer has no place. It still counts for its
 * account: its connection may hold a full buffer.
 */
function longAnswer({ start, parts, pause, enter, leaveAccount }: LongAnswer) {
	let next: Promise<IteratorResult<Uint8Array>> | undefined = Promise.resolve({ value: start, done: false });
	let leave: (() => void) | undefined;
	let pausing: Timer | undefined;

	async function takePlace(): Promise<void> {
		leave ??= await enter();
	}

	function givePlace(): void {
		leave?.();
		leave = undefined;
	}

	/** When everything is written, cannot be read, or is no longer wanted. */
	function cancel(): void {
		clearTimeout(pausing);
		givePlace();
		leaveAccount();
	}

	async function pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
		clearTimeout(pausing);
		try {
			await takePlace();
			// A part may need no wait of its own: without this one, a list would be written in one go.
			await new Promise((resolve) => setImmediate(resolve));
			const { value, done } = await (next ?? parts.next());
			next = undefined;
			if (done) {
				cancel();
				return controller.close();
			}
			controller.enqueue(value);
			pausing = setTimeout(givePlace, pause);
		} catch (error) {
			cancel();
			throw error;
		}
	}

	return { takePlace, pull, cancel };
}

const encoder = new TextEncoder();

/** The JSON of a value in which a generator stands for a list, and gives it part by part. */
export async function* jsonInParts(value: unknown): AsyncGenerator<Uint8Array> {
	for (const piece of piecesOf(value)) yield encoder.encode(piece);
}

function* piecesOf(value: unknown): Generator<string> {
	if (Array.isArray(value) || typeof value !== 'object' || value === null) return yield JSON.stringify(value);
	const isList = Symbol.iterator in value;
	yield isList ? '[' : '{';
	yield* isList ? itemsOf(value as Iterable<unknown[]>) : fieldsOf(value);
	yield isList ? ']' : '}';
}

function* itemsOf(parts: Iterable<unknown[]>): Generator<string> {
	let separator = '';
	for (const part of parts) {
		yield separator + part.map((item) => JSON.stringify(item)).join(',');
		separator = ',';
	}
}

function* fieldsOf(value: object): Generator<string> {
	let separator = '';
	for (const [name, field] of Object.entries(value)) {
		yield `${separator}${JSON.stringify(name)}:`;
		yield* piecesOf(field);
		separator = ',';
	}
}
