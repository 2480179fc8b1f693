/** Closing a store: everyone moves to another one, then it is disabled or deleted. */
import { type Static, Type } from '@sinclair/typebox';
import { and, eq, isNull, sql } from 'drizzle-orm';
import pLimit from 'p-limit';
import type { Db } from '../database/open.ts';
import { bound, prepared, queries, transaction } from '../database/query.ts';
import { employees } from '../database/schema.ts';
import { type ChangeContext, record } from '../history/record.ts';
import { body, id } from '../http/fields.ts';
import { tooBusy } from '../http/reply.ts';
import { described, oneOf, shape } from '../http/schema-types.ts';
import { inTurns, type Steps } from '../http/steps.ts';
import { type Caller, stillPermitted } from '../session/actor.ts';
import type { RouteDependencies } from '../session/session.ts';
import { deleteStore, getExpectedStore, isActiveStore, updateStore } from '../stores/service.ts';
import { ruleBroken } from '../vocabulary/errors.ts';
import { refuseOtherStore, refusePeopleUpward } from './reach.ts';
import { countEmployees } from './search.ts';

/** Messages to end users about closing a store. */
const closingMessages = {
	needsMoveTo: (count: number) => `门店下仍有 ${count} 名员工，请指定接收他们的门店`,
	badMoveTo: '接收员工的门店不存在、已禁用或就是本店',
} as const;

const afterClosing = ['DISABLE', 'DELETE'] as const;

/** The body of POST /api/stores/:id/close. */
export const CloseStore = body('CloseStore', 'Where its people go, and what happens to the store.', {
	moveTo: Type.Optional(id('The id of the enabled store that everyone moves to; needed when the store has people.', 2)),
	// biome-ignore lint/suspicious/noThenProperty: a field of the API, and its text is no function.
	then: oneOf(afterClosing, {
		error: `须为 ${afterClosing.join(' 或 ')}`,
		description: 'What happens to the store.',
		examples: ['DISABLE'],
	}),
});
export type CloseStore = Static<typeof CloseStore>;

/** What POST /api/stores/:id/close answers. */
export const ClosedStore = shape('ClosedStore', {
	moved: Type.Integer(described('How many people moved, enabled or not.', 25)),
	// biome-ignore lint/suspicious/noThenProperty: a field of the API, and its text is no function.
	then: oneOf(afterClosing, { description: 'What happened to the store.' }),
});
export type ClosedStore = Static<typeof ClosedStore>;

/** Up to this many people a store is closed in one transaction: some 30 ms. */
const maxAtOnce = 500;

/** How many of more people move in each transaction before. */
const stepSize = 250;

const read = queries(({ select }) => ({
	people: select({ id: employees.id, name: employees.name })
		.from(employees)
		.where(and(eq(employees.storeId, bound('storeId')), isNull(employees.deletedAt)))
		.orderBy(employees.id)
		.limit(sql.placeholder('limit')),
}));

/** How long a closing may take, with those that it waits for: the most that Bun allows. */
const closingSeconds = 255;

/** Closings follow each other: two that exchange their people would never end. */
const line = prepared(() => pLimit(1));

/** {@link closeInSteps} when those before have ended, with others served between the steps. */
export function closeStore(
	{ db, now, extendTimeout }: Omit<RouteDependencies, 'session'>,
	request: Request,
	caller: Caller,
	id: number,
	wanted: CloseStore,
): Promise<ClosedStore> {
	extendTimeout(request, closingSeconds);
	return line(db)(() => {
		// One that has begun goes on, even if nobody waits for it.
		if (request.signal.aborted) throw tooBusy(request.signal.reason);
		return inTurns(closeInSteps(db, now, caller, id, wanted));
	});
}

/**
 * Moves everyone in a store to another one, then disables or deletes it. Each step is a transaction; the last one also disables
 * or deletes the store, so that nobody is ever in a closed one. Who was moved before a step that fails stays moved, and
 * closing the store again finishes the work.
 * @returns how many people moved.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED; FORBIDDEN when the actor may not change or move somebody in the store;
 * BAD_REQUEST when the other store is missing, disabled or the same; CONFLICT when the store has people and no other store is
 * given; UNAUTHORIZED when the account is refused by now.
 */
export function* closeInSteps(
	db: Db,
	now: () => string,
	caller: Caller,
	id: number,
	wanted: CloseStore,
): Steps<ClosedStore> {
	const { then } = wanted;
	let moved = 0;
	for (let groupId: number | undefined; ; yield) {
		const step = transaction(db, () => {
			const current = stillPermitted(db, { ...caller, at: now() }, 'store:manage', 'employee:manage');
			return closeSome(db, current, id, wanted, groupId);
		});
		moved += step.moved;
		if (step.isLast) return { moved, then };
		groupId ??= step.groupId;
	}
}

/** One step of a closing; after the first one its records have a group. */
function closeSome(db: Db, caller: Caller, id: number, { moveTo, then }: CloseStore, groupId: number | undefined) {
	getExpectedStore(db, caller, id);
	const total = countEmployees(db, { storeId: id });
	const isFirst = groupId === undefined;
	const isLast = total <= maxAtOnce;
	const people = read(db).people.all({ storeId: id, limit: isLast ? maxAtOnce : stepSize });
	if (total > 0) {
		refuseOtherStore(caller.actor, id);
		refuseOtherStore(caller.actor, moveTo ?? id);
		// Everybody at first, so that a refusal comes before anybody has moved.
		refusePeopleUpward(db, caller.actor, id, isFirst ? undefined : people.at(-1)?.id);
	}
	if (moveTo !== undefined && (moveTo === id || !isActiveStore(db, moveTo))) {
		throw ruleBroken('BAD_REQUEST', 'body.moveTo', closingMessages.badMoveTo);
	}
	if (moveTo === undefined && total > 0) {
		throw ruleBroken('CONFLICT', 'params.id', closingMessages.needsMoveTo(total));
	}

	function end(context: Caller & ChangeContext): void {
		if (then === 'DELETE') deleteStore(db, context, id);
		else updateStore(db, context, id, { status: 'INACTIVE' });
	}
	const ids = JSON.stringify(people.map((person) => person.id));
	db.update(employees)
		.set({ storeId: moveTo, updatedAt: caller.at })
		.where(sql`${employees.id} in (select value from json_each(${ids}))`)
		.run();
	// The record of the store comes first: it stands for all of them. After several steps it stands by itself.
	if (isFirst && isLast) end(caller);
	const changes = [{ field: 'storeId', before: id, after: moveTo }];
	const context = { ...caller, groupId };
	const [firstRecord] = people.map(({ id, name }) =>
		record(db, context, { action: 'EMPLOYEE_UPDATE', target: { type: 'EMPLOYEE', id, name }, changes }),
	);
	if (!isFirst && isLast) end({ ...caller, groupId: 'alone' });
	return { moved: people.length, isLast, groupId: firstRecord };
}
