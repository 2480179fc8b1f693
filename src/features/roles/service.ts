/** The roles of the chain and their holders. */
import { and, count, countDistinct, eq, getTableColumns, isNull, sql } from 'drizzle-orm';
import { auditedBy } from '../../identity/history/record.ts';
import { requireCurrent } from '../../identity/history/versions.ts';
import { accessibleStores } from '../../identity/rights/authority.ts';
import type { Actor, Caller } from '../../identity/session/actor.ts';
import type { Db } from '../../platform/database/open.ts';
import { inJsonArray, mapUniqueViolation, param, queries, transaction } from '../../platform/database/query.ts';
import { rememberUntilWrite } from '../../platform/database/remembered.ts';
import { employeeRoles, employees, rolePermissions, roles } from '../../platform/database/schema.ts';
import { codeFrom } from '../../platform/vocabulary/code-from-name.ts';
import { businessError, orNotFound } from '../../platform/vocabulary/errors.ts';
import { findReadings } from '../../platform/vocabulary/pinyin.ts';
import { searchByName } from '../../platform/vocabulary/search-terms.ts';
import { superAdministrator } from './built-in.ts';
import {
	CreateRole,
	maxRoles,
	type Role,
	type RoleCode,
	type RoleQuery,
	type RoleSummary,
	roleMessages,
	type UpdateRole,
} from './model.ts';

const { deletedAt, ...columns } = getTableColumns(roles);
const live = isNull(deletedAt);
const isHeld = isNull(employeeRoles.unboundAt);
const rolesOfEach = sql`(
	select group_concat(role_id) as roles from employee_roles where unbound_at is null group by employee_id
)`;

const read = queries(({ select }) => ({
	all: select(columns).from(roles).where(live).orderBy(roles.id),
	byId: select(columns)
		.from(roles)
		.where(and(live, eq(roles.id, param('id')))),
	holdersOf: select({ total: count() })
		.from(employeeRoles)
		.where(and(isHeld, eq(employeeRoles.roleId, param('id')))),
	perRole: select({ roleId: employeeRoles.roleId, total: count() })
		.from(employeeRoles)
		.where(isHeld)
		.groupBy(employeeRoles.roleId),
	// Deleted employees hold no role. Without this condition SQLite reads the roles of everybody.
	reached: select({ roleId: employeeRoles.roleId, employees: count() })
		.from(employeeRoles)
		.innerJoin(employees, eq(employees.id, employeeRoles.employeeId))
		.where(and(isHeld, inJsonArray(employees.storeId, 'stores'), isNull(employees.deletedAt)))
		.groupBy(employeeRoles.roleId),
	holders: select({ total: countDistinct(employeeRoles.employeeId) })
		.from(employeeRoles)
		.where(isHeld),
	/** The number of employees for each combination of roles. */
	combinations: select({ roles: sql<string>`roles`, total: count() }).from(rolesOfEach).groupBy(sql`roles`),
	ofEmployee: select({ id: roles.id, code: roles.code, name: roles.name })
		.from(employeeRoles)
		.innerJoin(roles, eq(roles.id, employeeRoles.roleId))
		.where(and(isHeld, eq(employeeRoles.employeeId, param('employeeId'))))
		.orderBy(roles.id),
}));

/** The number of employees with a role, and of those with each role, enabled or not. */
export function countHolders(db: Db) {
	const { perRole, holders } = read(db);
	const count = () => ({
		total: holders.get()?.total ?? 0,
		perRole: new Map(perRole.all().map(({ roleId, total }) => [roleId, total])),
	});
	return rememberUntilWrite(db, 'holders', count, 'employee_roles');
}

/** Counts the employees within reach who hold each role. A role without any is absent. */
export function countVisibleHolders(db: Db, actor: Actor): { roleId: number; employees: number }[] {
	const stores = accessibleStores(db, actor);
	if (stores) return read(db).reached.all({ stores: JSON.stringify(stores) });
	return Array.from(countHolders(db).perRole, ([roleId, employees]) => ({ roleId, employees }));
}

/** The number of employees who hold any of these roles, enabled or not. One pass over all employees answers for any roles. */
export function countHoldersOfAny(db: Db, roleIds: readonly number[]): number {
	const count = () => {
		const rows = read(db).combinations.all();
		return rows.map(({ roles, total }) => ({ roles: roles.split(',').map(Number), total }));
	};
	const combinations = rememberUntilWrite(db, 'combinations of roles', count, 'employee_roles');
	// An employee has few roles, but a permission can be in a thousand.
	const asked = new Set(roleIds);
	const holding = combinations.filter(({ roles }) => roles.some((id) => asked.has(id)));
	return holding.reduce((sum, { total }) => sum + total, 0);
}

