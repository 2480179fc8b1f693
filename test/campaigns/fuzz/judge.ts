/** What the contract says about a request as it was sent, and whether the answer is one that it allows. */
import { agreesWithWords } from '../../contract.ts';
import type { Draft } from './draft.ts';
import type { Contents, JsonSchema, Parameter, Target } from './schema.ts';

/** What a request must come to. */
export type Verdict = 'valid' | 'invalid' | 'either';

/** A request as it went out. */
export interface SentRequest {
	target: Target;
	draft: Draft;
	body: Uint8Array | undefined;
}

/** An answer as it came in. */
export interface Received {
	status: number;
	headers: Headers;
	text: string;
}

/** The largest body that an operation reads, in bytes. */
const limitOf = ({ hashes }: Target) => (hashes ? 16_384 : 1_048_576);

/** What the schema, and the rules that a schema cannot express, say about a request. Permissions are not considered. */
export function verdictOn({ target, draft, body }: SentRequest): Verdict {
	if (draft.host?.malformed) return 'invalid';
	const verdicts = target.parameters.map((parameter) =>
		parameter.place === 'path'
			? verdictOnText(draft.path[parameter.name] ?? '', parameter, decodeURIComponent)
			: verdictOnQuery(draft.query, parameter),
	);
	if (target.body) verdicts.push(verdictOnBody(target.body.validator, draft.contentType, body ?? new Uint8Array()));
	if (verdicts.includes('invalid')) return 'invalid';
	return verdicts.includes('either') ? 'either' : 'valid';
}

function verdictOnQuery(query: Draft['query'], parameter: Parameter): Verdict {
	const given = query.filter(([name]) => name === parameter.name).map(([, text]) => text);
	const [first] = given;
	if (first === undefined) return parameter.required ? 'invalid' : 'valid';
	// The contract does not say which value counts when a parameter is given twice.
	if (given.length > 1) return 'either';
	return verdictOnText(first, parameter, (text) => decodeURIComponent(text.replaceAll('+', ' ')));
}

function verdictOnText(
	text: string,
	{ schema, description, validator }: Parameter,
	decode: (text: string) => string,
): Verdict {
	let decoded: string;
	try {
		decoded = decode(text);
	} catch {
		// Bytes that are no UTF-8 are no number, but may be accepted as a text.
		return [schema.type].flat().includes('string') && !schema.enum ? 'either' : 'invalid';
	}
	const isValid = validator.Check(spelledOut(decoded, schema)) && agreesWithWords(decoded, description);
	return isValid ? 'valid' : 'invalid';
}

/** The value of a text in a URL; integers have one spelling only, without sign, space, exponent or leading zero. */
function spelledOut(text: string, { type }: JsonSchema): unknown {
	const types = [type].flat();
	if (types.includes('integer') && /^(?:0|-?[1-9][0-9]*)$/.test(text)) return Number(text);
	if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
	return text;
}

function verdictOnBody(
	validator: NonNullable<Target['body']>['validator'],
	contentType: string | undefined,
	bytes: Uint8Array,
): Verdict {
	const [type = '', parameter] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
	if (type !== 'application/json') return 'invalid';
	if (parameter !== undefined && !/^charset="?utf-?8"?$/.test(parameter)) return 'either';
	let value: unknown;
	try {
		value = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
	} catch {
		// A byte order mark may be ignored (RFC 8259, section 8.1).
		return startsWithMark(bytes) ? 'either' : 'invalid';
	}
	const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
	return isObject && validator.Check(value) ? 'valid' : 'invalid';
}

function startsWithMark([first, second, third]: Uint8Array): boolean {
	return first === 0xef && second === 0xbb && third === 0xbf;
}

/** The error codes that a status can carry. */
const codesOf: Record<number, readonly string[]> = {
	400: ['VALIDATION_ERROR', 'BAD_REQUEST'],
	401: ['UNAUTHORIZED'],
	403: ['FORBIDDEN'],
	404: ['NOT_FOUND'],
	409: ['CONFLICT'],
	413: ['PAYLOAD_TOO_LARGE'],
	429: ['TOO_MANY_REQUESTS'],
};

