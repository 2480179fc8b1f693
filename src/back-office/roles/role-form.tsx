import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Form, type FormInstance, Input } from 'antd';
import { useEffect, useRef } from 'react';
import type { CreateRole } from '../../features/roles/model.ts';
import { canSeeEmployees, useOwn } from '../account/own.ts';
import { assignableChoices } from '../employees/employee-queries.ts';
import { changeHolder, useHolderCount } from '../employees/holders.ts';
import { useEditing } from '../forms/editing.tsx';
import { FormDrawer, typed } from '../forms/form-drawer.tsx';
import { ChoiceSelect } from '../page/name-search.tsx';
import { useSettled } from '../page/settled.ts';
import { numberOf } from '../page/texts.tsx';
import { heldBy, policies, policyOf } from '../permissions/permission-queries.ts';
import { type Choice, Difference, NoMenu, PointBoxes, useChoice } from '../permissions/points.tsx';
import { savePolicy } from '../permissions/policy-saving.ts';
import { HolderFields, useHolderChanges } from './holder-fields.tsx';
import { Losses } from './losses.tsx';
import { type EditedRole, oneRole, proposedCode } from './role-queries.ts';

/** The parts of a role, or of a new one, that the account may change. */
export function useRoleRights(role: EditedRole | undefined) {
	const own = useOwn();
	const manages = own.can('employee:manage') && own.can('role:view') && canSeeEmployees(own);
	const { data: assignable } = useQuery({ ...assignableChoices, enabled: manages });
	const mayAssign = role === undefined || assignable?.roles.some(({ id }) => id === role.id) === true;
	const rights = {
		/** Name, code and description. */
		isRenamed: own.can('role:manage') && !role?.isSystem,
		/** Whether its permissions may be changed. */
		isGranted: own.can('permission:manage'),
		/** Whether its holders may be changed: nobody gives a role that may do more than they. */
		isAssigned: manages && mayAssign,
	};
	return { ...rights, isAny: Object.values(rights).includes(true) };
}

interface Props {
	/** The role to edit; a new one without it. */
	role?: EditedRole;
	onDone?(role: EditedRole): void;
}

const labels = { name: '角色名称', code: '编码', description: '说明' };

/** Creates or edits a role: its name, what it may do, and who holds it. */
export function RoleForm({ role, onDone }: Props) {
	const client = useQueryClient();
	const { isRenamed, isGranted, isAssigned } = useRoleRights(role);
	const { data: policy } = useQuery({ ...policyOf(`${role?.id}`), enabled: isGranted && role !== undefined });
	const choice = useChoice(role && policy);
	const holders = useHolderChanges();
	const count = useHolderCount(role && `${role.id}`);
	// The created role stays if a later step is refused.
	const made = useRef<EditedRole>(undefined);

	async function create({ code, ...values }: CreateRole): Promise<EditedRole> {
		const wanted = { ...values, code: code?.trim() || made.current?.code || newCode() };
		made.current = await (made.current ? oneRole.change(made.current, wanted) : oneRole.create(wanted));
		return made.current;
	}

	async function saveMore({ id }: EditedRole): Promise<readonly string[] | undefined> {
		if (!choice.isChanged && holders.changes.length === 0) return undefined;
		const seen = policy ?? (choice.isChanged && (await client.fetchQuery({ ...policyOf(`${id}`), staleTime: 0 })));
		const others = seen && choice.isChanged ? await savePolicy(client, seen, choice.toggles) : [];
		for (const change of holders.changes) await changeHolder(id, change);
		return others;
	}

	const { submission, initialValues } = useEditing<EditedRole, CreateRole>({
		onDone,
		thing: role,
		draft: {},
		valuesOf: ({ name, code, description }) => ({ name, code, description }),
		...oneRole,
		create,
		saveMore,
		labels,
		said: { created: '角色已新增', saved: '角色已保存' },
	});
	return (
		<FormDrawer
			isPage
			title={role ? `编辑角色：${role.name}${count === undefined ? '' : `（${numberOf(count)} 人）`}` : '新增角色'}
			submission={submission}
			initialValues={initialValues}
			hasMore={choice.isChanged || holders.changes.length > 0}
		>
			{isRenamed && <NameFields form={submission.form} isNew={!role} />}
			{isGranted && (
				<>
					<h2>权限</h2>
					<CopyFrom choice={choice} except={role?.id} />
					<PointBoxes {...choice} />
					<NoMenu permissions={choice.resulting} />
					{role && <Difference choice={choice} holders={count} />}
					{role && <Losses role={role} choice={choice} />}
				</>
			)}
			{isAssigned && (
				<>
					<h2>员工{count !== undefined && `（${numberOf(count)}）`}</h2>
					<HolderFields roleId={role && `${role.id}`} holders={holders} />
				</>
			)}
		</FormDrawer>
	);
}

/** Proposes a code while nobody has typed one. */
function useProposedCode(form: FormInstance<CreateRole>, isWanted: boolean): void {
	const name = useSettled((Form.useWatch('name', form) ?? '').trim());
	const { data } = useQuery({ ...proposedCode(name), enabled: isWanted && name !== '' });
	useEffect(() => {
		if (isWanted && data && !form.isFieldTouched('code')) form.setFieldValue('code', data);
	}, [isWanted, data, form]);
}

interface NameProps {
	form: FormInstance<CreateRole>;
	isNew: boolean;
}

function NameFields({ form, isNew }: NameProps) {
	useProposedCode(form, isNew);
	return (
		<>
			<Form.Item name="name" label={labels.name} rules={typed('请输入角色名称')}>
				<Input />
			</Form.Item>
			<Form.Item
				name="code"
				label={labels.code}
				hidden={isNew && form.getFieldError('code').length === 0}
				extra="供其他系统识别的英文名称，例如 shift_leader"
				rules={isNew ? [] : typed('请输入编码')}
			>
				<Input autoCapitalize="none" spellCheck={false} placeholder={isNew ? '选填，不填则自动生成' : ''} />
			</Form.Item>
			<Form.Item name="description" label={labels.description}>
				<Input.TextArea rows={2} placeholder="选填" />
			</Form.Item>
		</>
	);
}

/** Chooses what another role holds. */
function CopyFrom({ choice, except }: { choice: Choice; except: number | undefined }) {
	const { data = [] } = useQuery(policies);
	const others = data.filter(({ roleId, editable }) => editable && roleId !== except);
	return (
		<Form.Item label="从其他角色复制" htmlFor="copied-role">
			<ChoiceSelect
				id="copied-role"
				placeholder="选填"
				value={null}
				options={others.map(({ roleId, roleName }) => ({ id: roleId, name: roleName }))}
				onChange={(id: number | null) => {
					const policy = others.find(({ roleId }) => roleId === id);
					if (policy) choice.replace(heldBy(policy));
				}}
			/>
		</Form.Item>
	);
}

/** A code that nobody had to think of. */
function newCode(): string {
	return `role_${Date.now().toString(36)}`;
}
