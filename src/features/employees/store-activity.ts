/** The key facts about a store's employees in a list of stores. */
import { type Static, Type } from '@sinclair/typebox';
import type { Actor } from '../../identity/session/actor.ts';
import type { Db } from '../../platform/database/open.ts';
import { prepared } from '../../platform/database/query.ts';
import { described, idList, nullableText, parameters, shape } from '../../platform/http/fields.ts';
import { nullableTimestamp } from '../../platform/http/reply.ts';
import { hasPermission } from '../../platform/vocabulary/permissions.ts';

/** The query of GET /api/stores/activity. */
export const StoreActivityQuery = parameters({
	ids: idList(100, '门店', 'The ids of 1 to 100 stores, separated by commas.', '1'),
});

/** The activity of one store in the answer of GET /api/stores/activity. */
export const StoreActivity = shape('StoreActivity', {
	storeId: Type.Integer({ examples: [1] }),
	employees: Type.Integer(described('The number of employees, enabled or not.', 25)),
	leads: nullableText(
		described('The names of enabled employees with a role that shows them its staff: three at most.', '王芳、李娜'),
	),
	lastSignInAt: nullableTimestamp(
		'The time of the last sign-in by one of its employees; null without one, and without employee:view:all.',
	),
});
type StoreActivity = Static<typeof StoreActivity>;

// Text: three nested queries.
const statements = prepared(({ $client }) => ({
	activity: $client.prepare<StoreActivity, [number]>(
		`select id as storeId,
			(select count(*) from employees where store_id = stores.id and deleted_at is null) as employees,
			(select max(last_sign_in_at) from employees where store_id = stores.id and deleted_at is null) as lastSignInAt,
			(select group_concat(name, '、') from (
				select name from employees where store_id = stores.id and deleted_at is null and status = 'ACTIVE' and exists (
					select 1 from employee_roles join role_permissions using (role_id)
					where employee_id = employees.id and unbound_at is null
						and permission = 'employee:view:store' and role_permissions.deleted_at is null
				) order by id limit 3
			)) as leads
		from stores where id = ? and deleted_at is null`,
	),
}));

/** The activity of some stores. */
export function listStoreActivity(db: Db, ids = ''): StoreActivity[] {
	const asked = ids.split(',').filter(Boolean);
	return asked.flatMap((id) => statements(db).activity.get(Number(id)) ?? []);
}

/** The activity for an actor. Only an actor who sees every employee learns the times of sign-ins. */
export function listVisibleActivity(db: Db, { permissions }: Actor, ids?: string): StoreActivity[] {
	const found = listStoreActivity(db, ids);
	return hasPermission(permissions, 'employee:view:all')
		? found
		: found.map((each) => ({ ...each, lastSignInAt: null }));
}
