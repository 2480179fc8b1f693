import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Alert, App, Button, Checkbox, Drawer, Skeleton, Tag } from 'antd';
import { useEffect, useState } from 'react';
import type { PermissionPolicy } from '../../permissions/model.ts';
import { menusFor, type PermissionCode, permissionCodes } from '../../vocabulary/permissions.ts';
import { useOwn } from '../account/own.ts';
import type { Versioned } from '../api/client.ts';
import { asRefusal, type Refusal } from '../api/refusal.ts';
import { Clashes } from '../forms/clashes.tsx';
import { useDiscard } from '../forms/discard.ts';
import { maxRounds, overtaken } from '../forms/editing.tsx';
import { RefusalAlert } from '../forms/refusal-alert.tsx';
import { readingTime } from '../forms/submit.ts';
import { Problem } from '../page/problem.tsx';
import { people } from '../page/texts.tsx';
import { useHolderCount } from '../roles/role-queries.ts';
import { definitions, isHeld, policyOf, replacePermissions } from './permission-queries.ts';
import { chosenOf, clashesOf, effective, resultOf, settle, type Toggles } from './toggles.ts';

/** The permission points of one role, beside the matrix; saved as one change. */
export function PolicyDrawer({ roleId, onClose }: { roleId: string | undefined; onClose(): void }) {
	const { data: policy, error, refetch } = useQuery({ ...policyOf(roleId ?? ''), enabled: roleId !== undefined });
	const [isChanged, setChanged] = useState(false);
	const close = useDiscard({ isOpen: isChanged, isChanged: () => isChanged, onClose });
	return (
		<Drawer
			open={roleId !== undefined}
			onClose={close}
			size={560}
			destroyOnHidden
			title={policy ? `权限：${policy.roleName}` : '权限'}
		>
			{error && !policy && <Problem refusal={asRefusal(error)} onRetry={() => void refetch()} />}
			{policy?.editable === false && <Problem status={404} />}
			{policy?.editable && (
				<PolicyEditor key={policy.roleId} policy={policy} onChange={setChanged} onCancel={close} onSaved={onClose} />
			)}
			{!policy && !error && <Skeleton active />}
		</Drawer>
	);
}

interface EditorProps {
	/** As it is now. */
	policy: Versioned<PermissionPolicy>;
	/** Whether there is something to save. */
	onChange(isChanged: boolean): void;
	onCancel(): void;
	onSaved(): void;
}

const heldBy = (policy: PermissionPolicy) => permissionCodes.filter((code) => isHeld(policy, code));

function PolicyEditor({ policy, onChange, onCancel, onSaved }: EditorProps) {
	const canManage = useOwn().can('permission:manage');
	const holders = useHolderCount(`${policy.roleId}`);
	const { data } = useQuery(definitions);
	const [toggles, setToggles] = useState<Toggles>(new Map());
	const [seen, setSeen] = useState(policy);
	const before = heldBy(policy);
	const [chosen, resulting] = [chosenOf(before, toggles), resultOf(before, toggles)];
	const clashes = clashesOf(heldBy(seen), before, toggles);
	// What does not touch the person's own changes is simply the present state.
	if (seen !== policy && clashes.length === 0) {
		setSeen(policy);
		setToggles(effective(before, toggles));
	}
	const isChanged = !isSame(before, resulting);
	useEffect(() => {
		onChange(isChanged);
		return () => onChange(false);
	}, [isChanged, onChange]);
	const titles = new Map(data?.permissions.map(({ code, title }) => [code as PermissionCode, title]));
	const { mutate, isPending, error } = useSave(policy, toggles, titles, onSaved);
	const refusal = error ? asRefusal(error) : undefined;
	const toggle = (code: PermissionCode, isChecked: boolean) =>
		setToggles(effective(before, new Map(toggles).set(code, isChecked)));
	return (
		<>
			<RefusalAlert refusal={refusal?.status === 412 ? undefined : refusal} />
			<Clashes
				clashes={clashes.map((code) => ({
					name: code,
					label: titles.get(code) ?? code,
					mine: before.includes(code) ? '移除，需要它的权限也移除' : '保留，您选择的权限需要它',
					theirs: `${authorOf(refusal)} ${before.includes(code) ? '增加的权限需要它' : '移除，需要它的权限也不增加'}`,
				}))}
				onTake={({ name }, taken) => setToggles(settle(name, taken, before, toggles))}
			/>
			{data?.groups.map(({ key, title, permissions }) => (
				<fieldset key={key} className="points">
					<legend>{title}</legend>
					{permissionCodes
						.filter((code) => permissions.some((each) => each.code === code))
						.map((code) => {
							const isImplied = resulting.includes(code) && !chosen.includes(code);
							const definition = permissions.find((each) => each.code === code);
							return (
								<Checkbox
									key={code}
									checked={resulting.includes(code)}
									disabled={!canManage || isImplied}
									onChange={({ target }) => toggle(code, target.checked)}
								>
									{definition?.title}
									{isImplied && <Tag>自动包含</Tag>}
									<small>{definition?.description}</small>
								</Checkbox>
							);
						})}
				</fieldset>
			))}
			<Menus permissions={resulting} />
			{canManage && (
				<div className="drawer-end">
					<Change before={before} after={resulting} holders={holders} />
					<div className="form-buttons">
						<span role="status" className="progress">
							{isPending && '正在保存…'}
						</span>
						<Button onClick={onCancel}>取消</Button>
						<Button
							type="primary"
							loading={isPending}
							disabled={!isChanged || clashes.length > 0}
							onClick={() => mutate()}
						>
							保存
						</Button>
					</div>
				</div>
			)}
		</>
	);
}

