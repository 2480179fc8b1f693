import { queryOptions } from '@tanstack/react-query';
import type { CreateStore, Store, UpdateStore } from '../../stores/model.ts';
import { statuses } from '../../vocabulary/status.ts';
import { answer, api, done, ifMatch, listOf, pageOf, type Versioned, versioned } from '../api/client.ts';
import { pagingIn, type Search } from '../page/search.ts';

/** The filters of the list in the address; every status unless one is chosen. */
export function storeFilter(search: Search) {
	const [status, keyword] = [search.oneOf('status', statuses), search.get('keyword')];
	return { ...(status && { status }), ...(keyword && { keyword }) };
}

/** One page of stores, as the address filters them. */
export function storePage(search: Search) {
	const query = { ...pagingIn(search), includeInactive: 'true' as const, ...storeFilter(search) };
	return queryOptions({
		queryKey: ['stores', query],
		queryFn: () => pageOf(api.stores.get({ query })),
		placeholderData: (before) => before,
	});
}

/** One store with its version, without its people. */
export function storeById(id: string) {
	const query = { employees: 'false' as const };
	return queryOptions({ queryKey: ['stores', id], queryFn: () => versioned(api.stores({ id }).get({ query })) });
}

/** All people of a store at once: for an account that may see stores but not lists of employees, no other route answers. */
export function peopleOfStore(id: number) {
	return queryOptions({
		queryKey: ['stores', id, 'people'],
		queryFn: () => answer(api.stores({ id }).employees.get()),
	});
}

/** Every store that is enabled. */
export const activeStores = queryOptions({
	queryKey: ['stores', 'active'],
	queryFn: () => listOf(api.stores.get()),
});

export const createStore = (values: CreateStore) => answer(api.stores.post(values));

/** Changes a store that has the version of `store`. */
export const changeStore = ({ id, version }: Versioned<Store>, changes: UpdateStore) =>
	answer(api.stores({ id }).patch(changes, ifMatch(version)));

export const deleteStore = ({ id, version }: Versioned<Store>) =>
	done(api.stores({ id }).delete(undefined, ifMatch(version)));

/** What is done with the people of a store, and then with the store. */
export type CloseStore = Parameters<ReturnType<typeof api.stores>['close']['post']>[0];

export const closeStore = ({ id, version }: Versioned<Store>, values: CloseStore) =>
	answer(api.stores({ id }).close.post(values, ifMatch(version)));
