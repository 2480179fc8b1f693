/** What a form for an employee offers: the stores and roles that the caller may choose. */
import { and, eq, isNull } from 'drizzle-orm';
import type { Db } from '../database/open.ts';
import { aliased, optionally, prepared, snapshot, statement } from '../database/query.ts';
import { stores } from '../database/schema.ts';
import { listRoles } from '../roles/service.ts';
import { type Actor, ownStoreOf } from '../session/actor.ts';
import type { EmployeeOptions } from './model.ts';
import { bindableRoles } from './reach.ts';

const statements = prepared((db) => ({
	stores: statement(
		db,
		db
			.select(aliased({ id: stores.id, name: stores.name }))
			.from(stores)
			.where(and(isNull(stores.deletedAt), eq(stores.status, 'ACTIVE'), optionally(stores.id, 'own')))
			.orderBy(stores.id),
	),
}));

/** The active stores and the roles within the actor's reach, by id. */
export function listOptions(db: Db, actor: Actor): EmployeeOptions {
	return snapshot(db, () => ({
		stores: statements(db).stores.all({ own: ownStoreOf(actor) }),
		roles: bindableRoles(db, actor, listRoles(db)).map(({ id, name }) => ({ id, name })),
	}));
}
