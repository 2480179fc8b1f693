import { useQuery } from '@tanstack/react-query';
import { Pagination, Skeleton } from 'antd';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Page } from '../api/client.ts';
import { asRefusal } from '../api/refusal.ts';
import { roleHolders } from '../employees/holders.ts';
import { RefusalAlert } from '../forms/refusal-alert.tsx';
import { Initial } from '../page/initial.tsx';
import { numberOf } from '../page/texts.tsx';

/** The people who hold a role, as far as the account may see them. */
export function RoleHolders({ id }: { id: string }) {
	const [page, setPage] = useState(1);
	const { data, error } = useQuery(roleHolders(id, page));
	if (error && !data) return <RefusalAlert refusal={asRefusal(error)} />;
	if (!data) return <Skeleton active />;
	return (
		<>
			<h2>员工（{numberOf(data.pagination.total)}）</h2>
			<section className="access" aria-label="持有该角色的员工">
				{data.items.length === 0 && <p className="absent">还没有员工持有该角色</p>}
				<ul className="holders">
					{data.items.map((employee) => (
						<li key={employee.id}>
							<span className="named">
								<Initial of={employee} />
								<Link href={`/employees/${employee.id}`}>{employee.name}</Link> {employee.storeName}
							</span>
						</li>
					))}
				</ul>
				<SmallPagination of={data.pagination} onChange={setPage} />
			</section>
		</>
	);
}

interface PaginationProps {
	/** The place in a list, as the service answers it. */
	of: Page<unknown>['pagination'];
	onChange(page: number): void;
}

/** Turns the pages of a list inside of something else. */
export function SmallPagination({ of: { page, pageSize, total }, onChange }: PaginationProps) {
	return (
		<Pagination
			simple
			hideOnSinglePage
			current={page}
			pageSize={pageSize}
			total={total}
			showSizeChanger={false}
			onChange={onChange}
		/>
	);
}
