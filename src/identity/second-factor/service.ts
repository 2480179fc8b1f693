/** Second factors. A code is six digits made from a secret and the time (TOTP, RFC 6238), or a recovery code. */
import { randomInt } from 'node:crypto';
import { and, count, eq, isNotNull, notLike } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import type { Db } from '../../platform/database/open.ts';
import { secondFactors } from '../../platform/database/schema.ts';
import type { AccountKey } from '../../platform/vocabulary/accounts.ts';
import { counted } from '../../platform/vocabulary/counted.ts';
import { AppError, businessError } from '../../platform/vocabulary/errors.ts';
import type { Reason } from '../../platform/vocabulary/reasons.ts';
import type { HistoryEvent } from '../history/record.ts';
import { findSecondFactor, hasSecondFactor } from '../session/accounts.ts';
import type { SecretCipher } from './encryption.ts';
import { type SecondFactor, type SecondFactorKey, secondFactorMessages } from './model.ts';

/** The dependencies of second factors. */
export interface SecondFactors {
	db: Db;
	secretCipher: SecretCipher;
	/** The name of the service in authenticator apps. */
	chainName: () => string | undefined;
}

type WithCipher = Omit<SecondFactors, 'chainName'>;

/** The changes that the history records for a used code: a recovery code leaves fewer of them. */
export type UsedCode = Pick<HistoryEvent, 'changes'>;

/** The parameters of authenticator apps: SHA-1, six digits, 30 seconds. */
const totpParameters = { algorithm: 'SHA1', digits: 6, period: 30 };

/** The number of time steps by which a phone's clock may be ahead or behind. */
const window = 1;

/** 160 bits, as RFC 4226 recommends. */
const secretLength = 20;

/** The number of recovery codes. Each signs in once, in place of a code from the phone. */
const recoveryCodeCount = 10;

/** Without letters and digits that look alike: people write these codes down and type them. */
const recoveryAlphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';

const isAccount = ({ accountType, id }: AccountKey) =>
	and(eq(secondFactors.accountType, accountType), eq(secondFactors.accountId, id));

/** The second factor of an account, as shown to its owner. */
export function secondFactorOf(db: Db, account: AccountKey): SecondFactor {
	const row = findSecondFactor(db, account);
	return { enabledAt: row?.enabledAt ?? null, recoveryCodesLeft: row?.recoveryCodes.length ?? 0 };
}

/** Creates a secret, unused until {@link enableSecondFactor}. @throws AppError CONFLICT when the second factor is on. */
export function startSecondFactor(
	{ db, secretCipher, chainName }: SecondFactors,
	account: AccountKey,
	label: string,
): SecondFactorKey {
	requireSecondFactorState(db, account, 'off');
	const secret = new Secret({ size: secretLength });
	const totp = new TOTP({ issuer: chainName() ?? 'Access', label, secret, ...totpParameters });
	const { accountType, id: accountId } = account;
	const encrypted = secretCipher.encrypt(secret.base32, account);
	const fresh = { secret: encrypted, enabledAt: null, lastStep: 0, recoveryCodes: [] };
	db.insert(secondFactors)
		.values({ accountType, accountId, ...fresh })
		.onConflictDoUpdate({ target: [secondFactors.accountType, secondFactors.accountId], set: fresh })
		.run();
	return { secret: secret.base32, uri: totp.toString() };
}

/** The second factor must be on, or must be off. @throws AppError CONFLICT */
export function requireSecondFactorState(db: Db, account: AccountKey, state: 'on' | 'off'): void {
	const isOn = hasSecondFactor(db, account);
	if (isOn !== (state === 'on')) throw conflict(secondFactorMessages[isOn ? 'alreadyEnabled' : 'notEnabled']);
}

/**
 * Turns a second factor on with its first code.
 * @returns the recovery codes; undefined when the code is wrong.
 * @throws AppError CONFLICT when it is on, or was not started.
 */
export function enableSecondFactor({ db, secretCipher }: WithCipher, account: AccountKey, code: string, at: string) {
	requireSecondFactorState(db, account, 'off');
	const row = findSecondFactor(db, account);
	if (!row) throw conflict(secondFactorMessages.notStarted);
	const step = stepOf(secretIn(row, secretCipher, account), typedCode(code), at);
	if (step === undefined) return undefined;
	change(db, account, { enabledAt: at, lastStep: step });
	return renewRecoveryCodes(db, account);
}

