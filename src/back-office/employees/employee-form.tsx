import { useQuery } from '@tanstack/react-query';
import { Form, Input, Radio, Select } from 'antd';
import type { CreateEmployee, Employee } from '../../employees/model.ts';
import type { Opened } from '../forms/form-button.tsx';
import { FormDrawer } from '../forms/form-drawer.tsx';
import { useSubmit } from '../forms/submit.ts';
import { statusOptions } from '../page/filters.tsx';
import { assignableChoices, type Choice, saveEmployee } from './employee-queries.ts';

interface Props extends Opened {
	/** The employee to edit; a new one without it. */
	employee?: Employee;
	/** The store that a new one begins with. */
	store?: Choice | undefined;
	onDone?(employee: Employee): void;
}

/** Creates or edits an employee. */
export function EmployeeForm({ employee, store, open, onClose, onDone }: Props) {
	const [form] = Form.useForm<CreateEmployee>();
	const submission = useSubmit<CreateEmployee, Employee>(
		form,
		(values) => saveEmployee(employee?.id, values),
		() => (employee ? '员工已保存' : '员工已新增，初始密码请向系统管理员索取'),
		(saved) => {
			onClose();
			onDone?.(saved);
		},
	);
	return (
		<FormDrawer
			title={employee ? '编辑员工' : '新增员工'}
			form={form}
			submission={submission}
			initialValues={
				employee ? valuesOf(employee) : { status: 'ACTIVE', roleIds: [], ...(store && { storeId: store.id }) }
			}
			open={open}
			onClose={onClose}
		>
			<Form.Item name="name" label="姓名" rules={[{ required: true, whitespace: true, message: '请输入姓名' }]}>
				<Input autoComplete="off" />
			</Form.Item>
			<Form.Item
				name="phone"
				label="手机号"
				extra="也是登录用户名"
				rules={[{ required: true, whitespace: true, message: '请输入手机号' }]}
			>
				<Input type="tel" autoComplete="off" />
			</Form.Item>
			<ChoiceFields employee={employee} />
			{!employee && (
				<Form.Item name="status" label="状态">
					<Radio.Group options={statusOptions} />
				</Form.Item>
			)}
			<Form.Item name="remark" label="备注">
				<Input.TextArea rows={3} />
			</Form.Item>
		</FormDrawer>
	);
}

/** Exactly the stores and roles that the account may give, and those that the employee has already. */
function ChoiceFields({ employee }: { employee: Employee | undefined }) {
	const { data, isPending } = useQuery(assignableChoices);
	const stores = merge(data?.stores ?? [], employee ? [{ id: employee.storeId, name: employee.storeName }] : []);
	const roles = merge(data?.roles ?? [], employee?.roles ?? []);
	const searchable = { showSearch: { optionFilterProp: 'name' }, fieldNames: { value: 'id', label: 'name' } };
	return (
		<>
			<Form.Item name="storeId" label="门店" rules={[{ required: true, message: '请选择门店' }]}>
				<Select {...searchable} loading={isPending} options={stores} placeholder="选择门店" />
			</Form.Item>
			<Form.Item name="roleIds" label="角色">
				<Select {...searchable} mode="multiple" loading={isPending} options={roles} placeholder="选择角色" />
			</Form.Item>
		</>
	);
}

function merge<Choice extends { id: number }>(offered: readonly Choice[], present: readonly Choice[]): Choice[] {
	const known = new Set(offered.map(({ id }) => id));
	return [...offered, ...present.filter(({ id }) => !known.has(id))];
}

function valuesOf({ name, phone, storeId, remark, roles }: Employee): CreateEmployee {
	return { name, phone, storeId, remark, roleIds: roles.map(({ id }) => id) };
}
