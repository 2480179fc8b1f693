/** The people who hold a role. */
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import type { Employee } from '../../employees/model.ts';
import { canSeeEmployees, useOwn } from '../account/own.ts';
import { answer, api } from '../api/client.ts';
import { asRefusal, Refusal } from '../api/refusal.ts';
import { maxRounds, overtaken } from '../forms/editing.tsx';
import { oneEmployee } from './employee-queries.ts';

/** One page of the people who hold a role. */
export function roleHolders(id: string, page: number) {
	return queryOptions({
		queryKey: ['roles', id, 'holders', page],
		queryFn: () => answer(api.roles({ id }).employees.get({ query: { page, pageSize: 20 } })),
		placeholderData: (before) => before,
	});
}

/** How many people hold a role, as far as the account may know; undefined without a role. */
export function useHolderCount(id: string | undefined): number | undefined {
	const own = useOwn();
	const mayKnow = own.can('role:view') && canSeeEmployees(own);
	return useQuery({ ...roleHolders(`${id}`, 1), enabled: mayKnow && id !== undefined }).data?.pagination.total;
}

/** Whether a person is given a role or loses it. */
export interface HolderChange {
	employee: Pick<Employee, 'id' | 'name'>;
	holds: boolean;
}

/**
 * Gives a role to somebody, or takes it; their other roles stay, also those that a colleague changes meanwhile.
 * @throws Refusal that names the person
 */
export async function changeHolder(client: QueryClient, roleId: number, { employee, holds }: HolderChange) {
	for (let round = 0; round < maxRounds; round++) {
		try {
			const present = await client.fetchQuery({ ...oneEmployee.byId(`${employee.id}`), staleTime: 0 });
			const others = present.roles.map(({ id }) => id).filter((id) => id !== roleId);
			const isHolder = others.length < present.roles.length;
			if (holds !== isHolder) await oneEmployee.change(present, { roleIds: holds ? [...others, roleId] : others });
			return;
		} catch (error) {
			const { status, message } = asRefusal(error);
			if (status !== 412) throw new Refusal(status, { message: `${employee.name}：${message}`, details: [] });
		}
	}
	throw overtaken;
}
