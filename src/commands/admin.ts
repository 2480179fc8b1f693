import { hashPassword, productionCost } from '../auth/password.ts';
import { openExistingDatabase } from '../database/open.ts';
import { explained } from '../machine/file-access.ts';
import { forgetSecret, makeSecret, readSecrets } from '../machine/secrets.ts';
import {
	removeAdministratorSecondFactor,
	renameAdministrator,
	replaceAdministratorPassword,
} from '../server/administrator.ts';
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
	const username = replaceAdministratorPassword(db, context.user, hash, new Date().toISOString());
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
	const before = renameAdministrator(db, context.user, username, new Date().toISOString());
	return answer(context, form, { username, before }, `the administrator ${before} is now ${username}`);
}

/**
 * `access admin remove-second-factor`: for an administrator who lost their phone and their recovery codes, also while a
 * server runs.
 * @throws OperationError
 */
export async function removeSecondFactorOfAdministrator(context: ProcessContext, form: Form): Promise<number> {
	using db = openData(context);
	const username = removeAdministratorSecondFactor(db, context.user, new Date().toISOString());
	return answer(context, form, { username }, `the second factor of ${username} is removed: the password is enough`);
}

/** One line; its line break is not part of the password. */
async function readPassword(context: ProcessContext): Promise<string> {
	const password = (await context.input.text()).replace(/\r?\n$/, '');
	if (!isPassword(password)) throw new OperationError('a password has 8 to 128 characters: give it on standard input');
	return password;
}
