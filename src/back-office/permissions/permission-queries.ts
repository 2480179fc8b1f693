/** Which role holds which permission points. */
import { queryOptions } from '@tanstack/react-query';
import type { PermissionPolicy } from '../../permissions/model.ts';
import { catalog, holds, type Permission, type PermissionCode, permissionCodes } from '../../vocabulary/permissions.ts';
import { answer, api, ifMatch, type Versioned, versioned } from '../api/client.ts';

/** What every role holds. */
export const policies = queryOptions({
	queryKey: ['policies'],
	queryFn: () => answer(api.permissions.policies.get()),
});

/** What one role holds. */
export function policyOf(roleId: string) {
	return queryOptions({
		queryKey: ['policies', roleId],
		queryFn: () => versioned(api.permissions.roles({ roleId }).get()),
	});
}

/** Whether a role holds a permission point. */
export function isHeld({ permissions }: Pick<PermissionPolicy, 'permissions'>, code: string): boolean {
	return holds(new Set(permissions as Permission[]), code as Permission);
}

/** What a role holds, and its id. */
export type Policy = Pick<PermissionPolicy, 'roleId' | 'permissions'>;

/** The points that a role holds. */
export const heldBy = (policy: Policy) => permissionCodes.filter((code) => isHeld(policy, code));

/** What a permission point is called. */
export const titleOf = (code: PermissionCode) => catalog.permissions.find((each) => each.code === code)?.title ?? code;

/** Gives a role exactly these permission points, if it has the version of `policy`. */
export const replacePermissions = ({ roleId, version }: Versioned<Policy>, permissions: readonly PermissionCode[]) =>
	answer(api.permissions.roles({ roleId }).put({ permissions: [...permissions] }, ifMatch(version)));
