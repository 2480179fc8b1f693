/** The four sentences of decision 0021 as they apply to employees: reach, manage, give, yourself. */
import { type Authority, accessibleStores, readAuthority } from '../../identity/rights/authority.ts';
import { beginnings, reasonFor, requireNothingMissing, rightsMessages } from '../../identity/rights/refusal.ts';
import {
	codeDays,
	endsLater,
	type Grants,
	isNothing,
	type Missing,
	missingForGrants,
	newOrLonger,
	noGrants,
	reaches,
} from '../../identity/rights/rules.ts';
import { type Actor, isSelf } from '../../identity/session/actor.ts';
import { chainPoints, permissionsByRole } from '../../identity/session/granted-permissions.ts';
import { lacksPermission, notForPrograms } from '../../identity/session/refusals.ts';
import type { Db } from '../../platform/database/open.ts';
import { businessError } from '../../platform/vocabulary/errors.ts';
import { hasPermission } from '../../platform/vocabulary/permissions.ts';
import type { Reason } from '../../platform/vocabulary/reasons.ts';
import { listRoles } from '../roles/service.ts';
import { listStoreOptions } from '../stores/service.ts';
import type { EmployeeFilter, EmployeeOptions, StoredEmployee } from './model.ts';
import { getStoredEmployee } from './read.ts';

/** The caller must reach the store. @throws AppError FORBIDDEN */
export function requireReached(authority: Authority, storeId: number, path = 'params.id'): void {
	if (!reaches(authority, storeId)) throw businessError('FORBIDDEN', path, rightsMessages.otherStore);
}

/** Whether a program acts for this employee. The program never changes their account. */
export function isOwnThroughProgram(actor: Actor, id: number): boolean {
	return actor.grant !== undefined && isSelf(actor, id);
}

/** The rights of an employee that the caller lacks. @throws AppError FORBIDDEN for {@link isOwnThroughProgram} */
export function missingToManage(authority: Authority, id: number): Missing {
	if (isOwnThroughProgram(authority.actor, id)) throw notForPrograms();
	return missingForGrants(authority, authority.grantsOf(id), authority.structure);
}

/** The reason why the caller does not manage an employee within reach; undefined if they do. @throws AppError FORBIDDEN */
export function manageRefusal(authority: Authority, id: number): Reason | undefined {
	const missing = missingToManage(authority, id);
	return isNothing(missing) ? undefined : reasonFor(authority, beginnings.manage, missing);
}

/** The employee must be within the caller's reach, with no right that the caller lacks. @throws AppError FORBIDDEN */
export function requireManageable(authority: Authority, employee: StoredEmployee, path = 'params.id'): void {
	requireReached(authority, employee.storeId, path);
	const reason = manageRefusal(authority, employee.id);
	if (reason) throw businessError('FORBIDDEN', path, reason);
}

/** An employee managed by an actor, and the rights that decide. @throws AppError NOT_FOUND; FORBIDDEN. */
export function getManageable(db: Db, actor: Actor, id: number) {
	const authority = readAuthority(db, actor, [id]);
	const employee = getStoredEmployee(db, id);
	requireManageable(authority, employee);
	return { authority, employee };
}

/**
 * Setting another employee's password or removing their second factor requires all their rights for good: the caller
 * could sign in as them.
 * @throws AppError FORBIDDEN
 */
export function requireMayActAs(authority: Authority, id: number): void {
	if (isSelf(authority.actor, id)) return;
	const missing = missingForGrants(authority.forGood, authority.grantsOf(id), authority.structure);
	requireNothingMissing(authority, missing, { request: 'password', path: 'params.id' });
}

/** A change of one employee's grants. */
export interface GrantChange {
	/** undefined for a new or restored employee. */
	id: number | undefined;
	after: Grants;
	/** The last day of work before and after. With a later one, or none, the employee gains all their rights again. */
	leavesOn?: Record<'before' | 'after', string | null>;
}

const isProlonged = ({ leavesOn }: GrantChange) => leavesOn !== undefined && endsLater(leavesOn.after, leavesOn.before);

