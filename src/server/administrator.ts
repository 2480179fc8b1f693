/** The super administrator's account. */
import type { Db } from '../database/open.ts';
import { transaction } from '../database/query.ts';
import { administrators } from '../database/schema.ts';
import { operator, recordChange } from '../history/record.ts';
import { removeSecondFactor } from '../second-factor/service.ts';
import { newAdministratorPassword } from '../session/accounts.ts';
import { OperationError } from '../vocabulary/errors.ts';
import type { HistoryAction } from '../vocabulary/history.ts';

/** The super administrator; undefined before the first start has finished. */
export function findAdministrator(db: Db) {
	const { id, username: name, passwordHash, createdAt } = administrators;
	return db.select({ id, name, passwordHash, createdAt }).from(administrators).get();
}

/** Whether the super administrator has this password. */
export async function hasPassword(db: Db, password: string): Promise<boolean> {
	const found = findAdministrator(db);
	return found !== undefined && (await Bun.password.verify(password, found.passwordHash));
}

/** Adds the super administrator unless there is one. @param user who runs the program. */
export function seedAdministrator(db: Db, user: string, username: string, passwordHash: string, at: string): void {
	transaction(db, () => {
		if (findAdministrator(db)) return;
		const values = { username, passwordHash, createdAt: at, updatedAt: at };
		const { id } = db.insert(administrators).values(values).returning({ id: administrators.id }).get();
		recordChange(db, operator(user, at), 'ADMINISTRATOR_CREATE', { after: { id, name: username } }, auditedFields);
	});
}

/**
 * Changes the super administrator and records it.
 * @param user who runs the command.
 * @returns the username before.
 * @throws OperationError when there is none yet, or what `apply` throws; nothing is changed then.
 */
function change(db: Db, user: string, action: HistoryAction, at: string, apply: (id: number) => void): string {
	return transaction(db, () => {
		const before = findAdministrator(db);
		if (!before) throw new OperationError('there is no administrator yet: start the server once');
		apply(before.id);
		recordChange(db, operator(user, at), action, { before, after: findAdministrator(db) ?? before }, auditedFields);
		return before.name;
	});
}

/** Gives the super administrator a new password and ends their tokens. @returns the username. @throws OperationError */
export function replaceAdministratorPassword(db: Db, user: string, passwordHash: string, at: string): string {
	const values = newAdministratorPassword(passwordHash, at);
	return change(db, user, 'ADMINISTRATOR_PASSWORD_RESET', at, () => db.update(administrators).set(values).run());
}

/** Removes the second factor of the super administrator. @returns the username. @throws OperationError when they have none */
export function removeAdministratorSecondFactor(db: Db, user: string, at: string): string {
	return change(db, user, 'ADMINISTRATOR_SECOND_FACTOR_REMOVE', at, (id) => {
		if (removeSecondFactor(db, { accountType: 'SUPER_ADMIN', id })) return;
		throw new OperationError('the administrator has no second factor');
	});
}

/** Gives the super administrator another username. @returns the username before. @throws OperationError */
export function renameAdministrator(db: Db, user: string, username: string, at: string): string {
	const values = { username, updatedAt: at };
	return change(db, user, 'ADMINISTRATOR_UPDATE', at, () => db.update(administrators).set(values).run());
}

/** The fields of an administrator that the history records. */
function auditedFields({ name }: { name: string }) {
	return { username: name };
}
