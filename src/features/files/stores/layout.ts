/** Reads the cells of stores by the rules for a single new one. */
import { storeStatuses } from '../../../platform/vocabulary/status.ts';
import { WriteArea } from '../../areas/model.ts';
import { CreateStore } from '../../stores/model.ts';
import { readField, readId, readStatus } from '../cells.ts';
import type { CellParser, Layout, ValuesOf } from '../layout.ts';
import { type StoreColumn, storeSheet } from './columns.ts';

const { name, address, phone } = CreateStore.properties;

const parsers = {
	id: readId,
	name: (text) => readField(name, text),
	address: (text) => readField(address, text || null),
	phone: (text) => readField(phone, text || null),
	status: (text) => readStatus(text, storeStatuses),
	area: (text) => (text === '' ? { value: null } : readField(WriteArea.properties.name, text)),
} satisfies Record<StoreColumn, CellParser>;

/** The values of a line. */
export type StoreValues = ValuesOf<typeof parsers>;

export const storeLayout: Layout<StoreColumn> = { ...storeSheet, parsers };
