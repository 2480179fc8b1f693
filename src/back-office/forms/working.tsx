import { useMutation } from '@tanstack/react-query';
import { App, Button, type ButtonProps, Spin } from 'antd';
import type { ReactNode } from 'react';
import { asRefusal } from '../api/refusal.ts';

/** Shows the work in progress. */
export function Working({ children }: { children: ReactNode }) {
	return (
		<div className="line">
			<Spin size="small" />
			<span role="status">{children}</span>
		</div>
	);
}

/** A button for work that can take a moment. If it fails, a message says why. */
export function WorkButton({ work, ...button }: { work(): Promise<unknown> } & ButtonProps) {
	const { message } = App.useApp();
	const { mutate, isPending } = useMutation({
		mutationFn: work,
		onError: (error) => void message.error(asRefusal(error).message),
	});
	return <Button {...button} loading={isPending} onClick={() => mutate()} />;
}
