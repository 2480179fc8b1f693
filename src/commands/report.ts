import { type InitialPassword, initialPasswords } from '../employees/password-report.ts';
import { openData } from './data.ts';
import { type Form, type ProcessContext, writeLines } from './process.ts';

/** Escapes control characters: a name must neither look like another line nor control the terminal. */
function onOneLine(name: string): string {
	return name.replace(/\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * `access report initial-passwords`: the employees who still have the initial password, by store; also while a server
 * uses the database.
 * @throws OperationError
 */
export async function reportInitialPasswords(context: ProcessContext, { json = false }: Form): Promise<number> {
	using db = openData(context);
	return await writeLines(context, linesOf(initialPasswords(db), json));
}

function* linesOf(holders: Iterable<InitialPassword>, json: boolean): Generator<string> {
	let store: number | undefined;
	for (const holder of holders) {
		const { storeId, storeName, phone, name, id } = holder;
		if (json) yield `${JSON.stringify(holder)}\n`;
		else {
			if (storeId !== store) yield `${store === undefined ? '' : '\n'}${onOneLine(storeName)} (${storeId})\n`;
			yield `  ${phone} ${onOneLine(name)} (${id})\n`;
		}
		store = storeId;
	}
}
