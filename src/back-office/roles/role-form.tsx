import { Form, Input } from 'antd';
import { useRef } from 'react';
import { useLocation } from 'wouter';
import { type PermissionCode, withDependencies } from '../../platform/vocabulary/permissions.ts';
import { useOwn } from '../account/own.ts';
import { useEditing } from '../forms/editing.tsx';
import { FormDrawer, typed } from '../forms/form-drawer.tsx';
import { More } from '../page/facts.tsx';
import { numberOf } from '../page/texts.tsx';
import { heldBy, titlesOf, useDefinitions } from '../permissions/permission-queries.ts';
import { PointBoxes } from '../permissions/points.tsx';
import { Effect } from './effect.tsx';
import * as queries from './role-queries.ts';

type Role = queries.RoleWithPolicy;
type Values = queries.RoleValues;

/** The parts of a role that the account may change: its name, code and description, or its permissions. */
export function useRoleRights(role: Pick<Role, 'isSystem'> | undefined) {
	const { can } = useOwn();
	return { canEdit: can('role:manage') && !role?.isSystem, canGrant: can('permission:manage') };
}

const labels = { name: '角色名称', code: '编码', description: '说明', permissions: '权限' };

/** Creates or edits a role: its name and its permissions. */
export function RoleForm({ role }: { role?: Role }) {
	const { canEdit, canGrant } = useRoleRights(role);
	const editing = useRoleEditing(role);
	const { form } = editing.submission;
	const chosen: PermissionCode[] = Form.useWatch('permissions', form) ?? heldBy(role?.policy);
	const holders = queries.useHolderCounts();
	const count = role && holders?.(role.id);
	return (
		<FormDrawer
			title={role ? `编辑角色：${role.name}` : '新增角色'}
			tags={count !== undefined && <span className="count">{numberOf(count)} 人</span>}
			{...editing}
		>
			{canEdit && (
				<Form.Item name="name" label={labels.name} rules={typed}>
					<Input />
				</Form.Item>
			)}
			{canGrant && (
				<>
					<h2>权限</h2>
					<Form.Item name="permissions">
						<PointBoxes />
					</Form.Item>
				</>
			)}
			{canEdit && (
				<More isOpen={role !== undefined || form.getFieldError('code').length > 0}>
					<Form.Item name="description" label={labels.description}>
						<Input.TextArea rows={2} placeholder="选填" />
					</Form.Item>
					<Form.Item
						name="code"
						label={labels.code}
						extra="供其他系统识别的英文名称，例如 shift_leader"
						rules={role ? typed : []}
					>
						<Input autoCapitalize="none" spellCheck={false} placeholder={role ? '' : '选填，不填则自动生成'} />
					</Form.Item>
				</More>
			)}
			{canGrant && <Effect role={role} after={withDependencies(chosen)} holders={count} />}
		</FormDrawer>
	);
}

function useRoleEditing(role: Role | undefined) {
	const [, navigate] = useLocation();
	const own = useOwn();
	const known = useDefinitions();
	// If the permissions are refused, the created role stays.
	const made = useRef<Role>(undefined);

	async function create({ permissions, ...fields }: Values): Promise<Role> {
		const code = fields.code?.trim() || made.current?.code || (await queries.proposeCode(fields.name));
		const wanted = { ...fields, code };
		made.current = await (made.current ? queries.oneRole.change(made.current, wanted) : queries.oneRole.create(wanted));
		return permissions?.length ? queries.changeRole(made.current, { permissions }) : made.current;
	}

	return useEditing<Role, Values>({
		thing: role,
		valuesOf: ({ policy, name, code, description }) => ({ name, code, description, permissions: heldBy(policy) }),
		stored: ({ permissions, ...fields }) =>
			permissions ? { ...fields, permissions: withDependencies(permissions) } : fields,
		byId: (id) => queries.roleWithPolicy(own, id),
		create,
		change: queries.changeRole,
		labels,
		show: (_, value) => (Array.isArray(value) ? titlesOf(known, value) : undefined),
		said: { created: '角色已新增', saved: '角色已保存' },
		onDone: role ? undefined : ({ id }) => navigate(`/roles/${id}`, { replace: true }),
	});
}
