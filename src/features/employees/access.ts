/** Explains an employee's permissions, their ability to sign in, and whether the caller manages them. */
import { and, eq, not, sql } from 'drizzle-orm';
import { type Authority, accessibleStores, readAuthority } from '../../identity/rights/authority.ts';
import { type Grants, isNothing, missingFrom, reaches, toRights } from '../../identity/rights/rules.ts';
import { hasSecondFactor } from '../../identity/session/accounts.ts';
import { type Actor, hasNoPassword } from '../../identity/session/actor.ts';
import { chainPoints, permissionsByRole } from '../../identity/session/granted-permissions.ts';
import { peopleOnly, reasonOf } from '../../identity/session/refusals.ts';
import type { Db } from '../../platform/database/open.ts';
import { inJsonArray, param, queries } from '../../platform/database/query.ts';
import { employees } from '../../platform/database/schema.ts';
import {
	catalogWith,
	hasPermission,
	historyCode,
	type PermissionCode,
	type Permissions,
	scopeOf,
	titleOf,
} from '../../platform/vocabulary/permissions.ts';
import { signInRefusal } from '../auth/sign-in.ts';
import { listRoles } from '../roles/service.ts';
import { isOwnThroughProgram, manageRefusal, newGrants } from './authorization.ts';
import { type EmployeeAccess, employeeMessages, type Helpers, type StoredEmployee } from './model.ts';
import { selectHolders } from './read.ts';
import { isInDisabledStore } from './search.ts';
import { getEmployee } from './service.ts';

/** The explanation for a time in ISO 8601. @throws AppError NOT_FOUND; FORBIDDEN for an employee out of the actor's reach. */
export function explainAccess(db: Db, actor: Actor, id: number, at: string): EmployeeAccess {
	const employee = getEmployee(db, actor, id);
	const { roles, passwordIsInitial, passwordExpiresAt } = employee;
	const account = { accountType: 'EMPLOYEE', id, passwordIsInitial } as const;
	const granted = permissionsByRole(db);
	const permissions: Permissions = new Set(roles.flatMap((role) => [...(granted.get(role.id) ?? [])]));
	const mayKnow = hasPermission(actor.permissions, 'permission:view');
	const mayManage = hasPermission(actor.permissions, 'employee:manage');
	return {
		employeeId: id,
		...(mayKnow && { scope: scopeOf(permissions), permissions: explainPermissions(db, employee, granted) }),
		doors: explainSignIn({ ...employee, permissions }, hasNoPassword(account, actor.requirements), at),
		...(mayManage && { manage: explainManaging(db, actor, employee) }),
		passwordIsInitial,
		passwordExpiresAt,
		hasSecondFactor: hasSecondFactor(db, account),
	};
}

/** Every permission point, and the roles that grant it. */
function explainPermissions(db: Db, { roles }: StoredEmployee, granted: ReturnType<typeof permissionsByRole>) {
	return catalogWith(chainPoints(db)).permissions.map(({ code, title }) => {
		const granting = roles.filter((role) => granted.get(role.id)?.has(code));
		return { code, title, held: granting.length > 0, roles: granting };
	});
}

/** Whether the correct password signs in, at each of the two logins. */
function explainSignIn(employee: Parameters<typeof signInRefusal>[1], isWithoutPassword: boolean, at: string) {
	return (['BACK_OFFICE', 'EMPLOYEE'] as const).map((door) => {
		if (isWithoutPassword) return { door, allowed: false, message: employeeMessages.noPassword };
		const refusal = signInRefusal(door, employee, at);
		return { door, allowed: refusal === undefined, message: refusal ? reasonOf(refusal).message : null };
	});
}

/** The maximum number of employees with a managing role to examine for examples. */
const maxCandidates = 200;
const maxNamed = 3;

const read = queries((reader) => {
	const isWithin = sql`(${param('stores')} is null or ${inJsonArray(employees.storeId, 'stores')})`;
	const isElsewhere = sql`${employees.storeId} <> ${param('storeId')}`;
	// Somebody in a disabled store cannot sign in to help.
	const holders = selectHolders(reader, and(eq(employees.status, 'ACTIVE'), not(isInDisabledStore), isWithin));
	return { holders: holders.orderBy(isElsewhere, employees.id).limit(maxCandidates) };
});

/** The first enabled employees with one of these roles, within some stores or in all. Those of one store come first. */
function listHolders(db: Db, roles: readonly { id: number }[], storeId: number, stores?: readonly number[]) {
	const roleIds = JSON.stringify(roles.map(({ id }) => id));
	return read(db).holders.all({ roleIds, storeId, stores: stores ? JSON.stringify(stores) : null });
}

/** Whether the caller manages an employee. If not, also the missing rights, and roles and colleagues that have them. */
function explainManaging(db: Db, actor: Actor, employee: StoredEmployee): NonNullable<EmployeeAccess['manage']> {
	const authority = readAuthority(db, actor, [employee.id]);
	const isOwn = isOwnThroughProgram(actor, employee.id);
	const reason = isOwn ? peopleOnly : manageRefusal(authority, employee.id);
	const managers = reason && !isOwn ? listManagers(authority, employee) : { roles: [], people: [] };
	return { allowed: !reason, message: reason?.message ?? null, ...managers };
}

/** The roles that suffice by themselves to manage an employee, and up to three colleagues within reach who do. */
function listManagers({ db, actor, structure, grantsOf }: Authority, { id, storeId }: StoredEmployee) {
	const theirs = toRights(grantsOf(id), structure);
	function isEnough(grants: Grants): boolean {
		const rights = toRights(grants, structure);
		const canManage = rights.permissions.has('employee:manage') && reaches(rights, storeId);
		return canManage && isNothing(missingFrom(rights, theirs));
	}
	const managing = listRoles(db).filter((role) => structure.permissionsOf(role.id).has('employee:manage'));
	const holders = listHolders(db, managing, storeId, accessibleStores(db, actor)).filter((holder) => holder.id !== id);
	const ids = holders.map((holder) => holder.id);
	const { grantsOf: grantsOfHolder } = readAuthority(db, actor, ids);
	return {
		roles: managing.filter((role) => isEnough(newGrants(undefined, [role.id]).after)),
		people: holders
			.values()
			.filter((holder) => isEnough(grantsOfHolder(holder.id)))
			.take(maxNamed)
			.toArray(),
	};
}

/** At most three colleagues who hold a permission, within the caller's reach or store. Nobody holds an unknown one. */
export function listHelpers(db: Db, actor: Actor, code = ''): Helpers {
	const known = catalogWith(chainPoints(db)).permissions.find((point) => point.code === code);
	const held = permissionsByRole(db);
	const holding = listRoles(db).filter(({ id }) => held.get(id)?.has(code as PermissionCode));
	// No store has the id 0.
	const own = actor.accountType === 'EMPLOYEE' ? actor.storeId : 0;
	const people = listHolders(db, holding, own, accessibleStores(db, actor)?.concat(own)).slice(0, maxNamed);
	// `history:view` has a title before the chain creates this point.
	const title = known?.title ?? (code === historyCode ? titleOf(code) : null);
	return { title, people };
}
