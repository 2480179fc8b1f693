/** The key figures of the chain. */
import { isNull } from 'drizzle-orm';
import { countMovements, countMovementsSince, countRefusedSignIns } from '../../identity/history/service.ts';
import type { Db } from '../../platform/database/open.ts';
import { queries, snapshot } from '../../platform/database/query.ts';
import { rememberUntilWrite } from '../../platform/database/remembered.ts';
import { stores } from '../../platform/database/schema.ts';
import { addDays, dayOf } from '../../platform/vocabulary/day.ts';
import { listEndingBy } from '../employees/expiry.ts';
import { countEnabledWithRole, countPerStore, type StoreCount } from '../employees/search.ts';
import { holdersPerRole, listRoles } from '../roles/service.ts';
import type { Overview } from './model.ts';

const read = queries(({ select }) => ({
	stores: select({ storeId: stores.id, storeName: stores.name, storeStatus: stores.status })
		.from(stores)
		.where(isNull(stores.deletedAt))
		.orderBy(stores.id),
}));

/** An account without a sign-in for this long needs attention. */
const idleDays = 90;
/** The number of days ahead for which the overview shows last days. */
const daysAhead = 14;

/** The figures of the whole chain at one moment, at most a minute old. */
export function getOverview(db: Db, now: Date): Overview {
	const minute = now.toISOString().slice(0, 16);
	return rememberUntilWrite(db, `overview ${minute}`, () => snapshot(db, () => overviewOf(db, now)));
}

function overviewOf(db: Db, now: Date): Overview {
	const today = dayOf(now);
	const signedInBefore = addDays(today, -idleDays);
	// Counted without the names of the stores: a join would look up the row of every employee.
	const counts = countPerStore(db, {
		passwordIsInitial: true,
		passwordExpired: now.toISOString(),
		neverSignedIn: true,
		signedInBefore,
	});
	const { ACTIVE: enabled = [], INACTIVE: disabled = [] } = Object.groupBy(counts, ({ status }) => status);
	const employeesPerStore = withCounts(read(db).stores.all(), counts);
	const storesOf = Object.groupBy(employeesPerStore, ({ storeStatus }) => storeStatus);
	const holders = holdersPerRole(db);
	return {
		stores: { ACTIVE: storesOf.ACTIVE?.length ?? 0, INACTIVE: storesOf.INACTIVE?.length ?? 0 },
		employees: { ACTIVE: sumOf(enabled, 'employees'), INACTIVE: sumOf(disabled, 'employees') },
		employeesPerStore,
		holdersPerRole: listRoles(db).map(({ id, code, name }) => {
			return { roleId: id, roleCode: code, roleName: name, holders: holders.get(id) ?? 0 };
		}),
		today,
		attention: {
			signedInBefore,
			lockedOut: sumOf(storesOf.INACTIVE ?? [], 'enabled'),
			initialPasswords: sumOf(enabled, 'passwordIsInitial'),
			expiredPasswords: sumOf(enabled, 'passwordExpired'),
			neverSignedIn: sumOf(enabled, 'neverSignedIn'),
			notLately: sumOf(enabled, 'signedInBefore'),
			withoutRole: sumOf(enabled, 'employees') - countEnabledWithRole(db),
			refusedSignIns: countRefusedSignIns(db, startOf(today)),
		},
		ending: listEndingBy(db, addDays(today, daysAhead)),
		week: weekUntil(db, today),
		movements: movementsOf(db, addDays(today, -6), employeesPerStore),
		initialPasswords: sumOf(counts, 'passwordIsInitial'),
	};
}

/** Stores with the number of their employees, and of the enabled ones. */
function withCounts<Store extends { storeId: number }>(stores: readonly Store[], counts: readonly StoreCount[]) {
	const ofStore = Map.groupBy(counts, ({ storeId }) => storeId);
	return stores.map((store) => {
		const own = ofStore.get(store.storeId) ?? [];
		const enabled = own.filter(({ status }) => status === 'ACTIVE');
		return { ...store, employees: sumOf(own, 'employees'), enabled: sumOf(enabled, 'employees') };
	});
}

/** The sum of one number over rows. */
function sumOf<Name extends string>(rows: readonly Record<Name, number>[], name: Name): number {
	return rows.reduce((sum, row) => sum + row[name], 0);
}

/** The movements of a day and the six days before it. Days are in the machine's time zone. */
function weekUntil(db: Db, today: string): Overview['week'] {
	return Array.from({ length: 7 }, (_, index) => {
		const day = addDays(today, index - 6);
		return { day, ...countMovements(db, { from: startOf(day), to: startOf(addDays(day, 1)) }) };
	});
}

function movementsOf(db: Db, from: string, stores: Overview['employeesPerStore']): Overview['movements'] {
	const { busiest, ...counts } = countMovementsSince(db, startOf(from));
	const store = stores.find(({ storeId }) => storeId === busiest?.storeId);
	return { from, ...counts, ...(store && { busiest: { storeId: store.storeId, storeName: store.storeName } }) };
}

/** The beginning of a day in the machine's time zone. */
function startOf(day: string): string {
	return new Date(`${day}T00:00`).toISOString();
}
