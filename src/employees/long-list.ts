/**
 * Answers with a whole list, however long it is. A short list is an ordinary answer. A long one is written to the
 * connection part by part, each read when the client has taken the ones before.
 */
import type { AnswerInParts, LongRequest } from '../http/answer-in-parts.ts';

/**
 * @param answerOf makes the answer from a list; the list has to be the last value in it.
 * @param parts the list. If the first part is the only one, the answer is an ordinary one.
 */
export async function answerWithList<Item, Answer>(
	answerInParts: AnswerInParts,
	asked: LongRequest,
	answerOf: (items: Item[]) => Answer,
	parts: AsyncGenerator<Item[]>,
): Promise<Answer> {
	const first = await parts.next();
	if (first.done) return answerOf([]);
	const second = parts.next();
	if ((await second).done) return answerOf(first.value);
	const pieces = bytesOf(JSON.stringify(answerOf([])), [first, await second], parts);
	// Elysia passes a Response on as it is; its types do not know of one beside a response schema.
	return (await answerInParts(asked, pieces, { 'content-type': 'application/json' })) as Answer;
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
