/**
 * The permission points: codes, groups, menus and what follows from them. Data and pure functions, no
 * database and no HTTP.
 */

interface Point {
	title: string;
	description: string;
	needs?: string;
}

/**
 * The assignable codes in the order in which every list of codes is given, with their texts and the code that each depends on.
 * What stands before the first colon makes its group.
 */
const points = {
	'store:view': { title: '查看门店', description: '查看门店列表、门店详情、门店选项和门店员工' },
	'store:manage': { title: '管理门店', description: '新增、编辑、禁用和删除门店', needs: 'store:view' },
	'role:view': { title: '查看角色', description: '查看角色列表和角色详情' },
	'role:manage': { title: '管理角色', description: '新增、编辑和删除自定义角色', needs: 'role:view' },
	'employee:view:all': { title: '查看全部员工', description: '查看所有门店的员工' },
	'employee:view:store': { title: '查看本店员工', description: '查看本人所属门店的员工' },
	'employee:manage': {
		title: '管理员工',
		description: '新增、编辑、启用、禁用、移除和删除员工，维护员工密码',
		needs: 'employee:view:all',
	},
	'permission:view': { title: '查看权限', description: '查看每个角色有哪些权限' },
	'permission:manage': { title: '分配权限', description: '为角色分配权限', needs: 'permission:view' },
} as const satisfies Record<`${'store' | 'role' | 'employee' | 'permission'}:${string}`, Point>;

/** A code that can be assigned to a role. */
export type PermissionCode = keyof typeof points;

export const permissionCodes = Object.keys(points) as [PermissionCode, ...PermissionCode[]];

/** The action names a menu can offer, with the label a back office shows. */
export const actionLabels = {
	view: '查看',
	create: '新增',
	update: '编辑',
	delete: '删除',
} as const;

export type Action = keyof typeof actionLabels;

const every = ['view', 'create', 'update', 'delete'] as const;

/**
 * Each menu with the codes that show it (the first one held is its `permission`) and the code that lets its holder write. It
 * is also the group of the codes that begin like these.
 */
const menus = [
	{ key: 'stores', title: '门店管理', views: ['store:view'], manage: 'store:manage', actions: every },
	{ key: 'roles', title: '角色管理', views: ['role:view'], manage: 'role:manage', actions: every },
	{
		key: 'employees',
		title: '员工管理',
		views: ['employee:view:all', 'employee:view:store'],
		manage: 'employee:manage',
		actions: every,
	},
	{
		key: 'permissions',
		title: '权限管理',
		icon: 'key',
		views: ['permission:view'],
		manage: 'permission:manage',
		actions: ['view', 'update'],
	},
] as const satisfies readonly {
	key: string;
	title: string;
	icon?: string;
	views: readonly [PermissionCode, ...PermissionCode[]];
	manage: PermissionCode;
	actions: readonly Action[];
}[];

/** What an account holds: `*` stands for every code and is the super administrator's alone. */
export type Permission = PermissionCode | '*';

/** What an account or a role holds, as a set. */
export type Permissions = ReadonlySet<Permission>;

/** Whether the holder of `permissions` passes a check for `code`; `*` passes every one. */
export function holds(permissions: Permissions, code: Permission): boolean {
	return permissions.has('*') || permissions.has(code);
}

/**
 * Whether `holder` has everything that `other` has, so that acting on `other` is not acting upward
 * (src/README.md, "Nobody acts upward"). Seeing all employees includes seeing those of one store.
 */
export function covers(holder: Permissions, other: Permissions): boolean {
	const seesAll = holds(holder, 'employee:view:all');
	return Array.from(other).every((code) => holds(holder, code) || (seesAll && code === 'employee:view:store'));
}

/** The given codes without duplicates, in the order of the definitions; `*` first. */
export function inOrder(permissions: Iterable<Permission>): Permission[] {
	const held = new Set(permissions);
	return held.has('*') ? ['*'] : permissionCodes.filter((code) => held.has(code));
}

/** The submitted codes plus those they depend on, in order. Who manages employees can see those of one store only. */
export function withDependencies(submitted: Iterable<PermissionCode>): PermissionCode[] {
	const given = new Set(submitted);
	const complete = new Set<string>(given);
	for (const code of given) {
		const { needs }: Point = points[code];
		const ownStoreOnly = code === 'employee:manage' && given.has('employee:view:store');
		if (needs && !ownStoreOnly) complete.add(needs);
	}
	return permissionCodes.filter((code) => complete.has(code));
}

/** Whether the holder sees any back-office menu, which the back-office login asks for. */
export function hasBackOffice(permissions: Permissions): boolean {
	return menus.some((menu) => menu.views.some((code) => holds(permissions, code)));
}

/** Whether the holder may change anything (`canManage` of an account). */
export function canManage(permissions: Permissions): boolean {
	return menus.some((menu) => holds(permissions, menu.manage));
}

/** The menus that the holder may see, each with the actions they may take. */
export function menusFor(permissions: Permissions) {
	return menus.flatMap((menu) => {
		const permission = menu.views.find((code) => holds(permissions, code));
		if (!permission) return [];
		const actions: Action[] = holds(permissions, menu.manage) ? [...menu.actions] : ['view'];
		return [{ key: menu.key, title: menu.title, ...('icon' in menu && { icon: menu.icon }), permission, actions }];
	});
}

/** Which part of the chain a role reaches: the `scope` of its policy. */
export function scopeOf(permissions: Permissions): string {
	if (permissions.has('*')) return 'all stores';
	if (permissions.has('employee:view:store') && !permissions.has('employee:view:all')) return 'current store';
	return hasBackOffice(permissions) ? 'by permission point' : 'no back-office menu by default';
}

/** Every assignable code with its texts, by menu. */
const groups = menus.map(({ key, title: groupTitle, manage }) => {
	const codes = permissionCodes.filter((code) => code.split(':')[0] === manage.split(':')[0]);
	const permissions = codes.map((code) => {
		const { title, description } = points[code];
		return { code, title, description, groupKey: key, groupTitle };
	});
	return { key, title: groupTitle, permissions };
});

/** The codes in a text that joins them by commas; none contains one. */
export function codesIn(text: string | null): Set<PermissionCode> {
	return new Set((text?.split(',') ?? []).filter(isCode));
}

function isCode(text: string): text is PermissionCode {
	return Object.hasOwn(points, text);
}

/** What GET /api/permissions/definitions answers. */
export const catalog = {
	permissions: groups.flatMap(({ permissions }) => permissions),
	groups,
	menus: menus.map(({ key, title, views, actions }) => ({
		key,
		title,
		permission: views[0],
		actions: [...actions] as Action[],
		actionLabels,
	})),
};
