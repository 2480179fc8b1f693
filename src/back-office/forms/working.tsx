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

/** Returns the function that shows why a request failed. The sign-in says itself why a session ended. */
export function useShowFailure(): (error: unknown) => void {
	const { message } = App.useApp();
	return (error) => {
		const refusal = asRefusal(error);
		if (refusal.status !== 401) void message.error(refusal.message);
	};
}

/** A button for work that can take a moment. If it fails, a message says why. */
export function WorkButton({ work, ...button }: { work(): Promise<unknown> } & ButtonProps) {
	const { mutate, isPending } = useMutation({ mutationFn: work, onError: useShowFailure() });
	return <Button {...button} loading={isPending} onClick={() => mutate()} />;
}
