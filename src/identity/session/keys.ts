/** The programs that call with a key, and who a key stands for. */
import { and, eq, gt, gte, isNull, or } from 'drizzle-orm';
import type { Db } from '../../platform/database/open.ts';
import { param, queries, transaction } from '../../platform/database/query.ts';
import { programs } from '../../platform/database/schema.ts';
import { dayOf } from '../../platform/vocabulary/day.ts';
import { AppError } from '../../platform/vocabulary/errors.ts';
import { type PermissionCode, type Permissions, withheldFromPrograms } from '../../platform/vocabulary/permissions.ts';
import { isAssignable } from './granted-permissions.ts';

const { id, name, permissions: codes, storeId, lastUsedAt, keyHash, previousKeyHash, previousKeyUntil } = programs;

const read = queries(({ select }) => ({
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

/** What a request with a key says of who sends it. */
export interface KeyClaims {
	accountType: 'PROGRAM';
	id: number;
	keyHash: string;
}

/** A new key, of 256 random bits. */
export function newKey(): string {
	return `access_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')}`;
}

/** What is stored of a key. It needs no salt and no cost: nobody guesses 256 bits. */
export function hashOfKey(key: string): string {
	return Bun.SHA256.hash(key, 'base64url');
}

/** The program of a key at a time in ISO 8601; undefined for a key that is unknown or has ended. */
export function claimsOfKey(db: Db, key: string, at: string): KeyClaims | undefined {
	const hash = hashOfKey(key);
	const program = findProgram(db, hash, at);
	return program && { accountType: 'PROGRAM', id: program.id, keyHash: hash };
}

/** The live program of a key, and what it may do at a time. */
export function findProgram(db: Db, keyHash: string, at: string) {
	const row = read(db).caller.get({ keyHash, at, today: dayOf(new Date(at)) });
	if (!row) return undefined;
	const permissions: Permissions = new Set(heldIn(db, row.permissions));
	// No store has the id 0: who has to be confined and is not, reaches nobody.
	return { ...row, accountType: 'PROGRAM' as const, permissions, storeId: row.storeId ?? 0 };
}

/** A program that calls, with what it may do now. */
export type Program = NonNullable<ReturnType<typeof findProgram>>;

/** The codes in the JSON of a program that it can still hold. */
export function heldIn(db: Db, json: string): PermissionCode[] {
	const codes: string[] = JSON.parse(json);
	return codes.filter((code) => isAssignable(db, code)).filter((code) => !withheldFromPrograms.has(code));
}

/** How often the last use is stored, in milliseconds: a write for every read would be too much. */
const notedEvery = 60_000;

/** Stores that a program was used. Reading goes on where nothing can be written. */
export function noteUse(db: Db, { id, lastUsedAt }: Program, at: string): void {
	if (lastUsedAt !== null && Math.abs(Date.parse(at) - Date.parse(lastUsedAt)) < notedEvery) return;
	try {
		transaction(db, () => db.update(programs).set({ lastUsedAt: at }).where(eq(programs.id, id)).run());
	} catch (error) {
		if (!(error instanceof AppError)) throw error;
	}
}
