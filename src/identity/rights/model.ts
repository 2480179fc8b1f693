import { type Static, Type } from '@sinclair/typebox';
import { body, described, id, nullableDay, shape } from '../../platform/http/fields.ts';
import { invalidRequest } from '../../platform/http/reply.ts';
import { because } from '../../platform/vocabulary/reasons.ts';

/** The maximum number of stores and areas given to one employee. */
const maxReachOfOne = 50;

/** The stores and areas given to an employee besides their own store. */
export const Reach = shape('Reach', {
	stores: Type.Array(
		Type.Object({
			storeId: Type.Integer({ examples: [2] }),
			storeName: Type.String({ examples: ['人民路店'] }),
			until: nullableDay('The last day; null: for good.'),
		}),
		{ description: 'Stores by themselves, by id.' },
	),
	areas: Type.Array(
		Type.Object({
			areaId: Type.Integer({ examples: [1] }),
			areaName: Type.String({ examples: ['华东'] }),
			stores: Type.Integer(described('The present number of stores.', 12)),
			until: nullableDay('The last day; null: for good.'),
		}),
		{ description: 'Areas with all their stores, by id.' },
	),
});
export type Reach = Static<typeof Reach>;

/** The last day of something given to an employee, in a request. */
export const until = Type.Optional(
	nullableDay(
		"The last day, today or later; it ends with that day in the machine's time zone. Absent or null: for good.",
	),
);

const StoreEntry = Type.Object({ storeId: id("The id of an enabled store other than the employee's own.", 2), until });
const AreaEntry = Type.Object({ areaId: id('The id of an area.'), until });

const limited = { maxItems: maxReachOfOne, error: `须为最多 ${maxReachOfOne} 项的数组` };

/** The body of PUT /api/employees/:id/reach. */
export const ReplaceReach = body(
	'ReplaceReach',
	`The complete new reach, at most ${maxReachOfOne} entries in both lists together.`,
	{
		stores: Type.Array(StoreEntry, { ...limited, description: 'Stores, each once.', examples: [[]] }),
		areas: Type.Array(AreaEntry, {
			...limited,
			description: 'Areas, each once.',
			examples: [[{ areaId: 1, until: '2999-11-30' }]],
		}),
	},
);
type ReplaceReach = Static<typeof ReplaceReach>;

/** Removes values that are not lists. Elysia copies lists of objects before the check, which makes a text an empty list. */
export function ignoreNonArrays({ body }: { body: unknown }): void {
	const lists = body as Record<string, unknown> | null;
	for (const name of ['stores', 'areas']) if (lists && !Array.isArray(lists[name])) delete lists[name];
}

/** A store or an area given to an employee. */
export interface ReachEntry {
	type: 'STORE' | 'AREA';
	id: number;
	/** The last day; null: for good. */
	until: string | null;
}

/** The stores and then the areas of a request in one list. @throws AppError VALIDATION_ERROR when it is too long. */
export function readEntries({ stores, areas }: ReplaceReach): ReachEntry[] {
	if (stores.length + areas.length > maxReachOfOne) {
		const reason = because('too_many', `门店和区域一共最多 ${maxReachOfOne} 项`, { limit: maxReachOfOne });
		throw invalidRequest([{ path: 'body', ...reason }]);
	}
	return [
		...stores.map(({ storeId, until = null }) => ({ type: 'STORE', id: storeId, until }) as const),
		...areas.map(({ areaId, until = null }) => ({ type: 'AREA', id: areaId, until }) as const),
	];
}
