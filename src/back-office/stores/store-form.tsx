import { Form, Input, Radio } from 'antd';
import type { CreateStore, Store } from '../../stores/model.ts';
import type { Opened } from '../forms/form-button.tsx';
import { FormDrawer } from '../forms/form-drawer.tsx';
import { useSubmit } from '../forms/submit.ts';
import { statusOptions } from '../page/filters.tsx';
import { saveStore } from './store-queries.ts';

interface Props extends Opened {
	/** The store to edit; a new one without it. */
	store?: Store;
	onDone?(store: Store): void;
}

/** Creates or edits a store. */
export function StoreForm({ store, open, onClose, onDone }: Props) {
	const [form] = Form.useForm<CreateStore>();
	const submission = useSubmit<CreateStore, Store>(
		form,
		(values) => saveStore(store?.id, values),
		() => (store ? '门店已保存' : '门店已新增'),
		(saved) => {
			onClose();
			onDone?.(saved);
		},
	);
	const initialValues = store
		? { name: store.name, address: store.address, phone: store.phone }
		: { status: 'ACTIVE' as const };
	return (
		<FormDrawer
			title={store ? '编辑门店' : '新增门店'}
			form={form}
			submission={submission}
			initialValues={initialValues}
			open={open}
			onClose={onClose}
		>
			<Form.Item name="name" label="门店名称" rules={[{ required: true, whitespace: true, message: '请输入门店名称' }]}>
				<Input />
			</Form.Item>
			<Form.Item name="address" label="地址">
				<Input />
			</Form.Item>
			<Form.Item name="phone" label="电话">
				<Input type="tel" />
			</Form.Item>
			{!store && (
				<Form.Item name="status" label="状态">
					<Radio.Group options={statusOptions} />
				</Form.Item>
			)}
		</FormDrawer>
	);
}
