import { useQuery } from '@tanstack/react-query';
import type { Store } from '../../features/stores/model.ts';
import { storeStatuses } from '../../platform/vocabulary/status.ts';
import { useOwn } from '../account/own.ts';
import { answer, api, given, ifMatch, type Versioned } from '../api/client.ts';
import { queryOf, steadyQueryOf, thingsOf } from '../api/things.ts';
import type { Search } from '../page/search.ts';

/** The filters in the address. Without a chosen status, all are listed. */
export function storeFilter(search: Search) {
	const status = search.oneOf('status', storeStatuses);
	return given({ status, search: search.get('keyword'), areaId: search.integer('areaId') });
}

/** One page of stores with the filters in the address. */
export function storePage(search: Search) {
	const query = { ...search.paging, includeInactive: true, include: 'area' as const, ...storeFilter(search) };
	return steadyQueryOf(['stores', query], () => api.stores.page.get({ query }));
}

/** Facts about the employees of some stores, by store; undefined until they are known. */
export function useStoreActivity(stores: readonly Pick<Store, 'id'>[] = []) {
	const { can } = useOwn();
	const ids = stores.map(({ id }) => id).join(',');
	const { data } = useQuery({
		...steadyQueryOf(['stores', 'activity', ids], () => api.stores.activity.get({ query: { ids } })),
		enabled: ids !== '' && can('store:view'),
	});
	return data && new Map(data.map((each) => [each.storeId, each]));
}

/** A store with its area, without its people. */
export const oneStore = thingsOf('stores', api.stores, { employees: false, include: 'area' as const });

/** Every area. */
export const areas = queryOf(['areas'], () => api.areas.get());

export const oneArea = thingsOf('areas', api.areas, {});

/** The employees moved by the closing of a disabled store; pending forever if the account may not know. */
export function useMovedAway({ id, status }: Store) {
	const { can } = useOwn();
	return useQuery({
		queryKey: ['stores', `${id}`, 'closing', status],
		queryFn: async () => (await answer(api.stores({ id }).closing.get())).people,
		enabled: status === 'INACTIVE' && can('store:manage') && can('employee:manage'),
	});
}

/** Moves the employees of a store to another one, and disables the store. */
export const closeStore = ({ id, version }: Versioned<Store>, moveTo: number) =>
	// biome-ignore lint/suspicious/noThenProperty: the field of the route has this name, and a text is no promise.
	answer(api.stores({ id }).close.post({ moveTo, then: 'DISABLE' }, ifMatch(version)));
