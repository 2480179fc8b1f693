CREATE TABLE `programs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`permissions` text NOT NULL,
	`store_id` integer,
	`ends_on` text NOT NULL,
	`key_hash` text,
	`previous_key_hash` text,
	`previous_key_until` text,
	`last_used_at` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted_at` text,
	FOREIGN KEY (`store_id`) REFERENCES `stores`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `programs_name_live` ON `programs` (`name`) WHERE "programs"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX `programs_key` ON `programs` (`key_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `programs_previous_key` ON `programs` (`previous_key_hash`);