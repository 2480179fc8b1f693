/** Adding and changing many stores from a spreadsheet, by the rules for a single store. */
import { readAuthority } from '../../../identity/rights/authority.ts';
import type { Caller } from '../../../identity/session/actor.ts';
import type { Db } from '../../../platform/database/open.ts';
import { because } from '../../../platform/vocabulary/reasons.ts';
import { areaNames } from '../../areas/service.ts';
import { type CreateStore, newStore, type StoredStore } from '../../stores/model.ts';
import { areaRefusal, listStores, requireRoomFor, saveStores } from '../../stores/service.ts';
import { excerpt } from '../cells.ts';
import type { Importer } from '../import.ts';
import { type ImportPlan, type LineRules, planLines, report } from '../plan.ts';
import type { ImportTable } from '../read-lines.ts';
import { textsOf } from './export.ts';
import { type StoreValues, storeLayout } from './layout.ts';

type StoreFields = Required<CreateStore>;

const noArea = (name: string) => because('area_not_found', `没有区域“${name}”`);

function rulesFor(db: Db, { actor }: Caller): LineRules<StoreValues, StoredStore, StoreFields> {
	const areas = areaNames(db);
	const authority = readAuthority(db, actor);
	const idsByName = new Map(Array.from(areas, ([id, name]) => [name, id]));
	return {
		resolveLine(line, before) {
			const { id, area, ...given } = line.values;
			const fields = { ...newStore, ...before, ...given };
			const { name } = fields;
			const areaId = area === undefined ? fields.areaId : area && idsByName.get(area);
			if (areaId === undefined) return report(line, 'area', noArea(excerpt(area ?? '') ?? ''));
			const refusal = before && areaRefusal(authority, before, areaId);
			if (refusal) return report(line, 'area', refusal);
			return name === undefined ? undefined : { ...fields, name, areaId };
		},
		textsOf: (store) => textsOf(store, areas),
	};
}

/** The import of stores. */
export function storeImporter(db: Db): Importer<ImportPlan<StoredStore, StoreFields>> {
	return {
		action: 'STORE_IMPORT',
		plan(caller, table: ImportTable<StoreValues>) {
			const plan = planLines(storeLayout, table, listStores(db), rulesFor(db, caller));
			requireRoomFor(db, plan.create.length);
			return plan;
		},
		apply(caller, { create, change }) {
			const added = create.map(({ after }) => after);
			saveStores(db, caller, added, change);
			return {};
		},
	};
}
