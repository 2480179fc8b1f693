/**
 * The refused sign-ins of the history. The first of its kind is recorded at once, and how many followed it when ten
 * minutes are over: whoever guesses passwords day and night must not fill the disk with it.
 */
import type { Db } from '../database/open.ts';
import { transaction } from '../database/query.ts';
import { type Doer, type Origin, record } from './record.ts';

/** Why somebody was not let in. */
export const refusalReasons = [
	'UNKNOWN_ACCOUNT',
	'WRONG_PASSWORD',
	'ACCOUNT_DISABLED',
	'STORE_DISABLED',
	'NO_BACK_OFFICE',
	'TOO_MANY_ATTEMPTS',
	'VARIOUS',
] as const;
/** One of {@link refusalReasons}. */
export type RefusalReason = (typeof refusalReasons)[number];

/** Records the sign-ins that are refused. */
export interface RefusedSignIns {
	/** One was refused. A name that no account has is not told: it may be a password in the wrong field. */
	add(origin: Origin, reason: RefusalReason, at: string): void;
	/** Records what is not recorded yet when its time is over, or `now` in any case. */
	flush(at: string, options?: { now?: boolean }): void;
}

/** Somebody of whom nothing is known. */
export const anonymous: Doer = { accountType: 'ANONYMOUS', id: null, name: '' };

const timeOfWindow = 10 * 60 * 1000;
/** Of so many kinds there are records of their own; the rest is told together. */
const mostKinds = 100;

interface Kind {
	origin: Origin;
	reason: RefusalReason;
	/** How many there were since the last record. */
	untold: number;
}

const rest: Kind = {
	origin: { actor: anonymous, address: null, requestId: null },
	reason: 'VARIOUS',
	untold: 0,
};

/** Makes the recorder of a database; `elapsed` gives milliseconds and never goes back. */
export function createRefusedSignIns(db: Db, elapsed: () => number): RefusedSignIns {
	let since = elapsed();
	let kinds = new Map<string, Kind>();
	let others = { ...rest };

	function tell({ origin, reason }: Kind, count: number, at: string): void {
		record(db, origin, { action: 'SIGN_IN_REFUSED', reason, count }, at);
	}

	function flush(at: string, { now = false } = {}): void {
		if (!now && elapsed() - since < timeOfWindow) return;
		const untold = [...kinds.values(), others].filter((kind) => kind.untold > 0);
		if (untold.length > 0) {
			transaction(db, () => {
				for (const kind of untold) tell(kind, kind.untold, at);
			});
		}
		since = elapsed();
		kinds = new Map();
		others = { ...rest };
	}

	return {
		flush,
		add(origin, reason, at) {
			flush(at);
			const key = `${reason} ${origin.actor.accountType} ${origin.actor.id} ${origin.address}`;
			const known = kinds.get(key) ?? (kinds.size >= mostKinds ? others : undefined);
			if (known) {
				known.untold += 1;
				return;
			}
			const kind = { origin, reason, untold: 0 };
			transaction(db, () => tell(kind, 1, at));
			kinds.set(key, kind);
		},
	};
}
