import { replaceAdministratorPassword } from '../auth/administrator.ts';
import { hashPassword, productionCost } from '../auth/password.ts';
import { readConfig } from '../config.ts';
import { dataFolderAt } from '../data-folder.ts';
import { closeDatabase, openExistingDatabase } from '../database/open.ts';
import { OperationError } from '../errors.ts';
import { operator } from '../history/record.ts';
import { isPassword } from '../password-rule.ts';
import { forgetSecret, makeSecret, readSecrets } from '../secrets.ts';
import type { Terminal } from './terminal.ts';

interface Options {
	stdin?: boolean;
	json?: boolean;
}

/**
 * `access admin reset-password`: a new password for the super administrator, whose tokens end at once. It is read from
 * standard input or made and shown; also while a server serves.
 * @throws OperationError
 */
export async function resetAdministratorPassword(
	terminal: Terminal,
	{ stdin = false, json = false }: Options,
): Promise<number> {
	const folder = dataFolderAt(readConfig(terminal.environment).DATA_DIR);
	// Before anything changes: a file that cannot be read could not be corrected afterwards either.
	readSecrets(folder.secrets);
	const password = stdin ? await readPassword(terminal) : makeSecret('ADMIN_PASSWORD');
	const db = openExistingDatabase(folder.database);
	try {
		const hash = await hashPassword(password, productionCost);
		const username = replaceAdministratorPassword(db, operator(terminal.user), hash, new Date().toISOString());
		const shown = { username, ...(!stdin && { password }) };
		const text = stdin ? `the password of ${username} is changed` : `the new password of ${username} is ${password}`;
		terminal.stdout.write(json ? `${JSON.stringify(shown)}\n` : `${text}\n`);
		forgetSecret(folder.secrets, 'ADMIN_PASSWORD');
		return 0;
	} finally {
		closeDatabase(db);
	}
}

/** One line; its end is not part of the password. */
async function readPassword(terminal: Terminal): Promise<string> {
	const password = (await terminal.readInput()).replace(/\r?\n$/, '');
	if (!isPassword(password)) throw new OperationError('a password has 8 to 128 characters: give it on standard input');
	return password;
}
