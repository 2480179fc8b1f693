import { useQuery } from '@tanstack/react-query';
import { Form } from 'antd';
import type { Employee, GiveRole } from '../../employees/model.ts';
import { assignableChoices, giveRole } from '../employees/employee-queries.ts';
import { FormDrawer } from '../forms/form-drawer.tsx';
import { required } from '../forms/required.ts';
import { useSubmit } from '../forms/submit.ts';
import { ChoiceSelect } from '../page/choice-select.tsx';
import { today } from '../page/day.ts';
import { DayField } from '../page/day-field.tsx';

/** Gives a role until a day. */
export function RoleUntilForm({ employee }: { employee: Employee }) {
	const { data, isPending } = useQuery(assignableChoices);
	const submission = useSubmit(
		(values: GiveRole) => giveRole(employee.id, values),
		() => '限期角色已保存',
	);
	return (
		<FormDrawer title={`“${employee.name}”的限期角色`} submission={submission}>
			<Form.Item name="roleId" label="角色" rules={required('请选择角色')}>
				<ChoiceSelect loading={isPending} options={data?.roles ?? []} placeholder="选择角色" />
			</Form.Item>
			<Form.Item name="until" label="到期日" extra="当天结束后自动取消" rules={required('请选择日期')}>
				<DayField min={today()} allowClear={false} />
			</Form.Item>
		</FormDrawer>
	);
}
