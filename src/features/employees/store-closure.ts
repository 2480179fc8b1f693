/** Closing a store: everyone moves to another one, then it is disabled or deleted. */
import { type Static, Type } from '@sinclair/typebox';
import { and, eq, isNull } from 'drizzle-orm';
import { recordAll } from '../../identity/history/record.ts';
import { take } from '../../identity/reach/service.ts';
import type { Caller } from '../../identity/session/actor.ts';
import type { Db } from '../../platform/database/open.ts';
import { largeTransaction, param, queries } from '../../platform/database/query.ts';
import { employees } from '../../platform/database/schema.ts';
import { body, id } from '../../platform/http/fields.ts';
import { described, oneOf, shape } from '../../platform/http/schema-types.ts';
import { businessError } from '../../platform/vocabulary/errors.ts';
import { deleteStore, getCurrentStore, isActiveStore, updateStore } from '../stores/service.ts';
import { refuseOtherStore, refusePeopleUpward } from './reach.ts';

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

const read = queries(({ select }) => ({
	people: select({ id: employees.id, name: employees.name })
		.from(employees)
		.where(and(eq(employees.storeId, param('storeId')), isNull(employees.deletedAt)))
		.orderBy(employees.id),
}));

/**
 * Moves everyone in a store to another one, then disables or deletes it: all of it or nothing.
 * @returns how many people moved.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED; FORBIDDEN when the actor may not change or move somebody in the store;
 * BAD_REQUEST when the other store is missing, disabled or the same; CONFLICT when the store has people and no other store is
 * given.
 */
export function closeStore(db: Db, caller: Caller, id: number, { moveTo, then }: CloseStore): ClosedStore {
	return largeTransaction(db, () => {
		getCurrentStore(db, caller, id);
		const people = read(db).people.all({ storeId: id });
		if (people.length > 0) {
			refuseOtherStore(db, caller.actor, id);
			refuseOtherStore(db, caller.actor, moveTo ?? id);
			refusePeopleUpward(db, caller.actor, id, moveTo ?? id);
		}
		if (moveTo !== undefined && (moveTo === id || !isActiveStore(db, moveTo))) {
			throw businessError('BAD_REQUEST', 'body.moveTo', closingMessages.badMoveTo);
		}
		if (moveTo === undefined && people.length > 0) {
			throw businessError('CONFLICT', 'params.id', closingMessages.needsMoveTo(people.length));
		}
		db.update(employees)
			.set({ storeId: moveTo, updatedAt: caller.at })
			.where(and(eq(employees.storeId, id), isNull(employees.deletedAt)))
			.run();
		// The record of the store comes first: it stands for all of them.
		if (then === 'DELETE') deleteStore(db, caller, id);
		else {
			updateStore(db, caller, id, { status: 'INACTIVE' });
			take(db, caller, { type: 'STORE', id });
		}
		const changes = [{ field: 'storeId', before: id, after: moveTo }];
		recordAll(db, caller, { action: 'EMPLOYEE_UPDATE', type: 'EMPLOYEE', targets: people, changes });
		take(db, caller, { type: 'STORE', id: moveTo ?? id }, people);
		return { moved: people.length, then };
	});
}
