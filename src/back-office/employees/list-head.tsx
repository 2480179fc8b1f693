import { useMutation } from '@tanstack/react-query';
import { App, Button } from 'antd';
import type { ReactNode } from 'react';
import { chainName } from '../api/chain.ts';
import { type Page, saveFile } from '../api/client.ts';
import { showTime } from '../api/time.ts';
import { useShowFailure, Working } from '../forms/working.tsx';
import { useCommand } from '../page/command.ts';
import { todayHere } from '../page/day.ts';
import { SearchAndFilters } from '../page/filters.tsx';
import { PageHead } from '../page/page-head.tsx';
import { useSearch } from '../page/search.ts';
import { totalOf } from '../page/texts.tsx';

interface Props {
	/** The route of the file, below `api/`. */
	path: 'employees/export' | 'stores/export' | 'history/export';
	title: string;
	query: Readonly<Record<string, string | number | boolean>>;
	/** The paging of the shown page. An empty list cannot be exported. */
	pagination: Page<unknown>['pagination'] | undefined;
	/** Whether the page around the list has a heading. */
	isPart?: boolean;
	actions?: ReactNode;
	/** The label of the search. */
	search: string;
	/** The filters. */
	children: ReactNode;
}

/** The head of a list that can be exported: its title and actions, the search, the filters. */
export function ListHead({ isPart = false, actions, search, children, ...file }: Props) {
	const { title, pagination } = file;
	const count = pagination?.total ? <span className="count">{totalOf(pagination)}</span> : undefined;
	const { filters } = useSearch();
	const buttons = (
		<>
			<ExportButton {...file} />
			{actions}
		</>
	);
	return (
		<>
			{!isPart && (
				<PageHead title={title} tags={count}>
					{buttons}
				</PageHead>
			)}
			<div className="filter-bar">
				{/* Without filters and rows there is nothing to search. */}
				{(pagination?.total !== 0 || filters.length > 0) && (
					<SearchAndFilters label={search}>{children}</SearchAndFilters>
				)}
				{isPart && <div className="actions">{buttons}</div>}
			</div>
			<p className="printed">打印于 {showTime(new Date().toISOString())}</p>
		</>
	);
}

/** Downloads the rows that pass the filter. */
function ExportButton({ path, title, pagination, query: filter }: Omit<Props, 'search' | 'children'>) {
	const { message } = App.useApp();
	const showFailure = useShowFailure();
	const { mutate, isPending } = useMutation({
		async mutationFn() {
			const texts = Object.entries({ ...filter, format: 'xlsx' }).map(([field, value]) => [field, `${value}`]);
			const query = new URLSearchParams(texts);
			// For example `好邻居_员工_2026-11-22.xlsx`.
			const name = `${[chainName.get(), title, todayHere()].filter(Boolean).join('_')}.xlsx`;
			await saveFile(`api/${path}?${query}`, name);
			return name;
		},
		onMutate: () => void message.open({ key: 'export', duration: 0, content: <Working>正在导出…</Working> }),
		onSuccess: (name) => void message.success({ key: 'export', content: `已导出 ${name}` }),
		onError(error) {
			message.destroy('export');
			showFailure(error);
		},
	});
	useCommand(`导出${title}`, mutate);
	if (pagination?.total === 0) return null;
	return (
		<Button loading={isPending} onClick={() => mutate()}>
			导出
		</Button>
	);
}
