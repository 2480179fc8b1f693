import { useQuery } from '@tanstack/react-query';
import { Alert } from 'antd';
import { missingFrom } from '../../identity/rights/rules.ts';
import { isProgramCode, type PermissionCode } from '../../platform/vocabulary/permissions.ts';
import { useHolderCount } from '../employees/holders.ts';
import { numberOf } from '../page/texts.tsx';
import { heldBy, policies, titleOf, useDefinitions } from '../permissions/permission-queries.ts';
import type { Choice } from '../permissions/points.tsx';

/** A role, and what it holds now and after saving. */
interface Changing {
	roleId: number;
	roleName: string;
	before: readonly PermissionCode[];
	after: readonly PermissionCode[];
}

/** A role whose holders manage people, what they will lack, and the roles whose holders they will lose by that. */
interface Loss {
	manager: Changing;
	lacked: ReadonlySet<PermissionCode>;
	lost: readonly string[];
}

/** How many managers are named. */
const maxNamed = 5;

const toRights = (codes: readonly PermissionCode[]) => ({
	permissions: new Set(codes.filter(isProgramCode)),
	stores: new Set<number>(),
	areas: new Set<number>(),
});

const lacks = (holder: readonly PermissionCode[], other: readonly PermissionCode[]) =>
	missingFrom(toRights(holder), toRights(other)).permissions;

/** The program permissions that a manager will lack of people they manage now. */
function lackedLater(manager: Changing, managed: Changing): readonly PermissionCode[] {
	const stays = [manager.before, manager.after].every((codes) => codes.includes('employee:manage'));
	return stays && lacks(manager.before, managed.before).length === 0 ? lacks(manager.after, managed.after) : [];
}

/** Which managers will lose people by a change of one role; each role counts alone. */
function lossesOf(edited: Changing, others: readonly Changing[]): Loss[] {
	return [edited, ...others].flatMap((manager) => {
		const concerned = manager === edited ? others : [edited];
		const found = concerned.map((role) => ({ role, lacked: lackedLater(manager, role) }));
		const lost = found.filter(({ lacked }) => lacked.length > 0);
		if (lost.length === 0) return [];
		const lacked = new Set(lost.flatMap(({ lacked }) => lacked));
		return [{ manager, lacked, lost: lost.map(({ role }) => role.roleName) }];
	});
}

/** Warns which managers will lose people when a choice is saved. */
export function Losses({ role, choice }: { role: { id: number; name: string }; choice: Choice }) {
	const { data = [] } = useQuery(policies);
	const edited = { roleId: role.id, roleName: role.name, before: choice.before, after: choice.resulting };
	const others = data
		.filter(({ editable, roleId }) => editable && roleId !== role.id)
		.map((policy) => ({ ...policy, before: heldBy(policy), after: heldBy(policy) }));
	const losses = lossesOf(edited, others);
	return (
		<div role="status" className="losses">
			{losses.slice(0, maxNamed).map((loss) => (
				<LossAlert key={loss.manager.roleId} loss={loss} />
			))}
			{losses.length > maxNamed && <p>还有 {numberOf(losses.length - maxNamed)} 个角色也是这样。</p>}
		</div>
	);
}

function LossAlert({ loss: { manager, lacked, lost } }: { loss: Loss }) {
	const known = useDefinitions();
	const count = useHolderCount(`${manager.roleId}`);
	const missing = Array.from(lacked, (code) => `“${titleOf(known, code)}”`).join('、');
	const holders = count === undefined ? '' : `（${numberOf(count)} 人）`;
	return (
		<Alert
			type="warning"
			title={`“${manager.roleName}”${holders}没有${missing}，仅凭该角色将不能再管理${lost.map((name) => `“${name}”`).join('、')}。`}
		/>
	);
}
