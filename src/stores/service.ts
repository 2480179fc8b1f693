/** The stores of the chain. */
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../database/open.ts';
import {
	aliased,
	bound,
	count,
	matchesPattern,
	optionally,
	prepared,
	readPage,
	rejectingDuplicates,
	snapshot,
	statement,
	substring,
	transaction,
} from '../database/query.ts';
import { employees, stores } from '../database/schema.ts';
import { isActiveStore, moveEveryone, refuseMoving } from '../employees/moving.ts';
import { AppError, ruleBroken } from '../errors.ts';
import { recordChange } from '../history/record.ts';
import type { Caller } from '../session/actor.ts';
import type { Page, Paging } from '../vocabulary/paging.ts';
import type { Status } from '../vocabulary/status.ts';
import {
	type ClosedStore,
	type CloseStore,
	type CreateStore,
	type Store,
	type StoreOption,
	storeMessages,
	type UpdateStore,
} from './model.ts';

const optionColumns = { id: stores.id, name: stores.name, address: stores.address, phone: stores.phone };
const storeColumns = {
	...optionColumns,
	status: stores.status,
	createdAt: stores.createdAt,
	updatedAt: stores.updatedAt,
};
const live = isNull(stores.deletedAt);

const statements = prepared((db) => {
	const all = db.select(aliased(storeColumns)).from(stores);
	const isActive = eq(stores.status, 'ACTIVE');
	const pageOf = (filter: SQL | undefined) => ({
		total: statement(db, db.select({ total: count() }).from(stores).where(and(live, filter))),
		items: statement(
			db,
			db
				.select(aliased(storeColumns))
				.from(stores)
				.where(and(live, filter))
				.orderBy(stores.id)
				.limit(sql.placeholder('limit'))
				.offset(sql.placeholder('offset')),
		),
	});
	return {
		options: statement(
			db,
			db.select(aliased(optionColumns)).from(stores).where(and(live, isActive)).orderBy(stores.id),
		),
		all: statement(db, all.where(live).orderBy(stores.id)),
		byId: statement(
			db,
			db
				.select(aliased(storeColumns))
				.from(stores)
				.where(and(live, eq(stores.id, bound('id')))),
		),
		page: pageOf(undefined),
		// On its own, so that it can use the index of the status.
		statusPage: pageOf(eq(stores.status, bound('status'))),
		keywordPage: pageOf(
			and(optionally(stores.status, 'status'), matchesPattern(stores.name, stores.address, stores.phone)),
		),
		people: statement(
			db,
			db
				.select({ total: count() })
				.from(employees)
				.where(and(eq(employees.storeId, bound('id')), isNull(employees.deletedAt))),
		),
	};
});

/** Which stores to list. Without a status: all that are not deleted. */
export interface StoreFilter {
	status?: Status | undefined;
	keyword?: string | undefined;
}

/** The active stores in their short form. */
export function listStoreOptions(db: Db): StoreOption[] {
	return statements(db).options.all();
}

/** Every store that is not deleted. */
export function listStores(db: Db): Store[] {
	return statements(db).all.all();
}

/** One page of the stores that pass the filter. */
export function listStorePage(db: Db, { status, keyword }: StoreFilter, paging: Paging): Page<Store> {
	const { page, statusPage, keywordPage } = statements(db);
	return snapshot(db, () => {
		if (keyword !== undefined) return readPage(keywordPage, { status, pattern: substring(keyword) }, paging);
		return status === undefined ? readPage(page, {}, paging) : readPage(statusPage, { status }, paging);
	});
}

/** @throws AppError NOT_FOUND */
export function getStore(db: Db, id: number): Store {
	const store = statements(db).byId.get({ id });
	if (!store) throw new AppError('NOT_FOUND', storeMessages.notFound);
	return store;
}

