/** The present names of what records of the history name by id. */
import type { Db } from '../database/open.ts';
import { among, queries } from '../database/query.ts';
import { employees, roles, stores } from '../database/schema.ts';
import { mentionedTypes, typeOfField } from '../vocabulary/history.ts';
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
	const known = new Map<string, Mentioned>();
	for (const [type, references] of Map.groupBy(records.flatMap(referencesOf), ({ type }) => type)) {
		const ids = JSON.stringify(references.map(({ id }) => id));
		for (const { id, name, deletedAt } of read(db)[type].all({ ids })) {
			known.set(keyOf({ type, id }), { type, id, name, isDeleted: deletedAt !== null });
		}
	}
	return (record) => {
		const keys = new Set(referencesOf(record).map(keyOf));
		return Array.from(keys).flatMap((key) => known.get(key) ?? []);
	};
}

/** Who did it, to what, and the ids in the changes. */
function referencesOf({ actorType, actorId, targetType, targetId, changes }: HistoryRecord): Reference[] {
	const fromChanges = changes.flatMap(({ field, before, after }) =>
		[before, after].flat().map((id): [unknown, unknown] => [typeOfField[field], id]),
	);
	return [[actorType, actorId], [targetType, targetId], ...fromChanges].flatMap(([named, id]) => {
		const type = mentionedTypes.find((each) => each === named);
		return type && typeof id === 'number' ? [{ type, id }] : [];
	});
}
