import { makeSigningKey } from '../features/openid/keys.ts';
import { requireDatabaseFile } from '../platform/database/open.ts';
import { addOpenidKey } from '../platform/machine/secrets.ts';
import { configure, type ProcessContext } from './process.ts';

/** `access openid rotate-key`: creates a new key for signing ID tokens. The server may run. */
export async function rotateOpenidKey(context: ProcessContext): Promise<void> {
	const { folder } = configure(context);
	requireDatabaseFile(folder.database);
	addOpenidKey(folder.secrets, await makeSigningKey(new Date().toISOString()));
	await context.write('a new key signs ID tokens; the previous one stays valid for a day\n');
}
