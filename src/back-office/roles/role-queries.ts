import { queryOptions, useQuery } from '@tanstack/react-query';
import { useOwn } from '../account/own.ts';
import { answer, api } from '../api/client.ts';
import { pagingIn, type Search } from '../page/search.ts';

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

/** One page of the people who hold a role. */
export function roleHolders(id: string, page: number) {
	return queryOptions({
		queryKey: ['roles', id, 'holders', page],
		queryFn: () => answer(api.roles({ id }).employees.get({ query: { page: `${page}`, pageSize: '20' } })),
		placeholderData: (before) => before,
	});
}

/** How many people hold a role, as far as the account may know. */
export function useHolderCount(id: string): number | undefined {
	const { can } = useOwn();
	const mayKnow = can('role:view') && (can('employee:view:all') || can('employee:view:store'));
	return useQuery({ ...roleHolders(id, 1), enabled: mayKnow }).data?.pagination.total;
}
