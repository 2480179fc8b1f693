import { readConfig } from '../config.ts';
import { dataFolderAt } from '../data-folder.ts';
import { closeDatabase, openExistingDatabase } from '../database/open.ts';
import { initialPasswords } from '../employees/initial-passwords.ts';
import type { Terminal } from './terminal.ts';

/** A name must not look like another line, nor reach the terminal as a command to it. */
function onOneLine(name: string): string {
	return name.replace(/\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * `access report initial-passwords`: who has never changed his initial password, by store; also while a server serves.
 * @throws OperationError
 */
export async function reportInitialPasswords(
	terminal: Terminal,
	{ json = false }: { json?: boolean },
): Promise<number> {
	const db = openExistingDatabase(dataFolderAt(readConfig(terminal.environment).DATA_DIR).database);
	try {
		let store: number | undefined;
		for (const { storeId, storeName, ...employee } of initialPasswords(db)) {
			if (json) {
				await terminal.writeOut(`${JSON.stringify({ storeId, storeName, ...employee })}\n`);
				continue;
			}
			if (storeId !== store)
				await terminal.writeOut(`${store === undefined ? '' : '\n'}${onOneLine(storeName)} (${storeId})\n`);
			store = storeId;
			await terminal.writeOut(`  ${employee.phone} ${onOneLine(employee.name)} (${employee.id})\n`);
		}
		return 0;
	} finally {
		closeDatabase(db);
	}
}
