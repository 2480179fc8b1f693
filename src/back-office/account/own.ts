/** The signed-in account and its permissions, as the server reports them. */
import { createContext, useContext } from 'react';
import type { AuthUser } from '../../features/auth/model.ts';
import type { Store } from '../../features/stores/model.ts';
import { isStoreScoped, type Permission, type Permissions } from '../../platform/vocabulary/permissions.ts';
import { api } from '../api/client.ts';
import { queryOf } from '../api/things.ts';

/** The signed-in account, its permissions and its reach. */
export const ownUser = queryOf(['own', 'user'], () => api.auth.me.get({ query: { include: 'reach' } }));

/** The time of the last change of the account's password, and whether it is the initial one. */
export const ownPassword = queryOf(['own', 'password'], () => api.auth.me.password.get());

/** The signed-in account. */
export interface Own {
	user: AuthUser;
	permissions: Permissions;
	/** Whether the account holds the code. The server decides; this only hides links that would lead to a refusal. */
	can(code: Permission): boolean;
}

/** The title of the page for roles and permissions; undefined for an account that may view neither. */
export function rolesTitle({ can }: Own): string | undefined {
	if (can('role:view')) return '角色';
	return can('permission:view') ? '权限' : undefined;
}

/** Whether the account sees the employees of a store, which is given with its area. */
export function reaches(own: Own, { id, area }: Pick<Store, 'id' | 'area'>): boolean {
	const { stores = [], areas = [] } = own.user.reach ?? {};
	const isGiven = stores.some(({ storeId }) => storeId === id) || areas.some(({ areaId }) => areaId === area?.id);
	return isStoreScoped(own.permissions) ? own.user.storeId === id || isGiven : own.can('employee:view:all');
}

/** Whether an employee is the signed-in person. A super administrator can have the same id. */
export function isSelf({ user }: Own, id: number): boolean {
	return user.accountType === 'EMPLOYEE' && user.id === id;
}

/** Whether the account may see employees: all, or those of some stores. */
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
