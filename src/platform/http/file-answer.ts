/** Answers that are saved as a spreadsheet. */
import { oneOf, wholeFile } from './schema-types.ts';

export const csvType = 'text/csv';
export const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** The formats of an export. */
const exportFormats = ['xlsx', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];

const fileTypes = { csv: `${csvType}; charset=utf-8`, xlsx: xlsxType };

/** An answer in any of them, and one that is always a workbook. */
export const ExportedFile = wholeFile([xlsxType, csvType], { description: 'The file.' });
export const SpreadsheetFile = wholeFile([xlsxType], { description: 'The file.' });

/** The format of an export, in a query. */
export function exportFormat() {
	return oneOf(exportFormats, {
		error: `须为 ${exportFormats.join(' 或 ')}`,
		description: 'The format of the file; xlsx when absent.',
		examples: ['csv'],
	});
}

/** The headers of an answer that is saved as a file. */
export function fileHeaders(name: string, format: ExportFormat): Record<string, string> {
	return { 'content-type': fileTypes[format], 'content-disposition': `attachment; filename="${name}.${format}"` };
}
