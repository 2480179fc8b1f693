/** Giving an employee stores and areas. */
import { requireCurrent } from '../../identity/history/versions.ts';
import type { Authority } from '../../identity/rights/authority.ts';
import type { Reach, ReachEntry } from '../../identity/rights/model.ts';
import { listGiven, reachVersion, saveReach } from '../../identity/rights/reach.ts';
import { requireNothingMissing, rightsMessages } from '../../identity/rights/refusal.ts';
import { missingPlaces, type Places } from '../../identity/rights/rules.ts';
import { type Actor, type Caller, isSelf } from '../../identity/session/actor.ts';
import type { Db } from '../../platform/database/open.ts';
import { transaction } from '../../platform/database/query.ts';
import { isOver } from '../../platform/vocabulary/day.ts';
import { businessError } from '../../platform/vocabulary/errors.ts';
import type { Reason } from '../../platform/vocabulary/reasons.ts';
import { areaMessages } from '../areas/model.ts';
import { areaNames } from '../areas/service.ts';
import { storeProblem } from '../stores/service.ts';
import { getManageable } from './authorization.ts';
import { employeeMessages, type StoredEmployee } from './model.ts';
import { getEmployee } from './service.ts';

/** The stores and areas of an employee. @throws AppError NOT_FOUND; FORBIDDEN for an employee out of the caller's reach. */
export function getReach(db: Db, actor: Actor, id: number): Reach {
	return listGiven(db, getEmployee(db, actor, id).id, actor.today);
}

/**
 * Replaces the stores and areas of an employee. Employees must not change their own reach. To give a store, the caller
 * must reach it for good; to give an area, the caller must have it for good or reach every employee for good.
 * @throws AppError NOT_FOUND; FORBIDDEN; PRECONDITION_FAILED; BAD_REQUEST for a store or an area that cannot be given.
 */
export function replaceReach(db: Db, caller: Caller, id: number, entries: readonly ReachEntry[]): Reach {
	const { actor } = caller;
	if (isSelf(actor, id)) throw businessError('FORBIDDEN', 'params.id', rightsMessages.ownReach);
	return transaction(db, () => {
		const { authority, employee } = getManageable(db, actor, id);
		const missing = missingPlaces(authority.forGood, authority.grantsOf(id), grantsIn(entries));
		const path = missing.stores.length > 0 ? 'body.stores' : 'body.areas';
		requireNothingMissing(authority, missing, { request: 'give', path });
		requireCurrent(db, caller, employee, () => reachVersion(db, id));
		requirePossible(authority, employee, entries);
		saveReach(db, caller, employee, () => entries);
		return listGiven(db, id, actor.today);
	});
}

function grantsIn(entries: readonly ReachEntry[]): Places {
	const lastDays = (type: ReachEntry['type']) =>
		new Map(entries.filter((entry) => entry.type === type).map((entry) => [entry.id, entry.until]));
	return { stores: lastDays('STORE'), areas: lastDays('AREA') };
}

/** Each place must appear once, its last day not over; a new one must pass {@link placeProblem}. @throws AppError BAD_REQUEST */
function requirePossible(authority: Authority, employee: StoredEmployee, entries: readonly ReachEntry[]): void {
	const { db, actor, grantsOf } = authority;
	const held = grantsOf(employee.id);
	const refuse = (path: string, reason: Reason) => businessError('BAD_REQUEST', path, reason);
	for (const [index, entry] of entries.entries()) {
		const [list, field] = entry.type === 'STORE' ? (['stores', 'storeId'] as const) : (['areas', 'areaId'] as const);
		const earlier = entries.slice(0, index).filter(({ type }) => type === entry.type);
		const place = `body.${list}.${earlier.length}`;
		if (earlier.some(({ id }) => id === entry.id)) throw refuse(`${place}.${field}`, employeeMessages.placeTwice);
		const problem = held[list].has(entry.id) ? undefined : placeProblem(db, employee, entry);
		if (problem) throw refuse(`${place}.${field}`, problem);
		if (isOver(entry.until, actor.today)) throw refuse(`${place}.until`, employeeMessages.endsInPast);
	}
}

/** The reason why an employee cannot have a store or an area. */
function placeProblem(db: Db, { storeId }: StoredEmployee, { type, id }: ReachEntry): Reason | undefined {
	if (type === 'AREA') return areaNames(db).has(id) ? undefined : areaMessages.missing;
	const problem = storeProblem(db, id, storeId);
	return problem && employeeMessages.badPlace(problem);
}
