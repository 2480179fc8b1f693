import { useQuery } from '@tanstack/react-query';
import { Alert } from 'antd';
import { missingFrom, type Rights } from '../../identity/rights/rules.ts';
import { hasBackOffice, isProgramCode, type PermissionCode } from '../../platform/vocabulary/permissions.ts';
import { people } from '../page/texts.tsx';
import { heldBy, pointOf, policies, useDefinitions } from '../permissions/permission-queries.ts';
import type { RoleWithPolicy } from './role-queries.ts';

/** A role with its rights before and after saving. */
interface Changing extends Record<'before' | 'after', Rights> {
	name: string;
}

interface Props {
	/** The edited role; undefined for a new one. */
	role: RoleWithPolicy | undefined;
	after: readonly PermissionCode[];
	holders: number | undefined;
}

/** Shows the effect of saving: the number of affected people, and the roles that will no longer manage others. */
export function Effect({ role, after, holders }: Props) {
	// Two roles can have the same name.
	const losses = Array.from(new Set(useLosses(role, after)));
	const lines = [
		role && differenceOf(heldBy(role.policy), after, holders),
		!hasBackOffice(new Set(after)) && '该角色不能登录后台。',
	];
	return (
		<div role="status" className="effect">
			{losses.length > 0 && <Alert type="warning" title={losses.map((line) => <div key={line}>{line}</div>)} />}
			<p>{lines.filter(Boolean).join('')}</p>
		</div>
	);
}

/** The number of added and removed points, and of affected people. */
function differenceOf(
	before: readonly PermissionCode[],
	after: readonly PermissionCode[],
	holders: number | undefined,
) {
	const added = after.filter((code) => !before.includes(code)).length;
	const removed = before.filter((code) => !after.includes(code)).length;
	const changes = [added > 0 && `增加 ${added} 项`, removed > 0 && `移除 ${removed} 项`].filter(Boolean).join('、');
	if (!changes) return undefined;
	if (holders === 0) return `${changes}权限。`;
	return `${changes}权限，保存后立即对${holders ? ` ${people(holders)}` : '持有该角色的员工'}生效。`;
}

/** A sentence for each role that will no longer manage another one; each role counts alone. */
function useLosses(role: RoleWithPolicy | undefined, after: readonly PermissionCode[]): string[] {
	const known = useDefinitions();
	const { data = [] } = useQuery({ ...policies, enabled: role !== undefined });
	if (!role) return [];
	const edited: Changing = { name: role.name, before: rightsOf(heldBy(role.policy)), after: rightsOf(after) };
	const others = data.filter(({ editable, roleId }) => editable && roleId !== role.id);
	const pairs = others.flatMap((policy) => {
		const rights = rightsOf(heldBy(policy));
		const other: Changing = { name: policy.roleName, before: rights, after: rights };
		return [[edited, other] as const, [other, edited] as const];
	});
	return pairs.flatMap(([manager, managed]) => {
		const missing = lackedLater(manager, managed).map((code) => `“${pointOf(known, code).title}”`);
		if (missing.length === 0) return [];
		return `单凭“${manager.name}”将不能再管理“${managed.name}”：没有${missing.join('、')}。`;
	});
}

/** The permissions that a manager will lack compared with the people they manage now. */
function lackedLater(manager: Changing, managed: Changing): readonly PermissionCode[] {
	const manages = [manager.before, manager.after].every(({ permissions }) => permissions.has('employee:manage'));
	const lacked = (when: 'before' | 'after') => missingFrom(manager[when], managed[when]).permissions;
	return manages && lacked('before').length === 0 ? lacked('after') : [];
}

const rightsOf = (codes: readonly PermissionCode[]): Rights => ({
	permissions: new Map(codes.filter(isProgramCode).map((code) => [code, null])),
	stores: new Map(),
	areas: new Map(),
});
