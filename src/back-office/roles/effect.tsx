import { useQuery } from '@tanstack/react-query';
import { Alert } from 'antd';
import { missingFrom } from '../../identity/rights/rules.ts';
import { isProgramCode, type PermissionCode } from '../../platform/vocabulary/permissions.ts';
import { people } from '../page/texts.tsx';
import { heldBy, policies, titleOf, useDefinitions } from '../permissions/permission-queries.ts';

/** A role, and its permissions now and after saving. */
interface Changing {
	name: string;
	before: readonly PermissionCode[];
	after: readonly PermissionCode[];
}

interface Props extends Changing {
	id: number;
	/** How many people hold it, where that is known. */
	holders: number | undefined;
}

/** Says what saving changes: for how many people, and which roles will no longer manage which. */
export function Effect({ id, holders, ...edited }: Props) {
	const losses = useLosses(id, edited);
	const added = edited.after.filter((code) => !edited.before.includes(code)).length;
	const removed = edited.before.filter((code) => !edited.after.includes(code)).length;
	const concerned = holders === undefined ? '员工' : ` ${people(holders)}`;
	return (
		<div role="status">
			{added + removed > 0 && (
				<Alert
					type={losses.length > 0 ? 'warning' : 'info'}
					title={`将增加 ${added} 项、移除 ${removed} 项权限，保存后立即对持有该角色的${concerned}生效。`}
					description={losses.length > 0 && losses.map((line) => <div key={line}>{line}</div>)}
				/>
			)}
		</div>
	);
}

/** A sentence for each role that will no longer manage another one; each role counts alone. */
function useLosses(id: number, edited: Changing): string[] {
	const known = useDefinitions();
	const { data = [] } = useQuery(policies);
	return data
		.filter(({ editable, roleId }) => editable && roleId !== id)
		.map((policy) => ({ name: policy.roleName, before: heldBy(policy), after: heldBy(policy) }))
		.flatMap((other) => [
			{ manager: edited, managed: other },
			{ manager: other, managed: edited },
		])
		.flatMap(({ manager, managed }) => {
			const missing = lackedLater(manager, managed).map((code) => `“${titleOf(known, code)}”`);
			if (missing.length === 0) return [];
			return `“${manager.name}”没有${missing.join('、')}，仅凭该角色将不能再管理“${managed.name}”。`;
		});
}

/** The permissions that a manager will lack of people they manage now. */
function lackedLater(manager: Changing, managed: Changing): readonly PermissionCode[] {
	const manages = [manager.before, manager.after].every((codes) => codes.includes('employee:manage'));
	return manages && lacked(manager.before, managed.before).length === 0 ? lacked(manager.after, managed.after) : [];
}

const lacked = (manager: readonly PermissionCode[], managed: readonly PermissionCode[]) =>
	missingFrom(rightsOf(manager), rightsOf(managed)).permissions;

const rightsOf = (codes: readonly PermissionCode[]) => ({
	permissions: new Set(codes.filter(isProgramCode)),
	stores: new Set<number>(),
	areas: new Set<number>(),
});
