/** The chain in numbers. */
import { count, isNull, sql } from 'drizzle-orm';
import { countMovements, countMovementsSince, countRefusedSignIns } from '../../identity/history/service.ts';
import type { Db } from '../../platform/database/open.ts';
import { queries, snapshot } from '../../platform/database/query.ts';
import { employees, stores } from '../../platform/database/schema.ts';
import { addDays, dayOf } from '../../platform/vocabulary/day.ts';
import type { Status } from '../../platform/vocabulary/status.ts';
import { endingBy } from '../employees/expiry.ts';
import type { EmployeeFilter } from '../employees/model.ts';
import { countEmployees } from '../employees/search.ts';
import { countHolders, listRoles } from '../roles/service.ts';
import type { Overview } from './model.ts';

/** How many there are of each status. */
const byStatus = (count: (status: Status) => number) => ({ ACTIVE: count('ACTIVE'), INACTIVE: count('INACTIVE') });

const read = queries(({ select }) => ({
	// Not one query: joined to the stores, everybody's row is looked for by itself.
	stores: select({ storeId: stores.id, storeName: stores.name, storeStatus: stores.status })
		.from(stores)
		.where(isNull(stores.deletedAt))
		.orderBy(stores.id),
	people: select({
		storeId: employees.storeId,
		employees: count(),
		enabled: sql<number>`sum(${employees.status} = 'ACTIVE')`,
	})
		.from(employees)
		.where(isNull(employees.deletedAt))
		.groupBy(employees.storeId),
}));

/** Who did not sign in for so long needs attention. */
const idleDays = 90;
/** How far ahead the overview says what ends. */
const daysAhead = 14;

/** The numbers of the whole chain at one moment. */
export function getOverview(db: Db, now: Date): Overview {
	return snapshot(db, () => {
		const people = new Map(
			read(db)
				.people.all()
				.map(({ storeId, ...counts }) => [storeId, counts]),
		);
		const nobody = { employees: 0, enabled: 0 };
		const employeesPerStore = read(db)
			.stores.all()
			.map((store) => ({ ...store, ...(people.get(store.storeId) ?? nobody) }));
		return {
			stores: byStatus((status) => employeesPerStore.filter((store) => store.storeStatus === status).length),
			employees: byStatus((status) => countEmployees(db, { status })),
			employeesPerStore,
			holdersPerRole: listRoles(db).map(({ id, code, name }) => ({
				roleId: id,
				roleCode: code,
				roleName: name,
				holders: countHolders(db, [id]),
			})),
			...newsOf(db, now),
			movements: movementsOf(db, addDays(dayOf(now), -6), employeesPerStore),
			initialPasswords: countEmployees(db, { passwordIsInitial: true }),
		};
	});
}

/** What needs attention, what ends soon and what happened lately; days are those of the machine's time zone. */
function newsOf(db: Db, now: Date): Pick<Overview, 'today' | 'attention' | 'ending' | 'week'> {
	const today = dayOf(now);
	const signedInBefore = addDays(today, -idleDays);
	const enabled = (filter: EmployeeFilter) => countEmployees(db, { ...filter, status: 'ACTIVE' });
	return {
		today,
		attention: {
			signedInBefore,
			lockedOut: enabled({ lockedOut: true }),
			initialPasswords: enabled({ passwordIsInitial: true }),
			expiredPasswords: enabled({ passwordExpired: now.toISOString() }),
			neverSignedIn: enabled({ neverSignedIn: true }),
			notLately: enabled({ signedInBefore }),
			withoutRole: enabled({ withoutRole: true }),
			refusedSignIns: countRefusedSignIns(db, startOf(today)),
		},
		ending: endingBy(db, addDays(today, daysAhead)),
		week: Array.from({ length: 7 }, (_, index) => {
			const day = addDays(today, index - 6);
			return { day, ...countMovements(db, { from: startOf(day), to: startOf(addDays(day, 1)) }) };
		}),
	};
}

function movementsOf(db: Db, from: string, stores: Overview['employeesPerStore']): Overview['movements'] {
	const { busiest, ...counts } = countMovementsSince(db, startOf(from));
	const store = stores.find(({ storeId }) => storeId === busiest?.storeId);
	return { from, ...counts, ...(store && { busiest: { storeId: store.storeId, storeName: store.storeName } }) };
}

/** When a day begins in the machine's time zone. */
function startOf(day: string): string {
	return new Date(`${day}T00:00`).toISOString();
}
