import { Alert, type AlertProps } from 'antd';
import type { ReactNode } from 'react';
import { fieldWord } from '../../identity/history/words.ts';
import type { HistoryTargetType } from '../../platform/vocabulary/history.ts';
import { changeOf, type Refusal } from '../api/refusal.ts';
import { missingIn, WhoCanHelp } from '../page/who-can-help.tsx';

interface Props {
	refusal: Refusal | undefined;
	/** The kind of the changed resource, which decides the words for its fields. */
	targetType?: HistoryTargetType | undefined;
}

/** Shows why a request failed, above a form or instead of data. */
export function RefusalAlert({ refusal, targetType }: Props) {
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
					others.length > 0 && others.map((detail) => <div key={detail.path}>{sentenceOf(detail, targetType)}</div>)
				)
			}
		>
			{refusal.message}
		</Notice>
	);
}

/** A detail as a sentence. A colleague's change needs the name of its field, which is not beside it here. */
function sentenceOf(detail: Refusal['details'][number], targetType: Props['targetType']): string {
	const { message, field, value } = detail;
	return field === undefined || value === undefined ? message : changeOf(detail, fieldWord(field, targetType), value);
}

/** A sentence above its subject, with optional details below. */
export function Notice({ children, ...more }: Omit<AlertProps, 'title'> & { children: ReactNode }) {
	return <Alert showIcon className="refusal" {...more} title={children} />;
}
