CREATE TABLE `permission_stamp` (
	`id` integer PRIMARY KEY NOT NULL,
	`value` text NOT NULL,
	CONSTRAINT "permission_stamp_single" CHECK("permission_stamp"."id" = 1)
) STRICT;
--> statement-breakpoint
CREATE TABLE `points` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`code` text NOT NULL,
	`title` text NOT NULL,
	`description` text,
	`group_title` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted_at` text
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `points_code_live` ON `points` (`code`) WHERE "points"."deleted_at" is null;--> statement-breakpoint
ALTER TABLE `employees` ADD `approvals_given` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
INSERT INTO `permission_stamp` VALUES (1, hex(randomblob(16)));--> statement-breakpoint
-- What the program remembers of points and of what roles hold is good for one stamp. It is random: one that was undone never comes back.
CREATE TRIGGER `permission_stamp_points_insert` AFTER INSERT ON `points` BEGIN
	UPDATE `permission_stamp` SET `value` = hex(randomblob(16));
END;--> statement-breakpoint
CREATE TRIGGER `permission_stamp_points_update` AFTER UPDATE ON `points` BEGIN
	UPDATE `permission_stamp` SET `value` = hex(randomblob(16));
END;--> statement-breakpoint
CREATE TRIGGER `permission_stamp_points_delete` AFTER DELETE ON `points` BEGIN
	UPDATE `permission_stamp` SET `value` = hex(randomblob(16));
END;--> statement-breakpoint
CREATE TRIGGER `permission_stamp_role_permissions_insert` AFTER INSERT ON `role_permissions` BEGIN
	UPDATE `permission_stamp` SET `value` = hex(randomblob(16));
END;--> statement-breakpoint
CREATE TRIGGER `permission_stamp_role_permissions_update` AFTER UPDATE ON `role_permissions` BEGIN
	UPDATE `permission_stamp` SET `value` = hex(randomblob(16));
END;--> statement-breakpoint
CREATE TRIGGER `permission_stamp_role_permissions_delete` AFTER DELETE ON `role_permissions` BEGIN
	UPDATE `permission_stamp` SET `value` = hex(randomblob(16));
END;
