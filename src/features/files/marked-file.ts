/** The findings of an import as a workbook: the file with its problems in a first column, or the list of all changes. */
import { shownIn } from './formats/sheet.ts';
import { writeXlsx } from './formats/write-xlsx.ts';
import { headingOf, type Layout } from './layout.ts';
import type { FieldChange, Problem } from './model.ts';
import type { ImportPlan } from './plan.ts';
import type { ImportRows } from './read-lines.ts';

const title = '问题';

/** The widths of the column of problems and of the others, in characters. */
const widths = { title: 48, other: 16 };

/** The findings of an import. */
export type FileFindings = Pick<ImportPlan, 'problems' | 'fieldChanges'>;

/** The file with its problems or, without any and with another mode than `add`, the list of all changes. */
export function findingsFile(
	layout: Layout,
	file: ImportRows,
	{ problems, fieldChanges }: FileFindings,
): AsyncGenerator<Uint8Array> {
	if (file.table.mode !== 'add' && problems.length === 0) return changesFile(layout, fieldChanges);
	return markedFile(layout, file, problems);
}

function markedFile(layout: Layout, { rows, table: { headingLine } }: ImportRows, problems: readonly Problem[]) {
	const byLine = Map.groupBy(problems, ({ line }) => line);
	const describe = ({ column, reason }: Problem) =>
		column === null ? reason.message : `${headingOf(layout.columns, column)}：${reason.message}`;
	const marked = rows.map(({ line, cells }) => [
		line === headingLine ? title : (byLine.get(line)?.map(describe).join('；') ?? ''),
		...Array.from(cells, shownIn),
	]);
	const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
	return writeXlsx([
		{
			name: layout.noun,
			widths: [widths.title, ...Array<number>(width).fill(widths.other)],
			rows: marked,
			lines: rows.map(({ line }) => line),
			heading: headingLine,
		},
	]);
}

function changesFile(layout: Layout, changes: readonly FieldChange[]): AsyncGenerator<Uint8Array> {
	const titles = ['行', '编号', layout.noun, '列', '修改前', '修改后'];
	const rows = changes.map(({ line, id, name, column, before, after }) => [
		String(line),
		String(id),
		name,
		headingOf(layout.columns, column),
		before ?? '',
		after ?? '',
	]);
	return writeXlsx([{ name: '修改', widths: [8, 8, 16, 12, 32, 32], rows: [titles, ...rows] }]);
}
