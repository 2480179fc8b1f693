/**
 * Where accounts signed in from. Rules against guessing never refuse an account at such a place, so an attack cannot lock
 * its owner out. The places are in the database: they survive restarts, and no number of sign-ins displaces one.
 */
import { and, eq, gt, sql } from 'drizzle-orm';
import type { Db } from '../database/open.ts';
import { bound, prepared, queries } from '../database/query.ts';
import { signInPlaces } from '../database/schema.ts';
import type { AccountType } from '../vocabulary/accounts.ts';

/** An account, for looking up its places. */
export interface AccountKey {
	accountType: AccountType;
	id: number;
}

/** For how long a place is known after the last sign-in, in milliseconds. */
const knownFor = 30 * 24 * 60 * 60 * 1000;

const isRecent = gt(signInPlaces.lastAt, bound('since'));
const isInNetwork = eq(signInPlaces.network, bound('network'));
const isOfAccount = and(eq(signInPlaces.accountType, bound('accountType')), eq(signInPlaces.accountId, bound('id')));

const read = queries(({ select }) => {
	const known = () => select({ known: sql<number>`1` }).from(signInPlaces);
	return {
		ofAccount: known().where(and(isInNetwork, isOfAccount, isRecent)),
		ofAnybody: known().where(and(isInNetwork, isRecent)).limit(1),
	};
});

/** Deletes up to ten old rows at each sign-in, which adds one. As text, because Drizzle cannot compare rows of values. */
const forget = prepared((db) =>
	db.$client.prepare<null, [string]>(
		`delete from sign_in_places where (network, account_type, account_id) in (
			select network, account_type, account_id from sign_in_places where last_at <= ? order by last_at limit 10
		)`,
	),
);

/** Remembers that the account signed in from the network, in the transaction of the sign-in; `at` is its time in ISO 8601. */
export function rememberPlace(db: Db, { accountType, id }: AccountKey, network: string, at: string): void {
	db.insert(signInPlaces)
		.values({ network, accountType, accountId: id, lastAt: at })
		.onConflictDoUpdate({
			target: [signInPlaces.network, signInPlaces.accountType, signInPlaces.accountId],
			set: { lastAt: at },
		})
		.run();
	forget(db).run(knownSince(at));
}

/** Whether the account signed in from the network during the 30 days before `at`. */
export function signedInFrom(db: Db, { accountType, id }: AccountKey, network: string, at: string): boolean {
	return read(db).ofAccount.get({ network, accountType, id, since: knownSince(at) }) !== undefined;
}

/** Whether any account did. */
export function anybodySignedInFrom(db: Db, network: string, at: string): boolean {
	return read(db).ofAnybody.get({ network, since: knownSince(at) }) !== undefined;
}

function knownSince(at: string): string {
	return new Date(Date.parse(at) - knownFor).toISOString();
}
