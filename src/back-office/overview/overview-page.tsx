import { queryOptions, useQuery } from '@tanstack/react-query';
import { Card, Progress, Skeleton, Statistic } from 'antd';
import { Link } from 'wouter';
import { useOwn } from '../account/own.ts';
import { answer, api } from '../api/client.ts';
import { asRefusal } from '../api/refusal.ts';
import { initialPasswordLabel } from '../employees/employee-queries.ts';
import { Listing, RowLink } from '../page/listing.tsx';
import { Problem } from '../page/problem.tsx';
import { Clipped, statusTag } from '../page/texts.tsx';

const overview = queryOptions({ queryKey: ['overview'], queryFn: () => answer(api.overview.get()) });

/** A chain can have thousands of stores. */
const maxShownStores = 20;

/** The same in both lists, so that their bars begin at the same place. */
const nameWidth = 320;

/** The chain in figures. */
export default function OverviewPage() {
	const { can } = useOwn();
	const query = useQuery(overview);
	const { data, error, refetch } = query;
	if (error && !data) return <Problem refusal={asRefusal(error)} onRetry={() => void refetch()} />;
	if (!data) return <Skeleton active />;
	const { stores, employees, employeesPerStore, holdersPerRole, initialPasswords } = data;
	const topStores = employeesPerStore.toSorted((a, b) => b.employees - a.employees).slice(0, maxShownStores);
	const maxEmployees = Math.max(1, ...topStores.map((store) => store.employees));
	const maxHolders = Math.max(1, ...holdersPerRole.map(({ holders }) => holders));
	const areAll = employeesPerStore.length <= maxShownStores;
	return (
		<>
			<h1>概览</h1>
			<section className="figures" aria-label="总数">
				<Figure title="启用的门店" value={stores.ACTIVE} unit="家" href="/stores?status=ACTIVE" />
				<Figure title="禁用的门店" value={stores.INACTIVE} unit="家" href="/stores?status=INACTIVE" />
				<Figure title="启用的员工" value={employees.ACTIVE} unit="名" href="/employees?status=ACTIVE" />
				<Figure title="禁用的员工" value={employees.INACTIVE} unit="名" href="/employees?status=INACTIVE" />
				<Figure
					title={initialPasswordLabel}
					value={initialPasswords}
					unit="名"
					href="/employees?passwordIsInitial=true"
				/>
			</section>
			<h2>{areAll ? '各门店员工' : `员工最多的 ${maxShownStores} 家门店`}</h2>
			<Listing
				label="各门店员工"
				query={{ ...query, data: topStores }}
				columns={[
					{
						title: '门店',
						render: ({ storeId, storeName, storeStatus }) => (
							<span className="tags">
								<RowLink href={`/stores/${storeId}`}>{storeName}</RowLink>
								{statusTag(storeStatus)}
							</span>
						),
						width: nameWidth,
					},
					{ title: '员工', render: (store) => <Bar count={store.employees} max={maxEmployees} /> },
				]}
				rowKey={({ storeId }) => storeId}
				empty="还没有门店，请先新增一家门店"
			/>
			<h2>各角色员工</h2>
			<Listing
				label="各角色员工"
				query={{ ...query, data: holdersPerRole }}
				columns={[
					{
						title: '角色',
						render: ({ roleId, roleName }) =>
							can('role:view') ? (
								<RowLink href={`/roles/${roleId}`}>{roleName}</RowLink>
							) : (
								<Clipped>{roleName}</Clipped>
							),
						width: nameWidth,
					},
					{ title: '员工', render: ({ holders }) => <Bar count={holders} max={maxHolders} /> },
				]}
				rowKey={({ roleId }) => roleId}
				empty="还没有角色"
			/>
		</>
	);
}

interface FigureProps {
	title: string;
	value: number;
	unit: string;
	href?: string;
}

function Figure({ href, unit, ...figures }: FigureProps) {
	const figure = <Statistic suffix={<small>{unit}</small>} {...figures} />;
	return <Card variant="borderless">{href ? <Link href={href}>{figure}</Link> : figure}</Card>;
}

/** A number, and its share of the largest one. */
function Bar({ count, max }: { count: number; max: number }) {
	return (
		<div className="bar">
			<Progress percent={(count / max) * 100} status="normal" showInfo={false} aria-hidden />
			<span>{count.toLocaleString('zh-CN')} 名</span>
		</div>
	);
}
