import { type Static, Type } from '@sinclair/typebox';
import {
	atLeastOne,
	body,
	day,
	formattedText,
	id,
	integer,
	keyword,
	onlyTrue,
	optionalDay,
	optionalLines,
	paged,
	parameters,
	status,
	text,
} from '../../platform/http/fields.ts';
import { nullableTimestamp, timestampFields } from '../../platform/http/reply.ts';
import { described, nullableDay, nullableText, oneOf, shape, timestamp } from '../../platform/http/schema-types.ts';
import { maxPeopleAtOnce } from '../../platform/vocabulary/limits.ts';
import { employeeStatuses, storeStatuses } from '../../platform/vocabulary/status.ts';
import { RoleSummary } from '../roles/model.ts';

export const maxRolesOfOne = 20;

export const employeeMessages = {
	notFound: '员工不存在',
	phoneTaken: '手机号已存在',
	badStore: '门店不存在或已禁用',
	badRole: '角色不存在或已删除',
	reach: {
		STORE: { twice: '同一门店只能有一项', bad: '须为另一家已启用的门店', inPast: '门店到期日不能早于今天' },
		AREA: { twice: '同一区域只能有一项', bad: '负责的区域不存在或已删除', inPast: '区域到期日不能早于今天' },
	},
	noneGiven: (count: number) => `有 ${count} 名员工不能生成一次性密码，因此没有为任何人生成`,
	noPassword: '还没有密码，需要重置密码',
	ownOneTime: '不能为自己生成一次性密码，请在自己的账号中修改密码',
	leavesInPast: '最后工作日不能早于今天',
	endsInPast: '角色到期日不能早于今天',
	noSuchRole: '该角色不存在或已删除',
	tooManyRoles: `一名员工最多有 ${maxRolesOfOne} 个角色`,
	notDeleted: '该员工没有被删除，无需恢复',
	phoneOf: (name: string) => `手机号已被“${name}”使用`,
	phoneOfOther: '手机号已被其他门店的员工使用',
	storeGone: (name: string) => `原门店“${name}”已删除或已禁用，请选择其他门店`,
	badNewStore: '所选门店不存在或已禁用',
	badNewRole: '所选角色不存在或已删除',
} as const;

/** A tag that shows whether an employee, or their store, is enabled. */
export const EmployeeStatusTag = shape('EmployeeStatusTag', {
	code: oneOf(['EMPLOYEE_ACTIVE', 'EMPLOYEE_INACTIVE', 'STORE_INACTIVE']),
	label: Type.String({ examples: ['员工启用'] }),
	variant: oneOf(['success', 'warning', 'default']),
});
export type EmployeeStatusTag = Static<typeof EmployeeStatusTag>;

const hasInitial = 'Whether they still have the initial password, or none where that signs nobody in.';

