/**
 * The chain's permission points and the permissions of roles, in memory: a role can hold 200 points, and every request
 * needs them. A remembered answer is valid for one stamp, which every request reads.
 */
import { and, getTableColumns, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import QuickLRU from 'quick-lru';
import type { Db } from '../../platform/database/open.ts';
import { inJsonArray, prepared, queries } from '../../platform/database/query.ts';
import { permissionStamp, points, rolePermissions } from '../../platform/database/schema.ts';
import { invalidRequest } from '../../platform/http/reply.ts';
import {
	groupOf,
	type Permission,
	type PermissionCode,
	type Permissions,
	type ProgramCode,
	programCodes,
} from '../../platform/vocabulary/permissions.ts';
import { because } from '../../platform/vocabulary/reasons.ts';

const { deletedAt, ...columns } = getTableColumns(points);

const read = queries(({ select }) => {
	const { roleId, permission } = rolePermissions;
	const granted = (condition?: SQL) =>
		select({ roleId, codes: sql<string>`group_concat(${permission})` })
			.from(rolePermissions)
			.where(and(isNull(rolePermissions.deletedAt), condition))
			.groupBy(roleId);
	return {
		stamp: select({ value: permissionStamp.value }).from(permissionStamp),
		points: select(columns).from(points).where(isNull(deletedAt)).orderBy(points.id),
		all: granted(),
		ofProgram: granted(inArray(permission, [...programCodes])),
		ofRoles: granted(inJsonArray(roleId, 'roleIds')),
	};
});

/** A stored permission point of the chain. */
export type StoredPoint = ReturnType<ReturnType<typeof read>['points']['all']>[number];

/** The permissions of each role, by its id. A role without permissions is absent. */
type ByRole<Code> = ReadonlyMap<number, ReadonlySet<Code>>;

interface Memory {
	stamp: string;
	own: readonly StoredPoint[];
	known: ReadonlySet<string>;
	/** The permissions of combinations of roles. */
	combined: QuickLRU<string, ReadonlySet<PermissionCode>>;
	/** The program's permissions only, read when first needed: this takes a while in a large chain. */
	ofProgram?: ByRole<ProgramCode>;
	/** All permissions, also read when first needed. */
	all?: ByRole<PermissionCode>;
}

const remembered = prepared(() => ({ memory: undefined as Memory | undefined }));

/** The answers remembered for the present stamp. */
function current(db: Db, stamp = read(db).stamp.get()?.value ?? ''): Memory {
	const { memory } = remembered(db);
	if (memory?.stamp === stamp) return memory;
	const byGroup = Map.groupBy(read(db).points.all(), ({ code }) => groupOf(code));
	const own = Array.from(byGroup.values()).flat();
	const known = new Set<string>([...programCodes, ...own.map(({ code }) => code)]);
	const fresh: Memory = { stamp, own, known, combined: new QuickLRU({ maxSize: 1000 }) };
	remembered(db).memory = fresh;
	return fresh;
}

/** The codes of each role in rows of `granted`. An unknown one comes from another version of the program. */
function byRole<Code extends PermissionCode>(rows: readonly { roleId: number; codes: string }[], { known }: Memory) {
	const isKnown = (code: string): code is Code => known.has(code);
	return new Map(rows.map(({ roleId, codes }) => [roleId, new Set(codes.split(',').filter(isKnown))]));
}

/** The chain's permission points in the order of the definitions: groups by their oldest point, points by id. */
export function chainPoints(db: Db): readonly StoredPoint[] {
	return current(db).own;
}

/** The given codes in the order of the definitions, without unknown ones: the program's, then the chain's. */
export function inOrder<Code extends Permission>(db: Db, permissions: ReadonlySet<Code>): Code[] {
	const held: Permissions = permissions;
	const all: Permission[] = ['*', ...programCodes, ...chainPoints(db).map(({ code }) => code)];
	return all.filter((code): code is Code => held.has(code));
}

/** Every code must be assignable. @throws AppError VALIDATION_ERROR with the place of each code that is not. */
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
	const memory = current(db);
	memory.all ??= byRole<PermissionCode>(read(db).all.all(), memory);
	return memory.all;
}

/** The program's permissions of each role, by its id; a role without any is absent. */
export function programPermissionsByRole(db: Db): ByRole<ProgramCode> {
	const memory = current(db);
	memory.ofProgram ??= byRole<ProgramCode>(read(db).ofProgram.all(), memory);
	return memory.ofProgram;
}

/** The permissions of several roles together. `roleIds` is a JSON array, `stamp` the present stamp. */
export function combinedPermissions(
	db: Db,
	{ roleIds, stamp }: { roleIds: string; stamp: string },
): ReadonlySet<PermissionCode> {
	const memory = current(db, stamp);
	const known = memory.combined.get(roleIds);
	if (known) return known;
	const granted = byRole<PermissionCode>(read(db).ofRoles.all({ roleIds }), memory);
	const held = new Set(Array.from(granted.values()).flatMap((codes) => [...codes]));
	memory.combined.set(roleIds, held);
	return held;
}