/** Lists every role that is not deleted, without the super administrator's pseudo role. */
export function listRoles(db: Db): Role[] {
	return read(db).all.all();
}

/** Every role that passes the filters of a list; without `isSystem`, built-in and custom ones. */
export function findRoles(db: Db, { isSystem, ...terms }: RoleQuery): readonly Role[] {
	const roles = listRoles(db).filter((role) => isSystem === undefined || role.isSystem === isSystem);
	return searchByName(roles, ({ code, name, description }) => [code, name, description], terms, findReadings);
}

/** @throws AppError NOT_FOUND */
export function getRole(db: Db, id: number): Role {
	return orNotFound(read(db).byId.get({ id }), roleMessages.notFound);
}

/** Proposes an unused code from the pinyin of a name. */
export function proposeCode(db: Db, name: string): RoleCode {
	const taken = new Set([superAdministrator.code, ...listRoles(db).map(({ code }) => code)]);
	const start = codeFrom(name, findReadings(name)) || 'role';
	let code = start;
	for (let number = 2; taken.has(code); number += 1) code = `${start}_${number}`;
	return { code };
}

/** Creates a role. @throws AppError CONFLICT when the code is taken, or the maximum number of roles is reached. */
export function createRole(db: Db, caller: Caller, input: CreateRole): Role {
	requireFreeCode(input.code);
	return transaction(db, () => {
		if (listRoles(db).length >= maxRoles) throw businessError('CONFLICT', 'body', roleMessages.limitReached);
		const values = { ...input, isSystem: false, createdAt: caller.at, updatedAt: caller.at };
		const role = mapUniqueViolation(() => db.insert(roles).values(values).returning(columns).get(), taken);
		recordChange(db, caller, 'ROLE_CREATE', { after: role });
		return role;
	});
}

/** Updates a custom role. @throws AppError NOT_FOUND; PRECONDITION_FAILED; CONFLICT for a built-in role or a taken code. */
export function updateRole(db: Db, caller: Caller, id: number, input: UpdateRole): Role {
	return transaction(db, () => {
		const before = getCustomRole(db, caller, id);
		requireFreeCode(input.code);
		const after = { ...before, ...input, updatedAt: caller.at };
		if (hasSameFields(before, after)) return before;
		mapUniqueViolation(() => db.update(roles).set(after).where(eq(roles.id, id)).run(), taken);
		recordChange(db, caller, 'ROLE_UPDATE', { before, after });
		return after;
	});
}

/** Deletes a custom role. @throws AppError NOT_FOUND; PRECONDITION_FAILED; CONFLICT if built-in, or held by an employee. */
export function deleteRole(db: Db, caller: Caller, id: number): void {
	transaction(db, () => {
		const role = getCustomRole(db, caller, id);
		const { total: holders = 0 } = read(db).holdersOf.get({ id }) ?? {};
		if (holders > 0) throw businessError('CONFLICT', 'params.id', roleMessages.bound(holders));
		db.update(roles).set({ deletedAt: caller.at, updatedAt: caller.at }).where(eq(roles.id, id)).run();
		db.update(rolePermissions)
			.set({ deletedAt: caller.at })
			.where(and(eq(rolePermissions.roleId, id), isNull(rolePermissions.deletedAt)))
			.run();
		recordChange(db, caller, 'ROLE_DELETE', { before: role });
	});
}

/** A custom role in the version that the caller expects. */
function getCustomRole(db: Db, caller: Caller, id: number): Role {
	const role = requireCurrent(db, caller, getRole(db, id), roleVersion);
	if (role.isSystem) throw businessError('CONFLICT', 'params.id', roleMessages.builtIn);
	return role;
}

const { versionOf, hasSameFields, recordChange } = auditedBy('ROLE', CreateRole, 'name');

/** The version of a role. */
export const roleVersion = versionOf;

/** The code of the pseudo role is taken, although it has no row that a unique index could guard. */
function requireFreeCode(code: string | undefined): void {
	if (code === superAdministrator.code) throw codeTaken();
}

const codeTaken = () => businessError('CONFLICT', 'body.code', roleMessages.codeTaken);
const taken = { 'roles.code': codeTaken };

/** Lists the present roles of an employee by id. */
export function listRolesOf(db: Db, employeeId: number): RoleSummary[] {
	return read(db).ofEmployee.all({ employeeId });
}
