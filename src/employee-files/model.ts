import { type Static, Type } from '@sinclair/typebox';
import { EmployeeQuery } from '../employees/model.ts';
import { flag } from '../http/fields.ts';
import { csvType, exportFormat, xlsxType } from '../http/file-answer.ts';
import { nullableOneOf, nullableText } from '../http/schema-types.ts';
import { columns } from './columns.ts';

export { csvType, xlsxType };

/** The content types of an import. Windows says the last one of every file that Excel opens, CSV included. */
export const importTypes = [csvType, xlsxType, 'application/vnd.ms-excel'];

const { page: _, pageSize: __, include: ___, ...filters } = EmployeeQuery.properties;

/** The query of GET /api/employees/export: the filters of the list. */
export const ExportQuery = Type.Object({
	format: Type.Optional(exportFormat()),
	...filters,
});

const problemFields = {
	column: nullableOneOf(columns, { description: 'The column; null for the whole line.', examples: ['phone'] }),
	name: nullableText({ description: "The person's name, if the line has one.", examples: ['王芳'] }),
	value: nullableText({ description: 'What the cell holds; a long text is cut.', examples: ['13800138000'] }),
	reason: Type.String({ examples: ['手机号已存在：王芳（人民路店）'] }),
};

/** What is wrong with a line of an import. */
export const ImportProblem = Type.Object(
	{
		line: Type.Integer({ description: 'The row in the sheet, from 1; the headings are a row too.', examples: [7] }),
		...problemFields,
	},
	{ title: 'ImportProblem' },
);
export type ImportProblem = Static<typeof ImportProblem>;

/** Equal problems of one or more lines. */
export const ImportProblemGroup = Type.Object(
	{
		...problemFields,
		name: nullableText({ description: 'The name of the first person.', examples: ['王芳'] }),
		count: Type.Integer({ description: 'How many problems these are.', examples: [418] }),
		lines: Type.Array(
			Type.Object({ first: Type.Integer({ examples: [3] }), last: Type.Integer({ examples: [420] }) }),
			{ description: 'Their rows in the sheet.' },
		),
	},
	{ title: 'ImportProblemGroup' },
);
export type ImportProblemGroup = Static<typeof ImportProblemGroup>;

/** How many people of an import come to a store or get a role. */
const ImportCount = Type.Object(
	{
		id: Type.Integer({ examples: [1] }),
		name: Type.String({ examples: ['人民路店'] }),
		count: Type.Integer({ examples: [12] }),
	},
	{ title: 'ImportCount' },
);
export type ImportCount = Static<typeof ImportCount>;

/** What POST /api/employees/import answers. */
export const ImportResult = Type.Object(
	{
		lines: Type.Integer({ description: 'How many lines the file has below its headings.', examples: [120] }),
		created: Type.Integer({ description: 'How many employees were created: all or none.', examples: [0] }),
		problems: Type.Array(ImportProblem, { description: 'In the order of the lines, at most 200.' }),
		problemTotal: Type.Integer({ description: 'How many there are in all.', examples: [1] }),
		groups: Type.Array(ImportProblemGroup, {
			description: 'The problems, equal ones once, in the order of their first lines; at most 200.',
		}),
		headingLine: Type.Integer({ description: 'The row in the sheet with the headings.', examples: [1] }),
		unreadColumns: Type.Array(Type.String({ examples: ['性别'] }), {
			description: 'The headings of the columns that are not read, or the letter of one without a heading.',
		}),
		stores: Type.Array(ImportCount, { description: 'The stores of the people whose lines have no problem.' }),
		roles: Type.Array(ImportCount, { description: 'Their roles; somebody can have several.' }),
		withoutRole: Type.Integer({ description: 'How many of them get no role.', examples: [0] }),
	},
	{ title: 'ImportResult' },
);
export type ImportResult = Static<typeof ImportResult>;

/** The query of POST /api/employees/import. */
export const ImportQuery = Type.Object({
	dryRun: Type.Optional(flag('Whether to only say what would happen.')),
});
