/** What an operator should know of the passwords of employees: initial ones, and those that no longer work. */
import { and, count, eq, gt, isNull, lte, max, sql } from 'drizzle-orm';
import { oneTimeForm } from '../auth/one-time-password.ts';
import type { Db } from '../database/open.ts';
import { bound, queries } from '../database/query.ts';
import { employees, stores } from '../database/schema.ts';
import { givenWay } from '../http/steps.ts';
import { counted } from '../vocabulary/counted.ts';

// SQLite uses the partial index only for a constant.
const hasInitialPassword = and(sql`${employees.passwordIsInitial} = 1`, isNull(employees.deletedAt));

const read = queries(({ select }) => ({
	count: select({ total: count() }).from(employees).where(hasInitialPassword),
	next: select({
		storeId: employees.storeId,
		storeName: stores.name,
		id: employees.id,
		name: employees.name,
		phone: employees.phone,
	})
		.from(employees)
		.innerJoin(stores, eq(stores.id, employees.storeId))
		.where(
			and(
				hasInitialPassword,
				sql`(${employees.storeId}, ${employees.id}) > (${bound('afterStore')}, ${bound('afterId')})`,
			),
		)
		.orderBy(employees.storeId, employees.id)
		.limit(1000),
	ends: select({ last: max(employees.id) }).from(employees),
	lost: select({ total: sql<number>`count(*)` })
		.from(employees)
		.where(
			and(
				gt(employees.id, bound('after')),
				lte(employees.id, bound('last')),
				gt(employees.passwordExpiresAt, bound('at')),
				isNull(employees.deletedAt),
				sql`instr(${employees.passwordHash}, ${bound('form')}) <> 1`,
			),
		),
}));

/** An employee who has it. */
export type InitialPassword = NonNullable<ReturnType<ReturnType<typeof read>['next']['get']>>;

/** How many employees have it. */
export function countInitialPasswords(db: Db): number {
	return read(db).count.get()?.total ?? 0;
}

/** Those who have it, by store and then by id, a thousand in memory at a time. */
export function* initialPasswords(db: Db): Generator<InitialPassword> {
	const { next } = read(db);
	let rows = next.all({ afterStore: 0, afterId: 0 });
	for (let last = rows.at(-1); last; last = rows.at(-1)) {
		yield* rows;
		rows = next.all({ afterStore: last.storeId, afterId: last.id });
	}
}

/** How many employees are looked at in one step of a millisecond or two. */
const stepSize = 1000;

/**
 * Says how many one-time passwords no longer work, because the key that they were made with is gone, and what to do, in one
 * sentence; undefined when there are none. In steps, because no index serves it and others use the database.
 * @param asked how the passwords begin that the present key can check, absent when there is no key yet; the time in ISO 8601: those
 * that are over by then do not count; what ends the count.
 */
export async function describeLostPasswords(
	db: Db,
	{ form = `${oneTimeForm}-`, at, signal }: { form?: string; at: string; signal?: AbortSignal },
): Promise<string | undefined> {
	const { ends, lost } = read(db);
	const last = ends.get()?.last ?? 0;
	let total = 0;
	for (let after = 0; after < last; after += stepSize) {
		total += lost.get({ after, last: after + stepSize, at, form })?.total ?? 0;
		await givenWay();
		if (signal?.aborted) return undefined;
	}
	if (total === 0) return undefined;
	const passwords = counted(total, 'one-time password');
	return `${passwords} made with another PASSWORD_KEY cannot be used: restore the key in secrets.json, or give new ones`;
}
