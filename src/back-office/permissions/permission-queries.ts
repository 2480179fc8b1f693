/** The permission points, and those of each role. */
import { useQuery } from '@tanstack/react-query';
import type { PermissionDefinitions, PermissionPolicy } from '../../features/permissions/model.ts';
import { catalog, type PermissionCode } from '../../platform/vocabulary/permissions.ts';
import { useOwn } from '../account/own.ts';
import { api } from '../api/client.ts';
import { queryOf } from '../api/things.ts';

/** Every assignable point, including the chain's own. */
const definitions = queryOf(['definitions'], () => api.permissions.definitions.get());

type Definitions = typeof PermissionDefinitions.static;

/** The same; until they are loaded, only the program's. */
export function useDefinitions(): Definitions {
	const { can } = useOwn();
	return useQuery({ ...definitions, enabled: can('permission:view') }).data ?? catalog;
}

/** The permissions of every role. */
export const policies = queryOf(['policies'], () => api.permissions.policies.get());

/** The points of a role, as far as known; not for the super administrator, which has all. */
export const heldBy = (policy?: PermissionPolicy) => (policy?.permissions ?? []) as PermissionCode[];

/** The title of a permission point. */
export const titleOf = ({ permissions }: Definitions, code: PermissionCode) =>
	permissions.find((each) => each.code === code)?.title ?? code;

/** The titles of some permission points, in order. */
export const titlesOf = ({ permissions }: Definitions, held: readonly string[]) =>
	permissions
		.filter(({ code }) => held.includes('*') || held.includes(code))
		.map(({ title }) => title)
		.join('、');