/** @throws AppError CONFLICT when the name is taken. */
export function createStore(db: Db, caller: Caller, input: CreateStore, at: string): Store {
	return transaction(db, () => {
		const values = { status: 'ACTIVE' as const, ...input, createdAt: at, updatedAt: at };
		const store = rejectingDuplicates(() => db.insert(stores).values(values).returning(storeColumns).get(), nameTaken);
		recordChange(db, caller, 'STORE_CREATE', { after: store }, auditedFields, at);
		return store;
	});
}

/**
 * Changes the given fields. The tokens of a disabled store's employees are refused until the store is enabled again.
 * @throws AppError NOT_FOUND; CONFLICT when the name is taken.
 */
export function updateStore(db: Db, caller: Caller, id: number, input: UpdateStore, at: string): Store {
	return transaction(db, () => changeStore(db, caller, id, input, at));
}

/** {@link updateStore} inside the caller's transaction. */
function changeStore(db: Db, caller: Caller, id: number, input: UpdateStore, at: string): Store {
	const before = getStore(db, id);
	rejectingDuplicates(
		() =>
			db
				.update(stores)
				.set({ ...input, updatedAt: at })
				.where(eq(stores.id, id))
				.run(),
		nameTaken,
	);
	const after = getStore(db, id);
	recordChange(db, caller, 'STORE_UPDATE', { before, after }, auditedFields, at);
	return after;
}

/** @throws AppError NOT_FOUND; CONFLICT while the store has employees, enabled or not. */
export function deleteStore(db: Db, caller: Caller, id: number, at: string): void {
	transaction(db, () => {
		getStore(db, id);
		const people = countPeople(db, id);
		if (people > 0) throw ruleBroken('CONFLICT', 'params.id', storeMessages.hasEmployees(people));
		removeStore(db, caller, id, at);
	});
}

/**
 * Moves everyone in a store to another one, then disables or deletes it.
 * @returns how many people moved.
 * @throws AppError NOT_FOUND; FORBIDDEN when the actor may not change or move somebody in the store; BAD_REQUEST when the
 * other store is missing, disabled or the same; CONFLICT when the store has people and no other store is given.
 */
export function closeStore(db: Db, caller: Caller, id: number, { moveTo, then }: CloseStore, at: string): ClosedStore {
	return transaction(db, () => {
		getStore(db, id);
		const people = countPeople(db, id);
		if (people > 0) refuseMoving(db, caller.actor, id, moveTo);
		if (moveTo !== undefined && (moveTo === id || !isActiveStore(db, moveTo))) {
			throw ruleBroken('BAD_REQUEST', 'body.moveTo', storeMessages.badMoveTo);
		}
		if (people > 0 && moveTo === undefined) {
			throw ruleBroken('CONFLICT', 'params.id', storeMessages.needsMoveTo(people));
		}
		const moved = moveTo === undefined ? 0 : moveEveryone(db, caller, { from: id, to: moveTo }, at);
		if (then === 'DELETE') removeStore(db, caller, id, at);
		else changeStore(db, caller, id, { status: 'INACTIVE' }, at);
		return { moved, then };
	});
}

/** How many people a store has, enabled or not. */
function countPeople(db: Db, id: number): number {
	return statements(db).people.get({ id })?.total ?? 0;
}

/** Deletes a store without people, inside the caller's transaction. */
function removeStore(db: Db, caller: Caller, id: number, at: string): void {
	const store = getStore(db, id);
	db.update(stores).set({ deletedAt: at, updatedAt: at }).where(eq(stores.id, id)).run();
	recordChange(db, caller, 'STORE_DELETE', { before: store }, auditedFields, at);
}

/** The fields of a store that its history records: all that people write. */
function auditedFields({ name, address, phone, status }: Store): Record<keyof CreateStore, unknown> {
	return { name, address, phone, status };
}

function nameTaken(): AppError {
	return ruleBroken('CONFLICT', 'body.name', storeMessages.nameTaken);
}
