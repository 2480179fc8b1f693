/** Writing the history. A record is written in the transaction of its change, so each change has exactly one record. */
import type { TObject, TProperties } from '@sinclair/typebox';
import type { Db } from '../../platform/database/open.ts';
import { prepared } from '../../platform/database/query.ts';
import {
	actions,
	findChangeType,
	type HistoryAction,
	type HistoryActorType,
	type HistoryTargetType,
	type RefusalReason,
} from '../../platform/vocabulary/history.ts';
import type { Change } from './model.ts';
import type { Version } from './versions.ts';

/** The actor of a change. The record keeps the actor's name at the time. */
export interface RecordedActor {
	accountType: HistoryActorType;
	id: number | null;
	name: string;
}

/** The actor of a change, with address, request and time; a command on the machine has no address and no request. */
export interface ChangeContext {
	actor: RecordedActor;
	address: string | null;
	requestId: string | null;
	/** ISO 8601 in UTC with milliseconds. */
	at: string;
}

/** The context of a command on the machine; `user` is the operator's system user name. */
export function operator(user: string, at: string): ChangeContext {
	return { actor: { accountType: 'OPERATOR', id: null, name: user }, address: null, requestId: null, at };
}

/** The context of what the program does by itself. */
export function system(at: string): ChangeContext {
	return { actor: { accountType: 'SYSTEM', id: null, name: 'system' }, address: null, requestId: null, at };
}

/** A thing or an account that is changed. The record keeps its name at the time. */
export interface Target {
	id: number;
	name: string;
}

export interface HistoryEvent {
	/** The kind of event, which has one type of target. */
	action: HistoryAction;
	target?: Target;
	/** The value is null where nothing existed before or after. Never a password or a hash. */
	changes?: readonly Change[];
	reason?: RefusalReason;
	/** The number of occurrences, when one record stands for several. */
	count?: number;
}

type Values = (string | number | null)[];

const columns = `at, action, actor_type, actor_id, actor_name, address, request_id, changes, reason, count, changed, "left",
	moved, new_roles, target_type, target_id, target_name, group_id, search_text`;

/** The values of {@link columns}. All but the target's are parameters. */
const rowWith = (targetId: string, targetName: string) =>
	`max(?1, coalesce((select at from history order by id desc limit 1), '')),
	?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ${targetId}, ${targetName},
	coalesce((select iif(request_id = ?7, group_id, id + 1) from history order by id desc limit 1), 1),
	lower(concat_ws(char(10), ?5, ${targetName}, ?16))`;

// Raw SQL, because both run for thousands of records in one transaction.
const insertions = prepared(({ $client }) => ({
	one: $client.prepare<null, Values>(`insert into history (${columns}) values (${rowWith('?17', '?18')})`),
	// Each insert copies the pages that it changes, because a trigger can refuse it. One statement copies them once.
	many: $client.prepare<null, Values>(
		`insert into history (${columns}) select ${rowWith("value ->> 'id'", "value ->> 'name'")} from json_each(?17)`,
	),
}));

/**
 * Adds one record, inside the transaction of the change. If the clock was set back, the record gets the time of the
 * previous one. Consecutive records of one request form a group.
 * @returns its id.
 */
export function record(db: Db, context: ChangeContext, { target, ...event }: HistoryEvent): number {
	const values = valuesOf(context, event, target !== undefined);
	return Number(insertions(db).one.run(...values, target?.id ?? null, target?.name ?? null).lastInsertRowid);
}

/** Adds the same record for each target, in order, as one group. */
export function recordAll(
	db: Db,
	context: ChangeContext,
	event: Omit<HistoryEvent, 'target'>,
	targets: readonly Target[],
): void {
	insertions(db).many.run(...valuesOf(context, event, true), JSON.stringify(targets));
}

