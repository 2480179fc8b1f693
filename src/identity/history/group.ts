/** The records of one request, and the changes of employees since then. Undoing a bulk change reads both. */
import { and, asc, eq, ne, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/open.ts';
import { param, prepared, queries } from '../../platform/database/query.ts';
import { history } from '../../platform/database/schema.ts';
import { addSeconds } from '../../platform/vocabulary/day.ts';
import { type HistoryActorType, undoableActions, undoHours } from '../../platform/vocabulary/history.ts';
import { maxPeopleAtOnce } from '../../platform/vocabulary/limits.ts';
import type { HistoryRecord } from './model.ts';

const { id, at, action, actorType, actorId, targetType, targetId, targetName, changes, groupId } = history;

const read = queries(({ select }) => ({
	head: select({ actorType, actorId })
		.from(history)
		.where(eq(id, param('id'))),
	records: select({ id, at, action, targetType, targetId, targetName, changes })
		.from(history)
		.where(and(eq(groupId, param('id')), ne(action, 'EMPLOYEE_REACH')))
		.orderBy(asc(id))
		.limit(param('limit')),
	newest: select({ at }).from(history).where(eq(id, sql`(select max(id) from history)`)),
}));

/** One record for the whole request and one for each employee; one more shows that there are too many to be undone. */
const maxRecords = maxPeopleAtOnce + 2;

/** A record of a group. */
export type GroupRecord = ReturnType<ReturnType<typeof read>['records']['all']>[number];

/**
 * Lists the first records of one request without those of revoked reach, which does not come back: enough to tell by
 * {@link isUndoable} whether it can be undone. None for a request of another actor, unless a super administrator asks.
 */
export function recordsOfGroup(
	db: Db,
	group: number,
	actor: { accountType: HistoryActorType; id: number },
): GroupRecord[] {
	const head = read(db).head.get({ id: group });
	const isByCaller = head?.actorType === actor.accountType && head.actorId === actor.id;
	if (!isByCaller && actor.accountType !== 'SUPER_ADMIN') return [];
	return read(db).records.all({ id: group, limit: maxRecords });
}

/**
 * Whether a record can be the first one of a store's closing: it disables the store, or changes nothing because the store
 * was disabled already. The records of the moved employees follow it; they are not looked at.
 */
export function isClosing({ action, changes }: Pick<GroupRecord, 'action' | 'changes'>): boolean {
	const disables = changes.some(({ field, after }) => field === 'status' && after === 'INACTIVE');
	return action === 'STORE_UPDATE' && (disables || changes.length === 0);
}

/** SQL: whether the store of the first record of a request was disabled or deleted later. */
const closedAgain = (group: string) => `exists (
	select 1 from history as head join history as later indexed by history_target
		on later.target_type = 'STORE' and later.target_id = head.target_id and later.group_id > head.group_id
	join json_each(later.changes) as change
		on change.value ->> 'field' = 'status'
			and (change.value ->> 'after' = 'INACTIVE' or later.action = 'STORE_DELETE')
	where head.id = ${group} and head.target_type = 'STORE'
)`;

const closed = prepared(({ $client }) =>
	$client.prepare<{ isAgain: 0 | 1 }, [group: number]>(`select ${closedAgain('+?')} as isAgain`),
);

/** Whether a store that a request closed was disabled again or deleted later. */
export const isClosedAgain = (db: Db, group: number): boolean => closed(db).get(group)?.isAgain === 1;

/** SQL for the first or the last record of an employee in the request `asked`. */
const outermost = (order: 'asc' | 'desc') => `(
	select id from history where group_id = asked.value and target_type = 'EMPLOYEE' and action <> 'EMPLOYEE_REACH'
	order by id ${order} limit 1
)`;

// Raw SQL: the requests that were undone. Their first and their last employee decide, because an undoing can leave out one
// of them: both were changed since, and one of them back. An employee who was not changed since can still be changed back.
const undone = prepared(({ $client }) =>
	$client.prepare<{ id: number }, [string]>(
		`with changed as materialized (
			select asked.value as request, done.action, (
				select later.action from history as later indexed by history_target join json_each(later.changes) as change
				where later.target_type = 'EMPLOYEE' and later.target_id = done.target_id and later.group_id > done.group_id
					and change.value ->> 'field' in (select value ->> 'field' from json_each(done.changes))
				order by later.group_id limit 1
			) as next
			from json_each(?) as asked join history as done on done.id in (${outermost('asc')}, ${outermost('desc')})
		)
		select request as id from changed group by request
		having count(next) = count(*) and max(next = case action
			when 'EMPLOYEE_UPDATE' then 'EMPLOYEE_UPDATE_UNDO'
			when 'EMPLOYEE_DELETE' then 'EMPLOYEE_RESTORE'
			else 'EMPLOYEE_DELETE'
		end) or ${closedAgain('request')}`,
	),
);

/** A record with its request, as far as undoing is concerned. */
interface FirstRecord extends Pick<HistoryRecord, 'id' | 'at' | 'action' | 'targetType' | 'changes'> {
	group: { id: number; size: number; ended: number };
}

/** The time until which a request can be undone, by that of its records; both in ISO 8601. */
export const undoEnd = (at: string) => addSeconds(at, undoHours * 60 * 60);

/** Whether a request with this first record and this number of employees can be undone. */
export function isUndoable(first: Pick<GroupRecord, 'action' | 'changes'>, people: number): boolean {
	const isOfPeople = first.action !== 'STORE_UPDATE' || isClosing(first);
	return isOfPeople && undoableActions.has(first.action) && people <= maxPeopleAtOnce;
}

/**
 * The time until which each request can be undone, by the id of its first record; without those that cannot be, or were.
 * A single update is not offered, because the form of the employee can change it back; a deletion is. Older requests are
 * not looked up, because that would read everything undone since.
 */
export function undoTimes(db: Db, records: readonly FirstRecord[]): ReadonlyMap<number, string> {
	const now = read(db).newest.get()?.at ?? '';
	const candidates = records.filter((record) => {
		const { id, at, action, targetType, group } = record;
		const size = group.size - group.ended;
		const isOffered = size > 1 || action === 'EMPLOYEE_DELETE';
		const people = targetType === 'EMPLOYEE' ? size : size - 1;
		return id === group.id && isOffered && isUndoable(record, people) && undoEnd(at) >= now;
	});
	const until = new Map(candidates.map(({ id, at }) => [id, undoEnd(at)]));
	for (const { id } of undone(db).all(JSON.stringify([...until.keys()]))) until.delete(id);
	return until;
}

/**
 * An employee, the request after which changes count, and the fields of interest; with null, every field counts. A new
 * last day of one of `roleIds` counts, too.
 */
interface AskedSince {
	employeeId: number;
	group: number;
	fields: readonly string[] | null;
	roleIds: readonly number[];
}

/** The newest relevant change of an employee: author, time and field. */
export interface ChangeSince extends Pick<HistoryRecord, 'action' | 'actorType' | 'actorName' | 'at'> {
	field: string;
}

// Raw SQL: SQLite searches thousands of records in place, and with max() the other columns are of the same record. An
// approval is recorded on the approver, but does not change them.
const newestChanges = prepared(({ $client }) =>
	$client.prepare<ChangeSince & { employeeId: number; recordId: number }, [string]>(
		`select asked.value ->> 'employeeId' as employeeId, max(history.id) as recordId, change.value ->> 'field' as field,
			action, actor_type as actorType, actor_name as actorName, at
		from json_each(?) as asked
		join history indexed by history_target on target_type = 'EMPLOYEE' and target_id = asked.value ->> 'employeeId'
			and group_id > asked.value ->> 'group' and action <> 'APPROVAL'
		join json_each(history.changes) as change on asked.value -> 'fields' = 'null'
			or change.value ->> 'field' in (select value from json_each(asked.value -> 'fields'))
			or change.value ->> 'field' = 'roleId'
				and change.value ->> 'after' in (select value from json_each(asked.value -> 'roleIds'))
		group by employeeId`,
	),
);

/** The newest relevant change of each employee that has one. */
export function changesSince(db: Db, asked: readonly AskedSince[]): Map<number, ChangeSince> {
	const found = newestChanges(db).all(JSON.stringify(asked));
	return new Map(found.map(({ employeeId, recordId, ...change }) => [employeeId, change]));
}
