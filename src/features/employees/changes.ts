/** Changing many employees at once, each by the rules of a single change: all of them or none. */
import type { Authority } from '../../identity/rights/authority.ts';
import type { Caller } from '../../identity/session/actor.ts';
import type { Db } from '../../platform/database/open.ts';
import { largeTransaction } from '../../platform/database/query.ts';
import type { ManyChangesQuery } from '../../platform/http/fields.ts';
import { forEachManaged } from './all-or-none.ts';
import {
	type ChangedEmployees,
	type ChangeEmployees,
	type EmployeesChange,
	employeeMessages,
	type StoredEmployee,
} from './model.ts';
import { editableFields, type Step, saveSteps } from './save.ts';
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
	const stepFor = (before: StoredEmployee, authority: Authority): Step =>
		change.delete ? { before } : allowedEdit(authority, before, updateOf(change, before));
	function work(): ChangedEmployees {
		const steps = forEachManaged(db, caller, { ids, reason: employeeMessages.noneChanged }, stepFor);
		const changes = effective(steps);
		const groupId = dryRun ? null : saveSteps(db, caller, changes);
		return { changed: changes.length, unchanged: steps.length - changes.length, groupId };
	}
	return dryRun ? work() : largeTransaction(db, work);
}

/** The update of one employee that a change means. */
function updateOf({ addRoleIds, removeRoleIds, delete: _, ...fields }: EmployeesChange, { roles }: StoredEmployee) {
	const held = new Set(roles.map(({ id }) => id));
	const roleIds = held.difference(new Set(removeRoleIds)).union(new Set(addRoleIds));
	return { ...fields, roleIds: Array.from(roleIds) };
}

/** The steps that change something. The largest is first, because it represents the whole change in the history. */
export function effective<Some extends Step>(steps: readonly Some[]): Some[] {
	const sized = steps.map((step) => ({ step, size: sizeOf(step) })).filter(({ size }) => size > 0);
	return sized.toSorted((a, b) => b.size - a.size).map(({ step }) => step);
}

/** The number of fields and roles that a step changes. A deletion and a restoration count more than any edit. */
function sizeOf({ before, after }: Step): number {
	if (!after || before.deletedAt !== null) return Number.MAX_SAFE_INTEGER;
	const { roleIds: held, ...fields } = editableFields(before);
	const differing = Object.entries(fields).filter(([field, value]) => after[field as keyof typeof fields] !== value);
	return differing.length + new Set(held).symmetricDifference(new Set(after.roleIds)).size;
}
