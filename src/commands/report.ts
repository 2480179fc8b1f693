import { initialPasswords } from '../employees/initial-passwords.ts';
import { openData } from './data.ts';
import type { ProcessContext } from './process.ts';

/** Escapes control characters: a name must neither look like another line nor control the terminal. */
function onOneLine(name: string): string {
	return name.replace(/\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * `access report initial-passwords`: the employees who still have the initial password, by store; also while a server
 * uses the database.
 * @throws OperationError
 */
export async function reportInitialPasswords(
	context: ProcessContext,
	{ json = false }: { json?: boolean },
): Promise<number> {
	using db = openData(context);
	let store: number | undefined;
	for (const { storeId, storeName, ...employee } of initialPasswords(db)) {
		if (json) {
			await context.write(`${JSON.stringify({ storeId, storeName, ...employee })}\n`);
			continue;
		}
		if (storeId !== store) {
			await context.write(`${store === undefined ? '' : '\n'}${onOneLine(storeName)} (${storeId})\n`);
		}
		store = storeId;
		await context.write(`  ${employee.phone} ${onOneLine(employee.name)} (${employee.id})\n`);
	}
	return 0;
}
