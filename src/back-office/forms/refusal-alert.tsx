import { Alert } from 'antd';
import type { ReactNode } from 'react';
import type { Refusal } from '../api/refusal.ts';
import { Helpers, missingIn } from '../page/helpers.tsx';

/** Shows why a request failed, above a form or instead of data. */
export function RefusalAlert({ refusal }: { refusal: Refusal | undefined }) {
	if (!refusal) return null;
	const others = refusal.details.filter(({ message }) => message !== refusal.message);
	const missing = missingIn(refusal);
	return (
		<Alert
			type="error"
			showIcon
			role="alert"
			className="refusal"
			title={refusal.message}
			description={
				missing ? (
					<Helpers missing={missing} />
				) : (
					others.length > 0 && others.map(({ path, message }) => <div key={path}>{message}</div>)
				)
			}
		/>
	);
}

/** A sentence above what it is about. */
export function Notice({ type, children }: { type: 'success' | 'info' | 'warning' | 'error'; children: ReactNode }) {
	return <Alert type={type} showIcon className="refusal" title={children} />;
}
