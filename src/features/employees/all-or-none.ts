/** Work on many people: on all of them or on none, unless the caller leaves out who is refused. */

import type { Authority } from '../../identity/rights/authority.ts';
import { reaches } from '../../identity/rights/rules.ts';
import type { Db } from '../../platform/database/open.ts';
import { AppError, type ErrorCode, type ErrorDetail } from '../../platform/vocabulary/errors.ts';
import { presentByIds } from './read.ts';

/** Of several codes the one that would be decided first. */
const codes: readonly ErrorCode[] = ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT', 'BAD_REQUEST'];

type Place = Pick<ErrorDetail, 'path' | 'name'>;

interface Refusal {
	/** To how many it happened. */
	message: (count: number) => string;
	/** Where each of them stands in the request. */
	placesOf: (refused: readonly number[]) => (id: number) => Place;
	/** Whether those who are refused are left out, as long as it is not everybody. */
	mayLeaveOut?: boolean;
}

/** What could be done, and why the rest was refused, by the id of the person. */
export interface Outcome<Done> {
	done: Map<number, Done>;
	refused: Map<number, AppError>;
}

/** Tries something for each of some people, and keeps the refusals. */
export function tryEach<Done>(ids: Iterable<number>, work: (id: number) => Done): Outcome<Done> {
	const outcome: Outcome<Done> = { done: new Map(), refused: new Map() };
	for (const id of ids) {
		try {
			outcome.done.set(id, work(id));
		} catch (error) {
			if (!(error instanceof AppError)) throw error;
			outcome.refused.set(id, error);
		}
	}
	return outcome;
}

/** What was done for all, or for those who may be left over. @throws AppError with a detail for each who is refused. */
export function requireDone<Done>({ done, refused }: Outcome<Done>, refusal: Refusal): Done[] {
	if (refused.size === 0 || (refusal.mayLeaveOut && done.size > 0)) return Array.from(done.values());
	const errors = Array.from(refused.values());
	const code = codes.find((each) => errors.some((error) => error.code === each)) ?? 'CONFLICT';
	const placeOf = refusal.placesOf([...refused.keys()]);
	const details = Array.from(refused, ([id, error]) => ({
		...error.details[0],
		...placeOf(id),
		message: error.message,
	}));
	throw new AppError(code, refusal.message(refused.size), { details });
}

/**
 * Does something for each of some people, inside the caller's transaction, which a refusal ends.
 * @throws AppError with a detail for each who is refused.
 */
export function applyToEach<Done>(ids: Iterable<number>, work: (id: number) => Done, refusal: Refusal): Done[] {
	return requireDone(tryEach(ids, work), refusal);
}

/** Where each refused one stands in the body, with their name unless they are of a store that the caller does not reach. */
export function detailPaths(db: Db, { now }: Authority, ids: readonly number[]): Refusal['placesOf'] {
	return (refused) => {
		const known = presentByIds(db, refused).filter(({ storeId }) => reaches(now, storeId));
		const names = new Map(known.map(({ id, name }) => [id, name]));
		return (id) => {
			const name = names.get(id);
			return { path: `body.ids.${ids.indexOf(id)}`, ...(name && { name }) };
		};
	};
}
