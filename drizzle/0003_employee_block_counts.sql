-- One level of blocks, which the program keeps together with the search index instead of triggers.
DROP TRIGGER `employee_counts_insert`;--> statement-breakpoint
DROP TRIGGER `employee_counts_update`;--> statement-breakpoint
DROP TABLE `employee_counts`;--> statement-breakpoint
CREATE TABLE `employee_counts` (
	`block` integer PRIMARY KEY NOT NULL,
	`active` integer NOT NULL,
	`inactive` integer NOT NULL
) STRICT;
--> statement-breakpoint
INSERT INTO `employee_counts` SELECT `id` >> 13, sum(`status` = 'ACTIVE'), sum(`status` = 'INACTIVE')
	FROM `employees` WHERE `deleted_at` IS NULL GROUP BY 1;
