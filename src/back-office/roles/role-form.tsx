import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Form, type FormInstance, Input, Select } from 'antd';
import { useEffect, useRef } from 'react';
import type { CreateRole, Role } from '../../roles/model.ts';
import { canSeeEmployees, type Own, useOwn } from '../account/own.ts';
import type { Versioned } from '../api/client.ts';
import { changeHolder, useHolderCount } from '../employees/holders.ts';
import { useEditing } from '../forms/editing.tsx';
import { FormDrawer } from '../forms/form-drawer.tsx';
import { typed } from '../forms/required.ts';
import { useSettled } from '../page/settled.ts';
import { heldBy, policies, policyOf } from '../permissions/permission-queries.ts';
import { type Choice, Difference, PointClashes, Points, useChoice } from '../permissions/points.tsx';
import { savePolicy } from '../permissions/policy-saving.ts';
import { HolderFields, useHolderChanges } from './holder-fields.tsx';
import { changeRole, createRole, proposedCode, roleById } from './role-queries.ts';

/** Whether the account may change name, code and description of a role. */
export const mayRename = ({ can }: Own, role?: Role) => can('role:manage') && !role?.isSystem;

/** Whether the account may change who holds a role. */
const mayAssign = (own: Own) => own.can('employee:manage') && canSeeEmployees(own);

/** Whether there is anything about a role that the account may change. */
export function mayEdit(own: Own, role: Role): boolean {
	return mayRename(own, role) || own.can('permission:manage') || mayAssign(own);
}

interface Props {
	/** The role to edit; a new one without it. */
	role?: Versioned<Role>;
	onDone?(role: Role): void;
}

const labels = { name: '角色名称', code: '代号', description: '说明' };

/** Creates or edits a role: its name, what it may do, and who holds it. */
export function RoleForm({ role, onDone }: Props) {
	const own = useOwn();
	const client = useQueryClient();
	const [isRenamed, isGranted, isAssigned] = [mayRename(own, role), own.can('permission:manage'), mayAssign(own)];
	const { data: policy } = useQuery({ ...policyOf(`${role?.id}`), enabled: isGranted && role !== undefined });
	const choice = useChoice(role && policy);
	const holders = useHolderChanges();
	const count = useHolderCount(role && `${role.id}`);
	// What was created stays, if something after it was refused.
	const made = useRef<Role>(undefined);

	async function create({ code, ...values }: CreateRole): Promise<Role> {
		const wanted = { ...values, code: code?.trim() || made.current?.code || newCode() };
		made.current = await (made.current ? changeRole(made.current, wanted) : createRole(wanted));
		return made.current;
	}

	async function saveMore({ id }: Role): Promise<readonly string[] | undefined> {
		if (!choice.isChanged && holders.changes.length === 0) return undefined;
		const seen = policy ?? (choice.isChanged && (await client.fetchQuery({ ...policyOf(`${id}`), staleTime: 0 })));
		const others = seen && choice.isChanged ? await savePolicy(client, seen, choice.toggles) : [];
		for (const change of holders.changes) await changeHolder(client, id, change);
		return others;
	}

	const { submission, initialValues } = useEditing<Role, CreateRole>({
		onDone,
		thing: role,
		draft: {},
		valuesOf: ({ name, code, description }) => ({ name, code, description }),
		create,
		byId: roleById,
		change: changeRole,
		saveMore,
		labels,
		said: { created: '角色已新增', saved: '角色已保存' },
	});
	const blocked = {
		...submission,
		isBlocked: submission.isBlocked === true || choice.clashes.length > 0,
		notice: (
			<>
				{submission.notice}
				<PointClashes choice={choice} refusal={submission.refusal} />
			</>
		),
	};
	return (
		<FormDrawer
			title={role ? `编辑角色：${role.name}` : '新增角色'}
			submission={blocked}
			initialValues={initialValues}
			hasMore={choice.isChanged || holders.changes.length > 0}
		>
			{isRenamed && <NameFields form={submission.form} isNew={!role} />}
			{isGranted && (
				<>
					<h2>权限</h2>
					<CopyFrom choice={choice} except={role?.id} />
					<Points choice={choice} />
					{role && <Difference choice={choice} holders={count} />}
				</>
			)}
			{isAssigned && (
				<>
					<h2>员工{count !== undefined && `（${count.toLocaleString('zh-CN')}）`}</h2>
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

function NameFields({ form, isNew }: { form: FormInstance<CreateRole>; isNew: boolean }) {
	useProposedCode(form, isNew);
	return (
		<>
			<Form.Item name="name" label={labels.name} rules={typed('请输入角色名称')}>
				<Input />
			</Form.Item>
			<Form.Item
				name="code"
				label={labels.code}
				extra="供其他系统识别的英文名称，例如 shift_leader"
				rules={isNew ? [] : typed('请输入代号')}
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
			<Select
				id="copied-role"
				placeholder="选填"
				value={null}
				showSearch={{ optionFilterProp: 'label' }}
				options={others.map(({ roleId, roleName }) => ({ value: roleId, label: roleName }))}
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
