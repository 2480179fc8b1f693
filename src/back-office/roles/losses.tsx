import { useQuery } from '@tanstack/react-query';
import { Alert } from 'antd';
import { missingFrom } from '../../identity/rights/rules.ts';
import { isProgramCode, type PermissionCode } from '../../platform/vocabulary/permissions.ts';
import { heldBy, policies, titleOf, useDefinitions } from '../permissions/permission-queries.ts';
import type { Choice } from '../permissions/points.tsx';

/** A role, and what it holds now and after saving. */
interface Changing {
	name: string;
	before: readonly PermissionCode[];
	after: readonly PermissionCode[];
}

const rightsOf = (codes: readonly PermissionCode[]) => ({
	permissions: new Set(codes.filter(isProgramCode)),
	stores: new Set<number>(),
	areas: new Set<number>(),
});

const lacked = (manager: readonly PermissionCode[], managed: readonly PermissionCode[]) =>
	missingFrom(rightsOf(manager), rightsOf(managed)).permissions;

/** The program permissions that a manager will lack of people they manage now. */
function lackedLater(manager: Changing, managed: Changing): readonly PermissionCode[] {
	const manages = [manager.before, manager.after].every((codes) => codes.includes('employee:manage'));
	return manages && lacked(manager.before, managed.before).length === 0 ? lacked(manager.after, managed.after) : [];
}

/** Warns which roles will no longer manage which when a choice is saved; each role counts alone. */
export function Losses({ role, choice }: { role: { id: number; name: string }; choice: Choice }) {
	const known = useDefinitions();
	const { data = [] } = useQuery(policies);
	const edited: Changing = { name: role.name, before: choice.before, after: choice.resulting };
	const lines = data
		.filter(({ editable, roleId }) => editable && roleId !== role.id)
		.map((policy) => ({ name: policy.roleName, before: heldBy(policy), after: heldBy(policy) }))
		.flatMap((other) => [
			[edited, other],
			[other, edited],
		])
		.flatMap(([manager = edited, managed = edited]) => {
			const missing = lackedLater(manager, managed).map((code) => `“${titleOf(known, code)}”`);
			if (missing.length === 0) return [];
			return `“${manager.name}”没有${missing.join('、')}，仅凭该角色将不能再管理“${managed.name}”。`;
		});
	return (
		<div role="status">
			{lines.length > 0 && <Alert type="warning" title={lines.map((line) => <div key={line}>{line}</div>)} />}
		</div>
	);
}
