/** Stores as a spreadsheet, in the columns of an import. */

import type { Db } from '../../../platform/database/open.ts';
import type { ExportFormat } from '../../../platform/http/file-answer.ts';
import { areaNames } from '../../areas/service.ts';
import type { StoredStore } from '../../stores/model.ts';
import { findStores, type StoreFilter } from '../../stores/service.ts';
import { statusWords, textsIn } from '../cells.ts';
import { headingsOf, rowOf, widthsOf } from '../columns.ts';
import { writeTable } from '../formats/write-table.ts';
import { type StoreColumn, storeColumns } from './columns.ts';

/** The parts of a file with the stores that pass the filter; of both statuses without one. */
export function exportStores(db: Db, filter: StoreFilter, format: ExportFormat): AsyncGenerator<Uint8Array> {
	return writeTable(format, { name: '门店', widths: widthsOf(storeColumns), rows: rowsOf(db, filter) });
}

function* rowsOf(db: Db, filter: StoreFilter): Generator<string[]> {
	yield headingsOf(storeColumns);
	const areas = areaNames(db);
	for (const store of findStores(db, filter)) yield rowOf(storeColumns, textsOf(store, areas));
}

/** What stands in the columns of a store. */
export function textsOf(store: Omit<StoredStore, 'createdAt' | 'updatedAt'>, areas: ReadonlyMap<number, string>) {
	return {
		...textsIn(storeColumns, store),
		id: String(store.id),
		status: statusWords[store.status][0],
		area: areas.get(store.areaId ?? 0) ?? '',
	} satisfies Record<StoreColumn, string>;
}
