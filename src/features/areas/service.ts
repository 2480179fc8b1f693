/** The areas of the chain. A store has one or none. */
import { and, eq, getTableColumns, isNull, type SQL, sql } from 'drizzle-orm';
import { auditedBy, recordAll } from '../../identity/history/record.ts';
import { requireCurrent } from '../../identity/history/versions.ts';
import { revokePlace } from '../../identity/rights/reach.ts';
import type { Caller } from '../../identity/session/actor.ts';
import type { Db } from '../../platform/database/open.ts';
import { largeTransaction, mapUniqueViolation, param, queries, transaction } from '../../platform/database/query.ts';
import { areas, stores } from '../../platform/database/schema.ts';
import { businessError, orNotFound } from '../../platform/vocabulary/errors.ts';
import { type Area, areaMessages, maxAreas, WriteArea } from './model.ts';

const { deletedAt, ...columns } = getTableColumns(areas);
const ofArea = and(eq(stores.areaId, areas.id), isNull(stores.deletedAt));

const read = queries(({ select }) => {
	const rows = (condition?: SQL) =>
		select({ ...columns, stores: sql<number>`count(${stores.id})` })
			.from(areas)
			.leftJoin(stores, ofArea)
			.where(and(isNull(deletedAt), condition))
			.groupBy(areas.id)
			.orderBy(areas.id);
	return {
		all: rows(),
		byId: rows(eq(areas.id, param('id'))),
		names: select({ id: areas.id, name: areas.name }).from(areas).where(isNull(deletedAt)).orderBy(areas.id),
		stores: select({ id: stores.id, name: stores.name })
			.from(stores)
			.where(and(eq(stores.areaId, param('id')), isNull(stores.deletedAt)))
			.orderBy(stores.id),
	};
});

/** Lists every area that is not deleted. */
export function listAreas(db: Db): Area[] {
	return read(db).all.all();
}

/** The names of the areas by their ids. */
export function areaNames(db: Db): ReadonlyMap<number, string> {
	const rows = read(db).names.all();
	return new Map(rows.map(({ id, name }) => [id, name]));
}

/** @throws AppError NOT_FOUND */
export function getArea(db: Db, id: number): Area {
	return orNotFound(read(db).byId.get({ id }), areaMessages.notFound);
}

/** Creates an area. @throws AppError BAD_REQUEST beyond the maximum number of areas; CONFLICT when the name is taken. */
export function createArea(db: Db, caller: Caller, { name }: WriteArea): Area {
	return transaction(db, () => {
		if (areaNames(db).size >= maxAreas) throw businessError('BAD_REQUEST', 'body', areaMessages.limitReached);
		const values = { name, createdAt: caller.at, updatedAt: caller.at };
		const { id } = mapUniqueViolation(() => db.insert(areas).values(values).returning({ id: areas.id }).get(), taken);
		const after = getArea(db, id);
		recordChange(db, caller, 'AREA_CREATE', { after });
		return after;
	});
}

/** Renames an area. @throws AppError NOT_FOUND; PRECONDITION_FAILED; CONFLICT when the name is taken. */
export function updateArea(db: Db, caller: Caller, id: number, { name }: WriteArea): Area {
	return transaction(db, () => {
		const before = requireCurrent(db, caller, getArea(db, id), areaVersion);
		const after = { ...before, name, updatedAt: caller.at };
		if (hasSameFields(before, after)) return before;
		const values = { name, updatedAt: caller.at };
		mapUniqueViolation(() => db.update(areas).set(values).where(eq(areas.id, id)).run(), taken);
		recordChange(db, caller, 'AREA_UPDATE', { before, after });
		return after;
	});
}

/** Deletes an area, and removes it from its stores and every employee. @throws AppError NOT_FOUND; PRECONDITION_FAILED. */
export function deleteArea(db: Db, caller: Caller, id: number): void {
	largeTransaction(db, () => {
		const before = requireCurrent(db, caller, getArea(db, id), areaVersion);
		const targets = read(db).stores.all({ id });
		db.update(areas).set({ deletedAt: caller.at, updatedAt: caller.at }).where(eq(areas.id, id)).run();
		db.update(stores)
			.set({ areaId: null, updatedAt: caller.at })
			.where(and(eq(stores.areaId, id), isNull(stores.deletedAt)))
			.run();
		// The area's record comes first: it represents the whole group.
		recordChange(db, caller, 'AREA_DELETE', { before });
		const changes = [{ field: 'areaId', before: id, after: null }];
		recordAll(db, caller, { action: 'STORE_UPDATE', changes }, targets);
		revokePlace(db, caller, { type: 'AREA', id });
	});
}

const { versionOf, hasSameFields, recordChange } = auditedBy('AREA', WriteArea, 'name');

/** The version of an area. Its stores are not part of it. */
export const areaVersion = versionOf;

const taken = { 'areas.name': () => businessError('CONFLICT', 'body.name', areaMessages.nameTaken) };
