import { type Static, type TObject, Type } from '@sinclair/typebox';
import { choice, described, idList, nullableDay, parameters, shape, timestamp } from '../../../platform/http/fields.ts';
import { exportFormat } from '../../../platform/http/file-answer.ts';
import { Employee, EmployeeQuery, GivenPassword } from '../../employees/model.ts';
import { ImportQuery, importFields } from '../model.ts';
import { employeeColumns } from './columns.ts';

const { page, pageSize, include, ...filters } = EmployeeQuery.properties;

/** The query of GET /api/employees/export: the filters of the list. */
export const EmployeeExportQuery = parameters({ format: exportFormat, ...filters });

/** The number of new employees with a store or a role. */
const ImportCount = shape('ImportCount', {
	id: Type.Integer({ examples: [1] }),
	name: Type.String({ examples: ['人民路店'] }),
	count: Type.Integer({ examples: [12] }),
});
export type ImportCount = Static<typeof ImportCount>;

/** The maximum number of deleted employees that one import brings back. */
export const maxRestored = 500;

const FormerEmployee = shape('FormerEmployee', {
	line: Type.Integer(described('The row in the sheet.', 7)),
	...Type.Pick(Employee, ['id', 'name', 'storeName']).properties,
	leavesOn: nullableDay('The last day of work.'),
	deletedAt: timestamp({ description: 'The time of the deletion.' }),
	isRestored: Type.Boolean(described('Whether the line restores them, because restore names them.', false)),
});
export type FormerEmployee = Static<typeof FormerEmployee>;

/** The further fields of an import of employees. */
const peopleFields = {
	restored: Type.Integer(described('The number of restored employees.', 0)),
	former: Type.Array(FormerEmployee, {
		description: `The deleted employees within reach who had the phone of a new line without problems, at most ${maxRestored}.`,
	}),
	stores: Type.Array(ImportCount, { description: 'The stores of the new employees whose lines have no problem.' }),
	roles: Type.Array(ImportCount, { description: 'The roles of the new employees; one employee can have several.' }),
	withoutRole: Type.Integer(described('The number of new employees without a role.', 0)),
	losingRoles: Type.Integer(described('The number of employees who lose all roles by an empty cell.', 0)),
	replaced: Type.Integer(described('The number of employees who get another name and another phone.', 0)),
	groupId: Type.Optional(
		Type.Integer(
			described(
				'The id of the import in the history and for undoing it; absent above 1,000 people and without a change.',
				4,
			),
		),
	),
	passwords: Type.Optional(
		Type.Array(GivenPassword, {
			description:
				'With passwords=one-time, the passwords of new employees, and of restored ones without a password of their own.',
		}),
	),
};
export type ImportedPeople = Static<TObject<typeof peopleFields>>;

/** The answer of POST /api/employees/import. */
export const EmployeeImportResult = shape('ImportResult', {
	...importFields('', Object.keys(employeeColumns)),
	...peopleFields,
});

/** The query of POST /api/employees/import. */
export const EmployeeImportQuery = parameters({
	...ImportQuery.properties,
	passwords: choice(['one-time'], 'With one-time, employees get a one-time password instead of the initial one.'),
	restore: idList(
		maxRestored,
		'员工 id',
		'The ids of deleted employees to restore, with their password and history. By default a line with their phone is a ' +
			'new employee. The answer to a dry run has them as former; other ids mean nothing.',
		'9',
	),
});
export type EmployeeImportQuery = Static<typeof EmployeeImportQuery>;
