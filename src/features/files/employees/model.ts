import { type Static, Type } from '@sinclair/typebox';
import {
	described,
	formattedText,
	nullableDay,
	oneOf,
	parameters,
	shape,
	timestamp,
} from '../../../platform/http/fields.ts';
import { exportFormat } from '../../../platform/http/file-answer.ts';
import { EmployeeQuery, GivenPassword } from '../../employees/model.ts';
import { ImportQuery, importFields } from '../model.ts';
import { employeeColumns } from './columns.ts';

const { page: _, pageSize: __, include: ___, ...filters } = EmployeeQuery.properties;

/** The query of GET /api/employees/export: the filters of the list. */
export const EmployeeExportQuery = parameters({ format: exportFormat(), ...filters });

/** How many people of an import come to a store or get a role. */
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
	id: Type.Integer({ examples: [9] }),
	name: Type.String({ examples: ['林超'] }),
	storeName: Type.String({ examples: ['静安寺店'] }),
	leavesOn: nullableDay({ description: 'The last day of work.' }),
	deletedAt: timestamp({ description: 'The time of the deletion.' }),
	isRestored: Type.Boolean(described('Whether the line brings them back, because restore names them.', false)),
});
export type FormerEmployee = Static<typeof FormerEmployee>;

/** What an import of employees says of the people. */
const peopleFields = {
	restored: Type.Integer(described('The number of deleted employees who come back.', 0)),
	former: Type.Array(FormerEmployee, {
		description: `The deleted employees within reach who had the phone of a new line, at most ${maxRestored}.`,
	}),
	stores: Type.Array(ImportCount, { description: 'The stores of the new people whose lines have no problem.' }),
	roles: Type.Array(ImportCount, { description: 'Their roles; somebody can have several.' }),
	withoutRole: Type.Integer(described('How many of them get no role.', 0)),
	losingRoles: Type.Integer(described('How many people lose all of their roles, by an empty cell.', 0)),
	groupId: Type.Optional(
		Type.Integer(described('Names the import in the history and for its undoing; absent above 1,000 people.', 4)),
	),
	passwords: Type.Optional(
		Type.Array(GivenPassword, { description: 'With passwords=one-time, those of the new people.' }),
	),
};
const ImportedPeople = Type.Object(peopleFields);
export type ImportedPeople = Static<typeof ImportedPeople>;

/** What POST /api/employees/import answers. */
export const EmployeeImportResult = shape('ImportResult', {
	...importFields('', Object.keys(employeeColumns)),
	...peopleFields,
});
export type EmployeeImportResult = Static<typeof EmployeeImportResult>;

/** The query of POST /api/employees/import. */
export const EmployeeImportQuery = parameters({
	...ImportQuery.properties,
	passwords: oneOf(['one-time'], {
		error: '须为 one-time',
		description: 'With one-time new people start with a one-time password, and not with the initial one.',
		examples: ['one-time'],
	}),
	restore: formattedText(`[1-9][0-9]{0,14}(,[1-9][0-9]{0,14}){0,${maxRestored - 1}}`, {
		error: `须为 1 至 ${maxRestored} 个员工 id，用逗号分隔`,
		description:
			'The ids of deleted employees who come back by their lines, with their password and history, instead of becoming ' +
			'somebody new, which is the default. The answer to a dry run has them as former; other ids mean nothing.',
		examples: ['9'],
	}),
});
export type EmployeeImportQuery = Static<typeof EmployeeImportQuery>;
