DROP TRIGGER `employee_counts_insert`;--> statement-breakpoint
DROP TRIGGER `employee_counts_update`;--> statement-breakpoint
DROP TABLE `employee_counts`;--> statement-breakpoint
DROP INDEX `employees_initial_password`;--> statement-breakpoint
DROP INDEX `employees_status_live`;
