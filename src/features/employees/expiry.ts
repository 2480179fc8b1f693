/** Grants with an end: employees are disabled after their last day; roles and reach are revoked after theirs. */
import { and, eq, isNull, lt } from 'drizzle-orm';
import { type ChangeContext, system } from '../../identity/history/record.ts';
import { holdersOfExpired, saveReach } from '../../identity/rights/reach.ts';
import type { Db } from '../../platform/database/open.ts';
import { param, prepared, queries, transaction } from '../../platform/database/query.ts';
import { employeeRoles, employees } from '../../platform/database/schema.ts';
import { neverThrowing, runInSteps } from '../../platform/machine/background.ts';
import type { Log } from '../../platform/machine/log.ts';
import { dayOf, isOver } from '../../platform/vocabulary/day.ts';
import type { Ending } from './model.ts';
import { getStoredEmployee } from './read.ts';
import { editableFields, saveEmployee } from './save.ts';

/** Expiring this many employees takes some milliseconds. */
const peopleAtOnce = 20;

/** The maximum number of upcoming last days to show. */
const maxShown = 20;

const read = queries(({ select }) => ({
	left: select({ id: employees.id })
		.from(employees)
		.where(and(lt(employees.leavesOn, param('today')), eq(employees.status, 'ACTIVE'), isNull(employees.deletedAt)))
		.limit(peopleAtOnce),
	ended: select({ id: employeeRoles.employeeId })
		.from(employeeRoles)
		.where(and(lt(employeeRoles.endsOn, param('today')), isNull(employeeRoles.unboundAt)))
		.limit(peopleAtOnce),
}));

// Raw SQL, because `queries` prepares plain selects only: no unions, and no selects from them.
const upcoming = prepared(({ $client }) =>
	$client.prepare<Ending & { total: number }, [day: string, shown: number, stores: string | null]>(
		`select "on", employeeId, employees.name, stores.name as storeName, roleId, roles.name as roleName, total
		from (
			select *, count(*) over () as total
			from (
				select leaves_on as "on", id as employeeId, null as roleId from employees
				where leaves_on <= +?1 and status = 'ACTIVE' and deleted_at is null
				union all
				select ends_on, employee_id, role_id from employee_roles where ends_on <= +?1 and unbound_at is null
			)
			where ?3 is null
				or (select store_id from employees where id = employeeId) in (select value from json_each(?3))
			order by "on", employeeId, roleId limit +?2
		)
		join employees on employees.id = employeeId
		join stores on stores.id = employees.store_id
		left join roles on roles.id = roleId
		order by "on", employeeId, roleId`,
	),
);

/**
 * Ends a batch of the grants that are over; days are in the machine's time zone. Setting the clock back restores none.
 * @returns whether there were any, so that more may remain.
 */
export function expireDue(db: Db, now: Date): boolean {
	const today = dayOf(now);
	const { left, ended } = read(db);
	const ids = new Set([...left.all({ today }), ...ended.all({ today })].map(({ id }) => id));
	const holders = holdersOfExpired(db, today, peopleAtOnce);
	if (ids.size + holders.length === 0) return false;
	const context = system(now.toISOString());
	return transaction(db, () => {
		for (const id of ids) expireGrants(db, context, id, today);
		for (const holder of holders)
			saveReach(db, context, holder, (entries) => entries.filter(({ until }) => !isOver(until, today)));
		return true;
	});
}

function expireGrants(db: Db, context: ChangeContext, id: number, today: string): void {
	const before = getStoredEmployee(db, id);
	const ended = new Set(before.roleEnds.filter(({ until }) => isOver(until, today)).map(({ roleId }) => roleId));
	const fields = editableFields(before);
	const roleIds = fields.roleIds.filter((roleId) => !ended.has(roleId));
	const status = isOver(before.leavesOn, today) ? 'INACTIVE' : before.status;
	saveEmployee(db, context, { before, after: { ...fields, status, roleIds } });
}

/** The last days of employees and of their roles up to a day, the next first; in all stores, or in some. */
export function listEndingBy(db: Db, day: string, stores?: readonly number[]): { total: number; items: Ending[] } {
	const found = upcoming(db).all(day, maxShown, stores ? JSON.stringify(stores) : null);
	return { total: found[0]?.total ?? 0, items: found.map(({ total, ...item }) => item) };
}

/** Expires grants in time: before the start, those already over, and then periodically. @returns a function that stops it. */
export function expireInBackground({ db, clock, log }: { db: Db; clock: () => Date; log: Log }): () => void {
	const step = neverThrowing(() => expireDue(db, clock()), 'last days that are over cannot be applied', log);
	while (step());
	// Each check takes some microseconds.
	return runInSteps(step, 20_000);
}
