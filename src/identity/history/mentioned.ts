/** The present names of everything that history records refer to by id. */
import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/open.ts';
import { inJsonArray, queries } from '../../platform/database/query.ts';
import { areas, employees, history, points, roles, stores } from '../../platform/database/schema.ts';
import { mentionedTypes, typeOfField } from '../../platform/vocabulary/history.ts';
import type { HistoryRecord, Mentioned, ShownRecord } from './model.ts';
import { isOfPermissions } from './words.ts';

const read = queries(({ select }) => {
	const rows = (table: typeof stores | typeof areas | typeof roles | typeof employees) =>
		select({ id: table.id, name: table.name, deletedAt: table.deletedAt })
			.from(table)
			.where(inJsonArray(table.id, 'ids'));
	const known = select({ id: points.id, code: points.code, title: points.title, createdAt: points.createdAt })
		.from(points)
		.where(inJsonArray(points.code, 'codes'))
		.orderBy(points.id);
	const titleBefore = sql<string | null>`(
		select value ->> 'before' from json_each(${history.changes}) where value ->> 'field' = 'title'
	)`;
	const renamed = select({ pointId: history.targetId, id: history.id, titleBefore })
		.from(history)
		.where(and(eq(history.action, 'POINT_UPDATE'), inJsonArray(history.targetId, 'ids')))
		.orderBy(history.id);
	const named = { STORE: rows(stores), AREA: rows(areas), ROLE: rows(roles), EMPLOYEE: rows(employees) };
	return { ...named, points: known, renamed };
});

type Mention = Pick<Mentioned, 'type' | 'id'>;

const keyOf = ({ type, id }: Mention) => `${type} ${id}`;

/** Reads the names for several records at once. @returns a function that lists the mentions of one record. */
export function mentionedIn(db: Db, records: readonly HistoryRecord[]): (record: HistoryRecord) => Mentioned[] {
	const known = new Map<string, Mentioned>();
	for (const [type, mentions] of Map.groupBy(records.flatMap(mentionsOf), ({ type }) => type)) {
		const ids = JSON.stringify(mentions.map(({ id }) => id));
		for (const { id, name, deletedAt } of read(db)[type].all({ ids })) {
			known.set(keyOf({ type, id }), { type, id, name, isDeleted: deletedAt !== null });
		}
	}
	return (record) => {
		const keys = new Set(mentionsOf(record).map(keyOf));
		return Array.from(keys).flatMap((key) => known.get(key) ?? []);
	};
}

function mentionsOf({ actorType, actorId, targetType, targetId, changes }: HistoryRecord): Mention[] {
	// Without the codes of permissions, which can be hundreds.
	const ofIds = changes.filter(({ field }) => typeOfField[field] !== undefined);
	const fromChanges = ofIds.flatMap(({ field, before, after }) =>
		[before, after].flat().map((id): [unknown, unknown] => [typeOfField[field], id]),
	);
	return [[actorType, actorId], [targetType, targetId], ...fromChanges].flatMap(([named, value]) => {
		const type = mentionedTypes.find((each) => each === named);
		const id = Number.parseInt(String(value), 10);
		return type && Number.isSafeInteger(id) ? [{ type, id }] : [];
	});
}

/**
 * Reads the chain's permission points for several records at once, including deleted ones.
 * @returns a function that lists the points a record names, with their titles at the time.
 */
export function pointsIn(
	db: Db,
	records: readonly HistoryRecord[],
): (record: HistoryRecord) => Pick<ShownRecord, 'points'> {
	const found = read(db).points.all({ codes: JSON.stringify([...new Set(records.flatMap(codesIn))]) });
	const known = Map.groupBy(found, ({ code }) => code as string);
	const changed = read(db).renamed.all({ ids: JSON.stringify(found.map(({ id }) => id)) });
	const renamed = Map.groupBy(changed, ({ pointId }) => pointId);
	return ({ id, at, ...record }) => {
		const points = Array.from(new Set(codesIn(record))).flatMap((code) => {
			// A code can have been that of another point before.
			const point = known.get(code)?.findLast(({ createdAt }) => createdAt <= at);
			if (!point) return [];
			const later = renamed.get(point.id)?.find((each) => each.id > id && each.titleBefore !== null);
			return { code, title: later?.titleBefore ?? point.title };
		});
		return points.length === 0 ? {} : { points };
	};
}

function codesIn({ changes }: Pick<HistoryRecord, 'changes'>): string[] {
	const ofPoints = changes.filter(({ field }) => isOfPermissions(field));
	return ofPoints.flatMap(({ before, after }) => [before, after].flat()).filter((each) => typeof each === 'string');
}
