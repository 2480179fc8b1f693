/** Closing a store: everyone moves to another one, then it is disabled or deleted. */
import { eq } from 'drizzle-orm';
import { isClosing } from '../../identity/history/group.ts';
import { recordAll } from '../../identity/history/record.ts';
import { newestRecords, undoableGroup } from '../../identity/history/service.ts';
import { requireCurrent } from '../../identity/history/versions.ts';
import { readAuthority } from '../../identity/rights/authority.ts';
import { holdersOfPlace, revokePlace } from '../../identity/rights/reach.ts';
import { reasonFor, requireNothingMissing } from '../../identity/rights/refusal.ts';
import { combineMissing, isNothing, reaches } from '../../identity/rights/rules.ts';
import { type Actor, type Caller, requireStillPermitted } from '../../identity/session/actor.ts';
import { programPermissionsByRole } from '../../identity/session/granted-permissions.ts';
import type { Db } from '../../platform/database/open.ts';
import { largeTransaction, param, prepared, queries } from '../../platform/database/query.ts';
import { employees } from '../../platform/database/schema.ts';
import { yieldToRequests } from '../../platform/machine/background.ts';
import { businessError } from '../../platform/vocabulary/errors.ts';
import type { StoredStore } from '../stores/model.ts';
import { changeStore, deleteStore, getStore, storeProblem, storeVersion } from '../stores/service.ts';
import { missingToGive, missingToManage, requireReached } from './authorization.ts';
import { type ClosedStore, type CloseStore, closingMessages, type StoreClosing } from './model.ts';
import { selectHolders } from './read.ts';

const statements = prepared(({ $client }) => ({
	// Raw SQL: a value in the changes of a record.
	moved: $client.prepare<StoreClosing['people'][number] & { storeId: number }, [number]>(
		`select employees.id, employees.name, stores.name as storeName, stores.id as storeId
		from history join employees on employees.id = target_id and employees.deleted_at is null
			join stores on stores.id = employees.store_id
		where group_id = ? and action = 'EMPLOYEE_UPDATE' and employees.store_id = changes ->> '$[0].after'
		order by employees.id`,
	),
	// Raw SQL, because it runs for thousands of rows in one transaction. One statement for all of them would copy each
	// page before it changes it.
	people: $client.prepare<{ id: number; name: string }, [number]>(
		'select id, name from employees where store_id = ? and deleted_at is null order by id',
	),
	move: $client.prepare<null, [storeId: number, at: string, id: number]>(
		'update employees set store_id = ?, updated_at = ? where id = ?',
	),
}));

/** The employees moved by the closing of a disabled store, so that they can come back. @throws AppError NOT_FOUND */
export function findClosing(db: Db, actor: Actor, storeId: number): StoreClosing {
	const filter = { targetType: 'STORE', targetId: storeId, action: 'STORE_UPDATE' } as const;
	const isDisabled = getStore(db, storeId).status === 'INACTIVE';
	const closings = isDisabled ? newestRecords(db, filter, maxRecords).filter(isClosing) : [];
	// The closing that disabled the store, or a later closing that moved somebody.
	const moved = closings.values().map(({ id, changes }) => ({ changes, people: statements(db).moved.all(id) }));
	const { people = [] } = moved.find((each) => each.changes.length > 0 || each.people.length > 0) ?? {};
	const authority = readAuthority(db, actor);
	return { people: people.filter((person) => reaches(authority, person.storeId)) };
}

/** The maximum number of a store's changes to search for its closing. */
const maxRecords = 20;

const read = queries((reader) => ({
	holders: selectHolders(reader, eq(employees.storeId, param('storeId'))).orderBy(employees.id),
}));

/**
 * To move everyone to another store, the caller must manage every employee and be able to give the rights that they
 * gain.
 * @throws AppError FORBIDDEN
 */
