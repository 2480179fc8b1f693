/** Exports in the columns of an import, so that an exported file can be imported as it is. */
import type { ExportFormat } from '../../platform/http/file-answer.ts';
import { headingsOf, widthsOf } from './columns.ts';
import { writeTable } from './formats/write-table.ts';
import type { Layout } from './layout.ts';

/** The parts of a file with these lines. */
export function writeSheet(
	format: ExportFormat,
	{ noun, columns }: Layout,
	lines: Iterable<Readonly<Record<string, string>>>,
): AsyncGenerator<Uint8Array> {
	const names = Object.keys(columns);
	function* rows(): Generator<string[]> {
		yield headingsOf(columns);
		for (const texts of lines) yield names.map((name) => texts[name] ?? '');
	}
	return writeTable(format, { name: noun, widths: widthsOf(columns), rows: rows() });
}
