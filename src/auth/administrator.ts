/** The super administrator's account (specification, section 5, rule 5; decisions, "super administrator"). */
import type { Db } from '../database/open.ts';
import { transaction } from '../database/query.ts';
import { administrators } from '../database/schema.ts';
import { OperationError } from '../errors.ts';
import { type ChangeContext, recordChange } from '../history/record.ts';
import { endingTokens } from '../session/ending-tokens.ts';

/** Whether the super administrator is still to be seeded. */
export function lacksAdministrator(db: Db): boolean {
	return db.select({ id: administrators.id }).from(administrators).limit(1).get() === undefined;
}

/** Whether the super administrator has this password. */
export function hasPassword(db: Db, password: string): boolean {
	const row = db.select({ passwordHash: administrators.passwordHash }).from(administrators).limit(1).get();
	return row !== undefined && Bun.password.verifySync(password, row.passwordHash);
}

/** Adds the super administrator unless there is one. */
export function seedAdministrator(
	db: Db,
	origin: ChangeContext,
	username: string,
	passwordHash: string,
	at: string,
): void {
	transaction(db, () => {
		if (!lacksAdministrator(db)) return;
		const values = { username, passwordHash, createdAt: at, updatedAt: at };
		const { id } = db.insert(administrators).values(values).returning({ id: administrators.id }).get();
		recordChange(db, origin, 'ADMINISTRATOR_CREATE', { after: { id, name: username } }, told, at);
	});
}

/**
 * Gives the super administrator a new password and ends his tokens.
 * @returns his username.
 * @throws OperationError when there is none yet.
 */
export function replaceAdministratorPassword(db: Db, origin: ChangeContext, passwordHash: string, at: string): string {
	return transaction(db, () => {
		const changed = db
			.update(administrators)
			.set({ passwordHash, ...endingTokens(administrators), updatedAt: at })
			.returning({ id: administrators.id, name: administrators.username })
			.get();
		if (!changed) throw new OperationError('there is no administrator yet: start the server once');
		recordChange(db, origin, 'ADMINISTRATOR_PASSWORD_RESET', { before: changed, after: changed }, told, at);
		return changed.name;
	});
}

/** The fields of an administrator that his history tells. */
function told({ name }: { name: string }) {
	return { username: name };
}
