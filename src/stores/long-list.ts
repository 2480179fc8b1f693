/**
 * Answers with a whole list, however long it is. A short list is an ordinary answer. A long one is written to the
 * connection part by part, each read when the client has taken the ones before, and only some are written at a time: a
 * hundred such requests at once need little more memory than one, and no other request waits for more than a part.
 */

/** How many long lists are written at a time; the buffers of each take up to 2 MB. */
const writtenAtOnce = 20;

// The memory belongs to the whole process, so there is one count. Our own code: a place is held until the connection has
// taken the list, while p-limit would hold it until a function returns.
let writing = 0;
const waiting: (() => void)[] = [];

/** The connection of a request. */
export interface Connection {
	request: Request;
	/** Lets the answer take this many seconds from now on. */
	extendTimeout: (request: Request, seconds: number) => void;
}

/** How long a long list may wait for its turn, the most that Bun allows, and how long a client may take to receive it. */
const seconds = { waiting: 255, writing: 60 };

/**
 * @param answerOf makes the answer from a list; the list has to be the last value in it.
 * @param parts the list. If the first part is the only one, the answer is an ordinary one.
 */
export async function answerWithList<Item, Answer>(
	{ request, extendTimeout }: Connection,
	answerOf: (items: Item[]) => Answer,
	parts: AsyncGenerator<Item[]>,
): Promise<Answer> {
	const first = await parts.next();
	if (first.done) return answerOf([]);
	const second = parts.next();
	if ((await second).done) return answerOf(first.value);
	extendTimeout(request, seconds.waiting);
	const leave = await enter();
	extendTimeout(request, seconds.writing);
	// A client that hangs up may never ask for the next part.
	request.signal.addEventListener('abort', leave);
	if (request.signal.aborted) leave();
	const pieces = bytesOf(JSON.stringify(answerOf([])), [first, await second], parts);
	// Elysia passes a Response on as it is; its types do not know of one beside a response schema.
	return responseOf(pieces, leave) as Answer;
}

/** Waits for a place among the lists that are written. @returns a function that gives it up, once. */
async function enter(): Promise<() => void> {
	if (writing >= writtenAtOnce) await new Promise<void>((resolve) => waiting.push(resolve));
	else writing += 1;
	let isLeft = false;
	return () => {
		if (isLeft) return;
		isLeft = true;
		// The place goes to the next one that waits.
		const next = waiting.shift();
		if (next) next();
		else writing -= 1;
	};
}

const encoder = new TextEncoder();

/** The JSON of an answer with an empty list, filled with the items. Each part is one string and one array of bytes. */
async function* bytesOf<Item>(
	empty: string,
	begun: IteratorResult<Item[]>[],
	rest: AsyncGenerator<Item[]>,
): AsyncGenerator<Uint8Array> {
	const start = empty.lastIndexOf('[]');
	yield encoder.encode(empty.slice(0, start));
	let opening = '[';
	for (const { value: part } of begun) {
		if (part.length === 0) continue;
		yield unclosed(part, opening);
		opening = ',';
	}
	for await (const part of rest) {
		if (part.length > 0) yield unclosed(part, opening);
	}
	yield encoder.encode(empty.slice(start + 1));
}

/** The JSON of a list without its last bracket, and with another character for its first. */
function unclosed(items: unknown[], opening: string): Uint8Array {
	const bytes = encoder.encode(JSON.stringify(items));
	bytes[0] = opening.charCodeAt(0);
	return bytes.subarray(0, -1);
}

/** Calls `leave` when everything is written, cannot be read, or is no longer wanted. */
function responseOf(pieces: AsyncGenerator<Uint8Array>, leave: () => void): Response {
	const source = {
		async pull(controller: ReadableStreamDefaultController<Uint8Array>) {
			try {
				const { value, done } = await pieces.next();
				if (!done) return controller.enqueue(value);
				leave();
				controller.close();
			} catch (error) {
				leave();
				throw error;
			}
		},
		cancel: leave,
	};
	// Nothing is read ahead of what the connection takes.
	const body = new ReadableStream(source, { highWaterMark: 0 });
	return new Response(body, { headers: { 'content-type': 'application/json' } });
}
