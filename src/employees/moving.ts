/** Moving everyone in a store to another one. */
import { and, eq, isNull } from 'drizzle-orm';
import type { Db } from '../database/open.ts';
import { aliased, bound, prepared, statement } from '../database/query.ts';
import { employees, stores } from '../database/schema.ts';
import { record } from '../history/record.ts';
import type { Actor, Caller } from '../session/actor.ts';
import { refuseOtherStore, refusePeopleUpward } from './reach.ts';

const statements = prepared((db) => ({
	activeStore: statement(
		db,
		db
			.select(aliased({ id: stores.id }))
			.from(stores)
			.where(and(eq(stores.id, bound('id')), eq(stores.status, 'ACTIVE'), isNull(stores.deletedAt))),
	),
	people: statement(
		db,
		db
			.select(aliased({ id: employees.id, name: employees.name }))
			.from(employees)
			.where(and(eq(employees.storeId, bound('storeId')), isNull(employees.deletedAt)))
			.orderBy(employees.id),
	),
}));

/** Whether people can be employed in a store: it exists and is enabled. */
export function isActiveStore(db: Db, id: number): boolean {
	return statements(db).activeStore.get({ id }) !== undefined;
}

/** @throws AppError FORBIDDEN when the actor may not change everyone in a store, or not move them to the other one. */
export function refuseMoving(db: Db, actor: Actor, from: number, to: number | undefined): void {
	refuseOtherStore(actor, from);
	if (to !== undefined) refuseOtherStore(actor, to);
	refusePeopleUpward(db, actor, from);
}

/** Moves everyone, inside the caller's transaction, with a record of each in the history. @returns how many there were. */
export function moveEveryone(db: Db, caller: Caller, { from, to }: { from: number; to: number }, at: string): number {
	const people = statements(db).people.all({ storeId: from });
	db.update(employees)
		.set({ storeId: to, updatedAt: at })
		.where(and(eq(employees.storeId, from), isNull(employees.deletedAt)))
		.run();
	const changes = [{ field: 'storeId', before: from, after: to }];
	for (const { id, name } of people) {
		record(db, caller, { action: 'EMPLOYEE_UPDATE', target: { type: 'EMPLOYEE', id, name }, changes }, at);
	}
	return people.length;
}
