import { type Static, Type } from '@sinclair/typebox';
import { flag, integer, keyword, paged } from '../../platform/http/fields.ts';
import {
	described,
	fieldValue,
	nullable,
	nullableInteger,
	nullableText,
	oneOf,
	shape,
	timestamp,
} from '../../platform/http/schema-types.ts';
import {
	historyActions,
	historyActorTypes,
	historyMovements,
	historyTargetTypes,
	mentionedTypes,
	refusalReasons,
} from '../../platform/vocabulary/history.ts';

export const historyMessages = { notFound: '记录不存在' } as const;

/** How far a filtered list is counted. */
export const maxCounted = 10_000;

const date = '\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])';
const time = '(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d{1,3})?)?';
const zone = '(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)';
const instantPattern = `^${date}(?:T${time}${zone})?$`;

const patterns = { utc: new RegExp(instantPattern), local: new RegExp(`^${date}(?:T${time}${zone}?)?$`) };

/** Years of other than four digits do not sort as text. */
const bounds = { first: Date.parse('0000-01-01T00:00:00.000Z'), last: Date.parse('9999-12-31T23:59:59.999Z') };

/**
 * Reads `2026-11-21`, `2026-11-21T08:30Z` or `2026-11-21T16:30:00.5+08:00`. A date is its midnight, in UTC or, for `local`,
 * in the time zone of the machine; only `local` takes a time without a zone.
 * @returns ISO 8601 in UTC with milliseconds; undefined when the text has another form.
 */
export function readInstant(text: string, zoneless: 'utc' | 'local' = 'utc'): string | undefined {
	if (!patterns[zoneless].test(text)) return undefined;
	// Date.parse reads a date as UTC, and a time without a zone as local time.
	const at = Date.parse(zoneless === 'local' && !text.includes('T') ? `${text}T00:00` : text);
	return new Date(Math.min(Math.max(at, bounds.first), bounds.last)).toISOString();
}

const Change = shape('HistoryChange', {
	field: Type.String({ examples: ['status'] }),
	before: fieldValue(described('The value before; null when there was none.', 'ACTIVE')),
	after: fieldValue(described('The value after; null when there is none.', 'INACTIVE')),
});
export type Change = Static<typeof Change>;

/** One record of the history, as it was written. */
export const HistoryRecord = Type.Object({
	id: Type.Integer({ examples: [4711] }),
	at: timestamp({ description: 'When it happened, in UTC; never earlier than the record before it.' }),
	action: oneOf(historyActions, described('What happened.', 'EMPLOYEE_UPDATE')),
	actorType: oneOf(historyActorTypes, {
		description:
			'Who did it: an account; ANONYMOUS for refused sign-ins of unknown names and those with reason VARIOUS; ' +
			'OPERATOR for a command on the machine; SYSTEM for what the program does by itself.',
		examples: ['SUPER_ADMIN'],
	}),
	actorId: nullableInteger(described('The id of the account; null for ANONYMOUS, OPERATOR and SYSTEM.', 1)),
	actorName: Type.String(described('Their name at that time.', 'admin')),
	address: nullableText(described('Where the request came from.', '192.0.2.17')),
	requestId: nullableText(described('The X-Request-Id of the answer; the log has it too.', '3f2a9c1e-42')),
	targetType: nullable(oneOf(historyTargetTypes, described('What it was done to.', 'EMPLOYEE'))),
	targetId: nullableInteger(described('The id of what it was done to.', 7)),
	targetName: nullableText(described('Its name at that time.', '王芳')),
	changes: Type.Array(Change, { description: 'The fields that changed; empty when none did. Never a password.' }),
	reason: nullable(
		oneOf(refusalReasons, {
			description:
				'Why a sign-in was refused. VARIOUS counts refusals beyond the number of groups that are kept apart.',
			examples: [null],
		}),
	),
	count: Type.Integer(described('How many times it happened: similar refused sign-ins share one record.', 1)),
});
export type HistoryRecord = Static<typeof HistoryRecord>;

const Mentioned = shape('HistoryMention', {
	type: oneOf(mentionedTypes, { examples: ['STORE'] }),
	id: Type.Integer({ examples: [1] }),
	name: Type.String(described('Its present name, or the last one.', '人民路店')),
	isDeleted: Type.Boolean({ examples: [false] }),
});
export type Mentioned = Static<typeof Mentioned>;

/** One record, with what helps to show it. */
export const ShownRecord = shape('HistoryRecord', {
	...HistoryRecord.properties,
	group: Type.Object(
		{
			id: Type.Integer(described('The id of the first record of the request.', 4711)),
			size: Type.Integer(described('How many records it left.', 1)),
			ended: Type.Integer(described('How many of them say whose reach ended with what was done.', 0)),
		},
		{ title: 'HistoryGroup', description: 'The records of the same request; they follow each other.' },
	),
	points: Type.Optional(
		Type.Array(Type.Object({ code: Type.String(), title: Type.String() }), {
			description: "The chain's own permission points whose codes stand in the changes, titled as they were then.",
			examples: [[{ code: 'till:refund', title: '退款' }]],
		}),
	),
	mentioned: Type.Array(Mentioned, {
		description:
			'The stores, areas, roles and employees whose ids stand in the record: who did it, to what, and in the changes.',
	}),
});
export type ShownRecord = Static<typeof ShownRecord>;

const instant = (description: string) =>
	Type.String({
		pattern: instantPattern,
		error: '须为 ISO 8601 日期或时间，如 2026-11-21 或 2026-11-21T08:30:00Z',
		description: `${description} A date (then midnight UTC), or a time with Z or an offset.`,
		examples: ['2026-11-21T00:00:00Z'],
	});

const choice = <const Value extends string>(values: readonly Value[], description: string) =>
	oneOf(values, { error: `须为 ${values.join('、')} 之一`, description });

/** The query of GET /api/history. */
export const HistoryQuery = paged({
	actorType: choice(historyActorTypes, 'Who did it.'),
	actorId: integer('The id of the account that did it; use it with actorType.', 1),
	action: choice(historyActions, 'What happened.'),
	targetType: choice(historyTargetTypes, 'What it was done to.'),
	targetId: integer('The id of what it was done to; use it with targetType.', 7),
	from: instant('At this time or later.'),
	to: instant('Before this time.'),
	keyword: keyword(
		'A part of the name of who did it or of what it was done to, or of a phone before or after a change. The whole ' +
			'phone of an employee also finds what they did and what was done to them.',
		'王',
	),
	movement: choice(
		historyMovements,
		'What it is to a person: hired, left (disabled or deleted), another store, a new role.',
	),
	groupId: integer('The id of the first record of a request: all records of that request.', 1),
	grouped: flag(
		'With true, only the first record of each request that passes the other filters: an import leaves many.',
	),
});
type HistoryQuery = Static<typeof HistoryQuery>;

/** What a query of GET /api/history asks for; `from` and `to` as ISO 8601 in UTC with milliseconds. */
export function readFilter({ from, to, page: _, pageSize: __, ...query }: HistoryQuery) {
	return { ...query, from: from && readInstant(from), to: to && readInstant(to) };
}

/** Which records are wanted; what is undefined matches every record. */
export type HistoryFilter = { [Name in keyof Asked]?: Asked[Name] | undefined };
type Asked = ReturnType<typeof readFilter>;
