-- What versions 0.1 to 0.8 made, step by step: schema 8. A database of theirs has these statements word by word.
CREATE TABLE `administrators` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`username` text NOT NULL,
	`password_hash` text NOT NULL,
	`token_version` integer DEFAULT 1 NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
, `password_changed_at` text) STRICT;--> statement-breakpoint
CREATE TABLE `employee_roles` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`employee_id` integer NOT NULL,
	`role_id` integer NOT NULL,
	`bound_at` text NOT NULL,
	`unbound_at` text,
	FOREIGN KEY (`employee_id`) REFERENCES `employees`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`role_id`) REFERENCES `roles`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;--> statement-breakpoint
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
	`deleted_at` text, `password_changed_at` text,
	FOREIGN KEY (`store_id`) REFERENCES `stores`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "employees_status" CHECK("employees"."status" in ('ACTIVE', 'INACTIVE')),
	CONSTRAINT "employees_password_is_initial" CHECK("employees"."password_is_initial" in (0, 1)),
	CONSTRAINT "employees_phone" CHECK("employees"."phone" glob '1[3-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]'),
	CONSTRAINT "employees_deleted_inactive" CHECK("employees"."deleted_at" is null or "employees"."status" = 'INACTIVE')
) STRICT;--> statement-breakpoint
CREATE TABLE `installation` (
	`id` integer PRIMARY KEY NOT NULL,
	`token_epoch` text NOT NULL,
	CONSTRAINT "installation_single" CHECK("installation"."id" = 1)
) STRICT;--> statement-breakpoint
CREATE TABLE `role_permissions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`role_id` integer NOT NULL,
	`permission` text NOT NULL,
	`granted_at` text NOT NULL,
	`deleted_at` text,
	FOREIGN KEY (`role_id`) REFERENCES `roles`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;--> statement-breakpoint
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
) STRICT;--> statement-breakpoint
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
) STRICT;--> statement-breakpoint
CREATE TABLE `employee_part_counts` (
	`part` text PRIMARY KEY NOT NULL,
	`active` integer NOT NULL,
	`inactive` integer NOT NULL
) STRICT, WITHOUT ROWID;--> statement-breakpoint
CREATE VIRTUAL TABLE `employee_search` USING fts5(parts, tokenize = 'ascii', content = '', contentless_delete = 1, detail = none);--> statement-breakpoint
CREATE TABLE `employee_counts` (
	`block` integer PRIMARY KEY NOT NULL,
	`active` integer NOT NULL,
	`inactive` integer NOT NULL
) STRICT;--> statement-breakpoint
CREATE TABLE `history_names` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL
) STRICT;--> statement-breakpoint
CREATE TABLE `history_kinds` (
	`id` integer PRIMARY KEY NOT NULL,
	`actor_type` text NOT NULL,
	`action` text NOT NULL,
	`target_type` text NOT NULL,
	CONSTRAINT "history_kinds_id" CHECK("history_kinds"."id" between 1 and 255)
) STRICT;--> statement-breakpoint
CREATE TABLE `history_blocks` (
	`last` integer PRIMARY KEY NOT NULL,
	`first` integer NOT NULL,
	`kinds` blob NOT NULL,
	`actor_names` blob NOT NULL,
	`target_names` blob NOT NULL,
	`actor_ids` blob NOT NULL,
	`target_ids` blob NOT NULL
) STRICT;--> statement-breakpoint
CREATE TABLE "history" (
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
	CONSTRAINT "history_id" CHECK("history"."id" > 0)
) STRICT;--> statement-breakpoint
CREATE TABLE `sign_in_places` (
	`network` text NOT NULL,
	`account_type` text NOT NULL,
	`account_id` integer NOT NULL,
	`last_at` text NOT NULL,
	PRIMARY KEY(`network`, `account_type`, `account_id`)
) STRICT, WITHOUT ROWID;--> statement-breakpoint
CREATE TABLE `employee_role_counts` (
	`role_id` integer PRIMARY KEY NOT NULL,
	`active` integer NOT NULL,
	`inactive` integer NOT NULL
) STRICT;--> statement-breakpoint
CREATE TABLE `employee_store_counts` (
	`store_id` integer PRIMARY KEY NOT NULL,
	`active` integer NOT NULL,
	`inactive` integer NOT NULL
) STRICT;--> statement-breakpoint
CREATE TABLE `initial_password_count` (
	`id` integer PRIMARY KEY NOT NULL,
	`total` integer NOT NULL,
	CONSTRAINT "initial_password_count_single" CHECK("initial_password_count"."id" = 1)
) STRICT;--> statement-breakpoint
CREATE UNIQUE INDEX `administrators_username` ON `administrators` (`username`);--> statement-breakpoint
CREATE UNIQUE INDEX `employee_roles_pair_live` ON `employee_roles` (`employee_id`,`role_id`) WHERE "employee_roles"."unbound_at" is null;--> statement-breakpoint
CREATE INDEX `employee_roles_role_live` ON `employee_roles` (`role_id`) WHERE "employee_roles"."unbound_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX `employees_phone_live` ON `employees` (`phone`) WHERE "employees"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX `role_permissions_pair_live` ON `role_permissions` (`role_id`,`permission`) WHERE "role_permissions"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX `roles_code_live` ON `roles` (`code`) WHERE "roles"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX `stores_name_live` ON `stores` (`name`) WHERE "stores"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `employees_status_live` ON `employees` (`status`,`id`) WHERE "employees"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `employees_store_live` ON `employees` (`store_id`,`id`,`status`) WHERE "employees"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `stores_status_live` ON `stores` (`status`) WHERE "stores"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `employees_initial_password` ON `employees` (`store_id`,`id`) WHERE "employees"."password_is_initial" = 1 and "employees"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX `history_names_name` ON `history_names` (`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `history_kinds_kind` ON `history_kinds` (`actor_type`,`action`,`target_type`);--> statement-breakpoint
CREATE INDEX `sign_in_places_last_at` ON `sign_in_places` (`last_at`);--> statement-breakpoint
CREATE VIEW `history_searchable` AS
SELECT
	history.id, kind.id AS kind, coalesce(actor_id, 0) AS actor_id, coalesce(target_id, 0) AS target_id,
	actor.id AS actor_name, coalesce(target.id, 0) AS target_name
