/** The only HTTP client of the tests. */

// biome-ignore lint/suspicious/noExplicitAny: the tests look into answers of every shape.
export type Body = any;

/** The parts of a request. `body` is sent as JSON, and `raw` unchanged, under `contentType`. */
export interface Sent {
	token?: string | undefined;
	body?: unknown;
	raw?: string | Uint8Array;
	contentType?: string;
	headers?: Record<string, string>;
}

/** An answer; `body` is undefined unless it is JSON. */
export interface Answer {
	status: number;
	body: Body;
	headers: Headers;
	text: string;
	bytes: Uint8Array;
}

/** Sends a request through a real or simulated `fetch`, and reads the whole answer. */
export async function exchange(
	fetch: (init: RequestInit) => Promise<Response>,
	method: string,
	{ token, body, raw, contentType = 'application/json', headers: more }: Sent,
): Promise<Answer> {
	const headers = new Headers(more);
	if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
	const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
	if (payload !== undefined) {
		headers.set('content-type', contentType);
		// Every client sends a length, so this one does too: without it, the service makes room for the longest body.
		if (!headers.has('content-length')) headers.set('content-length', String(Buffer.byteLength(payload)));
	}
	const response = await fetch({ method, headers, body: payload ?? null });
	const bytes = await response.bytes();
	const text = new TextDecoder().decode(bytes);
	const { status, headers: answered } = response;
	const isJson = text !== '' && answered.get('content-type')?.startsWith('application/json');
	return { status, body: isJson ? JSON.parse(text) : undefined, headers: answered, text, bytes };
}
