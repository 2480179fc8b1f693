/** Reads JSON bodies: within a limit per route and one budget for all, and after the caller is known. */
import { MIMEType } from 'node:util';
import type { TSchema } from '@sinclair/typebox';
import { AppError } from '../errors.ts';
import { BodyShare } from './body-budget.ts';
import { uploadedFile } from './schema-types.ts';

/** The limit of most bodies, in bytes. */
export const largestBody = 1_048_576;

/** The limit of bodies with passwords, in bytes: strangers send them. */
export const largestPasswordBody = 16_384;

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
export function jsonBody<Schema extends TSchema>(schema: Schema, limit = largestBody) {
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

/** A file that was sent as the body of a request. */
export interface UploadedFile {
	/** Without parameters, in lower case. */
	contentType: string;
	/** The parameter of the content type, if there is one. */
	charset: string | undefined;
	bytes: Uint8Array;
}

/**
 * The `body` of a protected route that takes a file of one of some content types. It is read only for callers with a token.
 * @throws AppError UNAUTHORIZED
 */
export function fileBody(contentTypes: readonly string[], limit: number, description: string) {
	async function parse({ request, requireToken }: BodyContext): Promise<UploadedFile | null> {
		await requireToken(request);
		const type = mimeTypeOf(request.headers.get('content-type') ?? '');
		if (!type || !contentTypes.includes(type.essence)) return null;
		try {
			const bytes = await readBytes(request, limit);
			return { contentType: type.essence, charset: type.params.get('charset') ?? undefined, bytes };
		} catch (error) {
			if (error instanceof AppError) refusals.set(request, error);
			return null;
		}
	}
	return { parse, body: uploadedFile<UploadedFile>(contentTypes, description) };
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
	try {
		const value: unknown = JSON.parse(strictUtf8.decode(await readBytes(request, limit)));
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
async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
	using share = new BodyShare();
	const declared = request.headers.get('content-length');
	if (declared === null) return await readChunks(request, limit, share);
	if (!(Number(declared) <= limit)) throw tooLarge(limit);
	share.growTo(Number(declared));
	return await request.bytes();
}

/** What the stream of a body in chunks takes besides its bytes, as measured with thousands of slow uploads. */
const streamOverhead = 131_072;

/** Reads a body without a declared length. It is copied, because tiny chunks take much more memory than their bytes. */
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
			buffer = copyInto(new Uint8Array(larger), buffer);
		}
		buffer.set(chunk, length);
		length = needed;
	}
	return buffer.subarray(0, length);
}

function copyInto(target: Uint8Array<ArrayBuffer>, source: Uint8Array): Uint8Array<ArrayBuffer> {
	target.set(source);
	return target;
}

function tooLarge(limit: number): AppError {
	const size = limit < largestBody ? `${limit / 1024} KiB` : `${limit / 1_048_576} MiB`;
	return new AppError('PAYLOAD_TOO_LARGE', `请求体不能超过 ${size}`);
}
