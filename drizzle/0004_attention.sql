-- Who needs attention: the last sign-in, the last day, roles that end, and deleted people in the index. The history finds who left,
-- moved or got a role. After this migration the program fills both indexes.
ALTER TABLE `employee_roles` ADD `ends_on` text;--> statement-breakpoint
CREATE INDEX `employee_roles_ending` ON `employee_roles` (`ends_on`,`employee_id`) WHERE "employee_roles"."ends_on" is not null and "employee_roles"."unbound_at" is null;--> statement-breakpoint
ALTER TABLE `employees` ADD `last_sign_in_at` text;--> statement-breakpoint
ALTER TABLE `employees` ADD `leaves_on` text;--> statement-breakpoint
CREATE INDEX `employees_leaving` ON `employees` (`status`,`leaves_on`,`id`) WHERE "employees"."leaves_on" is not null and "employees"."deleted_at" is null;--> statement-breakpoint
DROP TRIGGER `employee_search_update`;--> statement-breakpoint
DROP VIEW `employee_tokens`;--> statement-breakpoint
DROP VIEW `history_tokens`;--> statement-breakpoint
UPDATE `employees` SET `last_sign_in_at` = `known`.`at`
	FROM (
		SELECT `actor_id`, max(`at`) AS `at` FROM `history`
		WHERE `action` = 'SIGN_IN' AND `actor_type` = 'EMPLOYEE' GROUP BY `actor_id`
	) AS `known`
	WHERE `known`.`actor_id` = `employees`.`id`;--> statement-breakpoint
-- A sign-in changes the tokens once a day (UTC). The day is a number of five digits, because `prefix` has a list for each beginning
-- of it. The tokens of deleted people begin with U+0080 and x, so that no search of the others finds them.
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
			(SELECT group_concat(substr(phone, position), ' ') FROM text_positions WHERE position <= length(phone))
		) AS tokens
	FROM employees
);
--> statement-breakpoint
CREATE TRIGGER `employee_search_update`
AFTER UPDATE OF `store_id`, `name`, `phone`, `status`, `password_is_initial`, `password_expires_at`, `last_sign_in_at`, `deleted_at` ON `employees`
WHEN (new.store_id, new.name, new.phone, new.status, new.password_is_initial, new.password_expires_at, substr(new.last_sign_in_at, 1, 10), new.deleted_at)
	IS NOT (old.store_id, old.name, old.phone, old.status, old.password_is_initial, old.password_expires_at, substr(old.last_sign_in_at, 1, 10), old.deleted_at) BEGIN
	INSERT OR IGNORE INTO `employee_search_pending` VALUES (new.id);
END;--> statement-breakpoint
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
		),
		(SELECT group_concat(substr(replace(lower(actor_name), ' ', char(129)), position), ' ') FROM text_positions WHERE position <= length(actor_name)),
		(SELECT group_concat(substr(replace(lower(target_name), ' ', char(129)), position), ' ') FROM text_positions WHERE position <= length(target_name)),
		(
			SELECT group_concat(substr(replace(lower(phone.value), ' ', char(129)), position), ' ')
			FROM json_each(history.changes) AS change
			CROSS JOIN json_each(json_array(change.value ->> 'before', change.value ->> 'after')) AS phone
			CROSS JOIN text_positions
			WHERE change.value ->> 'field' = 'phone' AND position <= length(phone.value)
		)
	) AS tokens
FROM history;
