/** Changing many employees at once, each by the rules of a single change: all of them or none. And undoing it. */
import { and, isNotNull } from 'drizzle-orm';
import type { HistoryRecord } from '../../identity/history/model.ts';
import { record } from '../../identity/history/record.ts';
import { listHistory, newestRecords } from '../../identity/history/service.ts';
import { authorOf, signature } from '../../identity/history/versions.ts';
import { fieldWord } from '../../identity/history/words.ts';
import { findAccountsNamed } from '../../identity/session/accounts.ts';
import type { Actor, Caller } from '../../identity/session/actor.ts';
import type { Db } from '../../platform/database/open.ts';
import { inJsonArray, largeTransaction, queries, snapshot } from '../../platform/database/query.ts';
import { employeeRoles } from '../../platform/database/schema.ts';
import { toTheEnd } from '../../platform/http/steps.ts';
import { AppError, businessError, orNotFound } from '../../platform/vocabulary/errors.ts';
import { maxPeopleAtOnce } from '../../platform/vocabulary/limits.ts';
import { applyToEach, detailPaths } from './all-or-none.ts';
import { type ChangedEmployees, type ChangeEmployees, changesMessages, type EmployeesChange } from './changes-model.ts';
import { employeeMessages, type KnownEmployee, type LastDays, maxRolesOfOne, type UpdateEmployee } from './model.ts';
import { findManageable } from './reach.ts';
import { presentByIds } from './read.ts';
import { type EmployeeEdit, editableFields, markDeleted, parkPhoneNumbers, saveEmployee } from './save.ts';
import { allowedEdit, getCurrentVersion } from './service.ts';

const read = queries(({ select }) => ({
	formerRoles: select({ id: employeeRoles.employeeId, roleId: employeeRoles.roleId, endsOn: employeeRoles.endsOn })
		.from(employeeRoles)
		.where(and(inJsonArray(employeeRoles.employeeId, 'ids'), isNotNull(employeeRoles.unboundAt)))
		.orderBy(employeeRoles.id),
}));

const undoHours = 24;

/**
 * Changes some employees in the same way; with `dryRun` it only says what would happen.
 * @throws AppError FORBIDDEN, NOT_FOUND or BAD_REQUEST when somebody cannot be changed so, with a detail for each of them.
 */
export function changeEmployees(
	db: Db,
	caller: Caller,
	{ ids, change }: ChangeEmployees,
	{ dryRun }: { dryRun: boolean },
): ChangedEmployees {
	const each = withoutTags(caller);
	function stepFor(id: number): Step {
		if (change.delete) return deletion(db, each, id);
		return editing(db, each, 'EMPLOYEE_UPDATE', allowedEdit(db, each, id, updateOf(change)));
	}
	function work(): ChangedEmployees {
		const placesOf = detailPaths(db, caller.actor, ids);
		const steps = applyToEach(ids, stepFor, { message: changesMessages.refused, placesOf });
		return keepAll(steps, dryRun);
	}
	return dryRun ? snapshot(db, work) : largeTransaction(db, work);
}

/**
 * Undoes what the caller changed together or imported, by the rules of any change: who was hired by an import is deleted.
 * @param others whether those who cannot be changed back are left as they are; without it, nobody is changed then.
 * @throws AppError NOT_FOUND when no change of theirs that can be undone has this id; CONFLICT when it is too long ago, or
 * somebody was changed in the same respect since; FORBIDDEN, NOT_FOUND or BAD_REQUEST when somebody cannot be changed back.
 */
