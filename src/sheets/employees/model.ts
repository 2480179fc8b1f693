import { type Static, Type } from '@sinclair/typebox';
import { EmployeeQuery, GivenPassword } from '../../employees/model.ts';
import { parameters } from '../../http/fields.ts';
import { exportFormat } from '../../http/file-answer.ts';
import { described, oneOf, shape } from '../../http/schema-types.ts';
import { ImportQuery as AnyImportQuery, importFields } from '../model.ts';
import { columns } from './columns.ts';

const { page: _, pageSize: __, include: ___, ...filters } = EmployeeQuery.properties;

/** The query of GET /api/employees/export: the filters of the list. */
export const ExportQuery = parameters({ format: exportFormat(), ...filters });

/** How many people of an import come to a store or get a role. */
const ImportCount = shape('ImportCount', {
	id: Type.Integer({ examples: [1] }),
	name: Type.String({ examples: ['人民路店'] }),
	count: Type.Integer({ examples: [12] }),
});
export type ImportCount = Static<typeof ImportCount>;

/** What an import of employees says of the people. */
const peopleFields = {
	stores: Type.Array(ImportCount, { description: 'The stores of the new people whose lines have no problem.' }),
	roles: Type.Array(ImportCount, { description: 'Their roles; somebody can have several.' }),
	withoutRole: Type.Integer(described('How many of them get no role.', 0)),
	losingRoles: Type.Integer(
		described('How many people who are there lose all of their roles, because the cell is empty.', 0),
	),
	passwords: Type.Optional(
		Type.Array(GivenPassword, {
			description: 'With passwords=one-time, those of the people who were created, in the order of the lines.',
		}),
	),
};
const People = Type.Object(peopleFields);
export type People = Static<typeof People>;

/** What POST /api/employees/import answers. */
export const ImportResult = shape('ImportResult', { ...importFields('', columns), ...peopleFields });
export type ImportResult = Static<typeof ImportResult>;

/** The query of POST /api/employees/import. */
export const ImportQuery = parameters({
	...AnyImportQuery.properties,
	passwords: oneOf(['one-time'], {
		error: '须为 one-time',
		description: 'With one-time new people start with a one-time password, and not with the initial one.',
		examples: ['one-time'],
	}),
});
export type ImportQuery = Static<typeof ImportQuery>;
