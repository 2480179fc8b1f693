/**
 * The chain's permission points and the permissions of roles, in memory: a role can hold 200 points, and every request
 * needs them. The cache is valid for one stamp, which every request reads.
 */
import { and, getTableColumns, inArray, isNull, sql } from 'drizzle-orm';
import QuickLRU from 'quick-lru';
import type { Db } from '../../platform/database/open.ts';
import { inJsonArray, prepared, queries } from '../../platform/database/query.ts';
import { permissionStamp, points, rolePermissions } from '../../platform/database/schema.ts';
import { invalidRequest } from '../../platform/http/reply.ts';
import { groupOf, type PermissionCode, type ProgramCode, programCodes } from '../../platform/vocabulary/permissions.ts';
import { because } from '../../platform/vocabulary/reasons.ts';

const { deletedAt, ...columns } = getTableColumns(points);

const read = queries(({ select }) => ({
	stamp: select({ value: permissionStamp.value }).from(permissionStamp),
	points: select(columns).from(points).where(isNull(deletedAt)).orderBy(points.id),
	granted: select({ roleId: rolePermissions.roleId, codes: sql<string>`group_concat(${rolePermissions.permission})` })
		.from(rolePermissions)
		.where(sql`${inJsonArray(rolePermissions.roleId, 'roleIds')} and ${isNull(rolePermissions.deletedAt)}`)
		.groupBy(rolePermissions.roleId),
	program: select({ roleId: rolePermissions.roleId, code: rolePermissions.permission })
		.from(rolePermissions)
		.where(and(inArray(rolePermissions.permission, programCodes), isNull(rolePermissions.deletedAt))),
}));

/** A stored permission point of the chain. */
export type StoredPoint = Awaited<ReturnType<ReturnType<typeof read>['points']['all']>>[number];

const remembered = prepared(() => ({
	stamp: '',
	own: [] as readonly StoredPoint[],
	known: new Set<string>(),
	/** The permissions of combinations of roles. */
	held: new QuickLRU<string, ReadonlySet<PermissionCode>>({ maxSize: 1000 }),
	/** The program permissions of each role; undefined until first read. */
	byRole: undefined as ReadonlyMap<number, ReadonlySet<ProgramCode>> | undefined,
}));

/** The cache, refreshed when `stamp` has changed. */
function current(db: Db, stamp = read(db).stamp.get()?.value ?? '') {
	const memory = remembered(db);
	if (memory.stamp === stamp) return memory;
	const byGroup = Map.groupBy(read(db).points.all(), ({ code }) => groupOf(code));
	const own = Array.from(byGroup.values()).flat();
	memory.held.clear();
	const known = new Set([...programCodes, ...own.map(({ code }) => code)]);
	return Object.assign(memory, { stamp, own, known, byRole: undefined });
}

/** The chain's permission points in the order of the definitions: groups by their oldest point, points by id. */
export function ownPoints(db: Db): readonly StoredPoint[] {
	return current(db).own;
}

/** Whether a code can be assigned. */
export function isAssignable(db: Db, code: string): code is PermissionCode {
	return current(db).known.has(code);
}

/**
 * Every code must be assignable.
 * @throws AppError VALIDATION_ERROR with the place of each other code in `body.permissions`.
 */
export function requireAssignable(
	db: Db,
	submitted: readonly PermissionCode[],
	pathOf = (index: number) => `body.permissions.${index}`,
): void {
	const allowed = [...programCodes, ...ownPoints(db).map(({ code }) => code)];
	const reason = because('not_one_of', `须为以下权限之一：${allowed.join('、')}`, { allowed });
	const wrong = submitted.flatMap((code, index) =>
		isAssignable(db, code) ? [] : [{ path: pathOf(index), ...reason }],
	);
	if (wrong.length > 0) throw invalidRequest(wrong);
}

/** The permissions of several roles, by role id; a role without permissions is absent. */
export function permissionsOfRoles(db: Db, some: readonly { id: number }[]): Map<number, ReadonlySet<PermissionCode>> {
	return grantedBy(db, JSON.stringify(some.map((role) => role.id)), current(db));
}

function grantedBy(db: Db, roleIds: string, { known }: ReturnType<typeof current>) {
	// An unknown code comes from another version of the program.
	const isKnown = (code: string): code is PermissionCode => known.has(code);
	const rows = read(db).granted.all({ roleIds });
	return new Map(rows.map(({ roleId, codes }) => [roleId, new Set(codes.split(',').filter(isKnown))]));
}

/** The permissions of several roles together. `roleIds` is a JSON array, `stamp` the present stamp. */
export function combinedPermissions(
	db: Db,
	{ roleIds, stamp }: { roleIds: string; stamp: string },
): ReadonlySet<PermissionCode> {
	const memory = current(db, stamp);
	const before = memory.held.get(roleIds);
	if (before) return before;
	const held = new Set(Array.from(grantedBy(db, roleIds, memory).values()).flatMap((codes) => [...codes]));
	memory.held.set(roleIds, held);
	return held;
}

/** A function that returns the present program permissions of several roles together. */
export function programPermissionsOf(db: Db): (roleIds: Iterable<number>) => ReadonlySet<ProgramCode> {
	const memory = current(db);
	memory.byRole ??= programCodesByRole(db);
	const { byRole } = memory;
	return (roleIds) => new Set(Array.from(roleIds).flatMap((id) => [...(byRole.get(id) ?? [])]));
}

/** The roles with at least one program permission. */
export function rolesWithProgramPermissions(db: Db): number[] {
	const memory = current(db);
	memory.byRole ??= programCodesByRole(db);
	return [...memory.byRole.keys()];
}

function programCodesByRole(db: Db): Map<number, ReadonlySet<ProgramCode>> {
	const rows = read(db).program.all() as { roleId: number; code: ProgramCode }[];
	const byRole = Map.groupBy(rows, ({ roleId }) => roleId);
	return new Map(Array.from(byRole, ([id, held]) => [id, new Set(held.map(({ code }) => code))]));
}
