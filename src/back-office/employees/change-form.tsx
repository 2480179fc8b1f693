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
import type { Action } from './change-actions.tsx';
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

/** Previews an action on employees, then does it. Afterwards it can be undone. */
export function ChangeForm({ action, name, chosen, onLeaveOut, onDone, ...given }: Props) {
	const own = useOwn();
	const isOwn = (id: number) => isSelf(own, id);
	const notify = useNotify();
	const showSlips = useShowSlips();
	// The caller's own account last: the others keep their places among the sent ids, by which a refusal names them.
	const [ids, setIds] = useState(() => given.ids.toSorted((a, b) => Number(isOwn(a)) - Number(isOwn(b))));
	const others = ids.filter((id) => !isOwn(id));
	const counted = (count: number) => (name === undefined ? people(count) : `“${name}”`);
	const submission = useSubmit<{ chosen?: Chosen | Chosen[] }, Changed>(act, {
		onDone({ changed, groupId, slips = [] }) {
			notify(`${counted(changed)}已${action.verb}`, groupId && <UndoButton groupId={groupId} count={changed} />);
			showSlips(slips);
			onDone?.();
		},
	});
	const selected = [Form.useWatch('chosen', submission.form) ?? []].flat();
	const names = selected.map(({ label }) => label).join('、');
	const [first = 0, ...more] = selected.map(({ value }) => value);
	const change = action.changeOf([first, ...more]);
	const { data, error, isFetching, refetch } = useQuery({
		queryKey: ['changes', action.verb, ids, change],
		queryFn: () => send(true),
		enabled: !action.field || selected.length > 0,
		staleTime: 0,
		gcTime: 0,
	});
	const refusal = error ? asRefusal(error) : submission.problem;
	const named = refusedIn(refusal?.details);
	// New passwords cannot be tried: only their refusal names people. For other changes the newest preview does.
	const refused = error || change === 'passwords' ? named : [];
	// After a preview, the change leaves out the unchanged ones.
	const rest = (data?.changed ?? ids.length) - refused.length;

	/** Makes the change. With `dryRun` it only returns what would happen. */
	async function send(dryRun: boolean): Promise<Changed> {
		if (change !== 'passwords') return changeEmployees(ids, change, dryRun);
		// The service refuses a one-time password for the caller's own account.
		const slips = dryRun ? [] : (await issuePasswords(others)).items;
		return { changed: others.length, unchanged: ids.length - others.length, slips };
	}

	function act() {
		return send(false).catch((error) => {
			// An employee changed after the preview, and a new preview says so.
			void refetch();
			throw error;
		});
	}

	function leaveOut() {
		// The last refusal names people by their places among the ids.
		submission.forget();
		const places = new Set(refused.map(({ index }) => index));
		const left = ids.filter((_, index) => !places.has(index));
		setIds(left);
		onLeaveOut?.(left);
	}

	return (
		<FormDrawer
			isSmall
			title={`${action.verb}：${counted(ids.length)}`}
			submission={{ ...submission, problem: named.length > 0 ? undefined : refusal }}
			isBlocked={isFetching || error !== null || !data?.changed}
			initialValues={chosen ? { chosen: [...chosen] } : {}}
			submitText={action.verb}
			isDangerous={action.isDangerous === true}
		>
			{action.field}
			{change !== 'passwords' && ids.some(isOwn) && <p>{name ? '这是您自己。' : '选中的员工包括您自己。'}</p>}
			{isFetching && <Working>正在检查…</Working>}
			{!isFetching && refused.length === 0 && data && <p role="status">{effectOf(action, data, counted, names)}</p>}
			{!isFetching && refused.length > 0 && (
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
			)}
		</FormDrawer>
	);
}

/** The effect of a change in a sentence, with those who stay as they are. */
function effectOf(action: Action, { changed, unchanged }: Changed, counted: typeof people, names: string): string {
	const kept = `${counted(unchanged)}${action.already}`;
	if (changed === 0) return `${kept}，没有要更改的`;
	return `${action.effect(counted(changed), names)}${unchanged > 0 ? `；另外 ${kept}，保持不变` : ''}。`;
}
