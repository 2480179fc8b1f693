/** The Chinese words for fields and values. */
import type { HistoryTargetType } from '../../platform/vocabulary/history.ts';
import { catalog } from '../../platform/vocabulary/permissions.ts';
import { statusLabels } from '../../platform/vocabulary/status.ts';

/** The words for employees who need attention: the filters of their list, which an export records. */
export const attentionWords = {
	passwordIsInitial: '未设置自己的密码',
	passwordExpired: '一次性密码已过期',
	neverSignedIn: '从未登录',
	lockedOut: '因门店禁用无法登录',
	withoutRole: '没有角色',
} as const;

const fieldWords: Readonly<Record<string, string>> = {
	...attentionWords,
	name: '名称',
	address: '地址',
	phone: '电话',
	status: '状态',
	storeId: '门店',
	areaId: '区域',
	storeIds: '负责的门店',
	areaIds: '负责的区域',
	reach: '负责的门店',
	remark: '备注',
	externalId: '工号',
	roleId: '角色',
	roleIds: '角色',
	code: '编码',
	description: '说明',
	permissions: '权限',
	title: '名称',
	permission: '权限',
	subject: '单号或事由',
	groupTitle: '分组名称',
	username: '用户名',
	client: '设备',
	keyword: '按关键字搜索',
	total: '人数',
	signedInBefore: '最近登录早于',
	deleted: '已删除',
	leavesOn: '最后工作日',
	until: '角色到期日',
	endsOn: '到期日',
	redirectUris: '登录后返回地址',
	signOutUris: '退出后返回地址',
	isPublic: '不能保密',
	signInPermission: '登录所需权限',
	format: '格式',
	created: '新增',
	updated: '修改',
	restored: '返岗',
	recoveryCodesLeft: '剩余恢复码',
};

/** The words that the forms of an employee use instead. */
const employeeWords: Readonly<Record<string, string>> = { name: '姓名', phone: '手机号' };

/** The Chinese word for a field, or the field's name. */
export function fieldWord(field: string, targetType?: HistoryTargetType | null): string {
	return (targetType === 'EMPLOYEE' && employeeWords[field]) || (fieldWords[field] ?? field);
}

/** Whether the values of a field are codes of permissions. */
export const isOfPermissions = (field: string) => /^(?:permissions?|signInPermission)$/.test(field);

const valueWords: Record<string, string> = {
	...statusLabels,
	...Object.fromEntries(catalog.permissions.map(({ code, title }) => [code, title])),
};

/** The Chinese word for a value, or the value itself. */
export function valueWord(value: unknown): string {
	return valueWords[String(value)] ?? String(value);
}
