/** The stores of the chain. */
import { and, count, eq, getTableColumns, isNull } from 'drizzle-orm';
import { auditedBy } from '../../identity/history/record.ts';
import { newestGroup } from '../../identity/history/service.ts';
import { requireCurrent } from '../../identity/history/versions.ts';
import { type Authority, readAuthority } from '../../identity/rights/authority.ts';
import { isAreaGiven, revokePlace } from '../../identity/rights/reach.ts';
import { reaches } from '../../identity/rights/rules.ts';
import type { Caller } from '../../identity/session/actor.ts';
import type { Db } from '../../platform/database/open.ts';
import {
	largeTransaction,
	mapUniqueViolation,
	param,
	prepared,
	queries,
	transaction,
} from '../../platform/database/query.ts';
import { employees, stores } from '../../platform/database/schema.ts';
import type { ManyChangesQuery } from '../../platform/http/fields.ts';
import { AppError, businessError, orNotFound } from '../../platform/vocabulary/errors.ts';
import { findReadings } from '../../platform/vocabulary/pinyin.ts';
import type { Reason } from '../../platform/vocabulary/reasons.ts';
import { searchByName } from '../../platform/vocabulary/search-terms.ts';
import { areaMessages } from '../areas/model.ts';
import { areaNames } from '../areas/service.ts';
import {
	type ChangedStores,
	type ChangeStores,
	CreateStore,
	maxStores,
	newStore,
	type Store,
	type StoredStore,
	type StoreFilter,
	type StoreProblem,
	type StoreQuery,
	storeMessages,
	type UpdateStore,
} from './model.ts';

const { deletedAt, ...storeColumns } = getTableColumns(stores);
const live = isNull(deletedAt);

const read = queries(({ select }) => ({
	byId: select(storeColumns)
		.from(stores)
		.where(and(live, eq(stores.id, param('id')))),
	present: select({ total: count() }).from(stores).where(live),
	people: select({ total: count() })
		.from(employees)
		.where(and(eq(employees.storeId, param('id')), isNull(employees.deletedAt))),
}));

type Values = (string | number | null)[];

const columnsByName = Object.entries(storeColumns).map(([name, column]) => `${column.name} as ${name}`);

/** The fields that people write. */
const fields = Object.keys(CreateStore.properties) as (keyof CreateStore)[];
const columns = fields.map((field) => stores[field].name);

// Raw SQL: an import adds or changes thousands of stores, and Drizzle would build each statement. For lists of up to
// 20,000 stores, Drizzle takes twice as long to make objects from rows.
const statements = prepared(({ $client }) => ({
	all: $client.prepare<StoredStore, []>(`select ${columnsByName} from stores where deleted_at is null order by id`),
	add: $client.prepare<null, Values>(
		`insert into stores (${columns}, created_at, updated_at) values (${columns.map(() => '?')}, ?, ?)`,
	),
	change: $client.prepare<null, Values>(
		`update stores set ${columns.map((column) => `${column} = ?`)}, updated_at = ? where id = ?`,
	),
	rename: $client.prepare<null, Values>('update stores set name = ? where id = ?'),
}));

/** Lists the active stores in their short form. */
export function listStoreOptions(db: Db) {
	const active = listStores(db).filter(({ status }) => status === 'ACTIVE');
	return active.map(({ id, name, address, phone, areaId }) => ({ id, name, address, phone, areaId }));
}

/** Lists every store that is not deleted. */
export function listStores(db: Db): StoredStore[] {
	return statements(db).all.all();
}

/** Every store that passes the filter. */
export function findStores(db: Db, { status, areaId, ...terms }: StoreFilter): readonly StoredStore[] {
	const stores = listStores(db).filter(
		(store) => (status === undefined || store.status === status) && (areaId === undefined || store.areaId === areaId),
	);
	return searchByName(stores, ({ name, address, phone }) => [name, address, phone], terms, findReadings);
}

