-- Lists of the people of several stores are read store by store, and moving a person leaves the index of everybody as it is.
DROP INDEX `employees_live`;--> statement-breakpoint
DROP INDEX `employees_store_live`;--> statement-breakpoint
CREATE INDEX `employees_live` ON `employees` (`id`,lower(name) || char(10) || phone,`status`,`password_is_initial`,`password_expires_at`,`last_sign_in_at`,`pinyin`,`deleted_at`) WHERE "employees"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `employees_store_live` ON `employees` (`store_id`,`id`,lower(name) || char(10) || phone,`status`,`password_is_initial`,`password_expires_at`,`last_sign_in_at`,`pinyin`,`deleted_at`) WHERE "employees"."deleted_at" is null;