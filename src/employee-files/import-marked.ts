/** The file of an import as a workbook, with a first column that says what is wrong with each line. */
import { writeXlsx } from '../spreadsheet/write-xlsx.ts';
import { headings } from './columns.ts';
import type { ImportTable } from './import-file.ts';
import type { ImportProblem } from './model.ts';

const title = '问题';

/** In characters: the column of problems, and those of the file. */
const widths = { title: 48, other: 16 };

/** How many rows are written in one go. */
const partSize = 200;

/** The parts of the workbook. */
export function markedFile(table: ImportTable, problems: readonly ImportProblem[]): AsyncGenerator<Uint8Array> {
	const { rows, headingLine } = table;
	const byLine = Map.groupBy(problems, ({ line }) => line);
	async function* parts() {
		for (let start = 0; start < rows.length; start += partSize) {
			// Lets other requests run.
			await new Promise((resolve) => setImmediate(resolve));
			yield rows.slice(start, start + partSize).map(({ line, texts }) => {
				const found = byLine.get(line)?.map(({ column, reason }) => labelled(column, reason)) ?? [];
				return [line === headingLine ? title : found.join('；'), ...texts];
			});
		}
	}
	const width = rows.reduce((most, { texts }) => Math.max(most, texts.length), 0);
	return writeXlsx([
		{
			name: '员工',
			widths: [widths.title, ...Array<number>(width).fill(widths.other)],
			rows: parts(),
			lines: rows.map(({ line }) => line),
			heading: headingLine,
		},
	]);
}

function labelled(column: ImportProblem['column'], reason: string): string {
	return column === null ? reason : `${headings[column][0]}：${reason}`;
}
