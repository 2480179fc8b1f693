/**
 * Records refused sign-ins in the history. The first of a group is recorded within a second, the number of those that
 * followed it when ten minutes are over: guessing passwords day and night must not fill the disk.
 */
import type { Db } from '../database/open.ts';
import { transaction } from '../database/query.ts';
import { type ChangeContext, type RecordedActor, record } from '../history/record.ts';
import type { RefusalReason } from '../vocabulary/history.ts';
import { clientNetwork } from '../vocabulary/network.ts';

/** Records the sign-ins that are refused. */
export interface RefusedSignIns {
	/**
	 * Counts a refusal. Nothing is written here, so neither its time nor a full disk shows which accounts exist. A name that
	 * no account has is not recorded: it may be a password in the wrong field.
	 */
	add(context: ChangeContext, reason: RefusalReason, at: string): void;
	/** Records new groups, and the counts of all groups when their ten minutes are over, or with `now`. */
	flush(at: string, options?: { now?: boolean }): void;
}

/** The actor of a sign-in with an unknown name. */
export const anonymous: RecordedActor = { accountType: 'ANONYMOUS', id: null, name: '' };

const windowLength = 10 * 60 * 1000;

/**
 * How many groups there are at most in ten minutes. Beyond that, an employee's refusals are grouped without their place,
 * then all together as VARIOUS; an administrator's are grouped without their place and never with those of others.
 */
const limits: Readonly<Record<string, { places: number; accounts: number }>> = {
	SUPER_ADMIN: { places: 100, accounts: Number.POSITIVE_INFINITY },
	EMPLOYEE: { places: 100, accounts: 200 },
	ANONYMOUS: { places: 100, accounts: 0 },
};

/** Refusals that are recorded together. */
interface Group {
	context: ChangeContext;
	reason: RefusalReason;
	/** When the first of them was. */
	at: string;
	/** How many there were since the last record. */
	pending: number;
	/** Whether there is a record of them already. */
	isRecorded: boolean;
}

/** The groups of ten minutes. */
class Groups {
	readonly #groups = new Map<string, Group>();
	readonly #sizes = new Map<string, number>();
	readonly #various: Group = {
		context: { actor: anonymous, address: null, requestId: null },
		reason: 'VARIOUS',
		at: '',
		pending: 0,
		isRecorded: true,
	};

	all(): Group[] {
		return [...this.#groups.values(), this.#various];
	}

	/** The group of a refusal: the most specific that exists or still has room. */
	of(context: ChangeContext, reason: RefusalReason, at: string): Group {
		const { actor, address } = context;
		const { places = 0, accounts = 0 } = limits[actor.accountType] ?? {};
		const place = address === null ? '' : clientNetwork(address);
		const who = `${reason} ${actor.accountType} ${actor.id}`;
		const here = { context, reason, at, pending: 0, isRecorded: false };
		const anywhere = { ...here, context: { actor, address: null, requestId: null } };
		return (
			this.#provide(`${who} ${place}`, here, `places of ${actor.accountType}`, places) ??
			this.#provide(who, anywhere, `accounts of ${actor.accountType}`, accounts) ??
			this.#various
		);
	}

	/** The group of a key, a new one if there is room among those of its kind. */
	#provide(key: string, group: Group, kind: string, limit: number): Group | undefined {
		const known = this.#groups.get(key);
		const size = this.#sizes.get(kind) ?? 0;
		if (known || size >= limit) return known;
		this.#groups.set(key, group);
		this.#sizes.set(kind, size + 1);
		return group;
	}
}

/** Makes the recorder of a database; `elapsed` gives milliseconds and never goes back. */
export function createRefusedSignIns(db: Db, elapsed: () => number): RefusedSignIns {
	let since = elapsed();
	let groups = new Groups();
	return {
		add(context, reason, at) {
			groups.of(context, reason, at).pending += 1;
		},
		flush(at, { now = false } = {}) {
			const isOver = now || elapsed() - since >= windowLength;
			const due = groups.all().filter(({ pending, isRecorded }) => pending > 0 && (isOver || !isRecorded));
			if (due.length > 0) {
				transaction(db, () => {
					for (const { context, reason, pending, isRecorded, at: first } of due) {
						const event = { action: 'SIGN_IN_REFUSED', reason, count: pending } as const;
						record(db, context, event, isRecorded ? at : first);
					}
				});
			}
			for (const group of due) Object.assign(group, { pending: 0, isRecorded: true });
			if (!isOver) return;
			since = elapsed();
			groups = new Groups();
		},
	};
}
