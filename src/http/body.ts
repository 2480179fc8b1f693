/** How JSON bodies are read: never further than the limit, and never into an error of the parser's own. */
import type { TSchema } from '@sinclair/typebox';

/** 1 MiB (decisions, "body size"). */
export const largestBody = 1_048_576;

const json = /^application\/json[\t ]*(?:;[\t ]*charset="?utf-8"?[\t ]*)?$/i;

/**
 * A route's `body`, read by {@link readJson}. A route without it never looks at its body, whatever that holds
 * (decisions, "No body").
 */
export function jsonBody<Schema extends TSchema>(schema: Schema) {
	return { parse: readJson, body: schema };
}

/**
 * Reads a JSON body. What is not a JSON object becomes null, an ordinary invalid body: so a stranger's half a JSON is
 * refused as a stranger's, not as half a JSON. A body that is too large becomes null too, and is remembered.
 */
async function readJson({ request }: { request: Request }): Promise<unknown> {
	if (!json.test(request.headers.get('content-type') ?? '')) return null;
	const bytes = await readBytes(request);
	if (!bytes) {
		oversized.add(request);
		return null;
	}
	try {
		const value: unknown = JSON.parse(strictUtf8.decode(bytes));
		return typeof value === 'object' && !Array.isArray(value) ? value : null;
	} catch {
		return null;
	}
}

/** Bytes that are no UTF-8 are refused: two different texts must not be stored as one. */
const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

const oversized = new WeakSet<Request>();

/** Whether a request was refused because its body is larger than {@link largestBody}. */
export function isOversized(request: Request): boolean {
	return oversized.has(request);
}

/** The body, or undefined when it is too large. */
async function readBytes(request: Request): Promise<Uint8Array | undefined> {
	const declared = request.headers.get('content-length');
	if (declared !== null) return Number(declared) > largestBody ? undefined : request.bytes();
	// Sent in chunks: only counting tells how long it is.
	const chunks: Uint8Array[] = [];
	let length = 0;
	for await (const chunk of request.body ?? []) {
		length += chunk.byteLength;
		if (length > largestBody) return undefined;
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}
