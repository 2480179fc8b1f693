import { type Static, Type } from '@sinclair/typebox';
import {
	beyondExamples,
	choice,
	described,
	fieldValue,
	flag,
	integer,
	keyword,
	nullable,
	nullableInteger,
	nullableText,
	oneOf,
	paged,
	shape,
	timestamp,
} from '../../platform/http/fields.ts';
import { nullableTimestamp } from '../../platform/http/reply.ts';
import {
	historyActions,
	historyActorTypes,
	historyMovements,
	historyTargetTypes,
	mentionedTypes,
	refusalReasons,
} from '../../platform/vocabulary/history.ts';
import { because } from '../../platform/vocabulary/reasons.ts';

export const historyMessages = { notFound: because('not_found', '记录不存在') } as const;

/** The highest total that a filtered list reports. */
export const maxCounted = 10_000;

const date = '\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])';
const time = '(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d{1,3})?)?';
const zone = '(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)';
const instantPattern = `^${date}(?:T${time}${zone})?$`;

const patterns = { utc: new RegExp(instantPattern), local: new RegExp(`^${date}(?:T${time}${zone}?)?$`) };

/** Only years of four digits sort correctly as text. */
const bounds = { first: Date.parse('0000-01-01T00:00:00.000Z'), last: Date.parse('9999-12-31T23:59:59.999Z') };

/**
 * Reads `2026-11-21`, `2026-11-21T08:30Z` or `2026-11-21T16:30:00.5+08:00`. A date means its midnight: in UTC or, for
 * `local`, in the time zone of the machine. Only `local` accepts a time without a zone.
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
	before: fieldValue(described('The value before the change; null when there was none.', 'ACTIVE')),
	after: fieldValue(described('The value after the change; null when there is none.', 'INACTIVE')),
});
export type Change = Static<typeof Change>;

/** One stored record of the history. */
export const HistoryRecord = Type.Object({
	id: Type.Integer({ examples: [4711] }),
	at: timestamp({ description: 'The time of the event, in UTC; never earlier than the previous record.' }),
	action: oneOf(historyActions, described('The kind of event.', 'EMPLOYEE_UPDATE')),
	actorType: oneOf(historyActorTypes, {
		description:
			'The kind of actor: an account or a program; ANONYMOUS for refused sign-ins with unknown names or reason VARIOUS; ' +
			'OPERATOR for a command on the machine; SYSTEM for an automatic change by the program.',
		examples: ['SUPER_ADMIN'],
	}),
	actorId: nullableInteger(described('The id of the account or program; null for ANONYMOUS, OPERATOR and SYSTEM.', 1)),
	actorName: Type.String(described('The name of the actor at that time.', 'admin')),
	address: nullableText(described('The IP address of the request.', '192.0.2.17')),
	requestId: nullableText(described('The X-Request-Id of the answer; also in the log.', '3f2a9c1e-42')),
	targetType: nullable(oneOf(historyTargetTypes, described('The kind of target.', 'EMPLOYEE'))),
	targetId: nullableInteger(described('The id of the target.', 7)),
	targetName: nullableText(described('The name of the target at that time.', '王芳')),
	changes: Type.Array(Change, { description: 'The changed fields; empty when none changed. Never a password.' }),
	reason: nullable(
		oneOf(refusalReasons, {
			description: 'The reason for a refused sign-in. VARIOUS counts refusals beyond the limit of separate groups.',
			examples: [null],
		}),
	),
	count: Type.Integer(described('The number of occurrences: similar refused sign-ins share one record.', 1)),
});
export type HistoryRecord = Static<typeof HistoryRecord>;

const Mentioned = shape('HistoryMention', {
	type: oneOf(mentionedTypes, { examples: ['STORE'] }),
	id: Type.Integer({ examples: [1] }),
	name: Type.String(described('The present or last name.', '人民路店')),
	isDeleted: Type.Boolean({ examples: [false] }),
});
export type Mentioned = Static<typeof Mentioned>;

/** A record with the names and titles needed to show it. */
export const ShownRecord = shape('HistoryRecord', {
	...HistoryRecord.properties,
	group: Type.Object(
		{
			id: Type.Integer(described('The id of the first record of the request.', 4711)),
			size: Type.Integer(described('The number of records that the request left.', 1)),
			ended: Type.Integer(described('The number of these records that revoke reach as a consequence.', 0)),
			undoUntil: nullableTimestamp(
				'The time until which POST /api/employees/changes/:groupId/undo can undo it; null if it cannot be undone, or was.',
			),
		},
		{ title: 'HistoryGroup', description: 'The consecutive records of one request.' },
	),
	points: beyondExamples(
		Type.Optional(
			Type.Array(Type.Object({ code: Type.String(), title: Type.String() }), {
				description: "The chain's own permission points that the changes name, with their titles at the time.",
			}),
		),
	),
	mentioned: Type.Array(Mentioned, {
		description: 'The stores, areas, roles and employees that the record names as actor, as target or in the changes.',
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

/** The query of GET /api/history. */
export const HistoryQuery = paged({
	actorType: choice(historyActorTypes, 'Only records of this kind of actor.'),
	actorId: integer('The id of the actor; use it with actorType.', 1),
	action: choice(historyActions, 'Only events of this kind.'),
	targetType: choice(historyTargetTypes, 'Only records with this kind of target.'),
	targetId: integer('The id of the target; use it with targetType.', 7),
	from: instant('At this time or later.'),
	to: instant('Before this time.'),
	keyword: keyword(
		'Part of the name of the actor or target, or of a phone before or after a change. The whole phone of an ' +
			'employee also finds the records with this employee as actor or target.',
		'王',
	),
	movement: choice(
		historyMovements,
		'The movement of an employee: hired, left (disabled or deleted), another store, a new role.',
	),
	groupId: integer('The id of the first record of a request: all records of that request.', 1),
	grouped: flag('With true, only the first matching record of each request: an import leaves many.'),
});
type HistoryQuery = Static<typeof HistoryQuery>;

/** The filter in a query of GET /api/history; `from` and `to` as ISO 8601 in UTC with milliseconds. */
export function readFilter({ from, to, page, pageSize, ...query }: HistoryQuery) {
	return { ...query, from: from && readInstant(from), to: to && readInstant(to) };
}

export type HistoryFilter = { [Name in keyof Asked]?: Asked[Name] | undefined };
type Asked = ReturnType<typeof readFilter>;
