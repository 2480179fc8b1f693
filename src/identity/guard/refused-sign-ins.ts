/**
 * Records refused sign-ins and wrong approval codes in the history: the first of a group within a second, and the
 * number of the others after ten minutes, because guessing must not fill the disk. A correct password without a code is
 * recorded as unfinished if no code follows.
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

/** The refusals and sign-ins that are not recorded yet. */
interface Pending {
	/** The beginning of the present ten minutes. */
	since: number;
	/** The groups of these ten minutes, by the kind of account and then by their key. */
	groups: Map<string, Map<string, Group>>;
	/** The sign-ins waiting for a code, by account and network. */
	unfinished: Map<string, { context: ChangeContext; begun: number }>;
}

/** Creates the recorder of a database; `elapsed` gives milliseconds and never goes back. */
export function createRefusedSignIns(db: Db, elapsed: () => number) {
	const pending: Pending = { since: elapsed(), groups: new Map(), unfinished: new Map() };
	const { unfinished } = pending;
	return {
		/** Counts a refusal in memory, so neither timing nor a full disk reveals which accounts exist. */
		add(context: ChangeContext, reason: RefusalReason): void {
			groupOf(pending, context, { action: 'SIGN_IN_REFUSED', reason }).pending += 1;
		},
		/** Counts a wrong approval code; `approver` is the employee whose code it should be, if the number is known. */
		addWrongApproval(context: ChangeContext, approver: HistoryEvent['target']): void {
			groupOf(pending, context, { action: 'APPROVAL_REFUSED', ...(approver && { target: approver }) }).pending += 1;
		},
		/** Remembers a correct password without a code. */
		awaitCode(context: ChangeContext): void {
			if (unfinished.size < maxUnfinished) unfinished.getOrInsert(placeOf(context), { context, begun: elapsed() });
		},
		/** Forgets it once a code arrives, because the result of the code is recorded. */
		codeGiven(context: ChangeContext): void {
			unfinished.delete(placeOf(context));
		},
		/** Records the refusals that are due, or with `now` all of them. */
		flush: (at: string, { now = false } = {}) => flush(db, pending, { at, elapsed: elapsed(), now }),
	};
}

const placeOf = ({ actor, address }: ChangeContext) =>
	`${actor.accountType} ${actor.id} ${address && clientNetwork(address)}`;

/** The group of a refusal. An unknown name is not part of it: it may be a password in the wrong field. */
function groupOf({ groups }: Pending, context: ChangeContext, event: Refused): Group {
	const { actor, at } = context;
	const { action, reason } = event;
	const isSignIn = action === 'SIGN_IN_REFUSED' && reason !== 'WRONG_KEY';
	const kind = isSignIn ? actor.accountType : `${action} ${reason}`;
	const ofKind = groups.getOrInsertComputed(kind, () => new Map());
	const key = `${reason} ${event.target?.id} ${placeOf(context)}`;
	if (ofKind.has(key) || ofKind.size < maxGroups) {
		return ofKind.getOrInsertComputed(key, () => createGroup(context, event));
	}
	const isAdministrator = actor.accountType === 'SUPER_ADMIN';
	const anywhere = { actor: isAdministrator ? actor : anonymous, address: null, requestId: null, at };
	const what = isAdministrator ? event : { action, reason: 'VARIOUS' as const };
	const rest = `${what.reason} ${anywhere.actor.id}`;
	return ofKind.getOrInsertComputed(rest, () => createGroup(anywhere, what));
}

/** Records new groups, and when ten minutes are over also the counts of all groups and the unfinished sign-ins. */
function flush(db: Db, pending: Pending, { at, elapsed, now }: { at: string; elapsed: number; now: boolean }): void {
	const { groups, unfinished } = pending;
	const isOver = now || elapsed - pending.since >= period;
	const left = [...unfinished].filter(([, { begun }]) => now || elapsed - begun >= period);
	const known = [...groups.values()].flatMap((ofKind) => [...ofKind.values()]);
	const due = known.filter((group) => group.pending > 0 && (isOver || !group.isRecorded));
	if (due.length + left.length > 0) {
		transaction(db, () => {
			for (const group of due) recordGroup(db, group, at);
			for (const [, { context }] of left) record(db, { ...context, at }, { action: 'SIGN_IN_UNFINISHED' });
		});
	}
	for (const [place] of left) unfinished.delete(place);
	for (const group of due) Object.assign(group, { pending: 0, isRecorded: true });
	if (!isOver) return;
	pending.since = elapsed;
	groups.clear();
}

/** Records the number of a group's refusals: its first record has the time of the first refusal. */
function recordGroup(db: Db, { context, event, pending, isRecorded }: Group, at: string): void {
	record(db, isRecorded ? { ...context, at } : context, { ...event, count: pending });
}

/** Records refused sign-ins in the background. @returns a function that stops it and records the rest. */
export function recordInBackground(refusedSignIns: RefusedSignIns, clock: () => Date, log: Log): () => void {
	const record = (options?: { now: boolean }) => {
		refusedSignIns.flush(clock().toISOString(), options);
		return false;
	};
	const failure = 'refused sign-ins cannot be recorded';
	const stop = runInSteps(neverThrowing(record, failure, log), 1000);
	return () => {
		stop();
		neverThrowing(() => record({ now: true }), failure, log)();
	};
}
