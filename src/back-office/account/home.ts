/** The stores whose employees an account sees, and its home page. */
import type { AuthUser } from '../../features/auth/model.ts';
import type { Permission } from '../../platform/vocabulary/permissions.ts';

/** The part of the signed-in account that decides. */
interface Account {
	can(code: Permission): boolean;
	user: Pick<AuthUser, 'reach'>;
}

/** Whether the account sees the employees of some stores only: its own store and the stores given to it. */
export function isStoreScoped({ can }: Pick<Account, 'can'>): boolean {
	return can('employee:view:store') && !can('employee:view:all');
}

/** Whether the account may see employees of other stores besides its own. */
export function seesSeveralStores(own: Account): boolean {
	const { stores = [], areas = [] } = own.user.reach ?? {};
	return !isStoreScoped(own) || stores.length + areas.length > 0;
}

/** The page of today: for the chain, for several stores or for the account's own store; undefined for an account without one. */
export function homeFor(own: Account): 'chain' | 'stores' | 'store' | undefined {
	if (own.can('store:view') && own.can('employee:view:all')) return 'chain';
	if (!isStoreScoped(own)) return undefined;
	return seesSeveralStores(own) ? 'stores' : 'store';
}
