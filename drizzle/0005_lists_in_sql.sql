-- Lists are read from the tables and their indexes. The search engine before goes, with its tokens, triggers and readings.
DROP TRIGGER IF EXISTS `employee_search_insert`;--> statement-breakpoint
DROP TRIGGER IF EXISTS `employee_search_update`;--> statement-breakpoint
DROP TRIGGER IF EXISTS `employee_search_bind`;--> statement-breakpoint
DROP TRIGGER IF EXISTS `employee_search_unbind`;--> statement-breakpoint
DROP VIEW IF EXISTS `employee_tokens`;--> statement-breakpoint
DROP VIEW IF EXISTS `history_tokens`;--> statement-breakpoint
DROP TABLE IF EXISTS `employee_search`;--> statement-breakpoint
DROP TABLE IF EXISTS `history_search`;--> statement-breakpoint
DROP TABLE IF EXISTS `employee_search_pending`;--> statement-breakpoint
DROP TABLE IF EXISTS `pinyin`;--> statement-breakpoint
DROP TABLE IF EXISTS `text_positions`;--> statement-breakpoint
-- Each person has what a list asks of them in an index; the program writes the pinyin of their name (`spellNames`).
DROP INDEX `employee_roles_role_live`;--> statement-breakpoint
CREATE INDEX `employee_roles_role_live` ON `employee_roles` (`role_id`,`employee_id`) WHERE "employee_roles"."unbound_at" is null;--> statement-breakpoint
DROP INDEX `employees_store_live`;--> statement-breakpoint
ALTER TABLE `employees` ADD `search_text` text GENERATED ALWAYS AS (lower(name) || char(10) || phone) VIRTUAL;--> statement-breakpoint
ALTER TABLE `employees` ADD `pinyin` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `employees_live` ON `employees` (`id`,`store_id`,`status`,`password_is_initial`,`password_expires_at`,`last_sign_in_at`,`search_text`,`pinyin`) WHERE "employees"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `employees_store_live` ON `employees` (`store_id`,`id`,`status`,`search_text`) WHERE "employees"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `employees_deleted` ON `employees` (`id`,`store_id`,`search_text`,`pinyin`) WHERE "employees"."deleted_at" is not null;--> statement-breakpoint
-- Each record of the history says itself what it is found by.
ALTER TABLE `history` RENAME TO `history_before`;--> statement-breakpoint
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
	`group_id` integer NOT NULL,
	`search_text` text NOT NULL,
	`changed` text,
	`left` integer NOT NULL,
	`moved` integer NOT NULL,
	`new_roles` integer NOT NULL,
	CONSTRAINT "history_id" CHECK("history"."id" > 0)
) STRICT;
--> statement-breakpoint
INSERT INTO `history` SELECT
	`id`, `at`, `action`, `actor_type`, `actor_id`, `actor_name`, `address`, `request_id`, `target_type`, `target_id`, `target_name`,
	`changes`, `reason`, `count`,
	coalesce(`group_id`, `id`),
	lower(concat_ws(char(10), `actor_name`, `target_name`, (
		SELECT concat_ws(char(10), value ->> 'before', value ->> 'after') FROM json_each(`changes`) WHERE value ->> 'field' = 'phone' LIMIT 1
	))),
	CASE
		WHEN `action` = 'ROLE_PERMISSIONS_REPLACE' THEN 'POLICY'
		WHEN `action` IN ('OWN_PASSWORD_CHANGE', 'SECOND_FACTOR_ENABLE', 'SECOND_FACTOR_DISABLE') THEN iif(`actor_type` = 'EMPLOYEE', 'EMPLOYEE', NULL)
		WHEN `action` <> 'APPROVAL' AND `target_type` IN ('EMPLOYEE', 'STORE', 'AREA', 'ROLE', 'PERMISSION_POINT') THEN `target_type`
	END,
	`target_type` IS 'EMPLOYEE' AND `action` <> 'EMPLOYEE_CREATE' AND EXISTS (
		SELECT 1 FROM json_each(`changes`) WHERE value ->> 'field' = 'status' AND value ->> 'before' = 'ACTIVE'
	),
	`action` = 'EMPLOYEE_UPDATE' AND EXISTS (SELECT 1 FROM json_each(`changes`) WHERE value ->> 'field' = 'storeId'),
	`action` IN ('EMPLOYEE_UPDATE', 'EMPLOYEE_ROLE_GIVE') AND EXISTS (
		SELECT 1 FROM json_each(`changes`) AS change, json_each(change.value -> 'after') AS held
		WHERE change.value ->> 'field' = 'roleIds' AND held.value NOT IN (SELECT value FROM json_each(change.value -> 'before') WHERE value IS NOT NULL)
	)
FROM `history_before` ORDER BY `id`;--> statement-breakpoint
DROP TABLE `history_before`;--> statement-breakpoint
DROP TABLE IF EXISTS `history_search_pending`;--> statement-breakpoint
CREATE INDEX `history_group` ON `history` (`group_id`);--> statement-breakpoint
CREATE INDEX `history_action` ON `history` (`action`,`group_id`);--> statement-breakpoint
CREATE INDEX `history_actor_type` ON `history` (`actor_type`,`group_id`);--> statement-breakpoint
CREATE INDEX `history_actor` ON `history` (`actor_id`,`group_id`,`actor_type`) WHERE "history"."actor_id" is not null;--> statement-breakpoint
CREATE INDEX `history_target_type` ON `history` (`target_type`,`group_id`) WHERE "history"."target_type" is not null;--> statement-breakpoint
CREATE INDEX `history_target` ON `history` (`target_id`,`group_id`,`target_type`) WHERE "history"."target_id" is not null;--> statement-breakpoint
CREATE INDEX `history_left` ON `history` (`group_id`) WHERE "history"."left" = 1;--> statement-breakpoint
CREATE INDEX `history_moved` ON `history` (`group_id`) WHERE "history"."moved" = 1;--> statement-breakpoint
CREATE INDEX `history_new_roles` ON `history` (`group_id`) WHERE "history"."new_roles" = 1;--> statement-breakpoint
CREATE INDEX `history_changed` ON `history` (`id`) WHERE "history"."changed" is not null;--> statement-breakpoint
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
END;
