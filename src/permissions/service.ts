/** What each role may do. */
import { and, eq, inArray, isNull } from 'drizzle-orm';
import type { Db } from '../database/open.ts';
import { bound, queries, snapshot, transaction } from '../database/query.ts';
import { rolePermissions, roles } from '../database/schema.ts';
import { AppError } from '../errors.ts';
import { recordChange } from '../history/record.ts';
import { superAdministrator } from '../roles/built-in.ts';
import { type Role, roleMessages } from '../roles/model.ts';
import type { Caller } from '../session/actor.ts';
import {
	inOrder,
	menusFor,
	type Permission,
	type PermissionCode,
	type Permissions,
	scopeOf,
	withDependencies,
} from '../vocabulary/permissions.ts';
import type { PermissionPolicy } from './model.ts';

const columns = {
	id: roles.id,
	code: roles.code,
	name: roles.name,
	description: roles.description,
	isSystem: roles.isSystem,
};
const grants = { roleId: rolePermissions.roleId, permission: rolePermissions.permission };
const live = isNull(roles.deletedAt);
const granted = isNull(rolePermissions.deletedAt);

const read = queries(({ select }) => ({
	roles: select(columns).from(roles).where(live).orderBy(roles.id),
	role: select(columns)
		.from(roles)
		.where(and(live, eq(roles.id, bound('roleId')))),
	allPermissions: select(grants).from(rolePermissions).where(granted),
	permissions: select(grants)
		.from(rolePermissions)
		.where(and(eq(rolePermissions.roleId, bound('roleId')), granted)),
}));

/** The fields of a role that its policy shows. */
type RoleRow = Pick<Role, 'id' | 'code' | 'name' | 'description' | 'isSystem'>;

/** The policy of every role, the super administrator's first. */
export function listPolicies(db: Db): PermissionPolicy[] {
	return snapshot(db, () => {
		const held = Map.groupBy(read(db).allPermissions.all(), (row) => row.roleId);
		const policies = read(db)
			.roles.all()
			.map((role) => policyOf(role, new Set(held.get(role.id)?.map((row) => row.permission))));
		return [superAdministratorPolicy, ...policies];
	});
}

/**
 * Makes a role hold exactly the submitted codes and what they depend on; relations that are removed stay as records.
 * @throws AppError NOT_FOUND
 */
export function replacePermissions(
	db: Db,
	caller: Caller,
	roleId: number,
	submitted: readonly PermissionCode[],
	at: string,
): PermissionPolicy {
	return transaction(db, () => {
		const role = read(db).role.get({ roleId });
		if (!role) throw new AppError('NOT_FOUND', roleMessages.notFound);
		const held = new Set(
			read(db)
				.permissions.all({ roleId })
				.map((row) => row.permission),
		);
		const wanted = new Set(withDependencies(submitted));
		revoke(db, roleId, [...held.difference(wanted)], at);
		grant(db, roleId, [...wanted.difference(held)], at);
		const change = {
			before: { ...role, permissions: inOrder(held) },
			after: { ...role, permissions: inOrder(wanted) },
		};
		recordChange(db, caller, 'ROLE_PERMISSIONS_REPLACE', change, ({ permissions }) => ({ permissions }), at);
		return policyOf(role, wanted);
	});
}

function revoke(db: Db, roleId: number, codes: PermissionCode[], at: string): void {
	if (codes.length === 0) return;
	db.update(rolePermissions)
		.set({ deletedAt: at })
		.where(
			and(
				eq(rolePermissions.roleId, roleId),
				inArray(rolePermissions.permission, codes),
				isNull(rolePermissions.deletedAt),
			),
		)
		.run();
}

function grant(db: Db, roleId: number, codes: PermissionCode[], at: string): void {
	if (codes.length === 0) return;
	db.insert(rolePermissions)
		.values(codes.map((permission) => ({ roleId, permission, grantedAt: at })))
		.run();
}

const superAdministratorPolicy = policy({ ...superAdministrator, isSystem: true }, new Set<Permission>(['*']), false);

function policyOf(role: RoleRow, permissions: Permissions): PermissionPolicy {
	return policy(role, permissions, true);
}

function policy(role: RoleRow, permissions: Permissions, editable: boolean): PermissionPolicy {
	return {
		roleId: role.id,
		roleCode: role.code,
		roleName: role.name,
		roleDescription: role.description ?? '',
		isSystem: role.isSystem,
		editable,
		scope: scopeOf(permissions),
		permissions: inOrder(permissions),
		menus: menusFor(permissions).map(({ key, title, actions }) => ({ key, title, actions })),
	};
}
