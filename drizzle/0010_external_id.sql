DROP INDEX `employees_deleted`;--> statement-breakpoint
ALTER TABLE `employees` ADD `external_id` text;--> statement-breakpoint
CREATE UNIQUE INDEX `employees_external_id_live` ON `employees` (`external_id`) WHERE "employees"."external_id" is not null and "employees"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `employees_deleted` ON `employees` (`id`,`store_id`,`search_text`,`pinyin`,`external_id`) WHERE "employees"."deleted_at" is not null;