/** What is known of an employee beyond the contract. */
const activity = {
	lastSignInAt: nullableTimestamp('When they last signed in, with any password; null when they never did.'),
	passwordIsInitial: Type.Boolean(described(hasInitial, true)),
	leavesOn: nullableDay({ description: 'Their last day, after which they are disabled.' }),
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
	storeStatus: status(storeStatuses, "Whether the employee's store is enabled."),
	name: Type.String({ examples: ['王芳'] }),
	phone: Type.String(described('Also the username.', '13800138000')),
	status: status(employeeStatuses, 'Whether the employee is enabled.'),
	statusTags: Type.Array(EmployeeStatusTag, { description: 'Their own tag first, then that of a disabled store.' }),
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
		error: '请输入 11 位手机号',
		description:
			'A mobile number of mainland China: 11 digits, 1 first, then 3 to 9. Unique among the employees that are not deleted.',
		examples: ['13800138000'],
	}),
	status: Type.Optional(status(employeeStatuses, 'ACTIVE or INACTIVE.')),
	remark: Type.Optional(optionalLines(500, '早班')),
	roleIds: Type.Optional(
		Type.Array(id('The id of a role.', 2), {
			maxItems: maxRolesOfOne,
			error: `最多选择 ${maxRolesOfOne} 个角色`,
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
export const SetStatus = body('SetStatus', 'The new status.', {
	status: status(employeeStatuses, 'ACTIVE or INACTIVE.'),
});

const oneTimePassword = {
	password: Type.String(
		described('Shown once, and stored nowhere. Case, blanks and dashes do not matter.', 'K7M3-9QTX-2F'),
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

/** The body of POST /api/employees/one-time-passwords. */
export const GivePasswords = body('GivePasswords', 'Who gets a one-time password.', {
	ids: Type.Array(id('The id of an employee.', 1), {
		minItems: 1,
		maxItems: maxPeopleAtOnce,
		error: `须为 1 至 ${maxPeopleAtOnce} 个员工 id 的数组`,
		description: `The ids of the employees, 1 to ${maxPeopleAtOnce}; duplicates are dropped.`,
		examples: [[1]],
	}),
});

/** What POST /api/employees/one-time-passwords answers. */
export const GivenPasswords = shape('GivenPasswords', { items: Type.Array(GivenPassword) });
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
	storeId: integer('The store to come back to; theirs when absent.', 1),
	roleIds: formattedText('[1-9][0-9]{0,14}(,[1-9][0-9]{0,14}){0,19}', {
		error: `须为 1 至 ${maxRolesOfOne} 个角色 id，用逗号分隔`,
		description: 'The ids of the roles to hold, separated by commas; those that they had when absent.',
		examples: ['2'],
	}),
});
export type RestoreQuery = Static<typeof RestoreQuery>;

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
	storeId: integer(
		'Only employees of this store; of callers who reach some stores only, another store is replaced by their own.',
		1,
	),
	status: status(employeeStatuses, 'Only employees of this status.'),
	roleId: integer('Only employees who hold this role.', 2),
	keyword: keyword('Part of the name or phone.', '王'),
	search: keyword('Part of the name or the phone, or the beginning of pinyin or initials.', 'wf'),
	passwordIsInitial: onlyTrue('Only employees with the initial password, or none where that signs nobody in.'),
	passwordExpired: onlyTrue('Only employees whose one-time password has expired.'),
	neverSignedIn: onlyTrue('Only employees who never signed in.'),
	signedInBefore: day('Only employees who last signed in before midnight UTC of this day.'),
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

/** Which employees a list is made of, and in which order; what is undefined matches everybody who is not deleted. */
export type EmployeeFilter = { [Name in keyof Asked]?: Asked[Name] | undefined } & {
	/** Several, where the caller reaches several and asks for none of them. */
	stores?: readonly number[] | undefined;
};
type Asked = ReturnType<typeof readFilter>;

/** What a query of GET /api/employees at a time (ISO 8601) asks for. */
export function readFilter(query: EmployeeQuery, now: string) {
	const { page: _, pageSize: __, include: ___, passwordExpired, ...filter } = query;
	// The time by which it must have expired.
	return { ...filter, passwordExpired: passwordExpired && now };
}

const option = (name: string) => ({ id: Type.Integer({ examples: [1] }), name: Type.String({ examples: [name] }) });

/** What GET /api/employees/:id/access answers. */
export const EmployeeAccess = shape('EmployeeAccess', {
	employeeId: Type.Integer({ examples: [7] }),
	scope: Type.Optional(Type.String(described('Which part of the chain they reach.', 'current store'))),
	permissions: Type.Optional(
		Type.Array(
			Type.Object({
				code: Type.String({ examples: ['employee:view:store'] }),
				title: Type.String({ examples: ['查看本店员工'] }),
				held: Type.Boolean({ examples: [true] }),
				roles: Type.Array(RoleSummary, { description: 'The roles they have it from.' }),
			}),
			{ description: 'Every permission point, in the order of the definitions.' },
		),
	),
	manage: Type.Optional(
		Type.Object(
			{
				allowed: Type.Boolean(described('Whether you manage them.', false)),
				message: nullableText(described('What you lack; null when you do.', '不能操作该员工：您没有“管理角色”权限')),
				roles: Type.Array(RoleSummary, { description: 'The roles that are enough by themselves; empty when you do.' }),
				people: Type.Array(Type.Object(option('王芳')), {
					description: 'Up to three people you see and who manage them; empty when you do.',
				}),
			},
			{ description: 'For callers with employee:manage.' },
		),
	),
	doors: Type.Array(
		Type.Object({
			door: oneOf(['BACK_OFFICE', 'EMPLOYEE'], { description: 'The back-office login or the employee login.' }),
			allowed: Type.Boolean(described('Whether they get in with the right password.', false)),
			message: nullableText(described('Why they do not; null when they do.', '所属门店已被禁用')),
		}),
		{ description: 'Both ways of signing in.' },
	),
	passwordIsInitial: Type.Boolean(described(hasInitial, true)),
	passwordExpiresAt: nullableTimestamp('Until when their one-time password can be used; null when they have none.'),
	hasSecondFactor: Type.Boolean(described('Whether signing in asks them for a code.', false)),
});
export type EmployeeAccess = Static<typeof EmployeeAccess>;

/** What GET /api/employees/options answers. */
export const EmployeeOptions = shape('EmployeeOptions', {
	stores: Type.Array(Type.Object(option('人民路店')), { description: 'The active stores that the caller reaches.' }),
	roles: Type.Array(Type.Object(option('店长')), { description: 'The roles that the caller may assign.' }),
});
export type EmployeeOptions = Static<typeof EmployeeOptions>;
