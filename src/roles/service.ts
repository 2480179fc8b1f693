/** The roles that employees hold (specification, sections 2 to 4). */
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Db } from '../database/open.ts';
import { readPage } from '../database/page.ts';
import {
	bound,
	count,
	matchesPattern,
	named,
	prepared,
	preparedByFilter,
	rejectingDuplicates,
	snapshot,
	statement,
	substring,
	transaction,
} from '../database/query.ts';
import { employeeRoles, rolePermissions, roles } from '../database/schema.ts';
import { AppError } from '../errors.ts';
import { recordChange } from '../history/record.ts';
import type { Page, Paging } from '../paging.ts';
import type { Caller } from '../session/actor.ts';
import { superAdministrator } from './built-in.ts';
import { roleMessages } from './messages.ts';
import type { CreateRole, Role, UpdateRole } from './model.ts';

const columns = {
	id: roles.id,
	code: roles.code,
	name: roles.name,
	description: roles.description,
	isSystem: roles.isSystem,
	createdAt: roles.createdAt,
	updatedAt: roles.updatedAt,
};
const live = isNull(roles.deletedAt);

const statements = prepared((db) => ({
	all: statement(db, db.select(named(columns)).from(roles).where(live).orderBy(roles.id)),
	byId: statement(
		db,
		db
			.select(named(columns))
			.from(roles)
			.where(and(live, eq(roles.id, bound('id')))),
	),
	anyBinding: statement(
		db,
		db
			.select(named({ id: employeeRoles.id }))
			.from(employeeRoles)
			.where(and(eq(employeeRoles.roleId, bound('id')), isNull(employeeRoles.unboundAt)))
			.limit(1),
	),
}));

type RoleRow = Omit<Role, 'isSystem'> & { isSystem: number };

function roleOf(row: RoleRow): Role {
	return { ...row, isSystem: row.isSystem === 1 };
}

/** Which roles a page is taken from. */
export interface RoleFilter {
	isSystem?: boolean | undefined;
	keyword?: string | undefined;
}

const pageStatements = preparedByFilter<RoleFilter, ReturnType<typeof buildPage>>(buildPage);

function buildPage(db: Db, given: (filter: keyof RoleFilter) => boolean) {
	const where = and(
		live,
		given('isSystem') ? eq(roles.isSystem, bound('isSystem')) : undefined,
		given('keyword') ? matchesPattern(roles.code, roles.name, roles.description) : undefined,
	);
	return {
		total: statement(db, db.select({ total: count() }).from(roles).where(where)),
		items: statement(
			db,
			db
				.select(named(columns))
				.from(roles)
				.where(where)
				.orderBy(roles.id)
				.limit(sql.placeholder('limit'))
				.offset(sql.placeholder('offset')),
		),
	};
}

/** Every role that is not deleted; the super administrator's pseudo role is not among them. */
export function listRoles(db: Db): Role[] {
	return statements(db).all.all().map(roleOf);
}

/** One page of the roles that pass the filter. */
export function listRolePage(db: Db, filter: RoleFilter, paging: Paging): Page<Role> {
	const values = { isSystem: filter.isSystem, pattern: substring(filter.keyword ?? '') };
	const { items, total } = snapshot(db, () => readPage(pageStatements(db, filter), values, paging));
	return { items: items.map(roleOf), total };
}

/** @throws AppError NOT_FOUND */
export function getRole(db: Db, id: number): Role {
	const role = statements(db).byId.get({ id });
	if (!role) throw new AppError('NOT_FOUND', roleMessages.notFound);
	return roleOf(role);
}

/** @throws AppError CONFLICT when the code is taken. */
export function createRole(db: Db, caller: Caller, { code, name, description = null }: CreateRole, at: string): Role {
	refuseReserved(code);
	return transaction(db, () => {
		const values = { code, name, description, isSystem: false, createdAt: at, updatedAt: at };
		const role = rejectingDuplicates(() => db.insert(roles).values(values).returning(columns).get(), codeTaken);
		recordChange(db, caller, 'ROLE_CREATE', { after: role }, told, at);
		return role;
	});
}

/** @throws AppError NOT_FOUND; CONFLICT when the role is built-in or the code is taken. */
export function updateRole(db: Db, caller: Caller, id: number, input: UpdateRole, at: string): Role {
	return transaction(db, () => {
		const before = findCustom(db, id);
		refuseReserved(input.code);
		rejectingDuplicates(
			() =>
				db
					.update(roles)
					.set({ ...input, updatedAt: at })
					.where(eq(roles.id, id))
					.run(),
			codeTaken,
		);
		const after = getRole(db, id);
		recordChange(db, caller, 'ROLE_UPDATE', { before, after }, told, at);
		return after;
	});
}

/** @throws AppError NOT_FOUND; CONFLICT when the role is built-in or an employee is bound to it. */
export function deleteRole(db: Db, caller: Caller, id: number, at: string): void {
	transaction(db, () => {
		const role = findCustom(db, id);
		if (statements(db).anyBinding.get({ id })) throw new AppError('CONFLICT', roleMessages.bound);
		db.update(roles).set({ deletedAt: at, updatedAt: at }).where(eq(roles.id, id)).run();
		db.update(rolePermissions)
			.set({ deletedAt: at })
			.where(and(eq(rolePermissions.roleId, id), isNull(rolePermissions.deletedAt)))
			.run();
		recordChange(db, caller, 'ROLE_DELETE', { before: role }, told, at);
	});
}

function findCustom(db: Db, id: number): Role {
	const role = getRole(db, id);
	if (role.isSystem) throw new AppError('CONFLICT', roleMessages.builtIn);
	return role;
}

/** The fields of a role that its history tells. */
function told({ code, name, description }: Role) {
	return { code, name, description };
}

/** The pseudo role has no row, so no index guards its code. */
function refuseReserved(code: string | undefined): void {
	if (code === superAdministrator.code) throw codeTaken();
}

function codeTaken(): AppError {
	return new AppError('CONFLICT', roleMessages.codeTaken);
}
