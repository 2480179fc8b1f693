import { useQuery } from '@tanstack/react-query';
import { Skeleton } from 'antd';
import { useState } from 'react';
import { Link } from 'wouter';
import { asRefusal } from '../api/refusal.ts';
import { roleHolders } from '../employees/holders.ts';
import { RefusalAlert } from '../forms/refusal-alert.tsx';
import { SmallPagination } from './small-pagination.tsx';

/** The people who hold a role, as far as the account may see them. */
export function RoleHolders({ id }: { id: string }) {
	const [page, setPage] = useState(1);
	const { data, error } = useQuery(roleHolders(id, page));
	if (error && !data) return <RefusalAlert refusal={asRefusal(error)} />;
	if (!data) return <Skeleton active />;
	return (
		<section aria-label="持有该角色的员工">
			<h2>持有该角色的员工（{data.pagination.total.toLocaleString('zh-CN')}）</h2>
			<ul className="holders">
				{data.items.map((employee) => (
					<li key={employee.id}>
						<Link href={`/employees/${employee.id}`}>{employee.name}</Link> {employee.storeName}
					</li>
				))}
			</ul>
			<SmallPagination of={data.pagination} onChange={setPage} />
		</section>
	);
}
