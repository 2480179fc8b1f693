import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Form, Input } from 'antd';
import { useRef } from 'react';
import { useLocation } from 'wouter';
import type { CreateRole } from '../../features/roles/model.ts';
import { rolesTitle, useOwn } from '../account/own.ts';
import { useEditing } from '../forms/editing.tsx';
import { FormDrawer, typed } from '../forms/form-drawer.tsx';
import { ChoiceSelect } from '../page/name-search.tsx';
import { numberOf } from '../page/texts.tsx';
import { heldBy, policies, policyOf } from '../permissions/permission-queries.ts';
import { type Choice, Difference, NoMenu, PointBoxes, useChoice } from '../permissions/points.tsx';
import { savePolicy } from '../permissions/policy-saving.ts';
import { Losses } from './losses.tsx';
import { type EditedRole, oneRole, proposeCode, useHolderCounts } from './role-queries.ts';

/** The parts of a role, or of a new one, that the account may change: its name, code and description; its permissions. */
export function useRoleRights(role: EditedRole | undefined) {
	const { can } = useOwn();
	return { isRenamed: can('role:manage') && !role?.isSystem, isGranted: can('permission:manage') };
}

const labels = { name: '角色名称', code: '编码', description: '说明' };

/** Creates or edits a role: its name, and what it may do. */
export function RoleForm({ role }: { role?: EditedRole }) {
	const client = useQueryClient();
	const [, navigate] = useLocation();
	const { isRenamed, isGranted } = useRoleRights(role);
	const { data: policy } = useQuery({ ...policyOf(`${role?.id}`), enabled: isGranted && role !== undefined });
	const choice = useChoice(role && policy);
	const holders = useHolderCounts();
	const count = role && holders?.(role.id);
	// The created role stays if its permissions are refused.
	const made = useRef<EditedRole>(undefined);

	async function create(values: CreateRole): Promise<EditedRole> {
		const code = values.code?.trim() || made.current?.code || (await proposeCode(values.name));
		const wanted = { ...values, code };
		made.current = await (made.current ? oneRole.change(made.current, wanted) : oneRole.create(wanted));
		return made.current;
	}

	async function saveMore({ id }: EditedRole): Promise<readonly string[] | undefined> {
		if (!choice.isChanged) return undefined;
		const seen = policy ?? (await client.fetchQuery({ ...policyOf(`${id}`), staleTime: 0 }));
		return savePolicy(client, seen, choice.toggles);
	}

	const { submission, initialValues } = useEditing<EditedRole, CreateRole>({
		onDone: ({ id }) => role || navigate(`/roles/${id}`, { replace: true }),
		thing: role,
		draft: {},
		valuesOf: ({ name, code, description }) => ({ name, code, description }),
		...oneRole,
		create,
		saveMore,
		labels,
		said: { created: '角色已新增', saved: '角色已保存' },
	});
	const { form } = submission;
	const title = rolesTitle(useOwn()) ?? '';
	return (
		<FormDrawer
			back={role ? { href: `/roles/${role.id}`, title: role.name } : { href: '/roles', title }}
			title={role ? `编辑角色：${role.name}` : '新增角色'}
			tags={count !== undefined && <span className="count">{numberOf(count)} 人持有</span>}
			submission={submission}
			initialValues={initialValues}
			hasMore={choice.isChanged}
		>
			{isRenamed && (
				<>
					<Form.Item name="name" label={labels.name} rules={typed('请输入角色名称')}>
						<Input />
					</Form.Item>
					<Form.Item
						name="code"
						label={labels.code}
						hidden={!role && form.getFieldError('code').length === 0}
						extra="供其他系统识别的英文名称，例如 shift_leader"
						rules={role ? typed('请输入编码') : []}
					>
						<Input autoCapitalize="none" spellCheck={false} placeholder={role ? '' : '选填，不填则自动生成'} />
					</Form.Item>
					<Form.Item name="description" label={labels.description}>
						<Input.TextArea rows={2} placeholder="选填" />
					</Form.Item>
				</>
			)}
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
		</FormDrawer>
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
