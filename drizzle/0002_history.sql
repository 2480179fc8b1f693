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
	`kind_sequence` integer NOT NULL,
	`actor_sequence` integer NOT NULL,
	`target_sequence` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX `history_kind` ON `history` (`actor_type`,`action`,`id`,`kind_sequence`);--> statement-breakpoint
CREATE INDEX `history_actor` ON `history` (`actor_type`,`actor_id`,`action`,`id`,`actor_sequence`);--> statement-breakpoint
CREATE INDEX `history_target` ON `history` (`target_type`,`target_id`,`id`,`target_sequence`) WHERE "history"."target_type" is not null;--> statement-breakpoint
CREATE TABLE `history_character_counts` (
	`character` text NOT NULL,
	`block` integer NOT NULL,
	`kind` text NOT NULL,
	`total` integer NOT NULL,
	PRIMARY KEY(`character`, `block`, `kind`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `history_state` (
	`id` integer PRIMARY KEY NOT NULL,
	`indexed_to` integer NOT NULL,
	`kept_from` integer NOT NULL,
	CONSTRAINT "history_state_single" CHECK("history_state"."id" = 1)
) STRICT;
--> statement-breakpoint
CREATE INDEX `employees_initial_password` ON `employees` (`store_id`,`id`) WHERE "employees"."password_is_initial" = 1 and "employees"."deleted_at" is null;--> statement-breakpoint
INSERT INTO `history_state` VALUES (1, 0, 0);--> statement-breakpoint
CREATE VIRTUAL TABLE `history_search` USING fts5(parts, tokenize = 'ascii', content = '', contentless_delete = 1, detail = none);--> statement-breakpoint
-- deletemerge=0: a merge that deletions trigger rewrites whole segments, which takes up to a quarter of a second. Deleted
-- entries are dropped by ordinary merges instead, a few pages at a time.
INSERT INTO `history_search` (`history_search`, `rank`) VALUES ('deletemerge', 0);--> statement-breakpoint
CREATE TRIGGER `history_no_update` BEFORE UPDATE ON `history` BEGIN
	SELECT RAISE(ABORT, 'the history is append-only');
END;--> statement-breakpoint
-- INSERT OR REPLACE fires neither the update nor the delete trigger, so it needs its own guard.
CREATE TRIGGER `history_no_replace` BEFORE INSERT ON `history`
WHEN new.id <> -1 AND new.id <= (SELECT max(`id`) FROM `history`) BEGIN
	SELECT RAISE(ABORT, 'the history is append-only');
END;--> statement-breakpoint
-- Only records that are too old can be deleted, and only from the oldest end.
CREATE TRIGGER `history_no_delete` BEFORE DELETE ON `history`
WHEN old.id >= (SELECT `kept_from` FROM `history_state`) BEGIN
	SELECT RAISE(ABORT, 'the history is append-only');
END;--> statement-breakpoint
CREATE TRIGGER `history_kept_from` BEFORE UPDATE OF `kept_from` ON `history_state`
WHEN new.kept_from < old.kept_from OR new.kept_from > (SELECT max(`id`) FROM `history`) BEGIN
	SELECT RAISE(ABORT, 'the history is append-only');
END;--> statement-breakpoint
CREATE TRIGGER `history_state_no_delete` BEFORE DELETE ON `history_state` BEGIN
	SELECT RAISE(ABORT, 'the history is append-only');
END;--> statement-breakpoint
CREATE TRIGGER `history_state_no_replace` BEFORE INSERT ON `history_state`
WHEN EXISTS (SELECT 1 FROM `history_state`) BEGIN
	SELECT RAISE(ABORT, 'the history is append-only');
END;
