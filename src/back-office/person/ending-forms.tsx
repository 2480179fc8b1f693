/** Forms for a last day: of an employee's work, or of one of their roles. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Form } from 'antd';
import type { Employee, GiveRole } from '../../features/employees/model.ts';
import { answer, api, ifMatch, type Versioned } from '../api/client.ts';
import { AssignableSelect } from '../employees/assignable-select.tsx';
import { oneEmployee } from '../employees/employee-queries.ts';
import { useEditing } from '../forms/editing.tsx';
import { FormDrawer, required } from '../forms/form-drawer.tsx';
import { useSubmit } from '../forms/submit.ts';
import { today } from '../page/day.ts';
import { DayField } from '../page/day-field.tsx';

const labels = { leavesOn: '最后工作日' };

/** Sets the last day of an employee, or moves it. */
export function LeaveForm({ employee }: { employee: Versioned<Employee> }) {
	const editing = useEditing<Employee, Pick<Employee, 'leavesOn'>>({
		thing: employee,
		valuesOf: ({ leavesOn = null }) => ({ leavesOn }),
		...oneEmployee,
		create: () => Promise.resolve(employee),
		labels,
		said: { created: '', saved: '最后工作日已保存' },
	});
	return (
		<FormDrawer
			isSmall
			title={`“${employee.name}”离职`}
			{...editing}
			initialValues={{ leavesOn: employee.leavesOn ?? today() }}
		>
			<Form.Item name="leavesOn" label={labels.leavesOn} rules={required('请选择日期')}>
				<DayField min={today()} allowClear={false} />
			</Form.Item>
			<p>当天结束后账号自动禁用，资料和操作记录保留，以后可以重新启用。要立即禁止登录，请用“禁用”。</p>
		</FormDrawer>
	);
}

/** The last day of a role that an employee has; null without one, undefined if they do not have the role. */
export function roleEnd({ roles, roleEnds = [] }: Employee, id: number): string | null | undefined {
	if (!roles.some((role) => role.id === id)) return undefined;
	return roleEnds.find(({ roleId }) => roleId === id)?.until ?? null;
}

/** Assigns a role until a day. */
export function RoleUntilForm({ employee: opened }: { employee: Versioned<Employee> }) {
	const client = useQueryClient();
	const present = oneEmployee.byId(`${opened.id}`);
	// After a refusal because of a colleague, the form shows the present roles and can be sent again.
	const { data: employee = opened } = useQuery(present);
	const submission = useSubmit(
		async ({ roleId, until }: GiveRole) => {
			const latest = await client.fetchQuery({ ...present, staleTime: 0 });
			// Only a colleague's change to the same role is a reason to ask again.
			const isSame = roleEnd(latest, roleId) === roleEnd(employee, roleId);
			const { id, version } = isSame ? latest : employee;
			return answer(api.employees({ id }).roles.post({ roleId, until: until || null }, ifMatch(version)));
		},
		{ success: '限期角色已保存' },
	);
	const roleId = Form.useWatch('roleId', submission.form);
	const held = employee.roles.find(({ id }) => id === roleId);
	const until = held && roleEnd(employee, held.id);
	const now = held && `“${held.name}”现在${until ? `到 ${until} 为止，留空则` : ''}长期有效。`;
	return (
		<FormDrawer isSmall title={`“${employee.name}”的限期角色`} submission={submission} targetType="EMPLOYEE">
			<Form.Item name="roleId" label="角色" rules={required('请选择角色')}>
				<AssignableSelect of="roles" />
			</Form.Item>
			<Form.Item
				name="until"
				label="到期日"
				extra={`${now ?? ''}当天结束后自动移除`}
				rules={until ? [] : required('请选择日期')}
			>
				<DayField min={today()} />
			</Form.Item>
		</FormDrawer>
	);
}
