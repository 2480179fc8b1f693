import { type Static, type TInteger, Type } from '@sinclair/typebox';
import { until } from '../../identity/rights/model.ts';
import {
	atLeastOne,
	beyondExamples,
	body,
	choice,
	day,
	described,
	flag,
	formattedText,
	id,
	idList,
	integer,
	keyword,
	nullableDay,
	nullableInteger,
	nullableText,
	oneOf,
	onlyTrue,
	optionalText,
	paged,
	parameters,
	shape,
	text,
	uniqueIds,
} from '../../platform/http/fields.ts';
import { nullableTimestamp, timestampFields } from '../../platform/http/reply.ts';
import { firstFive } from '../../platform/vocabulary/counted.ts';
import { maxPeopleAtOnce } from '../../platform/vocabulary/limits.ts';
import { codePattern } from '../../platform/vocabulary/permissions.ts';
import { phoneAdvice, phonePattern } from '../../platform/vocabulary/phone.ts';
import { because } from '../../platform/vocabulary/reasons.ts';
import { employeeStatuses, storeStatuses } from '../../platform/vocabulary/status.ts';
import { oneTimePassword } from '../auth/model.ts';
import { RoleSummary } from '../roles/model.ts';
import { include as includeArea, Store, type StoreProblem } from '../stores/model.ts';

export const maxRolesOfOne = 20;

export const employeeMessages = {
	notFound: because('not_found', '员工不存在'),
	taken: { phone: because('not_unique', '手机号已存在'), externalId: because('not_unique', '工号已存在') },
	formerElsewhere: because(
		'former_elsewhere',
		'这个手机号曾属于其他门店的员工。要让该员工返岗，请联系超级管理员；如果是另一个人，请再次保存',
	),
	takenBy: (taken: string, name: string, storeName: string) => `${taken}：${name}（${storeName}）`,
	badStore: (reason: StoreProblem) => because(reason, '门店不存在或已禁用'),
	badRole: (named: string) => because('role_not_found', `角色不存在或已删除：${named}`),
	placeTwice: because('repeated', '同一门店或区域只能有一项'),
	badPlace: (reason: StoreProblem) => because(reason, '须为另一家已启用的门店'),
	noneGiven: (count: number) =>
		because('some_refused', `有 ${count} 名员工不能生成一次性密码，因此没有为任何人生成`, { count }),
	noPassword: '还没有密码，需要重置密码',
	ownOneTime: because('own_account', '不能为自己生成一次性密码，请在自己的账号中修改密码'),
	leavesInPast: because('day_over', '最后工作日不能早于今天'),
	endsInPast: because('day_over', '到期日不能早于今天'),
	tooManyRoles: because('too_many', `一名员工最多有 ${maxRolesOfOne} 个角色`, { limit: maxRolesOfOne }),
	notDeleted: because('not_deleted', '该员工没有被删除，无需返岗'),
	usedBy: (word: string, name: string) => because('not_unique', `${word}已被“${name}”使用`),
	usedElsewhere: (word: string) => because('not_unique', `${word}已被其他门店的员工使用`),
	storeGone: (reason: StoreProblem, name: string) => because(reason, `原门店“${name}”已删除或已禁用，请选择其他门店`),
	noneChanged: (count: number) => because('some_refused', `有 ${count} 名员工不能更改，因此没有做任何更改`, { count }),
	nothingToUndo: because('nothing_to_undo', '没有可以撤销的更改'),
	tooLate: (hours: number) => because('too_late', `超过 ${hours} 小时的更改不能撤销`, { limit: hours }),
	changedSince: (who: string, what: string) => because('changed', `${who}修改了${what}`),
	closedAgain: because('changed', '门店之后又被禁用过，这次关闭不能撤销'),
	deletedSince: (who: string) => because('changed', `${who}删除了该员工`),
} as const;

/** A tag that shows whether an employee, or their store, is enabled. */
export const EmployeeStatusTag = shape('EmployeeStatusTag', {
	code: oneOf(['EMPLOYEE_ACTIVE', 'EMPLOYEE_INACTIVE', 'STORE_INACTIVE']),
	label: Type.String({ examples: ['员工启用'] }),
	variant: oneOf(['success', 'warning', 'default']),
});
export type EmployeeStatusTag = Static<typeof EmployeeStatusTag>;

const hasInitial = 'Whether the employee has the initial password, or no password where REQUIRE_OWN_PASSWORD is on.';

