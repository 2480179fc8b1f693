/** Undoing a change of many employees, an import, a deletion or the closing of a store: the opposite, by the same rules. */
import {
	type ChangeSince,
	changesSince,
	type GroupRecord,
	isClosedAgain,
	isClosing,
	isUndoable,
	recordsOfGroup,
	undoEnd,
} from '../../identity/history/group.ts';
import type { Change } from '../../identity/history/model.ts';
import { factsOf, record } from '../../identity/history/record.ts';
import { authorAndTime, authorOf } from '../../identity/history/versions.ts';
import { fieldWord } from '../../identity/history/words.ts';
import { readAuthority } from '../../identity/rights/authority.ts';
import type { Caller } from '../../identity/session/actor.ts';
import { lacksPermission } from '../../identity/session/refusals.ts';
import type { Db } from '../../platform/database/open.ts';
import { largeTransaction } from '../../platform/database/query.ts';
import { isOver } from '../../platform/vocabulary/day.ts';
import { AppError, businessError, orNotFound } from '../../platform/vocabulary/errors.ts';
import { type HistoryAction, undoHours } from '../../platform/vocabulary/history.ts';
import { hasPermission } from '../../platform/vocabulary/permissions.ts';
import { changeStore, getStore } from '../stores/service.ts';
import { type Outcome, requireNoneRefused, tryEach } from './all-or-none.ts';
import { requireManageable } from './authorization.ts';
import { effective } from './changes.ts';
import {
	type ChangedEmployees,
	employeeMessages,
	type StoredEmployee,
	type UndoQuery,
	type UpdateEmployee,
} from './model.ts';
import { findHolder, listByIds, uniqueFields } from './read.ts';
import { allowedRestoration, readLostRoles } from './restoration.ts';
import { type Step, saveSteps } from './save.ts';
import { allowedEdit } from './service.ts';

/**
 * Undoes a request of the caller, or, for a super administrator, of anyone. An employee added or brought back by an import
 * is deleted, a deleted one is restored, and a closed store is enabled before its employees come back.
 * Without `others`, one employee who cannot be changed back prevents the whole undo.
 * @throws AppError NOT_FOUND for an id that the caller cannot undo; CONFLICT when it is too old, or the same field of an
 * employee was changed since; FORBIDDEN, NOT_FOUND or BAD_REQUEST when an employee cannot be changed back.
 */
export function undoChanges(db: Db, caller: Caller, groupId: number, { others = false }: UndoQuery): ChangedEmployees {
	return largeTransaction(db, () => {
		const { closed, undone } = undoableChanges(db, caller, groupId);
		if (closed !== null) reopen(db, caller, groupId, closed);
		const undo = readUndo(db, caller, groupId, undone);
		const outcome = tryEach(undone.keys(), (id) => inverseStep(undo, id));
		refuseTaken(db, outcome);
		if (!others || outcome.done.size === 0) {
			requireNoneRefused(outcome, employeeMessages.noneChanged, (id) => {
				const name = undone.get(id)?.targetName;
				// The request does not name the employees.
				return { path: 'params.groupId', ...(name && { name }) };
			});
		}
		const changed = saveUndone(undo, outcome.done);
		if (changed.changed > 0) return changed;
		throw businessError('CONFLICT', 'params.groupId', employeeMessages.nothingToUndo);
	});
}

/** Enables a closed store for its employees. @throws AppError FORBIDDEN; NOT_FOUND; CONFLICT when it was disabled again. */
function reopen(db: Db, caller: Caller, group: number, storeId: number): void {
	if (!hasPermission(caller.actor.permissions, 'store:manage')) throw lacksPermission(['store:manage']);
	const before = getStore(db, storeId);
	if (isClosedAgain(db, group)) throw businessError('CONFLICT', 'params.groupId', employeeMessages.closedAgain);
	if (before.status !== 'ACTIVE') changeStore(db, caller, { before, after: { status: 'ACTIVE' } });
}

