/** The chain's name. */
import { changesBetween, record } from '../../identity/history/record.ts';
import type { Caller } from '../../identity/session/actor.ts';
import type { Db } from '../../platform/database/open.ts';
import { queries, transaction } from '../../platform/database/query.ts';
import { installation } from '../../platform/database/schema.ts';
import type { Chain, NameChain } from './model.ts';

const read = queries(({ select }) => ({ name: select({ name: installation.chainName }).from(installation) }));

/** Finds the name that a super administrator gave the chain. Until then the setting CHAIN_NAME counts. */
export function findChainName(db: Db): string | undefined {
	return read(db).name.get()?.name ?? undefined;
}

/** Gives the chain another name. `present` is its name until now. */
export function nameChain(db: Db, caller: Caller, { name }: NameChain, present: string | undefined): Chain {
	return transaction(db, () => {
		if (name === findChainName(db)) return { name };
		db.update(installation).set({ chainName: name }).run();
		const changes = changesBetween({ name: present }, { name });
		record(db, caller, { action: 'CHAIN_UPDATE', target: { id: 1, name }, changes });
		return { name };
	});
}