/** The details of an employee that must be asked for. */
const activity = {
	lastSignInAt: beyondExamples(nullableTimestamp('The time of the last sign-in, with any password; null without one.')),
	passwordIsInitial: beyondExamples(Type.Boolean(described(hasInitial, true))),
	leavesOn: beyondExamples(nullableDay('The last day of work, after which the employee is disabled.')),
	roleEnds: beyondExamples(
		Type.Array(
			Type.Object({ roleId: Type.Integer({ examples: [2] }), until: nullableDay('The last day of the role.') }),
			{ description: 'The roles with a last day.' },
		),
	),
};
const external = {
	externalId: beyondExamples(
		nullableText({ description: 'The number in another system, such as payroll.', examples: ['P-1042'] }),
	),
};
const onRequest = Type.Partial(Type.Object({ ...activity, ...external })).properties;

/** The additions that the query of one employee or of a list can ask for. */
const includes = ['activity', 'externalId', 'activity,externalId'] as const;
export type Include = (typeof includes)[number];

const always = {
	id: Type.Integer({ examples: [1] }),
	storeId: Type.Integer({ examples: [1] }),
	storeName: Type.String({ examples: ['人民路店'] }),
	storeStatus: choice(storeStatuses, "Whether the employee's store is enabled."),
	name: Type.String({ examples: ['王芳'] }),
	phone: Type.String(described('Also the username.', '13800138000')),
	status: choice(employeeStatuses, 'Whether the employee is enabled.'),
	statusTags: Type.Array(EmployeeStatusTag, {
		description: "The employee's own tag first, then that of a disabled store.",
	}),
	remark: nullableText({ examples: ['早班'] }),
	roles: Type.Array(RoleSummary),
	...timestampFields,
};

const fieldsWith = (...included: object[]) => Object.keys(Object.assign({}, always, ...included)) as (keyof Employee)[];

/** The fields of an answer by what it includes. */
export const answeredFields = {
	nothing: fieldsWith(),
	activity: fieldsWith(activity),
	externalId: fieldsWith(external),
	'activity,externalId': fieldsWith(activity, external),
} satisfies Record<Include | 'nothing', (keyof Employee)[]>;

/** An employee, without the password and its hash. */
export const Employee = shape('Employee', { ...always, ...onRequest });
export type Employee = Static<typeof Employee>;
/** An employee with all details, and with fields that no answer shows. */
export type StoredEmployee = Required<Employee> & { passwordExpiresAt: string | null; deletedAt: string | null };

