/** Who and what a record of the history names. */
import type { HistoryRecord } from '../../history/model.ts';
import { actorWords, targetWords } from './words.ts';

/** What it was done to. */
export function Target({ record: { targetType, targetName } }: { record: HistoryRecord }) {
	if (targetType === null) return <span className="absent">—</span>;
	return `${targetWords[targetType]} ${targetName ?? ''}`;
}

/** Who did it. */
export function Actor({ record: { actorType, actorName } }: { record: HistoryRecord }) {
	return `${actorName}（${actorWords[actorType]}）`;
}
