import { queryOptions } from '@tanstack/react-query';
import { statuses } from '../../vocabulary/status.ts';
import { answer, api } from '../api/client.ts';
import { pagingIn, type Search } from '../page/search.ts';

/** One page of stores, as the address filters them; every status unless one is chosen. */
export function storePage(search: Search) {
	const status = search.oneOf('status', statuses);
	const keyword = search.get('keyword');
	const query = {
		...pagingIn(search),
		includeInactive: 'true' as const,
		...(status && { status }),
		...(keyword && { keyword }),
	};
	return queryOptions({
		queryKey: ['stores', query],
		async queryFn() {
			const data = await answer(api.stores.get({ query }));
			if (!('items' in data)) throw new Error('the list of stores has no pages');
			return data;
		},
		placeholderData: (before) => before,
	});
}

/** One store with its people. */
export function storeById(id: string) {
	return queryOptions({ queryKey: ['stores', id], queryFn: () => answer(api.stores({ id }).get()) });
}

/** Every store that is enabled. */
export const activeStores = queryOptions({
	queryKey: ['stores', 'active'],
	async queryFn() {
		const data = await answer(api.stores.get());
		return 'items' in data ? data.items : data;
	},
});
