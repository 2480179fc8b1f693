/**
 * Answers that are written to the connection part by part, each made when the client has taken the ones before, and only
 * some at a time: a hundred such requests at once need little more memory than one, and no other request waits for more
 * than a part.
 */
import pLimit, { type LimitFunction } from 'p-limit';
import { type AccountKey, accountOf } from '../vocabulary/accounts.ts';
import { givenWay } from './steps.ts';

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

/** The bytes of an answer, made when they are asked for. */
type Parts = Iterator<Uint8Array> | AsyncIterator<Uint8Array>;

/** Gives answers in parts. */
export type AnswerInParts = ReturnType<typeof createAnswerInParts>;

/** @param extendTimeout lets the answer to a request take this many seconds from now on. */
export function createAnswerInParts(
	extendTimeout: (request: Request, seconds: number) => void,
	limits = productionLimits,
) {
	const places = pLimit(limits.written);
	const accounts = new Map<string, LimitFunction>();

	function enterAs(account: string): Promise<() => void> {
		const own = accounts.get(account) ?? pLimit(limits.ofAccount);
		accounts.set(account, own);
		return enter(own, () => {
			if (own.activeCount + own.pendingCount === 0) accounts.delete(account);
		});
	}

	/**
	 * The parts, each made when the one before is taken. While the client takes nothing, the answer has no place. It still
	 * counts for its account: its connection may hold a full buffer.
	 */
	async function* inPlace(start: Uint8Array, parts: Parts, leaveAccount: () => void) {
		let leave: (() => void) | undefined = await enter(places);
		let pausing: Timer | undefined;
		try {
			for (let part: Uint8Array | undefined = start; part !== undefined; ) {
				pausing = setTimeout(() => {
					leave?.();
					leave = undefined;
				}, limits.pause);
				yield part;
				clearTimeout(pausing);
				leave ??= await enter(places);
				// A part may need no wait of its own: without this one, a list would be written in one go.
				await givenWay();
				const next = await parts.next();
				part = next.done ? undefined : next.value;
			}
		} finally {
			clearTimeout(pausing);
			leave?.();
			leaveAccount();
		}
	}

	/**
	 * An answer of these parts, once there is a place for it.
	 * @param actor who asks.
	 * @param writingSeconds how long the client may take to receive it, at most 255.
	 */
	return async function answerInParts(
		{ request, actor }: { request: Request; actor: AccountKey },
		parts: Parts,
		headers: Record<string, string>,
		writingSeconds = seconds.writing,
	): Promise<Response> {
		const { start, isAll } = await startOf(parts, limits.ordinary);
		if (isAll) return new Response(start, { headers });
		extendTimeout(request, seconds.waiting);
		const leaveAccount = await enterAs(accountOf(actor));
		const written = inPlace(start, parts, leaveAccount);
		let next: Promise<IteratorResult<Uint8Array>> | undefined = written.next();
		await next;
		extendTimeout(request, writingSeconds);
		const cancel = () => void written.return(undefined);
		// A client that hangs up may never ask for the next part.
		request.signal.addEventListener('abort', cancel);
		if (request.signal.aborted) cancel();
		async function pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
			const { value, done } = await (next ?? written.next());
			next = undefined;
			if (done) controller.close();
			else controller.enqueue(value);
		}
		// Nothing is read ahead of what the connection takes.
		return new Response(new ReadableStream({ pull, cancel }, { highWaterMark: 0 }), { headers });
	};
}

/** Waits for a place. @returns a function that gives it up. */
function enter(places: LimitFunction, onLeft = () => {}): Promise<() => void> {
	return new Promise((entered) => {
		void places(() => new Promise<void>((leave) => entered(leave))).finally(onLeft);
	});
}

/** The parts up to the size of an ordinary answer. */
async function startOf(parts: Parts, maxSize: number) {
	const start: Uint8Array[] = [];
	for (let size = 0; size <= maxSize; ) {
		const { value, done } = await parts.next();
		if (done) return { start: Buffer.concat(start), isAll: true };
		start.push(value);
		size += value.byteLength;
	}
	return { start: Buffer.concat(start), isAll: false };
}

const encoder = new TextEncoder();

/** The JSON of a value in which a generator stands for a list, and gives it part by part. */
export function jsonInParts(value: unknown): Iterator<Uint8Array> {
	return piecesOf(value).map((piece) => encoder.encode(piece));
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
