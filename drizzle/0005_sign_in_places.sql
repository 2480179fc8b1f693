CREATE TABLE `sign_in_places` (
	`network` text NOT NULL,
	`account_type` text NOT NULL,
	`account_id` integer NOT NULL,
	`last_at` text NOT NULL,
	PRIMARY KEY(`network`, `account_type`, `account_id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `sign_in_places_last_at` ON `sign_in_places` (`last_at`);--> statement-breakpoint
-- IPv6 addresses are left out: SQL cannot write them as their network. The next sign-in adds them.
INSERT INTO `sign_in_places`
SELECT `address`, `actor_type`, `actor_id`, max(`at`) FROM `history`
WHERE `action` = 'SIGN_IN' AND `actor_type` IN ('SUPER_ADMIN', 'EMPLOYEE') AND `address` GLOB '*.*.*.*'
	AND `at` > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-30 days')
GROUP BY `address`, `actor_type`, `actor_id`;
