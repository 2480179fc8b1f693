import { type Static, Type } from '@sinclair/typebox';
import {
	atLeastOne,
	body,
	clean,
	day,
	formattedText,
	given,
	id,
	integer,
	keyword,
	optionalDay,
	optionalLines,
	paged,
	parameters,
	status,
	text,
} from '../http/fields.ts';
import { nullableTimestamp, timestampFields } from '../http/reply.ts';
import { described, nullableDay, nullableText, oneOf, shape, timestamp } from '../http/schema-types.ts';
import { RoleSummary } from '../roles/model.ts';
import { permissionCodes } from '../vocabulary/permissions.ts';

/** How many roles one employee can hold. */
export const maxRolesOfOne = 20;

/** Messages to end users about employees. */
export const employeeMessages = {
	notFound: '员工不存在',
	phoneTaken: '手机号已存在',
	badStore: '门店不存在或已禁用',
	badRole: '角色不存在或已删除',
	otherStore: '只能操作本门店的员工',
	actsUpward: '不能操作权限高于自己的员工',
	areAbove: (names: readonly string[]) =>
		`权限高于您的员工：${names.slice(0, 5).join('、')}${names.length > 5 ? ` 等 ${names.length} 名` : ''}`,
	bindsUpward: '不能分配权限高于自己的角色',
	noneGiven: (count: number) => `有 ${count} 名员工不能生成一次性密码，因此没有为任何人生成`,
	leavesInPast: '最后工作日不能早于今天',
	endsInPast: '角色到期日不能早于今天',
	noSuchRole: '该角色不存在或已删除',
	tooManyRoles: `一名员工最多有 ${maxRolesOfOne} 个角色`,
	notDeleted: '该员工没有被删除，无需恢复',
	phoneOf: (name: string) => `手机号已被“${name}”使用`,
	phoneOfOther: '手机号已被其他门店的员工使用',
	storeGone: (name: string) => `原门店“${name}”已删除或已禁用，请选择其他门店`,
	badNewStore: '所选门店不存在或已禁用',
} as const;

/** A tag that shows whether an employee, or their store, is enabled. */
export const EmployeeStatusTag = shape('EmployeeStatusTag', {
	code: oneOf(['EMPLOYEE_ACTIVE', 'EMPLOYEE_INACTIVE', 'STORE_INACTIVE']),
	label: Type.String({ examples: ['员工启用'] }),
	variant: oneOf(['success', 'warning', 'default']),
});
export type EmployeeStatusTag = Static<typeof EmployeeStatusTag>;

/** What is known of an employee beyond the contract. */
const activity = {
	lastSignInAt: nullableTimestamp('When they last signed in, with any password; null when they never did.'),
	passwordIsInitial: Type.Boolean(described('Whether they still have the initial password.', true)),
	leavesOn: nullableDay({
		description: "Their last day; when it has ended in the machine's time zone, they are disabled.",
	}),
	roleEnds: Type.Array(
		Type.Object({
			roleId: Type.Integer({ examples: [2] }),
			until: nullableDay({ description: 'The last day of the role.' }),
		}),
		{ description: 'The roles that end by themselves.' },
	),
};

/** An employee, without the password and its hash. */
export const Employee = shape('Employee', {
	id: Type.Integer({ examples: [1] }),
	storeId: Type.Integer({ examples: [1] }),
	storeName: Type.String({ examples: ['人民路店'] }),
	storeStatus: status("Whether the employee's store is enabled."),
	name: Type.String({ examples: ['王芳'] }),
	phone: Type.String(described('Also the username.', '13800138000')),
	status: status('Whether the employee is enabled.'),
	statusTags: Type.Array(EmployeeStatusTag, {
		description: "The employee's own tag first, then that of a disabled store.",
	}),
	remark: nullableText({ examples: ['早班'] }),
	roles: Type.Array(RoleSummary),
	...timestampFields,
	...Type.Partial(Type.Object(activity)).properties,
});
export type Employee = Static<typeof Employee>;
/** An employee with all that is known of them. */
export type KnownEmployee = Required<Employee>;

