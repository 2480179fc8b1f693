import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { HistoryList, records } from '../history/history-list.tsx';

/** The last things that happened to a person. */
export function PersonHistory({ id }: { id: number }) {
	const query = useQuery(records({ targetType: 'EMPLOYEE', targetId: id, pageSize: 10 }));
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
