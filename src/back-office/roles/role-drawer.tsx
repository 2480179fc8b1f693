import { useQuery } from '@tanstack/react-query';
import { Button, Descriptions, Drawer, Skeleton } from 'antd';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Role } from '../../roles/model.ts';
import { api, done } from '../api/client.ts';
import { asRefusal } from '../api/refusal.ts';
import { useDanger } from '../forms/danger.tsx';
import { Problem } from '../listing/problem.tsx';
import { Optional, people, Time } from '../listing/texts.tsx';
import { useOwn } from '../shell/own.ts';
import { RoleForm } from './role-form.tsx';
import { RoleHolders } from './role-holders.tsx';
import { Kind } from './role-list-page.tsx';
import { roleById, useHolderCount } from './role-queries.ts';

/** One role, beside the list. */
export function RoleDrawer({ id, onClose }: { id: string | undefined; onClose(): void }) {
	return (
		<Drawer open={id !== undefined} onClose={onClose} size={560} destroyOnHidden title="角色">
			{id !== undefined && <RoleView key={id} id={id} onGone={onClose} />}
		</Drawer>
	);
}

function RoleView({ id, onGone }: { id: string; onGone(): void }) {
	const { can } = useOwn();
	const { data: role, error, refetch } = useQuery(roleById(id));
	if (error && !role) return <Problem refusal={asRefusal(error)} onRetry={() => void refetch()} />;
	if (!role) return <Skeleton active />;
	return (
		<>
			<div className="page-head">
				<h2>{role.name}</h2>
				{can('role:manage') && !role.isSystem && <RoleActions role={role} onGone={onGone} />}
			</div>
			<Descriptions
				className="facts"
				column={1}
				items={[
					{ key: 'code', label: '编码', children: <code>{role.code}</code> },
					{ key: 'kind', label: '类型', children: <Kind isSystem={role.isSystem} /> },
					{ key: 'description', label: '说明', children: <Optional text={role.description} /> },
					{ key: 'created', label: '创建时间', children: <Time at={role.createdAt} /> },
				]}
			/>
			{(can('employee:view:all') || can('employee:view:store')) && <RoleHolders id={id} />}
			{can('permission:view') && <Link href={`/permissions/${role.id}`}>查看权限</Link>}
		</>
	);
}

function RoleActions({ role, onGone }: { role: Role; onGone(): void }) {
	const ask = useDanger();
	const [isEditing, setEditing] = useState(false);
	const holders = useHolderCount(`${role.id}`) ?? 0;
	const remove = () =>
		ask({
			title: `删除角色“${role.name}”？`,
			effect: holders
				? `仍有 ${people(holders)}持有该角色，须先解除才能删除。`
				: '没有员工持有该角色。删除后不能恢复，编码可以重新使用。',
			verb: '删除',
			run: () => done(api.roles({ id: role.id }).delete()),
			success: '角色已删除',
			onDone: onGone,
		});
	return (
		<div className="actions">
			<Button type="primary" onClick={() => setEditing(true)}>
				编辑
			</Button>
			<Button danger onClick={remove}>
				删除
			</Button>
			<RoleForm role={role} open={isEditing} onClose={() => setEditing(false)} onDone={() => setEditing(false)} />
		</div>
	);
}