FROM history
JOIN history_kinds AS kind ON kind.actor_type = history.actor_type
	AND kind.action = history.action AND kind.target_type = coalesce(history.target_type, '')
JOIN history_names AS actor ON actor.name = history.actor_name
LEFT JOIN history_names AS target ON target.name = history.target_name;--> statement-breakpoint
CREATE TRIGGER `history_lookup` AFTER INSERT ON `history` BEGIN
	INSERT OR IGNORE INTO `history_names` (`name`) VALUES (new.actor_name);
	INSERT OR IGNORE INTO `history_names` (`name`) SELECT new.target_name WHERE new.target_name IS NOT NULL;
	INSERT OR IGNORE INTO `history_kinds` (`actor_type`, `action`, `target_type`)
	VALUES (new.actor_type, new.action, coalesce(new.target_type, ''));
	INSERT INTO `history_blocks`
		SELECT
			max(id), min(id),
			unhex(group_concat(printf('%02x', kind), '' ORDER BY id)),
			unhex(group_concat(printf('%02x%02x%02x%02x', actor_name & 255, actor_name >> 8 & 255, actor_name >> 16 & 255, actor_name >> 24 & 255), '' ORDER BY id)),
			unhex(group_concat(printf('%02x%02x%02x%02x', target_name & 255, target_name >> 8 & 255, target_name >> 16 & 255, target_name >> 24 & 255), '' ORDER BY id)),
			unhex(group_concat(printf('%02x%02x%02x%02x', actor_id & 255, actor_id >> 8 & 255, actor_id >> 16 & 255, actor_id >> 24 & 255), '' ORDER BY id)),
			unhex(group_concat(printf('%02x%02x%02x%02x', target_id & 255, target_id >> 8 & 255, target_id >> 16 & 255, target_id >> 24 & 255), '' ORDER BY id))
		FROM history_searchable
		WHERE new.id % 1024 = 0 AND id > coalesce((SELECT max(last) FROM history_blocks), 0)
		GROUP BY (id - 1) / 1024;
END;--> statement-breakpoint
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
END;--> statement-breakpoint
CREATE TRIGGER `initial_password_insert` AFTER INSERT ON `employees`
WHEN new.password_is_initial = 1 AND new.deleted_at IS NULL BEGIN
	UPDATE `initial_password_count` SET `total` = `total` + 1;
END;--> statement-breakpoint
CREATE TRIGGER `initial_password_update` AFTER UPDATE OF `password_is_initial`, `deleted_at` ON `employees`
WHEN (new.password_is_initial = 1 AND new.deleted_at IS NULL) <> (old.password_is_initial = 1 AND old.deleted_at IS NULL) BEGIN
	UPDATE `initial_password_count` SET `total` = `total` + CASE WHEN new.password_is_initial = 1 AND new.deleted_at IS NULL THEN 1 ELSE -1 END;
END;--> statement-breakpoint
INSERT INTO `employee_search` (`employee_search`, `rank`) VALUES ('automerge', 16);--> statement-breakpoint
INSERT INTO `initial_password_count` VALUES (1, 0);
