import { useQuery } from '@tanstack/react-query';
import { Form, Select } from 'antd';
import type { Employee } from '../../employees/model.ts';
import type { Opened } from '../forms/form-button.tsx';
import { FormDrawer } from '../forms/form-drawer.tsx';
import { useSubmit } from '../forms/submit.ts';
import { assignableChoices, restoreEmployee } from './employee-queries.ts';

interface Props extends Opened {
	employee: Employee;
	onDone(employee: Employee): void;
}

/** Brings a deleted person back, to their store or to another one. */
export function RestoreForm({ employee, open, onClose, onDone }: Props) {
	const [form] = Form.useForm<{ storeId?: number }>();
	const { data, isPending } = useQuery({ ...assignableChoices, enabled: open });
	const stores = data?.stores ?? [];
	const isThere = stores.some(({ id }) => id === employee.storeId);
	const submission = useSubmit(
		form,
		({ storeId }: { storeId?: number }) => restoreEmployee(employee.id, storeId),
		({ name }) => `“${name}”已返岗`,
		(back) => {
			onClose();
			onDone(back);
		},
	);
	if (open && isPending) return null;
	return (
		<FormDrawer
			title={`“${employee.name}”返岗`}
			form={form}
			submission={submission}
			initialValues={isThere ? { storeId: employee.storeId } : {}}
			submitText="返岗"
			open={open}
			onClose={onClose}
		>
			<Form.Item
				name="storeId"
				label="门店"
				rules={[{ required: true, message: '请选择门店' }]}
				{...(!isThere && { extra: `原门店“${employee.storeName}”已删除或已禁用` })}
			>
				<Select
					showSearch={{ optionFilterProp: 'name' }}
					fieldNames={{ value: 'id', label: 'name' }}
					options={stores}
					placeholder="选择门店"
				/>
			</Form.Item>
			<p>账号将重新启用，原来的密码、操作记录和仍然存在的角色一并恢复。</p>
		</FormDrawer>
	);
}
