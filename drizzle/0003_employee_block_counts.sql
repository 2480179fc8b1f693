-- One level of blocks instead of two. The program keeps them together with the search index, so the triggers go.
-- After this migration the program fills this table and builds `employee_search` and `employee_part_counts` again.
DROP TRIGGER `employee_counts_insert`;--> statement-breakpoint
DROP TRIGGER `employee_counts_update`;--> statement-breakpoint
DROP TABLE `employee_counts`;--> statement-breakpoint
CREATE TABLE `employee_counts` (
	`block` integer PRIMARY KEY NOT NULL,
	`active` integer NOT NULL,
	`inactive` integer NOT NULL
) STRICT;
