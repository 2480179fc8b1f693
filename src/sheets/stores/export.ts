/** Stores as a spreadsheet, in the columns of an import. */
import type { Db } from '../../database/open.ts';
import type { ExportFormat } from '../../http/file-answer.ts';
import { writeCsv } from '../../spreadsheet/write-csv.ts';
import { writeXlsx } from '../../spreadsheet/write-xlsx.ts';
import type { Store } from '../../stores/model.ts';
import { findStores, type StoreFilter } from '../../stores/service.ts';
import { inParts } from '../answer-file.ts';
import { statusWords } from '../cells.ts';
import { type Column, columns, columnWidths, headings } from './columns.ts';

/** The parts of a file with the stores that pass the filter; of both statuses without one. */
export function exportStores(db: Db, filter: StoreFilter, format: ExportFormat): AsyncGenerator<Uint8Array> {
	const rows = rowsOf(db, filter);
	return format === 'csv' ? writeCsv(rows) : writeXlsx([{ name: '门店', widths: columnWidths, rows }]);
}

async function* rowsOf(db: Db, filter: StoreFilter): AsyncGenerator<string[][]> {
	yield [columns.map((column) => headings[column][0])];
	yield* inParts(findStores(db, filter), (store) => Object.values(textsOf(store)));
}

/** What stands in the columns of a store, in their order. */
export function textsOf({ id, name, address, phone, status }: Omit<Store, 'createdAt' | 'updatedAt'>) {
	return {
		id: String(id),
		name,
		address: address ?? '',
		phone: phone ?? '',
		status: statusWords[status][0],
	} satisfies Record<Column, string>;
}
