import { Alert } from 'antd';
import type { Refusal } from '../api/refusal.ts';

/** Shows why a request failed, above a form or instead of data. */
export function RefusalAlert({ refusal }: { refusal: Refusal | undefined }) {
	if (!refusal) return null;
	const others = refusal.details.filter(({ message }) => message !== refusal.message);
	return (
		<Alert
			type="error"
			showIcon
			role="alert"
			className="refusal"
			title={refusal.message}
			description={others.length > 0 && others.map(({ path, message }) => <div key={path}>{message}</div>)}
		/>
	);
}
