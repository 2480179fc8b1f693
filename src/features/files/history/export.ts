/** The history as a spreadsheet for people: its sentences, and each change in full. */
import type { HistoryFilter, ShownRecord } from '../../../identity/history/model.ts';
import { actorIn, isEmpty, isVisible, sentenceOf, textOf, valueIn } from '../../../identity/history/sentence.ts';
import { historyInParts } from '../../../identity/history/service.ts';
import { fieldWord } from '../../../identity/history/words.ts';
import type { Db } from '../../../platform/database/open.ts';
import type { ExportFormat } from '../../../platform/http/file-answer.ts';
import { actions } from '../../../platform/vocabulary/history.ts';
import { writeTable } from '../export.ts';

const widths = [20, 16, 16, 60, 60, 16, 10];

/** The parts of a file with the records that pass a filter, newest first, with times in a zone such as `+08:00`. */
export function exportHistory(
	db: Db,
	filter: HistoryFilter,
	{ format, utcOffset }: { format: ExportFormat; utcOffset: string },
): AsyncGenerator<Uint8Array> {
	return writeTable(format, { name: '操作记录', widths, rows: rowsOf(db, filter, utcOffset) });
}

async function* rowsOf(db: Db, filter: HistoryFilter, utcOffset: string): AsyncGenerator<string[]> {
	yield [`时间（UTC${utcOffset}）`, '操作人', '操作', '内容', '改动', '来源地址', '编号'];
	for await (const part of historyInParts(db, filter)) yield* part.map((record) => rowOf(record, utcOffset));
}

function rowOf(record: ShownRecord, utcOffset: string): string[] {
	return [
		clockAt(record.at, utcOffset),
		textOf(actorIn(record)),
		actions[record.action].word,
		textOf(sentenceOf(record)),
		changesOf(record),
		record.address ?? '',
		String(record.id),
	];
}

/** A time in a zone, such as `2026-11-21 16:30:05`: read as one of the opposite zone, it moves by the distance from UTC. */
function clockAt(at: string, utcOffset: string): string {
	const opposite = utcOffset.replace(/^./, (sign) => (sign === '-' ? '+' : '-'));
	return new Date(at.replace('Z', opposite)).toISOString().slice(0, 19).replace('T', ' ');
}

function changesOf(record: ShownRecord): string {
	const text = (field: string, value: unknown) =>
		isEmpty(value) ? '（空）' : textOf(valueIn(record, field, value, Number.POSITIVE_INFINITY));
	return record.changes
		.filter(isVisible)
		.map(({ field, before, after }) => {
			return `${fieldWord(field, record.targetType)}：${text(field, before)} → ${text(field, after)}`;
		})
		.join('；');
}
