import { useQuery } from '@tanstack/react-query';
import { Button, Tag } from 'antd';
import { Redirect, useLocation } from 'wouter';
import type { PermissionPolicy } from '../../features/permissions/model.ts';
import { hasBackOffice } from '../../platform/vocabulary/permissions.ts';
import { rolesTitle, useOwn } from '../account/own.ts';
import { Deletion } from '../forms/confirm.tsx';
import { FormButton, FormPage } from '../forms/opening.tsx';
import { Facts, More } from '../page/facts.tsx';
import { Loaded } from '../page/loaded.tsx';
import { useSteady } from '../page/open-form.ts';
import { PageHead } from '../page/page-head.tsx';
import { Heading, numberOf } from '../page/texts.tsx';
import { heldBy, pointOf, useDefinitions } from '../permissions/permission-queries.ts';
import { RoleForm, useRoleRights } from './role-form.tsx';
import { RolePeople } from './role-people.tsx';
import { oneRole, type RoleWithPolicy, roleWithPolicy, seesHolders, useHolderCounts } from './role-queries.ts';

/** One role: its permissions and its holders, as far as the account may see them, or its form. */
export function RolePage({ id, isForm = false }: { id: string; isForm?: boolean }) {
	const role = useQuery(roleWithPolicy(useOwn(), id));
	return <Loaded query={role}>{(role) => (isForm ? <RoleFormPage role={role} /> : <RoleView role={role} />)}</Loaded>;
}

/** The form of a role or a new one, for an account that may change anything in it; otherwise it leads back. */
export function RoleFormPage({ role }: { role?: RoleWithPolicy }) {
	const title = rolesTitle(useOwn()) ?? '';
	const { canEdit, canGrant } = useRoleRights(role);
	const back = role ? { href: `/roles/${role.id}`, title: role.name } : { href: '/roles', title };
	if (!canEdit && !canGrant) return <Redirect to={back.href} replace />;
	return <FormPage back={back}>{role ? <RoleForm role={role} /> : <RoleForm />}</FormPage>;
}

function RoleView({ role }: { role: RoleWithPolicy }) {
	const own = useOwn();
	const [, navigate] = useLocation();
	const { canEdit, canGrant } = useRoleRights(role);
	const count = useHolderCounts()?.(role.id);
	const holders = useSteady(count);
	return (
		<>
			<PageHead
				back={{ href: '/roles', title: rolesTitle(own) ?? '' }}
				title={role.name}
				tags={role.isSystem && <Tag>内置</Tag>}
			>
				{(canEdit || canGrant) && (
					<Button type="primary" onClick={() => navigate(`/roles/${role.id}/edit`)}>
						编辑
					</Button>
				)}
			</PageHead>
			{!role.isSystem && role.description && <p className="absent multiline">{role.description}</p>}
			{role.policy && <Held policy={role.policy} />}
			{seesHolders(own) && (
				<>
					<Heading count={count ? numberOf(count) : ''}>员工</Heading>
					<RolePeople role={role} />
				</>
			)}
			<More>
				<Facts items={{ 编码: <code>{role.code}</code> }} />
				{canEdit && <Delete role={role} holders={holders} />}
			</More>
		</>
	);
}

/** Deletes a role without holders, as far as the account can see. */
function Delete({ role, holders }: { role: RoleWithPolicy; holders: number | undefined }) {
	const own = useOwn();
	const [, navigate] = useLocation();
	if (seesHolders(own) && holders === undefined) return null;
	if (holders) return <span className="absent">有员工持有，不能删除</span>;
	return (
		<FormButton
			danger
			form={
				<Deletion
					noun="角色"
					name={role.name}
					effect={`${holders === 0 ? '没有员工持有该角色。' : ''}删除后不能恢复，编码可以重新使用。`}
					run={() => oneRole.remove(role)}
					onDone={() => navigate('/roles')}
				/>
			}
		>
			删除
		</FormButton>
	);
}

/** The permission points of a role, and the stores where they apply. */
function Held({ policy }: { policy: PermissionPolicy }) {
	const known = useDefinitions();
	if (policy.permissions.length === 0) return <p className="absent">没有权限，不能登录后台</p>;
	const notes = [
		`${policy.permissions.length}`,
		policy.scope === 'current store' && '只能看到本店和负责的门店的员工',
		!hasBackOffice(new Set(heldBy(policy))) && '不能登录后台',
	];
	return (
		<>
			<Heading count={notes.filter(Boolean).join(' · ')}>权限</Heading>
			<dl className="panel held">
				{policy.permissions.map((code) => {
					const { title, description } = pointOf(known, code);
					return (
						<div key={code}>
							<dt>{title}</dt>
							<dd className="absent">{description}</dd>
						</div>
					);
				})}
			</dl>
		</>
	);
}
