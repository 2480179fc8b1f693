/** The sign-ins of accounts. Each one is a session: it lasts until its newest token expires, or somebody ends it. */
import { and, desc, eq, gt, lt, lte, ne, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/open.ts';
import { param, prepared, writeIfPossible } from '../../platform/database/query.ts';
import { signIns } from '../../platform/database/schema.ts';
import type { AccountKey } from '../../platform/vocabulary/accounts.ts';
import { addSeconds } from '../../platform/vocabulary/day.ts';
import { tokenLifetime } from '../../platform/vocabulary/limits.ts';

/** The number of an account's newest sign-ins that stay after their end. */
const maxEnded = 20;
/** The length of a list of sign-ins. */
const maxListed = 100;

type Owner = AccountKey & { tokenVersion: number };

const isOf = ({ accountType, id }: AccountKey) => and(eq(signIns.accountType, accountType), eq(signIns.accountId, id));

// Prepared: deleting many employees, and saving the uses of a large chain, run these for each sign-in.
const statements = prepared((db) => ({
	remove: db
		.delete(signIns)
		.where(and(eq(signIns.accountType, param('accountType')), eq(signIns.accountId, param('id'))))
		.prepare(),
	use: db
		.update(signIns)
		.set({ lastUsedAt: sql`${param('at')}` })
		.where(and(eq(signIns.id, param('id')), lt(signIns.lastUsedAt, param('at'))))
		.prepare(),
}));

/** Lists the newest sign-ins of an account; `current` is the caller's own. */
export function listSignIns(db: Db, account: Owner, { current, at }: { current: number; at: string }) {
	const rows = db.select().from(signIns).where(isOf(account)).orderBy(desc(signIns.id)).limit(maxListed).all();
	return rows.map(({ tokenVersion, endsAt, ...signIn }) => ({
		...signIn,
		isLive: endsAt > at && tokenVersion === account.tokenVersion,
		isCurrent: signIn.id === current,
	}));
}

/** Adds a sign-in, inside its transaction, and deletes old ones of the account. @returns its id. */
export function addSignIn(
	db: Db,
	account: Owner,
	{ at, ...origin }: { at: string; address: string; client: string | null },
): number {
	const { accountType, id: accountId, tokenVersion } = account;
	const times = { at, lastUsedAt: at, endsAt: addSeconds(at, tokenLifetime.seconds) };
	const values = { accountType, accountId, tokenVersion, ...origin, ...times };
	const { id } = db.insert(signIns).values(values).returning({ id: signIns.id }).get();
	const newest = db.select({ id: signIns.id }).from(signIns).where(isOf(account)).orderBy(desc(signIns.id));
	// The plus sign makes SQLite use the index of ends, because an account can have many sign-ins that still last.
	db.delete(signIns)
		.where(and(isOf(account), lte(signIns.endsAt, at), lte(sql`+${signIns.id}`, newest.limit(1).offset(maxEnded))))
		.run();
	return id;
}

/** Ends a sign-in of an account, inside the caller's transaction. @returns it, if it lasted at that time. */
export function endSignIn(db: Db, account: Owner, id: number, at: string) {
	const isLive = and(eq(signIns.tokenVersion, account.tokenVersion), gt(signIns.endsAt, at));
	return db
		.update(signIns)
		.set({ endsAt: '' })
		.where(and(eq(signIns.id, id), isOf(account), isLive))
		.returning({ client: signIns.client })
		.get();
}

/** Removes the sign-ins of an account. */
export function removeSignIns(db: Db, { accountType, id }: AccountKey): void {
	statements(db).remove.run({ accountType, id });
}

/** Saves that a sign-in was used at a time, and lasts at least as long as a token that is issued then. */
export function extendSignIn(db: Db, id: number, at: string, until = addSeconds(at, tokenLifetime.seconds)): void {
	const isUnended = and(eq(signIns.id, id), ne(signIns.endsAt, ''));
	const values = { endsAt: sql`max(${signIns.endsAt}, ${until})`, lastUsedAt: at };
	writeIfPossible(db, () => db.update(signIns).set(values).where(isUnended).run());
}

/** The interval at which uses are saved, in milliseconds. */
const saveInterval = 5 * 60_000;

/** The maximum number of uses that one request saves, so that those of a whole chain hold nobody up. */
const savedAtOnce = 500;

const unsaved = prepared(() => ({ uses: new Map<number, string>(), savedAt: 0 }));

/** Notes the use of a sign-in. Those of some minutes are saved together; the next request saves those that remain. */
export function noteSignInUse(db: Db, id: number, at: string): void {
	const noted = unsaved(db);
	noted.uses.set(id, at);
	if (Math.abs(Date.parse(at) - noted.savedAt) < saveInterval) return;
	noted.savedAt = Date.parse(at);
	const saved = noted.uses.entries().take(savedAtOnce).toArray();
	writeIfPossible(db, () => {
		for (const [used, lastUsedAt] of saved) {
			statements(db).use.run({ id: used, at: lastUsedAt });
			noted.uses.delete(used);
		}
		if (noted.uses.size > 0) noted.savedAt = 0;
	});
}
