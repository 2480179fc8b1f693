/** Which stores' people an account sees, and where its back office begins. */
import type { AuthUser } from '../../features/auth/model.ts';
import type { Permission } from '../../platform/vocabulary/permissions.ts';

/** The part of the signed-in account that decides. */
interface Account {
	can(code: Permission): boolean;
	user: Pick<AuthUser, 'reach'>;
}

/** Whether the account sees the people of some stores only: of its own, and of those that it was given. */
export function isLimited({ can }: Pick<Account, 'can'>): boolean {
	return can('employee:view:store') && !can('employee:view:all');
}

/** Whether the account may see the people of more stores than its own. */
export function seesSeveralStores(own: Account): boolean {
	const { stores = [], areas = [] } = own.user.reach ?? {};
	return !isLimited(own) || stores.length + areas.length > 0;
}

/** The page of today: of the chain, of several stores or of the own store; undefined for an account without one. */
export function homeFor(own: Account): 'chain' | 'stores' | 'store' | undefined {
	if (own.can('store:view') && own.can('employee:view:all')) return 'chain';
	if (!isLimited(own)) return undefined;
	return seesSeveralStores(own) ? 'stores' : 'store';
}