const changeable = {
	storeId: id('The id of an enabled store.'),
	name: text(50, described('1 to 50 characters after trimming.', '王芳')),
	phone: formattedText('1[3-9][0-9]{9}', {
		error: '须为 11 位中国大陆手机号',
		description:
			'A mobile number of mainland China: 11 digits, 1 first, then 3 to 9. Unique among the employees that are not deleted.',
		examples: ['13800138000'],
	}),
	status: Type.Optional(status('ACTIVE or INACTIVE.')),
	remark: Type.Optional(optionalLines(500, '早班')),
	roleIds: Type.Optional(
		Type.Array(id('The id of a role.', 2), {
			maxItems: maxRolesOfOne,
			error: `须为最多 ${maxRolesOfOne} 个角色 id 的数组`,
			description: 'The ids of the roles to hold, at most 20; duplicates are dropped.',
			examples: [[2]],
		}),
	),
};

/** The body of POST /api/employees. */
export const CreateEmployee = body(
	'CreateEmployee',
	'The new employee; ACTIVE unless a status is given, with the initial password.',
	changeable,
);
export type CreateEmployee = Static<typeof CreateEmployee>;

/** The body of PATCH /api/employees/:id. */
export const UpdateEmployee = atLeastOne(
	'UpdateEmployee',
	'What to change; at least one field. Without roleIds the roles stay; an empty array clears them.',
	{
		...changeable,
		leavesOn: optionalDay(
			"Their last day, today or later; when it has ended in the machine's time zone, they are disabled. null: they stay.",
		),
	},
);
export type UpdateEmployee = Static<typeof UpdateEmployee>;

/** The body of PATCH /api/employees/:id/status. */
export const SetStatus = body('SetStatus', 'The new status.', { status: status('ACTIVE or INACTIVE.') });

const oneTimePassword = {
	password: Type.String(
		described('Shown once, and stored nowhere. Case, blanks and dashes do not matter at a sign-in.', 'K7M3-9QTX-2F'),
	),
	expiresAt: timestamp({ description: 'Until when it can be used: seven days.' }),
};

/** What POST /api/employees/:id/one-time-password answers. */
export const OneTimePassword = shape('OneTimePassword', oneTimePassword);
export type OneTimePassword = Static<typeof OneTimePassword>;

/** A one-time password, and what stands beside it on a slip. */
export const GivenPassword = shape('GivenPassword', {
	id: Type.Integer({ examples: [1] }),
	name: Type.String({ examples: ['王芳'] }),
	phone: Type.String({ examples: ['13800138000'] }),
	storeName: Type.String({ examples: ['人民路店'] }),
	...oneTimePassword,
});
export type GivenPassword = Static<typeof GivenPassword>;

/** How many people can be given one at once. */
const maxGiven = 1000;

/** The body of POST /api/employees/one-time-passwords. */
export const GivePasswords = body('GivePasswords', 'Who gets a one-time password.', {
	ids: Type.Array(id('The id of an employee.', 1), {
		minItems: 1,
		maxItems: maxGiven,
		error: `须为 1 至 ${maxGiven} 个员工 id 的数组`,
		description: `The ids of the employees, 1 to ${maxGiven}; duplicates are dropped.`,
		examples: [[1]],
	}),
});

/** What POST /api/employees/one-time-passwords answers. */
export const GivenPasswords = shape('GivenPasswords', {
	items: Type.Array(GivenPassword, { description: 'In the order of the ids.' }),
});
/** The body of POST /api/employees/:id/roles. */
export const GiveRole = body(
	'GiveRole',
	'The role to give, and until when. For a role that they hold, this sets its last day.',
	{
		roleId: id('The id of the role.', 2),
		until: Type.Optional(
			optionalDay(
				"Its last day, today or later; it ends with that day in the machine's time zone. Absent or null: it stays.",
			),
		),
	},
);
export type GiveRole = Static<typeof GiveRole>;

/** The query of POST /api/employees/:id/restore. */
export const RestoreQuery = parameters({
	storeId: integer('The store to come back to; that of before when absent.', 1),
});

const onlyTrue = (description: string) => oneOf(['true'], { error: '须为 true', description });

