/**
 * Records refused sign-ins and wrong approval codes in the history: the first of a group within a second, and the
 * number of the others after ten minutes, because guessing must not fill the disk. A correct password without a code is
 * recorded as unfinished if no code follows.
 */
import type { Db } from '../../platform/database/open.ts';
import { transaction } from '../../platform/database/query.ts';
import { neverThrowing, runInSteps } from '../../platform/machine/background.ts';
import type { Log } from '../../platform/machine/log.ts';
import { clientNetwork } from '../../platform/vocabulary/network.ts';
import { type ChangeContext, type HistoryEvent, type RecordedActor, record } from '../history/record.ts';

export type RefusedSignIns = ReturnType<typeof createRefusedSignIns>;

/** The actor of a sign-in with an unknown name. */
export const anonymous: RecordedActor = { accountType: 'ANONYMOUS', id: null, name: '' };

/**
 * The maximum number of groups for each type of account; a group has one reason, account and network, and lasts ten
 * minutes. Further refusals share the group VARIOUS. For an administrator they are grouped without their network,
 * separate from other accounts.
 */
const maxGroups = 100;

/** The maximum number of remembered sign-ins that wait for a code. */
const maxUnfinished = 1000;

/** The time during which refusals of a group are counted together and a code is awaited, in milliseconds. */
const period = 10 * 60 * 1000;

type Event = Pick<HistoryEvent, 'action' | 'reason' | 'target'>;

/** Events that are recorded together. */
interface Group {
	/** The kind of account or event, which has its own maximum of groups. */
	kind: string;
	/** The context of the first event. */
	context: ChangeContext;
	event: Event;
	begun: number;
	/** The number of events since the last record. */
	pending: number;
	/** Whether the pending events are recorded only at the end of the group: others were recorded, or all can wait. */
	isDeferred: boolean;
}

/** The groups by key, the oldest first. */
type Groups = Map<string, Group>;

/** Creates the recorder of a database; `elapsed` gives milliseconds and never goes back. */
export function createRefusedSignIns(db: Db, elapsed: () => number) {
	const groups: Groups = new Map();
	return {
		/**
		 * Counts a refused sign-in, key or approval code in memory, so neither timing nor a full disk reveals which accounts
		 * exist. The target of a wrong approval code is the employee whose code it should be, if the number is known.
		 */
		add(context: ChangeContext, event: Event): void {
			groupOf(groups, context, event, elapsed()).pending += 1;
		},
		/** Remembers a correct password without a code. */
		awaitCode(context: ChangeContext): void {
			const kind = 'SIGN_IN_UNFINISHED';
			const group = { kind, context, event: { action: kind }, begun: elapsed(), pending: 1, isDeferred: true } as const;
			if (countOf(groups, kind) < maxUnfinished) groups.getOrInsert(`${kind} ${originOf(context)}`, group);
		},
		/** Forgets it once a code arrives, because the result of the code is recorded. */
		codeGiven(context: ChangeContext): void {
			groups.delete(`SIGN_IN_UNFINISHED ${originOf(context)}`);
		},
		/** Records what is due, or with `now` all. */
		flush: (at: string, { now = false } = {}) => flush(db, groups, at, now ? Number.POSITIVE_INFINITY : elapsed()),
	};
}

const originOf = ({ actor, address }: ChangeContext) =>
	`${actor.accountType} ${actor.id} ${address && clientNetwork(address)}`;

const countOf = (groups: Groups, kind: string) => [...groups.values()].filter((group) => group.kind === kind).length;

/** The group of a refusal. An unknown name is not part of it: it may be a password in the wrong field. */
function groupOf(groups: Groups, context: ChangeContext, event: Event, begun: number): Group {
	const { actor, at } = context;
	const { action, reason } = event;
	const isSignIn = action === 'SIGN_IN_REFUSED' && reason !== 'WRONG_KEY';
	const kind = isSignIn ? actor.accountType : `${action} ${reason}`;
	const key = `${kind} ${reason} ${event.target?.id} ${originOf(context)}`;
	const group = { kind, context, event, begun, pending: 0, isDeferred: !isSignIn };
	if (groups.has(key) || countOf(groups, kind) < maxGroups) return groups.getOrInsert(key, group);
	const isAdministrator = actor.accountType === 'SUPER_ADMIN';
	const anywhere = { actor: isAdministrator ? actor : anonymous, address: null, requestId: null, at };
	const what = isAdministrator ? event : { action, reason: 'VARIOUS' as const };
	const rest = { ...group, context: anywhere, event: what, isDeferred: !isAdministrator };
	return groups.getOrInsert(`${kind} ${what.reason} ${anywhere.actor.id}`, rest);
}

/** Records the first event of a new group at once, and the number of the others when its ten minutes are over. */
function flush(db: Db, groups: Groups, at: string, elapsed: number): void {
	const isOver = ({ begun }: Group) => elapsed - begun >= period;
	const due = [...groups.values()].filter((group) => group.pending > 0 && (isOver(group) || !group.isDeferred));
	if (due.length > 0) {
		transaction(db, () => {
			for (const { context, event, pending, isDeferred } of due)
				record(db, isDeferred ? { ...context, at } : context, { ...event, count: pending });
		});
	}
	for (const group of due) Object.assign(group, { pending: 0, isDeferred: true });
	for (const [key, group] of groups) if (isOver(group)) groups.delete(key);
}

/** Records refused sign-ins in the background. @returns a function that stops it and records the rest. */
export function recordInBackground(refusedSignIns: RefusedSignIns, clock: () => Date, log: Log): () => void {
	const recordDue = (options?: { now: boolean }) => {
		refusedSignIns.flush(clock().toISOString(), options);
		return false;
	};
	const failure = 'refused sign-ins cannot be recorded';
	const stop = runInSteps(neverThrowing(recordDue, failure, log), 1000);
	return () => {
		stop();
		neverThrowing(() => recordDue({ now: true }), failure, log)();
	};
}