/** Adds to stores what a query asks for: their areas. */
export function withAdditions<Some extends { areaId: number | null }>(db: Db, { include }: StoreQuery, stores: Some[]) {
	if (!include) return stores;
	const areas = new Map(Array.from(areaNames(db), ([id, name]) => [id, { id, name }]));
	return stores.map((store): Some & Pick<Store, 'area'> => ({ ...store, area: areas.get(store.areaId ?? 0) ?? null }));
}

/** @throws AppError NOT_FOUND */
export function getStore(db: Db, id: number): StoredStore {
	return orNotFound(read(db).byId.get({ id }), storeMessages.notFound);
}

/**
 * Creates a store.
 * @throws AppError BAD_REQUEST when the maximum number of stores is reached, or the area does not exist; CONFLICT when
 * the name is taken.
 */
export function createStore(db: Db, caller: Caller, input: CreateStore): StoredStore {
	return transaction(db, () => {
		requireRoomFor(db, 1);
		requireLiveArea(db, input.areaId, 'body.areaId');
		return addStore(db, caller, input);
	});
}

/** There must be room for `more` stores. @throws AppError BAD_REQUEST beyond the maximum. */
export function requireRoomFor(db: Db, more: number): void {
	const { total = 0 } = read(db).present.get() ?? {};
	if (total + more > maxStores) throw businessError('BAD_REQUEST', 'body', storeMessages.limitReached);
}

/**
 * Only a caller who reaches a store for good may move it into an area that an employee was given: the move shows the
 * store's employees to them. Removing a store from an area grants nothing, and a new store has no employees.
 */
export function areaRefusal(
	{ db, actor, forGood }: Authority,
	before: StoredStore,
	areaId: number | null | undefined,
): Reason | undefined {
	if (areaId == null || areaId === before.areaId || reaches(forGood, before.id)) return undefined;
	return isAreaGiven(db, areaId, actor.today) ? storeMessages.areaIsGiven : undefined;
}

/** Applies the rule of {@link areaRefusal}. @throws AppError FORBIDDEN */
function requireArea(authority: Authority, store: StoredStore, after: UpdateStore, path: string): void {
	const refusal = areaRefusal(authority, store, after.areaId);
	if (refusal !== undefined) throw businessError('FORBIDDEN', path, refusal);
}

/** An area must exist. @throws AppError BAD_REQUEST */
function requireLiveArea(db: Db, id: number | null | undefined, path: string): void {
	if (id != null && !areaNames(db).has(id)) throw businessError('BAD_REQUEST', path, areaMessages.missing);
}

function addStore(db: Db, caller: Caller, input: CreateStore): StoredStore {
	const added = { ...newStore, ...input };
	const insert = () => statements(db).add.run(...fields.map((field) => added[field]), caller.at, caller.at);
	const id = Number(mapUniqueViolation(insert, taken).lastInsertRowid);
	const store = { id, ...added, createdAt: caller.at, updatedAt: caller.at };
	recordChange(db, caller, 'STORE_CREATE', { after: store });
	return store;
}

/** The reason why a store takes no employees: it must exist, be enabled, and be another store than `own`. */
export function storeProblem(db: Db, id: number, own?: number): StoreProblem | undefined {
	if (id === own) return 'store_is_own';
	const store = read(db).byId.get({ id });
	if (!store) return 'store_not_found';
	return store.status === 'ACTIVE' ? undefined : 'store_inactive';
}

/**
 * Updates the given fields.
 * @throws AppError NOT_FOUND; FORBIDDEN for an area out of reach; PRECONDITION_FAILED; BAD_REQUEST; CONFLICT when the
 * name is taken.
 */
export function updateStore(db: Db, caller: Caller, id: number, input: UpdateStore): StoredStore {
	return transaction(db, () => {
		const before = getStore(db, id);
		requireArea(readAuthority(db, caller.actor), before, input, 'body.areaId');
		requireCurrent(db, caller, before, storeVersion);
		requireLiveArea(db, input.areaId, 'body.areaId');
		const isSame = hasSameFields(before, { ...before, ...input });
		return isSame ? before : changeStore(db, caller, { before, after: input });
	});
}

