/**
 * The tables. Nothing that people entered is physically deleted: employees, stores, roles, role links and role
 * permissions are marked as deleted, and unique values are unique among the rows that are not.
 */
import { sql } from 'drizzle-orm';
import {
	type AnySQLiteColumn,
	check,
	index,
	integer,
	primaryKey,
	sqliteTable,
	text,
	uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { historyActions, historyActorTypes, historyTargetTypes } from '../vocabulary/history.ts';
import type { PermissionCode } from '../vocabulary/permissions.ts';
import { statuses } from '../vocabulary/status.ts';

/** AUTOINCREMENT: an id is never used again, so an old token can never identify another account. */
const id = () => integer().primaryKey({ autoIncrement: true });

/** ISO 8601 in UTC with milliseconds, written by the program's clock. */
const timestamps = {
	createdAt: text('created_at').notNull(),
	updatedAt: text('updated_at').notNull(),
};

/** When the row was soft-deleted; null while it is in use. */
const deletedAt = () => text('deleted_at');

/** Part of every token of the account: raising it ends all tokens issued before. */
const tokenVersion = () => integer('token_version').notNull().default(1);

const isStatus = (column: AnySQLiteColumn) => sql`${column} in ('ACTIVE', 'INACTIVE')`;

/** Super administrators: an account type of their own, not a role. */
export const administrators = sqliteTable(
	'administrators',
	{
		id: id(),
		username: text().notNull(),
		passwordHash: text('password_hash').notNull(),
		tokenVersion: tokenVersion(),
		...timestamps,
	},
	(table) => [uniqueIndex('administrators_username').on(table.username)],
);

/** Facts about this installation: one row. */
export const installation = sqliteTable(
	'installation',
	{
		id: integer().primaryKey(),
		/** Random, part of the signing key of every token. Restoring a backup replaces it, which ends all tokens. */
		tokenEpoch: text('token_epoch').notNull(),
	},
	(table) => [check('installation_single', sql`${table.id} = 1`)],
);

export const stores = sqliteTable(
	'stores',
	{
		id: id(),
		name: text().notNull(),
		address: text(),
		phone: text(),
		status: text({ enum: statuses }).notNull(),
		...timestamps,
		deletedAt: deletedAt(),
	},
	(table) => [
		uniqueIndex('stores_name_live').on(table.name).where(sql`${table.deletedAt} is null`),
		index('stores_status_live').on(table.status).where(sql`${table.deletedAt} is null`),
		check('stores_status', isStatus(table.status)),
	],
);

export const roles = sqliteTable(
	'roles',
	{
		id: id(),
		code: text().notNull(),
		name: text().notNull(),
		description: text(),
		isSystem: integer('is_system', { mode: 'boolean' }).notNull(),
		...timestamps,
		deletedAt: deletedAt(),
	},
	(table) => [
		uniqueIndex('roles_code_live').on(table.code).where(sql`${table.deletedAt} is null`),
		check('roles_is_system', sql`${table.isSystem} in (0, 1)`),
		check('roles_super_admin', sql`${table.code} <> 'super_admin'`),
	],
);

export const employees = sqliteTable(
	'employees',
	{
		id: id(),
		storeId: integer('store_id')
			.notNull()
			.references(() => stores.id),
		name: text().notNull(),
		phone: text().notNull(),
		passwordHash: text('password_hash').notNull(),
		/** Whether the password is still the initial password of the installation. */
		passwordIsInitial: integer('password_is_initial', { mode: 'boolean' }).notNull(),
		tokenVersion: tokenVersion(),
		status: text({ enum: statuses }).notNull(),
		remark: text(),
		...timestamps,
		deletedAt: deletedAt(),
	},
	(table) => [
		uniqueIndex('employees_phone_live').on(table.phone).where(sql`${table.deletedAt} is null`),
		index('employees_store_live').on(table.storeId, table.id, table.status).where(sql`${table.deletedAt} is null`),
		index('employees_initial_password')
			.on(table.storeId, table.id)
			.where(sql`${table.passwordIsInitial} = 1 and ${table.deletedAt} is null`),
		index('employees_status_live').on(table.status, table.id).where(sql`${table.deletedAt} is null`),
		check('employees_status', isStatus(table.status)),
		check('employees_password_is_initial', sql`${table.passwordIsInitial} in (0, 1)`),
		check('employees_phone', sql`${table.phone} glob '1[3-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]'`),
		check('employees_deleted_inactive', sql`${table.deletedAt} is null or ${table.status} = 'INACTIVE'`),
	],
);

/** How many employees that are not deleted there are in each block of 8,192 consecutive ids. */
export const employeeCounts = sqliteTable('employee_counts', {
	block: integer().primaryKey(),
	active: integer().notNull(),
	inactive: integer().notNull(),
});

/** How many employees that are not deleted have a part of one or two characters in their name or phone. */
export const employeePartCounts = sqliteTable('employee_part_counts', {
	part: text().primaryKey(),
	active: integer().notNull(),
	inactive: integer().notNull(),
});

/** Which employee holds which role. An unbound link stays as a record. */
export const employeeRoles = sqliteTable(
	'employee_roles',
	{
		id: id(),
		employeeId: integer('employee_id')
			.notNull()
			.references(() => employees.id),
		roleId: integer('role_id')
			.notNull()
			.references(() => roles.id),
		boundAt: text('bound_at').notNull(),
		unboundAt: text('unbound_at'),
	},
	(table) => [
		uniqueIndex('employee_roles_pair_live').on(table.employeeId, table.roleId).where(sql`${table.unboundAt} is null`),
		index('employee_roles_role_live').on(table.roleId).where(sql`${table.unboundAt} is null`),
	],
);

/** Which role holds which permission code. A removed relation stays as a record. */
export const rolePermissions = sqliteTable(
	'role_permissions',
	{
		id: id(),
		roleId: integer('role_id')
			.notNull()
			.references(() => roles.id),
		permission: text().$type<PermissionCode>().notNull(),
		grantedAt: text('granted_at').notNull(),
		deletedAt: deletedAt(),
	},
	(table) => [
		uniqueIndex('role_permissions_pair_live').on(table.roleId, table.permission).where(sql`${table.deletedAt} is null`),
	],
);

/**
 * What happened, in the order in which it happened. Triggers refuse every change of it but the removal of its oldest
 * records. The sequence columns number the records of one kind, one actor and one target: so a count of any length is
 * the difference of two numbers.
 */
export const history = sqliteTable(
	'history',
	{
		/** One more than that of the record before it; the newest is never removed, so none is given twice. */
		id: integer().primaryKey(),
		/** Never before that of the record before it, whatever the clock does. */
		at: text().notNull(),
		action: text({ enum: historyActions }).notNull(),
		actorType: text('actor_type', { enum: historyActorTypes }).notNull(),
		actorId: integer('actor_id'),
		actorName: text('actor_name').notNull(),
		address: text(),
		requestId: text('request_id'),
		targetType: text('target_type', { enum: historyTargetTypes }),
		targetId: integer('target_id'),
		targetName: text('target_name'),
		/** JSON: a list of fields, each with its value before and after. */
		changes: text().notNull(),
		reason: text(),
		count: integer().notNull(),
		kindSequence: integer('kind_sequence').notNull(),
		actorSequence: integer('actor_sequence').notNull(),
		targetSequence: integer('target_sequence'),
	},
	(table) => [
		// Each holds all that paging and counting need, so that neither looks at the table.
		index('history_kind').on(table.actorType, table.action, table.id, table.kindSequence),
		index('history_actor').on(table.actorType, table.actorId, table.action, table.id, table.actorSequence),
		index('history_target')
			.on(table.targetType, table.targetId, table.id, table.targetSequence)
			.where(sql`${table.targetType} is not null`),
	],
);

/** How far the work on the history has come: one row. */
export const historyState = sqliteTable(
	'history_state',
	{
		id: integer().primaryKey(),
		/** Records up to this one are in the index of names. */
		indexedTo: integer('indexed_to').notNull(),
		/** Records before this one may be removed. */
		keptFrom: integer('kept_from').notNull(),
	},
	(table) => [check('history_state_single', sql`${table.id} = 1`)],
);

/**
 * How many indexed records of a kind, which is an actor's type and an action, have a character in the names they tell: in
 * each block of as many ids.
 */
export const historyCharacterCounts = sqliteTable(
	'history_character_counts',
	{
		character: text().notNull(),
		block: integer().notNull(),
		kind: text().notNull(),
		total: integer().notNull(),
	},
	(table) => [primaryKey({ columns: [table.character, table.block, table.kind] })],
);
