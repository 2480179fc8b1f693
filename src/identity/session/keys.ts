/** The programs that call with a key. A program has no account. */
import { eq, or } from 'drizzle-orm';
import type { Db } from '../../platform/database/open.ts';
import { param, queries, writeIfPossible } from '../../platform/database/query.ts';
import { programs } from '../../platform/database/schema.ts';
import { dayOf, isOver } from '../../platform/vocabulary/day.ts';
import { type PermissionCode, type Permissions, withheldFromPrograms } from '../../platform/vocabulary/permissions.ts';
import { inOrder } from './granted-permissions.ts';

const { id, name, permissions, storeId, lastUsedAt, endsOn, keyHash, previousKeyHash, previousKeyUntil } = programs;

const read = queries(({ select }) => ({
	byKey: select({ id, name, permissions, storeId, lastUsedAt, endsOn, keyHash, previousKeyHash, previousKeyUntil })
		.from(programs)
		.where(or(eq(keyHash, param('hash')), eq(previousKeyHash, param('hash')))),
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

/** Whether a hash is that of the newest key or client secret, or of the previous one until a time; times in ISO 8601. */
export function isInForce(
	hash: string,
	{ newest, previous, until }: Record<'newest' | 'previous' | 'until', string | null>,
	at: string,
): boolean {
	return hash === newest || (hash === previous && until !== null && until > at);
}

/** The claims of a key at a time in ISO 8601, or the reason why it has none: it never worked, or no longer does. */
export function claimsOfKey(db: Db, key: string, at: string): KeyClaims | 'key_invalid' | 'key_ended' {
	const hash = hashOfKey(key);
	const program = findCallingProgram(db, hash, at);
	if (program) return { accountType: 'PROGRAM', id: program.id, keyHash: hash };
	return read(db).byKey.get({ hash }) ? 'key_ended' : 'key_invalid';
}

/** The live program of a key, and what it may do at a time. A deleted program has no key. */
export function findCallingProgram(db: Db, hash: string, at: string) {
	const row = read(db).byKey.get({ hash });
	if (!row) return undefined;
	const { keyHash: newest, previousKeyHash: previous, previousKeyUntil: until, endsOn, ...program } = row;
	if (endsOn === null || isOver(endsOn, dayOf(at)) || !isInForce(hash, { newest, previous, until }, at))
		return undefined;
	const permissions: Permissions = new Set(assignableCodes(db, program.permissions));
	// No store has the id 0: a program without the store it must be confined to reaches no employee.
	return { ...program, accountType: 'PROGRAM' as const, permissions, storeId: program.storeId ?? 0 };
}

/** A calling program with its present permissions. */
export type CallingProgram = NonNullable<ReturnType<typeof findCallingProgram>>;

/** The codes of a program that it can still hold, in the order of the definitions. */
export function assignableCodes(db: Db, codes: readonly PermissionCode[]): PermissionCode[] {
	return inOrder(db, new Set(codes)).filter((code) => !withheldFromPrograms.has(code));
}

/** The interval at which the last use is saved, in milliseconds. Saving every read would be too much. */
const saveInterval = 60_000;

/** Saves the time of a program's last use. */
export function saveLastUse(db: Db, { id, lastUsedAt }: CallingProgram, at: string): void {
	if (lastUsedAt !== null && Math.abs(Date.parse(at) - Date.parse(lastUsedAt)) < saveInterval) return;
	writeIfPossible(db, () => db.update(programs).set({ lastUsedAt: at }).where(eq(programs.id, id)).run());
}
