/** What an operator should know of the passwords of employees: initial ones, and those that no longer work. */
import { and, gt, isNull, lte, max, sql } from 'drizzle-orm';
import { oneTimeForm } from '../auth/one-time-password.ts';
import type { Db } from '../database/open.ts';
import { bound, queries } from '../database/query.ts';
import { employees } from '../database/schema.ts';
import { givenWay } from '../http/steps.ts';
import { listStores } from '../stores/service.ts';
import { counted } from '../vocabulary/counted.ts';
import type { Employee } from './model.ts';
import { employeesInParts } from './read.ts';

/** An employee who still has the initial password. */
export type InitialPassword = Pick<Employee, 'storeId' | 'storeName' | 'id' | 'name' | 'phone'>;

/** Those who still have it, by store and then by id. */
export function* initialPasswords(db: Db): Generator<InitialPassword> {
	for (const { id: storeId, name: storeName } of listStores(db)) {
		for (const part of employeesInParts(db, { storeId, passwordIsInitial: true })) {
			yield* part.map(({ id, name, phone }) => ({ storeId, storeName, id, name, phone }));
		}
	}
}

const read = queries(({ select }) => ({
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
