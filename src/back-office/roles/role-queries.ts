import { queryOptions } from '@tanstack/react-query';
import { answer, api } from '../api/client.ts';
import { pagingIn, type Search } from '../listing/search.ts';

/** One page of roles, as the address filters them. */
export function rolePage(search: Search) {
	const keyword = search.get('keyword');
	const query = { ...pagingIn(search), ...(keyword && { keyword }) };
	return queryOptions({
		queryKey: ['roles', query],
		async queryFn() {
			const data = await answer(api.roles.get({ query }));
			if (!('items' in data)) throw new Error('the list of roles has no pages');
			return data;
		},
		placeholderData: (before) => before,
	});
}

/** One role. */
export function roleById(id: string) {
	return queryOptions({ queryKey: ['roles', id], queryFn: () => answer(api.roles({ id }).get()) });
}
