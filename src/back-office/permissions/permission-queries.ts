/** The permission points, and which role holds which. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { PermissionDefinitions, PermissionPolicy } from '../../features/permissions/model.ts';
import { catalog, type PermissionCode } from '../../platform/vocabulary/permissions.ts';
import { useOwn } from '../account/own.ts';
import { answer, api } from '../api/client.ts';

/** Every point that can be assigned, with those that the chain made. */
const definitions = queryOptions({
	queryKey: ['definitions'],
	queryFn: () => answer(api.permissions.definitions.get()),
});

type Definitions = typeof PermissionDefinitions.static;

/** The same; until they are there, the program's. */
export function useDefinitions(): Definitions {
	const { can } = useOwn();
	return useQuery({ ...definitions, enabled: can('permission:view') }).data ?? catalog;
}

/** The permissions of every role. */
export const policies = queryOptions({
	queryKey: ['policies'],
	queryFn: () => answer(api.permissions.policies.get()),
});

/** The points that a role holds; not for the super administrator, who holds all. */
export const heldBy = ({ permissions }: Pick<PermissionPolicy, 'permissions'>) => permissions as PermissionCode[];

/** The title of a permission point. */
export const titleOf = ({ permissions }: Pick<Definitions, 'permissions'>, code: PermissionCode) =>
	permissions.find((each) => each.code === code)?.title ?? code;

/** The titles of some permission points, in order. */
export const titlesOf = ({ permissions }: Pick<Definitions, 'permissions'>, held: readonly string[]) =>
	permissions
		.filter(({ code }) => held.includes('*') || held.includes(code))
		.map(({ title }) => title)
		.join('、');
