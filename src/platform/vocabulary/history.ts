/** The closed word lists of the history, with their Chinese words. */

function listNames<Name extends string>(list: Readonly<Record<Name, unknown>>): [Name, ...Name[]] {
	return Object.keys(list) as [Name, ...Name[]];
}

/** Every kind of actor: an account, a caller who is not signed in, the machine's operator, or the service itself. */
export const actorWords = {
	SUPER_ADMIN: '超级管理员',
	EMPLOYEE: '员工',
	ANONYMOUS: '未登录者',
	PROGRAM: '接入程序',
	OPERATOR: '服务器运维人员',
	SYSTEM: '系统',
} as const;
export type HistoryActorType = keyof typeof actorWords;
export const historyActorTypes = listNames(actorWords);

/** Every kind of target of an action. */
export const targetWords = {
	CHAIN: '品牌',
	STORE: '门店',
	AREA: '区域',
	ROLE: '角色',
	EMPLOYEE: '员工',
	ADMINISTRATOR: '超级管理员',
	PERMISSION_POINT: '权限',
	PROGRAM: '接入程序',
} as const;
export type HistoryTargetType = keyof typeof targetWords;
export const historyTargetTypes = listNames(targetWords);

/** The types that records name by id, as a target or in their changes. */
export const mentionedTypes = ['STORE', 'AREA', 'ROLE', 'EMPLOYEE'] as const;
export type MentionedType = (typeof mentionedTypes)[number];

/** The type behind the ids in a field of changes. The last day of a grant can stand behind an id. */
export const typeOfField: Readonly<Record<string, MentionedType>> = {
	storeId: 'STORE',
	areaId: 'AREA',
	storeIds: 'STORE',
	areaIds: 'AREA',
	roleId: 'ROLE',
	roleIds: 'ROLE',
};

/** The types of changes in the feed. The codes of a role are its policy. */
export const changeTypes = ['EMPLOYEE', 'STORE', 'AREA', 'ROLE', 'POLICY', 'PERMISSION_POINT'] as const;
export type ChangeType = (typeof changeTypes)[number];

interface Action {
	/** The type of its target; null for sign-ins, the actor's own password and actions on many things. */
	on: HistoryTargetType | null;
	/** Its name. */
	word: string;
	/** Its sentence after the actor's name, in which `history/sentence.ts` fills in the braces. */
	text: string;
	/** Its type of change in the feed, if not the type of its target. Null: no answer shows a change. */
	feed?: ChangeType | null;
	/** Whether a request with this first record can be undone. */
	isUndoable?: true;
}

