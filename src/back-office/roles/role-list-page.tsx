import { PlusOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Route, useLocation } from 'wouter';
import { useOwn } from '../account/own.ts';
import { FormButton } from '../forms/form-button.tsx';
import { FilterBar, FirstOne, KeywordFilter } from '../page/filters.tsx';
import { Listing, RowLink } from '../page/listing.tsx';
import { useSearch } from '../page/search.ts';
import { Optional } from '../page/texts.tsx';
import { Kind, RoleDrawer } from './role-drawer.tsx';
import { RoleForm } from './role-form.tsx';
import { rolePage } from './role-queries.ts';

/** All roles, and one of them beside the list. */
export default function RoleListPage() {
	const { can } = useOwn();
	const search = useSearch();
	const [, navigate] = useLocation();
	const query = useQuery(rolePage(search));
	return (
		<>
			<FilterBar
				title="角色管理"
				count={query.data?.pagination.total}
				actions={
					can('role:manage') && (
						<FormButton
							opensFor="new-role"
							type="primary"
							icon={<PlusOutlined aria-hidden />}
							form={<RoleForm onDone={({ id }) => navigate(search.keep(`/roles/${id}`))} />}
						>
							新增角色
						</FormButton>
					)
				}
			>
				<KeywordFilter search={search} label="搜索名称、代号或说明" />
			</FilterBar>
			<Listing
				label="角色"
				query={query}
				columns={[
					{ title: '角色名称', render: ({ id, name }) => <RowLink href={search.keep(`/roles/${id}`)}>{name}</RowLink> },
					{ title: '代号', render: ({ code }) => <code>{code}</code> },
					{ title: '类型', render: ({ isSystem }) => <Kind isSystem={isSystem} />, width: 100 },
					{ title: '说明', render: ({ description }) => <Optional text={description} /> },
				]}
				rowKey={({ id }) => id}
				search={search}
				isFiltered={search.get('keyword') !== undefined}
				empty="还没有角色"
				next={can('role:manage') && <FirstOne opens="new-role">新增第一个角色</FirstOne>}
			/>
			<Route path="/roles/:id?">
				{({ id }) => <RoleDrawer id={id} onClose={() => navigate(search.keep('/roles'))} />}
			</Route>
		</>
	);
}
