import { useQuery } from '@tanstack/react-query';
import { Form } from 'antd';
import { useLocation } from 'wouter';
import type { Employee } from '../../features/employees/model.ts';
import { FormDrawer, required } from '../forms/form-drawer.tsx';
import { useSubmit } from '../forms/submit.ts';
import { ChoiceSelect } from '../page/name-search.tsx';
import { assignableChoices, restoreEmployee } from './employee-queries.ts';

/** Brings a deleted person back, to their store or to another one. */
export function RestoreForm({ employee }: { employee: Employee }) {
	const [, navigate] = useLocation();
	const { data, isPending } = useQuery(assignableChoices);
	const stores = data?.stores ?? [];
	const isThere = stores.some(({ id }) => id === employee.storeId);
	const submission = useSubmit(
		({ storeId }: { storeId?: number }) => restoreEmployee(employee.id, storeId),
		({ name }) => `“${name}”已返岗`,
		({ id }) => navigate(`/employees/${id}`),
	);
	if (isPending) return null;
	return (
		<FormDrawer
			title={`“${employee.name}”返岗`}
			submission={submission}
			initialValues={isThere ? { storeId: employee.storeId } : {}}
			submitText="返岗"
		>
			<Form.Item
				name="storeId"
				label="门店"
				rules={required('请选择门店')}
				{...(!isThere && { extra: `原门店“${employee.storeName}”已删除或已禁用` })}
			>
				<ChoiceSelect options={stores} placeholder="选择门店" />
			</Form.Item>
			<p>账号将重新启用，原来的密码、操作记录和仍然存在的角色一并恢复。</p>
		</FormDrawer>
	);
}
