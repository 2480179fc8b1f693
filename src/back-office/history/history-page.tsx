import { queryOptions, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { Link, Route, useLocation } from 'wouter';
import type { HistoryRecord } from '../../history/model.ts';
import { historyActions, historyActorTypes, historyTargetTypes } from '../../vocabulary/history.ts';
import { answer, api } from '../api/client.ts';
import { ChoiceFilter, FilterBar, KeywordFilter } from '../page/filters.tsx';
import { Listing } from '../page/listing.tsx';
import { pagingIn, type Search, useSearch } from '../page/search.ts';
import { Time } from '../page/texts.tsx';
import { DayFilter, dayAfter, dayIn, startOfDay } from './day-filter.tsx';
import { Actor, RecordDrawer, Target } from './record-drawer.tsx';
import { actionWords, actorWords, targetWords } from './words.ts';

/** One page of the history, as the address filters it. */
function historyPage(search: Search) {
	const [from, to] = [dayIn(search, 'from'), dayIn(search, 'to')];
	const filters = {
		action: search.oneOf('action', historyActions),
		actorType: search.oneOf('actorType', historyActorTypes),
		targetType: search.oneOf('targetType', historyTargetTypes),
		targetId: search.integer('targetId'),
		keyword: search.get('keyword'),
		from: from && startOfDay(from),
		to: to && dayAfter(to),
	};
	const given = Object.entries(filters).filter(([, value]) => value !== undefined);
	const query: Partial<Present<typeof filters>> = Object.fromEntries(given);
	return queryOptions({
		queryKey: ['history', query, pagingIn(search)],
		queryFn: () => answer(api.history.get({ query: { ...query, ...pagingIn(search) } })),
		placeholderData: (before) => before,
	});
}

type Present<T> = { [Key in keyof T]: NonNullable<T[Key]> };

/** Who changed what and who signed in, and one record beside the list. */
export default function HistoryPage() {
	const search = useSearch();
	const [, navigate] = useLocation();
	const query = useQuery(historyPage(search));
	return (
		<>
			<h1>操作记录</h1>
			<FilterBar>
				<KeywordFilter search={search} label="搜索操作人或对象的名称" />
				<ChoiceFilter search={search} name="action" label="操作" options={optionsOf(actionWords)} />
				<ChoiceFilter search={search} name="actorType" label="操作人类型" options={optionsOf(actorWords)} />
				<ChoiceFilter search={search} name="targetType" label="对象类型" options={optionsOf(targetWords)} />
				<DayFilter search={search} name="from" label="从开始日期" prefix="从" />
				<DayFilter search={search} name="to" label="至结束日期" prefix="至" />
				{search.get('targetId') && (
					<Button onClick={() => search.set({ targetId: undefined, targetType: undefined })}>
						只看编号 {search.get('targetId')} 的记录 ×
					</Button>
				)}
			</FilterBar>
			<Listing<HistoryRecord>
				label="操作记录"
				query={query}
				columns={[
					{
						title: '操作',
						render: ({ id, action }) => <Link href={search.keep(`/history/${id}`)}>{actionWords[action]}</Link>,
					},
					{ title: '对象', render: (record) => <Target record={record} /> },
					{ title: '操作人', render: (record) => <Actor record={record} /> },
					{ title: '时间', render: ({ at }) => <Time at={at} exact />, width: 200 },
					{ title: '来源地址', render: ({ address }) => address ?? '本机', width: 150 },
				]}
				rowKey={({ id }) => id}
				search={search}
				empty="没有符合条件的记录"
			/>
			<Route path="/history/:id?">
				{({ id }) => <RecordDrawer id={id} onClose={() => navigate(search.keep('/history'))} />}
			</Route>
		</>
	);
}

function optionsOf(words: Record<string, string>) {
	return Object.entries(words).map(([value, label]) => ({ value, label }));
}
