import { type Static, Type } from '@sinclair/typebox';
import { integer, onlyTrue, parameters } from '../../platform/http/fields.ts';
import { described, oneOf, shape, timestamp } from '../../platform/http/schema-types.ts';
import { changeTypes } from '../../platform/vocabulary/history.ts';

/** How many items a page has when nothing is asked for, and how many requests of one account or program can wait at once. */
export const defaultLimit = 100;
export const maxWaiting = 5;

/** The query of GET /api/changes. */
export const ChangesQuery = parameters({
	after: Type.String({
		pattern: '^c[\\w-]{32}$',
		error: '须为上一次返回的 next',
		description: 'The `next` of an earlier answer. Without it the feed begins at the oldest record that is kept.',
		examples: ['cQ2g5ZVRmM2pXb1R6S3l0dgAAAAAAABJn'],
	}),
	newest: onlyTrue('Only the newest `next`, to begin with: read everything then, and go on from there.'),
	limit: integer(`The most items, 1 to 1000. ${defaultLimit} when absent.`, 100, 1000),
	wait: integer('When there is nothing new: for how many seconds to wait for it, 0 to 25. 0 when absent.', 20, 25, 0),
});
export type ChangesQuery = Static<typeof ChangesQuery>;

export const changesMessages = {
	tooManyWaiting: `同时等待的请求过多（最多 ${maxWaiting} 个），请稍后再试`,
} as const;

const ChangedThing = shape('ChangedThing', {
	id: Type.Integer(described('The id of its newest record on this page.', 4711)),
	at: timestamp({ description: 'When that was.' }),
	type: oneOf(changeTypes, described('What changed. POLICY: the codes of a role.', 'EMPLOYEE')),
	targetId: Type.Integer(described('Its id; of a policy, the id of the role.', 7)),
	deleted: Type.Boolean(described('Whether it is deleted now.', false)),
});
export type ChangedThing = Static<typeof ChangedThing>;

/** What GET /api/changes answers. */
export const Changes = shape('Changes', {
	items: Type.Array(ChangedThing, { description: 'What changed, each thing once, in the order of the ids.' }),
	next: Type.String(described('The cursor to go on from.', 'cQ2g5ZVRmM2pXb1R6S3l0dgAAAAAAABJn')),
	reset: Type.Boolean(
		described(
			'Whether the cursor is of another history or too old: read everything again, then go on from next.',
			false,
		),
	),
});
export type Changes = Static<typeof Changes>;
