/** The super administrator's account. */
import type { Db } from '../database/open.ts';
import { transaction } from '../database/query.ts';
import { administrators } from '../database/schema.ts';
import { type ChangeContext, recordChange } from '../history/record.ts';
import { removeSecondFactor } from '../second-factor/service.ts';
import { newPassword } from '../session/ending-tokens.ts';
import { OperationError } from '../vocabulary/errors.ts';

/** Whether there is no super administrator yet. */
export function lacksAdministrator(db: Db): boolean {
	return db.select({ id: administrators.id }).from(administrators).limit(1).get() === undefined;
}

/** The username of the super administrator; undefined before the first start has finished. */
export function administratorName(db: Db): string | undefined {
	return db.select({ username: administrators.username }).from(administrators).limit(1).get()?.username;
}

/** Whether the super administrator has this password. */
export async function hasPassword(db: Db, password: string): Promise<boolean> {
	const row = db.select({ passwordHash: administrators.passwordHash }).from(administrators).limit(1).get();
	return row !== undefined && (await Bun.password.verify(password, row.passwordHash));
}

/** Adds the super administrator unless there is one. */
export function seedAdministrator(
	db: Db,
	context: ChangeContext,
	username: string,
	passwordHash: string,
	at: string,
): void {
	transaction(db, () => {
		if (!lacksAdministrator(db)) return;
		const values = { username, passwordHash, createdAt: at, updatedAt: at };
		const { id } = db.insert(administrators).values(values).returning({ id: administrators.id }).get();
		recordChange(db, context, 'ADMINISTRATOR_CREATE', { after: { id, name: username } }, auditedFields, at);
	});
}

/**
 * Gives the super administrator a new password and ends their tokens.
 * @returns the username.
 * @throws OperationError when there is no administrator yet.
 */
export function replaceAdministratorPassword(db: Db, context: ChangeContext, passwordHash: string, at: string): string {
	return transaction(db, () => {
		const changed = db
			.update(administrators)
			.set(newPassword(administrators, passwordHash, at))
			.returning({ id: administrators.id, name: administrators.username })
			.get();
		if (!changed) throw new OperationError('there is no administrator yet: start the server once');
		recordChange(db, context, 'ADMINISTRATOR_PASSWORD_RESET', { before: changed, after: changed }, auditedFields, at);
		return changed.name;
	});
}

/**
 * Removes the second factor of the super administrator.
 * @returns the username.
 * @throws OperationError when they have none.
 */
export function removeAdministratorSecondFactor(db: Db, context: ChangeContext, at: string): string {
	return transaction(db, () => {
		const before = db.select({ id: administrators.id, name: administrators.username }).from(administrators).get();
		if (!before || !removeSecondFactor(db, { accountType: 'SUPER_ADMIN', id: before.id })) {
			throw new OperationError('the administrator has no second factor');
		}
		const unchanged = { before, after: before };
		recordChange(db, context, 'ADMINISTRATOR_SECOND_FACTOR_REMOVE', unchanged, auditedFields, at);
		return before.name;
	});
}

/**
 * Gives the super administrator another username.
 * @returns the username before.
 * @throws OperationError when there is none yet.
 */
export function renameAdministrator(db: Db, context: ChangeContext, username: string, at: string): string {
	return transaction(db, () => {
		const before = db.select({ id: administrators.id, name: administrators.username }).from(administrators).get();
		if (!before) throw new OperationError('there is no administrator yet: start the server once');
		db.update(administrators).set({ username, updatedAt: at }).run();
		recordChange(
			db,
			context,
			'ADMINISTRATOR_UPDATE',
			{ before, after: { ...before, name: username } },
			auditedFields,
			at,
		);
		return before.name;
	});
}

/** The fields of an administrator that the history records. */
function auditedFields({ name }: { name: string }) {
	return { username: name };
}
