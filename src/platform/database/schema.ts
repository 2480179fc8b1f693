/**
 * The tables. People's entries are never physically deleted: employees, stores, roles, role links and role permissions
 * are marked as deleted, and unique values are unique among the other rows.
 */
import { type SQL, sql } from 'drizzle-orm';
import {
	type AnySQLiteColumn,
	check,
	index,
	integer,
	primaryKey,
	type SQLiteColumn,
	sqliteTable,
	text,
	uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { accountTypes } from '../vocabulary/accounts.ts';
import {
	changeTypes,
	historyActions,
	historyActorTypes,
	historyTargetTypes,
	refusalReasons,
} from '../vocabulary/history.ts';
import type { PermissionCode } from '../vocabulary/permissions.ts';
import { employeeStatuses, storeStatuses } from '../vocabulary/status.ts';

/** AUTOINCREMENT never uses an id twice, so an old token can never identify another account. */
const id = () => integer().primaryKey({ autoIncrement: true });

/** ISO 8601 in UTC with milliseconds, written by the program's clock. */
const timestamps = {
	createdAt: text('created_at').notNull(),
	updatedAt: text('updated_at').notNull(),
};

/** The time of the soft deletion. Null while the row is in use. */
const deletedAt = () => text('deleted_at');

/** The id of a row in another table. */
const idOf = (column: string, target: () => AnySQLiteColumn) => integer(column).notNull().references(target);

/** The column has one of these words. */
const isOneOf = (column: AnySQLiteColumn, words: readonly string[]) =>
	sql`${column} in (${sql.raw(words.map((word) => `'${word}'`).join(', '))})`;

/** The password of an account, and the version of its tokens. */
const credentials = {
	passwordHash: text('password_hash').notNull(),
	/** The time of the last change or reset. Null for the first password. */
	passwordChangedAt: text('password_changed_at'),
	/** The end of a one-time password. Null for other passwords. */
	passwordExpiresAt: text('password_expires_at'),
	/** Part of every token of the account: raising it ends all earlier tokens. */
	tokenVersion: integer('token_version').notNull().default(1),
};

/** Super administrators. They are an account type, not a role. A deleted one leaves no row, only records of the history. */
export const administrators = sqliteTable(
	'administrators',
	{
		id: id(),
		username: text().notNull(),
		...credentials,
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
		/** The name that a super administrator gave the chain. Null: the setting CHAIN_NAME. */
		chainName: text('chain_name'),
	},
	(table) => [check('installation_single', sql`${table.id} = 1`)],
);

/** Parts of the chain. A store belongs to one area or none. */
export const areas = sqliteTable(
	'areas',
	{ id: id(), name: text().notNull(), ...timestamps, deletedAt: deletedAt() },
	(table) => [uniqueIndex('areas_name_live').on(table.name).where(sql`${table.deletedAt} is null`)],
);

export const stores = sqliteTable(
	'stores',
	{
		id: id(),
		name: text().notNull(),
		address: text(),
		phone: text(),
		status: text({ enum: storeStatuses }).notNull(),
		...timestamps,
		deletedAt: deletedAt(),
		areaId: integer('area_id').references(() => areas.id),
	},
	(table) => [
		index('stores_area_live').on(table.areaId).where(sql`${table.areaId} is not null and ${table.deletedAt} is null`),
		uniqueIndex('stores_name_live').on(table.name).where(sql`${table.deletedAt} is null`),
		index('stores_status_live').on(table.status).where(sql`${table.deletedAt} is null`),
		check('stores_status', isOneOf(table.status, storeStatuses)),
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

/** The text that keywords are searched in: name and phone on two lines, ASCII letters in lower case. */
export const searchText = sql`lower(name) || char(10) || phone`;

/**
 * The phone at the end of {@link searchText}, from the index of deleted employees. That has no phone of its own, so SQLite
 * would read the row of each of them.
 */
export const searchedPhone = sql`substr(${searchText}, -11)`;

export const employees = sqliteTable(
	'employees',
	{
		id: id(),
		storeId: idOf('store_id', () => stores.id),
		name: text().notNull(),
		phone: text().notNull(),
		/** The spellings of the name by `spellName`, written with the name. */
		pinyin: text().notNull().default(''),
		...credentials,
		/** Whether the password is still the initial password of the installation. */
		passwordIsInitial: integer('password_is_initial', { mode: 'boolean' }).notNull(),
		status: text({ enum: employeeStatuses }).notNull(),
		remark: text(),
		...timestamps,
		deletedAt: deletedAt(),
		lastSignInAt: text('last_sign_in_at'),
		/** The employee's last day, such as `2026-11-30`. The program disables the employee after it. */
		leavesOn: text('leaves_on'),
		/** The number of the employee's approvals. Each approval ends the code that made it. */
		approvalsGiven: integer('approvals_given').notNull().default(0),
		/** The number of the employee in another system, such as payroll. */
		externalId: text('external_id'),
	},
	(table) => {
		// With `deletedAt` at its end a partial index covers a query, which takes a seventh less.
		const filtered = [
			searchText,
			table.status,
			table.passwordIsInitial,
			table.passwordExpiresAt,
			table.lastSignInAt,
			table.pinyin,
			table.deletedAt,
		];
		const countIndex = (name: string, column: SQLiteColumn, is: SQL) =>
			index(name)
				.on(table.id, column, table.status, table.deletedAt)
				.where(sql`${column} ${is} and ${table.status} = 'ACTIVE' and ${table.deletedAt} is null`);
		return [
			uniqueIndex('employees_phone_live').on(table.phone).where(sql`${table.deletedAt} is null`),
			uniqueIndex('employees_external_id_live')
				.on(table.externalId)
				.where(sql`${table.externalId} is not null and ${table.deletedAt} is null`),
			// Lists of people are read from these indexes, which hold the filtered columns in the order of a list. The index of
			// everybody has no store, so that moving a person to another store leaves its pages as they are.
			index('employees_live')
				.on(table.id, ...filtered)
				.where(sql`${table.deletedAt} is null`),
			index('employees_store_live')
				.on(table.storeId, table.id, ...filtered)
				.where(sql`${table.deletedAt} is null`),
			// The counts of the overview are read from these. Those of enabled employees hold nobody else, because SQLite counts a
			// whole index several times as fast as the rows of one that pass a filter.
			index('employees_state_live')
				.on(table.status, table.storeId, table.passwordIsInitial, table.deletedAt)
				.where(sql`${table.deletedAt} is null`),
			countIndex('employees_initial_password', table.passwordIsInitial, sql`= 1`),
			countIndex('employees_password_expiry', table.passwordExpiresAt, sql`is not null`),
			countIndex('employees_never_signed_in', table.lastSignInAt, sql`is null`),
			countIndex('employees_signed_in', table.lastSignInAt, sql`is not null`),
			index('employees_deleted')
				.on(table.id, table.storeId, searchText, table.pinyin, table.externalId)
				.where(sql`${table.deletedAt} is not null`),
			index('employees_leaving')
				.on(table.status, table.leavesOn, table.id)
				.where(sql`${table.leavesOn} is not null and ${table.deletedAt} is null`),
			check('employees_status', isOneOf(table.status, employeeStatuses)),
			check('employees_password_is_initial', sql`${table.passwordIsInitial} in (0, 1)`),
			check('employees_phone', sql`${table.phone} glob '1[3-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]'`),
			check('employees_deleted_inactive', sql`${table.deletedAt} is null or ${table.status} = 'INACTIVE'`),
		];
	},
);

/** The roles of employees. An unbound link stays as a record. */
export const employeeRoles = sqliteTable(
	'employee_roles',
	{
		id: id(),
		employeeId: idOf('employee_id', () => employees.id),
		roleId: idOf('role_id', () => roles.id),
		boundAt: text('bound_at').notNull(),
		unboundAt: text('unbound_at'),
		/** The last day of a temporary role. The program unbinds the link after it. */
		endsOn: text('ends_on'),
	},
	(table) => [
		uniqueIndex('employee_roles_pair_live').on(table.employeeId, table.roleId).where(sql`${table.unboundAt} is null`),
		index('employee_roles_ending')
			.on(table.endsOn, table.employeeId)
			.where(sql`${table.endsOn} is not null and ${table.unboundAt} is null`),
		index('employee_roles_role_live')
			.on(table.roleId, table.employeeId, table.unboundAt)
			.where(sql`${table.unboundAt} is null`),
	],
);

/** The stores and areas granted to an employee besides their own store. A revoked grant stays as a record. */
export const employeeReach = sqliteTable(
	'employee_reach',
	{
		id: id(),
		employeeId: idOf('employee_id', () => employees.id),
		storeId: integer('store_id').references(() => stores.id),
		areaId: integer('area_id').references(() => areas.id),
		/** The last day of the grant, or null for a permanent one. The program revokes the grant after it. */
		endsOn: text('ends_on'),
		givenAt: text('given_at').notNull(),
		takenAt: text('taken_at'),
	},
	(table) => [
		uniqueIndex('employee_reach_store_live')
			.on(table.storeId, table.employeeId)
			.where(sql`${table.storeId} is not null and ${table.takenAt} is null`),
		uniqueIndex('employee_reach_area_live')
			.on(table.areaId, table.employeeId)
			.where(sql`${table.areaId} is not null and ${table.takenAt} is null`),
		index('employee_reach_employee').on(table.employeeId),
		index('employee_reach_ending')
			.on(table.endsOn)
			.where(sql`${table.endsOn} is not null and ${table.takenAt} is null`),
		check('employee_reach_one', sql`(${table.storeId} is null) <> (${table.areaId} is null)`),
	],
);

/** The permission codes of roles. A removed relation stays as a record. */
export const rolePermissions = sqliteTable(
	'role_permissions',
	{
		id: id(),
		roleId: idOf('role_id', () => roles.id),
		permission: text().$type<PermissionCode>().notNull(),
		grantedAt: text('granted_at').notNull(),
		deletedAt: deletedAt(),
	},
	(table) => [
		uniqueIndex('role_permissions_pair_live').on(table.roleId, table.permission).where(sql`${table.deletedAt} is null`),
	],
);

/** The chain's own permission points. The part before the first colon of a code is its group. */
export const points = sqliteTable(
	'points',
	{
		id: id(),
		code: text().$type<PermissionCode>().notNull(),
		title: text().notNull(),
		description: text(),
		/** The same for all points of a group. */
		groupTitle: text('group_title').notNull(),
		...timestamps,
		deletedAt: deletedAt(),
	},
	(table) => [uniqueIndex('points_code_live').on(table.code).where(sql`${table.deletedAt} is null`)],
);

/**
 * Programs that call with a key, sign people in through OpenID Connect, or both. A key and a client secret have 256
 * random bits, and only their hashes are stored.
 */
export const programs = sqliteTable(
	'programs',
	{
		id: id(),
		name: text().notNull(),
		/** The codes of the program. */
		permissions: text({ mode: 'json' }).$type<PermissionCode[]>().notNull(),
		/** The store of a program that sees one store only. */
		storeId: integer('store_id').references(() => stores.id),
		/** The last day on which it works. Null for none, which only a program without a key can have. */
		endsOn: text('ends_on'),
		/** The hash of the newest key. Null without a key, and when the program is deleted. */
		keyHash: text('key_hash'),
		/** The hash of the previous key. */
		previousKeyHash: text('previous_key_hash'),
		/** The time until which the previous key works. Null where it was ended at once. */
		previousKeyUntil: text('previous_key_until'),
		/** The addresses to which people return after signing in. Without any, the program signs nobody in. */
		redirectUris: text('redirect_uris', { mode: 'json' }).$type<string[]>().notNull().default([]),
		/** The addresses to which people return after signing out. */
		signOutUris: text('sign_out_uris', { mode: 'json' }).$type<string[]>().notNull().default([]),
		/** Whether it cannot keep a secret, like a page or an app. */
		isPublic: integer('is_public', { mode: 'boolean' }).notNull().default(false),
		/** The permission that people need to sign in through it. Null for everybody. */
		signInPermission: text('sign_in_permission').$type<PermissionCode>(),
		/** The hash of the newest client secret. Null without one. */
		secretHash: text('secret_hash'),
		/** The hash of the previous client secret, and the time until which it works. Null where it was ended at once. */
		previousSecretHash: text('previous_secret_hash'),
		previousSecretUntil: text('previous_secret_until'),
		lastUsedAt: text('last_used_at'),
		...timestamps,
		deletedAt: deletedAt(),
	},
	(table) => [
		uniqueIndex('programs_name_live').on(table.name).where(sql`${table.deletedAt} is null`),
		uniqueIndex('programs_key').on(table.keyHash),
		uniqueIndex('programs_previous_key').on(table.previousKeyHash),
		check('programs_is_public', sql`${table.isPublic} in (0, 1)`),
	],
);

/** The key of an account. */
const account = {
	accountType: text('account_type', { enum: accountTypes }).notNull(),
	accountId: integer('account_id').notNull(),
};

/** The account of a session or a grant of OpenID Connect. Another token version of the account ends both. */
const signedInAccount = {
	...account,
	tokenVersion: integer('token_version').notNull(),
	/** The sign-in, which ends the session or the grant when it ends, and its time. */
	signInId: integer('sign_in_id').notNull(),
	signedInAt: text('signed_in_at').notNull(),
};

/** The sessions of the sign-in page of OpenID Connect, each a cookie in one browser. One that ends is deleted. */
export const openidSessions = sqliteTable(
	'openid_sessions',
	{
		id: id(),
		/** The hash of the cookie. */
		cookieHash: text('cookie_hash').notNull(),
		...signedInAccount,
	},
	(table) => [
		uniqueIndex('openid_sessions_cookie').on(table.cookieHash),
		index('openid_sessions_signed_in_at').on(table.signedInAt),
	],
);

/**
 * The grant of a program for one sign-in: a code, then access tokens and, if it asked for them, refresh tokens. A grant
 * that ends is deleted.
 */
export const openidGrants = sqliteTable(
	'openid_grants',
	{
		id: id(),
		programId: idOf('program_id', () => programs.id),
		/** The session of the sign-in page, which can be over before the grant. */
		sessionId: integer('session_id').notNull(),
		...signedInAccount,
		scope: text().notNull(),
		nonce: text(),
		redirectUri: text('redirect_uri').notNull(),
		/** The challenge of PKCE. */
		challenge: text().notNull(),
		codeHash: text('code_hash').notNull(),
		/** Whether the code was used. */
		isRedeemed: integer('is_redeemed', { mode: 'boolean' }).notNull().default(false),
		/** The hash of the part that all refresh tokens of the grant share. */
		familyHash: text('family_hash'),
		/** The hash of the part that only the newest refresh token has. */
		refreshHash: text('refresh_hash'),
		createdAt: text('created_at').notNull(),
		expiresAt: text('expires_at').notNull(),
	},
	(table) => [
		uniqueIndex('openid_grants_code').on(table.codeHash),
		uniqueIndex('openid_grants_family').on(table.familyHash),
		index('openid_grants_session').on(table.sessionId),
		index('openid_grants_expires_at').on(table.expiresAt),
		check('openid_grants_is_redeemed', sql`${table.isRedeemed} in (0, 1)`),
	],
);

/** One row with a random text. Triggers replace the text after each change of points or of the codes of roles. */
export const permissionStamp = sqliteTable(
	'permission_stamp',
	{ id: integer().primaryKey(), value: text().notNull() },
	(table) => [check('permission_stamp_single', sql`${table.id} = 1`)],
);

/** The sign-ins of each account: those that last, and the newest 20. Each one is a session, which renewals continue. */
export const signIns = sqliteTable(
	'sign_ins',
	{
		id: id(),
		...account,
		at: text().notNull(),
		address: text().notNull(),
		/** The name of the browser or program that signed in: its own words, or from its `User-Agent`. */
		client: text(),
		/** The account's token version at the sign-in. */
		tokenVersion: integer('token_version').notNull().default(0),
		/** The end of its newest token. Empty after a sign-out, and for sign-ins before version 1.3. */
		endsAt: text('ends_at').notNull().default(''),
		/** Null for sign-ins before version 1.3. */
		lastUsedAt: text('last_used_at'),
	},
	(table) => [
		index('sign_ins_account').on(table.accountType, table.accountId, table.id),
		index('sign_ins_ending').on(table.accountType, table.accountId, table.endsAt),
	],
);

/** The second factor of an account: a TOTP secret and the recovery codes. */
export const secondFactors = sqliteTable(
	'second_factors',
	{
		...account,
		/** Encrypted with a key that is not in the database. */
		secret: text().notNull(),
		/** The time of the first code. Null before it, and sign-in then asks for none. */
		enabledAt: text('enabled_at'),
		/** The time step of the newest accepted code. Codes of this step and of older ones are refused. */
		lastStep: integer('last_step').notNull(),
		/** The hashes of the unused recovery codes. */
		recoveryCodes: text('recovery_codes', { mode: 'json' }).$type<string[]>().notNull(),
	},
	(table) => [primaryKey({ columns: [table.accountType, table.accountId] })],
);

/** The subject in the changes of an approval. */
export const subjectOf = (changes: AnySQLiteColumn) => sql`${changes} ->> '$[1].after'`;

/** The history, in the order of events. Triggers allow only the removal of the oldest records. */
export const history = sqliteTable(
	'history',
	{
		/** The id of the previous record plus one. The newest record is never removed, so no id is used twice. */
		id: integer().primaryKey(),
		/** Never earlier than the time of the previous record, whatever the clock does. */
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
		/** The changed fields, each with its value before and after. */
		changes: text({ mode: 'json' }).$type<{ field: string; before: unknown; after: unknown }[]>().notNull(),
		reason: text({ enum: refusalReasons }),
		count: integer().notNull(),
		/** The first record of the same request. The records of a request are consecutive. */
		groupId: integer('group_id').notNull(),
		/** The names of the actor and the target, and the phones in the changes, one per line, ASCII letters in lower case. */
		searchText: text('search_text').notNull(),
		/** The type of the change for a program that keeps a copy of the data. Null for no change. */
		changed: text({ enum: changeTypes }),
		/** Whether an employee left, moved to another store, or got a role. All three are false for a new employee. */
		left: integer({ mode: 'boolean' }).notNull(),
		moved: integer({ mode: 'boolean' }).notNull(),
		newRoles: integer('new_roles', { mode: 'boolean' }).notNull(),
	},
	(table) => [
		check('history_id', sql`${table.id} > 0`),
		// The indexes for lists continue with the group, the order of a list, and end with the id, which is part of every
		// index. Between them are the columns of other filters that most records may pass.
		index('history_group').on(table.groupId),
		index('history_action').on(table.action, table.groupId, table.actorType, table.targetType),
		index('history_actor_type').on(table.actorType, table.groupId),
		index('history_actor').on(table.actorId, table.groupId, table.actorType).where(sql`${table.actorId} is not null`),
		index('history_target_type')
			.on(table.targetType, table.groupId, table.actorType)
			.where(sql`${table.targetType} is not null`),
		index('history_target')
			.on(table.targetId, table.groupId, table.targetType)
			.where(sql`${table.targetId} is not null`),
		index('history_left').on(table.groupId).where(sql`${table.left} = 1`),
		index('history_moved').on(table.groupId).where(sql`${table.moved} = 1`),
		index('history_new_roles').on(table.groupId).where(sql`${table.newRoles} = 1`),
		index('history_changed').on(table.id).where(sql`${table.changed} is not null`),
		index('history_approved').on(subjectOf(table.changes)).where(sql`${table.action} = 'APPROVAL'`),
	],
);
