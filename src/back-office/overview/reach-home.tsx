import { useQuery } from '@tanstack/react-query';
import type { ReachOverview } from '../../features/overview/model.ts';
import { homeFor } from '../account/home.ts';
import { useOwn } from '../account/own.ts';
import { api } from '../api/client.ts';
import { queryOf } from '../api/things.ts';
import { lastSignIn } from '../employees/employee-columns.tsx';
import { EmployeeList, HiringButtons } from '../employees/employee-list.tsx';
import { ResetPasswordForm } from '../employees/reset-password.tsx';
import { FormButton } from '../forms/opening.tsx';
import { Listing, RowLink } from '../page/listing.tsx';
import { Loaded } from '../page/loaded.tsx';
import { PageHead } from '../page/page-head.tsx';
import { Heading, numberOf, statusTag } from '../page/texts.tsx';
import { Attention, Ending } from './news.tsx';

const reachOverview = queryOf(['overview', 'reach'], () => api.overview.reach.get());

/** The page of today for an account that sees some stores: the stores, or its own store with its people. */
export function ReachHome() {
	const own = useOwn();
	return (
		<Loaded query={useQuery(reachOverview)}>
			{(data) => {
				const [store] = homeFor(own) === 'store' ? data.stores.items : [];
				return store ? <StoreHome reached={store} overview={data} /> : <StoresHome overview={data} />;
			}}
		</Loaded>
	);
}

/** The overview has the first stores only. */
function newsOf({ stores: { total, items }, ...overview }: ReachOverview) {
	return { ...overview, employeesPerStore: items, hasMoreStores: total > items.length };
}

type ReachedStore = ReachOverview['stores']['items'][number];

/** The store of a store lead: the two large actions, the news, and their people. */
function StoreHome({ reached, overview }: { reached: ReachedStore; overview: ReachOverview }) {
	const store = { id: reached.storeId, name: reached.storeName, status: reached.storeStatus };
	return (
		<>
			<PageHead title={store.name} tags={statusTag(store.status)}>
				{useOwn().can('employee:manage') && (
					<div className="actions main-actions">
						<FormButton form={<ResetPasswordForm />}>重置密码</FormButton>
						<HiringButtons store={store} />
					</div>
				)}
			</PageHead>
			<Attention overview={newsOf(overview)} />
			<Ending ending={overview.ending} />
			<Heading count={numberOf(reached.employees)}>员工</Heading>
			<EmployeeList store={store} />
		</>
	);
}

/** The stores of an area manager. */
function StoresHome({ overview }: { overview: ReachOverview }) {
	const seesStores = useOwn().can('store:view');
	const { total, items } = overview.stores;
	return (
		<>
			<h1>今天</h1>
			<Attention overview={newsOf(overview)} />
			<Heading count={numberOf(total)}>负责的门店</Heading>
			<Listing<ReachedStore>
				label="门店"
				query={{ data: items }}
				columns={[
					{
						title: '门店',
						render: ({ storeId, storeName, storeStatus }) => (
							<span className="named">
								<RowLink href={seesStores ? `/stores/${storeId}` : `/employees?storeId=${storeId}`}>
									{storeName}
								</RowLink>
								{statusTag(storeStatus)}
							</span>
						),
					},
					{ title: '员工', render: ({ employees }) => `${numberOf(employees)} 人`, width: 90 },
					{ title: '负责人', render: ({ leads }) => leads },
					{ title: '最近登录', render: lastSignIn, width: 160 },
				]}
				empty="还没有负责的门店"
			/>
			{total > items.length && <p className="absent">以及另外 {numberOf(total - items.length)} 家门店</p>}
			<Ending ending={overview.ending} />
		</>
	);
}
