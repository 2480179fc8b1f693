/** The employees of the chain. */
import { and, isNull } from 'drizzle-orm';
import { requireCurrent, type Version } from '../../identity/history/versions.ts';
import { type Authority, accessibleStores, readAuthority } from '../../identity/rights/authority.ts';
import { rightsMessages } from '../../identity/rights/refusal.ts';
import { type LastDays, reaches } from '../../identity/rights/rules.ts';
import type { Actor, Caller } from '../../identity/session/actor.ts';
import type { Db } from '../../platform/database/open.ts';
import { inJsonArray, queries, transaction } from '../../platform/database/query.ts';
import { roles } from '../../platform/database/schema.ts';
import { isOver } from '../../platform/vocabulary/day.ts';
import { AppError, businessError } from '../../platform/vocabulary/errors.ts';
import type { Page, Paging } from '../../platform/vocabulary/paging.ts';
import type { Passwords } from '../auth/password.ts';
import { storeProblem } from '../stores/service.ts';
import {
	type GrantChange,
	getManageable,
	newGrants,
	type RefusalPaths,
	requireGivable,
	requireManageable,
	requireReached,
	withinReach,
} from './authorization.ts';
import {
	type CreateEmployee,
	type EmployeeFilter,
	employeeMessages,
	type GiveRole,
	type HireQuery,
	maxRolesOfOne,
	newEmployee,
	type StoredEmployee,
	type UpdateEmployee,
} from './model.ts';
import { findHolder, getStoredEmployee, listByIds, listFormerHolders, uniqueFields } from './read.ts';
import {
	type EditableFields,
	type EmployeeEdit,
	editableFields,
	editableFieldsAfter,
	insertEmployee,
	markDeleted,
	saveEmployee,
} from './save.ts';
import { findEmployees } from './search.ts';

const read = queries(({ select }) => ({
	liveRoles: select({ id: roles.id })
		.from(roles)
		.where(and(inJsonArray(roles.id, 'ids'), isNull(roles.deletedAt))),
}));

/** One page of the employees who pass the filter, within the actor's reach. @throws AppError as {@link withinReach} does. */
export function listEmployees(db: Db, actor: Actor, filter: EmployeeFilter, paging: Paging): Page<StoredEmployee> {
	const { ids, total } = findEmployees(db, withinReach(db, actor, filter), paging);
	return { items: listByIds(db, ids, filter.order), total };
}

/** An employee within reach. @throws AppError NOT_FOUND; FORBIDDEN for an employee out of the caller's reach. */
export function getEmployee(db: Db, actor: Actor, id: number): StoredEmployee {
	const employee = getStoredEmployee(db, id);
	// Not `readAuthority`: this is the most frequent request, and most callers see all stores.
	const stores = accessibleStores(db, actor);
	const isReached = stores === undefined || stores.includes(employee.storeId);
	if (!isReached) throw businessError('FORBIDDEN', 'params.id', rightsMessages.otherStore);
	return employee;
}

const pathsInBody: RefusalPaths = { roles: 'body.roleIds', store: 'body.storeId', lastDay: 'body.leavesOn' };

/**
 * Creates an employee with the initial password.
 * @throws AppError FORBIDDEN for a store out of reach, and for rights that the caller cannot give; BAD_REQUEST when the
 * store is missing or disabled, or a role is missing; CONFLICT when the phone or the external id is taken, or with
 * `former=refuse` when a deleted employee out of reach had the phone.
 */
