-- From this version on, history:view lets an account read the history. A chain that used this code for something else
-- keeps it under another one: the start moves codes out of the groups of the program.
UPDATE `points` SET `code` = 'permission:history:view' WHERE `code` = 'history:view' AND `deleted_at` IS NULL;--> statement-breakpoint
UPDATE `role_permissions` SET `permission` = 'permission:history:view' WHERE `permission` = 'history:view' AND `deleted_at` IS NULL;--> statement-breakpoint
UPDATE `programs` SET `permissions` = replace(`permissions`, '"history:view"', '"permission:history:view"') WHERE `deleted_at` IS NULL;
