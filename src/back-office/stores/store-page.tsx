import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import type { Store } from '../../features/stores/model.ts';
import { reaches, useOwn } from '../account/own.ts';
import type { Versioned } from '../api/client.ts';
import { employeeColumns, signedIn } from '../employees/employee-columns.tsx';
import { EmployeeList } from '../employees/employee-list.tsx';
import { employeeCount } from '../employees/employee-queries.ts';
import { DangerButton } from '../forms/danger.tsx';
import { FormButton } from '../forms/opening.tsx';
import { Facts } from '../page/facts.tsx';
import { Listing } from '../page/listing.tsx';
import { Loaded } from '../page/loaded.tsx';
import { PageHead } from '../page/page-head.tsx';
import { pagingIn, useSearch } from '../page/search.ts';
import { Phone, people, statusTag } from '../page/texts.tsx';
import { CloseStoreForm } from './close-store.tsx';
import { ReopenStoreForm } from './reopen-store.tsx';
import { StoreForm } from './store-form.tsx';
import { oneStore, peopleOfStore, useMovedAway, useStoreActivity } from './store-queries.ts';

/** One store with its people. */
export function StorePage({ id }: { id: string }) {
	return <Loaded query={useQuery(oneStore.byId(id))}>{(store) => <StoreView store={store} />}</Loaded>;
}

function StoreView({ store }: { store: Versioned<Store> }) {
	const headcount = useHeadcount(store);
	const activity = useStoreActivity([store]).get(store.id);
	return (
		<>
			<PageHead back={{ href: '/stores', title: '门店管理' }} title={store.name} tags={statusTag(store.status)}>
				{headcount && <StoreActions store={store} headcount={headcount} />}
			</PageHead>
			<Facts
				column={{ xs: 1, md: 2 }}
				items={{
					电话: store.phone && <Phone of={store.phone} />,
					地址: store.address,
					区域: store.area?.name,
					负责人: activity?.leads,
					最近登录: activity?.lastSignInAt && signedIn(activity.lastSignInAt),
				}}
			/>
			<h2>员工{headcount && `（${headcount.total.toLocaleString('zh-CN')}）`}</h2>
			<StorePeople store={store} />
		</>
	);
}

interface ActionsProps {
	store: Versioned<Store>;
	headcount: NonNullable<ReturnType<typeof useHeadcount>>;
}

function StoreActions({ store, headcount: { total, active } }: ActionsProps) {
	const { can } = useOwn();
	const [, navigate] = useLocation();
	const { data: movedAway = [] } = useMovedAway(store);
	if (!can('store:manage')) return null;
	const isActive = store.status === 'ACTIVE';
	return (
		<>
			<FormButton form={<StoreForm store={store} />}>编辑</FormButton>
			{movedAway.length > 0 ? (
				<FormButton form={<ReopenStoreForm store={store} movedAway={movedAway} />}>启用</FormButton>
			) : (
				<DangerButton
					title={`${isActive ? '禁用' : '启用'}门店“${store.name}”？`}
					effect={effectOf(isActive, active)}
					verb={isActive ? '禁用' : '启用'}
					run={() => oneStore.change(store, { status: isActive ? 'INACTIVE' : 'ACTIVE' })}
					success={isActive ? '门店已禁用' : '门店已启用'}
				/>
			)}
			{total > 0 && can('employee:manage') && (
				<FormButton
					danger
					form={
						<CloseStoreForm
							store={store}
							employees={total}
							onDone={(then) => then === 'DELETE' && navigate('/stores')}
						/>
					}
				>
					关闭门店
				</FormButton>
			)}
			{total === 0 && (
				<DangerButton
					isRed
					title={`删除门店“${store.name}”？`}
					effect="删除后不能恢复，门店名称可以重新使用。该门店没有员工。"
					verb="删除"
					run={() => oneStore.remove(store)}
					success="门店已删除"
					onDone={() => navigate('/stores')}
				/>
			)}
		</>
	);
}

/** The effect of disabling or enabling a store on its enabled employees. */
function effectOf(isActive: boolean, count: number): string {
	if (count === 0) return '门店没有启用的员工。';
	return isActive ? `${people(count)}将无法登录，直到门店重新启用。` : `${people(count)}将可以重新登录。`;
}

/** Counts the people of a store; undefined until they are counted. */
function useHeadcount(store: Store) {
	const { id } = store;
	const mayList = reaches(useOwn(), store);
	const ofStore = { storeId: id };
	const { data: total } = useQuery({ ...employeeCount(ofStore), enabled: mayList });
	const { data: active } = useQuery({ ...employeeCount({ ...ofStore, status: 'ACTIVE' }), enabled: mayList });
	const { data: people } = useQuery({ ...peopleOfStore(id), enabled: !mayList });
	if (people) return { total: people.length, active: people.filter(({ status }) => status === 'ACTIVE').length };
	return total === undefined || active === undefined ? undefined : { total, active };
}

/** The people of a store: the list of employees, or only their names for an account that may not open it. */
function StorePeople({ store }: { store: Store }) {
	return reaches(useOwn(), store) ? <EmployeeList store={store} /> : <People id={store.id} />;
}

function People({ id }: Pick<Store, 'id'>) {
	const search = useSearch();
	const query = useQuery(peopleOfStore(id));
	const [page, pageSize] = [Number(pagingIn(search).page), Number(pagingIn(search).pageSize)];
	const data = query.data && {
		items: query.data.slice((page - 1) * pageSize, page * pageSize),
		pagination: { page, pageSize, total: query.data.length },
	};
	return (
		<Listing
			label="员工"
			query={{ ...query, data }}
			columns={employeeColumns({ links: false, store: false })}
			rowKey={(employee) => employee.id}
			search={search}
			empty="这家门店还没有员工"
		/>
	);
}
