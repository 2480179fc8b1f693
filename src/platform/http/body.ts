/** Reads bodies: within a limit per route, after the caller is known, and within the memory that is left for them. */
import { MIMEType } from 'node:util';
import type { TSchema } from '@sinclair/typebox';
import type { Context } from 'elysia';
import { parseJson } from '../machine/durable-file.ts';
import { type CallerKey, callerLabel } from '../vocabulary/accounts.ts';
import { AppError, businessError, orUndefined } from '../vocabulary/errors.ts';
import { clientNetwork } from '../vocabulary/network.ts';
import { because, type Reason } from '../vocabulary/reasons.ts';
import { wholeFile } from './fields.ts';
import { reportIgnoredFields } from './ignored.ts';
import { findJsonFault } from './json-fault.ts';
import { httpMessages, invalidRequest, tooBusy } from './reply.ts';

/** The limit of most bodies, in bytes. */
const maxBody = 1_048_576;

/** The limit of bodies with passwords, in bytes: strangers send them. */
export const maxPasswordBody = 16_384;

/** Bodies up to this size, in bytes, take less memory than their connection, so refusing them saves nothing. */
const small = 1024;

/**
 * Memory, in bytes, for bodies that arrive at the same time. A holder may take at most as much as it leaves to the
 * others, so slow uploads cannot use it up. A body is always accepted while thousands of its size would still fit.
 */
function createBudget(total: number) {
	let free = total;
	const heldBy = new Map<string, number>();
	/** The memory of one body, which `using` releases. */
	return (holder: string) => {
		let taken = 0;
		const hold = (bytes: number) => {
			taken += bytes;
			free -= bytes;
			const held = (heldBy.get(holder) ?? 0) + bytes;
			if (held > 0) heldBy.set(holder, held);
			else heldBy.delete(holder);
		};
		return {
			/** @throws AppError SERVICE_UNAVAILABLE when the holder has too much of what is left. */
			take(bytes: number): void {
				const hasTooMuch = (heldBy.get(holder) ?? 0) + bytes > free - bytes;
				if (hasTooMuch && bytes > Math.max(small, free / 4096)) throw tooBusy();
				hold(bytes);
			},
			[Symbol.dispose]: () => hold(-taken),
		};
	};
}

type Share = ReturnType<ReturnType<typeof createBudget>>;

const forAccounts = createBudget(96 * 1_048_576);
/** Counted by network and kept apart, so that anonymous uploads never take memory from accounts. */
const forStrangers = createBudget(32 * 1_048_576);

interface BodyContext {
	request: Request;
	address: string;
	requestId: string;
	set: Context['set'];
	/** Throws unless the request has a genuine token or key; the session plugin provides it. */
	requireToken(context: Pick<BodyContext, 'request' | 'address' | 'requestId'>): Promise<CallerKey>;
}

/**
 * The `body` of a protected route. It is read only for callers with a token. A route without `body` never reads one.
 * @throws AppError UNAUTHORIZED
 */
export function jsonBody<Schema extends TSchema>(schema: Schema, limit = maxBody) {
	async function parse({ requireToken, request, address, requestId, set }: BodyContext) {
		const caller = await requireToken({ request, address, requestId });
		return readJson({ request, set }, schema, limit, forAccounts(callerLabel(caller)));
	}
	return { parse, body: schema };
}

/** The `body` of a public route. */
export function publicJsonBody<Schema extends TSchema>(schema: Schema, limit: number) {
	async function parse({ request, address, set }: Pick<BodyContext, 'request' | 'address' | 'set'>) {
		return readJson({ request, set }, schema, limit, forStrangers(clientNetwork(address, 56)));
	}
	return { parse, body: schema };
}

/** The `body` of a public route that takes a form. A body of any other type counts as an empty form. */
export function publicFormBody(limit: number) {
	async function parse({ request, address }: { request: Request; address: string }): Promise<URLSearchParams> {
		using share = forStrangers(clientNetwork(address, 56));
		const type = mimeTypeOf(request.headers);
		if (type?.essence !== 'application/x-www-form-urlencoded') return new URLSearchParams();
		return new URLSearchParams(new TextDecoder().decode(await readBytes(request, limit, share)));
	}
	return { parse, body: wholeFile<URLSearchParams>([], {}) };
}

