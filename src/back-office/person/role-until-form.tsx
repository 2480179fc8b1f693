import { useQuery } from '@tanstack/react-query';
import { Form, Select } from 'antd';
import type { Employee, GiveRole } from '../../employees/model.ts';
import { assignableChoices, giveRole } from '../employees/employee-queries.ts';
import type { Opened } from '../forms/form-button.tsx';
import { FormDrawer } from '../forms/form-drawer.tsx';
import { useSubmit } from '../forms/submit.ts';
import { today } from '../page/day.ts';
import { DayField } from '../page/day-field.tsx';

/** Gives a role until a day. */
export function RoleUntilForm({ employee, open, onClose }: Opened & { employee: Employee }) {
	const [form] = Form.useForm<GiveRole>();
	const { data, isPending } = useQuery({ ...assignableChoices, enabled: open });
	const submission = useSubmit(
		form,
		(values: GiveRole) => giveRole(employee.id, values),
		() => '限期角色已保存',
		onClose,
	);
	return (
		<FormDrawer
			title={`“${employee.name}”的限期角色`}
			form={form}
			submission={submission}
			initialValues={{}}
			open={open}
			onClose={onClose}
		>
			<Form.Item name="roleId" label="角色" rules={[{ required: true, message: '请选择角色' }]}>
				<Select
					showSearch={{ optionFilterProp: 'name' }}
					fieldNames={{ value: 'id', label: 'name' }}
					loading={isPending}
					options={data?.roles ?? []}
					placeholder="选择角色"
				/>
			</Form.Item>
			<Form.Item
				name="until"
				label="到期日"
				extra="当天结束后自动取消"
				rules={[{ required: true, message: '请选择日期' }]}
			>
				<DayField min={today()} allowClear={false} />
			</Form.Item>
		</FormDrawer>
	);
}
