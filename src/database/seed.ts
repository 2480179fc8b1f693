/** What every installation starts with: the built-in roles and an epoch of tokens. */
import { builtInRoles } from '../permissions/catalog.ts';
import type { Db } from './open.ts';
import { transaction } from './query.ts';
import { installation, rolePermissions, roles } from './schema.ts';

/**
 * Adds the built-in roles on the first start. Later starts change nothing: what a built-in role may do is the
 * chain's to decide (specification, section 2, "Built-in roles").
 */
export function seedRoles(db: Db, at: string): void {
	transaction(db, () => {
		if (db.select({ id: roles.id }).from(roles).limit(1).get()) return;
		for (const { permissions, ...role } of builtInRoles) {
			const values = { ...role, isSystem: true, createdAt: at, updatedAt: at };
			const { id } = db.insert(roles).values(values).returning({ id: roles.id }).get();
			const granted = permissions.map((permission) => ({ roleId: id, permission, grantedAt: at }));
			if (granted.length > 0) db.insert(rolePermissions).values(granted).run();
		}
	});
}

/** The installation's token epoch, made on the first start. */
export function provideTokenEpoch(db: Db): string {
	return transaction(db, () => {
		const known = db.select({ epoch: installation.tokenEpoch }).from(installation).get();
		return known?.epoch ?? renewTokenEpoch(db);
	});
}

/** Ends every token there is: for a database that was put back to what it was, ids and versions included. */
export function renewTokenEpoch(db: Pick<Db, 'insert'>): string {
	const tokenEpoch = crypto.randomUUID();
	db.insert(installation)
		.values({ id: 1, tokenEpoch })
		.onConflictDoUpdate({ target: installation.id, set: { tokenEpoch } })
		.run();
	return tokenEpoch;
}