/** The bytes of a file. They count against the budget of the account until `using` releases them. */
export interface ReceivedFile extends Disposable {
	bytes: Uint8Array<ArrayBuffer>;
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
 * The `body` of a protected route that takes a file of one of some content types. The handler receives it after
 * the check of the permission, when the account has its turn.
 * @throws AppError UNAUTHORIZED
 */
export function fileBody(contentTypes: readonly string[], limit: number, description: string) {
	async function parse({ requireToken, request, address, requestId }: BodyContext): Promise<Upload | null> {
		const account = callerLabel(await requireToken({ request, address, requestId }));
		const type = mimeTypeOf(request.headers);
		if (!type || !contentTypes.includes(type.essence)) return null;
		const receive = () => receiveFile(request, limit, forAccounts(account));
		return { contentType: type.essence, charset: type.params.get('charset') ?? undefined, receive };
	}
	const error = `须为文件，Content-Type 为 ${contentTypes.join(' 或 ')}`;
	return { parse, body: wholeFile<Upload>(contentTypes, { description, error }) };
}

async function receiveFile(request: Request, limit: number, share: Share): Promise<ReceivedFile> {
	try {
		return Object.assign(share, { bytes: await readBytes(request, limit, share) });
	} catch (error) {
		share[Symbol.dispose]();
		throw error;
	}
}

const refusals = new WeakMap<Request, AppError>();

/** The reason why the body of a request was not read, such as its size. */
export function bodyRefusalOf(request: Request): AppError | undefined {
	return refusals.get(request);
}

/**
 * Reads a JSON object; null when there is none, which no schema allows. It does not throw, so that 403 is decided
 * before the form of the body: a refusal is kept for {@link bodyRefusalOf}.
 */
async function readJson(
	{ request, set }: Pick<BodyContext, 'request' | 'set'>,
	schema: TSchema,
	limit: number,
	given: Share,
): Promise<object | null> {
	if (request.body === null) return null;
	using share = given;
	try {
		requireReadable(request.headers);
		const value = parseBody(await readBytes(request, limit, share));
		reportIgnoredFields(set, schema, value);
		return typeof value === 'object' && !Array.isArray(value) ? value : null;
	} catch (error) {
		if (!(error instanceof AppError)) throw error;
		refusals.set(request, error);
		return null;
	}
}

/** A body must be JSON in UTF-8 as it is sent. @throws AppError VALIDATION_ERROR */
function requireReadable(headers: Headers): void {
	const encoding = headers.get('content-encoding') ?? 'identity';
	if (encoding.toLowerCase() !== 'identity') throw refusal('headers.content-encoding', httpMessages.encodedBody);
	const type = mimeTypeOf(headers);
	if (type?.essence !== 'application/json') throw refusal('headers.content-type', httpMessages.wrongContentType);
	const isUtf8 = /^utf-?8$/i.test(type.params.get('charset') ?? 'utf-8');
	if (!isUtf8) throw refusal('headers.content-type', httpMessages.notUtf8);
}

/** The length in characters up to which a fault is located, because that takes time. */
const maxSearched = 100_000;

/** @throws AppError VALIDATION_ERROR with the place of the fault */
function parseBody(bytes: Uint8Array): unknown {
	if (bytes.length === 0) return null;
	const text = orUndefined(() => strictUtf8.decode(bytes));
	if (text === undefined) throw refusal('body', httpMessages.notUtf8);
	const value = parseJson(text);
	if (value !== undefined) return value;
	if (text.length > maxSearched) throw refusal('body', httpMessages.brokenJson);
	const { line, column } = findJsonFault(text);
	throw refusal('body', httpMessages.brokenJsonAt(line, column));
}

const refusal = (path: string, reason: Reason) => invalidRequest([{ path, ...reason }]);

/** Refuses bytes that are not UTF-8: two different texts must not be stored as one. */
const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** The content type of a body; undefined without a proper one. */
function mimeTypeOf(headers: Headers): MIMEType | undefined {
	return orUndefined(() => new MIMEType(headers.get('content-type') ?? ''));
}

/** The memory of a body's stream besides its bytes, as measured with thousands of slow uploads. */
const streamOverhead = 131_072;

/**
 * Reads a body. Reserves all memory that it may need at once, so nothing is counted while it arrives.
 * @throws AppError PAYLOAD_TOO_LARGE, SERVICE_UNAVAILABLE; BAD_REQUEST when the client breaks off.
 */
async function readBytes(request: Request, limit: number, share: Share): Promise<Uint8Array<ArrayBuffer>> {
	const declared = request.headers.get('content-length');
	if (declared !== null && !(Number(declared) <= limit)) throw tooLarge(limit);
	share.take(declared === null ? limit + streamOverhead : Number(declared));
	try {
		return declared === null ? await collectChunks(request, limit) : new Uint8Array(await request.arrayBuffer());
	} catch (error) {
		if (error instanceof AppError) throw error;
		throw businessError('BAD_REQUEST', 'body', because('upload_incomplete', '内容没有完整收到'));
	}
}

/** Copies the chunks of a body, because tiny ones take much more memory than their bytes. @throws AppError PAYLOAD_TOO_LARGE */
async function collectChunks(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
	const buffer = new Uint8Array(limit);
	let length = 0;
	for await (const chunk of request.body ?? []) {
		if (length + chunk.byteLength > limit) throw tooLarge(limit);
		buffer.set(chunk, length);
		length += chunk.byteLength;
	}
	return buffer.subarray(0, length);
}

/** The refusal of a body of more than `limit` bytes. */
export function tooLarge(limit = maxBody): AppError {
	const size = limit < maxBody ? `${limit / 1024} KB` : `${limit / 1_048_576} MB`;
	return new AppError('PAYLOAD_TOO_LARGE', because('body_too_large', `内容不能超过 ${size}`, { limit }));
}
