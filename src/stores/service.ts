/** The stores of the chain (specification, sections 3 and 4). */
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Db } from '../database/open.ts';
import { readPage } from '../database/page.ts';
import {
	bound,
	count,
	matchesPattern,
	named,
	prepared,
	preparedByFilter,
	rejectingDuplicates,
	snapshot,
	statement,
	substring,
	transaction,
} from '../database/query.ts';
import { employees, stores } from '../database/schema.ts';
import { AppError } from '../errors.ts';
import { recordChange } from '../history/record.ts';
import type { Page, Paging } from '../paging.ts';
import type { Caller } from '../session/actor.ts';
import type { Status } from '../vocabulary/status.ts';
import { storeMessages } from './messages.ts';
import type { CreateStore, Store, StoreOption, UpdateStore } from './model.ts';

const optionColumns = { id: stores.id, name: stores.name, address: stores.address, phone: stores.phone };
const storeColumns = {
	...optionColumns,
	status: stores.status,
	createdAt: stores.createdAt,
	updatedAt: stores.updatedAt,
};
const live = isNull(stores.deletedAt);

const statements = prepared((db) => {
	const all = db.select(named(storeColumns)).from(stores);
	const isActive = eq(stores.status, 'ACTIVE');
	return {
		options: statement(db, db.select(named(optionColumns)).from(stores).where(and(live, isActive)).orderBy(stores.id)),
		all: statement(db, all.where(live).orderBy(stores.id)),
		byId: statement(
			db,
			db
				.select(named(storeColumns))
				.from(stores)
				.where(and(live, eq(stores.id, bound('id')))),
		),
		anyEmployee: statement(
			db,
			db
				.select(named({ id: employees.id }))
				.from(employees)
				.where(and(eq(employees.storeId, bound('id')), isNull(employees.deletedAt)))
				.limit(1),
		),
	};
});

/** Which stores a page is taken from; without a status, all that are not deleted. */
export interface StoreFilter {
	status?: Status | undefined;
	keyword?: string | undefined;
}

const pageStatements = preparedByFilter<StoreFilter, ReturnType<typeof buildPage>>(buildPage);

function buildPage(db: Db, given: (filter: keyof StoreFilter) => boolean) {
	const where = and(
		live,
		given('status') ? eq(stores.status, bound('status')) : undefined,
		given('keyword') ? matchesPattern(stores.name, stores.address, stores.phone) : undefined,
	);
	return {
		total: statement(db, db.select({ total: count() }).from(stores).where(where)),
		items: statement(
			db,
			db
				.select(named(storeColumns))
				.from(stores)
				.where(where)
				.orderBy(stores.id)
				.limit(sql.placeholder('limit'))
				.offset(sql.placeholder('offset')),
		),
	};
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
export function listStorePage(db: Db, filter: StoreFilter, paging: Paging): Page<Store> {
	const values = { status: filter.status, pattern: substring(filter.keyword ?? '') };
	return snapshot(db, () => readPage(pageStatements(db, filter), values, paging));
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
		const { name, address = null, phone = null, status = 'ACTIVE' } = input;
		const values = { name, address, phone, status, createdAt: at, updatedAt: at };
		const store = rejectingDuplicates(() => db.insert(stores).values(values).returning(storeColumns).get(), nameTaken);
		recordChange(db, caller, 'STORE_CREATE', { after: store }, told, at);
		return store;
	});
}

/**
 * Changes the given fields. The tokens of a disabled store's employees are refused until the store is enabled again.
 * @throws AppError NOT_FOUND; CONFLICT when the name is taken.
 */
export function updateStore(db: Db, caller: Caller, id: number, input: UpdateStore, at: string): Store {
	return transaction(db, () => {
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
		recordChange(db, caller, 'STORE_UPDATE', { before, after }, told, at);
		return after;
	});
}

/** @throws AppError NOT_FOUND; CONFLICT while the store has employees, enabled or not. */
export function deleteStore(db: Db, caller: Caller, id: number, at: string): void {
	transaction(db, () => {
		const store = getStore(db, id);
		if (statements(db).anyEmployee.get({ id })) throw new AppError('CONFLICT', storeMessages.hasEmployees);
		db.update(stores).set({ deletedAt: at, updatedAt: at }).where(eq(stores.id, id)).run();
		recordChange(db, caller, 'STORE_DELETE', { before: store }, told, at);
	});
}

/** The fields of a store that its history tells. */
function told({ name, address, phone, status }: Store) {
	return { name, address, phone, status };
}

function nameTaken(): AppError {
	return new AppError('CONFLICT', storeMessages.nameTaken);
}
