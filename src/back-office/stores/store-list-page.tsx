import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useLocation } from 'wouter';
import type { Store } from '../../features/stores/model.ts';
import { statusLabels } from '../../platform/vocabulary/status.ts';
import { useOwn } from '../account/own.ts';
import { ListHead } from '../employees/list-head.tsx';
import { AddButton, FormButton } from '../forms/opening.tsx';
import { ChoiceFilter, labelOptions } from '../page/filters.tsx';
import { type Column, Listing, RowLink } from '../page/listing.tsx';
import { useSearch } from '../page/search.ts';
import { Clipped, numberOf, Phone, statusTag } from '../page/texts.tsx';
import { AreasDrawer } from './areas.tsx';
import { StoreForm } from './store-form.tsx';
import { areas, storeFilter, storePage, useStoreActivity } from './store-queries.ts';

/** All stores. */
export function StoreListPage() {
	const { can } = useOwn();
	const search = useSearch();
	const query = useQuery(storePage(search));
	const activity = useStoreActivity(query.data?.items);
	const { data: known = [], isPending } = useQuery(areas);
	return (
		<>
			<ListHead
				search="搜索名称、地址或电话"
				title="门店"
				pagination={query.data?.pagination}
				path="stores/export"
				query={storeFilter(search)}
				actions={can('store:manage') && <ManagingButtons />}
			>
				{(known.length > 0 || search.get('areaId')) && (
					<ChoiceFilter name="areaId" label="区域" options={known} loading={isPending} />
				)}
				<ChoiceFilter name="status" label="状态" options={labelOptions(statusLabels)} />
			</ListHead>
			<Listing
				label="门店"
				query={query}
				columns={storeColumns(activity, known.length > 0)}
				search={search}
				empty="还没有门店"
			/>
		</>
	);
}

function ManagingButtons() {
	const [, navigate] = useLocation();
	return (
		<>
			<FormButton form={<AreasDrawer />}>区域</FormButton>
			<Button onClick={() => navigate('/stores/import')}>导入</Button>
			<AddButton form={<StoreForm />}>新增门店</AddButton>
		</>
	);
}

function storeColumns(activity: ReturnType<typeof useStoreActivity>, hasAreas: boolean): Column<Store>[] {
	return [
		{
			title: '门店名称',
			render: ({ id, name, status }) => (
				<span className="named">
					<RowLink href={`/stores/${id}`}>{name}</RowLink>
					{statusTag(status)}
				</span>
			),
		},
		{
			title: '员工',
			render: ({ id }) => activity?.has(id) && `${numberOf(activity.get(id)?.employees ?? 0)} 人`,
			width: 90,
		},
		{ title: '负责人', render: ({ id }) => activity?.get(id)?.leads },
		...(hasAreas
			? [{ title: '区域', render: ({ area }: Store) => area && <Clipped>{area.name}</Clipped>, width: 120 }]
			: []),
		{ title: '地址', render: ({ address }) => address && <Clipped>{address}</Clipped> },
		{ title: '电话', render: ({ phone }) => phone && <Phone of={phone} />, width: 160 },
	];
}
