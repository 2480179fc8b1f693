/** One's own account: renewing the token, changing the password, managing the second factor, signing out. */
import { tryCode } from '../../identity/guard/guard.ts';
import { record } from '../../identity/history/record.ts';
import { listGiven } from '../../identity/rights/reach.ts';
import {
	type DisableSecondFactor,
	type SecondFactorKey,
	secondFactorMessages,
} from '../../identity/second-factor/model.ts';
import {
	enableSecondFactor,
	removeSecondFactor,
	renewRecoveryCodes,
	requireSecondFactorState,
	startSecondFactor,
	type UsedCode,
	useCode,
} from '../../identity/second-factor/service.ts';
import { endTokens, findPassword } from '../../identity/session/accounts.ts';
import { type Caller, type Person, personOf } from '../../identity/session/actor.ts';
import { reasonOf } from '../../identity/session/refusals.ts';
import { addSignIn, endSignIn, extendSignIn, listSignIns } from '../../identity/session/sign-ins.ts';
import { firstClaims, renewedClaims, timesOf } from '../../identity/session/tokens.ts';
import type { Db } from '../../platform/database/open.ts';
import { transaction } from '../../platform/database/query.ts';
import { businessError, orNotFound } from '../../platform/vocabulary/errors.ts';
import { type AuthUser, authMessages, type ChangePassword, type SignIn, type SignInQuery } from '../auth/model.ts';
import { prepareNewPassword } from '../auth/new-password.ts';
import {
	type Authenticated,
	attemptSubject,
	type SignInDependencies,
	type SignInRequest,
	signInAnswer,
	toAuthUser,
} from '../auth/sign-in.ts';
import type { MeQuery, OwnPassword, SignIns } from './model.ts';

type Owner = Omit<Caller<Person>, 'permit'>;

/** A caller who sends their own password, with the details of the request. */
type PasswordSender = Owner & SignInRequest;

/**
 * Changes the caller's password, and ends the account's tokens. If two changes use the same old password, only one
 * succeeds.
 * @throws AppError BAD_REQUEST when the old password is wrong or expired, or a one-time password is chosen again;
 * TOO_MANY_REQUESTS.
 */
export async function changeOwnPassword(
	dependencies: SignInDependencies,
	caller: PasswordSender,
	change: ChangePassword,
): Promise<Authenticated> {
	const { db, now } = dependencies;
	const attempt = ownAttempt(dependencies, caller);
	const savePassword = await prepareNewPassword(dependencies, attempt, change, caller.actor);
	const person = transaction(db, () => {
		const present = readAgain(db, caller, now());
		const { actor, address, at } = present;
		savePassword(at);
		record(db, present, { action: 'OWN_PASSWORD_CHANGE' });
		const changed = { ...actor, tokenVersion: actor.tokenVersion + 1 };
		const signIn = addSignIn(db, changed, { at, address, client: caller.client });
		return personOf(db, { ...dependencies, claims: firstClaims(changed, signIn, at) }, at);
	});
	return { person, device: attempt.own };
}

/** The caller as they are at a later time. @throws AppError UNAUTHORIZED when the account can no longer sign in. */
function readAgain(db: Db, caller: Owner, at: string): Owner {
	return { ...caller, actor: personOf(db, caller.actor, at), at };
}

/** The attempt at the caller's own password, counted together with sign-ins. */
function ownAttempt({ devices }: SignInDependencies, { actor, address, deviceToken, signal }: PasswordSender) {
	const own = devices.read(deviceToken, actor);
	return { subject: attemptSubject(actor.username, actor), address, own, signal };
}

/** Issues the caller a new token of the same sign-in. @throws AppError UNAUTHORIZED twelve hours after the sign-in. */
export async function renewToken(
	dependencies: SignInDependencies,
	{ actor, at }: Owner,
	query: SignInQuery,
): Promise<SignIn> {
	const claims = renewedClaims(actor.claims, at);
	if (!claims) throw businessError('UNAUTHORIZED', 'token', authMessages.shiftOver);
	extendSignIn(dependencies.db, claims.signIn, at);
	return signInAnswer(dependencies, { ...actor, claims }, query);
}

/** The caller's account, with the additions that a query asks for. */
export function getMe(db: Db, actor: Person, { include }: MeQuery): AuthUser {
	const asked = include?.split(',') ?? [];
	const isWithReach = asked.includes('reach') && actor.accountType === 'EMPLOYEE';
	return {
		...toAuthUser(db, actor),
		...(asked.includes('session') && { session: timesOf(actor.claims) }),
		...(isWithReach && { reach: listGiven(db, actor.id, actor.today) }),
	};
}

/** Lists the sign-ins of the caller's account. */
export function listOwnSignIns(db: Db, { actor, at }: Owner): SignIns {
	return { items: listSignIns(db, actor, { current: actor.claims.signIn, at }) };
}

/** The state of the caller's password. The administrator's first password counts as initial until it is changed. */
export function getOwnPassword({ passwordIsInitial, passwordExpiresAt, passwordChangedAt }: Person): OwnPassword {
	return { isInitial: passwordIsInitial || passwordExpiresAt !== null, changedAt: passwordChangedAt };
}

