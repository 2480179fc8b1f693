import { type Static, Type } from '@sinclair/typebox';
import { integer, keyword, pagingFields } from '../http/fields.ts';
import { fieldValue, nullableInteger, nullableOneOf, nullableText, oneOf } from '../http/kinds.ts';
import { historyActions, historyActorTypes, historyTargetTypes, refusalReasons } from '../vocabulary/history.ts';
import { instantPattern } from './instant.ts';

const Change = Type.Object(
	{
		field: Type.String({ examples: ['status'] }),
		before: fieldValue({ description: 'The value before; null when there was none.', examples: ['ACTIVE'] }),
		after: fieldValue({ description: 'The value after; null when there is none.', examples: ['INACTIVE'] }),
	},
	{ title: 'HistoryChange' },
);

/** One record of the history. */
export const HistoryRecord = Type.Object(
	{
		id: Type.Integer({ examples: [4711] }),
		at: Type.String({
			format: 'date-time',
			description: 'When it happened, in UTC with milliseconds; never before the record before it.',
			examples: ['2026-11-21T08:30:00.000Z'],
		}),
		action: oneOf(historyActions, { description: 'What happened.', examples: ['EMPLOYEE_UPDATE'] }),
		actorType: oneOf(historyActorTypes, {
			description:
				'Who did it: an account, ANONYMOUS for sign-ins with a name that no account has and for those of VARIOUS, ' +
				'OPERATOR for whoever ran a command on the machine.',
			examples: ['SUPER_ADMIN'],
		}),
		actorId: nullableInteger({ description: 'The id of the account; null when it was none.', examples: [1] }),
		actorName: Type.String({ description: 'His name at that time.', examples: ['admin'] }),
		address: nullableText({ description: 'Where the request came from.', examples: ['192.0.2.17'] }),
		requestId: nullableText({
			description: 'The X-Request-Id of the answer, as it is in the log.',
			examples: ['3f2a9c1e-42'],
		}),
		targetType: nullableOneOf(historyTargetTypes, {
			description: 'What it was done to.',
			examples: ['EMPLOYEE'],
		}),
		targetId: nullableInteger({ description: 'The id of what it was done to.', examples: [7] }),
		targetName: nullableText({ description: 'Its name at that time.', examples: ['王芳'] }),
		changes: Type.Array(Change, {
			description: 'The fields that changed, none when they were so already; never a password.',
		}),
		reason: nullableOneOf(refusalReasons, {
			description: 'Why a sign-in was refused; VARIOUS for those that were too many to be told apart.',
			examples: [null],
		}),
		count: Type.Integer({
			description: 'How many times it happened: refused sign-ins of one kind are told together.',
			examples: [1],
		}),
	},
	{ title: 'HistoryRecord' },
);
export type HistoryRecord = Static<typeof HistoryRecord>;

const instant = (description: string) =>
	Type.String({
		pattern: instantPattern,
		error: '须为 ISO 8601 日期或时间，如 2026-11-21 或 2026-11-21T08:30:00Z',
		description: `${description} A date (then midnight UTC), or a time with Z or an offset.`,
		examples: ['2026-11-21T00:00:00Z'],
	});

/** The query of GET /api/history. */
export const HistoryQuery = Type.Object({
	actorType: Type.Optional(
		oneOf(historyActorTypes, { error: `须为 ${historyActorTypes.join('、')} 之一`, description: 'Who did it.' }),
	),
	actorId: Type.Optional(integer('The id of the account that did it; goes with actorType.', 1)),
	action: Type.Optional(
		oneOf(historyActions, { error: `须为以下操作之一：${historyActions.join('、')}`, description: 'What happened.' }),
	),
	targetType: Type.Optional(
		oneOf(historyTargetTypes, {
			error: `须为 ${historyTargetTypes.join('、')} 之一`,
			description: 'What it was done to.',
		}),
	),
	targetId: Type.Optional(integer('The id of what it was done to; goes with targetType.', 7)),
	from: Type.Optional(instant('At this time or later.')),
	to: Type.Optional(instant('Before this time.')),
	keyword: Type.Optional(keyword('A part of the name of who did it or of what it was done to.', '王')),
	...pagingFields,
});
export type HistoryQuery = Static<typeof HistoryQuery>;
