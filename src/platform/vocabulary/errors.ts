import type { Reason } from './reasons.ts';

/** The HTTP status of every kind of failure. */
export const statusOf = {
	VALIDATION_ERROR: 400,
	BAD_REQUEST: 400,
	UNAUTHORIZED: 401,
	FORBIDDEN: 403,
	NOT_FOUND: 404,
	METHOD_NOT_ALLOWED: 405,
	CONFLICT: 409,
	PRECONDITION_FAILED: 412,
	PAYLOAD_TOO_LARGE: 413,
	TOO_MANY_REQUESTS: 429,
	SERVICE_UNAVAILABLE: 503,
	INTERNAL_SERVER_ERROR: 500,
} as const;
export type ErrorCode = keyof typeof statusOf;
export const errorCodes = Object.keys(statusOf) as ErrorCode[];

/** One reason of a failure, with its place (`body.name`, `query.page`, `params.id`, `account.status`), if there is one. */
export interface ErrorDetail extends Reason {
	path?: string;
	/** The name of the person, if the request is about many. */
	name?: string;
	/** Another person's change: field, name, time (ISO 8601), and the new value, or null for a cleared field. */
	field?: string;
	by?: string;
	at?: string;
	value?: string | null;
}

/** The parts of a refusal besides its reason. */
interface Refusal {
	/** Without any, the reason of the refusal is its only detail. */
	details?: readonly ErrorDetail[];
	/** The seconds until the caller may try again, if waiting helps. */
	retryAfter?: number;
	/** The failure inside the service. It goes to the log, never into an answer. */
	cause?: unknown;
}

/** A refusal that is sent to the caller. */
export class AppError extends Error {
	override name = 'AppError';
	readonly code: ErrorCode;
	readonly reason: Reason;
	readonly details: readonly ErrorDetail[];
	readonly retryAfter: number | undefined;

	constructor(code: ErrorCode, reason: Reason, { details = [reason], retryAfter, ...inside }: Refusal = {}) {
		super(reason.message, inside);
		this.code = code;
		this.reason = reason;
		this.details = details;
		this.retryAfter = retryAfter;
	}
}

/** Makes a refusal that names the place at fault, such as `body.phone`, `params.id` or `account.status`. */
export function businessError(code: ErrorCode, path: string, reason: Reason): AppError {
	return new AppError(code, reason, { details: [{ path, ...reason }] });
}

/** Returns the value. @throws AppError NOT_FOUND if it is undefined */
export function orNotFound<T>(wanted: T | undefined, reason: Reason): T {
	if (wanted === undefined) throw new AppError('NOT_FOUND', reason);
	return wanted;
}

/** The failure of a command: one line that tells the operator what to do. */
export class OperationError extends Error {}

/** The code of an error of the operating system (`ENOENT`) or of SQLite (`SQLITE_BUSY`), else an empty text. */
export function codeOf(error: unknown): string {
	return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** The result of the work; undefined if it throws. */
export function orUndefined<T>(work: () => T): T | undefined {
	try {
		return work();
	} catch {
		return undefined;
	}
}

/** The message of a thrown value, which need not be an Error. */
export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
