-- One-time passwords, second factors, and the newest sign-ins of each account instead of the networks that it is known at.
CREATE TABLE `second_factors` (
	`account_type` text NOT NULL,
	`account_id` integer NOT NULL,
	`secret` text NOT NULL,
	`enabled_at` text,
	`last_step` integer NOT NULL,
	`recovery_codes` text NOT NULL,
	PRIMARY KEY(`account_type`, `account_id`)
) STRICT, WITHOUT ROWID;--> statement-breakpoint
CREATE TABLE `sign_ins` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_type` text NOT NULL,
	`account_id` integer NOT NULL,
	`at` text NOT NULL,
	`address` text NOT NULL,
	`client` text
) STRICT;--> statement-breakpoint
CREATE INDEX `sign_ins_account` ON `sign_ins` (`account_type`,`account_id`,`id`);--> statement-breakpoint
DROP TABLE `sign_in_places`;--> statement-breakpoint
ALTER TABLE `employees` ADD `password_expires_at` text;