/** What the query of one employee or of a list can add to the shape of the contract. */
const include = {
	include: oneOf(['activity'], {
		error: '须为 activity',
		description: 'Adds lastSignInAt, passwordIsInitial, leavesOn and roleEnds to each employee.',
	}),
};

/** The query of GET /api/employees/:id. */
export const OneEmployeeQuery = parameters(include);

/** The orders of a list of employees: by their ids, ascending or descending. */
export const orders = ['asc', 'desc'] as const;
export type Order = (typeof orders)[number];

/** The query of GET /api/employees. */
export const EmployeeQuery = paged({
	storeId: integer('Only employees of this store; ignored for callers who see one store only.', 1),
	status: status('Only employees of this status.'),
	roleId: integer('Only employees who hold this role.', 2),
	keyword: keyword('Part of the name or phone.', '王'),
	search: keyword(
		'Part of the name or the phone, as people write it, or the beginning of pinyin or initials of the name.',
		'wf',
	),
	passwordIsInitial: onlyTrue('Only employees who still have the initial password.'),
	passwordExpired: onlyTrue('Only employees whose one-time password has expired.'),
	neverSignedIn: onlyTrue('Only employees who never signed in.'),
	signedInBefore: day(
		'Only employees who signed in last before this day, which begins at midnight UTC; nobody who never did.',
	),
	lockedOut: onlyTrue('Only employees who are enabled, but whose store is not.'),
	withoutRole: onlyTrue('Only employees without a role.'),
	deleted: onlyTrue('Only deleted employees, by the store that they had; needs employee:manage.'),
	...include,
	order: oneOf(orders, {
		error: `须为 ${orders.join(' 或 ')}`,
		description: 'By id: asc, the default, or desc for the newest first.',
		examples: ['desc'],
	}),
});
type EmployeeQuery = Static<typeof EmployeeQuery>;

/** What a query of GET /api/employees at a time (ISO 8601) asks for. */
export function readFilter(query: EmployeeQuery, now: string) {
	return {
		storeId: given(query.storeId, Number),
		roleId: given(query.roleId, Number),
		status: query.status,
		keyword: given(query.keyword, clean),
		search: given(query.search, clean),
		passwordIsInitial: query.passwordIsInitial && (true as const),
		// The time by which it must have expired.
		passwordExpired: query.passwordExpired && now,
		neverSignedIn: query.neverSignedIn && (true as const),
		signedInBefore: query.signedInBefore,
		lockedOut: query.lockedOut && (true as const),
		withoutRole: query.withoutRole && (true as const),
		deleted: query.deleted && (true as const),
		order: query.order,
	};
}

/** Which employees a list is made of, and in which order; what is undefined matches everybody who is not deleted. */
export type EmployeeFilter = { [Name in keyof Asked]?: Asked[Name] | undefined };
type Asked = ReturnType<typeof readFilter>;

/** What GET /api/employees/:id/access answers. */
export const EmployeeAccess = shape('EmployeeAccess', {
	employeeId: Type.Integer({ examples: [7] }),
	scope: Type.String(described('Which part of the chain they reach.', 'current store')),
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
			allowed: Type.Boolean(described('Whether they get in with the right password.', false)),
			message: nullableText(described('What they see when they do not; null when they do.', '所属门店已被禁用')),
		}),
		{ description: 'Both ways of signing in.' },
	),
	passwordIsInitial: Type.Boolean(described('Whether they still have the initial password.', true)),
	passwordExpiresAt: nullableTimestamp('Until when their one-time password can be used; null when they have none.'),
	hasSecondFactor: Type.Boolean(described('Whether signing in asks them for a code.', false)),
});
export type EmployeeAccess = Static<typeof EmployeeAccess>;

const options = (description: string, example: string) =>
	Type.Array(Type.Object({ id: Type.Integer({ examples: [1] }), name: Type.String({ examples: [example] }) }), {
		description,
	});

/** What GET /api/employees/options answers. */
export const EmployeeOptions = shape('EmployeeOptions', {
	stores: options('The active stores in which the caller may employ people.', '人民路店'),
	roles: options('The roles that the caller may assign.', '店长'),
});
export type EmployeeOptions = Static<typeof EmployeeOptions>;
