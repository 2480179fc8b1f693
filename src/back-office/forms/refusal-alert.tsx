import { Alert, type AlertProps } from 'antd';
import type { ReactNode } from 'react';
import type { Refusal } from '../api/refusal.ts';
import { missingIn, WhoCanHelp } from '../page/who-can-help.tsx';

/** Shows why a request failed, above a form or instead of data. */
export function RefusalAlert({ refusal }: { refusal: Refusal | undefined }) {
	if (!refusal) return null;
	const others = refusal.details.filter(({ message }) => message !== refusal.message);
	const missing = missingIn(refusal);
	return (
		<Notice
			type="error"
			role="alert"
			description={
				missing ? (
					<WhoCanHelp missing={missing} />
				) : (
					others.length > 0 && others.map(({ path, message }) => <div key={path}>{message}</div>)
				)
			}
		>
			{refusal.message}
		</Notice>
	);
}

/** A sentence above its subject, with optional details below. */
export function Notice({ children, ...more }: Omit<AlertProps, 'title'> & { children: ReactNode }) {
	return <Alert showIcon className="refusal" {...more} title={children} />;
}