export function undoChanges(db: Db, caller: Caller, groupId: number, others: boolean): ChangedEmployees {
	const each = withoutTags(caller);
	return largeTransaction(db, () => {
		const records = undoableRecords(db, caller, groupId);
		const people = new Map(presentByIds(db, Array.from(records.keys())).map((person) => [person.id, person]));
		const endsOf = formerEnds(db, records);
		function stepFor(id: number, changing: ReadonlySet<number>): Step {
			const undone = orNotFound(records.get(id), changesMessages.nothingToUndo);
			// Nobody who is as the change left them was changed since, which spares the look into their history.
			if (people.get(id)?.updatedAt !== undone.at) {
				if (people.has(id)) findManageable(db, each.actor, id);
				refuseChangedSince(db, undone);
			}
			const { inverse } = undone;
			if (inverse === null) return deletion(db, each, id);
			refuseTaken(db, inverse, changing);
			const edit = allowedEdit(db, each, id, (before) => ({ ...inverse, ends: endsOf(before) }));
			return editing(db, each, 'EMPLOYEE_UPDATE_UNDO', edit);
		}
		const placeOf = (id: number) => {
			const name = records.get(id)?.targetName;
			return { path: 'params.groupId', ...(name && { name }) };
		};
		const refusal = { message: changesMessages.refused, placesOf: () => placeOf, mayLeaveOut: others };
		/** Who needs the phone of somebody who is left out is left out, too. */
		function stepsFor(changing: ReadonlySet<number>): Step[] {
			const allowed = new Set<number>();
			const work = (id: number) => {
				const step = stepFor(id, changing);
				allowed.add(id);
				return step;
			};
			const steps = applyToEach(changing, work, refusal);
			return allowed.size === changing.size ? steps : stepsFor(allowed);
		}
		const steps = stepsFor(new Set(records.keys()));
		const edits = steps.flatMap(({ edit }) => edit ?? []);
		parkPhoneNumbers(db, edits);
		const deleted = steps.length - edits.length;
		const counts = [
			{ field: 'created', before: null, after: deleted },
			{ field: 'updated', before: null, after: edits.length },
		];
		const head = deleted > 0 ? [record(db, each, { action: 'EMPLOYEE_IMPORT_UNDO', changes: counts })] : [];
		return keepAll(steps, false, head);
	});
}

/** @throws AppError CONFLICT when somebody who is not among those that change has the phone that somebody had before. */
function refuseTaken(db: Db, { phone }: UpdateEmployee, changing: ReadonlySet<number>): void {
	const holder = phone === undefined ? undefined : findAccountsNamed(db, phone).employee;
	if (holder && !changing.has(holder.id)) throw new AppError('CONFLICT', employeeMessages.phoneTaken);
}

/** What happens to one of many, once every rule allows it. */
interface Step {
	/** How much changes; 0 when they are so already. */
	size: number;
	/** What is written; nothing of who is deleted. */
	edit?: EmployeeEdit;
	/** Keeps it. @returns the id of its record. */
	keep(): number;
}

/** Deletions come first, because they set phones free. */
function deletion(db: Db, caller: Caller, id: number): Step {
	const employee = getCurrentVersion(db, caller, id);
	return { size: Number.MAX_SAFE_INTEGER, keep: () => markDeleted(db, caller, employee) };
}

/** An `If-Match` names one version, and these are many. */
function withoutTags(caller: Caller): Caller {
	return { ...caller, expectedTags: undefined };
}

function editing(db: Db, caller: Caller, action: 'EMPLOYEE_UPDATE' | 'EMPLOYEE_UPDATE_UNDO', edit: EmployeeEdit): Step {
	const { roleIds: held, ...before } = editableFields(edit.before);
	const { roleIds, ...after } = edit.after;
	const differing = Object.entries(after).filter(([field, value]) => before[field as keyof typeof after] !== value);
	return {
		size: differing.length + new Set(held).symmetricDifference(new Set(roleIds)).size,
		edit,
		keep: () => saveEmployee(db, caller, action, edit),
	};
}

/** What a change makes of one employee. */
function updateOf({ addRoleIds, removeRoleIds, delete: _, ...fields }: EmployeesChange) {
	return ({ roles }: KnownEmployee): UpdateEmployee => {
		const held = new Set(roles.map(({ id }) => id));
		if (removeRoleIds) return { roleIds: Array.from(held.difference(new Set(removeRoleIds))) };
		if (!addRoleIds) return fields;
		const wanted = held.union(new Set(addRoleIds));
		if (wanted.size > maxRolesOfOne) throw new AppError('BAD_REQUEST', employeeMessages.tooManyRoles);
		return { roleIds: Array.from(wanted) };
	};
}

/** The first record stands for all in the history, so it is one of a person with most changes. */
function keepAll(steps: readonly Step[], dryRun: boolean, head: readonly number[] = []): ChangedEmployees {
	const changes = steps.filter(({ size }) => size > 0).toSorted((a, b) => b.size - a.size);
	const [groupId = null] = dryRun ? [] : [...head, ...changes.map(({ keep }) => keep())];
	return { changed: changes.length, unchanged: steps.length - changes.length, groupId };
}

