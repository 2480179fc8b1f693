CREATE TABLE `areas` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted_at` text
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `areas_name_live` ON `areas` (`name`) WHERE "areas"."deleted_at" is null;--> statement-breakpoint
CREATE TABLE `employee_reach` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`employee_id` integer NOT NULL,
	`store_id` integer,
	`area_id` integer,
	`ends_on` text,
	`given_at` text NOT NULL,
	`taken_at` text,
	FOREIGN KEY (`employee_id`) REFERENCES `employees`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`store_id`) REFERENCES `stores`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`area_id`) REFERENCES `areas`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "employee_reach_one" CHECK(("employee_reach"."store_id" is null) <> ("employee_reach"."area_id" is null))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `employee_reach_store_live` ON `employee_reach` (`store_id`,`employee_id`) WHERE "employee_reach"."store_id" is not null and "employee_reach"."taken_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX `employee_reach_area_live` ON `employee_reach` (`area_id`,`employee_id`) WHERE "employee_reach"."area_id" is not null and "employee_reach"."taken_at" is null;--> statement-breakpoint
CREATE INDEX `employee_reach_employee` ON `employee_reach` (`employee_id`);--> statement-breakpoint
CREATE INDEX `employee_reach_ending` ON `employee_reach` (`ends_on`) WHERE "employee_reach"."ends_on" is not null and "employee_reach"."taken_at" is null;--> statement-breakpoint
DROP INDEX `history_group`;--> statement-breakpoint
CREATE INDEX `history_group` ON `history` (`group_id`,`action`) WHERE "history"."group_id" is not null;--> statement-breakpoint
ALTER TABLE `stores` ADD `area_id` integer REFERENCES areas(id);--> statement-breakpoint
CREATE INDEX `stores_area_live` ON `stores` (`area_id`) WHERE "stores"."area_id" is not null and "stores"."deleted_at" is null;