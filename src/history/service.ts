/** Reading the history. */
import type { Db } from '../database/open.ts';
import { prepared, snapshot } from '../database/query.ts';
import { AppError } from '../errors.ts';
import type { Page, Paging } from '../vocabulary/paging.ts';
import type { HistoryRecord } from './model.ts';
import { findRecords, type HistoryFilter, idsOf, type Period } from './query.ts';

interface Row extends Omit<HistoryRecord, 'changes'> {
	changes: string;
}

const columns = `id, at, action, actor_type as actorType, actor_id as actorId, actor_name as actorName, address,
	request_id as requestId, target_type as targetType, target_id as targetId, target_name as targetName, changes, reason,
	count`;

const statements = prepared(({ $client }) => ({
	byId: $client.prepare<Row, [number]>(`select ${columns} from history where id = ?`),
	byIds: $client.prepare<Row, [string]>(
		`select ${columns} from history where id in (select value from json_each(?)) order by id desc`,
	),
	after: $client.prepare<Row, [number, number, number]>(
		`select ${columns} from history where id > ? and id <= ? order by id limit ?`,
	),
}));

/** One page of the records that match the filter, newest first. */
export function listHistory(db: Db, filter: HistoryFilter, paging: Paging): Page<HistoryRecord> {
	return snapshot(db, () => {
		const { total, ids } = findRecords(db, filter, paging);
		return { items: statements(db).byIds.all(JSON.stringify(ids)).map(recordOf), total };
	});
}

/** @throws AppError NOT_FOUND */
export function getHistoryRecord(db: Db, id: number): HistoryRecord {
	const row = statements(db).byId.get(id);
	if (!row) throw new AppError('NOT_FOUND', '记录不存在');
	return recordOf(row);
}

/** The records of a period, oldest first. At most a thousand are in memory at a time. */
export function* allHistory(db: Db, period: Period): Generator<HistoryRecord> {
	const { first, last } = idsOf(db, period);
	let rows = statements(db).after.all(first - 1, last, 1000);
	while (rows.length > 0) {
		yield* rows.map(recordOf);
		rows = statements(db).after.all(rows.at(-1)?.id ?? last, last, 1000);
	}
}

function recordOf({ changes, ...row }: Row): HistoryRecord {
	return { ...row, changes: JSON.parse(changes) };
}