/** Saves what the person switched. If a colleague was quicker, it goes on from what they saved, unless the two clash. */
function useSave(
	policy: Versioned<PermissionPolicy>,
	toggles: Toggles,
	titles: ReadonlyMap<PermissionCode, string>,
	onSaved: () => void,
) {
	const client = useQueryClient();
	const { message } = App.useApp();
	async function save(
		seen: Versioned<PermissionPolicy>,
		wanted: Toggles,
		others: readonly string[],
	): Promise<readonly string[]> {
		try {
			await replacePermissions(seen, chosenOf(heldBy(seen), wanted));
			return others;
		} catch (error) {
			const refusal = asRefusal(error);
			if (refusal.status !== 412) throw error;
			if (others.length === maxRounds) throw overtaken;
			const present = await client.fetchQuery({ ...policyOf(`${seen.roleId}`), staleTime: 0 });
			const [before, after] = [heldBy(seen), heldBy(present)];
			if (clashesOf(before, after, wanted).length > 0) throw error;
			const other = `${authorOf(refusal)} ${differenceOf(before, after, titles)}`;
			return save(present, effective(after, wanted), [...others, other]);
		}
	}
	return useMutation({
		mutationFn: () => save(policy, toggles, []),
		onSuccess(others) {
			void client.invalidateQueries();
			const text = ['权限已保存', ...others].join('。');
			void message.success(text, readingTime(text));
			onSaved();
		},
	});
}

/** Who changed the permissions, and when: `王芳 15:32`. */
function authorOf(refusal: Refusal | undefined): string {
	return refusal?.about('permissions')?.split(' 改为')[0] ?? '他人';
}

/** What a colleague changed, as a sentence without its subject. */
function differenceOf(
	before: readonly PermissionCode[],
	after: readonly PermissionCode[],
	titles: ReadonlyMap<PermissionCode, string>,
): string {
	const named = (verb: string, codes: readonly PermissionCode[]) =>
		codes.length === 0 ? [] : [`${verb}了${codes.map((code) => `“${titles.get(code) ?? code}”`).join('、')}`];
	const added = after.filter((code) => !before.includes(code));
	const removed = before.filter((code) => !after.includes(code));
	return [...named('增加', added), ...named('移除', removed)].join('，') || '作了修改';
}

function isSame(before: readonly string[], after: readonly string[]): boolean {
	return before.length === after.length && before.every((code) => after.includes(code));
}

/** The menus that the role will see. */
function Menus({ permissions }: { permissions: readonly PermissionCode[] }) {
	const menus = menusFor(new Set(permissions));
	return (
		<div role="status" className="outcome">
			<h2>后台菜单</h2>
			<p className="tags">
				{menus.map(({ key, title, actions }) => (
					<Tag key={key}>
						{title}
						{actions.length === 1 && '（只读）'}
					</Tag>
				))}
				{menus.length === 0 && '没有菜单，不能登录后台'}
			</p>
		</div>
	);
}

interface ChangeProps {
	before: readonly PermissionCode[];
	after: readonly PermissionCode[];
	holders: number | undefined;
}

/** How many points will be added and removed, and for how many people. */
function Change({ before, after, holders }: ChangeProps) {
	const added = after.filter((code) => !before.includes(code)).length;
	const removed = before.filter((code) => !after.includes(code)).length;
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
