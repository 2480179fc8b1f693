/** Reading the history (README, "History"). */
import type { Db } from '../database/open.ts';
import { prepared, snapshot } from '../database/query.ts';
import { AppError } from '../errors.ts';
import type { Page, Paging } from '../paging.ts';
import { type Found, findByFilter, type HistoryFilter } from './filter.ts';
import { findByName } from './keyword.ts';
import { historyMessages } from './messages.ts';
import type { HistoryRecord } from './model.ts';
import { idsOf, type Period } from './times.ts';

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

/** One page of the records that pass the filter, newest first. */
export function listHistory(db: Db, filter: HistoryFilter, { page, pageSize }: Paging): Page<HistoryRecord> {
	return snapshot(db, () => {
		const found = find(db, filter);
		const offset = (page - 1) * pageSize;
		const ids = offset < found.total ? found.ids(offset, pageSize) : [];
		return { items: statements(db).byIds.all(JSON.stringify(ids)).map(recordOf), total: found.total };
	});
}

function find(db: Db, { keyword, from, to, ...filter }: HistoryFilter): Found {
	const range = idsOf(db, { from, to });
	return keyword === undefined ? findByFilter(db, filter, range) : findByName(db, filter, keyword, range);
}

/** @throws AppError NOT_FOUND */
export function getHistoryRecord(db: Db, id: number): HistoryRecord {
	const row = statements(db).byId.get(id);
	if (!row) throw new AppError('NOT_FOUND', historyMessages.notFound);
	return recordOf(row);
}

/** The records of a time, oldest first, a thousand in memory at a time. */
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
