/** The newest sign-ins of each account, for its owner to recognise. */
import { and, desc, eq, lte } from 'drizzle-orm';
import type { Db } from '../database/open.ts';
import { bound, queries } from '../database/query.ts';
import { signIns } from '../database/schema.ts';
import type { AccountKey } from '../vocabulary/accounts.ts';
import type { SignIns } from './model.ts';

const kept = 20;

const read = queries(({ select }) => {
	const newest = () =>
		select({ id: signIns.id, at: signIns.at, address: signIns.address, client: signIns.client })
			.from(signIns)
			.where(and(eq(signIns.accountType, bound('accountType')), eq(signIns.accountId, bound('id'))))
			.orderBy(desc(signIns.id));
	return { kept: newest().limit(kept), surplus: newest().limit(1).offset(kept) };
});

const keyOf = ({ accountType, id }: AccountKey) => ({ accountType, id });

/** The newest sign-ins of an account, the newest first. */
export function listSignIns(db: Db, account: AccountKey): SignIns {
	const items = read(db).kept.all(keyOf(account));
	return { items: items.map(({ at, address, client }) => ({ at, address, client })) };
}

/** Adds a sign-in, inside its transaction; the oldest beyond those that are kept goes. */
export function addSignIn(db: Db, { accountType, id: accountId }: AccountKey, signIn: SignIns['items'][number]): void {
	db.insert(signIns)
		.values({ accountType, accountId, ...signIn })
		.run();
	const surplus = read(db).surplus.get({ accountType, id: accountId });
	if (surplus) removeSignIns(db, { accountType, id: accountId }, surplus.id);
}

/** Removes the sign-ins of an account, or those up to an id. */
export function removeSignIns(db: Db, { accountType, id }: AccountKey, upTo?: number): void {
	const isOf = and(eq(signIns.accountType, accountType), eq(signIns.accountId, id));
	db.delete(signIns)
		.where(upTo === undefined ? isOf : and(isOf, lte(signIns.id, upTo)))
		.run();
}
