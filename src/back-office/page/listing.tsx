import type { UseQueryResult } from '@tanstack/react-query';
import { Button, Pagination, Skeleton } from 'antd';
import { Fragment, type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import type { Page } from '../api/client.ts';
import { asRefusal } from '../api/refusal.ts';
import { Facts } from './facts.tsx';
import { passesOnFocus } from './focus.ts';
import { Problem } from './loaded.tsx';
import { useIsPhone } from './screen.ts';
import type { Search } from './search.ts';
import { Clipped, totalOf } from './texts.tsx';

/** A column of a list; on a phone the first one becomes the heading of a card and the others its lines. */
export interface Column<Row> {
	title: string;
	/** A card leaves out a line without content. */
	render(row: Row): ReactNode;
	width?: number;
	/** Whether phones, paper and narrow tables leave it out. */
	isForWide?: boolean;
}

/** The part of a query that a list needs. Rows that are already loaded need only the data. */
type Answer<Data> = { data: Data | undefined } & Partial<
	Pick<UseQueryResult, 'error' | 'isFetching' | 'isPlaceholderData' | 'refetch'>
>;

interface Props<Row> {
	/** The name of the list, for screen readers. */
	label: string;
	query: Answer<Page<Row> | Row[]>;
	columns: Column<Row>[];
	/** Needed for a list with pages. */
	search?: Search | undefined;
	/** The text of an empty list; absent if the list is only shown with rows. */
	empty?: string;
	/** The heading above consecutive rows that share it. */
	sectionOf?(row: Row): string;
	/** The checkbox of some rows. */
	selector?: ((rows: readonly Row[], label?: string) => ReactNode) | undefined;
}

/** A list: a table on a desktop, cards on a phone. */
export function Listing<Row extends object>(props: Props<Row>) {
	const { label, query, columns, search, empty, selector, sectionOf } = props;
	const isPhone = useIsPhone();
	const { data, error, isFetching, isPlaceholderData, refetch } = query;
	const { items: rows, pagination } = Array.isArray(data) ? { items: data } : (data ?? {});
	const isEmpty = rows?.length === 0;
	const none = search?.filters.length ? `没有符合条件的${label}` : empty;
	const lastPage = useLastPage(pagination, search);
	const list = useRef<HTMLElement>(null);
	if (error && !data) return <Problem refusal={asRefusal(error)} onRetry={() => void refetch?.()} />;
	const sections = rows?.map((row) => sectionOf?.(row));
	const beginningAt = (index: number) => (sections?.[index] === sections?.[index - 1] ? undefined : sections?.[index]);
	return (
		<section ref={list} aria-label={label} aria-busy={isFetching}>
			{!isEmpty && isPhone && (
				<ul className="cards">
					{rows?.map((row, index) => (
						<li key={keyOf(row, index)}>
							{beginningAt(index) && <div className="section">{beginningAt(index)}</div>}
							<Card row={row} columns={columns}>
								{selector?.([row])}
							</Card>
						</li>
					))}
				</ul>
			)}
			{!isEmpty && !isPhone && <Sheet rows={rows} columns={columns} selector={selector} beginningAt={beginningAt} />}
			{rows === undefined && <Skeleton active paragraph={{ rows: 8 }} />}
			{isEmpty && lastPage === undefined && (
				<div className="empty">
					<p>{isPlaceholderData ? '正在加载…' : none}</p>
					{search && search.filters.length > 0 && (
						<span ref={passesOnFocus}>
							<Button onClick={search.clear}>清除筛选</Button>
						</span>
					)}
				</div>
			)}
			{search && pagination && pagination.total > pagination.pageSize && (
				<Pager of={pagination} search={search} onTurn={() => list.current?.scrollIntoView()} />
			)}
		</section>
	);
}

type Paging = Page<unknown>['pagination'];

/** The pager of a list with several pages. */
function Pager({ of: pagination, search, onTurn }: { of: Paging; search: Search; onTurn(): void }) {
	const isPhone = useIsPhone();
	const { page, pageSize, total } = pagination;
	return (
		<Pagination
			className="pagination"
			align="end"
			current={page}
			pageSize={pageSize}
			total={total}
			showSizeChanger={!isPhone}
			simple={isPhone}
			pageSizeOptions={[20, 50, 100]}
			showTotal={() => `共 ${totalOf(pagination)} 条`}
			onChange={(next, size) => {
				search.set({ page: size !== pageSize || next === 1 ? undefined : `${next}`, pageSize: `${size}` });
				onTurn();
			}}
		/>
	);
}

/** The link of a row or a card. The whole row opens it. It is a real link, for the keyboard and for other tabs. */
export function RowLink({ href, children }: { href: string; children: string }) {
	return (
		<Link href={href} className="row-link">
			<Clipped>{children}</Clipped>
		</Link>
	);
}

/** Goes to the last page if the address names a later one, because rows were deleted or the link is old. @returns that page. */
function useLastPage(pagination: Paging | undefined, search: Search | undefined): number | undefined {
	const { total = 0, pageSize = 1, page = 1 } = pagination ?? {};
	const lastPage = total > 0 && page > Math.ceil(total / pageSize) ? Math.ceil(total / pageSize) : undefined;
	useEffect(() => {
		if (lastPage) search?.set({ page: `${lastPage}` }, { replace: true });
	}, [lastPage, search]);
	return lastPage;
}

/** The id of a row, or its place in a list without ids. */
const keyOf = (row: object, place: number) => ('id' in row && typeof row.id === 'number' ? row.id : place);

interface SheetProps<Row> extends Pick<Props<Row>, 'columns' | 'selector'> {
	rows: Row[] | undefined;
	/** The section that begins with a row. */
	beginningAt(index: number): string | undefined;
}

/** A plain table, without Ant Design. */
function Sheet<Row extends object>({ rows, columns, selector, beginningAt }: SheetProps<Row>) {
	const all = selector?.(rows ?? [], '选择本页');
	return (
		<div className="sheet">
			<table>
				<thead>
					<tr>
						{all && <th className="select-column">{all}</th>}
						{columns.map(({ title, width, isForWide }) => (
							<th key={title} scope="col" style={{ width }} className={isForWide ? 'wide' : undefined}>
								{title}
							</th>
						))}
					</tr>
				</thead>
				<tbody>
					{rows?.map((row, index) => (
						<Fragment key={keyOf(row, index)}>
							{beginningAt(index) && (
								<tr>
									<td colSpan={columns.length} className="section">
										{beginningAt(index)}
									</td>
								</tr>
							)}
							<tr>
								{selector && <td className="select-column">{selector([row])}</td>}
								{columns.map((column) => (
									<td key={column.title} className={column.isForWide ? 'wide' : undefined}>
										{column.render(row)}
									</td>
								))}
							</tr>
						</Fragment>
					))}
				</tbody>
			</table>
		</div>
	);
}

interface CardProps<Row> {
	row: Row;
	columns: Column<Row>[];
	children?: ReactNode;
}

function Card<Row>({ row, columns: [first, ...others], children }: CardProps<Row>) {
	const shown = others.filter(({ isForWide }) => !isForWide);
	const facts = Object.fromEntries(shown.map(({ title, render }) => [title, render(row)]));
	return (
		<article className="card">
			{children}
			<h2>{first?.render(row)}</h2>
			<Facts className="" items={facts} />
		</article>
	);
}
