/** Employees as a spreadsheet, in the columns of an import: an exported file can be imported as it is. */

import { record } from '../../../identity/history/record.ts';
import type { Caller } from '../../../identity/session/actor.ts';
import type { Db } from '../../../platform/database/open.ts';
import { transaction } from '../../../platform/database/query.ts';
import type { ExportFormat } from '../../../platform/http/file-answer.ts';
import { withinReach } from '../../employees/authorization.ts';
import type { EmployeeFilter, KnownEmployee } from '../../employees/model.ts';
import { eachEmployee } from '../../employees/read.ts';
import { countEmployees } from '../../employees/search.ts';
import type { RoleSummary } from '../../roles/model.ts';
import { listRoles } from '../../roles/service.ts';
import { statusWords, textsIn } from '../cells.ts';
import { headingsOf, rowOf, widthsOf } from '../columns.ts';
import { writeTable } from '../formats/write-table.ts';
import { type EmployeeColumn, employeeColumns, roleWords } from './columns.ts';

/**
 * The parts of a file with the employees that pass the filter. An actor who reaches some stores gets those of these. An employee who is
 * there all the time while the file is written is in it exactly once. The history has a record before anything is written.
 * @throws AppError SERVICE_UNAVAILABLE when it cannot be recorded; FORBIDDEN for deleted people when the actor does not manage people.
 */
export function exportEmployees(
	db: Db,
	caller: Caller,
	asked: EmployeeFilter,
	format: ExportFormat,
): AsyncGenerator<Uint8Array> {
	const filter = withinReach(db, caller.actor, asked);
	const { order: _, search, stores, keyword = search, externalId, passwordExpired, ...conditions } = filter;
	transaction(db, () => {
		const facts = {
			...conditions,
			reach: stores && true,
			// Without their texts: what is typed into a search by mistake would stay in the history for ever.
			keyword: keyword && true,
			externalId: externalId && true,
			passwordExpired: passwordExpired && true,
			format,
			total: countEmployees(db, filter),
		};
		const known = Object.entries(facts).filter(([, value]) => value !== undefined);
		const changes = known.map(([field, after]) => ({ field, before: null, after }));
		record(db, caller, { action: 'EMPLOYEE_EXPORT', changes });
	});
	return writeTable(format, { name: '员工', widths: widthsOf(employeeColumns), rows: rowsOf(db, filter) });
}

function* rowsOf(db: Db, filter: EmployeeFilter): Generator<string[]> {
	yield headingsOf(employeeColumns);
	const { wordFor } = roleWords(listRoles(db));
	for (const employee of eachEmployee(db, filter)) yield rowOf(employeeColumns, textsOf(employee, wordFor));
}

/** What stands in the columns of an employee. */
export function textsOf(
	employee: KnownEmployee,
	wordFor: (role: RoleSummary) => string,
): Record<EmployeeColumn, string> {
	return {
		...textsIn(employeeColumns, employee),
		store: employee.storeName,
		roles: employee.roles.map(wordFor).join('、'),
		status: statusWords[employee.status][0],
		id: String(employee.id),
	};
}
