/** How JSON bodies are read: never further than the limit, and never into an error of the parser's own. */
import type { TSchema } from '@sinclair/typebox';
import { AppError } from '../errors.ts';
import { httpMessages } from './messages.ts';

/** 1 MiB (decisions, "body size"). */
export const largestBody = 1_048_576;

const json = /^application\/json[\t ]*(?:;|$)/i;

/**
 * A route's `body`, read by {@link readJson}. A route without it never looks at its body, whatever that holds
 * (decisions, "No body").
 */
export function jsonBody<Schema extends TSchema>(schema: Schema) {
	return { parse: readJson, body: schema };
}

/**
 * Reads a JSON body. What is not JSON becomes null, an ordinary invalid body: so a stranger's half a JSON is
 * refused as a stranger's, not as half a JSON.
 * @throws AppError PAYLOAD_TOO_LARGE
 */
async function readJson({ request }: { request: Request }): Promise<unknown> {
	if (!json.test(request.headers.get('content-type') ?? '')) return null;
	const text = await readText(request);
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}

async function readText(request: Request): Promise<string> {
	const declared = request.headers.get('content-length');
	if (declared !== null) {
		if (Number(declared) > largestBody) throw tooLarge();
		return request.text();
	}
	// Sent in chunks: only counting tells how long it is.
	const decoder = new TextDecoder();
	let length = 0;
	let text = '';
	for await (const chunk of request.body ?? []) {
		length += chunk.byteLength;
		if (length > largestBody) throw tooLarge();
		text += decoder.decode(chunk, { stream: true });
	}
	return text + decoder.decode();
}

function tooLarge(): AppError {
	return new AppError('PAYLOAD_TOO_LARGE', httpMessages.tooLarge);
}
