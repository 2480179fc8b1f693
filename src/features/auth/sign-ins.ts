/** The newest sign-ins of each account, shown to its owner. */
import { and, desc, eq, lte } from 'drizzle-orm';
import type { Db } from '../../platform/database/open.ts';
import { signIns } from '../../platform/database/schema.ts';
import type { AccountKey } from '../../platform/vocabulary/accounts.ts';
import type { SignIns } from './model.ts';

const kept = 20;

const isOf = ({ accountType, id }: AccountKey) => and(eq(signIns.accountType, accountType), eq(signIns.accountId, id));

/** The newest sign-ins of an account, the newest first. */
export function listSignIns(db: Db, account: AccountKey): SignIns {
	const { at, address, client } = signIns;
	const items = db.select({ at, address, client }).from(signIns).where(isOf(account)).orderBy(desc(signIns.id)).all();
	return { items };
}

/** Adds a sign-in, inside its transaction, and deletes the oldest beyond the limit. */
export function addSignIn(db: Db, account: AccountKey, signIn: SignIns['items'][number]): void {
	const { accountType, id: accountId } = account;
	db.insert(signIns)
		.values({ accountType, accountId, ...signIn })
		.run();
	const newest = db.select({ id: signIns.id }).from(signIns).where(isOf(account)).orderBy(desc(signIns.id));
	db.delete(signIns)
		.where(and(isOf(account), lte(signIns.id, newest.limit(1).offset(kept))))
		.run();
}

/** Removes the sign-ins of an account. */
export function removeSignIns(db: Db, account: AccountKey): void {
	db.delete(signIns).where(isOf(account)).run();
}
