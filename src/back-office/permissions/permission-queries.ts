/** Which permission points there are, and which role holds them. */
import { queryOptions } from '@tanstack/react-query';
import type { PermissionPolicy } from '../../permissions/model.ts';
import { holds, type Permission, type PermissionCode } from '../../vocabulary/permissions.ts';
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

/** All permission points; they change with the program only. */
export const definitions = queryOptions({
	queryKey: ['definitions'],
	queryFn: () => answer(api.permissions.definitions.get()),
	staleTime: Number.POSITIVE_INFINITY,
});

/** The permission points in their groups. */
export type Groups = NonNullable<Awaited<ReturnType<NonNullable<typeof definitions.queryFn>>>>['groups'];

/** Whether a role holds a permission point. */
export function isHeld({ permissions }: PermissionPolicy, code: string): boolean {
	return holds(new Set(permissions as Permission[]), code as Permission);
}

/** Gives a role exactly these permission points, if it has the version of `policy`. */
export const replacePermissions = (
	{ roleId, version }: Versioned<PermissionPolicy>,
	permissions: readonly PermissionCode[],
) => answer(api.permissions.roles({ roleId }).put({ permissions: [...permissions] }, ifMatch(version)));
