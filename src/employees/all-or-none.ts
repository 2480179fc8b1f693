/** Work on many people: on all of them or on none. */
import { AppError, type ErrorCode, type ErrorDetail } from '../vocabulary/errors.ts';

/** Who is refused, and why. */
export interface Refused {
	id: number;
	error: AppError;
}

/** Of several codes the one that would be decided first. */
const codes: readonly ErrorCode[] = ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT', 'BAD_REQUEST'];

/**
 * Does something for each of some people, inside the caller's transaction, which a refusal ends.
 * @throws AppError with what `refusalOf` says, when somebody is refused.
 */
export function forAll<Done>(
	ids: Iterable<number>,
	work: (id: number) => Done,
	refusalOf: (refused: readonly Refused[]) => { message: string; details: readonly ErrorDetail[] },
): Done[] {
	const done: Done[] = [];
	const refused: Refused[] = [];
	for (const id of ids) {
		try {
			done.push(work(id));
		} catch (error) {
			if (!(error instanceof AppError)) throw error;
			refused.push({ id, error });
		}
	}
	if (refused.length === 0) return done;
	const code = codes.find((each) => refused.some(({ error }) => error.code === each)) ?? 'CONFLICT';
	const { message, details } = refusalOf(refused);
	throw new AppError(code, message, { details });
}
