/**
 * Reads bodies: within a limit per route, after the caller is known, and within one budget of memory for all bodies that are
 * read at the same time, so that slow uploads cannot fill it.
 */
import { MIMEType } from 'node:util';
import type { TSchema } from '@sinclair/typebox';
import { AppError, ruleBroken } from '../vocabulary/errors.ts';
import { tooBusy } from './reply.ts';
import { wholeFile } from './schema-types.ts';

/** The limit of most bodies, in bytes. */
const maxBody = 1_048_576;

/** The limit of bodies with passwords, in bytes: strangers send them. */
export const maxPasswordBody = 16_384;

/** In bytes, for all bodies together. */
const budget = 96 * 1_048_576;

/** A part of it, in bytes, is for small bodies only: large uploads cannot keep people from signing in. */
const keptForSmallBodies = 16 * 1_048_576;
const smallBody = 4096;

let used = 0;

/** What one body uses of the budget; released by `using`. */
class BodyShare implements Disposable {
	#bytes = 0;

	/** Makes it `bytes` large. @throws AppError SERVICE_UNAVAILABLE when the budget is used up. */
	growTo(bytes: number): void {
		const available = bytes > smallBody ? budget - keptForSmallBodies : budget;
		if (used + bytes - this.#bytes > available) throw tooBusy();
		used += bytes - this.#bytes;
		this.#bytes = bytes;
	}

	[Symbol.dispose](): void {
		used -= this.#bytes;
		this.#bytes = 0;
	}
}

/** What reading the body of a protected route takes. */
interface BodyContext {
	request: Request;
	/** Throws unless the request has a genuine token; the session plugin provides it. */
	requireToken(request: Request): void;
}

/**
 * The `body` of a protected route. It is read only for callers with a token. A route without `body` never reads one.
 * @throws AppError UNAUTHORIZED
 */
export function jsonBody<Schema extends TSchema>(schema: Schema, limit = maxBody) {
	async function parse({ request, requireToken }: BodyContext): Promise<unknown> {
		requireToken(request);
		return readJson(request, limit);
	}
	return { parse, body: schema };
}

/** The `body` of a public route. */
export function publicJsonBody<Schema extends TSchema>(schema: Schema, limit: number) {
	const parse = ({ request }: { request: Request }) => readJson(request, limit);
	return { parse, body: schema };
}

/** The bytes of a file. They count in the budget of all bodies until `using` gives them up. */
export interface ReceivedFile extends Disposable {
	bytes: Uint8Array;
}

/** A file that is sent as the body of a request; nothing of it is read yet. */
export interface Upload {
	/** Without parameters, in lower case. */
	contentType: string;
	/** The parameter of the content type, if there is one. */
	charset: string | undefined;
	/** Reads it. @throws AppError PAYLOAD_TOO_LARGE, SERVICE_UNAVAILABLE; BAD_REQUEST when the client breaks off. */
	receive(): Promise<ReceivedFile>;
}

/**
 * The `body` of a protected route that takes a file of one of some content types. The handler receives it, when the
 * permission is decided and the account has a turn.
 * @throws AppError UNAUTHORIZED
 */
export function fileBody(contentTypes: readonly string[], limit: number, description: string) {
	function parse({ request, requireToken }: BodyContext): Upload | null {
		requireToken(request);
		const type = mimeTypeOf(request.headers.get('content-type') ?? '');
		if (!type || !contentTypes.includes(type.essence)) return null;
		const receive = () => receiveFile(request, limit);
		return { contentType: type.essence, charset: type.params.get('charset') ?? undefined, receive };
	}
	const error = `须为文件，Content-Type 为 ${contentTypes.join(' 或 ')}`;
	return { parse, body: wholeFile<Upload>(contentTypes, { description, error }) };
}

async function receiveFile(request: Request, limit: number): Promise<ReceivedFile> {
	const share = new BodyShare();
	try {
		return Object.assign(share, { bytes: await readBytes(request, limit, share) });
	} catch (error) {
		share[Symbol.dispose]();
		throw error instanceof AppError ? error : ruleBroken('BAD_REQUEST', 'body', '文件没有完整收到');
	}
}

const refusals = new WeakMap<Request, AppError>();

/** Why the body of a request was not read, for example because it is too large. */
export function bodyRefusalOf(request: Request): AppError | undefined {
	return refusals.get(request);
}

/**
 * Reads a JSON object; null when there is none, which no schema allows. It does not throw, so that 403 is decided before
 * what is wrong with the body: a refusal is kept for {@link bodyRefusalOf}.
 */
async function readJson(request: Request, limit: number): Promise<object | null> {
	if (!isJson(request.headers.get('content-type') ?? '')) return null;
	using share = new BodyShare();
	try {
		const value: unknown = JSON.parse(strictUtf8.decode(await readBytes(request, limit, share)));
		return typeof value === 'object' && !Array.isArray(value) ? value : null;
	} catch (error) {
		// Anything else is malformed JSON or an upload that the client broke off.
		if (error instanceof AppError) refusals.set(request, error);
		return null;
	}
}

/** Refuses bytes that are not UTF-8: two different texts must not be stored as one. */
const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** Whether a content type is `application/json`, with any parameter but a charset other than UTF-8. */
function isJson(contentType: string): boolean {
	if (contentType === 'application/json') return true;
	const type = mimeTypeOf(contentType);
	return type?.essence === 'application/json' && /^utf-?8$/i.test(type.params.get('charset') ?? 'utf-8');
}

function mimeTypeOf(contentType: string): MIMEType | undefined {
	try {
		return new MIMEType(contentType);
	} catch {
		return undefined;
	}
}

/** @throws AppError PAYLOAD_TOO_LARGE or SERVICE_UNAVAILABLE, as soon as the limit or the budget is passed. */
async function readBytes(request: Request, limit: number, share: BodyShare): Promise<Uint8Array> {
	const declared = request.headers.get('content-length');
	if (declared !== null && !(Number(declared) <= limit)) throw tooLarge(limit);
	if (declared === null || Number(declared) > smallBody) return await readChunks(request, limit, share);
	share.growTo(Number(declared));
	return await request.bytes();
}

/** What the stream of a body in chunks takes besides its bytes, as measured with thousands of slow uploads. */
const streamOverhead = 131_072;

/**
 * Reads a body of which only what has arrived counts: a client can declare a length and send nothing. It is copied,
 * because tiny chunks take much more memory than their bytes.
 */
async function readChunks(request: Request, limit: number, share: BodyShare): Promise<Uint8Array> {
	share.growTo(streamOverhead);
	let buffer = new Uint8Array(0);
	let length = 0;
	for await (const chunk of request.body ?? []) {
		const needed = length + chunk.byteLength;
		if (needed > limit) throw tooLarge(limit);
		if (needed > buffer.byteLength) {
			const larger = Math.min(limit, Math.max(needed, 2 * buffer.byteLength));
			share.growTo(streamOverhead + larger);
			buffer = new Uint8Array(buffer.buffer.transfer(larger));
		}
		buffer.set(chunk, length);
		length = needed;
	}
	return buffer.subarray(0, length);
}

function tooLarge(limit: number): AppError {
	const size = limit < maxBody ? `${limit / 1024} KiB` : `${limit / 1_048_576} MiB`;
	return new AppError('PAYLOAD_TOO_LARGE', `请求体不能超过 ${size}`);
}
