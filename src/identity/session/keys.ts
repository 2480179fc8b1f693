/** The programs that call with a key. A program has no account. */
import { and, eq, gt, gte, isNull, or } from 'drizzle-orm';
import type { Db } from '../../platform/database/open.ts';
import { param, queries, writeIfPossible } from '../../platform/database/query.ts';
import { programs } from '../../platform/database/schema.ts';
import { dayOf } from '../../platform/vocabulary/day.ts';
import { type PermissionCode, type Permissions, withheldFromPrograms } from '../../platform/vocabulary/permissions.ts';
import { isAssignable } from './granted-permissions.ts';

const { id, name, permissions: codes, storeId, lastUsedAt, keyHash, previousKeyHash, previousKeyUntil } = programs;

const read = queries(({ select }) => ({
	former: select({ id })
		.from(programs)
		.where(or(eq(keyHash, param('keyHash')), eq(previousKeyHash, param('keyHash')))),
	caller: select({ id, name, permissions: codes, storeId, lastUsedAt })
		.from(programs)
		.where(
			and(
				isNull(programs.deletedAt),
				gte(programs.endsOn, param('today')),
				or(
					eq(keyHash, param('keyHash')),
					and(eq(previousKeyHash, param('keyHash')), gt(previousKeyUntil, param('at'))),
				),
			),
		),
}));

/** The claims of a request with a key. */
export interface KeyClaims {
	accountType: 'PROGRAM';
	id: number;
	keyHash: string;
}

/** Creates a random text of 256 bits. */
export function randomText(): string {
	return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url');
}

/** Creates a program's key, or its client secret for OpenID Connect: 256 random bits. */
export const createKey = (kind: 'access' | 'secret') => `${kind}_${randomText()}`;

/** The stored form of a key or a client secret. It needs no salt and no slow hash: 256 bits cannot be guessed. */
export function hashOfKey(key: string): string {
	return Bun.SHA256.hash(key, 'base64url');
}

/** The claims of a key at a time in ISO 8601; undefined for an unknown or expired key. */
export function claimsOfKey(db: Db, key: string, at: string): KeyClaims | undefined {
	const hash = hashOfKey(key);
	const program = findCallingProgram(db, hash, at);
	return program && { accountType: 'PROGRAM', id: program.id, keyHash: hash };
}

/** Whether a key worked until its program expired, or until a newer key replaced it. */
export function isFormerKey(db: Db, key: string): boolean {
	return read(db).former.get({ keyHash: hashOfKey(key) }) !== undefined;
}

/** The live program of a key, and what it may do at a time. */
export function findCallingProgram(db: Db, keyHash: string, at: string) {
	const row = read(db).caller.get({ keyHash, at, today: dayOf(at) });
	if (!row) return undefined;
	const permissions: Permissions = new Set(assignableCodes(db, row.permissions));
	// No store has the id 0: a program without the store it must be confined to reaches no employee.
	return { ...row, accountType: 'PROGRAM' as const, permissions, storeId: row.storeId ?? 0 };
}

/** A calling program with its present permissions. */
export type CallingProgram = NonNullable<ReturnType<typeof findCallingProgram>>;

/** The codes of a program that it can still hold. */
export function assignableCodes(db: Db, codes: readonly PermissionCode[]): PermissionCode[] {
	return codes.filter((code) => isAssignable(db, code) && !withheldFromPrograms.has(code));
}

/** The interval at which the last use is saved, in milliseconds. Saving every read would be too much. */
const saveInterval = 60_000;

/** Saves the time of a program's last use. */
export function saveLastUse(db: Db, { id, lastUsedAt }: CallingProgram, at: string): void {
	if (lastUsedAt !== null && Math.abs(Date.parse(at) - Date.parse(lastUsedAt)) < saveInterval) return;
	writeIfPossible(db, () => db.update(programs).set({ lastUsedAt: at }).where(eq(programs.id, id)).run());
}
