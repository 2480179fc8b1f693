import { queryOptions, type UseQueryResult } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { ShownRecord } from '../../history/model.ts';
import { answer, api, type Page } from '../api/client.ts';
import { Listing } from '../page/listing.tsx';
import type { Search } from '../page/search.ts';
import { Time } from '../page/texts.tsx';
import { SentenceOf } from './sentence.tsx';

/** One page of the records that a query asks for. */
export function records(query: NonNullable<NonNullable<Parameters<typeof api.history.get>[0]>['query']>) {
	return queryOptions({
		queryKey: ['history', query],
		queryFn: () => answer(api.history.get({ query })),
		placeholderData: (before) => before,
	});
}

interface Props {
	query: UseQueryResult<Page<ShownRecord>>;
	/** Where a record opens. */
	hrefOf(record: ShownRecord): string;
	/** Whether a record stands for all of its request. */
	isGrouped?: boolean;
	/** Needed for pages. */
	search?: Search;
}

/** Records as sentences: all of them, or those of a person. */
export function HistoryList({ query, hrefOf, isGrouped = false, search }: Props) {
	return (
		<Listing<ShownRecord>
			label="操作记录"
			query={query}
			columns={[
				{ title: '内容', render: (record) => <SentenceOf record={record} asGroup={isGrouped} /> },
				{
					title: '时间',
					render: (record) => (
						<Link href={hrefOf(record)} className="row-link">
							<Time at={record.at} exact />
						</Link>
					),
					width: 200,
				},
				{ title: '来源地址', render: ({ address }) => address ?? '本机', width: 150 },
			]}
			rowKey={({ id }) => id}
			empty="没有符合条件的记录"
			{...(search && { search })}
		/>
	);
}
