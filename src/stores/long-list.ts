/**
 * Answers with a whole list, however long it is. A short list is an ordinary answer. A long one is written to the
 * connection part by part, each read when the client has taken the ones before, so that a hundred such answers take no
 * more memory than one, and no request waits for more than a part.
 */

/**
 * @param answerOf makes the answer from a list; the list has to be the last value in it.
 * @param parts the list. The first part decides: if it is the only one, the answer is returned as it is.
 */
export async function answerWithList<Item, Answer>(
	answerOf: (items: Item[]) => Answer,
	parts: AsyncGenerator<Item[]>,
): Promise<Answer> {
	const first = await parts.next();
	const second = await parts.next();
	const items = first.done ? [] : first.value;
	if (second.done) return answerOf(items);
	const texts = textsOf(JSON.stringify(answerOf([])), [items, second.value], parts);
	// Elysia passes a Response on as it is; its types do not know of one beside a response schema.
	return responseOf(texts) as Answer;
}

/** The JSON of an answer with an empty list, filled with the items. */
async function* textsOf<Item>(empty: string, begun: Item[][], rest: AsyncGenerator<Item[]>): AsyncGenerator<string> {
	const start = empty.lastIndexOf('[]') + 1;
	let before = empty.slice(0, start);
	try {
		for (const part of begun) {
			if (part.length === 0) continue;
			yield before + JSON.stringify(part).slice(1, -1);
			before = ',';
		}
		for await (const part of rest) {
			if (part.length > 0) yield before + JSON.stringify(part).slice(1, -1);
		}
		yield empty.slice(start);
	} finally {
		await rest.return(undefined);
	}
}

function responseOf(texts: AsyncGenerator<string>): Response {
	const encoder = new TextEncoder();
	const source = {
		async pull(controller: ReadableStreamDefaultController<Uint8Array>) {
			const { value, done } = await texts.next();
			if (done) controller.close();
			else controller.enqueue(encoder.encode(value));
		},
		async cancel() {
			await texts.return(undefined);
		},
	};
	// Nothing is read ahead of what the connection takes.
	const body = new ReadableStream(source, { highWaterMark: 0 });
	return new Response(body, { headers: { 'content-type': 'application/json' } });
}
