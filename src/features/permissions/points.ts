/** The permission points that a chain creates for its own programs, such as its tills. */
import { eq } from 'drizzle-orm';
import { auditedBy, type ChangeContext, system } from '../../identity/history/record.ts';
import { requireCurrent } from '../../identity/history/versions.ts';
import type { Caller } from '../../identity/session/actor.ts';
import { chainPoints, permissionsByRole, type StoredPoint } from '../../identity/session/granted-permissions.ts';
import type { Db } from '../../platform/database/open.ts';
import { mapUniqueViolation, transaction } from '../../platform/database/query.ts';
import { points } from '../../platform/database/schema.ts';
import type { Log } from '../../platform/machine/log.ts';
import { businessError, orNotFound } from '../../platform/vocabulary/errors.ts';
import { maxPoints } from '../../platform/vocabulary/limits.ts';
import { groupOf, isProgramGroup, isProgramTitle, type PermissionCode } from '../../platform/vocabulary/permissions.ts';
import { listPrograms, replaceInPrograms } from '../programs/service.ts';
import { countHoldersOfAny } from '../roles/service.ts';
import { CreatePoint, maxGroupTitle, type Point, pointMessages, type UpdatePoint } from './model.ts';
import { replaceInRoles } from './service.ts';

/** Lists every point by id. */
export function listPoints(db: Db): Point[] {
	const granted = permissionsByRole(db);
	const points = chainPoints(db).toSorted((a, b) => a.id - b.id);
	return points.map((point) => withHolders(db, point, granted));
}

/** A point of the chain. @throws AppError NOT_FOUND */
export function getPoint(db: Db, id: number): Point {
	return withHolders(db, getStoredPoint(db, id), permissionsByRole(db));
}

function withHolders(db: Db, point: StoredPoint, granted: ReturnType<typeof permissionsByRole>): Point {
	const roleIds = Array.from(granted).flatMap(([id, held]) => (held.has(point.code) ? id : []));
	return { ...point, roles: roleIds.length, employees: countHoldersOfAny(db, roleIds) };
}

/** @throws AppError NOT_FOUND */
function getStoredPoint(db: Db, id: number): StoredPoint {
	const point = chainPoints(db).find((each) => each.id === id);
	return orNotFound(point, pointMessages.notFound);
}

/**
 * Creates a point.
 * @throws AppError CONFLICT when the code is taken; BAD_REQUEST when the group or a title is the program's, or the maximum
 * number of points is reached.
 */
export function createPoint(db: Db, caller: Caller, body: CreatePoint): Point {
	const { groupTitle, ...input } = body;
	const group = groupOf(input.code);
	if (isProgramGroup(group)) throw businessError('BAD_REQUEST', 'body.code', pointMessages.ofProgram(group));
	requireOwnTitles(body);
	return transaction(db, () => {
		const others = chainPoints(db);
		const known = others.find(({ code }) => groupOf(code) === group)?.groupTitle;
		const title = groupTitle ?? known ?? defaultTitle(input.code);
		const values = { ...input, groupTitle: title, createdAt: caller.at, updatedAt: caller.at };
		const { id } = mapUniqueViolation(() => db.insert(points).values(values).returning({ id: points.id }).get(), taken);
		if (others.length >= maxPoints) throw businessError('BAD_REQUEST', 'body', pointMessages.limitReached);
		const after = getStoredPoint(db, id);
		recordChange(db, caller, 'POINT_CREATE', { after });
		retitleGroup(db, caller, after);
		return getPoint(db, id);
	});
}

/** A new title must not be one of the program's: in the form of a role both would look alike. @throws AppError BAD_REQUEST */
function requireOwnTitles(asked: UpdatePoint, before?: StoredPoint): void {
	for (const field of ['title', 'groupTitle'] as const) {
		const title = asked[field] ?? '';
		if (title === before?.[field] || !isProgramTitle(title)) continue;
		throw businessError('BAD_REQUEST', `body.${field}`, pointMessages[field](title));
	}
}