export function createEmployee(
	{ db, passwords }: { db: Db; passwords: Passwords },
	caller: Caller,
	body: CreateEmployee,
	{ former }: HireQuery,
): StoredEmployee {
	const employee = { ...newEmployee, ...body };
	const { storeId, roleIds } = employee;
	return transaction(db, () => {
		const authority = readAuthority(db, caller.actor);
		requireReached(authority, storeId, 'body.storeId');
		requireGivable(authority, newGrants(storeId, roleIds), pathsInBody);
		requireEnabledStore(db, storeId);
		requireLiveRoles(db, new Set(roleIds), 'body.roleIds');
		const add = () => insertEmployee(db, caller, passwords.initialHash(), employee);
		const id = withConflictDetails(authority, employee, add);
		// Checked last: otherwise a request that fails for another reason would reveal, without adding anybody,
		// whether a deleted employee elsewhere had the phone.
		const isElsewhere = ({ storeId }: StoredEmployee) => !reaches(authority, storeId);
		if (former === 'refuse' && listFormerHolders(db, [body.phone]).some(isElsewhere)) {
			throw businessError('CONFLICT', 'body.phone', employeeMessages.formerElsewhere);
		}
		return getStoredEmployee(db, id);
	});
}

/**
 * Updates the given fields. The tokens of a disabled employee are refused until the employee is enabled again.
 * @throws AppError NOT_FOUND; FORBIDDEN for an employee the caller does not manage, and for rights that the caller
 * cannot give; PRECONDITION_FAILED; BAD_REQUEST when the new store is missing or disabled, a role is missing, or the
 * last day is over; CONFLICT when the phone or the external id is taken.
 */
export function updateEmployee(db: Db, caller: Caller, id: number, update: UpdateEmployee): StoredEmployee {
	return transaction(db, () => {
		const { authority, employee: before } = getManageable(db, caller.actor, id);
		const edit = allowedEdit(authority, before, update, caller);
		if (Bun.deepEquals(editableFields(before), edit.after)) return before;
		withConflictDetails(authority, edit.after, () => saveEmployee(db, caller, edit));
		return getStoredEmployee(db, id);
	});
}

/**
 * Applies every rule to a change of an employee the caller manages. `ends` has last days of roles; other new roles have no
 * end.
 * @param options the fields that a refusal names, if they are not those of the employee, and the expected versions.
 * @throws AppError as {@link updateEmployee} does, except CONFLICT.
 */
export function allowedEdit(
	authority: Authority,
	before: StoredEmployee,
	{ ends, ...update }: UpdateEmployee & { ends?: LastDays },
	{ paths = pathsInBody, expectedTags }: Pick<Caller, 'expectedTags'> & { paths?: RefusalPaths } = {},
): EmployeeEdit {
	const { db, actor } = authority;
	const after = editableFieldsAfter(before, update, actor.today);
	requireReached(authority, after.storeId, 'body.storeId');
	const change = grantChange(authority, before, after, ends);
	requireGivable(authority, change, update.leavesOn === undefined ? { ...paths, lastDay: 'body.status' } : paths);
	requireCurrent(db, { expectedTags }, before, employeeVersion);
	const added = new Set(after.roleIds).difference(authority.grantsOf(before.id).roles);
	if (after.storeId !== before.storeId) requireEnabledStore(db, after.storeId);
	requireLiveRoles(db, added, paths.roles);
	if (after.leavesOn !== before.leavesOn && isOver(after.leavesOn, actor.today)) {
		throw businessError('BAD_REQUEST', 'body.leavesOn', employeeMessages.leavesInPast);
	}
	if (after.roleIds.length > maxRolesOfOne) {
		throw businessError('BAD_REQUEST', paths.roles, employeeMessages.tooManyRoles);
	}
	return { before, after, ends };
}

/** The grants of an employee after a change. A role without a new last day keeps its present one. */
export function grantChange(
	{ grantsOf }: Authority,
	before: StoredEmployee,
	{ storeId, roleIds, leavesOn }: EditableFields,
	ends: LastDays = new Map(),
): GrantChange {
	const granted = grantsOf(before.id);
	const lastDays = new Map([...granted.roles, ...ends]);
	const after = { ...granted, storeId, roles: new Map(roleIds.map((id) => [id, lastDays.get(id) ?? null])) };
	return { id: before.id, after, leavesOn: { before: before.leavesOn, after: leavesOn } };
}

/**
 * Assigns a role until a day or for good, or sets the last day of a role that the employee holds. Without a difference
 * nothing is recorded.
 * @throws AppError NOT_FOUND; FORBIDDEN for an employee the caller does not manage, and for rights that the caller
 * cannot give; PRECONDITION_FAILED; BAD_REQUEST when the role is missing, the day is over, or the employee has the
 * maximum number of roles.
 */
