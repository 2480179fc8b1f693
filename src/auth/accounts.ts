/** What signing in makes of the accounts of a username, and shows of one. */
import type { Db } from '../database/open.ts';
import { superAdministrator } from '../roles/built-in.ts';
import { heldRoles } from '../roles/service.ts';
import type { Account, NamedAccounts, StoredPassword } from '../session/accounts.ts';
import { ownPoints } from '../session/points.ts';
import { canManage, inOrder } from '../vocabulary/permissions.ts';
import type { AuthUser } from './model.ts';

/** Where somebody signs in: the back office, which asks for a menu permission, or the employee side. */
export type Door = 'BACK_OFFICE' | 'EMPLOYEE';

/** The account that a username stands for: in the back office the administrator's first, on the employee side only the employee's. */
export function accountAt(door: Door, { administrator, employee }: NamedAccounts): StoredPassword | undefined {
	return door === 'BACK_OFFICE' ? (administrator ?? employee) : employee;
}

/**
 * What is counted when the password of a username is guessed. It does not depend on the door. A new password, a reset and a
 * deletion start a new count; signing out does not, or each would allow as many guesses more.
 */
export function guessedSubject(username: string, { administrator, employee }: NamedAccounts): string {
	return ['sign-in', username, generation(administrator), generation(employee)].join(' ');
}

function generation(account: StoredPassword | undefined): string {
	return account ? `${account.id}.${account.passwordChangedAt}` : '';
}

const { description: _, ...superAdministratorRole } = superAdministrator;

/** The account as a login and GET /api/auth/me show it. */
export function toAuthUser(db: Db, account: Account): AuthUser {
	const { id, username, accountType, permissions } = account;
	const held = { permissions: inOrder(permissions, ownPoints(db)), canManage: canManage(permissions) };
	if (account.accountType === 'SUPER_ADMIN') {
		const { name: displayName } = superAdministratorRole;
		return { id, username, displayName, accountType, roles: [superAdministratorRole], ...held };
	}
	const { name: displayName, storeId, storeName } = account;
	const roles = (heldRoles(db, [id]).get(id) ?? []).map(({ id, code, name }) => ({ id, code, name }));
	return { id, username, displayName, accountType, storeId, storeName, roles, ...held };
}
