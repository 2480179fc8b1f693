/** What an import finds, as a workbook: the file with a first column of its problems, or the list of all changes. */
import { givenWay } from '../http/steps.ts';
import { writeXlsx } from '../spreadsheet/write-xlsx.ts';
import { headingOf, type Layout } from './layout.ts';
import type { Change, Problem } from './model.ts';
import type { ImportTable } from './read-file.ts';

const title = '问题';

/** In characters: the column of problems, and those of the file. */
const widths = { title: 48, other: 16 };

/** How many rows are written in one go. */
const partSize = 200;

/** Rows in parts, between which other requests run. */
export async function* inParts<Item>(
	items: readonly Item[],
	rowOf: (item: Item) => string[],
): AsyncGenerator<string[][]> {
	for (let start = 0; start < items.length; start += partSize) {
		await givenWay();
		yield items.slice(start, start + partSize).map(rowOf);
	}
}

/** The file with its problems. */
export function markedFile(
	layout: Layout,
	{ rows, headingLine }: ImportTable,
	problems: readonly Problem[],
): AsyncGenerator<Uint8Array> {
	const byLine = Map.groupBy(problems, ({ line }) => line);
	const labelled = ({ column, reason }: Problem) =>
		column === null ? reason : `${headingOf(layout, column)}：${reason}`;
	const marked = inParts(rows, ({ line, texts }) => [
		line === headingLine ? title : (byLine.get(line)?.map(labelled).join('；') ?? ''),
		...texts,
	]);
	const width = rows.reduce((most, { texts }) => Math.max(most, texts.length), 0);
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

/** The list of all changes. */
export function changesFile(layout: Layout, changes: readonly Change[]): AsyncGenerator<Uint8Array> {
	const titles = ['行', '编号', layout.noun, '列', '修改前', '修改后'];
	async function* rows() {
		yield [titles];
		yield* inParts(changes, ({ line, id, name, column, before, after }) => [
			String(line),
			String(id),
			name,
			headingOf(layout, column),
			before ?? '',
			after ?? '',
		]);
	}
	return writeXlsx([{ name: '修改', widths: [8, 8, 16, 12, 32, 32], rows: rows() }]);
}
