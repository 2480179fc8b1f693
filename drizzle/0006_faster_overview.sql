-- The overview counts employees of all stores in one pass over an index. No release read `pruned_at`.
CREATE INDEX `employees_state_live` ON `employees` (`status`,`store_id`,`password_is_initial`,`password_expires_at`,`last_sign_in_at`) WHERE "employees"."deleted_at" is null;--> statement-breakpoint
ALTER TABLE `installation` DROP COLUMN `pruned_at`;