/** The key figures of the chain. */
import { and, isNull, sql } from 'drizzle-orm';
import { countMovements, countMovementsSince, countRefusedSignIns } from '../../identity/history/service.ts';
import { accessibleStores } from '../../identity/rights/authority.ts';
import type { Actor } from '../../identity/session/actor.ts';
import type { Db } from '../../platform/database/open.ts';
import { inJsonArray, queries } from '../../platform/database/query.ts';
import { rememberUntilWrite } from '../../platform/database/remembered.ts';
import { stores } from '../../platform/database/schema.ts';
import { addDays, dayOf } from '../../platform/vocabulary/day.ts';
import { daysAhead, idleDays } from '../../platform/vocabulary/limits.ts';
import type { EmployeeStatus } from '../../platform/vocabulary/status.ts';
import { withinReach } from '../employees/authorization.ts';
import { listEndingBy } from '../employees/expiry.ts';
import { countDisabled, countEmployees, countEnabled } from '../employees/search.ts';
import { listStoreActivity } from '../employees/store-activity.ts';
import { countHolders, listRoles } from '../roles/service.ts';
import { maxReachStores, type Overview, type ReachOverview } from './model.ts';

// Raw SQL: Drizzle writes columns of one table without its name. Looking up each store takes two thirds of the time
// of grouping.
const countOf = (status: EmployeeStatus) => sql<number>`(
	select count(*) from employees indexed by employees_state_live
	where status = ${sql.raw(`'${status}'`)} and store_id = stores.id and deleted_at is null
)`;
const store = {
	storeId: stores.id,
	storeName: stores.name,
	storeStatus: stores.status,
	enabled: countOf('ACTIVE'),
	disabled: countOf('INACTIVE'),
};

const read = queries(({ select }) => ({
	stores: select(store).from(stores).where(isNull(stores.deletedAt)).orderBy(stores.id),
	some: select(store)
		.from(stores)
		.where(and(isNull(stores.deletedAt), inJsonArray(stores.id, 'ids')))
		.orderBy(stores.id),
}));

/** The figures of the whole chain at a time in ISO 8601, at most a minute old. */
export function getOverview(db: Db, at: string): Overview {
	return rememberUntilWrite(db, `overview ${at.slice(0, 16)}`, () => overviewOf(db, at));
}

function overviewOf(db: Db, at: string): Overview {
	const today = dayOf(at);
	const holders = countHolders(db);
	const employeesPerStore = read(db).stores.all().map(withTotal);
	const storesOf = Object.groupBy(employeesPerStore, ({ storeStatus }) => storeStatus);
	const attention = attentionOf(db, at, employeesPerStore);
	const enabled = sumOf(employeesPerStore, 'enabled');
	const disabled = countDisabled(db);
	return {
		stores: { ACTIVE: storesOf.ACTIVE?.length ?? 0, INACTIVE: storesOf.INACTIVE?.length ?? 0 },
		employees: { ACTIVE: enabled, INACTIVE: sumOf(employeesPerStore, 'employees') - enabled },
		employeesPerStore,
		holdersPerRole: listRoles(db).map(({ id, code, name }) => {
			return { roleId: id, roleCode: code, roleName: name, holders: holders.perRole.get(id) ?? 0 };
		}),
		today,
		attention: {
			...attention,
			withoutRole: enabled - (holders.total - disabled.withRole),
			refusedSignIns: countRefusedSignIns(db, startOf(today)),
		},
		ending: listEndingBy(db, addDays(today, daysAhead)),
		week: weekUntil(db, today),
		movements: movementsOf(db, addDays(today, -6), employeesPerStore),
		initialPasswords: attention.initialPasswords + disabled.passwordIsInitial,
	};
}

/** The figures of the stores that an actor reaches, at a time in ISO 8601. */
export function getReachOverview(db: Db, actor: Actor, at: string): ReachOverview {
	const reached = accessibleStores(db, actor);
	const found = reached ? read(db).some.all({ ids: JSON.stringify(reached) }) : read(db).stores.all();
	const known = found.map(withTotal);
	const shown = known.slice(0, maxReachStores).map(({ storeId }) => storeId);
	return {
		today: dayOf(at),
		stores: { total: known.length, items: listStoreActivity(db, shown) },
		attention: {
			...attentionOf(db, at, known, reached),
			withoutRole: countEmployees(db, withinReach(db, actor, { status: 'ACTIVE', withoutRole: true })),
		},
		ending: listEndingBy(db, addDays(dayOf(at), daysAhead), reached),
	};
}

/** A store with the number of all its employees instead of the disabled ones. */
function withTotal<Counts extends { enabled: number; disabled: number }>({ disabled, ...store }: Counts) {
	return { ...store, employees: store.enabled + disabled };
}

/** The enabled employees of all stores, or of some, who need attention, except those without a role. */
function attentionOf(
	db: Db,
	at: string,
	known: readonly Pick<Overview['employeesPerStore'][number], 'storeStatus' | 'enabled'>[],
	stores?: readonly number[],
) {
	// The day before which a last sign-in is long ago.
	const signedInBefore = addDays(dayOf(at), -idleDays);
	const counts = countEnabled(db, { passwordExpired: at, signedInBefore, stores });
	const disabledStores = known.filter(({ storeStatus }) => storeStatus === 'INACTIVE');
	return {
		signedInBefore,
		lockedOut: sumOf(disabledStores, 'enabled'),
		initialPasswords: counts.passwordIsInitial,
		expiredPasswords: counts.passwordExpired,
		neverSignedIn: counts.neverSignedIn,
		notLately: counts.signedInBefore,
	};
}

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
