/** What the signed-in account is and may do, as the server says. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import type { AuthUser } from '../../auth/model.ts';
import type { Permission } from '../../vocabulary/permissions.ts';
import { answer, api } from '../api/client.ts';

const ownUser = queryOptions({ queryKey: ['own', 'user'], queryFn: () => answer(api.auth.me.get()) });
const ownPermissions = queryOptions({
	queryKey: ['own', 'permissions'],
	queryFn: () => answer(api.permissions.me.get()),
	refetchOnWindowFocus: true,
});

/** When the own password was changed, and whether it is the initial one. */
export const ownPassword = queryOptions({
	queryKey: ['own', 'password'],
	queryFn: () => answer(api.auth.me.password.get()),
});

/** The queries that {@link Own} is made of. */
export function useOwnQueries() {
	return { user: useQuery(ownUser), permissions: useQuery(ownPermissions) };
}

/** The signed-in account. */
export interface Own {
	user: AuthUser;
	/** The menus of the server, by their key. */
	menus: ReadonlyMap<string, string>;
	/** Whether the account holds the code. The server decides; this only hides links that would lead to a refusal. */
	can(code: Permission): boolean;
}

/** Whether the account may see employees: all, or those of its own store. */
export function canSeeEmployees({ can }: Own): boolean {
	return can('employee:view:all') || can('employee:view:store');
}

export const OwnContext = createContext<Own | undefined>(undefined);

/** The signed-in account. @throws Error outside the shell */
export function useOwn(): Own {
	const own = useContext(OwnContext);
	if (!own) throw new Error('useOwn is for what is inside the shell');
	return own;
}
