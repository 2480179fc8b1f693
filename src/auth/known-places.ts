/**
 * Where accounts signed in from. Rules against guessing never refuse an account at such a place, so an attack cannot lock
 * its owner out. The places are in the database: they survive restarts, and no number of sign-ins displaces one.
 */
import type { Db } from '../database/open.ts';
import { prepared } from '../database/query.ts';
import type { AccountType } from '../vocabulary/accounts.ts';

/** An account, for looking up its places. */
export interface AccountKey {
	accountType: AccountType;
	id: number;
}

/** For how long a place is known after the last sign-in, in milliseconds. */
const knownFor = 30 * 24 * 60 * 60 * 1000;

const statements = prepared(({ $client }) => ({
	// Drizzle cannot select a constant alone.
	ofAccount: $client.prepare<object, [string, string, number, string]>(
		'select 1 from sign_in_places where network = ? and account_type = ? and account_id = ? and last_at > ?',
	),
	ofAnybody: $client.prepare<object, [string, string]>(
		'select 1 from sign_in_places where network = ? and last_at > ? limit 1',
	),
	remember: $client.prepare<null, [string, string, number, string]>(
		`insert into sign_in_places (network, account_type, account_id, last_at) values (?, ?, ?, ?)
		on conflict do update set last_at = excluded.last_at`,
	),
	// A few at each sign-in: more than sign-ins add, and never long.
	forget: $client.prepare<null, [string]>(
		`delete from sign_in_places where (network, account_type, account_id) in (
			select network, account_type, account_id from sign_in_places where last_at <= ? order by last_at limit 10
		)`,
	),
}));

/** Remembers that the account signed in from the network, in the transaction of the sign-in; `at` is its time in ISO 8601. */
export function rememberPlace(db: Db, { accountType, id }: AccountKey, network: string, at: string): void {
	statements(db).remember.run(network, accountType, id, at);
	statements(db).forget.run(knownSince(at));
}

/** Whether the account signed in from the network during the 30 days before `at`. */
export function signedInFrom(db: Db, { accountType, id }: AccountKey, network: string, at: string): boolean {
	return statements(db).ofAccount.get(network, accountType, id, knownSince(at)) !== null;
}

/** Whether any account did. */
export function anybodySignedInFrom(db: Db, network: string, at: string): boolean {
	return statements(db).ofAnybody.get(network, knownSince(at)) !== null;
}

function knownSince(at: string): string {
	return new Date(Date.parse(at) - knownFor).toISOString();
}
