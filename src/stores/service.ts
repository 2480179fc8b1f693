/** The stores of the chain. */
import { and, count, eq, getTableColumns, isNull } from 'drizzle-orm';
import type { Db } from '../database/open.ts';
import { type Sought, soughtIn } from '../database/pinyin.ts';
import { bound, prepared, queries, rejectingDuplicates, transaction } from '../database/query.ts';
import { employees, stores } from '../database/schema.ts';
import { recordChange } from '../history/record.ts';
import { refuseStale, type Version } from '../history/versions.ts';
import type { Caller } from '../session/actor.ts';
import { type AppError, found, ruleBroken } from '../vocabulary/errors.ts';
import { type Status, statusLabels } from '../vocabulary/status.ts';
import { type CreateStore, type Store, type StoreOption, storeMessages, type UpdateStore } from './model.ts';

const { deletedAt, ...storeColumns } = getTableColumns(stores);
const optionColumns = { id: stores.id, name: stores.name, address: stores.address, phone: stores.phone };
const live = isNull(deletedAt);

const read = queries(({ select }) => ({
	options: select(optionColumns)
		.from(stores)
		.where(and(live, eq(stores.status, 'ACTIVE')))
		.orderBy(stores.id),
	all: select(storeColumns).from(stores).where(live).orderBy(stores.id),
	byId: select(storeColumns)
		.from(stores)
		.where(and(live, eq(stores.id, bound('id')))),
	people: select({ total: count() })
		.from(employees)
		.where(and(eq(employees.storeId, bound('id')), isNull(employees.deletedAt))),
}));

type Values = (string | number | null)[];

// Text instead of Drizzle statements: an import adds or changes thousands, and Drizzle would build each one.
const statements = prepared(({ $client }) => ({
	add: $client.prepare<null, Values>(
		'insert into stores (name, address, phone, status, created_at, updated_at) values (?, ?, ?, ?, ?, ?)',
	),
	change: $client.prepare<null, Values>(
		'update stores set name = ?, address = ?, phone = ?, status = ?, updated_at = ? where id = ?',
	),
	rename: $client.prepare<null, Values>('update stores set name = ? where id = ?'),
}));

/** The active stores in their short form. */
export function listStoreOptions(db: Db): StoreOption[] {
	return read(db).options.all();
}

/** Every store that is not deleted. */
export function listStores(db: Db): Store[] {
	return read(db).all.all();
}

/** Which stores a list has; without a status those of both. */
export interface StoreFilter extends Sought {
	status?: Status | undefined;
}

/** Every store that passes the filter. */
export function findStores(db: Db, { status, ...sought }: StoreFilter): readonly Store[] {
	const stores = listStores(db).filter((store) => status === undefined || store.status === status);
	return soughtIn(db, stores, ({ name, address, phone }) => [name, address, phone], sought);
}

/** @throws AppError NOT_FOUND */
export function getStore(db: Db, id: number): Store {
	return found(read(db).byId.get({ id }), storeMessages.notFound);
}

/**
 * A store that is to be changed.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED when the caller expects another version.
 */
export function getExpectedStore(db: Db, caller: Caller, id: number): Store {
	const store = getStore(db, id);
	refuseStale(db, caller, { type: 'STORE', id }, storeVersion(store));
	return store;
}

/** The version of a store. Its people are no part of it. */
export function storeVersion(store: Store): Version {
	return { updatedAt: store.updatedAt, fields: auditedFields(store), shown: { status: statusLabels[store.status] } };
}

/** @throws AppError CONFLICT when the name is taken. */
export function createStore(db: Db, caller: Caller, input: CreateStore): Store {
	return transaction(db, () => addStore(db, caller, input));
}

function addStore(db: Db, caller: Caller, input: CreateStore): Store {
	const { name, address = null, phone = null, status = 'ACTIVE' } = input;
	const insert = () => statements(db).add.run(name, address, phone, status, caller.at, caller.at);
	const id = Number(rejectingDuplicates(insert, nameTaken).lastInsertRowid);
	const store = { id, name, address, phone, status, createdAt: caller.at, updatedAt: caller.at };
	recordChange(db, caller, 'STORE_CREATE', { after: store }, auditedFields);
	return store;
}

/** Whether people can be employed in a store: it exists and is enabled. */
export function isActiveStore(db: Db, id: number): boolean {
	return read(db).byId.get({ id })?.status === 'ACTIVE';
}

/**
 * Changes the given fields. The tokens of a disabled store's employees are refused until the store is enabled again.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED; CONFLICT when the name is taken.
 */
export function updateStore(db: Db, caller: Caller, id: number, input: UpdateStore): Store {
	return transaction(db, () => {
		return changeStore(db, caller, { before: getExpectedStore(db, caller, id), after: input });
	});
}

/** A store, and what it becomes. */
interface StoreEdit {
	before: Store;
	after: UpdateStore;
}

/**
 * Adds and changes many stores, inside the caller's transaction. They can exchange their names.
 * @throws AppError CONFLICT when a name is taken.
 */
export function storeAll(
	db: Db,
	caller: Caller,
	{ added, edits }: { added: readonly CreateStore[]; edits: readonly StoreEdit[] },
): void {
	for (const store of added) addStore(db, caller, store);
	for (const { before, after } of edits) {
		// Until it has its new one, a name that nobody can write.
		if (after.name !== before.name) statements(db).rename.run(`\u0000${before.id}`, before.id);
	}
	for (const edit of edits) changeStore(db, caller, edit);
}

function changeStore(db: Db, caller: Caller, { before, after: input }: StoreEdit): Store {
	const after = { ...before, ...input, updatedAt: caller.at };
	const { id, name, address, phone, status } = after;
	rejectingDuplicates(() => statements(db).change.run(name, address, phone, status, caller.at, id), nameTaken);
	recordChange(db, caller, 'STORE_UPDATE', { before, after }, auditedFields);
	return after;
}

/** @throws AppError NOT_FOUND; PRECONDITION_FAILED; CONFLICT while the store has employees, enabled or not. */
export function deleteStore(db: Db, caller: Caller, id: number): void {
	transaction(db, () => {
		const store = getExpectedStore(db, caller, id);
		const { total: people = 0 } = read(db).people.get({ id }) ?? {};
		if (people > 0) throw ruleBroken('CONFLICT', 'params.id', storeMessages.hasEmployees(people));
		db.update(stores).set({ deletedAt: caller.at, updatedAt: caller.at }).where(eq(stores.id, id)).run();
		recordChange(db, caller, 'STORE_DELETE', { before: store }, auditedFields);
	});
}

/** The fields of a store that its history records: all that people write. */
function auditedFields({ name, address, phone, status }: Store): Record<keyof CreateStore, unknown> {
	return { name, address, phone, status };
}

function nameTaken(): AppError {
	return ruleBroken('CONFLICT', 'body.name', storeMessages.nameTaken);
}
