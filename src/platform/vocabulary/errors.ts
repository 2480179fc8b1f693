/** Every kind of failure that a caller can get, and its status over HTTP. */
export const statusOf = {
	VALIDATION_ERROR: 400,
	BAD_REQUEST: 400,
	UNAUTHORIZED: 401,
	FORBIDDEN: 403,
	NOT_FOUND: 404,
	CONFLICT: 409,
	PRECONDITION_FAILED: 412,
	PAYLOAD_TOO_LARGE: 413,
	TOO_MANY_REQUESTS: 429,
	SERVICE_UNAVAILABLE: 503,
	INTERNAL_SERVER_ERROR: 500,
} as const;
export type ErrorCode = keyof typeof statusOf;
export const errorCodes = Object.keys(statusOf) as ErrorCode[];

/**
 * One cause of a failure: where it is (`body.name`, `query.page`, `params.id`, `account.status`), if it is at one place, and
 * what is wrong there.
 */
export interface ErrorDetail {
	path?: string;
	message: string;
	/** The name of the person, where they are one of many. */
	name?: string;
	/** What somebody else changed: the field, who, when (ISO 8601), and to what; null when they cleared it. */
	field?: string;
	by?: string;
	at?: string;
	value?: string | null;
}

/** What a refusal has besides its message. */
interface Refusal {
	details?: readonly ErrorDetail[];
	/** After how many seconds the caller may try again, if waiting helps. */
	retryAfter?: number;
	/** A failure inside the service: it goes to the log, never into an answer. */
	cause?: unknown;
}

/** A refusal that is sent to the caller as it stands. The message is for end users, in Chinese. */
export class AppError extends Error {
	override name = 'AppError';
	readonly code: ErrorCode;
	readonly details: readonly ErrorDetail[];
	readonly retryAfter: number | undefined;

	constructor(code: ErrorCode, message: string, { details = [], retryAfter, ...inside }: Refusal = {}) {
		super(message, inside);
		this.code = code;
		this.details = details;
		this.retryAfter = retryAfter;
	}
}

/** A refusal that names the place at fault, such as `body.phone`, `params.id` or `account.status`. */
export function businessError(code: ErrorCode, path: string, message: string): AppError {
	return new AppError(code, message, { details: [{ path, message }] });
}

/** What was looked for. @throws AppError NOT_FOUND when there is none. */
export function orNotFound<T>(wanted: T | undefined, message: string): T {
	if (wanted === undefined) throw new AppError('NOT_FOUND', message);
	return wanted;
}

/** A command that failed: one line for the operator that says what to do. */
export class OperationError extends Error {}

/** What lies behind an error: a refused write, for one, has a message for end users, and its cause is what SQLite said. */
export function causeOf(error: unknown): unknown {
	return error instanceof Error && error.cause !== undefined ? error.cause : error;
}

/** The code of an error of the operating system (`ENOENT`) or of SQLite (`SQLITE_BUSY`); empty without one. */
export function codeOf(error: unknown): string {
	return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** The message of a thrown value, which need not be an Error. */
export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
