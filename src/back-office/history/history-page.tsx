import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import type { ShownRecord } from '../../identity/history/model.ts';
import { addDays } from '../../platform/vocabulary/day.ts';
import {
	historyActions,
	historyActorTypes,
	historyMovements,
	historyTargetTypes,
} from '../../platform/vocabulary/history.ts';
import { phoneOrText } from '../../platform/vocabulary/phone.ts';
import { given } from '../api/client.ts';
import { ListHead } from '../employees/list-head.tsx';
import { type Search, useSearch } from '../page/search.ts';
import { HistoryFilters } from './history-filters.tsx';
import { HistoryList, records } from './history-list.tsx';
import { RecordDrawer } from './record-drawer.tsx';

/** The start of a day in the time zone of the browser, in the form of the routes. */
const startOfDay = (day: string) => new Date(`${day}T00:00:00`).toISOString();

/** The filters in the address, in the form of the routes. */
function historyFilter(search: Search) {
	const [from, to, keyword] = [search.day('from'), search.day('to'), search.get('keyword')];
	return given({
		action: search.oneOf('action', historyActions),
		actorType: search.oneOf('actorType', historyActorTypes),
		actorId: search.integer('actorId'),
		movement: search.oneOf('action', historyMovements),
		targetType: search.oneOf('targetType', historyTargetTypes),
		targetId: search.integer('targetId'),
		groupId: search.integer('groupId'),
		keyword: keyword && phoneOrText(keyword),
		from: from && startOfDay(from),
		to: to && startOfDay(addDays(to, 1)),
	});
}

/** The history of changes and sign-ins, and one record beside the list. */
function HistoryPage({ record }: { record?: string }) {
	const search = useSearch();
	const [, navigate] = useLocation();
	const filter = historyFilter(search);
	const query = useQuery(records({ ...filter, ...search.paging }));
	const name = targetName(query.data?.items);
	return (
		<>
			<ListHead
				search="搜索名称或手机号"
				title="操作记录"
				pagination={query.data?.pagination}
				path="history/export"
				query={{ ...filter, utcOffset: utcOffset() }}
			>
				<HistoryFilters name={name} />
			</ListHead>
			<HistoryList query={query} filter={filter} hrefOf={({ id }) => search.keep(`/history/${id}`)} search={search} />
			<RecordDrawer id={record} onClose={() => navigate(search.keep('/history'))} />
		</>
	);
}

/** The pages below `/history`. */
export default [{ path: '/history/:record?', Page: HistoryPage }] as const;

/** The zone of the browser, such as `+08:00`. */
const utcOffset = () => new Date().toLocaleString('en', { timeZoneName: 'longOffset' }).split('GMT')[1] || '+00:00';

/** The present name of the target that all records share. */
function targetName(records: readonly ShownRecord[] | undefined): string | undefined {
	const record = records?.[0];
	const found = record?.mentioned.find(({ type, id }) => type === record.targetType && id === record.targetId);
	return found?.name ?? record?.targetName ?? undefined;
}
