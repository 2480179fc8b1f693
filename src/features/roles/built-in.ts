/** The built-in roles. */
import type { Db } from '../../platform/database/open.ts';
import { transaction } from '../../platform/database/query.ts';
import { rolePermissions, roles } from '../../platform/database/schema.ts';
import type { ProgramCode } from '../../platform/vocabulary/permissions.ts';
import type { CreateRole } from './model.ts';

/** The pseudo role of the super administrator: no row in the database, never assignable. */
export const superAdministrator = {
	id: 0,
	code: 'super_admin',
	name: '超级管理员',
	description: '拥有全部权限，不可编辑',
} as const;

/** The initial roles of every installation, and their permissions. */
export const builtInRoles: readonly (CreateRole & { permissions: readonly ProgramCode[] })[] = [
	{
		code: 'admin',
		name: '管理员',
		description: '管理门店、角色、员工和权限',
		permissions: [
			'store:view',
			'store:manage',
			'role:view',
			'role:manage',
			'employee:view:all',
			'employee:manage',
			'permission:view',
			'permission:manage',
		],
	},
	{ code: 'store_manager', name: '店长', description: '查看本店员工', permissions: ['employee:view:store'] },
	{ code: 'cashier', name: '收银员', description: '门店收银', permissions: [] },
	{ code: 'kitchen', name: '后厨', description: '门店后厨', permissions: [] },
	{ code: 'part_time', name: '兼职', description: '门店兼职', permissions: [] },
];

/** Adds the built-in roles on the first start. Later starts change nothing: the chain may have changed their permissions. */
export function seedRoles(db: Db, at: string): void {
	transaction(db, () => {
		if (db.select({ id: roles.id }).from(roles).limit(1).get()) return;
		for (const { permissions, ...role } of builtInRoles) {
			const values = { ...role, isSystem: true, createdAt: at, updatedAt: at };
			const { id } = db.insert(roles).values(values).returning({ id: roles.id }).get();
			const granted = permissions.map((permission) => ({ roleId: id, permission, grantedAt: at }));
			if (granted.length > 0) db.insert(rolePermissions).values(granted).run();
		}
	});
}
