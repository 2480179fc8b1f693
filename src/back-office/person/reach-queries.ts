/** The stores and areas that somebody was given besides their own store. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Employee } from '../../features/employees/model.ts';
import type { Reach } from '../../identity/reach/model.ts';
import { isLimited, useOwn } from '../account/own.ts';
import { answer, api, ifMatch, type Versioned, versioned } from '../api/client.ts';
import { assignableChoices, type Choice } from '../employees/employee-queries.ts';
import { areas } from '../stores/store-queries.ts';

/** A store or an area that somebody is given. */
export interface Given extends Choice {
	/** The last day; null: for good. */
	until: string | null;
}

/** All that somebody is given. The fields have the names of what the history records. */
export type AllGiven = Record<'areaIds' | 'storeIds', Given[]>;

/** What somebody was given, as a form holds it. */
export function allGiven({ areas, stores }: Reach): AllGiven {
	return {
		areaIds: areas.map(({ areaId, areaName, until }) => ({ id: areaId, name: areaName, until })),
		storeIds: stores.map(({ storeId, storeName, until }) => ({ id: storeId, name: storeName, until })),
	};
}

/** What somebody was given, and whose it is. */
export type GivenReach = Reach & { id: number };

/** What somebody was given. */
export function reachById(id: string) {
	return queryOptions({
		queryKey: ['employees', id, 'reach'],
		queryFn: async () => ({ ...(await versioned(api.employees({ id }).reach.get())), id: Number(id) }),
	});
}

/** Gives exactly this to somebody who has the version of `reach`. */
export async function changeReach({ id, version }: Versioned<GivenReach>, { areaIds, storeIds }: AllGiven) {
	const given = {
		areas: areaIds.map((each) => ({ areaId: each.id, until: each.until })),
		stores: storeIds.map((each) => ({ storeId: each.id, until: each.until })),
	};
	return { ...(await answer(api.employees({ id }).reach.put(given, ifMatch(version)))), id };
}

/** What the account may give, each until when it has that itself; undefined while this is not known. */
export function useGivable(): AllGiven | undefined {
	const own = useOwn();
	const { data } = useQuery({ ...assignableChoices, enabled: own.can('employee:manage') });
	const { data: all = [] } = useQuery({ ...areas, enabled: own.can('store:view') });
	const { areaIds, storeIds } = allGiven(own.user.reach ?? { stores: [], areas: [] });
	const endOf = (id: number) => storeIds.find((store) => store.id === id)?.until ?? null;
	return (
		data && {
			areaIds: isLimited(own) ? areaIds : all.map((area) => ({ ...area, until: null })),
			storeIds: data.stores.map((store) => ({ ...store, until: endOf(store.id) })),
		}
	);
}

/**
 * Whether the account may change an employee. The server asks whether it holds all that the employee's roles grant, and it
 * may assign exactly the roles of which that is true; and whether it reaches all that they let the employee see. Undefined
 * while this is not known.
 */
export function useMayChange({ id, roles }: Pick<Employee, 'id' | 'roles'>): boolean | undefined {
	const own = useOwn();
	const manages = own.can('employee:manage');
	const { data, isError } = useQuery({ ...assignableChoices, enabled: manages });
	const { data: reach } = useQuery({ ...reachById(`${id}`), enabled: manages });
	const givable = useGivable();
	if (!manages) return false;
	if (!data || !reach || !givable) return isError || undefined;
	const { areaIds, storeIds } = allGiven(reach);
	const isReached = areAmong(areaIds, givable.areaIds) && areAmong(storeIds, givable.storeIds);
	const isWider = isLimited(own) && own.user.id !== id && roles.length > 0 && !isReached;
	return !isWider && areAmong(roles, data.roles);
}

function areAmong(some: readonly { id: number }[], others: readonly { id: number }[]): boolean {
	const ids = new Set(others.map(({ id }) => id));
	return some.every(({ id }) => ids.has(id));
}
