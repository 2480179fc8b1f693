/** Changing many employees at once, each by the rules of a single change: all of them or none. */
import type { Authority } from '../../identity/rights/authority.ts';
import type { Caller } from '../../identity/session/actor.ts';
import type { Db } from '../../platform/database/open.ts';
import { largeTransaction, snapshot } from '../../platform/database/query.ts';
import type { ManyChangesQuery } from '../../platform/http/fields.ts';
import { forEachManaged } from './all-or-none.ts';
import {
	type ChangedEmployees,
	type ChangeEmployees,
	type EmployeesChange,
	employeeMessages,
	type StoredEmployee,
} from './model.ts';
import { type EmployeeEdit, editableFields, markDeleted, saveEmployee } from './save.ts';
import { allowedEdit } from './service.ts';

/**
 * Makes the same change to several employees; with `dryRun` it only reports the result.
 * @throws AppError FORBIDDEN, NOT_FOUND or BAD_REQUEST with a detail for each employee who cannot be changed.
 */
export function changeEmployees(
	db: Db,
	caller: Caller,
	{ ids, change }: ChangeEmployees,
	{ dryRun }: typeof ManyChangesQuery.static,
): ChangedEmployees {
	const each = withoutIfMatch(caller);
	function stepFor(before: StoredEmployee, authority: Authority): Step {
		if (change.delete) return deletionStep(db, each, before);
		const edit = allowedEdit(db, each, authority, before, updateOf(change, before));
		return updateStep(db, each, 'EMPLOYEE_UPDATE', edit);
	}
	const work = () => saveSteps(forEachManaged(db, each, ids, employeeMessages.noneChanged, stepFor), dryRun);
	return dryRun ? snapshot(db, work) : largeTransaction(db, work);
}

/** The change of one employee, after every rule allowed it. */
export interface Step {
	/** The number of changed fields; 0 when nothing changes. */
	size: number;
	/** The new fields; undefined for a deletion. */
	edit?: EmployeeEdit;
	/** Saves the change. @returns the id of its record. */
	save(): number;
}

/** Deletions come first, because they free phone numbers. */
export function deletionStep(db: Db, caller: Caller, employee: StoredEmployee): Step {
	return { size: Number.MAX_SAFE_INTEGER, save: () => markDeleted(db, caller, employee) };
}

/** Removes `If-Match`: it identifies one version, and a change of many employees has many. */
export function withoutIfMatch(caller: Caller): Caller {
	return { ...caller, expectedTags: undefined };
}

export function updateStep(
	db: Db,
	caller: Caller,
	action: 'EMPLOYEE_UPDATE' | 'EMPLOYEE_UPDATE_UNDO',
	edit: EmployeeEdit,
): Step {
	const { roleIds: held, ...before } = editableFields(edit.before);
	const { roleIds, ...after } = edit.after;
	const differing = Object.entries(after).filter(([field, value]) => before[field as keyof typeof after] !== value);
	return {
		size: differing.length + new Set(held).symmetricDifference(new Set(roleIds)).size,
		edit,
		save: () => saveEmployee(db, caller, action, edit),
	};
}

/** The update of one employee that a change means. */
function updateOf({ addRoleIds, removeRoleIds, delete: _, ...fields }: EmployeesChange, { roles }: StoredEmployee) {
	const held = new Set(roles.map(({ id }) => id));
	if (removeRoleIds) return { roleIds: Array.from(held.difference(new Set(removeRoleIds))) };
	if (!addRoleIds) return fields;
	return { roleIds: Array.from(held.union(new Set(addRoleIds))) };
}

/** The first record represents the whole group in the history, so it belongs to an employee with the most changes. */
export function saveSteps(steps: readonly Step[], dryRun = false, head: readonly number[] = []): ChangedEmployees {
	const changes = steps.filter(({ size }) => size > 0).toSorted((a, b) => b.size - a.size);
	const [groupId = null] = dryRun ? [] : [...head, ...changes.map(({ save }) => save())];
	return { changed: changes.length, unchanged: steps.length - changes.length, groupId };
}
