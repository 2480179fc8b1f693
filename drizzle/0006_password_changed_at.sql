ALTER TABLE `administrators` ADD `password_changed_at` text;--> statement-breakpoint
ALTER TABLE `employees` ADD `password_changed_at` text;--> statement-breakpoint
-- What the history still knows of earlier changes.
UPDATE `administrators` SET `password_changed_at` = (
	SELECT max(`at`) FROM `history`
	WHERE `action` = 'ADMINISTRATOR_PASSWORD_RESET' OR (`action` = 'OWN_PASSWORD_CHANGE' AND `actor_type` = 'SUPER_ADMIN')
);--> statement-breakpoint
UPDATE `employees` SET `password_changed_at` = changed.at FROM (
	SELECT id, max(at) AS at FROM (
		SELECT `target_id` AS id, `at` FROM `history` WHERE `action` IN ('EMPLOYEE_PASSWORD_CHANGE', 'EMPLOYEE_PASSWORD_RESET')
		UNION ALL
		SELECT `actor_id`, `at` FROM `history` WHERE `action` = 'OWN_PASSWORD_CHANGE' AND `actor_type` = 'EMPLOYEE'
	) GROUP BY id
) AS changed WHERE changed.id = `employees`.`id`;