/** The values of a record, except its target. */
function valuesOf(
	{ actor, address, requestId, at }: ChangeContext,
	{ action, changes = [], reason, count = 1 }: Omit<HistoryEvent, 'target'>,
	hasTarget: boolean,
): Values {
	const { accountType, id, name } = actor;
	// An account that changes itself has no target.
	const changed = hasTarget || accountType === 'EMPLOYEE' ? findChangeType(action) : null;
	const who = [accountType, id, name, address, requestId];
	const what = [JSON.stringify(changes), reason ?? null, count, changed, ...movementsOf(action, changes)];
	return [at, action, ...who, ...what, hasTarget ? actions[action].on : null, phonesIn(changes)];
}

/** The phones before and after, one per line; null without any. */
function phonesIn(changes: readonly Change[]): string | null {
	const phone = changes.find(({ field }) => field === 'phone');
	return [phone?.before, phone?.after].filter((each) => each != null).join('\n') || null;
}

/** Whether an employee left, moved to another store, or got a role. A new employee has none of these movements. */
function movementsOf(
	action: HistoryAction,
	changes: readonly Change[],
): [left: number, moved: number, newRoles: number] {
	if (actions[action].on !== 'EMPLOYEE' || action === 'EMPLOYEE_CREATE') return [0, 0, 0];
	const changeOf = (name: string) => changes.find(({ field }) => field === name);
	const isUpdate = action === 'EMPLOYEE_UPDATE';
	const roles = isUpdate || action === 'EMPLOYEE_ROLE_GIVE' ? changeOf('roleIds') : undefined;
	const held = new Set([roles?.before].flat());
	return [
		Number(changeOf('status')?.before === 'ACTIVE'),
		Number(isUpdate && changeOf('storeId') !== undefined),
		Number([roles?.after].flat().some((role) => !held.has(role))),
	];
}

/**
 * Makes the functions that record a kind of resource and tell its versions apart. Both have all fields of the body that
 * creates one; `nameField` is the one that names it.
 */
export function auditedBy<Properties extends TProperties, NameField extends keyof Properties & string>(
	type: HistoryTargetType,
	{ properties }: TObject<Properties>,
	nameField: NameField,
) {
	type Resource = Readonly<Record<keyof Properties & string, unknown>>;
	type Named = Resource & { id: number } & Readonly<Record<NameField, string>>;
	const names = Object.keys(properties) as (keyof Properties & string)[];
	/** The recorded fields. */
	const auditedFields = (resource: Resource): Fields => Object.fromEntries(names.map((name) => [name, resource[name]]));
	return {
		/** The version of a resource. */
		versionOf(resource: Resource & { updatedAt: string }): Version {
			return { type, updatedAt: resource.updatedAt, fields: auditedFields(resource) };
		},
		/** Whether these are the same before and after. Such a request writes no record and makes no new version. */
		hasSameFields(before: Resource, after: Resource): boolean {
			return changesBetween(auditedFields(before), auditedFields(after)).length === 0;
		},
		/** Records the change of a resource: `before` is absent for a new one, `after` for a deleted one. */
		recordChange(
			db: Db,
			context: ChangeContext,
			action: HistoryAction,
			{ before, after }: { before: Named; after?: Named } | { before?: Named; after: Named },
		): void {
			const named = after ?? before;
			const changes = changesBetween(before && auditedFields(before), after && auditedFields(after));
			const target = named && { id: named.id, name: named[nameField] };
			record(db, context, { action, changes, ...(target && { target }) });
		},
	};
}

/** The changes of a record that states facts. An undefined fact is left out. */
export function factsOf(facts: Fields): Change[] {
	const known = Object.entries(facts).filter(([, after]) => after !== undefined);
	return known.map(([field, after]) => ({ field, before: null, after }));
}

type Fields = Readonly<Record<string, unknown>>;

/** The differing fields; a missing field is null. */
export function changesBetween(before: Fields = {}, after: Fields = {}): Change[] {
	return Object.keys({ ...before, ...after })
		.map((field) => ({ field, before: before[field] ?? null, after: after[field] ?? null }))
		.filter((change) => change.before !== change.after && !Bun.deepEquals(change.before, change.after));
}
