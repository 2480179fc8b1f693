/** How the cells of stores are read: by the rules of a single new one. */

import { CreateStore } from '../../stores/model.ts';
import type { Status } from '../../vocabulary/status.ts';
import { readId, readOptionalText, readStatus, readText } from '../cells.ts';
import type { Layout } from '../layout.ts';
import { headings, requiredColumns } from './columns.ts';

/** What the columns of a line hold. */
export interface StoreValues {
	id: number;
	name: string;
	address: string | null;
	phone: string | null;
	status: Status;
}

const { name, address, phone } = CreateStore.properties;

/** Stores are found by their ids or, without, by their names. */
export const storeLayout: Layout<StoreValues> = {
	kind: 'stores',
	noun: '门店',
	headings,
	required: requiredColumns,
	key: 'name',
	clearable: ['address', 'phone'],
	parsers: {
		id: readId,
		name: (text) => readText(name, text),
		address: (text) => readOptionalText(address, text),
		phone: (text) => readOptionalText(phone, text),
		status: readStatus,
	},
};
