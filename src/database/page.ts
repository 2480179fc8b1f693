import type { Page, Paging } from '../paging.ts';
import type { Statement, Values } from './query.ts';

/** The two prepared statements behind a paginated list, over the same rows. */
interface PageStatements<Row> {
	total: Statement<{ total: number }>;
	items: Statement<Row>;
}

/** Reads one page; past the end it is empty without asking, so no page number is too large for SQLite. */
export function readPage<Row>(
	{ total, items }: PageStatements<Row>,
	values: Values,
	{ page, pageSize }: Paging,
): Page<Row> {
	const count = total.get(values)?.total ?? 0;
	const offset = (page - 1) * pageSize;
	const rows = offset < count ? items.all({ ...values, limit: pageSize, offset }) : [];
	return { items: rows, total: count };
}
