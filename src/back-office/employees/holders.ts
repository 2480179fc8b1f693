/** The people who hold a role. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Employee } from '../../features/employees/model.ts';
import { canSeeEmployees, useOwn } from '../account/own.ts';
import { answer, api } from '../api/client.ts';
import { asRefusal, Refusal } from '../api/refusal.ts';
import { changeEmployees } from './employee-queries.ts';

/** One page of the people who hold a role. */
export function roleHolders(id: string, page: number) {
	return queryOptions({
		queryKey: ['roles', id, 'holders', page],
		queryFn: () => answer(api.roles({ id }).employees.get({ query: { page, pageSize: 20 } })),
		placeholderData: (before) => before,
	});
}

/** How many people hold each role, by its id; undefined while this is not known, or for an account that may not know. */
export function useHolderCounts(): ReadonlyMap<number, number> | undefined {
	const own = useOwn();
	const { data } = useQuery({
		queryKey: ['roles', 'holders'],
		queryFn: () => answer(api.roles.holders.get()),
		enabled: own.can('role:view') && canSeeEmployees(own),
	});
	return data && new Map(data.map(({ roleId, employees }) => [roleId, employees]));
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

/** Gives a role to somebody, or takes it; their other roles stay. @throws Refusal that names the person */
export async function changeHolder(roleId: number, { employee, holds }: HolderChange): Promise<void> {
	const change = holds ? { addRoleIds: [roleId] } : { removeRoleIds: [roleId] };
	await changeEmployees([employee.id], change).catch((error) => {
		const { status, message, details } = asRefusal(error);
		throw new Refusal(status, { message: `${employee.name}：${details[0]?.message ?? message}`, details: [] });
	});
}
