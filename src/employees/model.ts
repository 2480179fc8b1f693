import { type Static, Type } from '@sinclair/typebox';
import {
	atLeastOne,
	body,
	flag,
	formattedText,
	id,
	integer,
	keyword,
	optionalLines,
	pagingFields,
	status,
	text,
} from '../http/fields.ts';
import { timestampFields } from '../http/reply.ts';
import { nullableOneOf, nullableText, oneOf } from '../http/schema-types.ts';
import { RoleSummary } from '../roles/model.ts';
import { permissionCodes } from '../vocabulary/permissions.ts';

import { columns } from './columns.ts';

/** The content types of an import. Windows says the last one of every file that Excel opens, CSV included. */
export const csvType = 'text/csv';
export const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
export const importTypes = [csvType, xlsxType, 'application/vnd.ms-excel'];

/** Messages to end users about employees. */
export const employeeMessages = {
	notFound: '员工不存在',
	phoneTaken: '手机号已存在',
	badStore: '门店不存在或已禁用',
	badRole: '角色不存在或已删除',
	otherStore: '只能操作本门店的员工',
	actsUpward: '不能操作权限高于自己的员工',
	bindsUpward: '不能分配权限高于自己的角色',
} as const;

/** The labels of the status tags. */
export const statusTagLabels = {
	EMPLOYEE_ACTIVE: '员工启用',
	EMPLOYEE_INACTIVE: '员工禁用',
	STORE_INACTIVE: '门店禁用',
} as const;

/** A tag that shows whether an employee, or their store, is enabled. */
export const EmployeeStatusTag = Type.Object(
	{
		code: oneOf(['EMPLOYEE_ACTIVE', 'EMPLOYEE_INACTIVE', 'STORE_INACTIVE']),
		label: Type.String({ examples: ['员工启用'] }),
		variant: oneOf(['success', 'warning', 'default']),
	},
	{ title: 'EmployeeStatusTag' },
);
export type EmployeeStatusTag = Static<typeof EmployeeStatusTag>;

/** An employee, without the password and its hash. */
export const Employee = Type.Object(
	{
		id: Type.Integer({ examples: [1] }),
		storeId: Type.Integer({ examples: [1] }),
		storeName: Type.String({ examples: ['人民路店'] }),
		storeStatus: status("Whether the employee's store is enabled."),
		name: Type.String({ examples: ['王芳'] }),
		phone: Type.String({ description: 'Also the username.', examples: ['13800138000'] }),
		status: status('Whether the employee is enabled.'),
		statusTags: Type.Array(EmployeeStatusTag, {
			description: "The employee's own tag first, then that of a disabled store.",
		}),
		remark: nullableText({ examples: ['早班'] }),
		roles: Type.Array(RoleSummary),
		...timestampFields,
	},
	{ title: 'Employee' },
);
export type Employee = Static<typeof Employee>;

const changeable = {
	storeId: id('The id of an enabled store.'),
	name: text(50, { description: '1 to 50 characters after trimming.', examples: ['王芳'] }),
	phone: formattedText('1[3-9][0-9]{9}', {
		error: '须为 11 位中国大陆手机号',
		description:
			'A mobile number of mainland China: 11 digits, 1 first, then 3 to 9. Unique among the employees that are not deleted.',
		examples: ['13800138000'],
	}),
	status: Type.Optional(status('ACTIVE or INACTIVE.')),
	remark: Type.Optional(
		optionalLines(500, {
			description: 'At most 500 characters after trimming; an empty text is stored as null.',
			examples: ['早班'],
		}),
	),
	roleIds: Type.Optional(
		Type.Array(id('The id of a role.', 2), {
			maxItems: 20,
			error: '须为最多 20 个角色 id 的数组',
			description: 'The ids of the roles to hold, at most 20; duplicates are dropped.',
			examples: [[2]],
		}),
	),
};

/** The body of POST /api/employees. */
export const CreateEmployee = body(
	'CreateEmployee',
	changeable,
	'The new employee; ACTIVE unless a status is given, with the initial password.',
);
export type CreateEmployee = Static<typeof CreateEmployee>;

