import { Alert, Checkbox, Tag } from 'antd';
import { useState } from 'react';
import { menusFor, type PermissionCode } from '../../platform/vocabulary/permissions.ts';
import { people } from '../page/texts.tsx';
import { heldBy, type Policy, useDefinitions } from './permission-queries.ts';
import { chosenOf, resultOf, type Toggles } from './toggles.ts';

/** The choices for a role's permissions, and their result. */
export interface Choice {
	/** The role's permissions. */
	before: readonly PermissionCode[];
	/** The person's choices, alone and with everything they include. */
	chosen: readonly PermissionCode[];
	resulting: readonly PermissionCode[];
	isChanged: boolean;
	toggles: Toggles;
	toggle(code: PermissionCode, isOn: boolean): void;
	/** Chooses exactly these. */
	replace(codes: readonly PermissionCode[]): void;
}

/** The choices for the role with this policy, or for a new one. Other points show what the role holds by now. */
export function useChoice(policy: Policy | undefined): Choice {
	const [switched, setSwitched] = useState<Toggles>(new Map());
	const before = policy ? heldBy(policy) : [];
	// A switch that changes nothing any more must not undo what a colleague does next.
	const toggles = new Map(Array.from(switched).filter(([code, isOn]) => isOn !== before.includes(code)));
	const resulting = resultOf(before, toggles);
	return {
		before,
		chosen: chosenOf(before, toggles),
		resulting,
		isChanged: !isSame(before, resulting),
		toggles,
		toggle: (code, isOn) => setSwitched(new Map(toggles).set(code, isOn)),
		replace: (codes) => setSwitched(new Map([...before, ...codes].map((code) => [code, codes.includes(code)]))),
	};
}

function isSame(before: readonly string[], after: readonly string[]): boolean {
	return before.length === after.length && before.every((code) => after.includes(code));
}

interface BoxesProps extends Pick<Choice, 'chosen' | 'resulting' | 'toggle'> {
	/** Which points can be chosen; without it, all. */
	isOffered?(code: PermissionCode): boolean;
}

/** The permission points by group, with what the chosen ones bring. */
export function PointBoxes({ chosen, resulting, toggle, isOffered = () => true }: BoxesProps) {
	const { groups } = useDefinitions();
	const offered = groups.map((group) => ({
		...group,
		permissions: group.permissions.filter(({ code }) => isOffered(code)),
	}));
	return offered
		.filter(({ permissions }) => permissions.length > 0)
		.map(({ key, title, permissions }) => (
			<fieldset key={key} className="points">
				<legend>{title}</legend>
				{permissions.map(({ code, title, description }) => {
					const isImplied = resulting.includes(code) && !chosen.includes(code);
					return (
						<Checkbox
							key={code}
							checked={resulting.includes(code)}
							disabled={isImplied}
							onChange={({ target }) => toggle(code, target.checked)}
						>
							{title}
							{isImplied && <Tag>自动包含</Tag>}
							{description && <small>{description}</small>}
							{isImplied && code === 'employee:view:all' && <small>只限本店时，请再勾选下一项</small>}
						</Checkbox>
					);
				})}
			</fieldset>
		));
}

/** Says that what is chosen opens no menu. */
export function NoMenu({ permissions }: { permissions: readonly PermissionCode[] }) {
	const opensOne = menusFor(new Set(permissions)).length > 0;
	return <p role="status">{!opensOne && '没有后台菜单，不能登录后台'}</p>;
}

/** How many points will be added and removed, and for how many people. */
export function Difference({ choice, holders }: { choice: Choice; holders: number | undefined }) {
	const added = choice.resulting.filter((code) => !choice.before.includes(code)).length;
	const removed = choice.before.filter((code) => !choice.resulting.includes(code)).length;
	const concerned = holders === undefined ? '员工' : ` ${people(holders)}`;
	return (
		<div role="status">
			{added + removed > 0 && (
				<Alert
					type="info"
					title={`将增加 ${added} 项、移除 ${removed} 项权限，保存后立即对持有该角色的${concerned}生效。`}
				/>
			)}
		</div>
	);
}
