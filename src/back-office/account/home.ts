/** The stores whose employees an account sees, and its home page. */
import type { AuthUser } from '../../features/auth/model.ts';
import { hasPermission, isStoreScoped, type Permissions } from '../../platform/vocabulary/permissions.ts';

/** The part of the signed-in account that decides. */
interface Account {
	permissions: Permissions;
	user: Pick<AuthUser, 'reach'>;
}

/** Whether the account may see employees of other stores besides its own. */
export function seesSeveralStores(own: Account): boolean {
	const { stores = [], areas = [] } = own.user.reach ?? {};
	return !isStoreScoped(own.permissions) || stores.length + areas.length > 0;
}

/** The page of today: for the chain, for several stores or for the account's own store; undefined for an account without one. */
export function homeFor(own: Account): 'chain' | 'stores' | 'store' | undefined {
	const { permissions } = own;
	if (hasPermission(permissions, 'store:view') && hasPermission(permissions, 'employee:view:all')) return 'chain';
	if (!isStoreScoped(permissions)) return undefined;
	return seesSeveralStores(own) ? 'stores' : 'store';
}
