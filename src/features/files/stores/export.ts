/** Stores as a spreadsheet. */
import type { Db } from '../../../platform/database/open.ts';
import type { ExportFormat } from '../../../platform/http/file-answer.ts';
import { statusLabels } from '../../../platform/vocabulary/status.ts';
import { areaNames } from '../../areas/service.ts';
import type { StoredStore, StoreFilter } from '../../stores/model.ts';
import { findStores } from '../../stores/service.ts';
import { writeSheet } from '../export.ts';
import type { StoreColumn } from './columns.ts';
import { storeLayout } from './layout.ts';

/** The parts of a file with the stores that pass the filter; without a status, stores of both. */
export function exportStores(db: Db, filter: StoreFilter, format: ExportFormat): AsyncGenerator<Uint8Array> {
	const areas = areaNames(db);
	const lines = findStores(db, filter).map((store) => textsOf(store, areas));
	return writeSheet(format, storeLayout, lines);
}

/** The texts of a store by column. */
export function textsOf(store: Omit<StoredStore, 'createdAt' | 'updatedAt'>, areas: ReadonlyMap<number, string>) {
	return {
		name: store.name,
		address: store.address ?? '',
		phone: store.phone ?? '',
		id: String(store.id),
		status: statusLabels[store.status],
		area: areas.get(store.areaId ?? 0) ?? '',
	} satisfies Record<StoreColumn, string>;
}
