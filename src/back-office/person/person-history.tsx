import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { answer, api } from '../api/client.ts';
import { HistoryList } from '../history/history-list.tsx';

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
			<HistoryList query={query} hrefOf={(record) => `/history/${record.id}?${filter}`} />
			<p className="actions">
				<Link href={`/history?${filter}`}>查看全部操作记录</Link>
			</p>
		</>
	);
}
