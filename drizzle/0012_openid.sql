-- Programs also sign people in: such a program needs no key, and no end.
CREATE TABLE `__new_programs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`permissions` text NOT NULL,
	`store_id` integer,
	`ends_on` text,
	`key_hash` text,
	`previous_key_hash` text,
	`previous_key_until` text,
	`redirect_uris` text DEFAULT '[]' NOT NULL,
	`sign_out_uris` text DEFAULT '[]' NOT NULL,
	`is_public` integer DEFAULT false NOT NULL,
	`sign_in_permission` text,
	`secret_hash` text,
	`previous_secret_hash` text,
	`previous_secret_until` text,
	`last_used_at` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted_at` text,
	FOREIGN KEY (`store_id`) REFERENCES `stores`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "programs_is_public" CHECK("__new_programs"."is_public" in (0, 1))
) STRICT;
--> statement-breakpoint
INSERT INTO `__new_programs` (
	`id`, `name`, `permissions`, `store_id`, `ends_on`, `key_hash`, `previous_key_hash`, `previous_key_until`, `last_used_at`,
	`created_at`, `updated_at`, `deleted_at`
) SELECT
	`id`, `name`, `permissions`, `store_id`, `ends_on`, `key_hash`, `previous_key_hash`, `previous_key_until`, `last_used_at`,
	`created_at`, `updated_at`, `deleted_at`
FROM `programs`;
--> statement-breakpoint
DROP TABLE `programs`;--> statement-breakpoint
ALTER TABLE `__new_programs` RENAME TO `programs`;--> statement-breakpoint
CREATE UNIQUE INDEX `programs_name_live` ON `programs` (`name`) WHERE "programs"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX `programs_key` ON `programs` (`key_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `programs_previous_key` ON `programs` (`previous_key_hash`);--> statement-breakpoint
CREATE TABLE `openid_grants` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`program_id` integer NOT NULL,
	`session_id` integer NOT NULL,
	`account_type` text NOT NULL,
	`account_id` integer NOT NULL,
	`token_version` integer NOT NULL,
	`sign_in_id` integer NOT NULL,
	`signed_in_at` text NOT NULL,
	`scope` text NOT NULL,
	`nonce` text,
	`redirect_uri` text NOT NULL,
	`challenge` text NOT NULL,
	`code_hash` text NOT NULL,
	`is_redeemed` integer DEFAULT false NOT NULL,
	`family_hash` text,
	`refresh_hash` text,
	`created_at` text NOT NULL,
	`expires_at` text NOT NULL,
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "openid_grants_is_redeemed" CHECK("openid_grants"."is_redeemed" in (0, 1))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `openid_grants_code` ON `openid_grants` (`code_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `openid_grants_family` ON `openid_grants` (`family_hash`);--> statement-breakpoint
CREATE INDEX `openid_grants_session` ON `openid_grants` (`session_id`);--> statement-breakpoint
CREATE INDEX `openid_grants_expires_at` ON `openid_grants` (`expires_at`);--> statement-breakpoint
CREATE TABLE `openid_sessions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`cookie_hash` text NOT NULL,
	`account_type` text NOT NULL,
	`account_id` integer NOT NULL,
	`token_version` integer NOT NULL,
	`sign_in_id` integer NOT NULL,
	`signed_in_at` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `openid_sessions_cookie` ON `openid_sessions` (`cookie_hash`);--> statement-breakpoint
CREATE INDEX `openid_sessions_signed_in_at` ON `openid_sessions` (`signed_in_at`);