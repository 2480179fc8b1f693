/** Changes of many employees: all of them or none, unless the caller chooses to skip the refused ones. */
import { type Authority, readAuthority } from '../../identity/rights/authority.ts';
import { reaches } from '../../identity/rights/rules.ts';
import type { Caller } from '../../identity/session/actor.ts';
import type { Db } from '../../platform/database/open.ts';
import { AppError, type ErrorCode, type ErrorDetail, orNotFound } from '../../platform/vocabulary/errors.ts';
import type { Reason } from '../../platform/vocabulary/reasons.ts';
import { requireManageable } from './authorization.ts';
import { employeeMessages, type StoredEmployee } from './model.ts';
import { liveById } from './read.ts';

/** A refusal with several causes has the first of these codes that occurs. */
const codes: readonly ErrorCode[] = ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT', 'BAD_REQUEST'];

interface Refusal {
	/** The reason, with the number of refused employees. */
	reason: (count: number) => Reason;
	/** The place of a refused employee in the request. It replaces that of the single change. */
	placeOf: (id: number) => Pick<ErrorDetail, 'path' | 'name'>;
	/** Whether to skip refused employees, as long as at least one remains. */
	mayBeSkipped?: boolean;
}

/** The successful results and the refusals, by employee id. */
export interface Outcome<Done> {
	done: Map<number, Done>;
	refused: Map<number, AppError>;
}

/** Runs work for each employee, and collects the refusals. */
export function tryEach<Done>(ids: Iterable<number>, work: (id: number) => Done): Outcome<Done> {
	const outcome: Outcome<Done> = { done: new Map(), refused: new Map() };
	for (const id of ids) {
		try {
			outcome.done.set(id, work(id));
		} catch (error) {
			if (!(error instanceof AppError)) throw error;
			outcome.refused.set(id, error);
		}
	}
	return outcome;
}

/** The results, without those of refused employees if these may be skipped. @throws AppError with a detail for each. */
export function requireDone<Done>({ done, refused }: Outcome<Done>, refusal: Refusal): Done[] {
	if (refused.size === 0 || (refusal.mayBeSkipped && done.size > 0)) return Array.from(done.values());
	const errors = Array.from(refused.values());
	const code = codes.find((each) => errors.some((error) => error.code === each)) ?? 'CONFLICT';
	const details = Array.from(refused, ([id, error]) => ({
		...error.details[0],
		...error.reason,
		...refusal.placeOf(id),
	}));
	throw new AppError(code, refusal.reason(refused.size), { details });
}

/**
 * Runs work for each of several employees, inside the caller's transaction. The caller must manage them all. A repeated id
 * counts once.
 * @throws AppError with a detail for each refused employee, which names those within reach.
 */
export function forEachManaged<Done>(
	db: Db,
	{ actor }: Caller,
	{ ids, reason }: Pick<Refusal, 'reason'> & { ids: readonly number[] },
	work: (employee: StoredEmployee, authority: Authority) => Done,
): Done[] {
	const authority = readAuthority(db, actor, ids);
	const people = liveById(db, ids);
	const outcome = tryEach(new Set(ids), (id) => {
		const employee = orNotFound(people.get(id), employeeMessages.notFound);
		requireManageable(authority, employee);
		return work(employee, authority);
	});
	const placeOf = (id: number) => {
		const person = people.get(id);
		const isKnown = person && reaches(authority, person.storeId);
		return { path: `body.ids.${ids.indexOf(id)}`, ...(isKnown && { name: person.name }) };
	};
	return requireDone(outcome, { reason, placeOf });
}
