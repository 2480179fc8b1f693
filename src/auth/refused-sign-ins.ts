/**
 * The refused sign-ins of the history. The first of a group is recorded within a second, and how many followed it when ten
 * minutes are over: whoever guesses passwords day and night must not fill the disk with it.
 */
import type { Db } from '../database/open.ts';
import { transaction } from '../database/query.ts';
import { type ChangeContext, type RecordedActor, record } from '../history/record.ts';
import { clientNetwork } from '../network.ts';
import type { RefusalReason } from '../vocabulary/history.ts';

/** Records the sign-ins that are refused. */
export interface RefusedSignIns {
	/**
	 * One was refused. It is only counted, so that neither the time that it takes nor a full disk tells who exists. A name
	 * that no account has is not told: it may be a password in the wrong field.
	 */
	add(origin: ChangeContext, reason: RefusalReason, at: string): void;
	/** Records what is new, and what followed it when its time is over, or `now` in any case. */
	flush(at: string, options?: { now?: boolean }): void;
}

/** Somebody of whom nothing is known. */
export const anonymous: RecordedActor = { accountType: 'ANONYMOUS', id: null, name: '' };

const timeOfWindow = 10 * 60 * 1000;

/** How many groups there are at most that are told apart; what is beyond all of them is told together. */
const most = {
	/** Of an account, from one place, for one reason. */
	accountsByPlace: 100,
	/** Of an account, from wherever, for one reason. */
	accounts: 200,
	/** Of names that no account has, from one place. */
	places: 100,
};

/** Sign-ins that are told together. */
interface Group {
	origin: ChangeContext;
	reason: RefusalReason;
	/** When the first of them was. */
	at: string;
	/** How many there were since the last record. */
	untold: number;
	/** Whether there is a record of them already. */
	isTold: boolean;
}

/** Makes the recorder of a database; `elapsed` gives milliseconds and never goes back. */
export function createRefusedSignIns(db: Db, elapsed: () => number): RefusedSignIns {
	let since = elapsed();
	let groups = noGroups();

	return {
		add(origin, reason, at) {
			groupFor(groups, { origin, reason, at, untold: 0, isTold: false }).untold += 1;
		},
		flush(at, { now = false } = {}) {
			const isOver = now || elapsed() - since >= timeOfWindow;
			const { accountsByPlace, accounts, places, rest } = groups;
			const telling = [...accountsByPlace.values(), ...accounts.values(), ...places.values(), rest].filter(
				({ untold, isTold }) => untold > 0 && (isOver || !isTold),
			);
			if (telling.length > 0) {
				transaction(db, () => {
					for (const { origin, reason, untold, isTold, ...first } of telling) {
						record(db, origin, { action: 'SIGN_IN_REFUSED', reason, count: untold }, isTold ? at : first.at);
					}
				});
			}
			for (const group of telling) Object.assign(group, { untold: 0, isTold: true });
			if (!isOver) return;
			since = elapsed();
			groups = noGroups();
		},
	};
}

type Groups = Record<keyof typeof most, Map<string, Group>> & { rest: Group };

function noGroups(): Groups {
	const rest = { origin: { actor: anonymous, address: null, requestId: null }, reason: 'VARIOUS' } as const;
	return {
		accountsByPlace: new Map(),
		accounts: new Map(),
		places: new Map(),
		rest: { ...rest, at: '', untold: 0, isTold: true },
	};
}

/** The group that one belongs to; it is the first of it if there is none yet. */
function groupFor(groups: Groups, one: Group): Group {
	const { reason, origin } = one;
	const { actor, address } = origin;
	const place = address === null ? '' : clientNetwork(address);
	if (actor.accountType === 'ANONYMOUS') {
		return placeIn(groups.places, most.places, `${reason} ${place}`, one) ?? groups.rest;
	}
	const account = `${reason} ${actor.accountType} ${actor.id}`;
	const anywhere = { ...one, origin: { actor, address: null, requestId: null } };
	return (
		placeIn(groups.accountsByPlace, most.accountsByPlace, `${account} ${place}`, one) ??
		placeIn(groups.accounts, most.accounts, account, anywhere) ??
		groups.rest
	);
}

/** The group of a key, which is a new one as long as there are fewer than `limit`. */
function placeIn(groups: Map<string, Group>, limit: number, key: string, group: Group): Group | undefined {
	const found = groups.get(key);
	if (found) return found;
	if (groups.size >= limit) return undefined;
	groups.set(key, group);
	return group;
}