/** The record of one person in a change that can be undone, and what undoes it: null deletes who was hired. */
interface Undoable extends HistoryRecord {
	inverse: UpdateEmployee | null;
}

/**
 * Until when people had the roles that they have no more, so that none comes back for good that was given until a day. All of
 * them are read at once, and only for changes of roles: no index has the former ones.
 */
function formerEnds(db: Db, records: ReadonlyMap<number, Undoable>): (before: KnownEmployee) => LastDays {
	const ids = Array.from(records).flatMap(([id, { inverse }]) => (inverse?.roleIds ? id : []));
	const former = ids.length === 0 ? [] : read(db).formerRoles.all({ ids: JSON.stringify(ids) });
	const byPerson = Map.groupBy(former, ({ id }) => id);
	return ({ id, roles }) => {
		const held = new Set(roles.map((role) => role.id));
		const lost = byPerson.get(id)?.filter(({ roleId }) => !held.has(roleId));
		return new Map(lost?.map(({ roleId, endsOn }) => [roleId, endsOn]));
	};
}

/** The records of a change by the id of the person, at least one. @throws AppError NOT_FOUND; CONFLICT when it is too old. */
function undoableRecords(db: Db, { actor, at }: Caller, groupId: number): Map<number, Undoable> {
	const { items, total } = toTheEnd(listHistory(db, { groupId }, { page: 1, pageSize: 2 * maxPeopleAtOnce + 1 }));
	// Closing a store moved its people; the store itself stays as it is. What counts an import has no target, and reach does not come back.
	const ofPeople = items.filter(({ targetType, action }) => targetType === 'EMPLOYEE' && action !== 'EMPLOYEE_REACH');
	const records = new Map(
		ofPeople.flatMap((record) => {
			const inverse = inverseOf(record, actor);
			return inverse !== undefined && record.targetId !== null
				? [[record.targetId, { ...record, inverse }] as const]
				: [];
		}),
	);
	const [first] = ofPeople;
	const others = items.length - ofPeople.length;
	if (!first || records.size < total - others || records.size > maxPeopleAtOnce) {
		throw new AppError('NOT_FOUND', changesMessages.nothingToUndo);
	}
	if (Date.parse(at) - Date.parse(first.at) <= undoHours * 3_600_000) return records;
	throw businessError('CONFLICT', 'params.groupId', changesMessages.tooLate(undoHours));
}

/** What undoes a record of the actor; undefined when nothing does. */
function inverseOf(
	{ action, actorType, actorId, changes }: HistoryRecord,
	actor: Actor,
): Undoable['inverse'] | undefined {
	if (actorType !== actor.accountType || actorId !== actor.id) return undefined;
	if (action === 'EMPLOYEE_CREATE') return null;
	// A last day that has ended is dropped when somebody is enabled; they need none when they are disabled again.
	const undone = changes.filter(({ field }) => field !== 'leavesOn');
	if (action !== 'EMPLOYEE_UPDATE' || undone.length === 0) return undefined;
	return Object.fromEntries(undone.map(({ field, before }) => [field, before]));
}

/** How many of the newest records of a person are looked at. */
const maxRecords = 100;

/** @throws AppError CONFLICT when a field of a record has changed since, any field of who was hired, or the person is gone. */
function refuseChangedSince(db: Db, { id, targetId, inverse }: Undoable): void {
	const filter = { targetType: 'EMPLOYEE', targetId: targetId ?? undefined } as const;
	for (const later of newestRecords(db, filter, maxRecords)) {
		// What somebody approved is no change of them.
		if (later.id <= id || later.action === 'APPROVAL') continue;
		const again = later.changes.find(({ field }) => inverse === null || field in inverse);
		if (!again) continue;
		const who = signature(later);
		const { deletedSince, changedSince } = changesMessages;
		const isGone = later.action === 'EMPLOYEE_DELETE';
		const message = isGone ? deletedSince(who) : changedSince(who, fieldWord(again.field, 'EMPLOYEE'));
		const detail = { message, ...authorOf(later), ...(!isGone && { field: again.field }) };
		throw new AppError('CONFLICT', message, { details: [detail] });
	}
}
