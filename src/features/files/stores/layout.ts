/** Reads the cells of stores by the rules for a single new one. */
import { storeStatuses } from '../../../platform/vocabulary/status.ts';
import { WriteArea } from '../../areas/model.ts';
import { CreateStore } from '../../stores/model.ts';
import { readId, readStatus, readText } from '../cells.ts';
import type { CellParser, Layout, ValuesOf } from '../layout.ts';
import { type StoreColumn, storeSheet } from './columns.ts';

const { name, address, phone } = CreateStore.properties;

const parsers = {
	id: readId,
	name: (text) => readText(name, text),
	address: (text) => readText(address, text || null),
	phone: (text) => readText(phone, text || null),
	status: (text) => readStatus(text, storeStatuses),
	area: (text) => (text === '' ? { value: null } : readText(WriteArea.properties.name, text)),
} satisfies Record<StoreColumn, CellParser>;

/** The values of a line. */
export type StoreValues = ValuesOf<typeof parsers>;

export const storeLayout: Layout<StoreColumn> = { ...storeSheet, parsers };