/** Ends the caller's sign-in, or all of the account's. */
export function signOut(db: Db, caller: Owner, { everywhere = false }): void {
	const { actor, at } = caller;
	const { signIn } = actor.claims;
	transaction(db, () => {
		// A token without a sign-in ends with all others.
		const isAlone = !everywhere && signIn !== 0;
		if (isAlone) endSignIn(db, actor, signIn, at);
		else endTokens(db, actor);
		record(db, caller, { action: isAlone ? 'SIGN_OUT' : 'SIGN_OUT_EVERYWHERE' });
	});
}

/** Ends one sign-in of the caller's account. @throws AppError NOT_FOUND for one of others, and for one that is over. */
export function endOwnSignIn(db: Db, caller: Owner, id: number): void {
	transaction(db, () => {
		const { client } = orNotFound(endSignIn(db, caller.actor, id, caller.at), authMessages.noSignIn);
		record(db, caller, { action: 'SIGN_OUT', changes: [{ field: 'client', before: client, after: null }] });
	});
}

/**
 * Creates a new secret for the caller's account. Sign-in requires no code before the first one is entered.
 * @throws AppError CONFLICT when the second factor is on; BAD_REQUEST when the password is wrong; TOO_MANY_REQUESTS.
 */
export async function startOwnSecondFactor(
	dependencies: SignInDependencies,
	caller: PasswordSender,
	{ password }: { password: string },
): Promise<SecondFactorKey> {
	const { db, now, guard } = dependencies;
	requireSecondFactorState(db, caller.actor, 'off');
	const attempt = await requireOwnPassword(dependencies, caller, password);
	guard.succeeded(attempt);
	return transaction(db, () => {
		const present = readAgain(db, caller, now());
		const key = startSecondFactor(dependencies, present.actor, present.actor.username);
		record(db, present, { action: 'SECOND_FACTOR_START' });
		return key;
	});
}

/** Turns the second factor on. @throws AppError CONFLICT when it is on, or has no secret; BAD_REQUEST; TOO_MANY_REQUESTS. */
export function enableOwnSecondFactor(
	dependencies: SignInDependencies,
	caller: Owner,
	{ code }: { code: string },
): { recoveryCodes: string[] } {
	const work = (at: string) => {
		const recoveryCodes = enableSecondFactor(dependencies, caller.actor, code, at);
		if (!recoveryCodes) return undefined;
		record(dependencies.db, { ...caller, at }, { action: 'SECOND_FACTOR_ENABLE' });
		return { recoveryCodes };
	};
	return tryCode(dependencies, caller, work, { wrong: wrongCode });
}

/** The password and a code, which prove the ownership of a second factor. */
type Proof = typeof DisableSecondFactor.static;

/** Turns the second factor off. @throws AppError as {@link withProof}. */
export async function disableOwnSecondFactor(dependencies: SignInDependencies, caller: PasswordSender, proof: Proof) {
	const { db } = dependencies;
	await withProof(dependencies, caller, proof, (present, used) => {
		record(db, present, { action: 'SECOND_FACTOR_DISABLE', ...used });
		return removeSecondFactor(db, present.actor);
	});
}

/** Replaces the recovery codes. @throws AppError as {@link withProof}. */
export function renewOwnRecoveryCodes(dependencies: SignInDependencies, caller: PasswordSender, proof: Proof) {
	const { db } = dependencies;
	return withProof(dependencies, caller, proof, (present) => {
		record(db, present, { action: 'RECOVERY_CODES_RENEW' });
		return { recoveryCodes: renewRecoveryCodes(db, present.actor) };
	});
}

/**
 * Runs work that requires the password and a code, in one transaction with the use of the code.
 * @throws AppError CONFLICT when the second factor is off; BAD_REQUEST when either is wrong; TOO_MANY_REQUESTS.
 */
async function withProof<Done>(
	dependencies: SignInDependencies,
	caller: PasswordSender,
	{ password, code }: Proof,
	work: (present: Owner, used: UsedCode) => Done,
): Promise<Done> {
	const { db, guard } = dependencies;
	requireSecondFactorState(db, caller.actor, 'on');
	const attempt = await requireOwnPassword(dependencies, caller, password);
	const afterCode = (at: string) => {
		const present = readAgain(db, caller, at);
		const used = useCode(dependencies, present.actor, code, at);
		return used && work(present, used);
	};
	const done = tryCode(dependencies, caller, afterCode, { wrong: wrongCode });
	guard.succeeded(attempt);
	return done;
}

const wrongCode = () => businessError('BAD_REQUEST', 'body.code', reasonOf('WRONG_CODE'));

/**
 * The password must be correct.
 * @returns the attempt, which clears no count yet.
 * @throws AppError BAD_REQUEST; TOO_MANY_REQUESTS.
 */
async function requireOwnPassword(dependencies: SignInDependencies, caller: PasswordSender, password: string) {
	const { db, guard, passwords } = dependencies;
	const attempt = ownAttempt(dependencies, caller);
	const stored = findPassword(db, caller.actor);
	const isRight = await guard.try(attempt, () => passwords.verify(password, stored));
	if (!isRight) throw businessError('BAD_REQUEST', 'body.password', secondFactorMessages.wrongPassword);
	return attempt;
}
