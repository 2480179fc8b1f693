/** Adding and changing many stores from a spreadsheet, by the rules of a single one. */
import type { Db } from '../../database/open.ts';
import { stillPermitted } from '../../session/actor.ts';
import { type CreateStore, type Store, storeMessages } from '../../stores/model.ts';
import { listStores, storeAll } from '../../stores/service.ts';
import { compare, freedKeys, type Rules } from '../checking.ts';
import type { Import } from '../importing.ts';
import type { ImportTable } from '../read-file.ts';
import { textsOf } from './export.ts';
import { type StoreLine, storeLayout } from './layout.ts';

/** How a file with stores is imported. */
export function storeImport(db: Db): Import {
	return {
		layout: storeLayout,
		action: 'STORE_IMPORT',
		*check(caller, table: ImportTable<StoreLine>, mode) {
			const current = stillPermitted(db, caller, 'store:manage');
			const stores = listStores(db);
			const byId = new Map(stores.map((store) => [store.id, store]));
			const byKey = new Map(stores.map((store) => [store.name, store]));
			const freed = freedKeys(table.lines, byId, 'name');
			const rules: Rules<StoreLine, Store, Required<CreateStore>> = {
				wantedOf(line, before, report) {
					const { name = before?.name, status = before?.status ?? 'ACTIVE' } = line;
					const { address = before?.address ?? null, phone = before?.phone ?? null } = line;
					const holder = byKey.get(name ?? '');
					if (holder && holder !== before && !(before && freed.has(name))) report('name', storeMessages.nameTaken);
					return name === undefined ? undefined : { name, address, phone, status };
				},
				textsOf,
				textsAfter: ({ id }, wanted) => textsOf({ id, ...wanted }),
			};
			const found = yield* compare(storeLayout, table, mode, { byId, byKey }, rules);
			return { ...found, keep: () => storeAll(db, current, found) };
		},
	};
}
