import { type Static, Type } from '@sinclair/typebox';
import { atLeastOne, body, flag, keyword, optionalText, paged, status, text } from '../http/fields.ts';
import { timestampFields } from '../http/reply.ts';
import { described, nullableText, shape } from '../http/schema-types.ts';

/** Messages to end users about stores. */
export const storeMessages = {
	notFound: '门店不存在',
	nameTaken: '门店名称已存在',
	hasEmployees: (count: number) => `门店下仍有 ${count} 名员工，不能删除`,
} as const;

const optionFields = {
	id: Type.Integer({ examples: [1] }),
	name: Type.String(described('Unique among the stores that are not deleted.', '人民路店')),
	address: nullableText({ examples: ['人民路 1 号'] }),
	phone: nullableText({ examples: ['021-12345678'] }),
};

/** The short form of a store, for lists to choose from. */
export const StoreOption = shape('StoreOption', optionFields);
export type StoreOption = Static<typeof StoreOption>;

/** A store. */
export const Store = shape('Store', {
	...optionFields,
	status: status('Whether the store is enabled.'),
	...timestampFields,
});
export type Store = Static<typeof Store>;

const changeable = {
	name: text(
		100,
		described('1 to 100 characters after trimming; unique among the stores that are not deleted.', '人民路店'),
	),
	address: Type.Optional(optionalText(255, '人民路 1 号')),
	phone: Type.Optional(optionalText(30, '021-12345678')),
	status: Type.Optional(status('ACTIVE or INACTIVE.')),
};

/** The body of POST /api/stores. */
export const CreateStore = body('CreateStore', 'The new store; ACTIVE unless a status is given.', changeable);
export type CreateStore = Static<typeof CreateStore>;

/** The body of PATCH /api/stores/:id. */
export const UpdateStore = atLeastOne('UpdateStore', 'What to change; at least one field.', changeable);
export type UpdateStore = Static<typeof UpdateStore>;

/** The query of GET /api/stores. */
export const StoreQuery = paged({
	includeInactive: flag('Whether disabled stores are listed too.'),
	status: status('Only stores of this status; wins over includeInactive.'),
	keyword: keyword('Part of the name, address or phone.', '人民路'),
	search: keyword('The same, or pinyin or initials of the name; in place of keyword.', 'rml'),
});
export type StoreQuery = Static<typeof StoreQuery>;
