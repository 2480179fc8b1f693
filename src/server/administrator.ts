/** The super administrator's account. */

import { operator, recordChange } from '../identity/history/record.ts';
import type { Db } from '../platform/database/open.ts';
import { transaction } from '../platform/database/query.ts';
import { administrators } from '../platform/database/schema.ts';
import { OperationError } from '../platform/vocabulary/errors.ts';
import type { HistoryAction } from '../platform/vocabulary/history.ts';

/** The super administrator, or undefined before the end of the first start. */
export function findAdministrator(db: Db) {
	const { id, username: name, passwordHash, createdAt } = administrators;
	return db.select({ id, name, passwordHash, createdAt }).from(administrators).get();
}

/** Whether the super administrator has this password. */
export async function hasPassword(db: Db, password: string): Promise<boolean> {
	const found = findAdministrator(db);
	return found !== undefined && (await Bun.password.verify(password, found.passwordHash));
}

/** Adds the super administrator unless there is one. @param user the name of the operator */
export function seedAdministrator(db: Db, user: string, username: string, passwordHash: string, at: string): void {
	transaction(db, () => {
		if (findAdministrator(db)) return;
		const values = { username, passwordHash, createdAt: at, updatedAt: at };
		const { id } = db.insert(administrators).values(values).returning({ id: administrators.id }).get();
		recordChange(db, operator(user, at), 'ADMINISTRATOR_CREATE', { after: { id, name: username } }, toAuditedFields);
	});
}

/**
 * Changes the super administrator and records it. @param apply makes the change, given the account's id and the time
 * @returns the username before. @throws OperationError when there is no administrator yet
 */
export function changeAdministrator(
	db: Db,
	user: string,
	action: HistoryAction,
	apply: (id: number, at: string) => void,
): string {
	const at = new Date().toISOString();
	return transaction(db, () => {
		const before = findAdministrator(db);
		if (!before) throw new OperationError('there is no administrator yet: start the server once');
		apply(before.id, at);
		recordChange(db, operator(user, at), action, { before, after: findAdministrator(db) ?? before }, toAuditedFields);
		return before.name;
	});
}

function toAuditedFields({ name }: { name: string }) {
	return { username: name };
}
