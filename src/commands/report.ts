import { eachEmployee } from '../employees/read.ts';
import { openData } from './data.ts';
import { type Form, type ProcessContext, writeLines } from './process.ts';

/** `access report initial-passwords`: the employees who still have it, by store. @throws OperationError */
export async function reportInitialPasswords(context: ProcessContext, { json = false }: Form): Promise<number> {
	using db = openData(context);
	let store = 0;
	const people = eachEmployee(db, { passwordIsInitial: true }).toArray();
	const byStore = people.toSorted((a, b) => a.storeId - b.storeId);
	const lines = byStore.map(({ storeId, storeName, id, name, phone }) => {
		if (json) return `${JSON.stringify({ storeId, storeName, id, name, phone })}\n`;
		const title = storeId === store ? '' : `${store === 0 ? '' : '\n'}${storeName} (${storeId})\n`;
		store = storeId;
		return `${title}  ${phone} ${name} (${id})\n`;
	});
	return await writeLines(context, lines);
}
