/** Employees as a spreadsheet. */
import { factsOf, record } from '../../../identity/history/record.ts';
import type { Caller } from '../../../identity/session/actor.ts';
import type { Db } from '../../../platform/database/open.ts';
import { transaction } from '../../../platform/database/query.ts';
import type { ExportFormat } from '../../../platform/http/file-answer.ts';
import { type EmployeeStatus, statusLabels } from '../../../platform/vocabulary/status.ts';
import { withinReach } from '../../employees/authorization.ts';
import type { EmployeeFilter, StoredEmployee } from '../../employees/model.ts';
import { eachEmployee } from '../../employees/read.ts';
import { countEmployees } from '../../employees/search.ts';
import type { RoleSummary } from '../../roles/model.ts';
import { listRoles } from '../../roles/service.ts';
import { writeSheet } from '../export.ts';
import { type EmployeeColumn, employeeColumns, roleWords } from './columns.ts';
import { employeeLayout } from './layout.ts';

/**
 * The parts of a file with the employees who pass the filter, within the caller's reach. A list of deleted employees ends
 * with a column of the times of deletion. An employee who exists while the file is written is in it exactly once. The
 * history gets a record before anything is written, unless only the headers are asked for (HEAD).
 * @throws AppError SERVICE_UNAVAILABLE when it cannot be recorded; FORBIDDEN for deleted employees when the caller does
 * not manage employees.
 */
export function exportEmployees(
	db: Db,
	caller: Caller,
	asked: EmployeeFilter,
	{ format, headersOnly }: { format: ExportFormat; headersOnly: boolean },
): AsyncGenerator<Uint8Array> {
	const filter = withinReach(db, caller.actor, asked);
	if (!headersOnly) recordExport(db, caller, filter, format);
	const { wordFor } = roleWords(listRoles(db));
	const lines = eachEmployee(db, filter).map((employee) => {
		const texts = textsOf(employee, wordFor);
		return employee.deletedAt ? { ...texts, deletedAt: localTime(employee.deletedAt) } : texts;
	});
	return writeSheet(format, { ...employeeLayout, columns: filter.deleted ? withDeletion : employeeColumns }, lines);
}

const withDeletion = { ...employeeColumns, deletedAt: { headings: ['删除时间', 'deletedAt'], width: 20 } } as const;

/** A time such as `2026-11-21 16:30:05`, in the time zone of the machine. */
const localTime = (at: string) => new Date(at).toLocaleString('sv-SE');

/** Records the filter without its texts: a text typed into a search by mistake would stay in the history forever. */
function recordExport(db: Db, caller: Caller, filter: EmployeeFilter, format: ExportFormat): void {
	const { order, search, stores, keyword, externalId, passwordExpired, signedInBefore, ...conditions } = filter;
	const withoutTexts: Record<string, number | boolean | EmployeeStatus | undefined> = conditions;
	transaction(db, () => {
		const facts = {
			...withoutTexts,
			signedInBefore,
			reach: stores && true,
			keyword: (keyword ?? search) && true,
			externalId: externalId && true,
			passwordExpired: passwordExpired && true,
			format,
			total: countEmployees(db, filter),
		};
		record(db, caller, { action: 'EMPLOYEE_EXPORT', changes: factsOf(facts) });
	});
}

/** The texts of an employee by column. */
export function textsOf(
	employee: StoredEmployee,
	wordFor: (role: RoleSummary) => string,
): Record<EmployeeColumn, string> {
	return {
		name: employee.name,
		phone: employee.phone,
		remark: employee.remark ?? '',
		externalId: employee.externalId ?? '',
		store: employee.storeName,
		roles: employee.roles.map(wordFor).join('、'),
		status: statusLabels[employee.status],
		id: String(employee.id),
	};
}
