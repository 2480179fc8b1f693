import { useQuery } from '@tanstack/react-query';
import { Form } from 'antd';
import { useOwn } from '../account/own.ts';
import { EmployeeList } from '../employees/employee-list.tsx';
import { assignableChoices, type Choice, type Chosen, changeEmployees } from '../employees/employee-queries.ts';
import { PersonSelect } from '../employees/person-select.tsx';
import { UndoButton, useNotify } from '../employees/undo-button.tsx';
import { FormDrawer, required } from '../forms/form-drawer.tsx';
import { AddButton } from '../forms/opening.tsx';
import { useSubmit } from '../forms/submit.ts';
import { useSteady } from '../page/open-form.ts';
import { people } from '../page/texts.tsx';

/** The holders of a role that the account may see. An account cannot assign a role with more rights than its own. */
export function RolePeople({ role }: { role: Choice }) {
	const manages = useOwn().can('employee:manage');
	const { data } = useQuery({ ...assignableChoices, enabled: manages });
	const isGivable = useSteady(data?.roles.some(({ id }) => id === role.id));
	return (
		<EmployeeList role={role}>
			{isGivable && (
				<AddButton type="default" form={<AddPeopleForm role={role} />}>
					添加员工
				</AddButton>
			)}
		</EmployeeList>
	);
}

/** Assigns a role to employees. */
function AddPeopleForm({ role }: { role: Choice }) {
	const notify = useNotify();
	const add = ({ ids }: Record<'ids', Chosen[]>) => {
		const chosen = ids.map(({ value }) => value);
		return changeEmployees(chosen, { addRoleIds: [role.id] });
	};
	const submission = useSubmit(add, {
		onDone: ({ changed, groupId }) =>
			notify(`${people(changed)}已添加角色`, groupId && <UndoButton groupId={groupId} count={changed} />),
	});
	return (
		<FormDrawer isSmall title={`添加员工到角色“${role.name}”`} submission={submission} submitText="添加">
			<Form.Item name="ids" label="员工" rules={required('请选择员工')}>
				<PersonSelect
					mode="multiple"
					obstacleTo={({ roles }) => (roles.some(({ id }) => id === role.id) ? '已有该角色' : undefined)}
				/>
			</Form.Item>
		</FormDrawer>
	);
}
