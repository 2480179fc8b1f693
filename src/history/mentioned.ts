/** The present names of what records of the history name by id. */
import type { Db } from '../database/open.ts';
import { among, queries } from '../database/query.ts';
import { employees, roles, stores } from '../database/schema.ts';
import { typeOfField } from '../vocabulary/history.ts';
import type { HistoryRecord, Mentioned } from './model.ts';

const read = queries(({ select }) => {
	const rows = (table: typeof stores | typeof roles | typeof employees) =>
		select({ id: table.id, name: table.name, deletedAt: table.deletedAt }).from(table).where(among(table.id, 'ids'));
	return { STORE: rows(stores), ROLE: rows(roles), EMPLOYEE: rows(employees) };
});

type Reference = Pick<Mentioned, 'type' | 'id'>;

const keyOf = ({ type, id }: Reference) => `${type} ${id}`;

/** Reads the names for some records at once. @returns what each of them mentions. */
export function mentionedIn(db: Db, records: readonly HistoryRecord[]): (record: HistoryRecord) => Mentioned[] {
	const references = new Map(records.map((record) => [record, referencesOf(record)]));
	const wanted = Map.groupBy(Array.from(references.values()).flat(), ({ type }) => type);
	const known = new Map(
		Array.from(wanted).flatMap(([type, named]) => {
			const ids = JSON.stringify(Array.from(new Set(named.map(({ id }) => id))));
			return read(db)
				[type].all({ ids })
				.map(
					({ id, name, deletedAt }) =>
						[keyOf({ type, id }), { type, id, name, isDeleted: deletedAt !== null }] as const,
				);
		}),
	);
	return (record) => {
		const keys = new Set(references.get(record)?.map(keyOf));
		return Array.from(keys).flatMap((key) => known.get(key) ?? []);
	};
}

function referencesOf({ actorType, actorId, targetType, targetId, changes }: HistoryRecord): Reference[] {
	const fromChanges = changes.flatMap(({ field, before, after }) => {
		const type = typeOfField[field];
		if (type === undefined) return [];
		return [before, after].flat().flatMap((id) => (typeof id === 'number' ? [{ type, id }] : []));
	});
	return [
		...(actorType === 'EMPLOYEE' && actorId !== null ? [{ type: actorType, id: actorId }] : []),
		...(targetType !== null && targetType !== 'ADMINISTRATOR' && targetId !== null
			? [{ type: targetType, id: targetId }]
			: []),
		...fromChanges,
	];
}
