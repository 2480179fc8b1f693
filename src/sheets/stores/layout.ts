/** How the cells of stores are read: by the rules of a single new one. */
import { CreateStore } from '../../stores/model.ts';
import { readId, readOptionalText, readStatus, readText } from '../cells.ts';
import type { ImportLine, Layout, Parser, ValuesOf } from '../layout.ts';
import { type Column, headings, requiredColumns } from './columns.ts';

const { name, address, phone } = CreateStore.properties;

const parsers = {
	id: readId,
	name: (text) => readText(name, text),
	address: (text) => readOptionalText(address, text),
	phone: (text) => readOptionalText(phone, text),
	status: readStatus,
} satisfies Record<Column, Parser>;

/** What the columns of a line hold. */
export type StoreLine = ImportLine<ValuesOf<typeof parsers>>;

/** Stores are found by their ids or, without, by their names. */
export const storeLayout: Layout<Column> = {
	kind: 'stores',
	noun: '门店',
	headings,
	required: requiredColumns,
	key: 'name',
	clearable: ['address', 'phone'],
	parsers,
};
