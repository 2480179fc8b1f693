import { useQuery } from '@tanstack/react-query';
import { Form, Input } from 'antd';
import { useLocation } from 'wouter';
import type { CreateEmployee, Employee, EmployeeOptions } from '../../features/employees/model.ts';
import { phoneAdvice, readPhone } from '../../platform/vocabulary/phone.ts';
import { given, type Versioned } from '../api/client.ts';
import { useEditing } from '../forms/editing.tsx';
import { FormDrawer, required, typed } from '../forms/form-drawer.tsx';
import { useOpenAbove } from '../forms/opening.tsx';
import { More } from '../page/facts.tsx';
import { AssignableSelect } from './assignable-select.tsx';
import { assignableChoices, type Choice, oneEmployee } from './employee-queries.ts';
import { useKnownNumber } from './known-number.tsx';
import { useLeadQuestion } from './lead-question.tsx';
import { RestoreForm } from './restore-form.tsx';
import { useFirstPassword } from './slips.tsx';

interface Props {
	/** The employee to edit; absent for a new one. */
	employee?: Versioned<Employee>;
	/** The initial store of a new employee. */
	store?: Choice | undefined;
}

/** The labels of an employee's fields. */
const labels = {
	name: '姓名',
	phone: '手机号',
	storeId: '门店',
	roleIds: '角色',
	status: '状态',
	remark: '备注',
	externalId: '工号',
};

/** Creates an employee with a one-time password, or edits one. */
export function EmployeeForm({ employee, store }: Props) {
	const [, navigate] = useLocation();
	const openAbove = useOpenAbove();
	const givePassword = useFirstPassword();
	const { data } = useQuery(assignableChoices);
	const present = presentOf(employee, store);
	// There is nothing to choose if the account may hire into one store only.
	const [onlyStore] = data?.stores.length === 1 && !employee ? data.stores : [];
	const editing = useEditing<Employee, CreateEmployee>({
		onDone({ id }) {
			if (employee) return;
			givePassword(id, '员工已新增');
			navigate(`/employees/${id}`);
		},
		thing: employee,
		draft: { roleIds: [], ...(store && { storeId: store.id }) },
		valuesOf,
		stored: (values) => ({ ...values, phone: readPhone(values.phone) ?? values.phone }),
		...oneEmployee,
		async create(values) {
			await lead.save();
			return known.hire(onlyStore ? { ...values, storeId: onlyStore.id } : values);
		},
		labels,
		show(field, value) {
			const kind = ({ storeId: 'stores', roleIds: 'roles' } as const)[field];
			return kind && namesOf([...(data?.[kind] ?? []), ...present[kind]], value);
		},
		said: { created: '员工已新增', saved: '员工已保存' },
	});
	const known = useKnownNumber(editing.submission, !employee, openRestoration);
	const roleIds = Form.useWatch('roleIds', editing.submission.form) ?? [];
	const lead = useLeadQuestion(employee ? [] : roleIds);
	function openRestoration(former: Employee) {
		const { storeId, roleIds } = editing.submission.form.getFieldsValue();
		openAbove(<RestoreForm employee={former} wanted={given({ storeId, roleIds })} />);
	}
	return (
		<FormDrawer
			title={employee ? '编辑员工' : '新增员工'}
			{...editing}
			isBlocked={editing.isBlocked || known.isOpen || lead.isOpen}
		>
			<Form.Item name="name" label={labels.name} rules={typed}>
				<Input autoComplete="off" />
			</Form.Item>
			<Form.Item
				name="phone"
				label={labels.phone}
				extra="也是登录用户名"
				validateTrigger={['onChange', 'onBlur']}
				rules={[...typed, { validator: requirePhone, validateTrigger: 'onBlur' }]}
			>
				<Input type="tel" autoComplete="off" />
			</Form.Item>
			{known.notice}
			{onlyStore ? (
				<Form.Item label={labels.storeId}>{onlyStore.name}</Form.Item>
			) : (
				<Form.Item name="storeId" label={labels.storeId} rules={required('请选择门店')}>
					<AssignableSelect of="stores" present={present.stores} />
				</Form.Item>
			)}
			<Form.Item name="roleIds" label={labels.roleIds} extra="不选角色的员工没有任何权限">
				<AssignableSelect of="roles" present={present.roles} mode="multiple" placeholder="选填" />
			</Form.Item>
			{lead.question}
			<More isOpen={employee !== undefined}>
				<Form.Item name="remark" label={labels.remark}>
					<Input.TextArea rows={3} placeholder="选填" />
				</Form.Item>
				<Form.Item name="externalId" label={labels.externalId} extra="其他系统（如工资系统）中的编号">
					<Input autoComplete="off" placeholder="选填" />
				</Form.Item>
			</More>
		</FormDrawer>
	);
}

/** Validates the phone when the person leaves the field. */
async function requirePhone(_: unknown, text = ''): Promise<void> {
	if (text.trim() !== '' && !readPhone(text)) throw new Error(phoneAdvice);
}

/** The present store and roles of an employee; of a new one, the initial store. */
function presentOf(employee: Employee | undefined, store: Choice | undefined): EmployeeOptions {
	if (!employee) return { stores: store ? [store] : [], roles: [] };
	return { stores: [{ id: employee.storeId, name: employee.storeName }], roles: employee.roles };
}

function namesOf(known: readonly Choice[], value: unknown): string {
	return [value]
		.flat()
		.map((id) => known.find((each) => each.id === id)?.name ?? id)
		.join('、');
}

function valuesOf({ name, phone, storeId, remark, externalId = null, roles }: Employee): CreateEmployee {
	const roleIds = roles.map(({ id }) => id);
	return { name, phone, storeId, remark, externalId, roleIds } satisfies Omit<Required<CreateEmployee>, 'status'>;
}
