/** The key figures of the chain. */
import { count, isNull, sql } from 'drizzle-orm';
import { countMovements, countMovementsSince, countRefusedSignIns } from '../../identity/history/service.ts';
import type { Db } from '../../platform/database/open.ts';
import { queries, snapshot } from '../../platform/database/query.ts';
import { rememberUntilWrite } from '../../platform/database/remembered.ts';
import { employees, stores } from '../../platform/database/schema.ts';
import { addDays, dayOf } from '../../platform/vocabulary/day.ts';
import { listEndingBy } from '../employees/expiry.ts';
import { countEach, countEmployees } from '../employees/search.ts';
import { holdersPerRole, listRoles } from '../roles/service.ts';
import type { Overview } from './model.ts';

const read = queries(({ select }) => ({
	// Two queries: one join with the stores would look up every employee's row separately.
	stores: select({ storeId: stores.id, storeName: stores.name, storeStatus: stores.status })
		.from(stores)
		.where(isNull(stores.deletedAt))
		.orderBy(stores.id),
	people: select({
		storeId: employees.storeId,
		employees: count(),
		enabled: sql<number>`count(*) filter (where ${employees.status} = 'ACTIVE')`,
	})
		.from(employees)
		.where(isNull(employees.deletedAt))
		.groupBy(employees.storeId),
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
	const people = new Map(
		read(db)
			.people.all()
			.map((counts) => [counts.storeId, counts]),
	);
	const employeesPerStore = read(db)
		.stores.all()
		.map((store) => ({ employees: 0, enabled: 0, ...people.get(store.storeId), ...store }));
	const holders = holdersPerRole(db);
	const { ACTIVE = [], INACTIVE = [] } = Object.groupBy(employeesPerStore, ({ storeStatus }) => storeStatus);
	const enabled = sumOf(employeesPerStore, 'enabled');
	return {
		stores: { ACTIVE: ACTIVE.length, INACTIVE: INACTIVE.length },
		employees: { ACTIVE: enabled, INACTIVE: sumOf(employeesPerStore, 'employees') - enabled },
		employeesPerStore,
		holdersPerRole: listRoles(db).map(({ id, code, name }) => {
			return { roleId: id, roleCode: code, roleName: name, holders: holders.get(id) ?? 0 };
		}),
		...newsOf(db, now, sumOf(INACTIVE, 'enabled')),
		movements: movementsOf(db, addDays(dayOf(now), -6), employeesPerStore),
		initialPasswords: countEmployees(db, { passwordIsInitial: true }),
	};
}

/** The sum of one number over rows. */
function sumOf<Name extends string>(rows: readonly Record<Name, number>[], name: Name): number {
	return rows.reduce((sum, row) => sum + row[name], 0);
}

/** Employees who need attention, coming last days and recent movements. Days are in the machine's time zone. */
function newsOf(db: Db, now: Date, lockedOut: number): Pick<Overview, 'today' | 'attention' | 'ending' | 'week'> {
	const today = dayOf(now);
	return {
		today,
		attention: {
			lockedOut,
			...attentionOf(db, now, addDays(today, -idleDays)),
			refusedSignIns: countRefusedSignIns(db, startOf(today)),
		},
		ending: listEndingBy(db, addDays(today, daysAhead)),
		week: Array.from({ length: 7 }, (_, index) => {
			const day = addDays(today, index - 6);
			return { day, ...countMovements(db, { from: startOf(day), to: startOf(addDays(day, 1)) }) };
		}),
	};
}

/** Enabled employees who need attention, counted in one pass; the stores tell how many are locked out. */
function attentionOf(db: Db, now: Date, signedInBefore: string) {
	const enabled = { status: 'ACTIVE' } as const;
	const asked = {
		passwordIsInitial: true,
		passwordExpired: now.toISOString(),
		neverSignedIn: true,
		signedInBefore,
	} as const;
	const counts = countEach(db, enabled, asked);
	return {
		signedInBefore,
		initialPasswords: counts.passwordIsInitial,
		expiredPasswords: counts.passwordExpired,
		neverSignedIn: counts.neverSignedIn,
		notLately: counts.signedInBefore,
		// Counted separately: this looks only at employees without a role.
		withoutRole: countEmployees(db, { ...enabled, withoutRole: true }),
	};
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
