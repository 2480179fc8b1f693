import { Link } from 'wouter';
import type { Role } from '../../roles/model.ts';
import { canSeeEmployees, useOwn } from '../account/own.ts';
import type { Versioned } from '../api/client.ts';
import { useHolderCount } from '../employees/holders.ts';
import { DangerButton } from '../forms/danger.tsx';
import { FormButton } from '../forms/form-button.tsx';
import { Facts } from '../page/facts.tsx';
import { SideDrawer } from '../page/side-drawer.tsx';
import { Optional, people, Time } from '../page/texts.tsx';
import { mayEdit, mayRename, RoleForm } from './role-form.tsx';
import { RoleHolders } from './role-holders.tsx';
import { deleteRole, roleById } from './role-queries.ts';

/** One role, beside the list. */
export function RoleDrawer({ id, onClose }: { id: string | undefined; onClose(): void }) {
	return (
		<SideDrawer id={id} title="角色" width={560} query={roleById} onClose={onClose}>
			{(role) => <RoleView role={role} onGone={onClose} />}
		</SideDrawer>
	);
}

interface Props {
	role: Versioned<Role>;
	/** When it was deleted. */
	onGone(): void;
}

function RoleView({ role, onGone }: Props) {
	const own = useOwn();
	const holders = useHolderCount(`${role.id}`) ?? 0;
	return (
		<>
			<div className="page-head">
				<h2>{role.name}</h2>
				<div className="actions">
					{mayEdit(own, role) && (
						<FormButton type="primary" form={<RoleForm role={role} />}>
							编辑
						</FormButton>
					)}
					{mayRename(own, role) && (
						<DangerButton
							isRed
							title={`删除角色“${role.name}”？`}
							effect={
								holders
									? `仍有 ${people(holders)}持有该角色，须先解除才能删除。`
									: '没有员工持有该角色。删除后不能恢复，代号可以重新使用。'
							}
							verb="删除"
							run={() => deleteRole(role)}
							success="角色已删除"
							onDone={onGone}
						/>
					)}
				</div>
			</div>
			<Facts
				items={{
					代号: <code>{role.code}</code>,
					类型: <Kind isSystem={role.isSystem} />,
					说明: <Optional text={role.description} />,
					创建时间: <Time at={role.createdAt} />,
				}}
			/>
			{canSeeEmployees(own) && <RoleHolders id={`${role.id}`} />}
			{own.can('permission:view') && <Link href={`/permissions/${role.id}`}>查看权限</Link>}
		</>
	);
}

/** Whether a role is built in. */
export function Kind({ isSystem }: { isSystem: boolean }) {
	return isSystem ? <span className="absent">内置</span> : '自定义';
}
