/** Changing many employees at once, each by the rules of a single change: all of them or none. And undoing it. */
import { and, isNotNull } from 'drizzle-orm';
import type { Db } from '../database/open.ts';
import { among, largeTransaction, queries, snapshot } from '../database/query.ts';
import { employeeRoles } from '../database/schema.ts';
import type { HistoryRecord } from '../history/model.ts';
import { listHistory, newestRecords } from '../history/service.ts';
import { signature } from '../history/versions.ts';
import { fieldWord } from '../history/words.ts';
import { toTheEnd } from '../http/steps.ts';
import type { Actor, Caller } from '../session/actor.ts';
import { AppError, type ErrorDetail, found, ruleBroken } from '../vocabulary/errors.ts';
import { maxPeopleAtOnce } from '../vocabulary/limits.ts';
import { forAll, type Refused } from './all-or-none.ts';
import { type Change, type ChangedEmployees, type ChangeEmployees, changesMessages } from './changes-model.ts';
import { employeeMessages, type KnownEmployee, maxRolesOfOne, type UpdateEmployee } from './model.ts';
import { mayReachStore } from './reach.ts';
import { presentByIds } from './read.ts';
import { allowedEdit, findExpected } from './service.ts';
import { type Edit, keepDeletion, keepEdit, writtenOf } from './writing.ts';

const read = queries(({ select }) => ({
	formerRoles: select({ id: employeeRoles.employeeId, roleId: employeeRoles.roleId, endsOn: employeeRoles.endsOn })
		.from(employeeRoles)
		.where(and(among(employeeRoles.employeeId, 'ids'), isNotNull(employeeRoles.unboundAt)))
		.orderBy(employeeRoles.id),
}));

/** For how long a change can be undone. */
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
		if (change.delete) {
			const employee = findExpected(db, each, id);
			return { size: 1, keep: () => keepDeletion(db, each, employee) };
		}
		return editing(db, each, 'EMPLOYEE_UPDATE', allowedEdit(db, each, id, updateOf(change)));
	}
	function work(): ChangedEmployees {
		const steps = forAll(ids, stepFor, (refused) => refusalOf(refused, detailsOfIds(db, caller.actor, ids, refused)));
		return keepAll(steps, dryRun);
	}
	return dryRun ? snapshot(db, work) : largeTransaction(db, work);
}

/**
 * Undoes what the caller changed together, by the rules of any change.
 * @throws AppError NOT_FOUND when no change of theirs that can be undone has this id; CONFLICT when it is too long ago, or
 * somebody was changed in the same respect since; FORBIDDEN, NOT_FOUND or BAD_REQUEST when somebody cannot be changed back.
 */
export function undoChanges(db: Db, caller: Caller, groupId: number): ChangedEmployees {
	const each = withoutTags(caller);
	return largeTransaction(db, () => {
		const records = undoableRecords(db, caller, groupId);
		const people = new Map(presentByIds(db, Array.from(records.keys())).map((person) => [person.id, person]));
		const endsOf = formerEnds(db, records);
		function stepFor(id: number): Step {
			const record = found(records.get(id), changesMessages.nothingToUndo);
			// Nobody who is as the change left them was changed since, which spares the look into their history.
			if (people.get(id)?.updatedAt !== record.at) refuseChangedSince(db, record);
			const edit = allowedEdit(db, each, id, () => record.inverse);
			return editing(db, each, 'EMPLOYEE_UPDATE_UNDO', { ...edit, ends: endsOf(edit) });
		}
		const detailOf = ({ id, error }: Refused) => ({
			path: 'params.groupId',
			message: named(records.get(id)?.targetName, error),
		});
		const steps = forAll(records.keys(), stepFor, (refused) => refusalOf(refused, detailOf));
		return keepAll(steps, false);
	});
}

/** What happens to one of many, once every rule allows it. */
interface Step {
	/** How much changes; 0 when they are so already. */
	size: number;
	/** Keeps it. @returns the id of its record. */
	keep(): number;
}

/** An `If-Match` names one version, and these are many. */
function withoutTags(caller: Caller): Caller {
	return { ...caller, expectedTags: undefined };
}

function editing(db: Db, caller: Caller, action: 'EMPLOYEE_UPDATE' | 'EMPLOYEE_UPDATE_UNDO', edit: Edit): Step {
	const { roleIds: held, ...before } = writtenOf(edit.before);
	const { roleIds, ...after } = edit.after;
	const differing = Object.entries(after).filter(([field, value]) => before[field as keyof typeof after] !== value);
	return {
		size: differing.length + new Set(held).symmetricDifference(new Set(roleIds)).size,
		keep: () => keepEdit(db, caller, action, edit),
	};
}

