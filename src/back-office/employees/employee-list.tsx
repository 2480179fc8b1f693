import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Button } from 'antd';
import { type ReactNode, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { Employee } from '../../features/employees/model.ts';
import type { Store } from '../../features/stores/model.ts';
import { statusLabels } from '../../platform/vocabulary/status.ts';
import { seesSeveralStores } from '../account/home.ts';
import { useOwn } from '../account/own.ts';
import { given } from '../api/client.ts';
import { AddButton } from '../forms/opening.tsx';
import { ChoiceFilter, LinkedFilter, labelOptions } from '../page/filters.tsx';
import { Listing } from '../page/listing.tsx';
import { useSteady } from '../page/open-form.ts';
import { useSearch } from '../page/search.ts';
import { deletedColumns, employeeColumns } from './employee-columns.tsx';
import { attentions, employeeFilter, statusesFor } from './employee-filter.ts';
import { EmployeeForm } from './employee-form.tsx';
import { type Choice, employeePage, visibleChoices } from './employee-queries.ts';
import { ListHead } from './list-head.tsx';
import { PeopleBar, Selector, useSelected } from './selection-bar.tsx';

interface Props {
	/** Limits the list to the employees of this store. */
	store?: Pick<Store, 'id' | 'name' | 'status'> | undefined;
	/** Limits the list to the employees with this role. */
	role?: Choice | undefined;
	/** The buttons that add people. */
	children?: ReactNode;
}

/** The employees that the account may see, with filters and an export. */
export function EmployeeList({ store, role, children }: Props) {
	const own = useOwn();
	const search = useSearch();
	const filter = { ...employeeFilter(search), ...given({ storeId: store?.id, roleId: role?.id }) };
	const query = useQuery(employeePage(filter, search.paging));
	const { data, isPlaceholderData } = query;
	useReachedStore(isPlaceholderData ? undefined : data?.items);
	const selected = useSelected(JSON.stringify(filter));
	const isSelectable = own.can('employee:manage') && !filter.deleted;
	const ofStores = !store && seesSeveralStores(own);
	return (
		<>
			<ListHead
				search="搜索姓名或手机号"
				title="员工"
				isPart={store !== undefined || role !== undefined}
				pagination={data?.pagination}
				path="employees/export"
				query={{ ...filter, order: 'desc' }}
				actions={!filter.deleted && children}
			>
				{!store && <StoreFilter people={data?.items} />}
				{!role && !filter.deleted && <RoleFilter />}
				<ChoiceFilter name="status" label="状态" options={labelOptions(role ? statusLabels : statusesFor(own))} />
				{!filter.deleted && <ChoiceFilter name="attention" label="需要处理" options={labelOptions(attentions)} />}
			</ListHead>
			<Listing
				label="员工"
				query={query}
				selector={
					isSelectable
						? (people, label) => <Selector {...selected} {...{ people, label }} isDisabled={isPlaceholderData} />
						: undefined
				}
				columns={filter.deleted ? deletedColumns : employeeColumns({ store: ofStores, role: !role })}
				search={search}
				empty={`${store ? '这家门店' : ''}没有员工${role ? '持有该角色' : ''}`}
			/>
			<PeopleBar {...selected} filter={filter} total={data?.pagination.total ?? 0} ofRole={role} />
		</>
	);
}

/** Removes a store out of reach from the address, because the service then finds people of another one. */
function useReachedStore(people: readonly Employee[] = []) {
	const search = useSearch();
	const storeId = search.integer('storeId');
	const isReplaced = storeId !== undefined && people.some((each) => each.storeId !== storeId);
	useEffect(() => {
		if (isReplaced) search.set({ storeId: undefined }, { replace: true });
	}, [isReplaced, search]);
}

function RoleFilter() {
	const { can } = useOwn();
	const { roles, opening } = useChoices();
	const roleId = useSearch().integer('roleId');
	if (!roleId && !can('role:view') && !can('employee:manage')) return null;
	return <ChoiceFilter name="roleId" label="角色" options={roles} {...opening} />;
}

/** The filter by store. A link can lead to a store that it does not offer; a button then removes that choice. */
function StoreFilter({ people = [] }: { people: readonly Employee[] | undefined }) {
	const own = useOwn();
	const search = useSearch();
	const { stores, isLoading, opening } = useChoices();
	const storeId = search.integer('storeId');
	if (storeId !== undefined && !isLoading && !stores?.some(({ id }) => id === storeId)) {
		const name = people.find((each) => each.storeId === storeId)?.storeName;
		return <LinkedFilter names={['storeId']}>{name ? `“${name}”` : '一家门店'}</LinkedFilter>;
	}
	if (!seesSeveralStores(own) || !(own.can('store:view') || own.can('employee:manage'))) return null;
	return <ChoiceFilter name="storeId" label="门店" options={stores} {...opening} />;
}

/** The options of the filters. They are loaded only when a filter opens or the address has a choice. */
function useChoices() {
	const search = useSearch();
	const client = useQueryClient();
	const [wasOpened, setOpened] = useState(false);
	const [storeId, roleId] = [search.integer('storeId'), search.integer('roleId')];
	const visible = visibleChoices(useOwn(), { stores: storeId, roles: roleId });
	const isNeeded = wasOpened || (storeId ?? roleId) !== undefined;
	const { data, isLoading, isFetching } = useQuery({ ...visible, enabled: isNeeded });
	function onOpen() {
		setOpened(true);
		void client.prefetchQuery(visible);
	}
	return { stores: data?.stores, roles: data?.roles, isLoading, opening: { loading: isFetching, onOpen } };
}

/** The buttons for hiring; in a disabled store, the reason why nobody can be hired into it. */
export function HiringButtons({ store }: Pick<Props, 'store'>) {
	const [, navigate] = useLocation();
	const { can } = useOwn();
	const isDisabled = useSteady(store?.status === 'INACTIVE');
	if (!can('employee:manage')) return null;
	if (isDisabled) return <span className="absent">门店已禁用，不能新增员工</span>;
	return (
		<>
			{!store && <Button onClick={() => navigate('/employees/import')}>导入</Button>}
			<AddButton form={<EmployeeForm store={store} />}>新增员工</AddButton>
		</>
	);
}
