/** Lists who still has the initial password. */
import type { Db } from '../database/open.ts';

/** An employee who has it. */
export interface InitialPassword {
	storeId: number;
	storeName: string;
	id: number;
	name: string;
	phone: string;
}

/** How many employees have it. */
export function countInitialPasswords({ $client }: Db): number {
	const count = 'select count(*) as count from employees where password_is_initial = 1 and deleted_at is null';
	return $client.query<{ count: number }, []>(count).get()?.count ?? 0;
}

/** Those who have it, by store and then by id, a thousand in memory at a time. */
export function* initialPasswords({ $client }: Db): Generator<InitialPassword> {
	const next = $client.query<InitialPassword, [number, number]>(`
		select stores.id as storeId, stores.name as storeName, employees.id, employees.name, employees.phone
		from employees join stores on stores.id = employees.store_id
		where password_is_initial = 1 and employees.deleted_at is null and (employees.store_id, employees.id) > (?, ?)
		order by employees.store_id, employees.id limit 1000`);
	let rows = next.all(0, 0);
	while (rows.length > 0) {
		yield* rows;
		const last = rows.at(-1);
		rows = last ? next.all(last.storeId, last.id) : [];
	}
}
