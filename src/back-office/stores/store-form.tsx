import { useQuery } from '@tanstack/react-query';
import { Form, Input } from 'antd';
import { useLocation } from 'wouter';
import type { CreateStore, Store } from '../../features/stores/model.ts';
import { isStoreScoped } from '../../platform/vocabulary/permissions.ts';
import { useOwn } from '../account/own.ts';
import type { Versioned } from '../api/client.ts';
import { useEditing } from '../forms/editing.tsx';
import { FormDrawer, typed } from '../forms/form-drawer.tsx';
import { ChoiceSelect } from '../page/name-search.tsx';
import { areas, oneStore } from './store-queries.ts';

const labels = { name: '门店名称', address: '地址', phone: '电话', areaId: '区域', status: '状态' };

/** Edits a store, or creates one. */
export function StoreForm({ store }: { store?: Versioned<Store> }) {
	const [, navigate] = useLocation();
	const { permissions } = useOwn();
	const { data: choices = [] } = useQuery(areas);
	const editing = useEditing<Store, CreateStore>({
		onDone: store ? undefined : ({ id }) => navigate(`/stores/${id}`),
		thing: store,
		valuesOf({ name, address, phone, area }) {
			return { name, address, phone, areaId: area?.id ?? null } satisfies Omit<Required<CreateStore>, 'status'>;
		},
		...oneStore,
		async change(store, changes) {
			const saved = await oneStore.change(store, changes);
			// The answer lacks the area.
			return 'areaId' in changes ? { ...saved, area: choices.find(({ id }) => id === changes.areaId) ?? null } : saved;
		},
		labels,
		show: (name, value) => (name === 'areaId' ? choices.find(({ id }) => id === value)?.name : undefined),
		said: { created: '门店已新增', saved: '门店已保存' },
	});
	return (
		<FormDrawer title={store ? '编辑门店' : '新增门店'} {...editing}>
			<Form.Item name="name" label={labels.name} rules={typed}>
				<Input />
			</Form.Item>
			<Form.Item name="address" label={labels.address}>
				<Input placeholder="选填" />
			</Form.Item>
			<Form.Item name="phone" label={labels.phone}>
				<Input type="tel" placeholder="选填" />
			</Form.Item>
			{choices.length > 0 && !(store && isStoreScoped(permissions)) && (
				<Form.Item name="areaId" label={labels.areaId}>
					<ChoiceSelect allowClear options={choices} placeholder="选填" />
				</Form.Item>
			)}
		</FormDrawer>
	);
}