/** Every action. */
export const actions = {
	SIGN_IN: { on: null, word: '登录', text: '登录了{times}{code}' },
	SIGN_IN_REFUSED: { on: null, word: '登录被拒绝', text: '登录被拒绝{times}（{reason}）' },
	SIGN_IN_UNFINISHED: { on: null, word: '登录未完成', text: '输入了密码，但没有输入动态验证码' },
	SIGN_OUT: { on: null, word: '退出登录', text: '退出了登录{client}' },
	SIGN_OUT_EVERYWHERE: { on: null, word: '在所有设备上退出', text: '在所有设备上退出了登录' },
	// An employee's action on their own account has no target: it changes the actor.
	OWN_PASSWORD_CHANGE: { on: null, feed: 'EMPLOYEE', word: '修改自己的密码', text: '修改了自己的密码' },
	SECOND_FACTOR_START: { on: null, word: '开始设置两步验证', text: '开始设置两步验证' },
	SECOND_FACTOR_ENABLE: { on: null, feed: 'EMPLOYEE', word: '开启两步验证', text: '开启两步验证' },
	SECOND_FACTOR_DISABLE: { on: null, feed: 'EMPLOYEE', word: '关闭两步验证', text: '关闭两步验证{code}' },
	RECOVERY_CODES_RENEW: { on: null, word: '更换恢复码', text: '更换了两步验证的恢复码' },
	CHAIN_UPDATE: { on: 'CHAIN', word: '修改品牌名称', text: '{changes}' },
	STORE_CREATE: { on: 'STORE', word: '新增门店', text: '新增了{new}' },
	STORE_UPDATE: { on: 'STORE', word: '编辑门店', text: '{changes}', isUndoable: true },
	STORE_DELETE: { on: 'STORE', word: '删除门店', text: '删除了{new}' },
	AREA_CREATE: { on: 'AREA', word: '新增区域', text: '新增了{new}' },
	AREA_UPDATE: { on: 'AREA', word: '编辑区域', text: '{changes}' },
	AREA_DELETE: { on: 'AREA', word: '删除区域', text: '删除了{new}' },
	ROLE_CREATE: { on: 'ROLE', word: '新增角色', text: '新增了{new}' },
	ROLE_UPDATE: { on: 'ROLE', word: '编辑角色', text: '{changes}' },
	ROLE_DELETE: { on: 'ROLE', word: '删除角色', text: '删除了{new}' },
	ROLE_PERMISSIONS_REPLACE: { on: 'ROLE', feed: 'POLICY', word: '分配角色权限', text: '{changes}' },
	POINT_CREATE: { on: 'PERMISSION_POINT', word: '新增权限', text: '新增了{target}' },
	POINT_UPDATE: { on: 'PERMISSION_POINT', word: '编辑权限', text: '{changes}' },
	POINT_DELETE: { on: 'PERMISSION_POINT', word: '删除权限', text: '删除了{target}' },
	PROGRAM_CREATE: { on: 'PROGRAM', word: '新增接入程序', text: '新增了{target}' },
	PROGRAM_UPDATE: { on: 'PROGRAM', word: '编辑接入程序', text: '{changes}' },
	PROGRAM_KEY: { on: 'PROGRAM', word: '更换接入密钥', text: '更换了{target}的密钥' },
	PROGRAM_SECRET: { on: 'PROGRAM', word: '更换登录密钥', text: '更换了{target}的登录密钥' },
	PROGRAM_DELETE: { on: 'PROGRAM', word: '删除接入程序', text: '删除了{target}' },
	EMPLOYEE_CREATE: { on: 'EMPLOYEE', word: '新增员工', text: '新增了{new}{particulars}', isUndoable: true },
	EMPLOYEE_UPDATE: { on: 'EMPLOYEE', word: '编辑员工', text: '{changes}', isUndoable: true },
	EMPLOYEE_UPDATE_UNDO: { on: 'EMPLOYEE', word: '撤销员工更改', text: '撤销更改，{changes}' },
	EMPLOYEE_DELETE: { on: 'EMPLOYEE', word: '删除员工', text: '删除了{new}', isUndoable: true },
	EMPLOYEE_RESTORE: { on: 'EMPLOYEE', word: '员工返岗', text: '让已删除的{new}{particulars}返岗' },
	EMPLOYEE_ROLE_GIVE: { on: 'EMPLOYEE', word: '授予限期角色', text: '{role}' },
	EMPLOYEE_REACH: { on: 'EMPLOYEE', word: '调整负责的门店', text: '{changes}' },
	EMPLOYEE_PASSWORD_CHANGE: { on: 'EMPLOYEE', word: '修改员工密码', text: '修改了{target}的密码' },
	EMPLOYEE_PASSWORD_RESET: { on: 'EMPLOYEE', word: '重置员工密码', text: '重置了{target}的密码' },
	EMPLOYEE_ONE_TIME_PASSWORD: { on: 'EMPLOYEE', word: '生成一次性密码', text: '给{target}生成了一次性密码' },
	EMPLOYEE_SECOND_FACTOR_REMOVE: { on: 'EMPLOYEE', word: '移除员工的两步验证', text: '移除了{target}的两步验证' },
	EMPLOYEE_SIGN_OUT: {
		on: 'EMPLOYEE',
		feed: null,
		word: '结束员工的登录',
		text: '结束了{target}在所有设备上的登录',
	},
	APPROVAL: { on: 'EMPLOYEE', feed: null, word: '授权', text: '得到{target}对“{permission}”的授权（{subject}）' },
	APPROVAL_REFUSED: { on: 'EMPLOYEE', feed: null, word: '授权码错误', text: '输错了授权码{times}{approver}' },
	EMPLOYEE_EXPORT: { on: null, word: '导出员工', text: '{export}' },
	EMPLOYEE_IMPORT: { on: null, word: '导入员工', text: '{import}', isUndoable: true },
	EMPLOYEE_IMPORT_UNDO: { on: null, word: '撤销导入', text: '撤销了导入（{import}）' },
	STORE_IMPORT: { on: null, word: '导入门店', text: '{import}' },
	BACKUP: { on: null, word: '自动备份', text: '开始自动备份' },
	ADMINISTRATOR_CREATE: { on: 'ADMINISTRATOR', word: '新增超级管理员', text: '新增了{target}' },
	ADMINISTRATOR_UPDATE: { on: 'ADMINISTRATOR', word: '编辑超级管理员', text: '{changes}' },
	ADMINISTRATOR_DELETE: { on: 'ADMINISTRATOR', word: '删除超级管理员', text: '删除了{target}' },
	ADMINISTRATOR_PASSWORD_RESET: { on: 'ADMINISTRATOR', word: '重置超级管理员密码', text: '重置了{target}的密码' },
	ADMINISTRATOR_SECOND_FACTOR_REMOVE: {
		on: 'ADMINISTRATOR',
		word: '移除超级管理员的两步验证',
		text: '移除了{target}的两步验证',
	},
} as const satisfies Record<string, Action>;
export type HistoryAction = keyof typeof actions;
export const historyActions = listNames(actions);

const table: Readonly<Record<HistoryAction, Action>> = actions;

/** The actions of a first record that allow its request to be undone, and the hours in which this is possible. */
export const undoableActions: ReadonlySet<HistoryAction> = new Set(
	historyActions.filter((action) => table[action].isUndoable),
);
export const undoHours = 24;

/** The type of change for a program that keeps a copy of the data. Null for no change. */
export function findChangeType(action: HistoryAction): ChangeType | null {
	const { on, feed = changeTypes.find((type) => type === on) ?? null } = table[action];
	return feed;
}

/** The movements of employees, with the words of the filter. */
export const movementWords = { hired: '入职', left: '离职或禁用', moved: '调店', newRoles: '新角色' } as const;
export type Movement = keyof typeof movementWords;
export const historyMovements = listNames(movementWords);

/** The reasons of a refused sign-in. `VARIOUS` is for refusals beyond the maximum number of groups. */
export const reasonWords = {
	UNKNOWN_ACCOUNT: '账号不存在',
	WRONG_PASSWORD: '密码错误',
	ACCOUNT_DISABLED: '账号已禁用',
	STORE_DISABLED: '所属门店已禁用',
	NO_BACK_OFFICE: '没有后台登录权限',
	PASSWORD_EXPIRED: '一次性密码已过期',
	CODE_MISSING: '尚未输入动态验证码',
	WRONG_CODE: '动态验证码错误',
	WRONG_KEY: '接入密钥错误',
	TOO_MANY_ATTEMPTS: '尝试次数过多',
	VARIOUS: '多种原因',
} as const;
export type RefusalReason = keyof typeof reasonWords;
export const refusalReasons = listNames(reasonWords);