/** Updates a point. @throws AppError BAD_REQUEST for a title of the program; NOT_FOUND; PRECONDITION_FAILED. */
export function updatePoint(db: Db, caller: Caller, id: number, body: UpdatePoint): Point {
	const { groupTitle, ...input } = body;
	return transaction(db, () => {
		const before = requireCurrent(db, caller, getStoredPoint(db, id), pointVersion);
		requireOwnTitles(body, before);
		const title = groupTitle === undefined ? before.groupTitle : (groupTitle ?? defaultTitle(before.code));
		const after = { ...before, ...input, groupTitle: title };
		if (!hasSameFields(before, after)) saveChange(db, caller, before, after);
		retitleGroup(db, caller, after);
		return getPoint(db, id);
	});
}

/** Saves and records a change, inside the caller's transaction. */
function saveChange(db: Db, context: ChangeContext, before: StoredPoint, changed: StoredPoint): void {
	const after = { ...changed, updatedAt: context.at };
	db.update(points).set(after).where(eq(points.id, before.id)).run();
	recordChange(db, context, 'POINT_UPDATE', { before, after });
}

/**
 * Deletes a point and revokes it from all roles and programs. A point that people need to sign in to a program must stay:
 * with its code used again, others could sign in there.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED; CONFLICT.
 */
export function deletePoint(db: Db, caller: Caller, id: number): void {
	transaction(db, () => {
		const point = requireCurrent(db, caller, getStoredPoint(db, id), pointVersion);
		const asking = listPrograms(db).find(({ signInPermission }) => signInPermission === point.code);
		if (asking) throw businessError('CONFLICT', 'params.id', pointMessages.askedBy(asking.name));
		recordChange(db, caller, 'POINT_DELETE', { before: point });
		replaceInRoles(db, caller, point.code);
		replaceInPrograms(db, caller, point.code);
		db.update(points).set({ deletedAt: caller.at, updatedAt: caller.at }).where(eq(points.id, id)).run();
	});
}

/**
 * A later version of the program can have a group that a chain has used for its own points. The chain's points then move
 * to a group of another name with all their holders, so that nobody gets a permission of the program by an upgrade.
 */
export function moveOutOfProgramGroups(db: Db, at: string, log: Pick<Log, 'warn'>): void {
	transaction(db, () => {
		for (const before of chainPoints(db).filter(({ code }) => isProgramGroup(groupOf(code)))) {
			const code = freeCode(db, before.code);
			saveChange(db, system(at), before, { ...before, code });
			replaceInRoles(db, system(at), before.code, code);
			replaceInPrograms(db, system(at), before.code, code);
			const advice = "a permission point of the chain has a new code, because the program's own ones use its group now";
			log.warn(`${advice}: change it in the programs that ask for it`, { before: before.code, after: code });
		}
	});
}

/** The code in a group of the chain's own. */
function freeCode(db: Db, taken: PermissionCode): PermissionCode {
	const code: PermissionCode = `own_${taken}`;
	return chainPoints(db).some((each) => each.code === code) ? freeCode(db, code) : code;
}

/** The title of a group without one: its name, shortened to the length of a title. */
const defaultTitle = (code: PermissionCode): string => groupOf(code).slice(0, maxGroupTitle);

/** Sets the group's title on its other points. Each changed point is a new version, with a record. */
function retitleGroup(db: Db, caller: Caller, { code, groupTitle }: StoredPoint): void {
	for (const before of chainPoints(db)) {
		if (groupOf(before.code) !== groupOf(code) || before.groupTitle === groupTitle) continue;
		saveChange(db, caller, before, { ...before, groupTitle });
	}
}

const { versionOf, hasSameFields, recordChange } = auditedBy('PERMISSION_POINT', CreatePoint, 'title');

/** The version of a point. */
export const pointVersion = versionOf;

const taken = { 'points.code': () => businessError('CONFLICT', 'body.code', pointMessages.codeTaken) };