/** What a change makes of one employee. */
function updateOf({ addRoleIds, removeRoleIds, delete: _, ...fields }: Change) {
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
function keepAll(steps: readonly Step[], dryRun: boolean): ChangedEmployees {
	const changes = steps.filter(({ size }) => size > 0).toSorted((a, b) => b.size - a.size);
	const [groupId = null] = dryRun ? [] : changes.map(({ keep }) => keep());
	return { changed: changes.length, unchanged: steps.length - changes.length, groupId };
}

function refusalOf(refused: readonly Refused[], detailOf: (refused: Refused) => ErrorDetail) {
	return { message: changesMessages.refused(refused.length), details: refused.map(detailOf) };
}

/** Where each refused one stands in the body, with their name unless they are of a store that the actor does not reach. */
function detailsOfIds(db: Db, actor: Actor, ids: readonly number[], refused: readonly Refused[]) {
	const refusedIds = refused.map(({ id }) => id);
	const known = presentByIds(db, refusedIds).filter(({ storeId }) => mayReachStore(actor, storeId));
	const names = new Map(known.map(({ id, name }) => [id, name]));
	return ({ id, error }: Refused) => ({ path: `body.ids.${ids.indexOf(id)}`, message: named(names.get(id), error) });
}

function named(name: string | null | undefined, { message }: AppError): string {
	return name ? `${name}：${message}` : message;
}

/** The record of one person in a change that can be undone, and what undoes it. */
interface Undoable extends HistoryRecord {
	inverse: UpdateEmployee;
}

/** The fields that are changed together. */
const undoableFields: readonly string[] = ['storeId', 'status', 'roleIds'] satisfies (keyof UpdateEmployee)[];

/**
 * Until when people had the roles that they have no more, so that none comes back for good that was given until a day. All of
 * them are read at once, and only for changes of roles: no index has the former ones.
 */
function formerEnds(
	db: Db,
	records: ReadonlyMap<number, Undoable>,
): (edit: Edit) => ReadonlyMap<number, string | null> {
	const ids = Array.from(records).flatMap(([id, { inverse }]) => (inverse.roleIds ? id : []));
	const former = ids.length === 0 ? [] : read(db).formerRoles.all({ ids: JSON.stringify(ids) });
	const byPerson = Map.groupBy(former, ({ id }) => id);
	return ({ before: { id, roles } }) => {
		const held = new Set(roles.map((role) => role.id));
		const lost = byPerson.get(id)?.filter(({ roleId }) => !held.has(roleId));
		return new Map(lost?.map(({ roleId, endsOn }) => [roleId, endsOn]));
	};
}

/** The records of a change by the id of the person, at least one. @throws AppError NOT_FOUND; CONFLICT when it is too old. */
function undoableRecords(db: Db, { actor, at }: Caller, groupId: number): Map<number, Undoable> {
	const { items, total } = toTheEnd(listHistory(db, { groupId }, { page: 1, pageSize: maxPeopleAtOnce }));
	const records = new Map(
		items.flatMap((record) => {
			const inverse = inverseOf(record, actor);
			return inverse && record.targetId !== null ? [[record.targetId, { ...record, inverse }] as const] : [];
		}),
	);
	const [first] = items;
	if (!first || records.size < total) throw new AppError('NOT_FOUND', changesMessages.nothingToUndo);
	if (Date.parse(at) - Date.parse(first.at) <= undoHours * 3_600_000) return records;
	throw ruleBroken('CONFLICT', 'params.groupId', changesMessages.tooLate(undoHours));
}

/** What undoes a record of the actor; undefined when nothing does. */
function inverseOf({ action, actorType, actorId, changes }: HistoryRecord, actor: Actor): UpdateEmployee | undefined {
	// A last day that has ended is dropped when somebody is enabled; they need none when they are disabled again.
	const undone = changes.filter(({ field }) => field !== 'leavesOn');
	const isOwn = action === 'EMPLOYEE_UPDATE' && actorType === actor.accountType && actorId === actor.id;
	if (!isOwn || undone.length === 0 || !undone.every(({ field }) => undoableFields.includes(field))) return undefined;
	return Object.fromEntries(undone.map(({ field, before }) => [field, before]));
}

/** How many of the newest records of a person are looked at. */
const maxRecords = 100;

/** @throws AppError CONFLICT when a field of a record has changed since, or the person is gone. */
function refuseChangedSince(db: Db, { id, targetId, inverse }: Undoable): void {
	const filter = { targetType: 'EMPLOYEE', targetId: targetId ?? undefined } as const;
	for (const later of newestRecords(db, filter, maxRecords).filter((each) => each.id > id)) {
		const again = later.changes.find(({ field }) => field in inverse);
		if (!again) continue;
		const who = signature(later);
		const { deletedSince, changedSince } = changesMessages;
		if (later.action === 'EMPLOYEE_DELETE') throw new AppError('CONFLICT', deletedSince(who));
		throw new AppError('CONFLICT', changedSince(who, fieldWord(again.field, 'EMPLOYEE')));
	}
}
