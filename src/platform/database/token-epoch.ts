/** The token epoch: a random value of this installation that is part of every token's signing key. */
import type { Db } from './open.ts';
import { transaction } from './query.ts';
import { installation } from './schema.ts';

/** Gets the installation's token epoch. The first start makes it. */
export function getTokenEpoch(db: Db): string {
	return transaction(db, () => {
		const known = db.select({ epoch: installation.tokenEpoch }).from(installation).get();
		return known?.epoch ?? renewTokenEpoch(db);
	});
}

/** Ends every token. A restore turns ids and token versions back, so an old token could name another account. */
export function renewTokenEpoch(db: Pick<Db, 'insert'>): string {
	const tokenEpoch = crypto.randomUUID();
	db.insert(installation)
		.values({ id: 1, tokenEpoch })
		.onConflictDoUpdate({ target: installation.id, set: { tokenEpoch } })
		.run();
	return tokenEpoch;
}