export function assignRole(db: Db, caller: Caller, id: number, { roleId, until = null }: GiveRole): StoredEmployee {
	return transaction(db, () => {
		const { authority, employee: before } = getManageable(db, caller.actor, id);
		const roleIds = [...before.roles.map((role) => role.id), roleId];
		const change = { roleIds, ends: new Map([[roleId, until]]) };
		const paths = { ...pathsInBody, roles: 'body.roleId', store: 'body.roleId' };
		const edit = allowedEdit(authority, before, change, { ...caller, paths });
		if (isOver(until, caller.actor.today)) {
			throw businessError('BAD_REQUEST', 'body.until', employeeMessages.endsInPast);
		}
		// undefined for a role that the employee does not hold yet.
		const earlier = authority.grantsOf(id).roles.get(roleId);
		if (earlier === until) return before;
		const ends = { before: { roleId: null, until: earlier ?? null }, after: { roleId, until } };
		saveEmployee(db, caller, edit, { action: 'EMPLOYEE_ROLE_GIVE', ...ends });
		return getStoredEmployee(db, id);
	});
}

/**
 * Deletes an employee, or, with a store, only an employee of that store.
 * @throws AppError FORBIDDEN for a store out of reach, whether or not it has this employee; NOT_FOUND; FORBIDDEN for an
 * employee the caller does not manage; PRECONDITION_FAILED.
 */
export function deleteEmployee(db: Db, caller: Caller, id: number, storeId?: number): void {
	transaction(db, () => {
		const authority = readAuthority(db, caller.actor, [id]);
		if (storeId !== undefined) requireReached(authority, storeId, 'params.storeId');
		const employee = getStoredEmployee(db, id);
		if (storeId !== undefined && employee.storeId !== storeId)
			throw new AppError('NOT_FOUND', employeeMessages.notFound);
		requireManageable(authority, employee, storeId === undefined ? 'params.id' : 'params.employeeId');
		requireCurrent(db, caller, employee, employeeVersion);
		markDeleted(db, caller, employee);
	});
}

/** Runs a write that needs a free phone and external id. @throws AppError CONFLICT that names a holder within reach. */
function withConflictDetails<T>(authority: Authority, values: EditableFields, write: () => T): T {
	try {
		return write();
	} catch (error) {
		if (!(error instanceof AppError && error.code === 'CONFLICT')) throw error;
		const [detail] = error.details;
		const field = uniqueFields.find((each) => detail?.path === `body.${each}`);
		const holder = field && findHolder(authority.db, field, values[field]);
		if (!detail || !holder || !reaches(authority, holder.storeId)) throw error;
		const message = employeeMessages.takenBy(detail.message, holder.name, holder.storeName);
		throw new AppError('CONFLICT', error.reason, { details: [{ ...detail, message }] });
	}
}

/** The version of an employee. The names of the store and of the roles are not part of it. */
export function employeeVersion(employee: StoredEmployee): Version {
	return { type: 'EMPLOYEE', updatedAt: employee.updatedAt, fields: editableFields(employee) };
}

/** The store of an employee must be enabled. @throws AppError BAD_REQUEST */
function requireEnabledStore(db: Db, id: number): void {
	const problem = storeProblem(db, id);
	if (problem) throw businessError('BAD_REQUEST', 'body.storeId', employeeMessages.badStore(problem));
}

/** Every role must exist. @throws AppError BAD_REQUEST */
export function requireLiveRoles(db: Db, ids: ReadonlySet<number>, path: string): void {
	const live = ids.size === 0 ? [] : read(db).liveRoles.all({ ids: JSON.stringify([...ids]) });
	const missing = ids.difference(new Set(live.map(({ id }) => id)));
	if (missing.size === 0) return;
	throw businessError('BAD_REQUEST', path, employeeMessages.badRole(`编号 ${[...missing].join('、')}`));
}
