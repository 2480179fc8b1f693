import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import type { Store } from '../../stores/model.ts';
import { useOwn } from '../account/own.ts';
import type { Versioned } from '../api/client.ts';
import { signedIn } from '../employees/employee-columns.tsx';
import { DangerButton } from '../forms/danger.tsx';
import { FormButton } from '../forms/form-button.tsx';
import { Facts } from '../page/facts.tsx';
import { Loaded } from '../page/loaded.tsx';
import { PageHead } from '../page/page-head.tsx';
import { Optional, Phone, people, statusTag } from '../page/texts.tsx';
import { CloseStoreForm } from './close-store.tsx';
import { StoreForm } from './store-form.tsx';
import { type Headcount, StorePeople, useHeadcount } from './store-people.tsx';
import { oneStore, useStoreActivity } from './store-queries.ts';

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
					电话: <Phone of={store.phone} />,
					地址: <Optional text={store.address} />,
					...(store.area && { 区域: store.area.name }),
					...(activity && { 负责人: <Optional text={activity.leads} />, 最近登录: signedIn(activity.lastSignInAt) }),
				}}
			/>
			<h2>员工{headcount && `（${headcount.total.toLocaleString('zh-CN')}）`}</h2>
			<StorePeople store={store} />
		</>
	);
}

function StoreActions({ store, headcount: { total, active } }: { store: Versioned<Store>; headcount: Headcount }) {
	const { can } = useOwn();
	const [, navigate] = useLocation();
	if (!can('store:manage')) return null;
	const isActive = store.status === 'ACTIVE';
	return (
		<>
			<FormButton form={<StoreForm store={store} />}>编辑</FormButton>
			<DangerButton
				title={`${isActive ? '禁用' : '启用'}门店“${store.name}”？`}
				effect={isActive ? `${people(active)}将无法登录，直到门店重新启用。` : `${people(active)}将可以重新登录。`}
				verb={isActive ? '禁用' : '启用'}
				run={() => oneStore.change(store, { status: isActive ? 'INACTIVE' : 'ACTIVE' })}
				success={isActive ? '门店已禁用' : '门店已启用'}
			/>
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
