/** Undoing a change of many employees, or an import: the opposite change, by the same rules. */
import { and, isNotNull } from 'drizzle-orm';
import { type ChangeSince, changesSince, type GroupRecord, recordsOfGroup } from '../../identity/history/group.ts';
import { record } from '../../identity/history/record.ts';
import { authorOf, signature } from '../../identity/history/versions.ts';
import { fieldWord } from '../../identity/history/words.ts';
import { readAuthority } from '../../identity/rights/authority.ts';
import type { LastDays } from '../../identity/rights/rules.ts';
import { findAccountsNamed } from '../../identity/session/accounts.ts';
import type { Caller } from '../../identity/session/actor.ts';
import type { Db } from '../../platform/database/open.ts';
import { inJsonArray, largeTransaction, queries } from '../../platform/database/query.ts';
import { employeeRoles } from '../../platform/database/schema.ts';
import { AppError, businessError, orNotFound } from '../../platform/vocabulary/errors.ts';
import { maxPeopleAtOnce } from '../../platform/vocabulary/limits.ts';
import { type Outcome, requireDone, tryEach } from './all-or-none.ts';
import { requireManageable } from './authorization.ts';
import { deletion, editing, type Step, saveSteps, withoutIfMatch } from './changes.ts';
import { type ChangedEmployees, changesMessages } from './changes-model.ts';
import { employeeMessages, type KnownEmployee, type UpdateEmployee } from './model.ts';
import { listLiveByIds } from './read.ts';
import { parkPhoneNumbers } from './save.ts';
import { allowedEdit } from './service.ts';

const read = queries(({ select }) => ({
	formerRoles: select({ id: employeeRoles.employeeId, roleId: employeeRoles.roleId, endsOn: employeeRoles.endsOn })
		.from(employeeRoles)
		.where(and(inJsonArray(employeeRoles.employeeId, 'ids'), isNotNull(employeeRoles.unboundAt)))
		.orderBy(employeeRoles.id),
}));

const undoHours = 24;

/** A refusal names the group in the path, because the request does not name the employee. */
const placesInGroup = { roles: 'params.groupId', store: 'params.groupId' };

/**
 * Undoes a bulk change or an import of the caller. An employee added by an import is deleted.
 * @param others whether to skip employees who cannot be changed back; otherwise nobody is changed then.
 * @throws AppError NOT_FOUND for an id that is not a change of the caller that can be undone; CONFLICT when it is too
 * old, or the same field of an employee was changed since; FORBIDDEN, NOT_FOUND or BAD_REQUEST when an employee cannot
 * be changed back.
 */
export function undoChanges(db: Db, caller: Caller, groupId: number, others: boolean): ChangedEmployees {
	const each = withoutIfMatch(caller);
	return largeTransaction(db, () => {
		const undone = undoableChanges(db, caller, groupId);
		const holders = holdersOfPhones(db, undone);
		const outcome = tryEach(undone.keys(), inverseSteps(db, each, undone, holders));
		if (others) skipBlocked(outcome, holders);
		const placeOf = (id: number) => {
			const name = undone.get(id)?.targetName;
			return { path: 'params.groupId', ...(name && { name }) };
		};
		const steps = requireDone(outcome, {
			message: changesMessages.refused,
			placesOf: () => placeOf,
			mayLeaveOut: others,
		});
		return saveUndone(db, each, steps);
	});
}

/** Makes the steps that undo the change of each employee, after every rule allowed them. */
function inverseSteps(
	db: Db,
	caller: Caller,
	undone: ReadonlyMap<number, Undoable>,
	holders: ReadonlyMap<number, number>,
): (id: number) => Step {
	const ids = Array.from(undone.keys());
	const authority = readAuthority(db, caller.actor, ids);
	const people = new Map(listLiveByIds(db, ids).map((person) => [person.id, person]));
	const endsOf = formerEnds(db, undone);
	const changed = changedSince(db, undone, people);
	return (id) => {
		const change = orNotFound(undone.get(id), changesMessages.nothingToUndo);
		const before = people.get(id);
		if (before) requireManageable(db, authority, before);
		const later = changed.get(id);
		if (later) throw refusalOf(later);
		const present = orNotFound(before, employeeMessages.notFound);
		if (change.inverse === null) return deletion(db, caller, present);
		const holder = holders.get(id);
		if (holder !== undefined && !undone.has(holder)) throw phoneTaken();
		const back = { ...change.inverse, ends: endsOf(present) };
		const edit = allowedEdit(db, caller, authority, present, back, placesInGroup);
		return editing(db, caller, 'EMPLOYEE_UPDATE_UNDO', edit);
	};
}

/** The employees who hold phone numbers that others need back, by the employee who needs the number. */
function holdersOfPhones(db: Db, undone: ReadonlyMap<number, Undoable>): Map<number, number> {
	return new Map(
		Array.from(undone).flatMap(([id, { inverse }]) => {
			const holder = inverse?.phone === undefined ? undefined : findAccountsNamed(db, inverse.phone).employee;
			return holder && holder.id !== id ? [[id, holder.id] as const] : [];
		}),
	);
}

