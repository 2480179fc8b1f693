import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { App, Button, Drawer, Skeleton } from 'antd';
import { useEffect, useState } from 'react';
import type { PermissionPolicy } from '../../permissions/model.ts';
import { useOwn } from '../account/own.ts';
import type { Versioned } from '../api/client.ts';
import { asRefusal } from '../api/refusal.ts';
import { useHolderCount } from '../employees/holders.ts';
import { useDiscard } from '../forms/discard.ts';
import { RefusalAlert } from '../forms/refusal-alert.tsx';
import { readingTime } from '../forms/submit.ts';
import { Problem } from '../page/problem.tsx';
import { policyOf, type Titles } from './permission-queries.ts';
import { type Choice, Difference, PointClashes, Points, useChoice, useTitles } from './points.tsx';
import { savePolicy } from './policy-saving.ts';

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

function PolicyEditor({ policy, onChange, onCancel, onSaved }: EditorProps) {
	const canManage = useOwn().can('permission:manage');
	const holders = useHolderCount(`${policy.roleId}`);
	const choice = useChoice(policy);
	const titles = useTitles();
	const { isChanged } = choice;
	useEffect(() => {
		onChange(isChanged);
		return () => onChange(false);
	}, [isChanged, onChange]);
	const { mutate, isPending, error } = useSave(policy, choice, titles, onSaved);
	const refusal = error ? asRefusal(error) : undefined;
	return (
		<>
			<RefusalAlert refusal={refusal?.status === 412 ? undefined : refusal} />
			<PointClashes choice={choice} titles={titles} refusal={refusal} />
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

function useSave(policy: Versioned<PermissionPolicy>, { toggles }: Choice, titles: Titles, onSaved: () => void) {
	const client = useQueryClient();
	const { message } = App.useApp();
	return useMutation({
		mutationFn: () => savePolicy(client, policy, toggles, titles),
		onSuccess(others) {
			const text = ['权限已保存', ...others].join('。');
			void message.success(text, readingTime(text));
			onSaved();
		},
	});
}
