import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { App, Button, Drawer } from 'antd';
import { useEffect, useState } from 'react';
import type { PermissionPolicy } from '../../permissions/model.ts';
import { useOwn } from '../account/own.ts';
import type { Versioned } from '../api/client.ts';
import { asRefusal } from '../api/refusal.ts';
import { useHolderCount } from '../employees/holders.ts';
import { useDiscard } from '../forms/discard.ts';
import { RefusalAlert } from '../forms/refusal-alert.tsx';
import { readingTime } from '../forms/submit.ts';
import { Loaded } from '../page/loaded.tsx';
import { Problem } from '../page/problem.tsx';
import { policyOf } from './permission-queries.ts';
import { Difference, PointClashes, Points, useChoice } from './points.tsx';
import { savePolicy } from './policy-saving.ts';

/** The permission points of one role, beside the matrix; saved as one change. */
export function PolicyDrawer({ roleId, onClose }: { roleId: string | undefined; onClose(): void }) {
	const query = useQuery({ ...policyOf(roleId ?? ''), enabled: roleId !== undefined });
	const [isChanged, setChanged] = useState(false);
	const close = useDiscard({ isOpen: isChanged, isChanged: () => isChanged, onClose });
	return (
		<Drawer
			open={roleId !== undefined}
			onClose={close}
			size={560}
			destroyOnHidden
			title={query.data ? `权限：${query.data.roleName}` : '权限'}
		>
			<Loaded query={query}>
				{(policy) =>
					policy.editable ? (
						<PolicyEditor
							key={policy.roleId}
							policy={policy}
							onChange={setChanged}
							onCancel={close}
							onSaved={onClose}
						/>
					) : (
						<Problem status={404} />
					)
				}
			</Loaded>
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

function PolicyEditor({ policy, onChange, onCancel, onSaved }: EditorProps) {
	const canManage = useOwn().can('permission:manage');
	const holders = useHolderCount(`${policy.roleId}`);
	const choice = useChoice(policy);
	const { isChanged } = choice;
	useEffect(() => {
		onChange(isChanged);
		return () => onChange(false);
	}, [isChanged, onChange]);
	const client = useQueryClient();
	const { message } = App.useApp();
	const { mutate, isPending, error } = useMutation({
		mutationFn: () => savePolicy(client, policy, choice.toggles),
		onSuccess(others) {
			const text = ['权限已保存', ...others].join('。');
			void message.success(text, readingTime(text));
			onSaved();
		},
	});
	const refusal = error ? asRefusal(error) : undefined;
	return (
		<>
			<RefusalAlert refusal={refusal?.status === 412 ? undefined : refusal} />
			<PointClashes choice={choice} refusal={refusal} />
			<Points choice={choice} isReadOnly={!canManage} />
			{canManage && (
				<div className="drawer-end">
					<Difference choice={choice} holders={holders} />
					<div className="form-buttons">
						<span role="status" className="progress">
							{isPending && '正在保存…'}
						</span>
						<Button onClick={onCancel}>取消</Button>
						<Button
							type="primary"
							loading={isPending}
							disabled={!isChanged || choice.clashes.length > 0}
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
