ALTER TABLE `sign_ins` ADD `token_version` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `sign_ins` ADD `ends_at` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `sign_ins` ADD `last_used_at` text;--> statement-breakpoint
CREATE INDEX `sign_ins_ending` ON `sign_ins` (`account_type`,`account_id`,`ends_at`);--> statement-breakpoint
CREATE INDEX `history_approved` ON `history` ("changes" ->> '$[1].after') WHERE "history"."action" = 'APPROVAL';