/** Closing a store: everyone moves to another one, then it is disabled or deleted. */
import { type Static, Type } from '@sinclair/typebox';
import { and, eq, isNull } from 'drizzle-orm';
import type { Db } from '../database/open.ts';
import { bound, queries, transaction } from '../database/query.ts';
import { employees } from '../database/schema.ts';
import { record } from '../history/record.ts';
import { body, id } from '../http/fields.ts';
import { oneOf } from '../http/schema-types.ts';
import type { Caller } from '../session/actor.ts';
import { deleteStore, getExpectedStore, isActiveStore, updateStore } from '../stores/service.ts';
import { ruleBroken } from '../vocabulary/errors.ts';
import { refuseOtherStore, refusePeopleUpward } from './reach.ts';

/** Messages to end users about closing a store. */
const closingMessages = {
	needsMoveTo: (count: number) => `门店下仍有 ${count} 名员工，请指定接收他们的门店`,
	badMoveTo: '接收员工的门店不存在、已禁用或就是本店',
} as const;

const afterClosing = ['DISABLE', 'DELETE'] as const;

/** The body of POST /api/stores/:id/close. */
export const CloseStore = body(
	'CloseStore',
	{
		moveTo: Type.Optional(
			id('The id of the enabled store that everyone moves to; needed when the store has people.', 2),
		),
		// biome-ignore lint/suspicious/noThenProperty: a field of the API, and its text is no function.
		then: oneOf(afterClosing, {
			error: `须为 ${afterClosing.join(' 或 ')}`,
			description: 'What happens to the store.',
			examples: ['DISABLE'],
		}),
	},
	'Where its people go, and what happens to the store.',
);
export type CloseStore = Static<typeof CloseStore>;

/** What POST /api/stores/:id/close answers. */
export const ClosedStore = Type.Object(
	{
		moved: Type.Integer({ description: 'How many people moved, enabled or not.', examples: [25] }),
		// biome-ignore lint/suspicious/noThenProperty: a field of the API, and its text is no function.
		then: oneOf(afterClosing, { description: 'What happened to the store.' }),
	},
	{ title: 'ClosedStore' },
);
export type ClosedStore = Static<typeof ClosedStore>;

const read = queries(({ select }) => ({
	people: select({ id: employees.id, name: employees.name })
		.from(employees)
		.where(and(eq(employees.storeId, bound('storeId')), isNull(employees.deletedAt)))
		.orderBy(employees.id),
}));

/**
 * Moves everyone in a store to another one, then disables or deletes it.
 * @returns how many people moved.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED; FORBIDDEN when the actor may not change or move somebody in the store;
 * BAD_REQUEST when the other store is missing, disabled or the same; CONFLICT when the store has people and no other store is given.
 */
export function closeStore(db: Db, caller: Caller, id: number, { moveTo, then }: CloseStore, at: string): ClosedStore {
	return transaction(db, () => {
		getExpectedStore(db, caller, id, at);
		const people = read(db).people.all({ storeId: id });
		if (people.length > 0) {
			refuseOtherStore(caller.actor, id);
			refuseOtherStore(caller.actor, moveTo ?? id);
			refusePeopleUpward(db, caller.actor, id);
		}
		if (moveTo !== undefined && (moveTo === id || !isActiveStore(db, moveTo))) {
			throw ruleBroken('BAD_REQUEST', 'body.moveTo', closingMessages.badMoveTo);
		}
		if (moveTo === undefined && people.length > 0) {
			throw ruleBroken('CONFLICT', 'params.id', closingMessages.needsMoveTo(people.length));
		}
		db.update(employees)
			.set({ storeId: moveTo, updatedAt: at })
			.where(and(eq(employees.storeId, id), isNull(employees.deletedAt)))
			.run();
		// The record of the store comes first: it stands for all of them.
		if (then === 'DELETE') deleteStore(db, caller, id, at);
		else updateStore(db, caller, id, { status: 'INACTIVE' }, at);
		const changes = [{ field: 'storeId', before: id, after: moveTo }];
		for (const { id, name } of people) {
			record(db, caller, { action: 'EMPLOYEE_UPDATE', target: { type: 'EMPLOYEE', id, name }, changes }, at);
		}
		return { moved: people.length, then };
	});
}