/** The data that decides how each employee is changed back. */
function readUndo(db: Db, caller: Caller, groupId: number, undone: ReadonlyMap<number, Undoable>) {
	const ids = Array.from(undone.keys());
	const losing = ids.filter((id) => undone.get(id)?.action === 'EMPLOYEE_DELETE' || undone.get(id)?.inverse?.roleIds);
	// Any change counts for employees who were added, for others one of the same fields: for deleted ones the status.
	const asked = Array.from(undone, ([employeeId, change]) => {
		const fields = change.inverse && Object.keys(change.inverse);
		return { employeeId, group: groupId, fields, roleIds: changedRoles(change) };
	});
	return {
		db,
		caller,
		undone,
		authority: readAuthority(db, caller.actor, ids),
		people: new Map(listByIds(db, ids).map((person) => [person.id, person])),
		later: changesSince(db, asked),
		lost: readLostRoles(db, losing),
	};
}

type Undo = ReturnType<typeof readUndo>;

/** The step that undoes the change of an employee, after every rule allowed it. */
function inverseStep(undo: Undo, id: number): Step {
	const { authority, lost } = undo;
	const { action, inverse } = orNotFound(undo.undone.get(id), employeeMessages.nothingToUndo);
	const before = orNotFound(undo.people.get(id), employeeMessages.notFound);
	const later = undo.later.get(id);
	const update = inverse && withoutEnded(undo, before, inverse);
	if (action === 'EMPLOYEE_DELETE') {
		const restoration = allowedRestoration(authority, before, { ...update, lost: lost(before) });
		if (later) throw refusalOf(later);
		return restoration;
	}
	requireManageable(authority, before);
	if (later) throw refusalOf(later);
	if (before.deletedAt !== null) throw new AppError('NOT_FOUND', employeeMessages.notFound);
	// A temporary role must not come back for good.
	return update ? allowedEdit(authority, before, { ...update, ends: lost(before) }) : { before };
}

/**
 * The former values of the changed fields, without a day or a role that is over. An employee whose last day is over stays
 * disabled. Otherwise they would work until the program disables them again.
 */
function withoutEnded({ caller, lost }: Undo, present: StoredEmployee, inverse: UpdateEmployee): UpdateEmployee {
	const { leavesOn, status, roleIds, ...others } = inverse;
	const { today } = caller.actor;
	const ends = lost(present);
	const hasLeft = isOver(leavesOn === undefined ? present.leavesOn : leavesOn, today);
	return {
		...others,
		...(status && { status: hasLeft ? 'INACTIVE' : status }),
		...(leavesOn !== undefined && !hasLeft && { leavesOn }),
		...(roleIds && { roleIds: roleIds.filter((roleId) => !isOver(ends.get(roleId) ?? null, today)) }),
	};
}

/** Refuses everyone who needs a phone or an external id that another employee keeps, directly or indirectly. */
function refuseTaken(db: Db, { done, refused }: Outcome<Step>): void {
	const needs = Array.from(done).flatMap(([id, { before, after }]) => {
		const changed = uniqueFields.filter((field) => after && after[field] !== before[field]);
		return changed.map((field) => ({ id, field, holder: findHolder(db, field, after?.[field] ?? null) }));
	});
	const isTaken = ({ field, holder }: (typeof needs)[number]) => {
		const step = holder && done.get(holder.id);
		return step ? step.after?.[field] === holder[field] : holder !== undefined;
	};
	let blocked: typeof needs;
	do {
		blocked = needs.filter((need) => done.has(need.id) && isTaken(need));
		for (const { id, field } of blocked) {
			done.delete(id);
			refused.set(id, new AppError('CONFLICT', employeeMessages.taken[field]));
		}
	} while (blocked.length > 0);
}

