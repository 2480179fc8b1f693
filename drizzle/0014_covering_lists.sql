-- Partial indexes cover the lists of people: each holds the column of its condition, and the searched text is an expression.
DROP INDEX `employee_roles_role_live`;--> statement-breakpoint
CREATE INDEX `employee_roles_role_live` ON `employee_roles` (`role_id`,`employee_id`,`unbound_at`) WHERE "employee_roles"."unbound_at" is null;--> statement-breakpoint
DROP INDEX `employees_live`;--> statement-breakpoint
DROP INDEX `employees_store_live`;--> statement-breakpoint
DROP INDEX `employees_state_live`;--> statement-breakpoint
DROP INDEX `employees_deleted`;--> statement-breakpoint
CREATE INDEX `employees_live` ON `employees` (`id`,lower(name) || char(10) || phone,`store_id`,`status`,`password_is_initial`,`password_expires_at`,`last_sign_in_at`,`pinyin`,`deleted_at`) WHERE "employees"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `employees_store_live` ON `employees` (`store_id`,`id`,`status`,lower(name) || char(10) || phone,`deleted_at`) WHERE "employees"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `employees_state_live` ON `employees` (`status`,`store_id`,`password_is_initial`,`password_expires_at`,`last_sign_in_at`,`deleted_at`) WHERE "employees"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `employees_deleted` ON `employees` (`id`,`store_id`,lower(name) || char(10) || phone,`pinyin`,`external_id`) WHERE "employees"."deleted_at" is not null;--> statement-breakpoint
ALTER TABLE `employees` DROP COLUMN `search_text`;