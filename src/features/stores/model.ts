import { type Static, Type } from '@sinclair/typebox';
import {
	atLeastOne,
	beyondExamples,
	body,
	choice,
	described,
	flag,
	integer,
	keyword,
	nullableInteger,
	nullableText,
	optionalId,
	optionalText,
	paged,
	parameters,
	shape,
	uniqueIds,
	uniqueName,
} from '../../platform/http/fields.ts';
import { timestampFields } from '../../platform/http/reply.ts';
import { because } from '../../platform/vocabulary/reasons.ts';
import { storeStatuses } from '../../platform/vocabulary/status.ts';
import { AreaOption } from '../areas/model.ts';

/** The maximum number of stores: their lists are read and searched as a whole. */
export const maxStores = 20_000;

const maxStoresAtOnce = 1000;

/** The reason why a store takes no employees. */
export type StoreProblem = 'store_not_found' | 'store_inactive' | 'store_is_own';

/** Messages to end users about stores. */
export const storeMessages = {
	notFound: because('not_found', '门店不存在'),
	nameTaken: because('not_unique', '门店名称已存在'),
	limitReached: because('limit_reached', `门店数量已达上限（${maxStores} 个）`, { limit: maxStores }),
	areaIsGiven: because('area_given', '该区域已有员工负责，须长期负责该门店才能加入'),
	noneChanged: (count: number) => because('some_refused', `有 ${count} 家门店不能更改，因此没有做任何更改`, { count }),
	hasEmployees: (count: number) => because('in_use', `门店下仍有 ${count} 名员工，不能删除`, { count }),
} as const;

const optionFields = {
	id: Type.Integer({ examples: [1] }),
	name: Type.String(described('Unique among the stores that are not deleted.', '人民路店')),
	address: nullableText({ examples: ['人民路 1 号'] }),
	phone: nullableText({ examples: ['021-12345678'] }),
	area: beyondExamples(
		Type.Optional(
			Type.Union([AreaOption, Type.Null()], { description: 'Its area; null without one. Only with include=area.' }),
		),
	),
};

/** The short form of a store, for lists to choose from. */
export const StoreOption = shape('StoreOption', optionFields);
export type StoreOption = Static<typeof StoreOption>;

/** A store. */
export const Store = shape('Store', {
	...optionFields,
	status: choice(storeStatuses, 'Whether it is enabled.'),
	...timestampFields,
});
export type Store = Static<typeof Store>;

/** A stored store. */
export type StoredStore = Omit<Store, 'area'> & { areaId: number | null };

const changeable = {
	name: uniqueName(100, '人民路店', 'No other store has it.'),
	address: Type.Optional(optionalText(255, '人民路 1 号')),
	phone: Type.Optional(optionalText(30, '021-12345678')),
	status: Type.Optional(choice(storeStatuses, 'ACTIVE or INACTIVE.')),
	areaId: beyondExamples(Type.Optional(optionalId('The id of its area; null for none.'))),
};

/** The body of POST /api/stores. */
export const CreateStore = body('CreateStore', 'The new store; ACTIVE unless a status is given.', changeable);
export type CreateStore = Static<typeof CreateStore>;

/** The fields of a new store that a request leaves out. */
export const newStore: Required<Omit<CreateStore, 'name'>> = {
	address: null,
	phone: null,
	status: 'ACTIVE',
	areaId: null,
};

/** The body of PATCH /api/stores/:id. */
export const UpdateStore = atLeastOne('UpdateStore', changeable);
export type UpdateStore = Static<typeof UpdateStore>;

/** The additions to a store that its query or that of a list can ask for. */
export const include = { include: choice(['area'], 'Adds the area of each store.') };

/** The query of a list without pages. */
export const IncludeQuery = parameters(include);

/** The query of GET /api/stores, and of one page. */
export const StoreQuery = paged({
	includeInactive: flag('Whether to include disabled stores; has no effect with status.'),
	status: choice(storeStatuses, 'Only stores of this status.'),
	keyword: keyword('Part of the name, address or phone.', '人民路'),
	search: keyword('The same, or pinyin or initials of the name; in place of keyword.', 'rml'),
	areaId: integer('Only stores of this area.', 1),
	...include,
});
export type StoreQuery = Static<typeof StoreQuery>;

/** The filter in a query of GET /api/stores; without a status, stores of both. */
export function readFilter({ page, pageSize, includeInactive, include, ...filter }: StoreQuery) {
	return filter;
}
export type StoreFilter = ReturnType<typeof readFilter>;

/** The body of POST /api/stores/changes. */
export const ChangeStores = body('ChangeStores', 'The stores to change, and the change.', {
	ids: uniqueIds(maxStoresAtOnce, '门店', 'stores'),
	change: body('StoresChange', 'The change for each store.', { areaId: optionalId('Their area; null for none.') }),
});
export type ChangeStores = Static<typeof ChangeStores>;

/** The answer of POST /api/stores/changes. */
export const ChangedStores = shape('ChangedStores', {
	changed: Type.Integer(described('The number of changed stores; with dryRun, of stores that would change.', 12)),
	unchanged: Type.Integer(described('The number of stores that need no change; they get no record.', 3)),
	groupId: nullableInteger(described('The id of the change in the history; null without a change.', 4)),
});
export type ChangedStores = Static<typeof ChangedStores>;
