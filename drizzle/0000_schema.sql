-- The schema of version 1.0.0. drizzle-kit generated the tables and their indexes; STRICT and what follows them is written by hand.
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
CREATE TABLE `employee_counts` (
	`store_id` integer NOT NULL,
	`status` text NOT NULL,
	`total` integer NOT NULL,
	PRIMARY KEY(`store_id`, `status`),
	CONSTRAINT "employee_counts_status" CHECK("employee_counts"."status" in ('ACTIVE', 'INACTIVE'))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
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
CREATE TABLE `employee_search_pending` (
	`id` integer PRIMARY KEY NOT NULL
) STRICT;
--> statement-breakpoint
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
CREATE TABLE `history_search_pending` (
	`id` integer PRIMARY KEY NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `installation` (
	`id` integer PRIMARY KEY NOT NULL,
	`token_epoch` text NOT NULL,
	`pruned_at` text,
	CONSTRAINT "installation_single" CHECK("installation"."id" = 1)
) STRICT;
--> statement-breakpoint
CREATE TABLE `pinyin` (
	`character` text PRIMARY KEY NOT NULL,
	`reading` text NOT NULL,
	`surname` text
) STRICT, WITHOUT ROWID;
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
CREATE TABLE `text_positions` (
	`position` integer PRIMARY KEY NOT NULL
) STRICT;
--> statement-breakpoint
-- Triggers count the employees of each store, and of the chain as store 0.
CREATE TRIGGER `employee_counts_insert` AFTER INSERT ON `employees` WHEN new.deleted_at IS NULL BEGIN
	INSERT INTO `employee_counts` VALUES (new.store_id, new.status, 1), (0, new.status, 1)
	ON CONFLICT DO UPDATE SET total = total + 1;
END;--> statement-breakpoint
CREATE TRIGGER `employee_counts_update` AFTER UPDATE OF `store_id`, `status`, `deleted_at` ON `employees` BEGIN
	UPDATE `employee_counts` SET total = total - 1
	WHERE old.deleted_at IS NULL AND store_id IN (old.store_id, 0) AND status = old.status;
	INSERT INTO `employee_counts` SELECT value, new.status, 1 FROM json_each(json_array(new.store_id, 0)) WHERE new.deleted_at IS NULL
	ON CONFLICT DO UPDATE SET total = total + 1;
END;--> statement-breakpoint
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
END;--> statement-breakpoint
-- The search engine of 1.0.0, which 0005 drops. The databases of its time are compared with these statements; a new one needs no rows.
CREATE VIRTUAL TABLE `employee_search` USING fts5(
	tokens, content = '', contentless_delete = 1, detail = none, prefix = '1 2 3 4 5 6',
	tokenize = 'ascii tokenchars ''!"#$%&''''()*+,-./:;<=>?@[\]^_`{|}~'''
);--> statement-breakpoint
CREATE VIRTUAL TABLE `history_search` USING fts5(
	tokens, content = '', contentless_delete = 1, detail = none, prefix = '1 2 3',
	tokenize = 'ascii tokenchars ''!"#$%&''''()*+,-./:;<=>?@[\]^_`{|}~'''
);--> statement-breakpoint
CREATE TRIGGER `employee_search_insert` AFTER INSERT ON `employees` BEGIN
	INSERT OR IGNORE INTO `employee_search_pending` VALUES (new.id);
END;--> statement-breakpoint
CREATE TRIGGER `employee_search_update`
AFTER UPDATE OF `store_id`, `name`, `phone`, `status`, `password_is_initial`, `password_expires_at`, `last_sign_in_at`, `deleted_at` ON `employees`
WHEN (new.store_id, new.name, new.phone, new.status, new.password_is_initial, new.password_expires_at, substr(new.last_sign_in_at, 1, 10), new.deleted_at)
	IS NOT (old.store_id, old.name, old.phone, old.status, old.password_is_initial, old.password_expires_at, substr(old.last_sign_in_at, 1, 10), old.deleted_at) BEGIN
	INSERT OR IGNORE INTO `employee_search_pending` VALUES (new.id);
END;--> statement-breakpoint
CREATE TRIGGER `employee_search_bind` AFTER INSERT ON `employee_roles` BEGIN
	INSERT OR IGNORE INTO `employee_search_pending` VALUES (new.employee_id);
END;--> statement-breakpoint
CREATE TRIGGER `employee_search_unbind` AFTER UPDATE OF `unbound_at` ON `employee_roles` BEGIN
	INSERT OR IGNORE INTO `employee_search_pending` VALUES (new.employee_id);
END;--> statement-breakpoint
CREATE TRIGGER `history_search_insert` AFTER INSERT ON `history` BEGIN
	INSERT OR IGNORE INTO `history_search_pending` VALUES (new.id);
END;--> statement-breakpoint
CREATE TRIGGER `history_search_delete` AFTER DELETE ON `history` BEGIN
	INSERT OR IGNORE INTO `history_search_pending` VALUES (old.id);
END;--> statement-breakpoint
CREATE VIEW `employee_tokens` AS
SELECT
	id,
	CASE WHEN deleted_at IS NULL THEN tokens ELSE char(128) || 'x' || replace(tokens, ' ', ' ' || char(128) || 'x') END AS tokens
FROM (
	SELECT
		employees.id AS id,
		deleted_at,
		concat_ws(
			' ',
			char(128) || 's' || store_id,
			CASE status WHEN 'INACTIVE' THEN char(128) || 'd' END,
			CASE password_is_initial WHEN 1 THEN char(128) || 'i' END,
			char(128) || 'o' || lower(password_expires_at),
			char(128) || CASE WHEN last_sign_in_at IS NULL THEN 'n' ELSE 'l' || printf('%05d', unixepoch(substr(last_sign_in_at, 1, 10)) / 86400) END,
			coalesce(
				(SELECT group_concat(char(128) || 'r' || role_id, ' ') FROM employee_roles WHERE employee_id = employees.id AND unbound_at IS NULL),
				char(128) || 'w'
			),
			(SELECT group_concat(substr(replace(lower(name), ' ', char(129)), position), ' ') FROM text_positions WHERE position <= length(name)),
			(SELECT group_concat(substr(phone, position), ' ') FROM text_positions WHERE position <= length(phone)),
			(
				SELECT group_concat(
					nullif(
						concat_ws(
							' ',
							char(128) || 'p' || nullif(replace(substr(padded, 6 * position - 5), ' ', ''), ''),
							CASE WHEN position < length(name) THEN char(128) || 'p' || nullif(replace(substr(initials, position), ' ', ''), '') END
						),
						''
					),
					' '
				)
				FROM (
					SELECT group_concat(printf('%-6s', syllable), '') AS padded, group_concat(substr(syllable, 1, 1), '') AS initials
					FROM (
						SELECT coalesce(reading, CASE WHEN letter GLOB '[0-9a-z]' THEN letter END, ' ') AS syllable
						FROM (SELECT position, lower(substr(name, position, 1)) AS letter FROM text_positions WHERE position <= length(name))
						LEFT JOIN pinyin ON character = letter
						ORDER BY position
					)
				)
				CROSS JOIN text_positions
				WHERE position <= length(name)
			),
			(
				SELECT concat_ws(
					' ',
					char(128) || 'p' || concat(surname, (
						SELECT group_concat(coalesce(reading, lower(substr(name, following.position, 1))), '')
						FROM text_positions AS following LEFT JOIN pinyin ON character = substr(name, following.position, 1)
						WHERE following.position BETWEEN 2 AND length(name)
							AND (reading IS NOT NULL OR lower(substr(name, following.position, 1)) GLOB '[0-9a-z]')
					)),
					char(128) || 'p' || concat(substr(surname, 1, 1), (
						SELECT group_concat(substr(coalesce(reading, lower(substr(name, following.position, 1))), 1, 1), '')
						FROM text_positions AS following LEFT JOIN pinyin ON character = substr(name, following.position, 1)
						WHERE following.position BETWEEN 2 AND length(name)
							AND (reading IS NOT NULL OR lower(substr(name, following.position, 1)) GLOB '[0-9a-z]')
					))
				) FROM pinyin WHERE character = substr(name, 1, 1) AND surname IS NOT NULL
			)
		) AS tokens
	FROM employees
);--> statement-breakpoint
CREATE VIEW `history_tokens` AS
SELECT
	history.id AS id,
	concat_ws(
		' ',
		char(128) || 'a' || lower(action),
		char(128) || 'b' || lower(actor_type),
		char(128) || 'c' || actor_id,
		char(128) || 'd' || lower(target_type),
		char(128) || 'e' || target_id,
		CASE WHEN group_id IS NULL THEN char(128) || 'f' END,
		CASE WHEN action <> 'EMPLOYEE_CREATE' THEN
			(
				SELECT group_concat(char(128) || CASE change.value ->> 'field' WHEN 'status' THEN 'gleft' WHEN 'storeId' THEN 'gmoved' ELSE 'grole' END, ' ')
				FROM json_each(history.changes) AS change
				WHERE target_type = 'EMPLOYEE' AND CASE change.value ->> 'field'
					WHEN 'status' THEN change.value ->> 'before' = 'ACTIVE'
					WHEN 'storeId' THEN action = 'EMPLOYEE_UPDATE'
					WHEN 'roleIds' THEN action IN ('EMPLOYEE_UPDATE', 'EMPLOYEE_ROLE_GIVE') AND EXISTS (
						SELECT 1 FROM json_each(change.value -> 'after') AS held
						WHERE held.value NOT IN (SELECT value FROM json_each(change.value -> 'before'))
					)
				END
			)
		END,
		(SELECT group_concat(substr(replace(lower(actor_name), ' ', char(129)), position), ' ') FROM text_positions WHERE position <= length(actor_name)),
		(SELECT group_concat(substr(replace(lower(target_name), ' ', char(129)), position), ' ') FROM text_positions WHERE position <= length(target_name)),
		(
			SELECT concat_ws(
				' ',
				(SELECT group_concat(substr(earlier, position), ' ') FROM text_positions WHERE position <= length(earlier)),
				(SELECT group_concat(substr(later, position), ' ') FROM text_positions WHERE position <= length(later))
			)
			FROM (
				SELECT
					replace(lower(value ->> 'before'), ' ', char(129)) AS earlier,
					replace(lower(value ->> 'after'), ' ', char(129)) AS later
				FROM json_each(history.changes)
				WHERE value ->> 'field' = 'phone'
				LIMIT 1
			)
		)
	) AS tokens
FROM history;
