/** Restoring deleted employees, with the roles that they lost by the deletion. */
import { and, eq, isNull, or, sql } from 'drizzle-orm';
import { fieldWord } from '../../identity/history/words.ts';
import { type Authority, readAuthority } from '../../identity/rights/authority.ts';
import { type LastDays, reaches } from '../../identity/rights/rules.ts';
import type { Caller } from '../../identity/session/actor.ts';
import type { Db } from '../../platform/database/open.ts';
import { inJsonArray, queries, transaction } from '../../platform/database/query.ts';
import { employeeRoles, employees, roles } from '../../platform/database/schema.ts';
import { readIds } from '../../platform/http/fields.ts';
import { isOver } from '../../platform/vocabulary/day.ts';
import { businessError } from '../../platform/vocabulary/errors.ts';
import { storeProblem } from '../stores/service.ts';
import { newGrants, requireGivable, requireReached } from './authorization.ts';
import { employeeMessages, type RestoreQuery, type StoredEmployee, type UpdateEmployee } from './model.ts';
import { findHolder, getEvenIfDeleted, getStoredEmployee, uniqueFields } from './read.ts';
import { type EmployeeEdit, editableFields, saveEmployee } from './save.ts';
import { requireLiveRoles } from './service.ts';

const read = queries(({ select }) => ({
	/** The roles that employees lost; for a deleted employee, those lost by the deletion that still exist. */
	lost: select({ id: employeeRoles.employeeId, roleId: employeeRoles.roleId, endsOn: employeeRoles.endsOn })
		.from(employeeRoles)
		.innerJoin(roles, eq(roles.id, employeeRoles.roleId))
		.innerJoin(employees, eq(employees.id, employeeRoles.employeeId))
		.where(
			and(
				inJsonArray(employeeRoles.employeeId, 'ids'),
				eq(employeeRoles.unboundAt, sql`coalesce(${employees.deletedAt}, ${employeeRoles.unboundAt})`),
				or(isNull(employees.deletedAt), isNull(roles.deletedAt)),
			),
		)
		.orderBy(employeeRoles.id),
}));

/** Reads the roles that employees held and do not hold now, and their last days. Deleted employees come back with them. */
export function readLostRoles(db: Db, ids: Iterable<number>): (employee: StoredEmployee) => LastDays {
	const asked = [...ids];
	const rows = asked.length === 0 ? [] : read(db).lost.all({ ids: JSON.stringify(asked) });
	const byPerson = Map.groupBy(rows, ({ id }) => id);
	return ({ id, roles }) => {
		const held = new Set(roles.map((role) => role.id));
		const lost = byPerson.get(id)?.filter(({ roleId }) => !held.has(roleId));
		return new Map(lost?.map(({ roleId, endsOn }) => [roleId, endsOn]));
	};
}

/**
 * Restores a deleted employee, enabled, with the former password.
 * @throws AppError NOT_FOUND; FORBIDDEN for a store out of reach, and for rights that the caller cannot give; CONFLICT
 * when the employee is not deleted, or another one has the phone or the external id; BAD_REQUEST when the store is
 * deleted or disabled, or a requested role is missing.
 */
export function restoreEmployee(db: Db, caller: Caller, id: number, query: RestoreQuery): StoredEmployee {
	const asked = { ...restoredFields, storeId: query.storeId, roleIds: readIds(query.roleIds) };
	return transaction(db, () => {
		const authority = readAuthority(db, caller.actor);
		const before = getEvenIfDeleted(db, id);
		const lost = readLostRoles(db, [id])(before);
		saveEmployee(db, caller, allowedRestoration(authority, before, { ...asked, lost }));
		return getStoredEmployee(db, id);
	});
}

/** A restored employee is enabled and has no last day. Only an undo restores them as they were. */
export const restoredFields = { status: 'ACTIVE', leavesOn: null } as const;

/** The changes of a restored employee: by default they get the former store and roles. */
interface Restoration extends Pick<UpdateEmployee, 'status' | 'leavesOn'> {
	storeId?: number | undefined;
	roleIds?: readonly number[] | undefined;
	/** The roles that the employee lost by the deletion. */
	lost: LastDays;
}

/** Applies every rule to the restoration of an employee. @throws AppError as {@link restoreEmployee} does. */
export function allowedRestoration(authority: Authority, before: StoredEmployee, requested: Restoration): EmployeeEdit {
	const { storeId = before.storeId, roleIds, lost, ...update } = requested;
	requireReached(authority, before.storeId);
	requireReached(authority, storeId, 'query.storeId');
	const { db, actor } = authority;
	const former: LastDays = before.deletedAt === null ? new Map() : lost;
	const ends = restoredRoles(former, roleIds, actor.today);
	const roles = roleIds === undefined ? 'params.id' : 'query.roleIds';
	const paths = { roles, store: 'query.storeId', lastDay: 'params.id' };
	requireGivable(authority, newGrants(storeId, ends.keys()), paths);
	requireRestorable(db, before, requested);
	requireUnused(authority, before);
	const after = { ...editableFields(before), ...update, storeId, roleIds: Array.from(ends.keys()) };
	return { before, after, ends };
}

/** The requested roles, or by default the former ones. A former role keeps its last day, unless it is over. */
export function restoredRoles(lost: LastDays, asked: readonly number[] | undefined, today: string): LastDays {
	const former = new Map([...lost].filter(([, until]) => !isOver(until, today)));
	return asked ? new Map(asked.map((roleId) => [roleId, former.get(roleId) ?? null])) : former;
}

/** The employee must be deleted, the store enabled, and every role must exist. @throws AppError CONFLICT; BAD_REQUEST. */
function requireRestorable(db: Db, before: StoredEmployee, { storeId, roleIds }: Restoration): void {
	if (before.deletedAt === null) throw businessError('CONFLICT', 'params.id', employeeMessages.notDeleted);
	const problem = storeProblem(db, storeId ?? before.storeId);
	if (problem) {
		const { storeGone, badStore } = employeeMessages;
		const reason = storeId === undefined ? storeGone(problem, before.storeName) : badStore(problem);
		throw businessError('BAD_REQUEST', 'query.storeId', reason);
	}
	requireLiveRoles(db, new Set(roleIds), 'query.roleIds');
}

/** The phone and the external id must be free. A refusal names only a holder within reach. @throws AppError CONFLICT */
function requireUnused(authority: Authority, before: StoredEmployee): void {
	for (const field of uniqueFields) {
		const holder = findHolder(authority.db, field, before[field]);
		if (!holder) continue;
		const word = fieldWord(field, 'EMPLOYEE');
		const { usedBy, usedElsewhere } = employeeMessages;
		const reason = reaches(authority, holder.storeId) ? usedBy(word, holder.name) : usedElsewhere(word);
		throw businessError('CONFLICT', 'params.id', reason);
	}
}
