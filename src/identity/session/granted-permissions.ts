/**
 * The chain's permission points and the permissions of roles, in memory: a role can hold 200 points, and every request
 * needs them. The cache is valid for one stamp, which every request reads.
 */
import { getTableColumns, isNull, sql } from 'drizzle-orm';
import QuickLRU from 'quick-lru';
import type { Db } from '../../platform/database/open.ts';
import { prepared, queries } from '../../platform/database/query.ts';
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
		.where(isNull(rolePermissions.deletedAt))
		.groupBy(rolePermissions.roleId),
}));

/** A stored permission point of the chain. */
export type StoredPoint = Awaited<ReturnType<ReturnType<typeof read>['points']['all']>>[number];

/** The permissions of each role, by its id. A role without permissions is absent. */
type ByRole<Code> = ReadonlyMap<number, ReadonlySet<Code>>;

const remembered = prepared(() => ({
	stamp: '',
	own: [] as readonly StoredPoint[],
	known: new Set<string>(),
	byRole: new Map() as ByRole<PermissionCode>,
	/** Only the permissions of the program. */
	programByRole: new Map() as ByRole<ProgramCode>,
	/** The permissions of combinations of roles. */
	combined: new QuickLRU<string, ReadonlySet<PermissionCode>>({ maxSize: 1000 }),
}));

/** The cache, refreshed when `stamp` has changed. */
function current(db: Db, stamp = read(db).stamp.get()?.value ?? '') {
	const memory = remembered(db);
	if (memory.stamp === stamp) return memory;
	const byGroup = Map.groupBy(read(db).points.all(), ({ code }) => groupOf(code));
	const own = Array.from(byGroup.values()).flat();
	const known = new Set<string>([...programCodes, ...own.map(({ code }) => code)]);
	// An unknown code comes from another version of the program.
	const isKnown = (code: string): code is PermissionCode => known.has(code);
	const granted = read(db).granted.all();
	const byRole = new Map(granted.map(({ roleId, codes }) => [roleId, new Set(codes.split(',').filter(isKnown))]));
	const programByRole = new Map(Array.from(byRole, ([id, held]) => [id, ofProgram.intersection(held)]));
	memory.combined.clear();
	return Object.assign(memory, { stamp, own, known, byRole, programByRole });
}

const ofProgram: ReadonlySet<ProgramCode> = new Set(programCodes);

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
	const { known } = current(db);
	const allowed = [...known];
	const reason = because('not_one_of', `须为以下权限之一：${allowed.join('、')}`, { allowed });
	const wrong = submitted.flatMap((code, index) => (known.has(code) ? [] : [{ path: pathOf(index), ...reason }]));
	if (wrong.length > 0) throw invalidRequest(wrong);
}

/** The permissions of each role, by its id; a role without permissions is absent. */
export function permissionsByRole(db: Db): ByRole<PermissionCode> {
	return current(db).byRole;
}

/** A function that returns the present program permissions of several roles together. */
export function programPermissionsOf(db: Db): (roleIds: Iterable<number>) => ReadonlySet<ProgramCode> {
	const { programByRole } = current(db);
	return (roleIds) => unite(programByRole, roleIds);
}

/** The roles with at least one program permission. */
export function rolesWithProgramPermissions(db: Db): number[] {
	return Array.from(current(db).programByRole).flatMap(([id, held]) => (held.size > 0 ? [id] : []));
}

/** The permissions of several roles together. `roleIds` is a JSON array, `stamp` the present stamp. */
export function combinedPermissions(
	db: Db,
	{ roleIds, stamp }: { roleIds: string; stamp: string },
): ReadonlySet<PermissionCode> {
	const { combined, byRole } = current(db, stamp);
	const known = combined.get(roleIds);
	if (known) return known;
	const held = unite(byRole, JSON.parse(roleIds));
	combined.set(roleIds, held);
	return held;
}

/** The permissions of several roles together. */
function unite<Code>(byRole: ByRole<Code>, roleIds: Iterable<number>): ReadonlySet<Code> {
	return new Set(Array.from(roleIds).flatMap((id) => [...(byRole.get(id) ?? [])]));
}
