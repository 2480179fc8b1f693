/** Lists who still has the initial password. */
import { and, count, eq, isNull, sql } from 'drizzle-orm';
import type { Db } from '../database/open.ts';
import { bound, queries } from '../database/query.ts';
import { employees, stores } from '../database/schema.ts';

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
