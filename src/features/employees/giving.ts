/** Giving stores and areas to an employee: nobody gives what they do not reach, nor for longer. */

import { requireCurrentVersion } from '../../identity/history/versions.ts';
import type { Reach, ReplaceReach } from '../../identity/reach/model.ts';
import { differing, type Entry, entriesOf, givenTo, keepReach, reachVersion } from '../../identity/reach/service.ts';
import { type Actor, type Caller, isSelf } from '../../identity/session/actor.ts';
import type { Db } from '../../platform/database/open.ts';
import { snapshot, transaction } from '../../platform/database/query.ts';
import { AppError, businessError } from '../../platform/vocabulary/errors.ts';
import { areaNames } from '../areas/service.ts';
import { heldUntil, outlasts } from '../roles/holding.ts';
import { isActiveStore } from '../stores/service.ts';
import { employeeMessages, type KnownEmployee } from './model.ts';
import { endOfReach, findManageable } from './reach.ts';
import { getEmployee } from './service.ts';

/** What an employee was given. @throws AppError NOT_FOUND; FORBIDDEN for somebody out of the actor's reach. */
export function getReach(db: Db, actor: Actor, id: number): Reach {
	return snapshot(db, () => givenTo(db, getEmployee(db, actor, id).id, actor.today));
}

/**
 * Gives an employee exactly some stores and areas.
 * @throws AppError NOT_FOUND; FORBIDDEN for the own account, somebody who is out of reach or above, what the actor does not reach,
 * and for longer than they do; PRECONDITION_FAILED; BAD_REQUEST for what cannot be given.
 */
export function replaceReach(db: Db, caller: Caller, id: number, asked: ReplaceReach): Reach {
	const { actor } = caller;
	if (isSelf(actor, id)) throw new AppError('FORBIDDEN', employeeMessages.ownReach);
	return transaction(db, () => {
		const employee = findManageable(db, actor, id);
		const present = givenTo(db, id, actor.today);
		const wanted = entriesOf(asked);
		refuseBeyond(db, actor, entriesOf(present), wanted);
		requireCurrentVersion(db, caller, { type: 'EMPLOYEE', id }, reachVersion(db, id));
		refuseBroken(db, { employee, today: actor.today }, entriesOf(present), wanted);
		keepReach(db, caller, employee, wanted);
		return givenTo(db, id, actor.today);
	});
}

const keyOf = ({ type, id }: Entry) => `${type} ${id}`;

/** @throws AppError FORBIDDEN when something is given, changed or taken that the actor does not reach, or given for longer. */
function refuseBeyond(db: Db, actor: Actor, present: readonly Entry[], wanted: readonly Entry[]): void {
	const given = differing(wanted, present);
	const ends = new Map(
		[...given, ...differing(present, wanted)].map((entry) => [keyOf(entry), endOfReach(db, actor, entry)]),
	);
	if ([...ends.values()].includes(undefined)) throw new AppError('FORBIDDEN', employeeMessages.beyondReach);
	const ownEnd = heldUntil(db, actor, 'employee:manage');
	const isLonger = given.some(
		(entry) => outlasts(entry.until, ends.get(keyOf(entry)) ?? null) || outlasts(entry.until, ownEnd),
	);
	if (isLonger) throw new AppError('FORBIDDEN', employeeMessages.reachesLonger);
}

/** @throws AppError BAD_REQUEST at the first entry that is there twice, new but not possible, or over. */
function refuseBroken(
	db: Db,
	{ employee, today }: { employee: KnownEmployee; today: string },
	present: readonly Entry[],
	wanted: readonly Entry[],
): void {
	const before = new Map(present.map((entry) => [keyOf(entry), entry.until]));
	const keys = wanted.map(keyOf);
	const stores = wanted.filter(({ type }) => type === 'STORE').length;
	for (const [index, entry] of wanted.entries()) {
		const { type, until } = entry;
		const key = keyOf(entry);
		const messages = employeeMessages.reach[type];
		const [place, id] = type === 'STORE' ? [`stores.${index}`, 'storeId'] : [`areas.${index - stores}`, 'areaId'];
		const problem = (field: string, message: string) => businessError('BAD_REQUEST', `body.${place}.${field}`, message);
		if (keys.indexOf(key) < index) throw problem(id, messages.twice);
		if (!before.has(key) && !canHave(db, employee, entry)) throw problem(id, messages.bad);
		if (until !== null && until < today && before.get(key) !== until) throw problem('until', messages.inPast);
	}
}

function canHave(db: Db, { storeId }: KnownEmployee, { type, id }: Entry): boolean {
	return type === 'STORE' ? id !== storeId && isActiveStore(db, id) : areaNames(db).has(id);
}
