/**
 * Records refused sign-ins and wrong approval codes in the history: the first of a group within a second, the number of the others after ten
 * minutes, because guessing must not fill the disk. A correct password without a code is recorded as unfinished if no
 * code follows.
 */
import type { Db } from '../../platform/database/open.ts';
import { transaction } from '../../platform/database/query.ts';
import { neverThrowing, runInSteps } from '../../platform/machine/background.ts';
import type { Log } from '../../platform/machine/log.ts';
import type { RefusalReason } from '../../platform/vocabulary/history.ts';
import { clientNetwork } from '../../platform/vocabulary/network.ts';
import { type ChangeContext, type HistoryEvent, type RecordedActor, record } from '../history/record.ts';

export type RefusedSignIns = ReturnType<typeof createRefusedSignIns>;

/** The actor of a sign-in with an unknown name. */
export const anonymous: RecordedActor = { accountType: 'ANONYMOUS', id: null, name: '' };

/**
 * The maximum number of groups for each type of account in ten minutes; a group has one reason, account and network.
 * Further refusals share the group VARIOUS. For an administrator they are grouped without their network, separate from
 * other accounts.
 */
const maxGroups = 100;

/** The maximum number of remembered sign-ins that wait for a code. */
const maxUnfinished = 1000;

/** The time during which refusals of a group are counted together and a code is awaited, in milliseconds. */
const period = 10 * 60 * 1000;

type Refused = Pick<HistoryEvent, 'action' | 'reason' | 'target'>;

/** Refusals recorded together: `context` is that of the first, `pending` their number since the last record. */
function createGroup(context: ChangeContext, event: Refused) {
	const { action, reason } = event;
	// These groups have one record, at the end of the ten minutes.
	const isRecorded = action === 'APPROVAL_REFUSED' || reason === 'VARIOUS' || reason === 'WRONG_KEY';
	return { context, event, pending: 0, isRecorded };
}
type Group = ReturnType<typeof createGroup>;

/** Creates the recorder of a database; `elapsed` gives milliseconds and never goes back. */
export function createRefusedSignIns(db: Db, elapsed: () => number) {
	let since = elapsed();
	let groupsOf = new Map<string, Map<string, Group>>();
	/** The sign-ins waiting for a code, by account and network. */
	const unfinished = new Map<string, { context: ChangeContext; begun: number }>();
	const placeOf = ({ actor, address }: ChangeContext) =>
		`${actor.accountType} ${actor.id} ${address && clientNetwork(address)}`;

	function groupOf(context: ChangeContext, event: Refused): Group {
		const { actor, at } = context;
		const { action, reason } = event;
		const isSignIn = action === 'SIGN_IN_REFUSED' && reason !== 'WRONG_KEY';
		const kind = isSignIn ? actor.accountType : `${action} ${reason}`;
		const groups = groupsOf.getOrInsertComputed(kind, () => new Map());
		const key = `${reason} ${event.target?.id} ${placeOf(context)}`;
		if (groups.has(key) || groups.size < maxGroups) {
			return groups.getOrInsertComputed(key, () => createGroup(context, event));
		}
		const isAdministrator = actor.accountType === 'SUPER_ADMIN';
		const anywhere = { actor: isAdministrator ? actor : anonymous, address: null, requestId: null, at };
		const what = isAdministrator ? event : { action, reason: 'VARIOUS' as const };
		const rest = `${what.reason} ${anywhere.actor.id}`;
		return groups.getOrInsertComputed(rest, () => createGroup(anywhere, what));
	}

	return {
		/**
		 * Counts a refusal in memory, so neither timing nor a full disk reveals which accounts exist. An unknown name is
		 * not recorded: it may be a password in the wrong field.
		 */
		add(context: ChangeContext, reason: RefusalReason): void {
			groupOf(context, { action: 'SIGN_IN_REFUSED', reason }).pending += 1;
		},
		/** Counts a wrong approval code; `approver` is the employee whose code it should be, if the number is known. */
		addWrongApproval(context: ChangeContext, approver: HistoryEvent['target']): void {
			groupOf(context, { action: 'APPROVAL_REFUSED', ...(approver && { target: approver }) }).pending += 1;
		},
		/** Remembers a correct password without a code. */
		awaitCode(context: ChangeContext): void {
			if (unfinished.size < maxUnfinished) unfinished.getOrInsert(placeOf(context), { context, begun: elapsed() });
		},
		/** Forgets it once a code arrives, because the result of the code is recorded. */
		codeGiven(context: ChangeContext): void {
			unfinished.delete(placeOf(context));
		},
		/**
		 * Records new groups. When ten minutes are over, or with `now`, it also records the counts of all groups and the
		 * unfinished sign-ins.
		 */
		flush(at: string, { now = false } = {}): void {
			const isOver = now || elapsed() - since >= period;
			const left = [...unfinished].filter(([, { begun }]) => now || elapsed() - begun >= period);
			const groups = Array.from(groupsOf.values()).flatMap((each) => [...each.values()]);
			const due = groups.filter(({ pending, isRecorded }) => pending > 0 && (isOver || !isRecorded));
			const write = () => {
				for (const { context, event, pending, isRecorded } of due) {
					const when = isRecorded ? { ...context, at } : context;
					record(db, when, { ...event, count: pending });
				}
				for (const [, { context }] of left) record(db, { ...context, at }, { action: 'SIGN_IN_UNFINISHED' });
			};
			if (due.length + left.length > 0) transaction(db, write);
			for (const [place] of left) unfinished.delete(place);
			for (const group of due) Object.assign(group, { pending: 0, isRecorded: true });
			if (!isOver) return;
			since = elapsed();
			groupsOf = new Map();
		},
	};
}

/** Records refused sign-ins in the background. @returns a function that stops it and records the rest. */
export function recordInBackground(refusedSignIns: RefusedSignIns, clock: () => Date, log: Log): () => void {
	const recording = (options?: { now: boolean }) =>
		neverThrowing(
			() => {
				refusedSignIns.flush(clock().toISOString(), options);
				return false;
			},
			'refused sign-ins cannot be recorded',
			log,
		);
	const stop = runInSteps(recording(), 1000);
	return () => {
		stop();
		recording({ now: true })();
	};
}