const changeable = {
	storeId: id('The id of an enabled store.'),
	name: text(50, '王芳'),
	phone: formattedText(phonePattern, {
		error: phoneAdvice,
		description:
			'A mobile number of mainland China: 11 digits, 1 first, then 3 to 9. Unique among the employees that are not deleted.',
		examples: ['13800138000'],
	}),
	status: Type.Optional(choice(employeeStatuses, 'ACTIVE or INACTIVE.')),
	remark: Type.Optional(optionalText(500, '早班', { mayHaveLines: true })),
	externalId: beyondExamples(Type.Optional(optionalText(64, 'P-1042', { mustBeVisible: true }))),
	roleIds: Type.Optional(
		Type.Array(id('The id of a role.', 2), {
			maxItems: maxRolesOfOne,
			error: `最多选择 ${maxRolesOfOne} 个角色`,
			description: `The ids of the roles to assign, at most ${maxRolesOfOne}; duplicates are dropped.`,
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

/** The fields of a new employee that a request leaves out. */
export const newEmployee: Required<Omit<UpdateEmployee, 'storeId' | 'name' | 'phone'>> = {
	status: 'ACTIVE',
	remark: null,
	externalId: null,
	roleIds: [],
	leavesOn: null,
};

/** The body of PATCH /api/employees/:id. */
export const UpdateEmployee = atLeastOne(
	'UpdateEmployee',
	{
		...changeable,
		leavesOn: beyondExamples(
			nullableDay(
				"The last day of work, today or later. After it ends in the machine's time zone, the employee is disabled. null: no end.",
			),
		),
	},
	{ description: 'The fields to change; at least one. Without roleIds the roles stay; an empty array clears them.' },
);
export type UpdateEmployee = Static<typeof UpdateEmployee>;

/** The body of PATCH /api/employees/:id/status. */
export const SetStatus = body('SetStatus', 'The new status.', {
	status: choice(employeeStatuses, 'ACTIVE or INACTIVE.'),
});

/** The answer of POST /api/employees/:id/one-time-password. */
export const OneTimePassword = shape('OneTimePassword', oneTimePassword);
export type OneTimePassword = Static<typeof OneTimePassword>;

/** A one-time password, with the details for a slip. */
export const GivenPassword = shape('GivenPassword', {
	...Type.Pick(Employee, ['id', 'name', 'phone', 'storeName']).properties,
	...oneTimePassword,
});
export type GivenPassword = Static<typeof GivenPassword>;

/** At least one id; `word` names the things in messages. */
const someIds = (item: TInteger, maxItems: number, word: string, description: string) =>
	Type.Array(item, {
		minItems: 1,
		maxItems,
		error: `须为 1 至 ${maxItems} 个${word} id 的数组`,
		description: `${description}, 1 to ${maxItems}.`,
		examples: [item.examples],
	});

/** The body of POST /api/employees/one-time-passwords. */
export const GivePasswords = body('GivePasswords', 'The employees who get a one-time password.', {
	ids: someIds(id('The id of an employee.', 1), maxPeopleAtOnce, '员工', 'The ids of the employees, each counted once'),
});

/** The answer of POST /api/employees/one-time-passwords. */
export const GivenPasswords = shape('GivenPasswords', { items: Type.Array(GivenPassword) });

/** The body of POST /api/employees/:id/roles. */
export const GiveRole = body(
	'GiveRole',
	'The role to give, and its last day. For a role that the employee already holds, this sets the last day.',
	{ roleId: id('The id of the role.', 2), until },
);
export type GiveRole = Static<typeof GiveRole>;

const EmployeesChange = atLeastOne(
	'EmployeesChange',
	{
		storeId: changeable.storeId,
		status: changeable.status,
		addRoleIds: someIds(id('The id of a role.', 2), maxRolesOfOne, '角色', 'The ids of the roles to assign'),
		removeRoleIds: someIds(id('The id of a role.', 2), maxRolesOfOne, '角色', 'The ids of the roles to remove'),
		delete: Type.Literal(true, { error: '须为 true', description: 'Deletes the employees.', examples: [true] }),
	},
	{
		maxProperties: 1,
		description: 'The change for each employee: exactly one field.',
		examples: [{ status: 'INACTIVE' }],
	},
);
export type EmployeesChange = Static<typeof EmployeesChange>;

/** The body of POST /api/employees/changes. */
export const ChangeEmployees = body('ChangeEmployees', 'The employees to change, and the change.', {
	ids: uniqueIds(maxPeopleAtOnce, '员工', 'employees'),
	change: EmployeesChange,
});
export type ChangeEmployees = Static<typeof ChangeEmployees>;

/** The answer of POST /api/employees/changes. */
export const ChangedEmployees = shape('ChangedEmployees', {
	changed: Type.Integer(described('The number of changed employees; with dryRun, of employees who would change.', 280)),
	unchanged: Type.Integer(described('The number of employees who need no change; they get no record.', 20)),
	groupId: nullableInteger(
		described('The id of the change, for the history and for undoing it; null without a change.', 4),
	),
});
export type ChangedEmployees = Static<typeof ChangedEmployees>;

/** The path of POST /api/employees/changes/:groupId/undo. */
export const GroupPath = Type.Object({ groupId: integer('The groupId of the answer to the change.', 4) });

/** The query of POST /api/employees/changes/:groupId/undo. */
export const UndoQuery = parameters({
	others: flag('With true, employees who cannot be changed back are skipped, unless that is everyone.'),
});
export type UndoQuery = Static<typeof UndoQuery>;

/** The query of POST /api/employees. */
export const HireQuery = parameters({
	former: choice(['refuse'], 'With refuse, answers 409 if a deleted employee of a store out of reach had this phone.'),
});
export type HireQuery = Static<typeof HireQuery>;

/** The query of POST /api/employees/:id/restore. */
export const RestoreQuery = parameters({
	storeId: integer('The store to come back to; by default the former one.', 1),
	roleIds: idList(maxRolesOfOne, '角色 id', 'The ids of the roles to assign; by default the former ones.', '2'),
});
export type RestoreQuery = Static<typeof RestoreQuery>;

const include = {
	include: choice(
		includes,
		'Adds lastSignInAt, passwordIsInitial, leavesOn and roleEnds to each employee, or externalId, or all of them.',
	),
};

/** The query of GET /api/employees/:id. */
export const OneEmployeeQuery = parameters(include);

/** The orders of a list of employees: by their ids, ascending or descending. */
const orders = ['asc', 'desc'] as const;
export type Order = (typeof orders)[number];

/** The query of GET /api/employees. */
export const EmployeeQuery = paged({
	storeId: integer(
		'Only employees of this store. For a caller who reaches only some stores, a store out of reach is replaced by their own.',
		1,
	),
	status: choice(employeeStatuses, 'Only employees of this status.'),
	roleId: integer('Only employees who hold this role.', 2),
	keyword: keyword('Part of the name or phone.', '王'),
	externalId: keyword('Only the employee with exactly this number in another system.', 'P-1042', 64),
	search: keyword('Part of the name or the phone, or the beginning of pinyin or initials.', 'wf'),
	passwordIsInitial: onlyTrue(
		'Only employees with the initial password, or without a password where REQUIRE_OWN_PASSWORD is on.',
	),
	passwordExpired: onlyTrue('Only employees whose one-time password has expired.'),
	neverSignedIn: onlyTrue('Only employees who never signed in.'),
	signedInBefore: day('Only employees who last signed in before midnight UTC of this day.'),
	lockedOut: onlyTrue('Only enabled employees of disabled stores.'),
	withoutRole: onlyTrue('Only employees without a role.'),
	deleted: onlyTrue('Only deleted employees, by their former store; needs employee:manage.'),
	...include,
	order: choice(orders, 'By id: asc, the default, or desc for the newest first.', 'desc'),
});
type EmployeeQuery = Static<typeof EmployeeQuery>;

/** Selects employees for a list, and their order; an undefined member matches every employee who is not deleted. */
export type EmployeeFilter = { [Name in keyof Asked]?: Asked[Name] | undefined } & {
	/** Several stores, for a caller who reaches several and asks for none of them. */
	stores?: readonly number[] | undefined;
};
type Asked = ReturnType<typeof readFilter>;

/** The filter in a query of GET /api/employees at a time (ISO 8601). */
export function readFilter(query: EmployeeQuery, now: string) {
	const { page, pageSize, include, passwordExpired, ...filter } = query;
	// The time of the check for expired passwords.
	return { ...filter, passwordExpired: passwordExpired && now };
}

const option = (name: string) => ({ id: Type.Integer({ examples: [1] }), name: Type.String({ examples: [name] }) });

/** The answer of GET /api/employees/:id/access. */
export const EmployeeAccess = shape('EmployeeAccess', {
	employeeId: Type.Integer({ examples: [7] }),
	scope: Type.Optional(Type.String(described('The part of the chain within reach.', 'current store'))),
	permissions: Type.Optional(
		Type.Array(
			Type.Object({
				code: Type.String({ examples: ['employee:view:store'] }),
				title: Type.String({ examples: ['查看本店员工'] }),
				held: Type.Boolean({ examples: [true] }),
				roles: Type.Array(RoleSummary, { description: 'The roles that grant it.' }),
			}),
			{ description: 'Every permission point, in the order of the definitions.' },
		),
	),
	manage: Type.Optional(
		Type.Object(
			{
				allowed: Type.Boolean(described('Whether you manage the employee.', false)),
				message: nullableText(
					described(
						'The rights that you lack; null when you manage the employee.',
						'不能操作该员工：您没有“管理角色”权限',
					),
				),
				roles: Type.Array(RoleSummary, {
					description: 'The roles that suffice by themselves; empty when you manage the employee.',
				}),
				people: Type.Array(Type.Object(option('王芳')), {
					description: 'Up to three employees within your reach who manage them; empty when you manage the employee.',
				}),
			},
			{ description: 'For callers with employee:manage.' },
		),
	),
	doors: Type.Array(
		Type.Object({
			door: oneOf(['BACK_OFFICE', 'EMPLOYEE'], { description: 'The back-office login or the employee login.' }),
			allowed: Type.Boolean(described('Whether the correct password signs in here.', false)),
			message: nullableText(described('The reason for a refusal; null when it signs in.', '所属门店已被禁用')),
		}),
		{ description: 'Both ways of signing in.' },
	),
	passwordIsInitial: Type.Boolean(described(hasInitial, true)),
	passwordExpiresAt: nullableTimestamp('The time at which the one-time password expires; null without one.'),
	hasSecondFactor: Type.Boolean(described('Whether sign-in requires a code.', false)),
});
export type EmployeeAccess = Static<typeof EmployeeAccess>;

/** The query of GET /api/employees/helpers. */
export const HelpersQuery = parameters({
	permission: formattedText(codePattern, {
		error: '须为权限的编码',
		description: 'The code of the permission that is missing.',
		examples: ['store:view'],
	}),
});

/** The answer of GET /api/employees/helpers. */
export const Helpers = shape('Helpers', {
	title: nullableText(described('The title of the permission; null for an unknown code.', '查看门店')),
	people: Type.Array(Type.Object(option('王芳')), {
		description: "Up to three enabled employees who hold it, in the caller's own store or within reach.",
	}),
});
export type Helpers = Static<typeof Helpers>;

/** The answer of GET /api/employees/options. */
export const EmployeeOptions = shape('EmployeeOptions', {
	stores: Type.Array(Type.Object(option('人民路店')), { description: 'The active stores that the caller reaches.' }),
	roles: Type.Array(Type.Object(option('店长')), { description: 'The roles that the caller may assign.' }),
});
export type EmployeeOptions = Static<typeof EmployeeOptions>;

/** The query of GET /api/stores/:id. */
export const StoreDetailQuery = parameters({
	employees: flag('false leaves out the employees, who can be many.'),
	...includeArea,
});

/** The answer of GET /api/stores/:id. */
export const StoreDetail = shape('StoreDetail', { ...Store.properties, employees: Type.Array(Employee) });

/** The path of DELETE /api/stores/:storeId/employees/:employeeId. */
export const EmployeePath = Type.Object({
	storeId: integer('The id of a store.', 1),
	employeeId: integer('The id of an employee of the store.', 1),
});

/** The query of GET /api/stores/activity. */
export const StoreActivityQuery = parameters({ ids: idList(100, '门店 id', 'The ids of the stores.', '1') });

/** The activity of one store in the answer of GET /api/stores/activity. */
export const StoreActivity = shape('StoreActivity', {
	storeId: Type.Integer({ examples: [1] }),
	employees: Type.Integer(described('The number of employees, enabled or not.', 25)),
	enabled: Type.Integer(described('The number of enabled employees.', 23)),
	leads: nullableText(
		described(
			"The names of up to three enabled employees whose roles show them the store's staff; those who may manage it come first.",
			'王芳、李娜',
		),
	),
	lastSignInAt: nullableTimestamp(
		'The time of the last sign-in by one of its employees; null without one, and without employee:view:all.',
	),
});
export type StoreActivity = Static<typeof StoreActivity>;

/** Messages to end users about closing a store. */
export const closingMessages = {
	needsMoveTo: (count: number) => because('in_use', `门店下仍有 ${count} 名员工，请指定接收他们的门店`, { count }),
	badMoveTo: (reason: StoreProblem) => because(reason, '接收员工的门店不存在、已禁用或就是本店'),
	cannotMove: (names: readonly string[]) => `不能操作${firstFive(names, '名')}`,
} as const;

const afterClosing = ['DISABLE', 'DELETE'] as const;

/** The body of POST /api/stores/:id/close. */
export const CloseStore = body(
	'CloseStore',
	'The store that its employees move to, and whether to disable or delete this one.',
	{
		moveTo: Type.Optional(
			id('The id of the enabled store that everyone moves to; needed when the store has employees.', 2),
		),
		// biome-ignore lint/suspicious/noThenProperty: a field of the API, and its text is no function.
		then: choice(afterClosing, 'Whether to disable or delete the store.'),
	},
);
export type CloseStore = Static<typeof CloseStore>;

/** The answer of POST /api/stores/:id/close. */
export const ClosedStore = shape('ClosedStore', {
	moved: Type.Integer(described('The number of moved employees, enabled or not.', 25)),
	// biome-ignore lint/suspicious/noThenProperty: a field of the API, and its text is no function.
	then: oneOf(afterClosing, { description: 'Whether the store was disabled or deleted.' }),
	groupId: nullableInteger(described('The id of the change, for undoing it; null if that is impossible.', 4)),
});
export type ClosedStore = Static<typeof ClosedStore>;

/** The answer of GET /api/stores/:id/closing. */
export const StoreClosing = shape('StoreClosing', {
	people: Type.Array(Type.Object(Type.Pick(Employee, ['id', 'name', 'storeName']).properties), {
		description: 'The moved employees who are still in the receiving store, by id. Only those within reach.',
	}),
});
export type StoreClosing = Static<typeof StoreClosing>;

/** One role in the answer of GET /api/roles/holders. */
export const RoleHolders = shape('RoleHolders', {
	roleId: Type.Integer({ examples: [2] }),
	employees: Type.Integer(described('The number of employees within reach who hold it, enabled or not.', 12)),
});
export type RoleHolders = Static<typeof RoleHolders>;

/** The last day of an employee, or of one of their roles. */
export const Ending = Type.Object({
	on: Type.String({ format: 'date', ...described('The last day.', '2026-11-21') }),
	employeeId: Type.Integer({ examples: [7] }),
	...Type.Pick(Employee, ['name', 'storeName']).properties,
	roleId: nullableInteger(described('The role that ends; null for the last day of the employee.', 2)),
	roleName: nullableText(described('The name of the role.', '店长')),
});
export type Ending = Static<typeof Ending>;
