/**
 * Writing the history: what happened, who did it and from where, in the transaction of the change itself, so that there
 * is exactly one record of each change and no change without one (README, "History").
 */
import type { Db } from '../database/open.ts';
import { prepared } from '../database/query.ts';
import {
	type HistoryAction,
	type HistoryActorType,
	type HistoryTargetType,
	historyTargetTypes,
} from '../vocabulary/history.ts';

/** Who does something, as the record tells it for good: by the name that he has at that time. */
export interface Doer {
	accountType: HistoryActorType;
	id: number | null;
	name: string;
}

/** Who asks for a change, from where, and in which request; the last two are null for commands on the machine. */
export interface Origin {
	actor: Doer;
	address: string | null;
	requestId: string | null;
}

/** Whoever runs a command on the machine, by the name he has there. */
export function operator(user: string): Origin {
	return { actor: { accountType: 'OPERATOR', id: null, name: user }, address: null, requestId: null };
}

/** A field that changed; what did not exist before or after is null. */
export interface Change {
	field: string;
	before: unknown;
	after: unknown;
}

/** What happened. */
export interface HistoryEvent {
	action: HistoryAction;
	target?: { type: HistoryTargetType; id: number; name: string };
	/** Never a password or a hash. */
	changes?: readonly Change[];
	/** Why it was refused. */
	reason?: string;
	/** How many times it happened, when several are told at once. */
	count?: number;
}

const insertion = prepared(({ $client }) =>
	$client.prepare<null, (string | number | null)[]>(`
		insert into history (
			at, action, actor_type, actor_id, actor_name, address, request_id, target_type, target_id, target_name,
			changes, reason, count, kind_sequence, actor_sequence, target_sequence
		) values (
			max(?1, coalesce((select at from history order by id desc limit 1), '')),
			?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13,
			1 + coalesce((
				select kind_sequence from history indexed by history_kind
				where actor_type = ?3 and action = ?2 order by id desc limit 1
			), 0),
			1 + coalesce((
				select actor_sequence from history indexed by history_actor
				where actor_type = ?3 and actor_id is ?4 and action = ?2 order by id desc limit 1
			), 0),
			case when ?8 is not null then 1 + coalesce((
				select target_sequence from history indexed by history_target
				where target_type = ?8 and target_id = ?9 order by id desc limit 1
			), 0) end
		)`),
);

/** Adds one record; inside the transaction of what it tells. `at` is ISO 8601 in UTC with milliseconds. */
export function record(db: Db, { actor, address, requestId }: Origin, event: HistoryEvent, at: string): void {
	const { action, target, changes = [], reason = null, count = 1 } = event;
	insertion(db).run(
		at,
		action,
		actor.accountType,
		actor.id,
		actor.name,
		address,
		requestId,
		target?.type ?? null,
		target?.id ?? null,
		target?.name ?? null,
		JSON.stringify(changes),
		reason,
		count,
	);
}

/** A resource whose changes are recorded. */
interface Resource {
	id: number;
	name: string;
}

/**
 * Adds the record of a change of a resource: `before` is absent for a new one, `after` for a deleted one. `told` picks the
 * fields that the history tells.
 */
export function recordChange<R extends Resource>(
	db: Db,
	origin: Origin,
	action: HistoryAction,
	{ before, after }: { before: R; after?: R } | { before?: R; after: R },
	told: (resource: R) => object,
	at: string,
): void {
	const type = targetTypeOf(action);
	const resource = after ?? before;
	const changes = changesBetween(before ? told(before) : {}, after ? told(after) : {});
	const target = type && resource && { type, id: resource.id, name: resource.name };
	record(db, origin, { action, changes, ...(target && { target }) }, at);
}

/** What an action is done to stands in its name. */
export function targetTypeOf(action: HistoryAction): HistoryTargetType | undefined {
	return historyTargetTypes.find((type) => action.startsWith(`${type}_`));
}

/** The fields that differ; one that is not there is null. */
function changesBetween(before: object, after: object): Change[] {
	const [earlier, later] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
	return Array.from(new Set([...earlier.keys(), ...later.keys()]))
		.map((field) => ({ field, before: earlier.get(field) ?? null, after: later.get(field) ?? null }))
		.filter((change) => !Bun.deepEquals(change.before, change.after));
}
