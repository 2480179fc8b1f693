import { useMutation } from '@tanstack/react-query';
import { App, Button, type ButtonProps } from 'antd';
import type { ReactNode } from 'react';
import { answer, api } from '../api/client.ts';
import { asRefusal } from '../api/refusal.ts';
import { passesOnFocus } from '../page/focus.ts';
import { numberOf, people } from '../page/texts.tsx';
import { Reasons, refusedIn } from './change-refusals.tsx';

/** A change in the history, and the number of employees in it. */
interface Props extends Pick<ButtonProps, 'size'> {
	groupId: number;
	count: number;
	onDone?(): void;
	/** Whether the change closed a store, which the undo enables again. */
	isClosing?: boolean;
}

/** The number of messages so far, by their topic. A message replaces the last one of its topic. */
const counts = { change: 0, lead: 0 };

/** Returns the function that shows what was done, with an undo button, until the person closes it. */
export function useNotify(topic: keyof typeof counts = 'change'): (title: string, undo?: ReactNode) => void {
	const { notification } = App.useApp();
	return (title, undo) => {
		// With the key of the last message, a message that has to stay would inherit its timer and close too early.
		notification.destroy(`${topic} ${counts[topic]}`);
		counts[topic] += 1;
		const options = { placement: 'bottom', actions: undo, duration: undo ? 0 : 4.5 } as const;
		notification.success({ key: `${topic} ${counts[topic]}`, title, ...options });
	};
}

/** Undoes a change of many employees. If some cannot be changed back, it offers to undo the rest. */
export function UndoButton({ groupId, count, onDone, isClosing = false, size = 'middle' }: Props) {
	const { modal } = App.useApp();
	const notify = useNotify();
	const { mutateAsync, isPending } = useMutation({
		mutationFn: (skipRefused: boolean) =>
			answer(api.employees.changes({ groupId }).undo.post(undefined, { query: { others: skipRefused } })),
		onSuccess({ changed }) {
			notify(isClosing ? `门店已启用，${people(changed)}已调回` : `已撤销对 ${people(changed)}的更改`);
			onDone?.();
		},
		onError(error, skipRefused) {
			const refusal = asRefusal(error);
			// The sign-in says why the session ended.
			if (refusal.status === 401) return;
			const refused = refusedIn(refusal.details);
			const content = (
				<>
					{refusal.message}
					{refused.length > 0 && <Reasons of={refused} />}
				</>
			);
			const rest = skipRefused ? 0 : count - refused.length;
			if (refused.length === 0 || rest <= 0) return void modal.error({ title: '不能撤销', content, okText: '知道了' });
			void modal.confirm({
				title: '不能撤销全部更改',
				content,
				okText: `撤销其余 ${numberOf(rest)} 名`,
				cancelText: '不撤销',
				onOk: () => mutateAsync(true).catch(() => undefined),
			});
		},
	});
	return (
		<span ref={passesOnFocus}>
			<Button size={size} loading={isPending} onClick={() => void mutateAsync(false).catch(() => undefined)}>
				撤销
			</Button>
		</span>
	);
}