/** The body of PATCH /api/employees/:id. */
export const UpdateEmployee = atLeastOne(
	'UpdateEmployee',
	changeable,
	'What to change; at least one field. Without roleIds the roles stay; an empty array clears them.',
);
export type UpdateEmployee = Static<typeof UpdateEmployee>;

/** The body of PATCH /api/employees/:id/status. */
export const SetStatus = body('SetStatus', { status: status('ACTIVE or INACTIVE.') }, 'The new status.');

/** The orders of a list of employees: by their ids, ascending or descending. */
export const orders = ['asc', 'desc'] as const;
export type Order = (typeof orders)[number];

/** The query of GET /api/employees. */
export const EmployeeQuery = Type.Object({
	storeId: Type.Optional(integer('Only employees of this store; ignored for callers who see one store only.', 1)),
	status: Type.Optional(status('Only employees of this status.')),
	roleId: Type.Optional(integer('Only employees who hold this role.', 2)),
	keyword: Type.Optional(keyword('Part of the name or phone.', '王')),
	passwordIsInitial: Type.Optional(
		oneOf(['true'], { error: '须为 true', description: 'Only employees who still have the initial password.' }),
	),
	order: Type.Optional(
		oneOf(orders, {
			error: `须为 ${orders.join(' 或 ')}`,
			description: 'By id: asc, the default, or desc for the newest first.',
			examples: ['desc'],
		}),
	),
	...pagingFields,
});
export type EmployeeQuery = Static<typeof EmployeeQuery>;

/** What GET /api/employees/:id/access answers. */
export const EmployeeAccess = Type.Object(
	{
		employeeId: Type.Integer({ examples: [7] }),
		scope: Type.String({ description: 'Which part of the chain they reach.', examples: ['current store'] }),
		permissions: Type.Array(
			Type.Object({
				code: oneOf(permissionCodes, { examples: ['employee:view:store'] }),
				title: Type.String({ examples: ['查看本店员工'] }),
				held: Type.Boolean({ examples: [true] }),
				roles: Type.Array(RoleSummary, { description: 'The roles they have it from.' }),
			}),
			{ description: 'Every permission point, in the order of the definitions.' },
		),
		doors: Type.Array(
			Type.Object({
				door: oneOf(['BACK_OFFICE', 'EMPLOYEE'], { description: 'The back-office login or the employee login.' }),
				allowed: Type.Boolean({
					description: 'Whether they get in with the right password.',
					examples: [false],
				}),
				message: nullableText({
					description: 'What they see when they do not; null when they do.',
					examples: ['所属门店已被禁用'],
				}),
			}),
			{ description: 'Both ways of signing in.' },
		),
		passwordIsInitial: Type.Boolean({ description: 'Whether they still have the initial password.', examples: [true] }),
	},
	{ title: 'EmployeeAccess' },
);
export type EmployeeAccess = Static<typeof EmployeeAccess>;

/** The formats of an export. */
export const exportFormats = ['xlsx', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];

const { page: _, pageSize: __, ...filters } = EmployeeQuery.properties;

/** The query of GET /api/employees/export: the filters of the list. */
export const ExportQuery = Type.Object({
	format: Type.Optional(
		oneOf(exportFormats, {
			error: `须为 ${exportFormats.join(' 或 ')}`,
			description: 'The format of the file; xlsx when absent.',
			examples: ['csv'],
		}),
	),
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

const option = { id: Type.Integer({ examples: [1] }) };

/** What GET /api/employees/options answers. */
export const EmployeeOptions = Type.Object(
	{
		stores: Type.Array(Type.Object({ ...option, name: Type.String({ examples: ['人民路店'] }) }), {
			description: 'The active stores in which the caller may employ people.',
		}),
		roles: Type.Array(Type.Object({ ...option, name: Type.String({ examples: ['店长'] }) }), {
			description: 'The roles that the caller may assign.',
		}),
	},
	{ title: 'EmployeeOptions' },
);
export type EmployeeOptions = Static<typeof EmployeeOptions>;
