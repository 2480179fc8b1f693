import { type Static, Type } from '@sinclair/typebox';
import { Employee } from '../employees/model.ts';
import { atLeastOne, body, flag, keyword, optionalText, pagingFields, status, text } from '../http/fields.ts';
import { nullableText } from '../http/kinds.ts';
import { timestampFields } from '../http/reply.ts';

const optionFields = {
	id: Type.Integer({ examples: [1] }),
	name: Type.String({ description: 'Unique among the stores that are not deleted.', examples: ['人民路店'] }),
	address: nullableText({ examples: ['人民路 1 号'] }),
	phone: nullableText({ examples: ['021-12345678'] }),
};

/** A store as lists to choose from show it (specification, section 2). */
export const StoreOption = Type.Object(optionFields, { title: 'StoreOption' });
export type StoreOption = Static<typeof StoreOption>;

const storeFields = { ...optionFields, status: status('Whether the store is enabled.'), ...timestampFields };

/** A store (section 2). */
export const Store = Type.Object(storeFields, { title: 'Store' });
export type Store = Static<typeof Store>;

/** A store with the people in it, as GET /api/stores/:id answers. */
export const StoreDetail = Type.Object({ ...storeFields, employees: Type.Array(Employee) }, { title: 'StoreDetail' });

const name = text(100, {
	description: '1 to 100 characters after trimming; unique among the stores that are not deleted.',
	examples: ['人民路店'],
});
const address = optionalText(255, {
	description: 'At most 255 characters after trimming; an empty text is stored as null.',
	examples: ['人民路 1 号'],
});
const phone = optionalText(30, {
	description: 'At most 30 characters after trimming; an empty text is stored as null.',
	examples: ['021-12345678'],
});
const newStatus = status('ACTIVE or INACTIVE.');

/** The body of POST /api/stores. */
export const CreateStore = body(
	{
		name,
		address: Type.Optional(address),
		phone: Type.Optional(phone),
		status: Type.Optional(newStatus),
	},
	'The new store; ACTIVE unless a status is given.',
);
export type CreateStore = Static<typeof CreateStore>;

/** The body of PATCH /api/stores/:id. */
export const UpdateStore = atLeastOne(
	{
		name: Type.Optional(name),
		address: Type.Optional(address),
		phone: Type.Optional(phone),
		status: Type.Optional(newStatus),
	},
	'What to change; at least one field.',
);
export type UpdateStore = Static<typeof UpdateStore>;

/** The query of GET /api/stores. */
export const StoreQuery = Type.Object({
	includeInactive: Type.Optional(flag('Whether disabled stores are listed too.')),
	status: Type.Optional(status('Only stores of this status; wins over includeInactive.')),
	keyword: Type.Optional(keyword('Part of the name, address or phone.', '人民路')),
	...pagingFields,
});
export type StoreQuery = Static<typeof StoreQuery>;
