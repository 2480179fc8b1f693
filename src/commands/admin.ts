import { hashPassword, productionCost } from '../auth/password.ts';
import { openExistingDatabase } from '../database/open.ts';
import { administrators } from '../database/schema.ts';
import { explained } from '../machine/file-access.ts';
import { forgetSecret, makeSecret, readSecrets } from '../machine/secrets.ts';
import { removeSecondFactor } from '../second-factor/service.ts';
import { changeAdministrator } from '../server/administrator.ts';
import { newAdministratorPassword } from '../session/accounts.ts';
import { OperationError } from '../vocabulary/errors.ts';
import { isPassword } from '../vocabulary/password-rule.ts';
import { findData, openData } from './data.ts';
import { answer, type Form, type ProcessContext } from './process.ts';

/**
 * `access admin reset-password`: replaces the password of the super administrator and ends their tokens, also while a
 * server runs. The password is read from standard input, or made and shown.
 * @throws OperationError
 */
export async function resetAdministratorPassword(
	context: ProcessContext,
	{ stdin = false, ...form }: Form & { stdin?: boolean },
): Promise<number> {
	const { folder } = findData(context);
	// Before anything changes: a file that cannot be read could not be corrected afterwards.
	readSecrets(folder.secrets);
	const password = stdin ? await readPassword(context) : makeSecret('ADMIN_PASSWORD');
	using db = openExistingDatabase(folder.database);
	const hash = await hashPassword(password, productionCost);
	const username = changeAdministrator(db, context.user, 'ADMINISTRATOR_PASSWORD_RESET', (_, at) =>
		db.update(administrators).set(newAdministratorPassword(hash, at)).run(),
	);
	await (stdin
		? answer(context, form, { username }, `the password of ${username} is changed`)
		: answer(context, form, { username, password }, `the new password of ${username} is ${password}`));
	const forget = () => forgetSecret(folder.secrets, 'ADMIN_PASSWORD');
	explained(folder.secrets, forget, 'the password is changed, but the old one is still in a file: ');
	return 0;
}

/**
 * `access admin rename NAME`: gives the super administrator another username, also while a server runs.
 * @throws OperationError
 */
export async function renameAdministratorTo(context: ProcessContext, username: string, form: Form): Promise<number> {
	using db = openData(context);
	const before = changeAdministrator(db, context.user, 'ADMINISTRATOR_UPDATE', (_, updatedAt) =>
		db.update(administrators).set({ username, updatedAt }).run(),
	);
	return answer(context, form, { username, before }, `the administrator ${before} is now ${username}`);
}

/**
 * `access admin remove-second-factor`: for an administrator who lost their phone and their recovery codes, also while a
 * server runs.
 * @throws OperationError
 */
export async function removeSecondFactorOfAdministrator(context: ProcessContext, form: Form): Promise<number> {
	using db = openData(context);
	const username = changeAdministrator(db, context.user, 'ADMINISTRATOR_SECOND_FACTOR_REMOVE', (id) => {
		if (removeSecondFactor(db, { accountType: 'SUPER_ADMIN', id })) return;
		throw new OperationError('the administrator has no second factor');
	});
	return answer(context, form, { username }, `the second factor of ${username} is removed: the password is enough`);
}

/** One line; its line break is not part of the password. */
async function readPassword(context: ProcessContext): Promise<string> {
	const password = (await context.input.text()).replace(/\r?\n$/, '');
	if (!isPassword(password)) throw new OperationError('a password has 8 to 128 characters: give it on standard input');
	return password;
}
