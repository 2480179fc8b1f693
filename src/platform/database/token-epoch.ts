/** The token epoch: a random value of this installation that is part of every token's signing key. */
import type { Database } from 'bun:sqlite';
import type { Db } from './open.ts';
import { transaction } from './query.ts';
import { installation } from './schema.ts';

/** Gets the installation's token epoch. The first start makes it. */
export function getTokenEpoch(db: Db): string {
	return transaction(db, () => {
		const known = db.select({ epoch: installation.tokenEpoch }).from(installation).get();
		return known?.epoch ?? renewTokenEpoch(db.$client);
	});
}

/** Ends every token. A restore turns ids and token versions back, so an old token could name another account. */
export function renewTokenEpoch(client: Database): string {
	const tokenEpoch = crypto.randomUUID();
	// Raw SQL: a restored backup of an earlier version may lack columns, which Drizzle would name.
	client.run(
		`insert into installation (id, token_epoch) values (1, ?)
		on conflict (id) do update set token_epoch = excluded.token_epoch`,
		[tokenEpoch],
	);
	return tokenEpoch;
}
