/** The permission points, and those of each role. */
import { useQuery } from '@tanstack/react-query';
import type { PermissionDefinitions, PermissionPolicy } from '../../features/permissions/model.ts';
import { catalog, type PermissionCode } from '../../platform/vocabulary/permissions.ts';
import { useOwn } from '../account/own.ts';
import { api } from '../api/client.ts';
import { queryOf } from '../api/things.ts';

type Definitions = typeof PermissionDefinitions.static;

/** Every assignable point, including the chain's own; until they are loaded, only the program's. */
export function useDefinitions(): Definitions {
	const { can } = useOwn();
	const definitions = queryOf(['definitions'], () => api.permissions.definitions.get());
	return useQuery({ ...definitions, enabled: can('permission:view') }).data ?? catalog;
}

/** The permissions of every role. */
export const policies = queryOf(['policies'], () => api.permissions.policies.get());

/** The points of a role, as far as known; not for the super administrator, which has all. */
export const heldBy = (policy?: PermissionPolicy) => (policy?.permissions ?? []) as PermissionCode[];

/** The definition of a permission point; until it is loaded, its code is its title. */
export const pointOf = ({ permissions }: Definitions, code: string) =>
	permissions.find((each) => each.code === code) ?? { title: code, description: '' };

/** The titles of some permission points. */
export const titlesOf = (known: Definitions, held: readonly string[]) =>
	held.includes('*') ? '全部权限' : held.map((code) => pointOf(known, code).title).join('、');