/** Implementation details and planted values, which must not appear in an answer. */
export const neverAnswered = /\$argon2|password_?hash|polluted|planted|987654321|1999-01-01T/i;

/** What is wrong with an answer; undefined when nothing is. */
export function complaint(
	sent: SentRequest,
	received: Received,
	verdict: Verdict,
	contents: Contents,
): string | undefined {
	return (
		complaintAboutAnswer(sent.target, received, contents) ??
		complaintAboutVerdict(sent, received, codeOf(received), verdict)
	);
}

/** Whether it is one that the document announces. */
function complaintAboutAnswer({ answers }: Target, received: Received, contents: Contents): string | undefined {
	const { status, headers, text } = received;
	if (status >= 500) return `a ${status}`;
	if (!answers.has(status)) return `the status ${status} is not announced`;
	const leak = neverAnswered.exec(text);
	if (leak) return `${leak[0]} is in the answer`;
	const validator = answers.get(status);
	if (!validator) {
		if (text !== '') return `a ${status} has a body`;
		return headers.get('content-type') === null ? undefined : `a ${status} has a content type`;
	}
	if (status >= 400) return complaintAboutRefusal(received, contents);
	const body = parsed(received);
	if (body === undefined) return 'the answer is no JSON, or does not say so';
	return validator.Check(body) ? undefined : `the answer is not as announced: ${problems(validator, body)}`;
}

/** Whether a refusal is the envelope, whole and exact. */
export function complaintAboutRefusal(received: Received, { failure }: Contents): string | undefined {
	const body = parsed(received);
	if (body === undefined) return 'the refusal is no JSON, or does not say so';
	if (!failure.Check(body)) return `the refusal is no error envelope: ${problems(failure, body)}`;
	const code = codeOf(received);
	return codesOf[received.status]?.includes(code) ? undefined : `a ${received.status} says ${code}`;
}

function problems(validator: Contents['failure'], body: unknown): string {
	const [, errors] = validator.Errors(body);
	return JSON.stringify(errors).slice(0, 500);
}

function parsed({ headers, text }: Received): unknown {
	if (!/^application\/json(?:;charset=utf-8)?$/i.test(headers.get('content-type') ?? '')) return undefined;
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function codeOf(received: Received): string {
	if (received.status < 400) return '';
	const body = parsed(received) as { error?: { code?: unknown } } | undefined;
	return String(body?.error?.code);
}

/** Whether the answer agrees with what the contract says of the request. */
function complaintAboutVerdict(
	{ target, draft, body }: SentRequest,
	{ status }: Received,
	code: string,
	verdict: Verdict,
): string | undefined {
	const refusedAsInvalid = code === 'VALIDATION_ERROR';
	if (draft.host?.malformed) return refusedAsInvalid ? undefined : 'a malformed Host is not refused';
	if (target.secured && (!isSignedIn(draft) || status === 401 || status === 403)) {
		return complaintAboutAccess(draft, status);
	}
	const isTooLarge = target.body !== undefined && (body?.length ?? 0) > limitOf(target);
	if (status === 413 || isTooLarge) return complaintAboutSize(isTooLarge, status === 413 || refusedAsInvalid);
	return disagreement(verdict, refusedAsInvalid);
}

function complaintAboutAccess(draft: Draft, status: number): string | undefined {
	if (draft.who === 'super') return 'the super administrator is refused';
	if (isSignedIn(draft) || status === 401) return undefined;
	return 'somebody who is not signed in is not refused first';
}

function complaintAboutSize(isTooLarge: boolean, isRefused: boolean): string | undefined {
	if (!isTooLarge) return 'not too large, and refused as such';
	return isRefused ? undefined : 'too large, and not refused';
}

function isSignedIn({ who }: Draft): boolean {
	return who === 'super' || who === 'scoped';
}

function disagreement(verdict: Verdict, refusedAsInvalid: boolean): string | undefined {
	if (verdict === 'valid' && refusedAsInvalid) return 'valid by the published schema, and refused as invalid';
	if (verdict === 'invalid' && !refusedAsInvalid) return 'invalid by the published schema, and not refused as such';
	return undefined;
}
