/** The permission points: codes, groups, menus and their rules, as data and pure functions. */
import { maxPoints } from './limits.ts';

interface Point {
	title: string;
	description: string;
	needs?: PermissionCode;
}

/** The groups of the points, by the part before the first colon of their codes. */
const groups = {
	store: { key: 'stores', title: '门店管理' },
	role: { key: 'roles', title: '角色管理' },
	employee: { key: 'employees', title: '员工管理' },
	permission: { key: 'permissions', title: '权限管理' },
} as const;

/** The program's codes, in the order of every list of codes. */
const points = {
	'store:view': { title: '查看门店', description: '查看门店列表、门店详情、门店选项和门店员工' },
	'store:manage': { title: '管理门店', description: '新增、编辑、禁用和删除门店', needs: 'store:view' },
	'role:view': { title: '查看角色', description: '查看角色列表和角色详情' },
	'role:manage': { title: '管理角色', description: '新增、编辑和删除自定义角色', needs: 'role:view' },
	'employee:view:all': { title: '查看全部员工', description: '查看所有门店的员工' },
	'employee:view:store': { title: '查看本店员工', description: '查看本人所属门店和负责的门店的员工' },
	'employee:manage': {
		title: '管理员工',
		description: '新增、编辑、启用、禁用和删除员工，重置员工密码',
		needs: 'employee:view:all',
	},
	'permission:view': { title: '查看权限', description: '查看每个角色有哪些权限' },
	'permission:manage': { title: '分配权限', description: '为角色分配权限', needs: 'permission:view' },
} as const satisfies Record<`${keyof typeof groups}:${string}`, Point>;

/** A code of the program itself, which its routes require. */
export type ProgramCode = keyof typeof points;

export const programCodes = Object.keys(points) as [ProgramCode, ...ProgramCode[]];

/** Whether a code belongs to the program, and not to the chain. */
export const isProgramCode = (code: string): code is ProgramCode => Object.hasOwn(points, code);

/** The maximum number of codes: the program's and the chain's. */
export const maxCodes = programCodes.length + maxPoints;

/** A code that can be assigned to a role: the program's, or the chain's own. */
export type PermissionCode = `${string}:${string}`;

/** The codes that a program never holds, because it could grant itself everything with them. */
export const withheldFromPrograms: ReadonlySet<PermissionCode> = new Set(['role:manage', 'permission:manage']);

/** The form of every code, as a regular expression. */
export const codePattern = '[a-z][a-z0-9_]*(?::[a-z][a-z0-9_]*)+';

/** A point of the chain. */
export interface OwnPoint {
	code: PermissionCode;
	title: string;
	description: string | null;
	/** The same for all points of a group. */
	groupTitle: string;
}

/** The group of a code: the part before its first colon. */
export const groupOf = (code: PermissionCode): string => code.slice(0, code.indexOf(':'));

/** Whether a group belongs to the program, as a prefix of codes or as a key. */
export function isProgramGroup(name: string): boolean {
	return Object.entries(groups).some(([prefix, { key }]) => name === prefix || name === key);
}

/** Whether a title is that of one of the program's points or groups. */
export function isProgramTitle(title: string): boolean {
	return [...Object.values(points), ...Object.values(groups)].some((each) => each.title === title);
}

/** The actions that a menu can offer, with the labels of the back office. */
export const actionLabels = {
	view: '查看',
	create: '新增',
	update: '编辑',
	delete: '删除',
} as const;

export type Action = keyof typeof actionLabels;

export const allActions = Object.keys(actionLabels) as Action[];

/** A menu of the back office. */
interface Menu {
	key: string;
	title: string;
	icon?: string;
	/** The codes that show it. The first one that an account holds is its `permission`. */
	views: readonly [ProgramCode, ...ProgramCode[]];
	/** The code that allows changes. */
	manage: ProgramCode;
	/** All of them if absent. */
	actions?: readonly Action[];
}

const menus: readonly Menu[] = [
	{ ...groups.store, views: ['store:view'], manage: 'store:manage' },
	{ ...groups.role, views: ['role:view'], manage: 'role:manage' },
	{ ...groups.employee, views: ['employee:view:all', 'employee:view:store'], manage: 'employee:manage' },
	{
		...groups.permission,
		icon: 'key',
		views: ['permission:view'],
		manage: 'permission:manage',
		actions: ['view', 'update'],
	},
];

