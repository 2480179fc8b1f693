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
 * How many groups of one reason, account and network each type of account has in ten minutes. Further ones are one group
 * VARIOUS; those of an administrator are grouped without their network, never with those of others.
 */
const maxGroups = 100;

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

/** Makes the recorder of a database; `elapsed` gives milliseconds and never goes back. */
export function createRefusedSignIns(db: Db, elapsed: () => number): RefusedSignIns {
	let since = elapsed();
	let groupsOf = new Map<string, Map<string, Group>>();

	function groupOf(context: ChangeContext, reason: RefusalReason, at: string): Group {
		const { actor, address } = context;
		const groups = groupsOf.getOrInsertComputed(actor.accountType, () => new Map());
		const group = (key: string, values: Pick<Group, 'context' | 'reason'>) =>
			// The end of the ten minutes is early enough for VARIOUS.
			groups.getOrInsertComputed(key, () => ({ ...values, at, pending: 0, isRecorded: key === 'various' }));
		const key = `${reason} ${actor.id} ${address && clientNetwork(address)}`;
		if (groups.has(key) || groups.size < maxGroups) return group(key, { context, reason });
		const nowhere = { address: null, requestId: null };
		if (actor.accountType === 'SUPER_ADMIN') return group(reason, { context: { actor, ...nowhere }, reason });
		return group('various', { context: { actor: anonymous, ...nowhere }, reason: 'VARIOUS' });
	}

	return {
		add(context, reason, at) {
			groupOf(context, reason, at).pending += 1;
		},
		flush(at, { now = false } = {}) {
			const isOver = now || elapsed() - since >= windowLength;
			const groups = Array.from(groupsOf.values()).flatMap((each) => [...each.values()]);
			const due = groups.filter(({ pending, isRecorded }) => pending > 0 && (isOver || !isRecorded));
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
			groupsOf = new Map();
		},
	};
}
