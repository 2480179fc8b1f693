import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, Form, type FormItemProps } from 'antd';
import type { ReactNode } from 'react';
import { asRefusal } from '../api/refusal.ts';
import { FormDrawer } from '../forms/form-drawer.tsx';
import { useOpened } from '../forms/opening.tsx';
import { Notice } from '../forms/refusal-alert.tsx';
import { Working } from '../forms/working.tsx';
import { Reasons, refusedIn } from './change-refusals.tsx';
import { UndoButton, useSayDone } from './undo-button.tsx';

/** Something that can be done with many at once. `who` are the people that it changes, `chosen` the names in its field. */
export interface BulkAction<Change> {
	verb: string;
	isDangerous?: boolean;
	/** Whether somebody who does it to themselves may regret it. */
	isRisky?: boolean;
	/** A {@link ChosenItem}, where something has to be chosen first. */
	field?: ReactNode;
	/** The change, by the ids of what was chosen. */
	changeOf(chosen: [number, ...number[]]): Change;
	effect(who: string, chosen: string): string;
	/** The state that the others have already. */
	already: string;
	done(who: string, chosen: string): string;
}

/** A store, a role or an area as a select with `labelInValue` gives it. */
export interface Chosen {
	value: number;
	label: string;
}

interface Values {
	chosen?: Chosen | Chosen[];
}

/** The field of an action. */
export function ChosenItem(props: FormItemProps<Values>) {
	return <Form.Item name="chosen" {...props} />;
}

interface Changed {
	changed: number;
	unchanged: number;
	/** The change in the history, if it can be undone. */
	groupId?: number | null;
}

export interface BulkProps<Change> {
	action: BulkAction<Change>;
	ids: readonly number[];
	/** How so many of them are called. */
	counted(count: number): string;
	/** Makes the change; with `dryRun`, it only says what would happen. */
	send(ids: readonly number[], change: Change, dryRun: boolean): Promise<Changed>;
	/** A word of caution. */
	warning?: string | undefined;
	/** The values of the field at first. */
	chosen?: readonly Chosen[] | undefined;
	/** Leaves out those who cannot be changed so. */
	onDeselect?(ids: readonly number[]): void;
	onDone?(): void;
}

/** Does something with many, once it has said what will happen; afterwards it can be undone. */
export function BulkForm<Change>({
	action,
	ids,
	counted,
	send,
	warning,
	chosen,
	onDeselect,
	onDone,
}: BulkProps<Change>) {
	const [form] = Form.useForm<Values>();
	const { onClose } = useOpened();
	const say = useSayDone();
	const taken = [Form.useWatch('chosen', form) ?? []].flat();
	const names = taken.map(({ label }) => label).join('、');
	const [first = 0, ...others] = taken.map(({ value }) => value);
	const change = action.field && taken.length === 0 ? undefined : action.changeOf([first, ...others]);
	const preview = useQuery({
		queryKey: ['changes', action.verb, ids, change],
		queryFn: () => (change === undefined ? undefined : send(ids, change, true)),
		enabled: change !== undefined,
		staleTime: 0,
		gcTime: 0,
	});
	const { mutate, isPending, error, reset } = useMutation({
		mutationFn: async () => (change === undefined ? undefined : send(ids, change, false)),
		onSuccess(answer) {
			if (!answer) return;
			const { changed, groupId } = answer;
			say(action.done(counted(changed), names), groupId && <UndoButton groupId={groupId} count={changed} />);
			onClose();
			onDone?.();
		},
		// Somebody was changed since the preview, which says so.
		onError: () => void preview.refetch(),
	});
	const failure = preview.error ?? error;
	const refusal = failure ? asRefusal(failure) : undefined;
	const refused = refusal ? refusedIn(refusal) : [];
	const problem = refused.length > 0 ? undefined : refusal;
	const isBlocked = preview.isFetching || refused.length > 0 || !preview.data?.changed;
	return (
		<FormDrawer
			isSmall
			title={`${action.verb}：${counted(ids.length)}`}
			submission={{ form, submit: () => mutate(), isPending, problem, isBlocked }}
			initialValues={chosen ? { chosen: [...chosen] } : {}}
			submitText={action.verb}
			isDangerous={action.isDangerous === true}
		>
			{action.field}
			{warning && <Notice type="warning">{warning}</Notice>}
			{preview.isFetching && <Working>正在检查…</Working>}
			{!preview.isFetching && refused.length > 0 && (
				<Notice
					type="warning"
					role="alert"
					description={
						<>
							<Reasons of={refused} />
							{othersButton()}
						</>
					}
				>
					有 {counted(refused.length)}不能这样更改
				</Notice>
			)}
			{!preview.isFetching && !refusal && preview.data && (
				<Notice type="info" role="status">
					{outcomeOf(preview.data)}
				</Notice>
			)}
		</FormDrawer>
	);

	/** What will happen, in a sentence. */
	function outcomeOf({ changed, unchanged }: Changed): string {
		if (changed === 0) return `${counted(unchanged)}${action.already}，没有要更改的`;
		const kept = unchanged > 0 ? `；另外 ${counted(unchanged)}${action.already}，保持不变` : '';
		return `${action.effect(counted(changed), names)}${kept}。`;
	}

	/** Leaves out those who are refused. */
	function othersButton(): ReactNode {
		const rest = ids.length - refused.length;
		if (!onDeselect || rest === 0) return null;
		function leaveOut() {
			reset();
			onDeselect?.(refused.flatMap(({ index }) => ids[index] ?? []));
		}
		return <Button onClick={leaveOut}>取消选择他们，只更改其余 {counted(rest)}</Button>;
	}
}
