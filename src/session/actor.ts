/** Who calls: the account behind a token, read from the database at every request. */
import type { Db } from '../database/open.ts';
import { hasBackOffice, holds, type PermissionCode } from '../vocabulary/permissions.ts';
import { type Account, findAccount, hasSecondFactor } from './accounts.ts';
import { disabledReason, forbidden, notSignedIn, type Restriction, refusalFor } from './refusals.ts';
import type { Claims } from './tokens.ts';

/** What the installation asks of its accounts. */
export interface Requirements {
	/** Whether employees set a password of their own in place of the initial one before they may do anything else. */
	ownPassword: boolean;
	/** Whether who has a back-office menu turns a second factor on before they may do anything but look after their own account. */
	secondFactor: boolean;
}

/** A signed-in account and the permissions that it holds at this moment. */
export type Actor = Account & {
	/** What the account has to do before it may do anything else, in this order. */
	restrictions: readonly Restriction[];
	/** What the token says and what is asked of the account, to read it again after a wait. */
	claims: Claims;
	requirements: Requirements;
};

/** An actor in one request. */
export interface Caller {
	actor: Actor;
	address: string;
	requestId: string;
	/** When its body had come, or when it went on after a wait; ISO 8601. */
	at: string;
	/** The versions of what is to be changed that the caller has seen; undefined when any will do. */
	expectedTags?: readonly string[] | undefined;
}

/**
 * The account that a token names, as it is now; of an actor, the same one read again.
 * @throws AppError UNAUTHORIZED when it is gone, disabled, in a disabled store, or its tokens were ended.
 */
export function actorOf(db: Db, { claims, requirements }: Pick<Actor, 'claims' | 'requirements'>): Actor {
	const account = findAccount(db, claims);
	if (account?.tokenVersion !== claims.version) throw notSignedIn();
	const reason = disabledReason(account);
	if (reason) throw refusalFor(reason);
	return Object.assign(account, { restrictions: restrictionsOf(db, account, requirements), claims, requirements });
}

/**
 * The caller read again, for a change that had to wait after authentication.
 * @throws AppError UNAUTHORIZED when the account is refused by now; FORBIDDEN when it lost a permission or is restricted.
 */
export function stillPermitted(db: Db, caller: Caller, ...codes: readonly PermissionCode[]): Caller {
	const actor = actorOf(db, caller.actor);
	refuseRestricted(actor);
	if (!codes.every((code) => holds(actor.permissions, code))) throw forbidden();
	return { ...caller, actor };
}

/** @throws AppError FORBIDDEN when the account has something to do first, unless that is one of `despite`. */
export function refuseRestricted({ restrictions }: Actor, despite: readonly Restriction[] = []): void {
	for (const restriction of restrictions) if (!despite.includes(restriction)) throw refusalFor(restriction);
}

/** In the order in which they are refused. The administrator may keep the first password. */
function restrictionsOf(db: Db, account: Account, { ownPassword, secondFactor }: Requirements): Restriction[] {
	const { accountType, permissions, passwordIsInitial, passwordExpiresAt } = account;
	const isInitial = accountType === 'EMPLOYEE' && ownPassword && passwordIsInitial;
	const restrictions: Restriction[] = isInitial || passwordExpiresAt !== null ? ['OWN_PASSWORD'] : [];
	const isAsked = secondFactor && hasBackOffice(permissions);
	if (isAsked && !hasSecondFactor(db, account)) restrictions.push('SECOND_FACTOR');
	return restrictions;
}

/**
 * The one store that the actor is confined to, or undefined without such a limit: `employee:view:store` without
 * `employee:view:all` reaches the own store only, for reading and for writing.
 */
export function ownStoreOf(actor: Actor): number | undefined {
	if (actor.accountType === 'SUPER_ADMIN') return undefined;
	const confined = holds(actor.permissions, 'employee:view:store') && !holds(actor.permissions, 'employee:view:all');
	return confined ? actor.storeId : undefined;
}
