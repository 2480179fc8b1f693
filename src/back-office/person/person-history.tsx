import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { answer, api } from '../api/client.ts';
import { Actor } from '../history/record-drawer.tsx';
import { actionWords } from '../history/words.ts';
import { Listing, RowLink } from '../page/listing.tsx';
import { Time } from '../page/texts.tsx';

function lastRecordsOf(id: number) {
	const query = { targetType: 'EMPLOYEE' as const, targetId: `${id}`, pageSize: '10' };
	return queryOptions({ queryKey: ['history', query], queryFn: () => answer(api.history.get({ query })) });
}

/** The last things that happened to a person. */
export function PersonHistory({ id }: { id: number }) {
	const query = useQuery(lastRecordsOf(id));
	const filter = `targetType=EMPLOYEE&targetId=${id}`;
	return (
		<>
			<h2>操作记录</h2>
			<Listing
				label="操作记录"
				query={query}
				columns={[
					{
						title: '操作',
						render: (record) => (
							<RowLink href={`/history/${record.id}?${filter}`}>{actionWords[record.action]}</RowLink>
						),
					},
					{ title: '操作人', render: (record) => <Actor record={record} /> },
					{ title: '时间', render: ({ at }) => <Time at={at} exact />, width: 200 },
				]}
				rowKey={(record) => record.id}
				empty="没有记录"
			/>
			<p className="actions">
				<Link href={`/history?${filter}`}>查看全部操作记录</Link>
			</p>
		</>
	);
}
