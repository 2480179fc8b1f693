/** The key facts about a store's employees in a list of stores. */
import type { Actor } from '../../identity/session/actor.ts';
import type { Db } from '../../platform/database/open.ts';
import { prepared } from '../../platform/database/query.ts';
import { hasPermission } from '../../platform/vocabulary/permissions.ts';
import type { Employee, StoreActivity } from './model.ts';

// Raw SQL: three nested queries.
const activity = prepared(({ $client }) =>
	$client.prepare<StoreActivity & Pick<Employee, 'storeName' | 'storeStatus'>, [number]>(
		`select id as storeId, name as storeName, status as storeStatus,
			(select count(*) from employees where store_id = stores.id and deleted_at is null) as employees,
			(select count(*) from employees where store_id = stores.id and deleted_at is null and status = 'ACTIVE') as enabled,
			(select max(last_sign_in_at) from employees where store_id = stores.id and deleted_at is null) as lastSignInAt,
			(select group_concat(name, '、') from (
				select employees.name from employees
					join employee_roles on employee_id = employees.id and unbound_at is null
					join role_permissions on role_permissions.role_id = employee_roles.role_id
						and role_permissions.deleted_at is null
				where store_id = stores.id and employees.deleted_at is null and status = 'ACTIVE'
					and permission in ('employee:view:store', 'employee:view:all', 'employee:manage')
				group by employees.id having max(permission <> 'employee:manage')
				order by max(permission = 'employee:manage') desc, employees.id limit 3
			)) as leads
		from stores where id = ? and deleted_at is null`,
	),
);

/** The activity of some stores, with their names and statuses. */
export function listStoreActivity(db: Db, ids: readonly number[]) {
	return ids.flatMap((id) => activity(db).get(id) ?? []);
}

/** The activity for an actor. Only an actor who sees every employee learns the times of sign-ins. */
export function listVisibleActivity(db: Db, { permissions }: Actor, ids: readonly number[] = []): StoreActivity[] {
	const found = listStoreActivity(db, ids);
	if (hasPermission(permissions, 'employee:view:all')) return found;
	return found.map((each) => ({ ...each, lastSignInAt: null }));
}
