import { queryOptions } from '@tanstack/react-query';
import { statuses } from '../../vocabulary/status.ts';
import { answer, api } from '../api/client.ts';
import { pagingIn, type Search } from '../listing/search.ts';
import type { Own } from '../shell/own.ts';

/** The filters of the list in the address, as the routes take them. */
export function employeeFilter(search: Search) {
	const [status, keyword, storeId] = [
		search.oneOf('status', statuses),
		search.get('keyword'),
		search.integer('storeId'),
	];
	return { ...(status && { status }), ...(keyword && { keyword }), ...(storeId && { storeId }) };
}

/** One page of employees, as the address filters them. */
export function employeePage(search: Search) {
	const query = { ...employeeFilter(search), ...pagingIn(search) };
	return queryOptions({
		queryKey: ['employees', query],
		queryFn: () => answer(api.employees.get({ query })),
		placeholderData: (before) => before,
	});
}

/** One employee. */
export function employeeById(id: string) {
	return queryOptions({ queryKey: ['employees', id], queryFn: () => answer(api.employees({ id }).get()) });
}

/** How many employees a filter matches. */
export async function countEmployees(query: { storeId?: string; status?: 'ACTIVE' | 'INACTIVE' }): Promise<number> {
	const { pagination } = await answer(api.employees.get({ query: { ...query, pageSize: '1' } }));
	return pagination.total;
}

interface Choice {
	id: number;
	name: string;
}

/** What the form and the filters offer. */
export interface Choices {
	stores: Choice[];
	roles: Choice[];
}

/** The stores and roles that the account can choose from. */
export function choices({ can }: Own) {
	return queryOptions({
		queryKey: ['choices'],
		async queryFn(): Promise<Choices> {
			const [stores, roles] = await Promise.all([
				can('store:view') ? answer(api.stores.get()) : [],
				can('role:view') ? answer(api.roles.get()) : [],
			]);
			return { stores: 'items' in stores ? stores.items : stores, roles: 'items' in roles ? roles.items : roles };
		},
	});
}
