/** How the cells of stores are read: by the rules of a single new one. */
import { storeStatuses } from '../../../platform/vocabulary/status.ts';
import { WriteArea } from '../../areas/model.ts';
import { CreateStore } from '../../stores/model.ts';
import { readId, readStatus, readText, textParsers } from '../cells.ts';
import type { CellParser, ImportLine, Layout, ValuesOf } from '../layout.ts';
import { type ReadStoreColumn, storeColumns } from './columns.ts';

const parsers = {
	...textParsers(storeColumns, CreateStore.properties),
	id: readId,
	status: (text) => readStatus(text, storeStatuses),
	area: (text) => (text === '' ? { value: null } : readText(WriteArea.properties.name, text)),
} satisfies Record<ReadStoreColumn, CellParser>;

/** What the columns of a line hold. */
export type StoreLine = ImportLine<ValuesOf<typeof parsers>>;

/** Stores are found by their ids or, without, by their names. */
export const storeLayout: Layout<ReadStoreColumn> = {
	kind: 'stores',
	noun: '门店',
	columns: storeColumns,
	key: 'name',
	parsers,
};
