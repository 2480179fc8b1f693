/** The words of the history, in Chinese. */

import type { HistoryAction, HistoryActorType, HistoryTargetType, RefusalReason } from '../vocabulary/history.ts';
import { catalog } from '../vocabulary/permissions.ts';
import { statusLabels } from '../vocabulary/status.ts';

export const actionWords: Record<HistoryAction, string> = {
	SIGN_IN: '登录',
	SIGN_IN_REFUSED: '登录被拒绝',
	SIGN_OUT: '退出登录',
	OWN_PASSWORD_CHANGE: '修改自己的密码',
	SECOND_FACTOR_START: '开始设置两步验证',
	SECOND_FACTOR_ENABLE: '开启两步验证',
	SECOND_FACTOR_DISABLE: '关闭两步验证',
	STORE_CREATE: '新增门店',
	STORE_UPDATE: '编辑门店',
	STORE_DELETE: '删除门店',
	ROLE_CREATE: '新增角色',
	ROLE_UPDATE: '编辑角色',
	ROLE_DELETE: '删除角色',
	ROLE_PERMISSIONS_REPLACE: '分配角色权限',
	EMPLOYEE_CREATE: '新增员工',
	EMPLOYEE_UPDATE: '编辑员工',
	EMPLOYEE_UPDATE_UNDO: '撤销员工更改',
	EMPLOYEE_DELETE: '删除员工',
	EMPLOYEE_RESTORE: '恢复员工',
	EMPLOYEE_ROLE_GIVE: '授予限期角色',
	EMPLOYEE_PASSWORD_CHANGE: '修改员工密码',
	EMPLOYEE_PASSWORD_RESET: '重置员工密码',
	EMPLOYEE_ONE_TIME_PASSWORD: '生成一次性密码',
	EMPLOYEE_SECOND_FACTOR_REMOVE: '解除员工的两步验证',
	EMPLOYEE_EXPORT: '导出员工',
	EMPLOYEE_IMPORT: '导入员工',
	STORE_IMPORT: '导入门店',
	ADMINISTRATOR_CREATE: '创建超级管理员',
	ADMINISTRATOR_UPDATE: '修改超级管理员',
	ADMINISTRATOR_PASSWORD_RESET: '重置超级管理员密码',
	ADMINISTRATOR_SECOND_FACTOR_REMOVE: '解除超级管理员的两步验证',
};

export const actorWords: Record<HistoryActorType, string> = {
	SUPER_ADMIN: '超级管理员',
	EMPLOYEE: '员工',
	ANONYMOUS: '未登录者',
	OPERATOR: '服务器运维人员',
	SYSTEM: '系统',
};

export const targetWords: Record<HistoryTargetType, string> = {
	STORE: '门店',
	ROLE: '角色',
	EMPLOYEE: '员工',
	ADMINISTRATOR: '超级管理员',
};

export const reasonWords: Record<RefusalReason, string> = {
	UNKNOWN_ACCOUNT: '账号不存在',
	WRONG_PASSWORD: '密码错误',
	ACCOUNT_DISABLED: '账号已禁用',
	STORE_DISABLED: '所属门店已禁用',
	NO_BACK_OFFICE: '没有后台登录权限',
	PASSWORD_EXPIRED: '一次性密码已过期',
	CODE_MISSING: '尚未输入动态验证码',
	WRONG_CODE: '动态验证码错误',
	TOO_MANY_ATTEMPTS: '尝试次数过多',
	VARIOUS: '多种原因',
};

const fieldWords: Readonly<Record<string, string>> = {
	name: '名称',
	address: '地址',
	phone: '电话',
	status: '状态',
	storeId: '门店',
	remark: '备注',
	roleId: '角色',
	roleIds: '角色',
	code: '代号',
	description: '说明',
	permissions: '权限',
	username: '用户名',
	keyword: '按关键字搜索',
	total: '人数',
	passwordIsInitial: '仍在使用初始密码',
	passwordExpired: '一次性密码已过期',
	neverSignedIn: '从未登录',
	signedInBefore: '最近登录早于',
	lockedOut: '因门店禁用不能登录',
	withoutRole: '没有角色',
	deleted: '已删除',
	leavesOn: '最后工作日',
	until: '角色到期日',
	format: '格式',
	created: '新增',
	updated: '修改',
	recoveryCodesLeft: '剩余恢复码',
};

/** The words of the form, where they are others for a person. */
const fieldWordsOfPeople: Readonly<Record<string, string>> = { name: '姓名', phone: '手机号' };

/** The Chinese word for a field, or else its name. */
export function fieldWord(field: string, targetType: HistoryTargetType | null): string {
	return (targetType === 'EMPLOYEE' ? fieldWordsOfPeople[field] : undefined) ?? fieldWords[field] ?? field;
}

const valueWords: Record<string, string> = {
	...statusLabels,
	...Object.fromEntries(catalog.permissions.map(({ code, title }) => [code, title])),
};

/** The Chinese word for a value, or else the value. */
export function valueWord(value: unknown): string {
	return valueWords[String(value)] ?? String(value);
}
