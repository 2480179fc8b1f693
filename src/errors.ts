/** What can go wrong by the contract (specification, section 7; decisions and README for the last four). Knows no HTTP. */
export type ErrorCode =
	| 'VALIDATION_ERROR'
	| 'BAD_REQUEST'
	| 'UNAUTHORIZED'
	| 'FORBIDDEN'
	| 'NOT_FOUND'
	| 'CONFLICT'
	| 'PAYLOAD_TOO_LARGE'
	| 'TOO_MANY_REQUESTS'
	| 'SERVICE_UNAVAILABLE'
	| 'INTERNAL_SERVER_ERROR';

/** One thing that was wrong with a request: where (`body.name`, `query.page`, `params.id`) and what is allowed. */
export interface ErrorDetail {
	path: string;
	message: string;
}

/** A refusal that the caller is told about as it stands: the message is an end user's, in Chinese. */
export class AppError extends Error {
	readonly code: ErrorCode;
	readonly details: readonly ErrorDetail[];
	/** After how many seconds it is worth trying again, where that helps. */
	readonly retryAfter: number | undefined;

	constructor(
		code: ErrorCode,
		message: string,
		{
			details = [],
			retryAfter,
			cause,
		}: { details?: readonly ErrorDetail[]; retryAfter?: number; cause?: unknown } = {},
	) {
		// A cause is not the caller's doing: it goes to the log, and never into an answer.
		super(message, cause === undefined ? undefined : { cause });
		this.name = 'AppError';
		this.code = code;
		this.details = details;
		this.retryAfter = retryAfter;
	}
}

/** A refusal by a rule of the business. `path` names the place at fault, such as `body.phone` or `params.id`. */
export function ruleBroken(code: 'BAD_REQUEST' | 'CONFLICT', path: string, message: string): AppError {
	return new AppError(code, message, { details: [{ path, message }] });
}

/** A command that could not do its work: one line for the operator, with what to do about it. */
export class OperationError extends Error {}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
