/** The caller: the account behind a token, read from the database at every request. */
import type { Db } from '../../platform/database/open.ts';
import { dayOf } from '../../platform/vocabulary/day.ts';
import { hasBackOffice, hasPermission, type ProgramCode } from '../../platform/vocabulary/permissions.ts';
import { type Account, findAccount, hasSecondFactor, type StoredPassword } from './accounts.ts';
import { findProgram, type KeyClaims, type Program } from './keys.ts';
import { disabledReason, forbidden, notSignedIn, type Restriction, refusalFor } from './refusals.ts';
import type { Claims } from './tokens.ts';

/** What the installation asks of its accounts. */
export interface Requirements {
	/** Whether the initial password signs nobody in: who has it has no password. */
	ownPassword: boolean;
	/** Whether who has a back-office menu turns a second factor on before they may do anything but look after their own account. */
	secondFactor: boolean;
}

/** What is known of who calls, besides who they are. */
interface Situation<Known> {
	/** What the account has to do before it may do anything else, in this order. */
	restrictions: readonly Restriction[];
	/** What the token or key says and what is asked of the account, to read it again after a wait. */
	claims: Known;
	requirements: Requirements;
	/** The day on which it was read, in the time zone of the machine: what was over before gives nothing any more. */
	today: string;
}

/** A signed-in account and the permissions that it holds at this moment. */
export type Person = Account & Situation<Claims>;

/** The caller: a signed-in account, or a program with its key. */
export type Actor = Person | (Program & Situation<KeyClaims>);

/** An actor in one request. */
export interface Caller<Kind extends Actor = Actor> {
	actor: Kind;
	address: string;
	requestId: string;
	/** When its body had come, or when it went on after a wait; ISO 8601. */
	at: string;
	/** The versions of what is to be changed that the caller has seen; undefined when any will do. */
	expectedTags?: readonly string[] | undefined;
}

/** What an actor is read from. */
type Sought<Known> = Pick<Situation<Known>, 'claims' | 'requirements'>;

/**
 * The account or program that a token or a key names, as it is at a time in ISO 8601; of an actor, the same one read again.
 * @throws AppError UNAUTHORIZED when it is gone, disabled, in a disabled store, or the token or key has ended.
 */
export function actorOf(db: Db, { claims, requirements }: Sought<Claims | KeyClaims>, at: string): Actor {
	if (claims.accountType !== 'PROGRAM') return personOf(db, { claims, requirements }, at);
	const program = findProgram(db, claims.keyHash, at);
	if (!program) throw notSignedIn();
	return Object.assign(program, { restrictions: [], claims, requirements, today: dayOf(new Date(at)) });
}

/** The same of a token. */
export function personOf(db: Db, { claims, requirements }: Sought<Claims>, at: string): Person {
	// Asked again: a body may arrive, or a request wait, for longer than the token lives.
	if (claims.expiresAt * 1000 <= Date.parse(at)) throw notSignedIn();
	const account = findAccount(db, claims);
	if (account?.tokenVersion !== claims.version || hasNoPassword(account, requirements)) throw notSignedIn();
	const reason = disabledReason(account);
	if (reason) throw refusalFor(reason);
	const restrictions = restrictionsOf(db, account, requirements);
	return Object.assign(account, { restrictions, claims, requirements, today: dayOf(new Date(at)) });
}

/**
 * The caller read again, for a change that had to wait after authentication.
 * @throws AppError UNAUTHORIZED when the account is refused by now; FORBIDDEN when it lost a permission or is restricted.
 */
export function requireStillPermitted(db: Db, caller: Caller, ...codes: readonly ProgramCode[]): Caller {
	const actor = actorOf(db, caller.actor, caller.at);
	requireUnrestricted(actor);
	if (!codes.every((code) => hasPermission(actor.permissions, code))) throw forbidden();
	return { ...caller, actor };
}

/** @throws AppError FORBIDDEN when the account has something to do first, unless that is one of `despite`. */
export function requireUnrestricted({ restrictions }: Actor, despite: readonly Restriction[] = []): void {
	for (const restriction of restrictions) if (!despite.includes(restriction)) throw refusalFor(restriction);
}

/** Whether an employee has no password: the initial one where it signs nobody in. The administrator may keep the first one. */
export function hasNoPassword(
	{ accountType, passwordIsInitial = false }: Pick<StoredPassword, 'accountType' | 'passwordIsInitial'>,
	{ ownPassword }: Pick<Requirements, 'ownPassword'>,
): boolean {
	return accountType === 'EMPLOYEE' && ownPassword && passwordIsInitial;
}

/** Whether an account could do something else now than to look after itself. */
export function hasNothingToDoFirst(db: Db, account: Account, requirements: Requirements): boolean {
	if (disabledReason(account) || hasNoPassword(account, requirements)) return false;
	return restrictionsOf(db, account, requirements).length === 0;
}

/** In the order in which they are refused. */
function restrictionsOf(db: Db, account: Account, { secondFactor }: Requirements): Restriction[] {
	const restrictions: Restriction[] = account.passwordExpiresAt === null ? [] : ['OWN_PASSWORD'];
	const isAsked = secondFactor && hasBackOffice(account.permissions);
	if (isAsked && !hasSecondFactor(db, account)) restrictions.push('SECOND_FACTOR');
	return restrictions;
}

/** Whether an employee is the actor: a program can have the same id. */
export function isSelf({ accountType, id }: Actor, employeeId: number | undefined): boolean {
	return accountType === 'EMPLOYEE' && id === employeeId;
}
