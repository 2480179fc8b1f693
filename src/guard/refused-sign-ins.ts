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
export type RefusedSignIns = ReturnType<typeof createRefusedSignIns>;

/** The actor of a sign-in with an unknown name. */
export const anonymous: RecordedActor = { accountType: 'ANONYMOUS', id: null, name: '' };

/**
 * How many groups of one reason, account and network each type of account has in ten minutes. Further ones are one group
 * VARIOUS; those of an administrator are grouped without their network, never with those of others.
 */
const maxGroups = 100;

/** Refusals that are recorded together: `context` is that of the first, `pending` how many there were since the last record. */
function createGroup(context: ChangeContext, reason: RefusalReason) {
	// The end of the ten minutes is early enough for VARIOUS.
	return { context, reason, pending: 0, isRecorded: reason === 'VARIOUS' };
}
type Group = ReturnType<typeof createGroup>;

/** Makes the recorder of a database; `elapsed` gives milliseconds and never goes back. */
export function createRefusedSignIns(db: Db, elapsed: () => number) {
	let since = elapsed();
	let groupsOf = new Map<string, Map<string, Group>>();

	function groupOf(context: ChangeContext, reason: RefusalReason): Group {
		const { actor, address, at } = context;
		const groups = groupsOf.getOrInsertComputed(actor.accountType, () => new Map());
		const key = `${reason} ${actor.id} ${address && clientNetwork(address)}`;
		if (groups.has(key) || groups.size < maxGroups) {
			return groups.getOrInsertComputed(key, () => createGroup(context, reason));
		}
		const isAdministrator = actor.accountType === 'SUPER_ADMIN';
		const anywhere = { actor: isAdministrator ? actor : anonymous, address: null, requestId: null, at };
		const what = isAdministrator ? reason : 'VARIOUS';
		return groups.getOrInsertComputed(what, () => createGroup(anywhere, what));
	}

	return {
		/**
		 * Counts a refusal. Nothing is written here, so neither its time nor a full disk shows which accounts exist. A name that
		 * no account has is not recorded: it may be a password in the wrong field.
		 */
		add(context: ChangeContext, reason: RefusalReason): void {
			groupOf(context, reason).pending += 1;
		},
		/** Records new groups, and the counts of all groups when their ten minutes are over, or with `now`. */
		flush(at: string, { now = false } = {}): void {
			const isOver = now || elapsed() - since >= 10 * 60 * 1000;
			const groups = Array.from(groupsOf.values()).flatMap((each) => [...each.values()]);
			const due = groups.filter(({ pending, isRecorded }) => pending > 0 && (isOver || !isRecorded));
			const write = () => {
				for (const { context, reason, pending, isRecorded } of due) {
					const when = isRecorded ? { ...context, at } : context;
					record(db, when, { action: 'SIGN_IN_REFUSED', reason, count: pending });
				}
			};
			if (due.length > 0) transaction(db, write);
			for (const group of due) Object.assign(group, { pending: 0, isRecorded: true });
			if (!isOver) return;
			since = elapsed();
			groupsOf = new Map();
		},
	};
}
