import { initialPasswords } from '../employees/password-report.ts';
import { openData } from './data.ts';
import { type Form, type ProcessContext, writeLines } from './process.ts';

/**
 * `access report initial-passwords`: the employees who still have the initial password, by store; also while a server
 * uses the database.
 * @throws OperationError
 */
export async function reportInitialPasswords(context: ProcessContext, { json = false }: Form): Promise<number> {
	using db = openData(context);
	let store = 0;
	const lines = initialPasswords(db).map((holder) => {
		const { storeId, storeName, phone, name, id } = holder;
		if (json) return `${JSON.stringify(holder)}\n`;
		const title = storeId === store ? '' : `${store === 0 ? '' : '\n'}${storeName} (${storeId})\n`;
		store = storeId;
		return `${title}  ${phone} ${name} (${id})\n`;
	});
	return await writeLines(context, lines);
}
