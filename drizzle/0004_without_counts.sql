DROP TRIGGER IF EXISTS `employee_counts_insert`;--> statement-breakpoint
DROP TRIGGER IF EXISTS `employee_counts_update`;--> statement-breakpoint
DROP TABLE IF EXISTS `employee_counts`;--> statement-breakpoint
DROP INDEX `employees_initial_password`;--> statement-breakpoint
DROP INDEX `employees_status_live`;
