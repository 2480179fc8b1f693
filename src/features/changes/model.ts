import { type Static, Type } from '@sinclair/typebox';
import { described, integer, oneOf, onlyTrue, parameters, shape, timestamp } from '../../platform/http/fields.ts';
import { changeTypes } from '../../platform/vocabulary/history.ts';
import { because } from '../../platform/vocabulary/reasons.ts';

/** The default size of a page, and the maximum number of waiting requests of one account or program. */
export const defaultLimit = 100;
export const maxWaiting = 5;

/** The query of GET /api/changes. */
export const ChangesQuery = parameters({
	after: Type.String({
		pattern: '^c[\\w-]{32}$',
		error: '须为上一次返回的 next',
		description:
			'The `next` of an earlier answer. Without it the feed begins at the first record; if old records were removed, the ' +
			'answer is `reset`.',
		examples: ['cQ2g5ZVRmM2pXb1R6S3l0dgAAAAAAABJn'],
	}),
	newest: onlyTrue('Only the newest `next`, for the first run: then read everything, and continue from this cursor.'),
	limit: integer(`The most items, 1 to 1000. ${defaultLimit} when absent.`, 100, 1000),
	wait: integer('The seconds to wait for a change when there is none yet, 0 to 25. 0 when absent.', 20, 25, 0),
});
export type ChangesQuery = Static<typeof ChangesQuery>;

export const changesMessages = {
	tooManyWaiting: because('too_many_waiting', `同时等待的请求过多（最多 ${maxWaiting} 个），请稍后再试`, {
		limit: maxWaiting,
	}),
} as const;

const ChangedThing = shape('ChangedThing', {
	id: Type.Integer(described('The id of the newest record on this page.', 4711)),
	at: timestamp({ description: 'The time of that record.' }),
	type: oneOf(changeTypes, described('The kind of the changed thing. POLICY: the permissions of a role.', 'EMPLOYEE')),
	targetId: Type.Integer(described('The id of the changed thing; for a policy, the id of the role.', 7)),
	deleted: Type.Boolean(described('Whether it is deleted now.', false)),
});
export type ChangedThing = Static<typeof ChangedThing>;

/** The answer of GET /api/changes. */
export const Changes = shape('Changes', {
	items: Type.Array(ChangedThing, { description: 'The changed things, each once, in the order of the ids.' }),
	next: Type.String(described('The cursor for the next request.', 'cQ2g5ZVRmM2pXb1R6S3l0dgAAAAAAABJn')),
	reset: Type.Boolean(
		described(
			'Whether the cursor is from another history or too old: read everything again, then continue from next.',
			false,
		),
	),
});
export type Changes = Static<typeof Changes>;
