-- The index of names is replaced by three small tables, which the triggers below keep current.
DROP TABLE `history_search`;--> statement-breakpoint
DROP TABLE `history_character_counts`;--> statement-breakpoint
DROP TABLE `history_state`;--> statement-breakpoint
CREATE TABLE `history_names` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `history_names_name` ON `history_names` (`name`);--> statement-breakpoint
CREATE TABLE `history_kinds` (
	`id` integer PRIMARY KEY NOT NULL,
	`actor_type` text NOT NULL,
	`action` text NOT NULL,
	`target_type` text NOT NULL,
	CONSTRAINT "history_kinds_id" CHECK("history_kinds"."id" between 1 and 255)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `history_kinds_kind` ON `history_kinds` (`actor_type`,`action`,`target_type`);--> statement-breakpoint
CREATE TABLE `history_blocks` (
	`last` integer PRIMARY KEY NOT NULL,
	`first` integer NOT NULL,
	`kinds` blob NOT NULL,
	`actor_names` blob NOT NULL,
	`target_names` blob NOT NULL,
	`actor_ids` blob NOT NULL,
	`target_ids` blob NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `__new_history` (
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
	CONSTRAINT "history_id" CHECK("__new_history"."id" > 0)
) STRICT;
--> statement-breakpoint
INSERT INTO `__new_history`("id", "at", "action", "actor_type", "actor_id", "actor_name", "address", "request_id", "target_type", "target_id", "target_name", "changes", "reason", "count") SELECT "id", "at", "action", "actor_type", "actor_id", "actor_name", "address", "request_id", "target_type", "target_id", "target_name", "changes", "reason", "count" FROM `history` ORDER BY "id";--> statement-breakpoint
DROP TABLE `history`;--> statement-breakpoint
ALTER TABLE `__new_history` RENAME TO `history`;--> statement-breakpoint
INSERT INTO `history_names` (`name`) SELECT `actor_name` FROM `history` UNION SELECT `target_name` FROM `history` WHERE `target_name` IS NOT NULL;--> statement-breakpoint
INSERT INTO `history_kinds` (`actor_type`, `action`, `target_type`) SELECT DISTINCT `actor_type`, `action`, coalesce(`target_type`, '') FROM `history`;--> statement-breakpoint
-- What can be searched of each record, as numbers.
CREATE VIEW `history_searchable` AS
SELECT
	history.id, kind.id AS kind, coalesce(actor_id, 0) AS actor_id, coalesce(target_id, 0) AS target_id,
	actor.id AS actor_name, coalesce(target.id, 0) AS target_name
FROM history
JOIN history_kinds AS kind ON kind.actor_type = history.actor_type
	AND kind.action = history.action AND kind.target_type = coalesce(history.target_type, '')
JOIN history_names AS actor ON actor.name = history.actor_name
LEFT JOIN history_names AS target ON target.name = history.target_name;
--> statement-breakpoint
-- Only full blocks: the records after the last one are searched in their rows.
INSERT INTO `history_blocks`
	SELECT
		max(id), min(id),
		unhex(group_concat(printf('%02x', kind), '' ORDER BY id)),
		unhex(group_concat(printf('%02x%02x%02x%02x', actor_name & 255, actor_name >> 8 & 255, actor_name >> 16 & 255, actor_name >> 24 & 255), '' ORDER BY id)),
		unhex(group_concat(printf('%02x%02x%02x%02x', target_name & 255, target_name >> 8 & 255, target_name >> 16 & 255, target_name >> 24 & 255), '' ORDER BY id)),
		unhex(group_concat(printf('%02x%02x%02x%02x', actor_id & 255, actor_id >> 8 & 255, actor_id >> 16 & 255, actor_id >> 24 & 255), '' ORDER BY id)),
		unhex(group_concat(printf('%02x%02x%02x%02x', target_id & 255, target_id >> 8 & 255, target_id >> 16 & 255, target_id >> 24 & 255), '' ORDER BY id))
	FROM history_searchable
	GROUP BY (id - 1) / 1024
	HAVING max(id) % 1024 = 0;
--> statement-breakpoint
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
-- INSERT OR REPLACE fires neither the update nor the delete trigger, so it needs its own guard. An id that SQLite is yet
-- to choose is -1 here. Ids without gaps are what the blocks and the totals rely on.
CREATE TRIGGER `history_no_replace` BEFORE INSERT ON `history`
WHEN new.id <> -1 AND new.id <> (SELECT max(`id`) + 1 FROM `history`) BEGIN
	SELECT RAISE(ABORT, 'the history is append-only');
END;--> statement-breakpoint
-- Only the oldest record can go, and never the newest: the next one is numbered after it.
CREATE TRIGGER `history_no_delete` BEFORE DELETE ON `history`
WHEN old.id <> (SELECT min(`id`) FROM `history`) OR old.id = (SELECT max(`id`) FROM `history`) BEGIN
	SELECT RAISE(ABORT, 'the history is append-only');
END;
