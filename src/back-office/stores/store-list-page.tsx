import { PlusOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useLocation } from 'wouter';
import type { Store } from '../../stores/model.ts';
import { statusLabels } from '../../vocabulary/status.ts';
import { useOwn } from '../account/own.ts';
import { ExportButton } from '../employees/export-button.tsx';
import { FormButton } from '../forms/form-button.tsx';
import { FilterBar, FirstOne, KeywordFilter, StatusFilter } from '../page/filters.tsx';
import { type Column, Listing, RowLink } from '../page/listing.tsx';
import { useSearch } from '../page/search.ts';
import { Optional, Phone, statusTag, Time } from '../page/texts.tsx';
import { StoreForm } from './store-form.tsx';
import { storeFilter, storePage } from './store-queries.ts';

const columns: Column<Store>[] = [
	{ title: '门店名称', render: ({ id, name }) => <RowLink href={`/stores/${id}`}>{name}</RowLink> },
	{ title: '状态', render: ({ status }) => statusTag(status), width: 90 },
	{ title: '地址', render: ({ address }) => <Optional text={address} /> },
	{ title: '电话', render: ({ phone }) => <Phone of={phone} />, width: 160 },
	{ title: '创建时间', render: ({ createdAt }) => <Time at={createdAt} />, width: 180, isForWide: true },
];

/** All stores. */
export function StoreListPage() {
	const { can } = useOwn();
	const search = useSearch();
	const [, navigate] = useLocation();
	const query = useQuery(storePage(search));
	const filter = storeFilter(search);
	return (
		<>
			<FilterBar
				title="门店管理"
				count={query.data?.pagination.total}
				actions={
					<>
						<ExportButton
							path="stores/export"
							title="门店"
							query={filter}
							words={[filter.status && statusLabels[filter.status], filter.keyword]}
						/>
						{can('store:manage') && (
							<>
								<Button onClick={() => navigate('/stores/import')}>导入</Button>
								<FormButton
									opensFor="new-store"
									type="primary"
									icon={<PlusOutlined aria-hidden />}
									form={<StoreForm onDone={({ id }) => navigate(`/stores/${id}`)} />}
								>
									新增门店
								</FormButton>
							</>
						)}
					</>
				}
			>
				<KeywordFilter search={search} label="搜索名称、地址或电话" />
				<StatusFilter search={search} />
			</FilterBar>
			<Listing
				label="门店"
				query={query}
				columns={columns}
				rowKey={({ id }) => id}
				search={search}
				isFiltered={Object.keys(filter).length > 0}
				empty="还没有门店"
				next={can('store:manage') && <FirstOne opens="new-store">新增第一家门店</FirstOne>}
			/>
		</>
	);
}
