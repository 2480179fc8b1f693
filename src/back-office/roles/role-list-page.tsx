import { PlusOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useLocation } from 'wouter';
import { rolesTitle, useOwn } from '../account/own.ts';
import { FilterBar, KeywordFilter } from '../page/filters.tsx';
import { type Column, Listing, RowLink } from '../page/listing.tsx';
import { useSearch } from '../page/search.ts';
import { Clipped, numberOf, Optional } from '../page/texts.tsx';
import { policies, titlesOf, useDefinitions } from '../permissions/permission-queries.ts';
import { type ListedRole, roleOf, rolePage, useHolderCounts } from './role-queries.ts';

/** All roles with their permissions, as far as the account may know either. */
export function RoleListPage() {
	const own = useOwn();
	const [sees, seesPolicies] = [own.can('role:view'), own.can('permission:view')];
	const search = useSearch();
	const [, navigate] = useLocation();
	const roles = useQuery({ ...rolePage(search), enabled: sees });
	const held = useQuery({ ...policies, enabled: seesPolicies });
	const known = useDefinitions();
	const titles = new Map(held.data?.map(({ roleId, permissions }) => [roleId, titlesOf(known, permissions)]));
	const holders = useHolderCounts();
	const columns: Column<ListedRole>[] = [
		{
			title: '角色名称',
			// The super administrator is no role that has a page.
			render: ({ id, name }) => (id === 0 ? name : <RowLink href={`/roles/${id}`}>{name}</RowLink>),
			width: 220,
		},
		seesPolicies
			? { title: '权限', render: ({ id }) => <Clipped>{titles.get(id) || '没有权限'}</Clipped> }
			: { title: '说明', render: ({ description }) => <Optional text={description} /> },
		...(holders ? [{ title: '员工', render: ({ id }: ListedRole) => `${numberOf(holders(id))} 人`, width: 90 }] : []),
	];
	return (
		<>
			<FilterBar
				title={rolesTitle(own) ?? ''}
				count={sees ? roles.data?.pagination.total : held.data?.length}
				actions={
					<>
						{seesPolicies && (
							<>
								<Button onClick={() => navigate('/roles/points')}>自定义权限</Button>
								<Button onClick={() => navigate('/roles/programs')}>接入程序</Button>
							</>
						)}
						{own.can('*') && <Button onClick={() => navigate('/roles/administrators')}>超级管理员</Button>}
						{own.can('role:manage') && (
							<Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => navigate('/roles/new')}>
								新增角色
							</Button>
						)}
					</>
				}
			>
				{sees && <KeywordFilter search={search} label="搜索名称、编码或说明" />}
			</FilterBar>
			<Listing<ListedRole>
				label="角色"
				query={sees ? roles : { ...held, data: held.data?.map(roleOf) }}
				columns={columns}
				rowKey={({ id }) => id}
				search={search}
				empty="还没有角色"
			/>
		</>
	);
}
