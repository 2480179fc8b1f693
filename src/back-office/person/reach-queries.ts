/** The stores and areas that somebody was given besides their own store. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Reach } from '../../identity/rights/model.ts';
import { isLimited } from '../account/home.ts';
import { useOwn } from '../account/own.ts';
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

/** An employee's granted stores and areas, as a form holds them. */
export function allGiven({ areas, stores }: Reach): AllGiven {
	return {
		areaIds: areas.map(({ areaId, areaName, until }) => ({ id: areaId, name: areaName, until })),
		storeIds: stores.map(({ storeId, storeName, until }) => ({ id: storeId, name: storeName, until })),
	};
}

/** An employee's granted stores and areas, and the employee's id. */
export type GivenReach = Reach & { id: number };

/** An employee's granted stores and areas. */
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

/** The stores and areas that the account may give: those it has for good; undefined while this is not known. */
export function useGivable(): AllGiven | undefined {
	const own = useOwn();
	const { data } = useQuery({ ...assignableChoices, enabled: own.can('employee:manage') });
	const { data: all = [] } = useQuery({ ...areas, enabled: own.can('store:view') });
	const ending = own.user.reach?.stores.filter(({ until }) => until !== null) ?? [];
	const ownAreas = own.user.reach ? allGiven(own.user.reach).areaIds.filter(({ until }) => until === null) : [];
	return (
		data && {
			areaIds: isLimited(own) ? ownAreas : all.map((area) => ({ ...area, until: null })),
			storeIds: data.stores
				.filter(({ id }) => !ending.some(({ storeId }) => storeId === id))
				.map((store) => ({ ...store, until: null })),
		}
	);
}