/** The grants of a new or restored employee with these roles. */
export function newGrants(storeId: number | undefined, roleIds: Iterable<number>): GrantChange {
	return { id: undefined, after: { ...noGrants, storeId, roles: new Map(Array.from(roleIds, (id) => [id, null])) } };
}

/** The causes of a refusal to give, and the paths in the request that it names. */
export type RefusalPaths = Record<'roles' | 'store' | 'lastDay', string>;

interface GiveRefusal {
	cause: keyof RefusalPaths;
	reason: Reason;
}

/** The rights that an employee gains by a change and the caller cannot give. */
export function missingToGive({ forGood, structure, grantsOf }: Authority, change: GrantChange): Missing {
	const before = isProlonged(change) ? noGrants : grantsOf(change.id);
	return missingForGrants(forGood, change.after, structure, before);
}

/**
 * The caller must have for good every right that an employee gains by a change.
 * @returns the refusal and its cause; undefined when the caller can give these rights.
 */
export function giveRefusal(authority: Authority, change: GrantChange): GiveRefusal | undefined {
	const missing = missingToGive(authority, change);
	if (isNothing(missing)) return isSelf(authority.actor, change.id) ? ownRefusal(authority, change) : undefined;
	const keepsStore = authority.grantsOf(change.id).storeId === change.after.storeId;
	const ofGrant = missing.permissions.length > 0 || keepsStore ? 'roles' : 'store';
	const cause = isProlonged(change) ? 'lastDay' : ofGrant;
	return { cause, reason: reasonFor(authority, beginnings.give, missing) };
}

/** Applies the rule of {@link giveRefusal}. @throws AppError FORBIDDEN */
export function requireGivable(authority: Authority, change: GrantChange, paths: RefusalPaths): void {
	const refusal = giveRefusal(authority, change);
	if (refusal) throw businessError('FORBIDDEN', paths[refusal.cause], refusal.reason);
}

/**
 * Employees must not change their own last day of work, or give themselves a permission of the chain's own that they lack
 * or have only until a day. Their own reach has its own route, which refuses them.
 */
function ownRefusal({ db, grantsOf }: Authority, { id, after, leavesOn }: GrantChange): GiveRefusal | undefined {
	const held = permissionsByRole(db);
	const daysOf = ({ roles }: Grants) => codeDays(roles, (roleId) => held.get(roleId) ?? new Set());
	const gains = newOrLonger(daysOf(grantsOf(id)), daysOf(after));
	const points = chainPoints(db).filter(({ code }) => gains.has(code));
	if (points.length > 0) return { cause: 'roles', reason: rightsMessages.chainPoints(points) };
	return leavesOn?.after === leavesOn?.before ? undefined : { cause: 'lastDay', reason: rightsMessages.ownLastDay };
}

/**
 * Limits a filter to the stores that the caller reaches. A store out of reach is replaced by the caller's own.
 * @throws AppError FORBIDDEN for deleted employees when the caller does not manage employees.
 */
export function withinReach(db: Db, actor: Actor, filter: EmployeeFilter): EmployeeFilter {
	if (filter.deleted && !hasPermission(actor.permissions, 'employee:manage'))
		throw lacksPermission(['employee:manage']);
	const reached = accessibleStores(db, actor);
	if (reached === undefined || actor.accountType === 'SUPER_ADMIN') return filter;
	const { storeId } = filter;
	if (storeId !== undefined) return { ...filter, storeId: reached.includes(storeId) ? storeId : actor.storeId };
	return reached.length === 1 ? { ...filter, storeId: actor.storeId } : { ...filter, stores: reached };
}

/** The options of an employee form: the active stores within reach, and each role that the caller may give by itself. */
export function listOptions(db: Db, actor: Actor): EmployeeOptions {
	const authority = readAuthority(db, actor);
	const stores = listStoreOptions(db).filter(({ id }) => reaches(authority, id));
	const roles = listRoles(db).filter(({ id }) => isNothing(missingToGive(authority, newGrants(undefined, [id]))));
	return { stores, roles };
}