/** Replaces the recovery codes of an account. @returns the new codes, such as `K7M3-9QTX-2FHB-4WND`: 79 random bits each. */
export function renewRecoveryCodes(db: Db, account: AccountKey): string[] {
	const part = () => Array.from({ length: 4 }, () => recoveryAlphabet[randomInt(recoveryAlphabet.length)]).join('');
	const makeCode = () => [part(), part(), part(), part()].join('-');
	const recoveryCodes = Array.from({ length: recoveryCodeCount }, makeCode);
	change(db, account, { recoveryCodes: recoveryCodes.map((each) => hashRecoveryCode(account, each)) });
	return recoveryCodes;
}

/**
 * Uses up a code of an account, inside the transaction of the work it allows.
 * @returns the changes for the history; undefined when the code is wrong or already used.
 * @throws AppError SERVICE_UNAVAILABLE when the secret cannot be read.
 */
export function useCode(
	{ db, secretCipher }: WithCipher,
	account: AccountKey,
	typed: string,
	at: string,
): UsedCode | undefined {
	const row = findSecondFactor(db, account);
	if (!row?.enabledAt) return undefined;
	const code = typedCode(typed);
	if (/^\d+$/.test(code)) {
		const step = stepOf(secretIn(row, secretCipher, account), code, at);
		if (step === undefined || step <= row.lastStep) return undefined;
		change(db, account, { lastStep: step });
		return {};
	}
	const { recoveryCodes } = row;
	const used = hashRecoveryCode(account, code);
	const left = recoveryCodes.filter((each) => each !== used);
	if (left.length === recoveryCodes.length) return undefined;
	change(db, account, { recoveryCodes: left });
	return { changes: [{ field: 'recoveryCodesLeft', before: recoveryCodes.length, after: left.length }] };
}

/** Removes the second factor of an account. @returns whether it was on. */
export function removeSecondFactor(db: Db, account: AccountKey): boolean {
	const row = findSecondFactor(db, account);
	if (row) db.delete(secondFactors).where(isAccount(account)).run();
	return Boolean(row?.enabledAt);
}

/** The problem to report to the operator if second factors are encrypted with another key; otherwise undefined. */
export function lostKeyProblem({ db, secretCipher }: WithCipher): string | undefined {
	const isLost = and(isNotNull(secondFactors.enabledAt), notLike(secondFactors.secret, `${secretCipher.mark}%`));
	const { total } = db.select({ total: count() }).from(secondFactors).where(isLost).get() ?? { total: 0 };
	if (total === 0) return undefined;
	const what = `${counted(total, 'second factor')} ${total === 1 ? 'was' : 'were'} made with another SECOND_FACTOR_KEY`;
	const remedy =
		'bring back the secrets.json of that time and restart, or remove them with ' +
		'DELETE /api/employees/:id/second-factor and access admin remove-second-factor';
	return `${what}, so only their recovery codes work: ${remedy}`;
}

/** The time step of a correct code: the present one or a neighbour. */
function stepOf(secret: string, token: string, at: string): number | undefined {
	const totp = new TOTP({ secret, ...totpParameters });
	const timestamp = Date.parse(at);
	const delta = totp.validate({ token, timestamp, window });
	return delta === null ? undefined : totp.counter({ timestamp }) + delta;
}

/** The secret of a second factor. @throws AppError SERVICE_UNAVAILABLE when it is encrypted with another key. */
function secretIn({ secret }: { secret: string }, secretCipher: SecretCipher, account: AccountKey): string {
	const decrypted = secretCipher.decrypt(secret, account);
	if (decrypted !== undefined) return decrypted;
	const cause = new Error(`SECOND_FACTOR_KEY does not open the second factor of ${account.accountType}:${account.id}`);
	throw new AppError('SERVICE_UNAVAILABLE', secondFactorMessages.unreadable, { cause });
}

function change(db: Db, account: AccountKey, values: Partial<typeof secondFactors.$inferInsert>): void {
	db.update(secondFactors).set(values).where(isAccount(account)).run();
}

function conflict(reason: Reason): AppError {
	return businessError('CONFLICT', 'account.secondFactor', reason);
}

/** The stored form of a recovery code. It uses no key, so codes survive a lost `secrets.json`; they are too long to guess. */
function hashRecoveryCode({ accountType, id }: AccountKey, code: string): string {
	return Bun.SHA256.hash(`${accountType}:${id} ${typedCode(code)}`, 'base64url');
}

/** Normalizes a typed code: case, spaces, dashes and full-width characters do not matter. */
function typedCode(code: string): string {
	return code.normalize('NFKC').replace(/[\s-]/g, '').toUpperCase();
}
