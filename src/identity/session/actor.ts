/** The caller: the account behind a token or the program behind a key, read from the database at every request. */
import type { Db } from '../../platform/database/open.ts';
import { dayOf } from '../../platform/vocabulary/day.ts';
import { hasBackOffice } from '../../platform/vocabulary/permissions.ts';
import { type Account, findAccount, hasSecondFactor, type StoredPassword } from './accounts.ts';
import { canSignInTo, findOpenidGrant, type OpenidGrant } from './grants.ts';
import { type CallingProgram, findCallingProgram, type KeyClaims } from './keys.ts';
import { disabledReason, notSignedIn, type Restriction, refusalFor } from './refusals.ts';
import type { Claims } from './tokens.ts';

/** The installation's requirements for accounts. */
export interface Requirements {
	/** Whether employees need a password of their own. The initial password then does not sign in. */
	ownPassword: boolean;
	/** Whether accounts with a back-office menu need a second factor. Without it they can only manage their own account. */
	secondFactor: boolean;
}

/** The circumstances of a request, besides the account or program. */
interface Circumstances<Known> {
	/** The steps that the account must take before anything else, in this order. */
	restrictions: readonly Restriction[];
	/** The claims of the token or key and the requirements, to read the actor again after a wait. */
	claims: Known;
	requirements: Requirements;
	/** The machine's day when the actor was read. Grants that ended before this day no longer count. */
	today: string;
}

/** A signed-in account with its present permissions, and the grant of the program that acts for it, if there is one. */
export type Person = Account & Circumstances<Claims> & { grant: OpenidGrant | undefined };

/** The caller: a signed-in account, or a program with its key. */
export type Actor = Person | (CallingProgram & Circumstances<KeyClaims> & { grant?: undefined });

/** An actor in one request. */
export interface Caller<Kind extends Actor = Actor> {
	actor: Kind;
	address: string;
	requestId: string;
	/** The time at which the body was complete, or the request continued after a wait; ISO 8601. */
	at: string;
	/** The versions that the caller expects; undefined accepts any version. */
	expectedTags?: readonly string[] | undefined;
	/** Checks what the route asks of its actor. @throws AppError FORBIDDEN */
	permit(actor: Actor): void;
}

/** The source from which an actor is read. */
type ActorSource<Known> = Pick<Circumstances<Known>, 'claims' | 'requirements'>;

/**
 * The actor that a token or a key identifies, at a time in ISO 8601. With an actor as argument, it is read again.
 * @throws AppError UNAUTHORIZED for an account that is deleted, disabled or in a disabled store, and for an expired
 * token or key.
 */
export function actorOf(db: Db, { claims, requirements }: ActorSource<Claims | KeyClaims>, at: string): Actor {
	if (claims.accountType !== 'PROGRAM') return personOf(db, { claims, requirements }, at);
	const program = findCallingProgram(db, claims.keyHash, at);
	if (!program) throw notSignedIn('key_ended');
	return Object.assign(program, { restrictions: [], claims, requirements, today: dayOf(at) });
}

/** The account that a token identifies; otherwise as {@link actorOf}. */
export function personOf(db: Db, { claims: sent, requirements }: ActorSource<Claims>, at: string): Person {
	if (sent.expiresAt * 1000 <= Date.parse(at)) throw notSignedIn('token_expired');
	const grant = sent.grantId === undefined ? undefined : findOpenidGrant(db, 'id', sent.grantId, at);
	if (sent.grantId !== undefined && !grant) throw notSignedIn('token_ended');
	// Signing in again at the page moves a grant to the newer sign-in.
	const claims = grant ? { ...sent, signIn: grant.signInId } : sent;
	const account = findAccount(db, claims);
	if (!account) throw notSignedIn('account_gone');
	if (account.tokenVersion !== claims.version || hasNoPassword(account, requirements)) throw notSignedIn('token_ended');
	if (claims.signIn !== 0 && !account.signInEndsAt) throw notSignedIn('token_ended');
	const reason = disabledReason(account);
	if (reason) throw refusalFor(reason);
	if (grant && !canSignInTo(account, grant.signInPermission)) throw notSignedIn('token_ended');
	const restrictions = restrictionsOf(db, account, requirements);
	return Object.assign(account, { restrictions, claims, requirements, today: dayOf(at), grant });
}

/**
 * Reads the caller again and applies the permit of their route, for a request that had to wait after authentication.
 * @throws AppError UNAUTHORIZED if the account can no longer sign in; FORBIDDEN if it lost the permission or is
 * restricted.
 */
export function requireStillPermitted({ db, now }: { db: Db; now: () => string }, caller: Caller): Caller {
	const at = now();
	const actor = actorOf(db, caller.actor, at);
	caller.permit(actor);
	return { ...caller, actor, at };
}

/** With `ownPassword`, an employee with the initial password has none of their own. Administrators may keep the first. */
export function hasNoPassword(
	{ accountType, passwordIsInitial = false }: Pick<StoredPassword, 'accountType' | 'passwordIsInitial'>,
	{ ownPassword }: Pick<Requirements, 'ownPassword'>,
): boolean {
	return accountType === 'EMPLOYEE' && ownPassword && passwordIsInitial;
}

/** Whether an account is free to work now: it can sign in and has no restriction. */
export function isReadyToWork(db: Db, account: Account, requirements: Requirements): boolean {
	if (disabledReason(account) || hasNoPassword(account, requirements)) return false;
	return restrictionsOf(db, account, requirements).length === 0;
}

/** The restrictions in the order in which they are refused. */
function restrictionsOf(db: Db, account: Account, { secondFactor }: Requirements): Restriction[] {
	const restrictions: Restriction[] = account.passwordExpiresAt === null ? [] : ['OWN_PASSWORD'];
	const isAsked = secondFactor && hasBackOffice(account.permissions);
	if (isAsked && !hasSecondFactor(db, account)) restrictions.push('SECOND_FACTOR');
	return restrictions;
}

/** Whether the actor is this employee. A program can have the same id. */
export function isSelf({ accountType, id }: Actor, employeeId: number | undefined): boolean {
	return accountType === 'EMPLOYEE' && id === employeeId;
}