/** A permission of an account. Only the super administrator has `*`, which stands for every code. */
export type Permission = PermissionCode | '*';

/** The permissions of an account or a role. */
export type Permissions = ReadonlySet<Permission>;

/**
 * The only code of the chain's own that a route requires: it allows reading and exporting the history. The chain must
 * create this point first.
 */
export const historyCode = 'history:view';

/** A permission that a route can require. */
export type AskedPermission = ProgramCode | typeof historyCode | '*';

/** Whether `permissions` include `code`, which can be the chain's own. `*` includes every code. */
export function holds(permissions: Permissions, code: Permission): boolean {
	return permissions.has('*') || permissions.has(code);
}

/** Like {@link holds}, for a code that a route can require, which the compiler checks. */
export function hasPermission(permissions: Permissions, code: AskedPermission): boolean {
	return holds(permissions, code);
}

const otherTitles = { '*': '超级管理员', [historyCode]: '查看操作记录' } as const;

/** The title of a permission that a route can require. */
export const titleOf = (code: AskedPermission): string =>
	isProgramCode(code) ? points[code].title : otherTitles[code];

/**
 * The submitted codes and the codes that they require: the program's in order, then the others. `employee:manage`
 * requires only `employee:view:store` if that is submitted.
 */
export function withDependencies(submitted: Iterable<PermissionCode>): PermissionCode[] {
	const given = new Set(submitted);
	const complete = new Set(given);
	for (const code of programCodes.filter((each) => given.has(each))) {
		const { needs }: Point = points[code];
		const ownStoreOnly = code === 'employee:manage' && given.has('employee:view:store');
		if (needs && !ownStoreOnly) complete.add(needs);
	}
	const ofProgram = programCodes.filter((code) => complete.has(code));
	return [...ofProgram, ...complete.difference(new Set<PermissionCode>(programCodes))];
}

/** Whether an account sees any page of the back office, which the back-office login requires. */
export function hasBackOffice(permissions: Permissions): boolean {
	if (hasPermission(permissions, historyCode)) return true;
	return menus.some((menu) => menu.views.some((code) => hasPermission(permissions, code)));
}

/** Whether an account manages something: the field `canManage` of an account. */
export function canManage(permissions: Permissions): boolean {
	return menus.some(({ manage }) => hasPermission(permissions, manage));
}

/** The menus that an account may see, each with the allowed actions. */
export function menusFor(permissions: Permissions) {
	return menus.flatMap(({ key, title, icon, views, manage, actions = allActions }) => {
		const permission = views.find((code) => hasPermission(permissions, code));
		if (!permission) return [];
		const allowed: Action[] = hasPermission(permissions, manage) ? [...actions] : ['view'];
		return [{ key, title, ...(icon && { icon }), permission, actions: allowed }];
	});
}

/** Whether an account sees the employees of some stores only. */
export function isStoreScoped(permissions: Permissions): boolean {
	return hasPermission(permissions, 'employee:view:store') && !hasPermission(permissions, 'employee:view:all');
}

/** The `scope` of a role's policy: the part of the chain that the role sees. */
export function scopeOf(permissions: Permissions): string {
	if (permissions.has('*')) return 'all stores';
	if (isStoreScoped(permissions)) return 'current store';
	return hasBackOffice(permissions) ? 'by permission point' : 'no back-office menu by default';
}

function define({ code, title, description, groupTitle }: OwnPoint, groupKey: string) {
	return { code, title, description: description ?? '', groupKey, groupTitle };
}

const programDefinitions = programCodes.map((code) => {
	const group = groups[groupOf(code) as keyof typeof groups];
	return define({ ...points[code], code, groupTitle: group.title }, group.key);
});

/** The answer of GET /api/permissions/definitions. @param own the points of the chain, in order */
export function catalogWith(own: readonly OwnPoint[]) {
	const permissions = [...programDefinitions, ...own.map((point) => define(point, groupOf(point.code)))];
	const byGroup = Map.groupBy(permissions, ({ groupKey }) => groupKey);
	const inGroups = Array.from(byGroup, ([key, members]) => {
		return { key, title: members[0]?.groupTitle ?? key, permissions: members };
	});
	return { permissions, groups: inGroups, menus: menuDefinitions };
}

const menuDefinitions = menus.map(({ key, title, views, actions = allActions }) => ({
	key,
	title,
	permission: views[0],
	actions: [...actions],
	actionLabels,
}));

/** The definitions of the program alone. */
export const catalog = catalogWith([]);
