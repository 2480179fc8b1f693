/** Adding and changing many employees from a spreadsheet: all of them or none, by the rules for a single employee. */
import { undoableGroup } from '../../../identity/history/service.ts';
import { type Authority, readAuthority } from '../../../identity/rights/authority.ts';
import { reaches } from '../../../identity/rights/rules.ts';
import type { Caller } from '../../../identity/session/actor.ts';
import type { Db } from '../../../platform/database/open.ts';
import { readIds } from '../../../platform/http/fields.ts';
import { loadReadings } from '../../../platform/vocabulary/pinyin.ts';
import type { Passwords } from '../../auth/password.ts';
import type { StoredEmployee } from '../../employees/model.ts';
import { setOneTimePassword } from '../../employees/passwords.ts';
import { idsWith, listByIds, listFormerHolders, liveById } from '../../employees/read.ts';
import { insertEmployee, saveSteps } from '../../employees/save.ts';
import { listRoles } from '../../roles/service.ts';
import { listStores } from '../../stores/service.ts';
import type { Importer } from '../import.ts';
import { type ImportPlan, planLines } from '../plan.ts';
import type { ImportTable } from '../read-lines.ts';
import { type EmployeeValues, employeeLayout } from './layout.ts';
import { type AddedEmployee, type Known, rulesFor } from './line-rules.ts';
import { type EmployeeImportQuery, type ImportedPeople, maxRestored } from './model.ts';

interface EmployeePlan extends ImportPlan<StoredEmployee, AddedEmployee> {
	summary: ImportedPeople;
}

/** The import of employees. Those without a password of their own get the initial password or one-time passwords. */
export function employeeImporter(db: Db, passwords: Passwords, query: EmployeeImportQuery): Importer<EmployeePlan> {
	const restore = new Set(readIds(query.restore));
	// Not in the transaction, for which everybody waits.
	loadReadings();
	return {
		action: 'EMPLOYEE_IMPORT',
		plan(caller, table: ImportTable<EmployeeValues>) {
			const { lines } = table;
			const phones = lines.flatMap(({ values }) => values.phone ?? []);
			const externalIds = lines.flatMap(({ values }) => values.externalId ?? []);
			const holders = [...idsWith(db, 'phone', phones), ...idsWith(db, 'externalId', externalIds)];
			const present = lines.flatMap(({ values }) => values.id ?? []).concat(holders);
			const people = Array.from(liveById(db, present).values());
			// An administrator lacks no right, so nobody has to be compared.
			const compared = caller.actor.accountType === 'SUPER_ADMIN' ? [] : people.map(({ id }) => id);
			const authority = readAuthority(db, caller.actor, compared);
			const former = findFormer(authority, phones);
			const known = { stores: listStores(db), roles: listRoles(db), former, restore, externalIds };
			const plan = planLines(employeeLayout, table, people, rulesFor(authority, known));
			return { ...plan, summary: summaryOf(plan, known) };
		},
		apply(caller, plan) {
			const added = savePlan(db, caller, passwords.initialHash(), plan);
			const first = { at: caller.at, changedAt: null };
			const givePassword = (each: StoredEmployee) => setOneTimePassword({ db, passwords }, each, first);
			const groupId = undoableGroup(db, plan.create.length + plan.change.length);
			return {
				...(groupId !== null && { groupId }),
				...(query.passwords === 'one-time' && { passwords: listByIds(db, added).map(givePassword) }),
			};
		},
	};
}

/** Saves a plan inside the caller's transaction. @returns the ids of those who come without a password of their own. */
function savePlan(db: Db, caller: Caller, initialHash: string, { create, change }: EmployeePlan): number[] {
	const hired = create.filter(({ after }) => !after.former);
	const added = hired.map(({ after }) => insertEmployee(db, caller, initialHash, after));
	const restored = create.flatMap(({ after: { former, ends, ...after } }) =>
		former ? [{ before: former, after, ends }] : [],
	);
	saveSteps(db, caller, [...restored, ...change]);
	const withoutOwn = restored.filter(({ before }) => before.passwordIsInitial || before.passwordExpiresAt);
	return [...added, ...withoutOwn.map(({ before }) => before.id)];
}

/** The deleted employees within reach who had one of these phones, by phone; the latest one of each phone. */
function findFormer(authority: Authority, phones: readonly string[]): Map<string, StoredEmployee> {
	const people = listFormerHolders(authority.db, phones).filter(({ storeId }) => reaches(authority, storeId));
	const inOrder = people.toSorted((a, b) => `${a.deletedAt}`.localeCompare(`${b.deletedAt}`));
	return new Map(inOrder.map((employee) => [employee.phone, employee]));
}

/** The numbers of new employees for each store and role, of restored ones, and of those who lose all roles or seem replaced. */
function summaryOf({ create, change }: ImportPlan<StoredEmployee, AddedEmployee>, { stores, roles, former }: Known) {
	const people = create.map(({ after }) => after);
	const named = create.flatMap(({ line: { number: line }, after: { phone, ends } }) => {
		const person = former.get(phone);
		if (!person) return [];
		const { id, name, storeName, leavesOn, deletedAt } = person;
		return { line, id, name, storeName, leavesOn, deletedAt: deletedAt ?? '', isRestored: ends !== undefined };
	});
	return {
		stores: countAdded(stores, people, ({ storeId }) => [storeId]),
		roles: countAdded(roles, people, ({ roleIds }) => roleIds),
		withoutRole: people.filter(({ roleIds }) => roleIds.length === 0).length,
		restored: people.filter(({ former }) => former).length,
		former: named.slice(0, maxRestored),
		losingRoles: change.filter(({ before, after }) => before.roles.length > 0 && after.roleIds.length === 0).length,
		replaced: change.filter(({ before, after }) => before.name !== after.name && before.phone !== after.phone).length,
	};
}

/** The number of added employees for each store or role that has any. */
function countAdded(
	named: readonly { id: number; name: string }[],
	added: readonly AddedEmployee[],
	idsOf: (employee: AddedEmployee) => readonly number[],
): ImportedPeople['stores'] {
	const groups = Map.groupBy(added.flatMap(idsOf), (id) => id);
	const counts = named.map(({ id, name }) => ({ id, name, count: groups.get(id)?.length ?? 0 }));
	return counts.filter(({ count }) => count > 0);
}
