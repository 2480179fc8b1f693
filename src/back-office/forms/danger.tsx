import { MutationObserver, useQueryClient } from '@tanstack/react-query';
import { App, Button, type ButtonProps } from 'antd';
import type { ReactNode } from 'react';
import { asRefusal, type Refusal } from '../api/refusal.ts';
import { RefusalAlert } from './refusal-alert.tsx';

/** An action that runs after a person has read what it does. */
export interface Danger<Result = unknown> {
	title: string;
	/** The effect, with numbers. */
	effect: ReactNode;
	verb: string;
	run(): Promise<Result>;
	success: string;
	onDone?: (result: Result) => void;
}

interface Props<Result> extends Danger<Result> {
	isRed?: boolean;
	type?: ButtonProps['type'];
}

/** A button that asks for a confirmation, then acts. */
export function DangerButton<Result>({ isRed = false, type = 'default', ...danger }: Props<Result>) {
	const ask = useDanger();
	return (
		<Button danger={isRed} type={type} onClick={() => ask(danger)}>
			{danger.verb}
		</Button>
	);
}

/** Returns the function that asks for a confirmation, then acts. */
export function useDanger(): <Result>(danger: Danger<Result>) => void {
	const { modal, message } = App.useApp();
	const client = useQueryClient();
	return <Result,>({ title, effect, verb, run, success, onDone }: Danger<Result>) => {
		async function act(close: () => void) {
			dialog.update({ okButtonProps: { danger: true, loading: true }, content: contentOf({ isPending: true }) });
			let result: Result;
			try {
				result = await new MutationObserver(client, { mutationFn: run }).mutate();
			} catch (error) {
				// The dialog stays open and shows why it failed.
				const refusal = asRefusal(error);
				// Its text may be out of date: the page behind it shows the present state, and asks again.
				const isOutdated = refusal.status === 412;
				if (isOutdated) void client.invalidateQueries();
				const okButtonProps = { danger: true, loading: false, disabled: isOutdated };
				return dialog.update({ okButtonProps, content: contentOf({ refusal }) });
			}
			close();
			void message.success(success);
			onDone?.(result);
		}
		// The person's choices in it stay.
		const contentOf = ({ refusal, isPending = false }: { refusal?: Refusal; isPending?: boolean }) => (
			<>
				<RefusalAlert refusal={refusal} />
				{effect}
				<p role="status" className="unseen">
					{isPending && `正在${verb}…`}
				</p>
			</>
		);
		const dialog = modal.confirm({
			title,
			content: contentOf({}),
			okText: verb,
			okButtonProps: { danger: true },
			autoFocusButton: 'cancel',
			onOk: (close) => void act(close),
		});
	};
}
