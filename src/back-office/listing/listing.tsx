import { Empty, Grid, Pagination, Skeleton } from 'antd';
import type { ReactNode } from 'react';
import { asRefusal } from '../api/refusal.ts';
import { Problem } from './problem.tsx';
import type { Search } from './search.ts';

/** A column of a list; on a phone the first one becomes the heading of a card and the others its lines. */
export interface Column<Row> {
	title: string;
	render(row: Row): ReactNode;
	width?: number;
}

interface Page<Row> {
	items: Row[];
	pagination: { page: number; pageSize: number; total: number };
}

/** The part of a query that a list needs. */
interface Answer<Data> {
	data: Data | undefined;
	error: Error | null;
	isFetching: boolean;
	refetch(): unknown;
}

interface Props<Row> {
	/** What the list holds, for screen readers. */
	label: string;
	query: Answer<Page<Row> | Row[]>;
	columns: Column<Row>[];
	rowKey(row: Row): number | string;
	/** Needed for a list with pages. */
	search?: Search;
	/** What to do when there is nothing, or nothing that matches. */
	empty: ReactNode;
}

/** A list: a table on a desktop, cards on a phone. */
export function Listing<Row extends object>({ label, query, columns, rowKey, search, empty }: Props<Row>) {
	const isWide = Grid.useBreakpoint().md ?? true;
	const { data, error, isFetching, refetch } = query;
	if (error && !data) return <Problem refusal={asRefusal(error)} onRetry={() => void refetch()} />;
	const rows = data && (Array.isArray(data) ? data : data.items);
	const pagination = data && !Array.isArray(data) ? data.pagination : undefined;
	return (
		<section aria-label={label} aria-busy={isFetching}>
			{isWide ? (
				<Sheet rows={rows} columns={columns} rowKey={rowKey} />
			) : (
				<ul className="cards">
					{rows?.map((row) => (
						<li key={rowKey(row)}>
							<Card row={row} columns={columns} />
						</li>
					))}
				</ul>
			)}
			{rows === undefined && <Skeleton active paragraph={{ rows: 8 }} />}
			{rows?.length === 0 && <Empty className="empty" image={Empty.PRESENTED_IMAGE_SIMPLE} description={empty} />}
			{pagination && search && pagination.total > 0 && (
				<Pagination
					className="pagination"
					current={pagination.page}
					pageSize={pagination.pageSize}
					total={pagination.total}
					showSizeChanger={isWide}
					simple={!isWide}
					pageSizeOptions={[20, 50, 100]}
					showTotal={(total) => `共 ${total.toLocaleString('zh-CN')} 条`}
					onChange={(page, pageSize) => {
						const isOther = pageSize !== pagination.pageSize;
						search.set({ page: isOther || page === 1 ? undefined : `${page}`, pageSize: `${pageSize}` });
					}}
				/>
			)}
		</section>
	);
}

type SheetProps<Row> = Pick<Props<Row>, 'columns' | 'rowKey'> & { rows: Row[] | undefined };

/** A plain table: Ant Design's measures scroll bars with a style element, which the content security policy forbids. */
function Sheet<Row>({ rows, columns, rowKey }: SheetProps<Row>) {
	return (
		<div className="sheet">
			<table>
				<thead>
					<tr>
						{columns.map(({ title, width }) => (
							<th key={title} scope="col" style={{ width }}>
								{title}
							</th>
						))}
					</tr>
				</thead>
				<tbody>
					{rows?.map((row) => (
						<tr key={rowKey(row)}>
							{columns.map(({ title, render }) => (
								<td key={title}>{render(row)}</td>
							))}
						</tr>
					))}
				</tbody>
			</table>
		</div>
	);
}

function Card<Row>({ row, columns: [first, ...others] }: { row: Row; columns: Column<Row>[] }) {
	return (
		<article className="card">
			<h2>{first?.render(row)}</h2>
			<dl>
				{others.map(({ title, render }) => (
					<div key={title}>
						<dt>{title}</dt>
						<dd>{render(row)}</dd>
					</div>
				))}
			</dl>
		</article>
	);
}
