import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import type { Store } from '../../features/stores/model.ts';
import { reaches, useOwn } from '../account/own.ts';
import type { Versioned } from '../api/client.ts';
import { EmployeeList, HiringButtons } from '../employees/employee-list.tsx';
import { employeeCount } from '../employees/employee-queries.ts';
import { Confirm } from '../forms/confirm.tsx';
import { FormButton } from '../forms/opening.tsx';
import { Facts } from '../page/facts.tsx';
import { Loaded } from '../page/loaded.tsx';
import { PageHead } from '../page/page-head.tsx';
import { numberOf, Phone, people, statusTag } from '../page/texts.tsx';
import { CloseStoreForm } from './close-store.tsx';
import { ReopenStoreForm } from './reopen-store.tsx';
import { StoreForm } from './store-form.tsx';
import { oneStore, useMovedAway, useStoreActivity } from './store-queries.ts';

/** One store with its people. */
export function StorePage({ id }: { id: string }) {
	return <Loaded query={useQuery(oneStore.byId(id))}>{(store) => <StoreView store={store} />}</Loaded>;
}

function StoreView({ store }: { store: Versioned<Store> }) {
	const own = useOwn();
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
				}}
			/>
			<h2>员工{headcount && headcount.total > 0 && `（${numberOf(headcount.total)}）`}</h2>
			{reaches(own, store) ? (
				<EmployeeList store={store}>
					<HiringButtons store={store} />
				</EmployeeList>
			) : (
				<p className="absent">您不负责这家门店，只能看到人数和负责人</p>
			)}
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
	const verb = isActive ? '禁用' : '启用';
	return (
		<>
			<FormButton form={<StoreForm store={store} />}>编辑</FormButton>
			{movedAway.length > 0 ? (
				<FormButton form={<ReopenStoreForm store={store} movedAway={movedAway} />}>启用</FormButton>
			) : (
				<FormButton
					form={
						<Confirm
							title={`${verb}门店“${store.name}”？`}
							effect={effectOf(isActive, active)}
							verb={verb}
							run={() => oneStore.change(store, { status: isActive ? 'INACTIVE' : 'ACTIVE' })}
							success={`门店已${verb}`}
						/>
					}
				>
					{verb}
				</FormButton>
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
				<FormButton
					danger
					form={
						<Confirm
							title={`删除门店“${store.name}”？`}
							effect="删除后不能恢复，门店名称可以重新使用。该门店没有员工。"
							verb="删除"
							run={() => oneStore.remove(store)}
							success="门店已删除"
							onDone={() => navigate('/stores')}
						/>
					}
				>
					删除
				</FormButton>
			)}
		</>
	);
}

/** The effect of disabling or enabling a store on its enabled employees. */
function effectOf(isActive: boolean, count: number | undefined): string {
	if (count === 0) return '门店没有启用的员工。';
	const who = count === undefined ? '门店的员工' : people(count);
	return isActive ? `${who}将无法登录，直到门店重新启用。` : `${who}将可以重新登录。`;
}

/** Counts the people of a store, all and the enabled ones, as far as the account may know; undefined until they are counted. */
function useHeadcount(store: Store) {
	const mayList = reaches(useOwn(), store);
	const activity = useStoreActivity([store]).get(store.id);
	const { data: active } = useQuery({
		...employeeCount({ storeId: store.id, status: 'ACTIVE' }),
		enabled: mayList,
	});
	return activity && { total: activity.employees, active: mayList ? active : undefined };
}
