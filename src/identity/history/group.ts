/** The records of one request, and the changes of employees since then. Undoing a bulk change reads both. */
import { and, asc, count, eq } from 'drizzle-orm';
import type { Db } from '../../platform/database/open.ts';
import { param, prepared, queries } from '../../platform/database/query.ts';
import { history } from '../../platform/database/schema.ts';
import type { AccountKey } from '../../platform/vocabulary/accounts.ts';
import type { HistoryActorType } from '../../platform/vocabulary/history.ts';
import type { Change } from './model.ts';

const { id, at, action, actorType, actorId, actorName, targetType, targetId, targetName, changes, groupId } = history;

const read = queries(({ select }) => ({
	head: select({ actorType, actorId })
		.from(history)
		.where(eq(id, param('id'))),
	size: select({ total: count() })
		.from(history)
		.where(eq(groupId, param('id'))),
	records: select({ id, at, action, targetType, targetId, targetName, changes })
		.from(history)
		.where(eq(groupId, param('id')))
		.orderBy(asc(id)),
	byId: select({ action, actorType, actorName, at })
		.from(history)
		.where(and(eq(id, param('id')))),
}));

type Row = ReturnType<ReturnType<typeof read>['records']['all']>[number];

/** A record of a group. */
export type GroupRecord = Omit<Row, 'changes'> & { changes: Change[] };

/**
 * Lists the records that an actor left with one request; none for another actor's request or one with more than `limit`
 * records.
 */
export function recordsOfGroup(
	db: Db,
	group: number,
	actor: { accountType: HistoryActorType; id: number },
	limit: number,
): GroupRecord[] {
	const head = read(db).head.get({ id: group });
	if (head?.actorType !== actor.accountType || head.actorId !== actor.id) return [];
	const { total = 0 } = read(db).size.get({ id: group }) ?? {};
	if (total > limit) return [];
	return read(db)
		.records.all({ id: group })
		.map((row) => ({ ...row, changes: JSON.parse(row.changes) }));
}

/** An employee, the record after which changes count, and the fields of interest. With null, every field counts. */
export interface AskedSince {
	employeeId: number;
	after: number;
	fields: readonly string[] | null;
}

// Text: SQLite searches thousands of records in place. An approval is recorded on the approver, but does not change
// them.
const statements = prepared(({ $client }) => ({
	changed: $client.prepare<{ employeeId: number; recordId: number; field: string }, [string]>(
		`select asked.value ->> 'employeeId' as employeeId, max(history.id) as recordId, change.value ->> 'field' as field
		from json_each(?) as asked
		join history indexed by history_target on target_type = 'EMPLOYEE' and target_id = asked.value ->> 'employeeId'
			and history.id > asked.value ->> 'after' and action <> 'APPROVAL'
		join json_each(history.changes) as change on asked.value -> 'fields' = 'null'
			or change.value ->> 'field' in (select value from json_each(asked.value -> 'fields'))
		group by employeeId`,
	),
}));

/** The newest relevant change of an employee: author, time and field. */
export type ChangeSince = ReturnType<ReturnType<typeof read>['byId']['all']>[number] & { field: string };

/** The newest relevant change of an employee: author, time and field. */
export function changesSince(db: Db, asked: readonly AskedSince[]): Map<AccountKey['id'], ChangeSince> {
	const found = statements(db).changed.all(JSON.stringify(asked));
	return new Map(
		found.flatMap(({ employeeId, recordId, field }) => {
			const made = read(db).byId.get({ id: recordId });
			return made ? [[employeeId, { ...made, field }] as const] : [];
		}),
	);
}
