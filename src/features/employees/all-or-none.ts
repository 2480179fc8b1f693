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

/** The reason of a refusal, with the number of refused employees. */
type ReasonFor = (count: number) => Reason;

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

/**
 * Nobody may be refused. `placeOf` is the place of an employee in the request; it replaces that of the single change.
 * @throws AppError with a detail for each refused employee.
 */
export function requireNoneRefused(
	{ refused }: Outcome<unknown>,
	reason: ReasonFor,
	placeOf: (id: number) => Pick<ErrorDetail, 'path' | 'name'>,
): void {
	if (refused.size === 0) return;
	const errors = Array.from(refused.values());
	const code = codes.find((each) => errors.some((error) => error.code === each)) ?? 'CONFLICT';
	const details = Array.from(refused, ([id, error]) => ({ ...error.details[0], ...error.reason, ...placeOf(id) }));
	throw new AppError(code, reason(refused.size), { details });
}

/**
 * Runs work for each of several employees, inside the caller's transaction. The caller must manage them all. A repeated id
 * counts once.
 * @throws AppError with a detail for each refused employee, which names those within reach.
 */
export function forEachManaged<Done>(
	db: Db,
	{ actor }: Caller,
	{ ids, reason }: { ids: readonly number[]; reason: ReasonFor },
	work: (employee: StoredEmployee, authority: Authority) => Done,
): Done[] {
	const authority = readAuthority(db, actor, ids);
	const people = liveById(db, ids);
	const outcome = tryEach(new Set(ids), (id) => {
		const employee = orNotFound(people.get(id), employeeMessages.notFound);
		requireManageable(authority, employee);
		return work(employee, authority);
	});
	requireNoneRefused(outcome, reason, (id) => {
		const person = people.get(id);
		const isKnown = person && reaches(authority, person.storeId);
		return { path: `body.ids.${ids.indexOf(id)}`, ...(isKnown && { name: person.name }) };
	});
	return Array.from(outcome.done.values());
}
