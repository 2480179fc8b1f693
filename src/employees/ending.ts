/** What ends by itself: people whose last day is over are disabled, and roles that were given until a day are taken away. */
import { and, eq, isNull, lt, lte, sql } from 'drizzle-orm';
import type { Db } from '../database/open.ts';
import { bound, queries, transaction } from '../database/query.ts';
import { employeeRoles, employees, roles, stores } from '../database/schema.ts';
import type { ChangeContext } from '../history/record.ts';
import { dayOf } from '../vocabulary/day.ts';
import { findEmployee } from './read.ts';
import { keepEdit, writtenOf } from './writing.ts';

/** Ending this many takes some milliseconds. */
const peopleAtOnce = 20;

/** How many of those that end soon are shown. */
const maxShown = 20;

const program: ChangeContext = {
	actor: { accountType: 'SYSTEM', id: null, name: 'system' },
	address: null,
	requestId: null,
};

const stays = and(eq(employees.status, 'ACTIVE'), isNull(employees.deletedAt));

const read = queries(({ select }) => {
	const person = { id: employees.id, name: employees.name, storeName: stores.name };
	const leavingBy = and(lte(employees.leavesOn, bound('day')), stays);
	const endingBy = and(lte(employeeRoles.endsOn, bound('day')), isNull(employeeRoles.unboundAt));
	return {
		left: select({ id: employees.id })
			.from(employees)
			.where(and(lt(employees.leavesOn, bound('today')), stays))
			.limit(peopleAtOnce),
		ended: select({ id: employeeRoles.employeeId })
			.from(employeeRoles)
			.where(and(lt(employeeRoles.endsOn, bound('today')), isNull(employeeRoles.unboundAt)))
			.limit(peopleAtOnce),
		leaving: select({ ...person, on: employees.leavesOn })
			.from(employees)
			.innerJoin(stores, eq(stores.id, employees.storeId))
			.where(leavingBy)
			.orderBy(employees.leavesOn, employees.id)
			.limit(maxShown),
		ending: select({ ...person, on: employeeRoles.endsOn, roleId: roles.id, roleName: roles.name })
			.from(employeeRoles)
			.innerJoin(employees, eq(employees.id, employeeRoles.employeeId))
			.innerJoin(stores, eq(stores.id, employees.storeId))
			.innerJoin(roles, eq(roles.id, employeeRoles.roleId))
			.where(endingBy)
			.orderBy(employeeRoles.endsOn, employeeRoles.employeeId)
			.limit(maxShown),
		leavingTotal: select({ total: sql<number>`count(*)` }).from(employees).where(leavingBy),
		endingTotal: select({ total: sql<number>`count(*)` }).from(employeeRoles).where(endingBy),
	};
});

/**
 * Ends some of what is over: days are those of the machine's time zone. What has ended stays so when the clock goes back.
 * @returns whether there may be more.
 */
export function endWhatIsOver(db: Db, now: Date): boolean {
	const today = dayOf(now);
	const over = [...read(db).left.all({ today }), ...read(db).ended.all({ today })];
	const ids = new Set(over.map(({ id }) => id));
	if (ids.size === 0) return false;
	transaction(db, () => {
		for (const id of ids) end(db, id, today, now.toISOString());
	});
	return over.length >= peopleAtOnce;
}

function end(db: Db, id: number, today: string, at: string): void {
	const before = findEmployee(db, id);
	const isOver = (day: string | null) => day !== null && day < today;
	const ended = new Set(before.roleEnds.filter(({ until }) => isOver(until)).map(({ roleId }) => roleId));
	const written = writtenOf(before);
	const roleIds = written.roleIds.filter((roleId) => !ended.has(roleId));
	const status = isOver(before.leavesOn) ? 'INACTIVE' : before.status;
	keepEdit(db, program, 'EMPLOYEE_UPDATE', { before, after: { ...written, status, roleIds } }, at);
}

/** What ends by a day, the next first: the last days of people, and of their roles. */
export function endingBy(db: Db, day: string) {
	const { leaving, ending, leavingTotal, endingTotal } = read(db);
	const people = leaving.all({ day }).map((person) => ({ ...person, roleId: null, roleName: null }));
	const items = [...people, ...ending.all({ day })].map(({ id, on, ...item }) => ({
		employeeId: id,
		on: on ?? day,
		...item,
	}));
	return {
		total: (leavingTotal.get({ day })?.total ?? 0) + (endingTotal.get({ day })?.total ?? 0),
		items: items
			.toSorted((a, b) => (a.on < b.on ? -1 : a.on > b.on ? 1 : a.employeeId - b.employeeId))
			.slice(0, maxShown),
	};
}