/**
 * Makes the same change to several stores, all or none; with `dryRun` it only reports the result.
 * @throws AppError FORBIDDEN for an area out of reach; NOT_FOUND with a detail for each store that does not exist;
 * BAD_REQUEST.
 */
export function changeStores(
	db: Db,
	caller: Caller,
	{ ids, change }: ChangeStores,
	{ dryRun }: typeof ManyChangesQuery.static,
): ChangedStores {
	function work(): ChangedStores {
		const known = new Map(listStores(db).map((store) => [store.id, store]));
		const details = ids.flatMap((id, index) =>
			known.has(id) ? [] : [{ path: `body.ids.${index}`, ...storeMessages.notFound }],
		);
		const present = ids.flatMap((id) => known.get(id) ?? []);
		const authority = readAuthority(db, caller.actor);
		for (const store of present) requireArea(authority, store, change, 'body.change.areaId');
		if (details.length > 0) throw new AppError('NOT_FOUND', storeMessages.noneChanged(details.length), { details });
		requireLiveArea(db, change.areaId, 'body.change.areaId');
		const differing = present.filter(({ areaId }) => areaId !== change.areaId);
		const counts = { changed: differing.length, unchanged: ids.length - differing.length };
		if (dryRun) return { ...counts, groupId: null };
		for (const before of differing) changeStore(db, caller, { before, after: change });
		return { ...counts, groupId: differing.length === 0 ? null : newestGroup(db) };
	}
	return dryRun ? work() : largeTransaction(db, work);
}

interface StoreEdit {
	before: StoredStore;
	after: UpdateStore;
}

/** Adds and changes stores inside the caller's transaction. They can swap names. @throws AppError CONFLICT */
export function saveStores(db: Db, caller: Caller, added: readonly CreateStore[], edits: readonly StoreEdit[]): void {
	for (const store of added) addStore(db, caller, store);
	for (const { before, after } of edits) {
		// A temporary name that no client can send, so that two stores can swap names.
		if (after.name !== before.name) statements(db).rename.run(`\u0000${before.id}`, before.id);
	}
	for (const edit of edits) changeStore(db, caller, edit);
}

/** Saves and records a change inside the caller's transaction, even without a difference. @returns the changed store. */
export function changeStore(db: Db, caller: Caller, { before, after: input }: StoreEdit): StoredStore {
	const after = { ...before, ...input, updatedAt: caller.at };
	const values = fields.map((field) => after[field]);
	mapUniqueViolation(() => statements(db).change.run(...values, caller.at, before.id), taken);
	recordChange(db, caller, 'STORE_UPDATE', { before, after });
	return after;
}

/** Deletes a store, enabled or not. @throws AppError NOT_FOUND; PRECONDITION_FAILED; CONFLICT while it has employees. */
export function deleteStore(db: Db, caller: Caller, id: number): void {
	transaction(db, () => {
		const store = requireCurrent(db, caller, getStore(db, id), storeVersion);
		const { total: people = 0 } = read(db).people.get({ id }) ?? {};
		if (people > 0) throw businessError('CONFLICT', 'params.id', storeMessages.hasEmployees(people));
		db.update(stores).set({ deletedAt: caller.at, updatedAt: caller.at }).where(eq(stores.id, id)).run();
		recordChange(db, caller, 'STORE_DELETE', { before: store });
		revokePlace(db, caller, { type: 'STORE', id });
	});
}

const { versionOf, hasSameFields, recordChange } = auditedBy('STORE', CreateStore, 'name');

/** The version of a store. Its employees are not part of it. */
export const storeVersion = versionOf;

const taken = { 'stores.name': () => businessError('CONFLICT', 'body.name', storeMessages.nameTaken) };
