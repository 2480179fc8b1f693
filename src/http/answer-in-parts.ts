/**
 * Answers that are written to the connection part by part, each made when the client has taken the ones before, and only
 * some at a time: a hundred such requests at once need little more memory than one, and no other request waits for more
 * than a part.
 */

/** How many answers are written at a time; the buffers of each take up to 2 MB. */
const writtenAtOnce = 20;

// The memory belongs to the whole process, so there is one count. Our own code: a place is held until the connection has
// taken the answer, while p-limit would hold it until a function returns.
let writing = 0;
const waiting: (() => void)[] = [];

/** The connection of a request. */
export interface Connection {
	request: Request;
	/** Lets the answer take this many seconds from now on. */
	extendTimeout: (request: Request, seconds: number) => void;
}

/** How long an answer may wait for its turn, the most that Bun allows, and how long a client may take to receive it. */
const seconds = { waiting: 255, writing: 60 };

/**
 * An answer of these parts, once there is a place for it.
 * @param writingSeconds how long the client may take to receive it, at most 255.
 */
export async function answerInParts(
	{ request, extendTimeout }: Connection,
	parts: AsyncGenerator<Uint8Array>,
	headers: Record<string, string>,
	writingSeconds = seconds.writing,
): Promise<Response> {
	extendTimeout(request, seconds.waiting);
	const leave = await enter();
	extendTimeout(request, writingSeconds);
	// A client that hangs up may never ask for the next part.
	request.signal.addEventListener('abort', leave);
	if (request.signal.aborted) leave();
	return responseOf(parts, headers, leave);
}

/** Waits for a place among the answers that are written. @returns a function that gives it up, once. */
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

/** Calls `leave` when everything is written, cannot be read, or is no longer wanted. */
function responseOf(parts: AsyncGenerator<Uint8Array>, headers: Record<string, string>, leave: () => void): Response {
	const source = {
		async pull(controller: ReadableStreamDefaultController<Uint8Array>) {
			try {
				const { value, done } = await parts.next();
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
	return new Response(new ReadableStream(source, { highWaterMark: 0 }), { headers });
}
