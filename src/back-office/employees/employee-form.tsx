import { useQuery, useQueryClient } from '@tanstack/react-query';
import { App, Button, Form, Input, Radio } from 'antd';
import { useEffect, useRef, useState } from 'react';
import type { CreateEmployee, Employee } from '../../features/employees/model.ts';
import { readPhone } from '../../platform/vocabulary/phone.ts';
import { employeeStatuses } from '../../platform/vocabulary/status.ts';
import type { Versioned } from '../api/client.ts';
import { Refusal } from '../api/refusal.ts';
import { useEditing } from '../forms/editing.tsx';
import { FormDrawer, required, typed } from '../forms/form-drawer.tsx';
import { statusOptions } from '../page/filters.tsx';
import { ChoiceSelect } from '../page/name-search.tsx';
import { ChoicesAlert } from './choices-alert.tsx';
import { assignableChoices, type Choice, type Choices, issuePasswords, oneEmployee } from './employee-queries.ts';
import { FormerAlert, HolderAlert, peopleOfNumber, useKnownNumber } from './known-number.tsx';
import { useLeadQuestion } from './lead-question.tsx';
import { RestoreForm } from './restore-form.tsx';
import { useShowSlips } from './slips.tsx';

interface Props {
	/** The employee to edit; a new one without it. */
	employee?: Versioned<Employee>;
	/** The store that a new one begins with. */
	store?: Choice | undefined;
	onDone?(employee: Employee): void;
}

/** The labels of an employee's fields. */
export const labels = {
	name: '姓名',
	phone: '手机号',
	storeId: '门店',
	roleIds: '角色',
	status: '状态',
	remark: '备注',
	externalId: '工号',
};

/** Creates an employee, with a one-time password, or edits one. */
export function EmployeeForm({ employee, store, onDone }: Props) {
	const { message } = App.useApp();
	const showSlips = useShowSlips();
	const client = useQueryClient();
	/** The deleted employee to restore instead. */
	const [returning, setReturning] = useState<Employee>();
	/** The employees hired since the form was opened. */
	const hired = useRef<Employee[]>([]);
	const { data, isPending } = useQuery(assignableChoices);
	const choices = withPresent(data, employee);
	// An account that may hire into one store only has nothing to choose.
	const onlyStore = data && choices.stores.length === 1 ? choices.stores[0] : undefined;
	const editing = useEditing<Employee, CreateEmployee>({
		onDone(person, stays) {
			if (!employee) hired.current.push(person);
			lead.save();
			if (!stays) onDone?.(person);
		},
		keep: ['storeId', 'roleIds', 'status'],
		thing: employee,
		draft: { status: 'ACTIVE', roleIds: [], ...(store && { storeId: store.id }) },
		valuesOf,
		stored: (values) => ({ ...values, phone: readPhone(values.phone) ?? values.phone }),
		...oneEmployee,
		async create(values) {
			await refuseUndecided(values.phone);
			return oneEmployee.create(onlyStore ? { ...values, storeId: onlyStore.id } : values);
		},
		labels,
		show: (name, value) => namesOf(choices, name, value),
		said: { created: '员工已新增', saved: '员工已保存' },
	});
	const { form } = editing.submission;
	const known = useKnownNumber(form, !employee);
	const lead = useLeadQuestion(form, !employee);
	/** A form can be sent before it is known whose the number was. @throws Refusal */
	async function refuseUndecided(phone: string): Promise<void> {
		const { former } = await client.fetchQuery(peopleOfNumber(phone));
		if (!former || (former.id === known.former?.id && !known.isOpen)) return;
		const message = `原员工“${former.name}”用过这个手机号，请选择`;
		throw new Refusal(409, { message, details: [{ path: 'body.phone', reason: 'not_unique', message }] });
	}
	// Their slips come together once the form is closed, in whichever way: none is shown behind a form.
	useEffect(() => {
		const people = hired.current;
		return () => {
			const ids = people.splice(0).map(({ id }) => id);
			if (ids.length === 0) return;
			issuePasswords(ids).then(
				({ items }) => showSlips(items),
				() => void message.warning('员工已新增，但没有生成一次性密码。请在员工页面点“重置密码”。', 0),
			);
		};
	}, [showSlips, message]);
	if (returning) {
		const { storeId, roleIds } = form.getFieldsValue();
		return <RestoreForm employee={returning} wanted={{ ...(storeId && { storeId }), ...(roleIds && { roleIds }) }} />;
	}
	const isBlocked = editing.submission.isBlocked === true || known.isOpen || lead.isOpen;
	const submission = { ...editing.submission, isBlocked };
	return (
		<FormDrawer
			title={employee ? '编辑员工' : '新增员工'}
			submission={submission}
			initialValues={editing.initialValues}
		>
			<ChoicesAlert />
			<Form.Item name="name" label={labels.name} rules={typed('请输入姓名')}>
				<Input autoComplete="off" />
			</Form.Item>
			<Form.Item name="phone" label={labels.phone} extra="也是登录用户名" rules={typed('请输入手机号')}>
				<Input type="tel" autoComplete="off" />
			</Form.Item>
			{known.holder && <HolderAlert holder={known.holder} />}
			<FormerAlert known={known} onReturn={setReturning} />
			{onlyStore ? (
				<Form.Item label={labels.storeId}>{onlyStore.name}</Form.Item>
			) : (
				<Form.Item name="storeId" label={labels.storeId} rules={required('请选择门店')}>
					<ChoiceSelect loading={isPending} options={choices.stores} placeholder="选择门店" />
				</Form.Item>
			)}
			<Form.Item name="roleIds" label={labels.roleIds} extra="不选角色的员工没有任何权限">
				<ChoiceSelect mode="multiple" loading={isPending} options={choices.roles} placeholder="选填" />
			</Form.Item>
			{lead.question}
			<SeldomFields employee={employee} />
		</FormDrawer>
	);
}