/** Saves the steps. When people are deleted, a summary record comes first, as for an import. */
function saveUndone({ db, caller, undone }: Undo, done: ReadonlyMap<number, Step>): ChangedEmployees {
	const steps = Array.from(done.values());
	const changes = effective(steps);
	const countOf = (action: HistoryAction) =>
		Array.from(done.keys()).filter((id) => undone.get(id)?.action === action).length;
	const [created, restored] = [countOf('EMPLOYEE_CREATE'), countOf('EMPLOYEE_RESTORE')];
	if (created + restored > 0 && steps.length > 1) {
		const updated = changes.filter(({ after }) => after).length;
		const facts = factsOf({ created, updated, restored: restored || undefined });
		record(db, caller, { action: 'EMPLOYEE_IMPORT_UNDO', changes: facts });
	}
	const groupId = saveSteps(db, caller, changes, { action: 'EMPLOYEE_UPDATE_UNDO' });
	return { changed: changes.length, unchanged: steps.length - changes.length, groupId };
}

/** An employee's record, and the change that undoes it; null deletes an employee who was added or restored. */
interface Undoable extends GroupRecord {
	inverse: UpdateEmployee | null;
}

/**
 * The changes of one group by employee, at least one, and the store that it closed. The author and size of a group are
 * checked first: another actor's group costs as much as an unknown id.
 * @throws AppError NOT_FOUND; CONFLICT when it is too old.
 */
function undoableChanges(db: Db, { actor, at }: Caller, groupId: number) {
	const records = recordsOfGroup(db, groupId, actor);
	const [head] = records;
	// The summary of an import has no target.
	const ofPeople = records.filter(({ targetType }) => targetType === 'EMPLOYEE');
	const undone: ReadonlyMap<number, Undoable> = new Map(
		ofPeople.map((each) => [each.targetId ?? 0, { ...each, inverse: inverseOf(each) }]),
	);
	const [first] = ofPeople;
	if (!head || !first || !isUndoable(head, undone.size)) throw nothingToUndo();
	if (at > undoEnd(first.at)) throw businessError('CONFLICT', 'params.groupId', employeeMessages.tooLate(undoHours));
	return { undone, closed: isClosing(head) ? head.targetId : null };
}

const nothingToUndo = () => new AppError('NOT_FOUND', employeeMessages.nothingToUndo);

/** The change that undoes a record. @throws AppError NOT_FOUND for a record that cannot be undone. */
function inverseOf({ action, changes }: GroupRecord): Undoable['inverse'] {
	if (action === 'EMPLOYEE_CREATE' || action === 'EMPLOYEE_RESTORE') return null;
	// A deletion changes the status and ends roles, which a restoration brings back; all else is as it was.
	if (action === 'EMPLOYEE_DELETE') return valuesBefore(changes.filter(({ field }) => field === 'status'));
	if (action === 'EMPLOYEE_UPDATE') return valuesBefore(changes);
	throw nothingToUndo();
}

function valuesBefore(changes: readonly Change[]): UpdateEmployee {
	return Object.fromEntries(changes.map(({ field, before }) => [field, before]));
}

/** The roles that a record adds or removes. */
function changedRoles({ changes }: GroupRecord): number[] {
	const roles = changes.find(({ field }) => field === 'roleIds');
	const setOf = (ids: unknown) => new Set((ids ?? []) as number[]);
	return Array.from(setOf(roles?.before).symmetricDifference(setOf(roles?.after)));
}

function refusalOf(later: ChangeSince): AppError {
	const who = authorAndTime(later);
	const isGone = later.action === 'EMPLOYEE_DELETE';
	const reason = isGone
		? employeeMessages.deletedSince(who)
		: employeeMessages.changedSince(who, fieldWord(later.field, 'EMPLOYEE'));
	const detail = { ...reason, ...authorOf(later), ...(!isGone && { field: later.field }) };
	return new AppError('CONFLICT', reason, { details: [detail] });
}
