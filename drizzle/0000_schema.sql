-- The schema of version 1.0.0 without its search engine, which 0005 drops from the databases that have one. drizzle-kit generated the
-- tables and their indexes; STRICT and what follows them is written by hand.
CREATE TABLE `administrators` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`username` text NOT NULL,
	`password_hash` text NOT NULL,
	`token_version` integer DEFAULT 1 NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`password_changed_at` text
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `administrators_username` ON `administrators` (`username`);--> statement-breakpoint
CREATE TABLE `employee_roles` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`employee_id` integer NOT NULL,
	`role_id` integer NOT NULL,
	`bound_at` text NOT NULL,
	`unbound_at` text,
	`ends_on` text,
	FOREIGN KEY (`employee_id`) REFERENCES `employees`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`role_id`) REFERENCES `roles`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `employee_roles_pair_live` ON `employee_roles` (`employee_id`,`role_id`) WHERE "employee_roles"."unbound_at" is null;--> statement-breakpoint
CREATE INDEX `employee_roles_ending` ON `employee_roles` (`ends_on`,`employee_id`) WHERE "employee_roles"."ends_on" is not null and "employee_roles"."unbound_at" is null;--> statement-breakpoint
CREATE INDEX `employee_roles_role_live` ON `employee_roles` (`role_id`) WHERE "employee_roles"."unbound_at" is null;--> statement-breakpoint
CREATE TABLE `employees` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`store_id` integer NOT NULL,
	`name` text NOT NULL,
	`phone` text NOT NULL,
	`password_hash` text NOT NULL,
	`password_is_initial` integer NOT NULL,
	`token_version` integer DEFAULT 1 NOT NULL,
	`status` text NOT NULL,
	`remark` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted_at` text,
	`password_changed_at` text,
	`password_expires_at` text,
	`last_sign_in_at` text,
	`leaves_on` text,
	FOREIGN KEY (`store_id`) REFERENCES `stores`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "employees_status" CHECK("employees"."status" in ('ACTIVE', 'INACTIVE')),
	CONSTRAINT "employees_password_is_initial" CHECK("employees"."password_is_initial" in (0, 1)),
	CONSTRAINT "employees_phone" CHECK("employees"."phone" glob '1[3-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]'),
	CONSTRAINT "employees_deleted_inactive" CHECK("employees"."deleted_at" is null or "employees"."status" = 'INACTIVE')
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `employees_phone_live` ON `employees` (`phone`) WHERE "employees"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `employees_store_live` ON `employees` (`store_id`,`id`,`status`) WHERE "employees"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `employees_initial_password` ON `employees` (`store_id`,`id`) WHERE "employees"."password_is_initial" = 1 and "employees"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `employees_leaving` ON `employees` (`status`,`leaves_on`,`id`) WHERE "employees"."leaves_on" is not null and "employees"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `employees_status_live` ON `employees` (`status`,`id`) WHERE "employees"."deleted_at" is null;--> statement-breakpoint
CREATE TABLE `history` (
	`id` integer PRIMARY KEY NOT NULL,
	`at` text NOT NULL,
	`action` text NOT NULL,
	`actor_type` text NOT NULL,
	`actor_id` integer,
	`actor_name` text NOT NULL,
	`address` text,
	`request_id` text,
	`target_type` text,
	`target_id` integer,
	`target_name` text,
	`changes` text NOT NULL,
	`reason` text,
	`count` integer NOT NULL,
	`group_id` integer,
	CONSTRAINT "history_id" CHECK("history"."id" > 0)
) STRICT;
--> statement-breakpoint
CREATE INDEX `history_group` ON `history` (`group_id`) WHERE "history"."group_id" is not null;--> statement-breakpoint
CREATE TABLE `installation` (
	`id` integer PRIMARY KEY NOT NULL,
	`token_epoch` text NOT NULL,
	`pruned_at` text,
	CONSTRAINT "installation_single" CHECK("installation"."id" = 1)
) STRICT;
--> statement-breakpoint
CREATE TABLE `role_permissions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`role_id` integer NOT NULL,
	`permission` text NOT NULL,
	`granted_at` text NOT NULL,
	`deleted_at` text,
	FOREIGN KEY (`role_id`) REFERENCES `roles`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `role_permissions_pair_live` ON `role_permissions` (`role_id`,`permission`) WHERE "role_permissions"."deleted_at" is null;--> statement-breakpoint
CREATE TABLE `roles` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`code` text NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`is_system` integer NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted_at` text,
	CONSTRAINT "roles_is_system" CHECK("roles"."is_system" in (0, 1)),
	CONSTRAINT "roles_super_admin" CHECK("roles"."code" <> 'super_admin')
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `roles_code_live` ON `roles` (`code`) WHERE "roles"."deleted_at" is null;--> statement-breakpoint
CREATE TABLE `second_factors` (
	`account_type` text NOT NULL,
	`account_id` integer NOT NULL,
	`secret` text NOT NULL,
	`enabled_at` text,
	`last_step` integer NOT NULL,
	`recovery_codes` text NOT NULL,
	PRIMARY KEY(`account_type`, `account_id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `sign_ins` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_type` text NOT NULL,
	`account_id` integer NOT NULL,
	`at` text NOT NULL,
	`address` text NOT NULL,
	`client` text
) STRICT;
--> statement-breakpoint
CREATE INDEX `sign_ins_account` ON `sign_ins` (`account_type`,`account_id`,`id`);--> statement-breakpoint
CREATE TABLE `stores` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`address` text,
	`phone` text,
	`status` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted_at` text,
	CONSTRAINT "stores_status" CHECK("stores"."status" in ('ACTIVE', 'INACTIVE'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `stores_name_live` ON `stores` (`name`) WHERE "stores"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `stores_status_live` ON `stores` (`status`) WHERE "stores"."deleted_at" is null;--> statement-breakpoint
-- No record is changed, replaced, or removed, but for the oldest.
CREATE TRIGGER `history_no_update` BEFORE UPDATE ON `history` BEGIN
	SELECT RAISE(ABORT, 'the history is append-only');
END;--> statement-breakpoint
CREATE TRIGGER `history_no_replace` BEFORE INSERT ON `history`
WHEN new.id <> -1 AND new.id <> (SELECT max(`id`) + 1 FROM `history`) BEGIN
	SELECT RAISE(ABORT, 'the history is append-only');
END;--> statement-breakpoint
CREATE TRIGGER `history_no_delete` BEFORE DELETE ON `history`
WHEN old.id <> (SELECT min(`id`) FROM `history`) OR old.id = (SELECT max(`id`) FROM `history`) BEGIN
	SELECT RAISE(ABORT, 'the history is append-only');
END;
