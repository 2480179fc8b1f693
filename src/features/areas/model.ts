import { type Static, Type } from '@sinclair/typebox';
import { body, described, shape, uniqueName } from '../../platform/http/fields.ts';
import { timestampFields } from '../../platform/http/reply.ts';
import { because } from '../../platform/vocabulary/reasons.ts';

/** The maximum number of areas. */
export const maxAreas = 500;

/** Messages to end users about areas. */
export const areaMessages = {
	notFound: because('not_found', '区域不存在'),
	nameTaken: because('not_unique', '区域名称已存在'),
	missing: because('area_not_found', '区域不存在或已删除'),
	limitReached: because('limit_reached', `区域数量已达上限（${maxAreas} 个）`, { limit: maxAreas }),
} as const;

const optionFields = {
	id: Type.Integer({ examples: [1] }),
	name: Type.String(described('Unique among the areas that are not deleted.', '华东')),
};

/** The short form of an area, as a store shows it. */
export const AreaOption = shape('AreaOption', optionFields);

/** An area: a part of the chain with some of its stores. */
export const Area = shape('Area', {
	...optionFields,
	stores: Type.Integer(described('The number of stores, enabled or not.', 12)),
	...timestampFields,
});
export type Area = Static<typeof Area>;

/** The body of POST /api/areas and of PATCH /api/areas/:id. */
export const WriteArea = body('WriteArea', 'The editable fields of an area.', {
	name: uniqueName(30, '华东', 'No other area has it.'),
});
export type WriteArea = Static<typeof WriteArea>;
