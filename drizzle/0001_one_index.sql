-- Employees and the history are found by one kind of index: a token for each suffix of a text, and for each property.
-- After this migration the program fills both.
DROP TABLE `employee_search`;--> statement-breakpoint
DROP TABLE `employee_counts`;--> statement-breakpoint
DROP TABLE `employee_part_counts`;--> statement-breakpoint
DROP TABLE `employee_store_counts`;--> statement-breakpoint
DROP TABLE `employee_role_counts`;--> statement-breakpoint
DROP TRIGGER `initial_password_insert`;--> statement-breakpoint
DROP TRIGGER `initial_password_update`;--> statement-breakpoint
DROP TABLE `initial_password_count`;--> statement-breakpoint
DROP TRIGGER `history_lookup`;--> statement-breakpoint
DROP VIEW `history_searchable`;--> statement-breakpoint
DROP TABLE `history_blocks`;--> statement-breakpoint
DROP TABLE `history_names`;--> statement-breakpoint
DROP TABLE `history_kinds`;--> statement-breakpoint
CREATE TABLE `employee_counts` (
	`store_id` integer NOT NULL,
	`status` text NOT NULL,
	`total` integer NOT NULL,
	PRIMARY KEY(`store_id`, `status`),
	CONSTRAINT "employee_counts_status" CHECK("employee_counts"."status" in ('ACTIVE', 'INACTIVE'))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `employee_counts`
	SELECT `store_id`, `status`, count(*) FROM `employees` WHERE `deleted_at` IS NULL GROUP BY `store_id`, `status`;--> statement-breakpoint
CREATE TRIGGER `employee_counts_insert` AFTER INSERT ON `employees` WHEN new.deleted_at IS NULL BEGIN
	INSERT INTO `employee_counts` VALUES (new.store_id, new.status, 1) ON CONFLICT DO UPDATE SET total = total + 1;
END;--> statement-breakpoint
CREATE TRIGGER `employee_counts_update` AFTER UPDATE OF `store_id`, `status`, `deleted_at` ON `employees` BEGIN
	UPDATE `employee_counts` SET total = total - 1
	WHERE old.deleted_at IS NULL AND store_id = old.store_id AND status = old.status;
	INSERT INTO `employee_counts` SELECT new.store_id, new.status, 1 WHERE new.deleted_at IS NULL
	ON CONFLICT DO UPDATE SET total = total + 1;
END;--> statement-breakpoint
-- The places in a text from which its suffixes begin.
CREATE TABLE `text_positions` (
	`position` integer PRIMARY KEY NOT NULL
) STRICT;
--> statement-breakpoint
INSERT INTO `text_positions`
	WITH RECURSIVE `places` (`position`) AS (SELECT 1 UNION ALL SELECT `position` + 1 FROM `places` WHERE `position` < 256)
	SELECT `position` FROM `places`;--> statement-breakpoint
-- The rows that changed in the present transaction, which indexes them before it ends. A trigger that wrote to a full-text table
-- itself would make SQLite write a segment for each row.
CREATE TABLE `employee_search_pending` (
	`id` integer PRIMARY KEY NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `history_search_pending` (
	`id` integer PRIMARY KEY NOT NULL
) STRICT;
--> statement-breakpoint
-- Every ASCII character but the space is part of a token, as all others are. `prefix` keeps a list for each beginning of a
-- token, so that a short keyword is found as fast as a long one. Merging is done by the program, never in a commit.
CREATE VIRTUAL TABLE `employee_search` USING fts5(
	tokens, content = '', contentless_delete = 1, detail = none, prefix = '1 2 3 4 5 6',
	tokenize = 'ascii tokenchars ''!"#$%&''''()*+,-./:;<=>?@[\]^_`{|}~'''
);--> statement-breakpoint
INSERT INTO `employee_search` (`employee_search`, `rank`) VALUES ('automerge', 0), ('crisismerge', 1000);--> statement-breakpoint
-- No text contains U+0080, which begins a property, or U+0081, which stands for a space. The tokenizer folds ASCII letters,
-- and so does the view, which the check compares with the index.
CREATE VIEW `employee_tokens` AS
SELECT
	employees.id AS id,
	concat_ws(
		' ',
		char(128) || 's' || store_id,
		CASE status WHEN 'INACTIVE' THEN char(128) || 'd' END,
		CASE password_is_initial WHEN 1 THEN char(128) || 'i' END,
		(SELECT group_concat(char(128) || 'r' || role_id, ' ') FROM employee_roles WHERE employee_id = employees.id AND unbound_at IS NULL),
		(SELECT group_concat(substr(replace(lower(name), ' ', char(129)), position), ' ') FROM text_positions WHERE position <= length(name)),
		(SELECT group_concat(substr(phone, position), ' ') FROM text_positions WHERE position <= length(phone))
	) AS tokens
FROM employees
WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE TRIGGER `employee_search_insert` AFTER INSERT ON `employees` BEGIN
	INSERT OR IGNORE INTO `employee_search_pending` VALUES (new.id);
END;--> statement-breakpoint
CREATE TRIGGER `employee_search_update`
AFTER UPDATE OF `store_id`, `name`, `phone`, `status`, `password_is_initial`, `deleted_at` ON `employees`
WHEN (new.store_id, new.name, new.phone, new.status, new.password_is_initial, new.deleted_at)
	IS NOT (old.store_id, old.name, old.phone, old.status, old.password_is_initial, old.deleted_at) BEGIN
	INSERT OR IGNORE INTO `employee_search_pending` VALUES (new.id);
END;--> statement-breakpoint
CREATE TRIGGER `employee_search_bind` AFTER INSERT ON `employee_roles` BEGIN
	INSERT OR IGNORE INTO `employee_search_pending` VALUES (new.employee_id);
END;--> statement-breakpoint
CREATE TRIGGER `employee_search_unbind` AFTER UPDATE OF `unbound_at` ON `employee_roles` BEGIN
	INSERT OR IGNORE INTO `employee_search_pending` VALUES (new.employee_id);
END;--> statement-breakpoint
CREATE VIRTUAL TABLE `history_search` USING fts5(
	tokens, content = '', contentless_delete = 1, detail = none, prefix = '1 2 3',
	tokenize = 'ascii tokenchars ''!"#$%&''''()*+,-./:;<=>?@[\]^_`{|}~'''
);--> statement-breakpoint
INSERT INTO `history_search` (`history_search`, `rank`) VALUES ('automerge', 0), ('crisismerge', 1000);--> statement-breakpoint
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
		(SELECT group_concat(substr(replace(lower(actor_name), ' ', char(129)), position), ' ') FROM text_positions WHERE position <= length(actor_name)),
		(SELECT group_concat(substr(replace(lower(target_name), ' ', char(129)), position), ' ') FROM text_positions WHERE position <= length(target_name))
	) AS tokens
FROM history;
--> statement-breakpoint
CREATE TRIGGER `history_search_insert` AFTER INSERT ON `history` BEGIN
	INSERT OR IGNORE INTO `history_search_pending` VALUES (new.id);
END;--> statement-breakpoint
CREATE TRIGGER `history_search_delete` AFTER DELETE ON `history` BEGIN
	INSERT OR IGNORE INTO `history_search_pending` VALUES (old.id);
END;
