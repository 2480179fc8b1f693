import { useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { useLocation } from 'wouter';
import type { Store } from '../../features/stores/model.ts';
import { canSeeEmployees, reaches, useOwn } from '../account/own.ts';
import type { Versioned } from '../api/client.ts';
import { EmployeeList, HiringButtons } from '../employees/employee-list.tsx';
import { Deletion } from '../forms/confirm.tsx';
import { FormButton } from '../forms/opening.tsx';
import { Facts } from '../page/facts.tsx';
import { Loaded } from '../page/loaded.tsx';
import { useSteady } from '../page/open-form.ts';
import { PageHead } from '../page/page-head.tsx';
import { Heading, numberOf, Phone, statusTag } from '../page/texts.tsx';
import { CloseStoreForm } from './close-store.tsx';
import { StoreForm } from './store-form.tsx';
import { oneStore, useStoreActivity } from './store-queries.ts';
import { DisableStore, EnableStore } from './switch-store.tsx';

/** One store with its people. */
export function StorePage({ id }: { id: string }) {
	return <Loaded query={useQuery(oneStore.byId(id))}>{(store) => <StoreView store={store} />}</Loaded>;
}

function StoreView({ store }: { store: Versioned<Store> }) {
	const own = useOwn();
	const activity = useStoreActivity([store]);
	// A store that a colleague has deleted has no people.
	const { employees = 0, enabled = 0, leads } = activity?.get(store.id) ?? {};
	return (
		<>
			<PageHead back={{ href: '/stores', title: '门店' }} title={store.name} tags={statusTag(store.status)}>
				{activity && <StoreActions {...{ store, employees, enabled }} />}
			</PageHead>
			<Facts
				items={{
					电话: store.phone && <Phone of={store.phone} />,
					地址: store.address,
					区域: store.area?.name,
					负责人: leads,
				}}
			/>
			<Heading count={employees ? numberOf(employees) : ''}>员工</Heading>
			{reaches(own, store) ? (
				<EmployeeList store={store}>
					<HiringButtons store={store} />
				</EmployeeList>
			) : (
				<p className="absent">
					{canSeeEmployees(own) ? '您不负责这家门店' : '您没有查看员工的权限'}，只能看到人数和负责人
				</p>
			)}
		</>
	);
}

function StoreActions(given: ComponentProps<typeof EnableStore>) {
	const { store, employees } = given;
	const own = useOwn();
	const { can } = own;
	const isActive = useSteady(store.status === 'ACTIVE');
	const isEmpty = useSteady(employees === 0);
	if (!can('store:manage')) return null;
	return (
		<>
			<FormButton form={<StoreForm store={store} />}>编辑</FormButton>
			<FormButton form={isActive ? <DisableStore {...given} /> : <EnableStore {...given} />}>
				{isActive ? '禁用' : '启用'}
			</FormButton>
			{!isEmpty && can('employee:manage') && reaches(own, store) && (
				<FormButton form={<CloseStoreForm {...given} />}>关闭门店</FormButton>
			)}
			{isEmpty && <FormButton form={<DeleteStore store={store} />}>删除</FormButton>}
		</>
	);
}

function DeleteStore({ store }: { store: Versioned<Store> }) {
	const [, navigate] = useLocation();
	return (
		<Deletion
			noun="门店"
			name={store.name}
			effect="删除后不能恢复，门店名称可以重新使用。该门店没有员工。"
			run={() => oneStore.remove(store)}
			onDone={() => navigate('/stores')}
		/>
	);
}