function requireMovable(db: Db, actor: Actor, { from, to }: { from: number; to: number }): void {
	const roleIds = JSON.stringify([...programPermissionsByRole(db).keys()]);
	// A super administrator lacks nothing, so nobody has to be compared.
	const holders = actor.accountType === 'SUPER_ADMIN' ? [] : read(db).holders.all({ storeId: from, roleIds });
	const ids = holders.map(({ id }) => id);
	const authority = readAuthority(db, actor, ids);
	requireReached(authority, from);
	requireReached(authority, to, 'body.moveTo');
	const compared = holders.map(({ id, name }) => ({ name, missing: missingToManage(authority, id) }));
	const unmanageable = compared.filter(({ missing }) => !isNothing(missing));
	if (unmanageable.length > 0) {
		const beginning = closingMessages.cannotMove(unmanageable.map(({ name }) => name));
		const lacked = combineMissing(unmanageable.map(({ missing }) => missing));
		throw businessError('FORBIDDEN', 'params.id', reasonFor(authority, beginning, lacked));
	}
	const movedTo = (id: number) => ({ id, after: { ...authority.grantsOf(id), storeId: to } });
	const missing = combineMissing(ids.map((id) => missingToGive(authority, movedTo(id))));
	requireNothingMissing(authority, missing, { request: 'give', path: 'body.moveTo' });
}

/**
 * Moves everyone in a store to another one, then disables or deletes the store: all or nothing.
 * @throws AppError UNAUTHORIZED and FORBIDDEN by the rights at the time of the transaction; NOT_FOUND;
 * PRECONDITION_FAILED; FORBIDDEN when the actor may not change or move an employee of the store; BAD_REQUEST when the
 * other store is missing, disabled or the same; CONFLICT when the store has employees and no other store is given.
 */
export async function closeStore(
	dependencies: { db: Db; now: () => string },
	sender: Caller,
	id: number,
	{ moveTo, then }: CloseStore,
): Promise<ClosedStore> {
	const { db } = dependencies;
	// Reads the rows into memory and serves others before the transaction, so that it holds them up for less time.
	statements(db).people.all(id);
	await yieldToRequests();
	return largeTransaction(db, () => {
		const caller = requireStillPermitted(dependencies, sender);
		const to = moveTo ?? id;
		const people = statements(db).people.all(id);
		if (people.length > 0) requireMovable(db, caller.actor, { from: id, to });
		const before = requireCurrent(db, caller, getStore(db, id), storeVersion);
		requireReceiver(db, before, moveTo, people.length);
		for (const person of people) statements(db).move.run(to, caller.at, person.id);
		// The store's record comes first: it represents the whole group.
		if (then === 'DELETE') deleteStore(db, caller, id);
		else disableStore(db, caller, before, people.length);
		const changes = [{ field: 'storeId', before: id, after: to }];
		recordAll(db, caller, { action: 'EMPLOYEE_UPDATE', changes }, people);
		// Reading the reach of everyone who moves would take longer.
		const moved = new Set(people.map((person) => person.id));
		const place = { type: 'STORE', id: to } as const;
		const holders = holdersOfPlace(db, place).filter((holder) => moved.has(holder.id));
		revokePlace(db, caller, place, holders);
		return { moved: people.length, then, groupId: undoableGroup(db, people.length) };
	});
}

/** A store with employees needs another one that receives them, which must be enabled. @throws AppError BAD_REQUEST; CONFLICT. */
function requireReceiver(db: Db, { id }: StoredStore, moveTo: number | undefined, people: number): void {
	const problem = moveTo === undefined ? undefined : storeProblem(db, moveTo, id);
	if (problem) throw businessError('BAD_REQUEST', 'body.moveTo', closingMessages.badMoveTo(problem));
	if (moveTo === undefined && people > 0)
		throw businessError('CONFLICT', 'params.id', closingMessages.needsMoveTo(people));
}

/** Disables a store and records it, unless the store was disabled, had no employees and was given to nobody. */
function disableStore(db: Db, caller: Caller, before: StoredStore, moved: number): void {
	const place = { type: 'STORE', id: before.id } as const;
	if (before.status === 'INACTIVE' && moved === 0 && holdersOfPlace(db, place).length === 0) return;
	changeStore(db, caller, { before, after: { status: 'INACTIVE' } });
	revokePlace(db, caller, place);
}
