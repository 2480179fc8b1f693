import { useQuery } from '@tanstack/react-query';
import { Button, Form } from 'antd';
import { useState } from 'react';
import type { GivenPassword } from '../../features/employees/model.ts';
import { isSelf, useOwn } from '../account/own.ts';
import { asRefusal } from '../api/refusal.ts';
import { FormDrawer } from '../forms/form-drawer.tsx';
import { Notice } from '../forms/refusal-alert.tsx';
import { useSubmit } from '../forms/submit.ts';
import { Working } from '../forms/working.tsx';
import { passesOnFocus } from '../page/focus.ts';
import { people } from '../page/texts.tsx';
import type { Action, PeopleChange } from './change-actions.tsx';
import { Reasons, refusedIn } from './change-refusals.tsx';
import { type Chosen, changeEmployees, issuePasswords } from './employee-queries.ts';
import { useShowSlips } from './slips.tsx';
import { UndoButton, useNotify } from './undo-button.tsx';

interface Changed {
	changed: number;
	unchanged: number;
	/** The change in the history, if it can be undone. */
	groupId?: number | null;
	slips?: readonly GivenPassword[];
}

/** Returns the phrase for a number of employees. */
type Counted = (count: number) => string;

interface Props {
	action: Action;
	ids: readonly number[];
	/** The name of the only employee. */
	name?: string;
	/** The initial values of the field. */
	chosen?: readonly Chosen[] | undefined;
	/** Called with the remaining employees after those who cannot be changed were left out. */
	onLeaveOut?(ids: readonly number[]): void;
	onDone?: (() => void) | undefined;
}

/** The preview of a change and the submission that makes it, with the employees that either of them refused. */
function useChange({ action, ids, onDone }: Props, counted: Counted) {
	const notify = useNotify();
	const showSlips = useShowSlips();
	const send = useSend();
	const act = () =>
		send(ids, change, false).catch((error) => {
			// An employee changed after the preview, and a new preview says so.
			void refetch();
			throw error;
		});
	const submission = useSubmit<{ chosen?: Chosen | Chosen[] }, Changed>(act, {
		onDone({ changed, groupId, slips = [] }) {
			notify(`${counted(changed)}已${action.verb}`, groupId && <UndoButton groupId={groupId} count={changed} />);
			showSlips(slips);
			onDone?.();
		},
	});
	const selected = [Form.useWatch('chosen', submission.form) ?? []].flat();
	const [first = 0, ...others] = selected.map(({ value }) => value);
	const change = action.changeOf([first, ...others]);
	const { data, error, isFetching, refetch } = useQuery({
		queryKey: ['changes', action.verb, ids, change],
		queryFn: () => send(ids, change, true),
		enabled: !action.field || selected.length > 0,
		staleTime: 0,
		gcTime: 0,
	});
	const refusal = error ? asRefusal(error) : submission.problem;
	const named = refusal ? refusedIn(refusal) : [];
	// New passwords cannot be tried: only their refusal names people. For other changes the newest preview does.
	const refused = error || change === 'passwords' ? named : [];
	return {
		submission: { ...submission, problem: named.length > 0 ? undefined : refusal },
		isBlocked: isFetching || error !== null || !data?.changed,
		/** With the names in the field. */
		preview: { data, isFetching, refused, names: selected.map(({ label }) => label).join('、') },
	};
}

type Previewed = ReturnType<typeof useChange>['preview'];

/** Previews an action on employees, then does it. Afterwards it can be undone. */
export function ChangeForm(given: Props) {
	const { action, name, chosen } = given;
	const own = useOwn();
	// The caller's own account last: the others keep their places among the sent ids, by which a refusal names them.
	const [ids, setIds] = useState(() => given.ids.toSorted((a, b) => Number(isSelf(own, a)) - Number(isSelf(own, b))));
	const counted = name === undefined ? people : () => `“${name}”`;
	const { submission, isBlocked, preview } = useChange({ ...given, ids }, counted);
	function leaveOut(refused: readonly number[]) {
		// The last refusal names people by their places among the ids.
		submission.forget();
		const rest = ids.filter((id) => !refused.includes(id));
		setIds(rest);
		given.onLeaveOut?.(rest);
	}
	return (
		<FormDrawer
			isSmall
			title={`${action.verb}：${counted(ids.length)}`}
			submission={submission}
			isBlocked={isBlocked}
			initialValues={chosen ? { chosen: [...chosen] } : {}}
			submitText={action.verb}
			isDangerous={action.isDangerous === true}
		>
			{action.field}
			{action.isRisky && ids.some((id) => isSelf(own, id)) && <p>{name ? '这是您自己。' : '选中的员工包括您自己。'}</p>}
			<Preview {...{ action, ids, counted }} {...preview} onLeaveOut={leaveOut} />
		</FormDrawer>
	);
}

/** Returns the function that makes a change. With `dryRun` it only returns what would happen. */
function useSend() {
	const own = useOwn();
	return async (ids: readonly number[], change: PeopleChange, dryRun: boolean): Promise<Changed> => {
		if (change !== 'passwords') return changeEmployees(ids, change, dryRun);
		// The service refuses a one-time password for the caller's own account.
		const others = ids.filter((id) => !isSelf(own, id));
		const slips = dryRun ? [] : (await issuePasswords(others)).items;
		return { changed: others.length, unchanged: ids.length - others.length, slips };
	};
}

interface PreviewProps extends Pick<Props, 'action' | 'ids'>, Previewed {
	counted: Counted;
	onLeaveOut(refused: readonly number[]): void;
}

/** The outcome of a change, or the refused employees. */
function Preview({ action, ids, counted, data, isFetching, refused, names, onLeaveOut }: PreviewProps) {
	if (isFetching) return <Working>正在检查…</Working>;
	if (refused.length > 0) {
		// After a preview, the change leaves out the unchanged ones.
		const rest = (data?.changed ?? ids.length) - refused.length;
		const leaveOut = () => onLeaveOut(refused.flatMap(({ index }) => ids[index] ?? []));
		return (
			<Notice
				type="warning"
				role="alert"
				description={
					<>
						<Reasons of={refused} />
						<span ref={passesOnFocus}>
							{rest > 0 && <Button onClick={leaveOut}>取消选择他们，只更改其余 {counted(rest)}</Button>}
						</span>
					</>
				}
			>
				{counted(refused.length)}不能这样更改
			</Notice>
		);
	}
	if (!data) return null;
	const { changed, unchanged } = data;
	const kept = unchanged > 0 ? `；另外 ${counted(unchanged)}${action.already}，保持不变` : '';
	return (
		<p role="status">
			{changed === 0
				? `${counted(unchanged)}${action.already}，没有要更改的`
				: `${action.effect(counted(changed), names)}${kept}。`}
		</p>
	);
}
