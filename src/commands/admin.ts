import { findWeakness, hashPassword, productionCost } from '../features/auth/password.ts';
import { removeSecondFactor } from '../identity/second-factor/service.ts';
import { newAdministratorPassword } from '../identity/session/accounts.ts';
import { type Db, openExistingDatabase } from '../platform/database/open.ts';
import { administrators } from '../platform/database/schema.ts';
import type { Config } from '../platform/machine/config.ts';
import { withExplanation } from '../platform/machine/file-access.ts';
import { forgetSecret, makeSecret, readSecrets } from '../platform/machine/secrets.ts';
import { OperationError } from '../platform/vocabulary/errors.ts';
import { isPassword } from '../platform/vocabulary/password-rule.ts';
import { changeAdministrator, findAdministrator } from '../server/administrator.ts';
import { findData, openData } from './data.ts';
import type { ProcessContext } from './process.ts';

/**
 * `access admin reset-password`: sets a password that is read or generated, and ends all tokens. The server may run.
 */
export async function resetAdministratorPassword(
	context: ProcessContext,
	{ stdin = false }: { stdin?: boolean },
): Promise<number> {
	const { config, folder } = findData(context);
	// Read before anything changes: an unreadable file could not be corrected afterwards.
	readSecrets(folder.secrets);
	const password = stdin ? await readPassword(context) : makeSecret('ADMIN_PASSWORD');
	using db = openExistingDatabase(folder.database);
	if (stdin && config.REQUIRE_OWN_PASSWORD === 'on') refuseGuessable(db, password, config);
	const hash = await hashPassword(password, productionCost);
	const username = changeAdministrator(db, context.user, 'ADMINISTRATOR_PASSWORD_RESET', (_, at) =>
		db.update(administrators).set(newAdministratorPassword(hash, at)).run(),
	);
	const result = stdin ? `the password of ${username} is changed` : `the new password of ${username} is ${password}`;
	await context.write(`${result}\n`);
	const forget = () => forgetSecret(folder.secrets, 'ADMIN_PASSWORD');
	withExplanation(folder.secrets, forget, 'the password is changed, but the old one is still in a file: ');
	return 0;
}

/** `access admin rename NAME`: changes the username. The server may run. @throws OperationError */
export async function renameAdministratorTo(context: ProcessContext, username: string): Promise<number> {
	using db = openData(context);
	const before = changeAdministrator(db, context.user, 'ADMINISTRATOR_UPDATE', (_, updatedAt) =>
		db.update(administrators).set({ username, updatedAt }).run(),
	);
	await context.write(`the administrator ${before} is now ${username}\n`);
	return 0;
}

/** `access admin remove-second-factor`: for an administrator without phone and recovery codes. The server may run. */
export async function removeSecondFactorOfAdministrator(context: ProcessContext): Promise<number> {
	using db = openData(context);
	const username = changeAdministrator(db, context.user, 'ADMINISTRATOR_SECOND_FACTOR_REMOVE', (id) => {
		if (removeSecondFactor(db, { accountType: 'SUPER_ADMIN', id })) return;
		throw new OperationError('the administrator has no second factor');
	});
	await context.write(`the second factor of ${username} is removed: the password is enough\n`);
	return 0;
}

/** @throws OperationError */
function refuseGuessable(db: Db, password: string, { CHAIN_NAME }: Config): void {
	const name = findAdministrator(db)?.name ?? '';
	if (findWeakness(password, { username: name, name }, CHAIN_NAME) === undefined) return;
	throw new OperationError('this password is easy to guess: give another one on standard input');
}

/** Reads one line. Its line break is not part of the password. */
async function readPassword(context: ProcessContext): Promise<string> {
	const password = (await context.input.text()).replace(/\r?\n$/, '');
	if (!isPassword(password)) throw new OperationError('a password has 8 to 128 characters: give it on standard input');
	return password;
}
