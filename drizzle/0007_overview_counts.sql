-- After this migration the program builds the search index and its counts again.
CREATE TABLE `employee_role_counts` (
	`role_id` integer PRIMARY KEY NOT NULL,
	`active` integer NOT NULL,
	`inactive` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `employee_store_counts` (
	`store_id` integer PRIMARY KEY NOT NULL,
	`active` integer NOT NULL,
	`inactive` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `initial_password_count` (
	`id` integer PRIMARY KEY NOT NULL,
	`total` integer NOT NULL,
	CONSTRAINT "initial_password_count_single" CHECK("initial_password_count"."id" = 1)
) STRICT;
--> statement-breakpoint
INSERT INTO `initial_password_count` SELECT 1, count(*) FROM `employees` WHERE `password_is_initial` = 1 AND `deleted_at` IS NULL;--> statement-breakpoint
CREATE TRIGGER `initial_password_insert` AFTER INSERT ON `employees`
WHEN new.password_is_initial = 1 AND new.deleted_at IS NULL BEGIN
	UPDATE `initial_password_count` SET `total` = `total` + 1;
END;--> statement-breakpoint
CREATE TRIGGER `initial_password_update` AFTER UPDATE OF `password_is_initial`, `deleted_at` ON `employees`
WHEN (new.password_is_initial = 1 AND new.deleted_at IS NULL) <> (old.password_is_initial = 1 AND old.deleted_at IS NULL) BEGIN
	UPDATE `initial_password_count` SET `total` = `total` + CASE WHEN new.password_is_initial = 1 AND new.deleted_at IS NULL THEN 1 ELSE -1 END;
END;
