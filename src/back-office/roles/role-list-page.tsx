import { PlusOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useLocation } from 'wouter';
import type { PermissionPolicy } from '../../features/permissions/model.ts';
import { rolesTitle, useOwn } from '../account/own.ts';
import { type Column, Listing, RowLink } from '../page/listing.tsx';
import { PageHead } from '../page/page-head.tsx';
import { Clipped, numberOf, Optional } from '../page/texts.tsx';
import { policies, titlesOf, useDefinitions } from '../permissions/permission-queries.ts';
import { allRoles, type ListedRole, roleOf, useHolderCounts } from './role-queries.ts';

/** All roles with their permissions, as far as the account may see them. */
export function RoleListPage() {
	const own = useOwn();
	const { can } = own;
	const [, navigate] = useLocation();
	const roles = useQuery({ ...allRoles, enabled: can('role:view') });
	const held = useQuery({ ...policies, enabled: can('permission:view') });
	const listed = can('role:view') ? roles : { ...held, data: held.data?.map(roleOf) };
	const columns = useColumns(held.data);
	const count = listed.data && <span className="count">{numberOf(listed.data.length)}</span>;
	return (
		<>
			<PageHead title={rolesTitle(own) ?? ''} tags={count}>
				{can('permission:view') && <Button onClick={() => navigate('/roles/points')}>自定义权限</Button>}
				{can('permission:view') && <Button onClick={() => navigate('/roles/programs')}>接入程序</Button>}
				{can('*') && <Button onClick={() => navigate('/roles/administrators')}>超级管理员</Button>}
				{can('role:manage') && (
					<Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => navigate('/roles/new')}>
						新增角色
					</Button>
				)}
			</PageHead>
			<Listing<ListedRole> label="角色" query={listed} columns={columns} empty="还没有角色" />
		</>
	);
}

/** The columns: the name, the permissions if the account may see them, and the number of holders. */
function useColumns(held: readonly PermissionPolicy[] | undefined): Column<ListedRole>[] {
	const seesPolicies = useOwn().can('permission:view');
	const known = useDefinitions();
	const holders = useHolderCounts();
	const titles = new Map(held?.map(({ roleId, permissions }) => [roleId, titlesOf(known, permissions) || '没有权限']));
	const counted = ({ id }: ListedRole) =>
		holders && <span className={holders(id) === 0 ? 'absent' : undefined}>{numberOf(holders(id))} 人</span>;
	return [
		{
			title: '角色名称',
			// The super administrator has no page.
			render: ({ id, name }) => (id === 0 ? name : <RowLink href={`/roles/${id}`}>{name}</RowLink>),
			width: 220,
		},
		seesPolicies
			? { title: '权限', render: ({ id }) => <Clipped>{titles.get(id) ?? ''}</Clipped> }
			: { title: '说明', render: ({ description }) => <Optional text={description} /> },
		...(holders ? [{ title: '员工', render: counted, width: 90 }] : []),
	];
}
