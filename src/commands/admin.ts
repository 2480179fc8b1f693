/** The commands that change super administrators. The server may run. */
import { eq } from 'drizzle-orm';
import {
	changeAdministrator,
	chooseAdministrator,
	createAdministrator,
	deleteAdministrator,
	findAdministratorWith,
	listAdministrators,
} from '../features/administrators/service.ts';
import { createOneTimePasswords } from '../features/auth/one-time-password.ts';
import { findWeakness, hashPassword, productionCost } from '../features/auth/password.ts';
import { findChainName } from '../features/chain/service.ts';
import { operator } from '../identity/history/record.ts';
import { removeSecondFactor } from '../identity/second-factor/service.ts';
import { saveAdministratorPassword } from '../identity/session/accounts.ts';
import { type Db, openExistingDatabase } from '../platform/database/open.ts';
import { transaction } from '../platform/database/query.ts';
import { administrators } from '../platform/database/schema.ts';
import type { Config } from '../platform/machine/config.ts';
import type { DataFolder } from '../platform/machine/data-folder.ts';
import { withExplanation } from '../platform/machine/file-access.ts';
import { forgetSecret, makeSecret, readSecrets } from '../platform/machine/secrets.ts';
import { OperationError } from '../platform/vocabulary/errors.ts';
import { isPassword } from '../platform/vocabulary/password-rule.ts';
import { answer, configure, type OutputOptions, openData, type ProcessContext } from './process.ts';

interface Options {
	/** The administrator. Without it, a command is about the only one. */
	username?: string;
	/** Reads the new password from standard input. */
	stdin?: boolean;
}

/** `access admin add NAME`: creates an administrator and writes a one-time password. @throws OperationError */
export async function addAdministrator(context: ProcessContext, username: string): Promise<void> {
	const { PASSWORD_KEY, folder } = configure(context);
	const key = PASSWORD_KEY ?? readSecrets(folder.secrets).PASSWORD_KEY;
	using db = openExistingDatabase(folder.database);
	if (key === undefined) throw new OperationError(`${folder.secrets} has no PASSWORD_KEY: start the server once`);
	requireFreeName(db, username);
	const at = new Date().toISOString();
	const made = createAdministrator(db, operator(context.user, at), createOneTimePasswords(key), { username });
	const until = made.expiresAt.slice(0, 10);
	await context.write(`${username} signs in with the one-time password ${made.password} until ${until}\n`);
}

/** `access admin list`: writes every administrator. @throws OperationError */
export async function writeAdministrators(context: ProcessContext, output: OutputOptions): Promise<void> {
	using db = openData(context);
	const all = listAdministrators(db);
	const lines = all.map(({ username, createdAt, lastSignInAt, hasSecondFactor }) => {
		const signedIn = lastSignInAt === null ? 'never signed in' : `signed in on ${lastSignInAt.slice(0, 10)}`;
		const secondFactor = hasSecondFactor ? 'with a second factor' : 'without a second factor';
		return `${username}: since ${createdAt.slice(0, 10)}, ${signedIn}, ${secondFactor}`;
	});
	await answer(context, output, all, lines.join('\n'));
}

/** `access admin remove`: deletes an administrator, but not the last one. @throws OperationError */
export async function removeAdministrator(context: ProcessContext, { username }: Options): Promise<void> {
	const { folder } = configure(context);
	using db = openExistingDatabase(folder.database);
	const removed = transaction(db, () => {
		const chosen = chooseAdministrator(db, username);
		deleteAdministrator(db, operator(context.user, new Date().toISOString()), chosen);
		return chosen;
	});
	await context.write(`the administrator ${removed.username} is removed\n`);
	await forgetFirstPassword(db, folder, 'the administrator is removed');
}

/** `access admin reset-password`: sets a given or generated password, and ends all tokens. @throws OperationError */
export async function resetAdministratorPassword(context: ProcessContext, { stdin, username }: Options): Promise<void> {
	const config = configure(context);
	const { folder } = config;
	// Read before anything changes: an unreadable file could not be corrected afterwards.
	readSecrets(folder.secrets);
	const password = stdin ? await readPassword(context) : makeSecret('ADMIN_PASSWORD');
	using db = openExistingDatabase(folder.database);
	const chosen = chooseAdministrator(db, username);
	if (stdin && config.REQUIRE_OWN_PASSWORD === 'on') refuseGuessable(db, password, chosen.username, config);
	const hash = await hashPassword(password, productionCost);
	changeAdministrator(db, context.user, 'ADMINISTRATOR_PASSWORD_RESET', chosen.username, ({ id }, at) =>
		saveAdministratorPassword(db, id, hash, at),
	);
	const said = stdin
		? `the password of ${chosen.username} is changed`
		: `the new password of ${chosen.username} is ${password}`;
	await context.write(`${said}\n`);
	await forgetFirstPassword(db, folder, 'the password is changed');
}

/** `access admin rename NAME`: changes the username. @throws OperationError */
export async function renameAdministratorTo(
	context: ProcessContext,
	newName: string,
	{ username }: Options,
): Promise<void> {
	using db = openData(context);
	const before = changeAdministrator(db, context.user, 'ADMINISTRATOR_UPDATE', username, ({ id }, updatedAt) => {
		requireFreeName(db, newName, id);
		db.update(administrators).set({ username: newName, updatedAt }).where(eq(administrators.id, id)).run();
	});
	await context.write(`the administrator ${before.username} is now ${newName}\n`);
}

/** `access admin remove-second-factor`: for an administrator without phone and recovery codes. @throws OperationError */
export async function removeSecondFactorOfAdministrator(context: ProcessContext, { username }: Options): Promise<void> {
	using db = openData(context);
	const chosen = changeAdministrator(db, context.user, 'ADMINISTRATOR_SECOND_FACTOR_REMOVE', username, ({ id }) => {
		if (removeSecondFactor(db, { accountType: 'SUPER_ADMIN', id })) return;
		throw new OperationError('the administrator has no second factor');
	});
	await context.write(`the second factor of ${chosen.username} is removed: the password is enough\n`);
}

/** @param own the id of the administrator who may have the name already. @throws OperationError */
function requireFreeName(db: Db, name: string, own?: number): void {
	const isTaken = listAdministrators(db).some(({ id, username }) => username === name && id !== own);
	if (isTaken) throw new OperationError(`there is an administrator ${name} already: choose another name`);
}

/** Removes the first password from the file of secrets when no administrator has it any more. */
async function forgetFirstPassword(db: Db, { secrets }: DataFolder, done: string): Promise<void> {
	const { ADMIN_PASSWORD: first } = readSecrets(secrets);
	if (first === undefined || (await findAdministratorWith(db, first))) return;
	const subject = `${done}, but the old one is still in a file: `;
	withExplanation(secrets, () => forgetSecret(secrets, 'ADMIN_PASSWORD'), subject);
}

/** @throws OperationError */
function refuseGuessable(db: Db, password: string, username: string, { CHAIN_NAME }: Config): void {
	if (findWeakness(password, { username, name: username }, findChainName(db) ?? CHAIN_NAME) === undefined) return;
	throw new OperationError('this password is easy to guess: give another one on standard input');
}

/** Reads one line. Its line break is not part of the password. */
async function readPassword(context: ProcessContext): Promise<string> {
	const password = (await context.input.text()).replace(/\r?\n$/, '');
	if (!isPassword(password)) throw new OperationError('a password has 8 to 128 characters: give it on standard input');
	return password;
}
