/** The key figures of the chain. */
import { and, isNull, sql } from 'drizzle-orm';
import { countMovements, countMovementsSince, countRefusedSignIns } from '../../identity/history/service.ts';
import { accessibleStores } from '../../identity/rights/authority.ts';
import type { Actor } from '../../identity/session/actor.ts';
import type { Db } from '../../platform/database/open.ts';
import { inJsonArray, queries, snapshot } from '../../platform/database/query.ts';
import { rememberUntilWrite } from '../../platform/database/remembered.ts';
import { roles, stores } from '../../platform/database/schema.ts';
import { addDays, dayOf } from '../../platform/vocabulary/day.ts';
import { daysAhead, idleDays } from '../../platform/vocabulary/limits.ts';
import { listEndingBy } from '../employees/expiry.ts';
import { countEmployees, countEnabledWithRole, countPerStore, type StoreCount } from '../employees/search.ts';
import { listStoreActivity } from '../employees/store-activity.ts';
import { maxReachStores, type Overview, type ReachOverview } from './model.ts';

// Names as text: Drizzle writes columns of one table without its name. Looking up each role takes two thirds of the
// time of grouping.
const holders = sql<number>`(select count(*) from employee_roles where role_id = roles.id and unbound_at is null)`;
const store = { storeId: stores.id, storeName: stores.name, storeStatus: stores.status };

const read = queries(({ select }) => ({
	stores: select(store).from(stores).where(isNull(stores.deletedAt)).orderBy(stores.id),
	some: select(store)
		.from(stores)
		.where(and(isNull(stores.deletedAt), inJsonArray(stores.id, 'ids')))
		.orderBy(stores.id),
	roles: select({ roleId: roles.id, roleCode: roles.code, roleName: roles.name, holders })
		.from(roles)
		.where(isNull(roles.deletedAt))
		.orderBy(roles.id),
}));

/** The figures of the whole chain at a time in ISO 8601, at most a minute old. */
export function getOverview(db: Db, at: string): Overview {
	return rememberUntilWrite(db, `overview ${at.slice(0, 16)}`, () => snapshot(db, () => overviewOf(db, at)));
}

function overviewOf(db: Db, at: string): Overview {
	const today = dayOf(at);
	const counts = countsOf(db, at);
	const { ACTIVE: enabled = [], INACTIVE: disabled = [] } = Object.groupBy(counts, ({ status }) => status);
	const employeesPerStore = withCounts(read(db).stores.all(), counts);
	const storesOf = Object.groupBy(employeesPerStore, ({ storeStatus }) => storeStatus);
	return {
		stores: { ACTIVE: storesOf.ACTIVE?.length ?? 0, INACTIVE: storesOf.INACTIVE?.length ?? 0 },
		employees: { ACTIVE: sumOf(enabled, 'employees'), INACTIVE: sumOf(disabled, 'employees') },
		employeesPerStore,
		holdersPerRole: read(db).roles.all(),
		today,
		attention: {
			...attentionOf(at, employeesPerStore, enabled),
			withoutRole: sumOf(enabled, 'employees') - countEnabledWithRole(db),
			refusedSignIns: countRefusedSignIns(db, startOf(today)),
		},
		ending: listEndingBy(db, addDays(today, daysAhead)),
		week: weekUntil(db, today),
		movements: movementsOf(db, addDays(today, -6), employeesPerStore),
		initialPasswords: sumOf(counts, 'passwordIsInitial'),
	};
}

/** The figures of the stores that an actor reaches, at a time in ISO 8601. */
export function getReachOverview(db: Db, actor: Actor, at: string): ReachOverview {
	return snapshot(db, () => {
		const reached = accessibleStores(db, actor);
		const found = reached ? read(db).some.all({ ids: JSON.stringify([...reached]) }) : read(db).stores.all();
		const ids = found.map(({ storeId }) => storeId);
		const only = reached && ids;
		const counts = countsOf(db, at, only);
		const known = withCounts(found, counts);
		const enabled = counts.filter(({ status }) => status === 'ACTIVE');
		const shown = listStoreActivity(db, ids.slice(0, maxReachStores));
		const activity = new Map(shown.map((each) => [each.storeId, each]));
		return {
			today: dayOf(at),
			stores: {
				total: known.length,
				items: known.slice(0, maxReachStores).map((each) => {
					const { leads = null, lastSignInAt = null } = activity.get(each.storeId) ?? {};
					return { ...each, leads, lastSignInAt };
				}),
			},
			attention: {
				...attentionOf(at, known, enabled),
				withoutRole: countEmployees(db, { status: 'ACTIVE', stores: only, withoutRole: true }),
			},
			ending: listEndingBy(db, addDays(dayOf(at), daysAhead), only),
		};
	});
}

/** Counted without the names of the stores: a join would look up the row of every employee. */
function countsOf(db: Db, at: string, stores?: readonly number[]) {
	const flags = { passwordIsInitial: true, neverSignedIn: true } as const;
	return countPerStore(db, { ...flags, passwordExpired: at, signedInBefore: idleSince(at) }, stores);
}

/** The day before which a last sign-in is long ago. */
const idleSince = (at: string) => addDays(dayOf(at), -idleDays);

/** The enabled employees who need attention, except those without a role. */
function attentionOf(
	at: string,
	stores: readonly Pick<Overview['employeesPerStore'][number], 'storeStatus' | 'enabled'>[],
	enabled: ReturnType<typeof countsOf>,
) {
	const disabled = stores.filter(({ storeStatus }) => storeStatus === 'INACTIVE');
	return {
		signedInBefore: idleSince(at),
		lockedOut: sumOf(disabled, 'enabled'),
		initialPasswords: sumOf(enabled, 'passwordIsInitial'),
		expiredPasswords: sumOf(enabled, 'passwordExpired'),
		neverSignedIn: sumOf(enabled, 'neverSignedIn'),
		notLately: sumOf(enabled, 'signedInBefore'),
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