/** If an employee is skipped, also skip everyone who needs that employee's phone number, directly or indirectly. */
function skipBlocked({ done, refused }: Outcome<Step>, holders: ReadonlyMap<number, number>): void {
	const waiting = Map.groupBy(holders.keys(), (id) => holders.get(id) ?? id);
	const keeping = Array.from(waiting.keys()).filter((holder) => !done.has(holder));
	for (const holder of keeping) {
		for (const id of waiting.get(holder) ?? []) {
			if (!done.delete(id)) continue;
			refused.set(id, phoneTaken());
			keeping.push(id);
		}
	}
}

const phoneTaken = () => new AppError('CONFLICT', employeeMessages.phoneTaken);

function saveUndone(db: Db, caller: Caller, steps: readonly Step[]): ChangedEmployees {
	const edits = steps.flatMap(({ edit }) => edit ?? []);
	parkPhoneNumbers(db, edits);
	const deleted = steps.length - edits.length;
	if (deleted === 0) return saveSteps(steps, false);
	const changes = [
		{ field: 'created', before: null, after: deleted },
		{ field: 'updated', before: null, after: edits.length },
	];
	return saveSteps(steps, false, [record(db, caller, { action: 'EMPLOYEE_IMPORT_UNDO', changes })]);
}

/** An employee's record in a change that can be undone, and its inverse; null deletes an employee who was added. */
interface Undoable extends GroupRecord {
	inverse: UpdateEmployee | null;
}

/**
 * The last days of the roles that employees no longer hold, so that a temporary role does not come back for good. They
 * are read at once, and only when roles changed: former roles have no index.
 */
function formerEnds(db: Db, undone: ReadonlyMap<number, Undoable>): (before: KnownEmployee) => LastDays {
	const ids = Array.from(undone).flatMap(([id, { inverse }]) => (inverse?.roleIds ? id : []));
	const former = ids.length === 0 ? [] : read(db).formerRoles.all({ ids: JSON.stringify(ids) });
	const byPerson = Map.groupBy(former, ({ id }) => id);
	return ({ id, roles }) => {
		const held = new Set(roles.map((role) => role.id));
		const lost = byPerson.get(id)?.filter(({ roleId }) => !held.has(roleId));
		return new Map(lost?.map(({ roleId, endsOn }) => [roleId, endsOn]));
	};
}

/**
 * The changes of one group by employee, at least one. The owner and size of a group are checked first: another actor's
 * group costs as much as an unknown id.
 * @throws AppError NOT_FOUND; CONFLICT when it is too old.
 */
function undoableChanges(db: Db, { actor, at }: Caller, groupId: number): Map<number, Undoable> {
	const nothing = () => new AppError('NOT_FOUND', changesMessages.nothingToUndo);
	const records = recordsOfGroup(db, groupId, actor, 2 * maxPeopleAtOnce + 1);
	// Undoing a closure moves the employees back; the store itself stays as it is. The summary of an import has no
	// target, and revoked reach does not come back.
	const ofPeople = records.filter(({ targetType, action }) => targetType === 'EMPLOYEE' && action !== 'EMPLOYEE_REACH');
	const undone = new Map(
		ofPeople.flatMap((each) => {
			const inverse = inverseOf(each);
			return inverse !== undefined && each.targetId !== null ? [[each.targetId, { ...each, inverse }] as const] : [];
		}),
	);
	const [first] = ofPeople;
	if (!first || undone.size < ofPeople.length || undone.size > maxPeopleAtOnce) throw nothing();
	if (Date.parse(at) - Date.parse(first.at) <= undoHours * 3_600_000) return undone;
	throw businessError('CONFLICT', 'params.groupId', changesMessages.tooLate(undoHours));
}

/** The inverse of a record; undefined without one. */
function inverseOf({ action, changes }: GroupRecord): Undoable['inverse'] | undefined {
	if (action === 'EMPLOYEE_CREATE') return null;
	// Enabling an employee drops a last day that is over. Disabling them again needs no last day.
	const undone = changes.filter(({ field }) => field !== 'leavesOn');
	if (action !== 'EMPLOYEE_UPDATE' || undone.length === 0) return undefined;
	return Object.fromEntries(undone.map(({ field, before }) => [field, before]));
}

/** The employees whose affected fields changed since. Any change counts for employees who were added or deleted. */
function changedSince(
	db: Db,
	undone: ReadonlyMap<number, Undoable>,
	people: ReadonlyMap<number, KnownEmployee>,
): Map<number, ChangeSince> {
	// An employee who is still as the change left them was not changed since, so their history need not be read.
	const asked = Array.from(undone).flatMap(([employeeId, { id, at, inverse }]) => {
		const fields = inverse && Object.keys(inverse);
		return people.get(employeeId)?.updatedAt === at ? [] : [{ employeeId, after: id, fields }];
	});
	return asked.length === 0 ? new Map() : changesSince(db, asked);
}

function refusalOf(later: ChangeSince): AppError {
	const who = signature(later);
	const isGone = later.action === 'EMPLOYEE_DELETE';
	const message = isGone
		? changesMessages.deletedSince(who)
		: changesMessages.changedSince(who, fieldWord(later.field, 'EMPLOYEE'));
	const detail = { message, ...authorOf(later), ...(!isGone && { field: later.field }) };
	return new AppError('CONFLICT', message, { details: [detail] });
}