/** The fields that are seldom asked, behind 更多 as far as they are empty. */
function SeldomFields({ employee }: { employee: Employee | undefined }) {
	const [isLong, setLong] = useState(false);
	return (
		<>
			{isLong && !employee && (
				<Form.Item name="status" label={labels.status}>
					<Radio.Group options={statusOptions(employeeStatuses)} />
				</Form.Item>
			)}
			{(employee || isLong) && (
				<Form.Item name="remark" label={labels.remark}>
					<Input.TextArea rows={3} placeholder="选填" />
				</Form.Item>
			)}
			{(isLong || employee?.externalId) && (
				<Form.Item name="externalId" label={labels.externalId} extra="其他系统（如工资系统）中的编号">
					<Input autoComplete="off" placeholder="选填" />
				</Form.Item>
			)}
			{!isLong && !employee?.externalId && (
				<Button type="link" className="more" onClick={() => setLong(true)}>
					更多
				</Button>
			)}
		</>
	);
}

/** Exactly the stores and roles that the account may give, and those that the employee has already. */
function withPresent(offered: Choices | undefined, employee: Employee | undefined): Choices {
	return {
		stores: merge(offered?.stores ?? [], employee ? [{ id: employee.storeId, name: employee.storeName }] : []),
		roles: merge(offered?.roles ?? [], employee?.roles ?? []),
	};
}

function merge<Choice extends { id: number }>(offered: readonly Choice[], present: readonly Choice[]): Choice[] {
	const known = new Set(offered.map(({ id }) => id));
	return [...offered, ...present.filter(({ id }) => !known.has(id))];
}

function namesOf({ stores, roles }: Choices, field: string, value: unknown): string | undefined {
	if (field === 'storeId') return stores.find(({ id }) => id === value)?.name;
	if (field !== 'roleIds' || !Array.isArray(value)) return undefined;
	return value.map((id) => roles.find((role) => role.id === id)?.name ?? id).join('、');
}

function valuesOf({ name, phone, storeId, remark, externalId = null, roles }: Employee): CreateEmployee {
	return { name, phone, storeId, remark, externalId, roleIds: roles.map(({ id }) => id) };
}
