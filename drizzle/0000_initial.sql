CREATE TABLE `administrators` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`username` text NOT NULL,
	`password_hash` text NOT NULL,
	`token_version` integer DEFAULT 1 NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `administrators_username` ON `administrators` (`username`);--> statement-breakpoint
CREATE TABLE `employee_roles` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`employee_id` integer NOT NULL,
	`role_id` integer NOT NULL,
	`bound_at` text NOT NULL,
	`unbound_at` text,
	FOREIGN KEY (`employee_id`) REFERENCES `employees`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`role_id`) REFERENCES `roles`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `employee_roles_pair_live` ON `employee_roles` (`employee_id`,`role_id`) WHERE "employee_roles"."unbound_at" is null;--> statement-breakpoint
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
	FOREIGN KEY (`store_id`) REFERENCES `stores`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "employees_status" CHECK("employees"."status" in ('ACTIVE', 'INACTIVE')),
	CONSTRAINT "employees_password_is_initial" CHECK("employees"."password_is_initial" in (0, 1)),
	CONSTRAINT "employees_phone" CHECK("employees"."phone" glob '1[3-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]'),
	CONSTRAINT "employees_deleted_inactive" CHECK("employees"."deleted_at" is null or "employees"."status" = 'INACTIVE')
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `employees_phone_live` ON `employees` (`phone`) WHERE "employees"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `employees_store_live` ON `employees` (`store_id`,`id`) WHERE "employees"."deleted_at" is null;--> statement-breakpoint
CREATE TABLE `installation` (
	`id` integer PRIMARY KEY NOT NULL,
	`token_epoch` text NOT NULL,
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
CREATE UNIQUE INDEX `stores_name_live` ON `stores` (`name`) WHERE "stores"."deleted_at" is null;