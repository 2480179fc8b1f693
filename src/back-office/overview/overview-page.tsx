import { queryOptions, useQuery } from '@tanstack/react-query';
import { Progress } from 'antd';
import { Link } from 'wouter';
import type { Overview } from '../../overview/model.ts';
import { useOwn } from '../account/own.ts';
import { answer, api } from '../api/client.ts';
import { Listing, RowLink } from '../page/listing.tsx';
import { Loaded } from '../page/loaded.tsx';
import { numberOf, statusTag } from '../page/texts.tsx';
import { Attention } from './attention.tsx';
import { FirstSteps } from './first-steps.tsx';
import { Week } from './week.tsx';

const overview = queryOptions({ queryKey: ['overview'], queryFn: () => answer(api.overview.get()) });

/** A chain can have thousands of stores. */
const maxShownStores = 20;

/** What needs attention, what ends soon, the week and the stores. */
export default function OverviewPage() {
	return (
		<Loaded query={useQuery(overview)}>
			{(data) => (
				<>
					<h1>概览</h1>
					{data.employees.ACTIVE + data.employees.INACTIVE === 0 ? (
						<FirstSteps overview={data} />
					) : (
						<>
							<Attention overview={data} />
							<Ending ending={data.ending} />
							<Week days={data.week} />
						</>
					)}
					{data.employeesPerStore.length > 0 && <Stores overview={data} />}
				</>
			)}
		</Loaded>
	);
}

/** Who leaves and which roles end within 14 days. */
function Ending({ ending: { total, items } }: Pick<Overview, 'ending'>) {
	const { can } = useOwn();
	if (total === 0) return null;
	return (
		<>
			<h2>14 天内到期（{total.toLocaleString('zh-CN')}）</h2>
			<ul className="news">
				{items.map(({ on, employeeId, name, storeName, roleId, roleName }) => (
					<li key={`${employeeId} ${roleId}`}>
						<span className="news-number">{on.slice(5)}</span>
						<span>
							<Link href={`/employees/${employeeId}`} className="in-text">
								{name}
							</Link>
							（{storeName}）{roleName === null ? '最后工作日' : <>角色 {roleName} 到期</>}
						</span>
					</li>
				))}
				{total > items.length && <li className="absent">以及更晚的 {total - items.length} 项</li>}
			</ul>
			{can('*') && <p className="absent">到期当天结束后由系统自动处理，操作记录中可以查到。</p>}
		</>
	);
}

function Stores({ overview: { stores, employees, employeesPerStore } }: { overview: Overview }) {
	const shown = employeesPerStore.toSorted((a, b) => b.employees - a.employees).slice(0, maxShownStores);
	const max = Math.max(1, ...shown.map((store) => store.employees));
	const areAll = employeesPerStore.length <= maxShownStores;
	return (
		<>
			<h2>{areAll ? '门店' : `员工最多的 ${maxShownStores} 家门店`}</h2>
			<p className="absent">
				启用{' '}
				<Link className="in-text" href="/stores?status=ACTIVE">
					{numberOf(stores.ACTIVE)} 家
				</Link>
				，禁用{' '}
				<Link className="in-text" href="/stores?status=INACTIVE">
					{numberOf(stores.INACTIVE)} 家
				</Link>
				；员工启用{' '}
				<Link className="in-text" href="/employees?status=ACTIVE">
					{numberOf(employees.ACTIVE)} 名
				</Link>
				，禁用{' '}
				<Link className="in-text" href="/employees?status=INACTIVE">
					{numberOf(employees.INACTIVE)} 名
				</Link>
			</p>
			<Listing
				label="门店"
				query={{ data: shown, error: null, isFetching: false, refetch: () => {} }}
				columns={[
					{
						title: '门店',
						render: ({ storeId, storeName, storeStatus }) => (
							<span className="tags">
								<RowLink href={`/stores/${storeId}`}>{storeName}</RowLink>
								{statusTag(storeStatus)}
							</span>
						),
						width: 320,
					},
					{ title: '员工', render: (store) => <Bar count={store.employees} max={max} /> },
				]}
				rowKey={({ storeId }) => storeId}
				empty="还没有门店"
			/>
		</>
	);
}

/** A number, and its share of the largest one. */
function Bar({ count, max }: { count: number; max: number }) {
	return (
		<div className="bar">
			<Progress percent={(count / max) * 100} status="normal" showInfo={false} aria-hidden />
			<span>{numberOf(count)} 名</span>
		</div>
	);
}
