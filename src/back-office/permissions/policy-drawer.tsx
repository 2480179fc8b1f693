import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Alert, App, Button, Checkbox, Drawer, Skeleton, Tag } from 'antd';
import { useEffect, useState } from 'react';
import type { PermissionPolicy } from '../../permissions/model.ts';
import { menusFor, type PermissionCode, permissionCodes, withDependencies } from '../../vocabulary/permissions.ts';
import { useOwn } from '../account/own.ts';
import { asRefusal } from '../api/refusal.ts';
import { useDiscard } from '../forms/discard.ts';
import { RefusalAlert } from '../forms/refusal-alert.tsx';
import { Problem } from '../page/problem.tsx';
import { people } from '../page/texts.tsx';
import { useHolderCount } from '../roles/role-queries.ts';
import { definitions, isHeld, policies, replacePermissions } from './permission-queries.ts';

/** The permission points of one role, beside the matrix; saved as one change. */
export function PolicyDrawer({ roleId, onClose }: { roleId: string | undefined; onClose(): void }) {
	const { data } = useQuery(policies);
	const [isChanged, setChanged] = useState(false);
	const close = useDiscard({ isOpen: isChanged, isChanged: () => isChanged, onClose });
	const policy = data?.find((each) => `${each.roleId}` === roleId && each.editable);
	return (
		<Drawer
			open={roleId !== undefined}
			onClose={close}
			size={560}
			destroyOnHidden
			title={policy ? `权限：${policy.roleName}` : '权限'}
		>
			{policy ? (
				<PolicyEditor key={policy.roleId} policy={policy} onChange={setChanged} onCancel={close} onSaved={onClose} />
			) : (
				<NoPolicy isKnown={!!data} />
			)}
		</Drawer>
	);
}

function NoPolicy({ isKnown }: { isKnown: boolean }) {
	return isKnown ? <Problem status={404} /> : <Skeleton active />;
}

interface EditorProps {
	policy: PermissionPolicy;
	/** Whether there is something to save. */
	onChange(isChanged: boolean): void;
	onCancel(): void;
	onSaved(): void;
}

function PolicyEditor({ policy, onChange, onCancel, onSaved }: EditorProps) {
	const canManage = useOwn().can('permission:manage');
	const client = useQueryClient();
	const { message } = App.useApp();
	const holders = useHolderCount(`${policy.roleId}`);
	const { data } = useQuery(definitions);
	const before = permissionCodes.filter((code) => isHeld(policy, code));
	const [chosen, setChosen] = useState<readonly PermissionCode[]>(before);
	const resulting = withDependencies(chosen);
	const isChanged = !isSame(before, resulting);
	useEffect(() => {
		onChange(isChanged);
		return () => onChange(false);
	}, [isChanged, onChange]);
	const { mutate, isPending, error } = useMutation({
		mutationFn: () => replacePermissions(policy.roleId, chosen),
		onSuccess() {
			void client.invalidateQueries();
			void message.success('权限已保存');
			onSaved();
		},
	});
	const toggle = (code: PermissionCode, isChecked: boolean) =>
		setChosen(isChecked ? [...chosen, code] : chosen.filter((each) => each !== code));
	return (
		<>
			<RefusalAlert refusal={error ? asRefusal(error) : undefined} />
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
						<Button type="primary" loading={isPending} disabled={!isChanged} onClick={() => mutate()}>
							保存
						</Button>
					</div>
				</div>
			)}
		</>
	);
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
					<Tag key={key} color="blue">
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
