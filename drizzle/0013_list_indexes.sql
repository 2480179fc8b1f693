-- Lists of people seek by the id alone, and pairs of filters of the history that most records pass need an index only.
DROP INDEX `employees_live`;--> statement-breakpoint
CREATE INDEX `employees_live` ON `employees` (`id`,`search_text`,`store_id`,`status`,`password_is_initial`,`password_expires_at`,`last_sign_in_at`,`pinyin`) WHERE "employees"."deleted_at" is null;--> statement-breakpoint
DROP INDEX `history_action`;--> statement-breakpoint
DROP INDEX `history_target_type`;--> statement-breakpoint
CREATE INDEX `history_action` ON `history` (`action`,`group_id`,`actor_type`,`target_type`);--> statement-breakpoint
CREATE INDEX `history_target_type` ON `history` (`target_type`,`group_id`,`actor_type`) WHERE "history"."target_type" is not null;