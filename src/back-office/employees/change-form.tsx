import { useMutation, useQuery } from '@tanstack/react-query';
import { Alert, Button, Form } from 'antd';
import type { ReactNode } from 'react';
import { useOwn } from '../account/own.ts';
import { asRefusal, type Refusal } from '../api/refusal.ts';
import { FormDrawer } from '../forms/form-drawer.tsx';
import { Notice, RefusalAlert } from '../forms/refusal-alert.tsx';
import { Working } from '../forms/working.tsx';
import { people } from '../page/texts.tsx';
import { type Action, type ChangeValues, chosenNames } from './change-actions.tsx';
import { Reasons, refusedIn } from './change-refusals.tsx';
import { ChoicesAlert } from './choices-alert.tsx';
import { assignableChoices, changeEmployees, issuePasswords } from './employee-queries.ts';
import { useShowSlips } from './slips.tsx';
import type { Undoable } from './undo-button.tsx';

/** A finished change, and how to undo it. */
export interface Done {
	text: string;
	undoable?: Undoable | false;
}

/** The employees to change, and the callbacks. */
export interface ChangeProps {
	action: Action;
	ids: readonly number[];
	/** Leaves out those who cannot be changed so. */
	onDeselect(ids: readonly number[]): void;
	onDone(done: Done): void;
}

/** Does something with many employees, once it has said what will happen. */
export function ChangeForm({ action, ids, onDeselect, onDone }: ChangeProps) {
	const { user } = useOwn();
	const isOwn = user.accountType === 'EMPLOYEE' && ids.includes(user.id);
	const [form] = Form.useForm<ChangeValues>();
	const values: ChangeValues = Form.useWatch([], form) ?? {};
	const { data: choices = { stores: [], roles: [] }, isPending: isLoading } = useQuery(assignableChoices);
	const change = action.changeOf(values);
	const chosen = chosenNames(choices, values);
	const preview = useQuery({
		queryKey: ['changes', ids, change],
		queryFn: () => change && changeEmployees(ids, change, true),
		enabled: change !== undefined,
		staleTime: 0,
		gcTime: 0,
	});
	const { mutate, isPending, error } = useMutation({
		mutationFn: async () => change && (await changeEmployees(ids, change)),
		onSuccess(answer) {
			if (answer) {
				const { changed, groupId } = answer;
				const undoable = !action.isFinal && groupId !== null && { groupId, count: changed };
				onDone({ text: action.done(changed, chosen), undoable });
			}
		},
		// Somebody was changed since the preview, which says so.
		onError: () => void preview.refetch(),
	});
	const isReady = !preview.isFetching && preview.data !== undefined && preview.data.changed > 0;
	const refusal = preview.error ? asRefusal(preview.error) : undefined;
	const isTold = refusal !== undefined && refusedIn(refusal).length > 0;
	return (
		<FormDrawer
			isSmall
			title={`${action.verb}：${people(ids.length)}`}
			submission={{
				form,
				submit: () => mutate(),
				isPending,
				problem: isTold || !error ? undefined : asRefusal(error),
				isBlocked: !isReady,
			}}
			submitText={action.verb}
			isDangerous={action.isDangerous === true}
		>
			{action.Field && <ChoicesAlert />}
			{action.Field && <action.Field choices={choices} isLoading={isLoading} />}
			{action.isRisky && isOwn && <Notice type="warning">选中的员工包括您自己</Notice>}
			{change && (
				<Preview isPending={preview.isFetching} refusal={refusal} ids={ids} onDeselect={onDeselect}>
					{preview.data && describe(action, preview.data, chosen)}
				</Preview>
			)}
		</FormDrawer>
	);
}

function describe(
	{ effect, already }: Action,
	{ changed, unchanged }: { changed: number; unchanged: number },
	chosen: string,
) {
	if (changed === 0) return `${people(unchanged)}${already}，没有要更改的`;
	return `${effect(changed, chosen)}${unchanged > 0 ? `；另外 ${people(unchanged)}${already}，保持不变` : ''}。`;
}

interface PreviewProps extends Pick<ChangeProps, 'ids' | 'onDeselect'> {
	isPending: boolean;
	refusal: Refusal | undefined;
	children: ReactNode;
}

/** The effect of the change, or the employees that block it. */
export function Preview({ isPending, refusal, ids, onDeselect, children }: PreviewProps) {
	if (isPending) return <Working>正在检查…</Working>;
	if (!refusal) return <Alert type="info" showIcon role="status" title={children} />;
	const refused = refusedIn(refusal);
	if (refused.length === 0) return <RefusalAlert refusal={refusal} />;
	const refusedIds = refused.flatMap(({ index }) => ids[index] ?? []);
	const rest = ids.length - refusedIds.length;
	return (
		<Alert
			type="warning"
			showIcon
			role="alert"
			title={`有 ${people(refused.length)}不能这样更改`}
			description={
				<>
					<Reasons of={refused} />
					{rest > 0 && <Button onClick={() => onDeselect(refusedIds)}>取消选择他们，只更改其余 {people(rest)}</Button>}
				</>
			}
		/>
	);
}

/** Gives everybody who is selected a one-time password, and shows them once. */
export function ResetPasswords({ ids, onDeselect, onDone }: Omit<ChangeProps, 'action'>) {
	const [form] = Form.useForm<object>();
	const showSlips = useShowSlips();
	const { mutate, isPending, error, reset } = useMutation({
		mutationFn: () => issuePasswords(ids),
		onSuccess({ items }) {
			onDone({ text: `${people(items.length)}的密码已重置` });
			showSlips(items);
		},
	});
	return (
		<FormDrawer
			isSmall
			title={`重置密码：${people(ids.length)}`}
			submission={{ form, submit: () => mutate(), isPending, problem: undefined, isBlocked: error !== null }}
			submitText="重置密码"
			isDangerous
		>
			<Preview
				isPending={false}
				refusal={error ? asRefusal(error) : undefined}
				ids={ids}
				onDeselect={(refused) => {
					reset();
					onDeselect(refused);
				}}
			>
				将为 {people(ids.length)}各生成一个一次性密码，7 天内有效。原密码和他们在所有设备上的登录立即失效。
			</Preview>
		</FormDrawer>
	);
}
