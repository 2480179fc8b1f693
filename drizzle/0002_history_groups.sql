-- Records of one request belong together, and the history is found by phones too. After this migration the program fills the index.
-- CROSS JOIN keeps the order: SQLite would begin with every position, which takes a hundred times as long.
ALTER TABLE `history` ADD `group_id` integer;--> statement-breakpoint
CREATE INDEX `history_group` ON `history` (`group_id`) WHERE "history"."group_id" is not null;--> statement-breakpoint
DROP VIEW `history_tokens`;--> statement-breakpoint
CREATE VIEW `history_tokens` AS
SELECT
	history.id AS id,
	concat_ws(
		' ',
		char(128) || 'a' || lower(action),
		char(128) || 'b' || lower(actor_type),
		char(128) || 'c' || actor_id,
		char(128) || 'd' || lower(target_type),
		char(128) || 'e' || target_id,
		CASE WHEN group_id IS NULL THEN char(128) || 'f' END,
		(SELECT group_concat(substr(replace(lower(actor_name), ' ', char(129)), position), ' ') FROM text_positions WHERE position <= length(actor_name)),
		(SELECT group_concat(substr(replace(lower(target_name), ' ', char(129)), position), ' ') FROM text_positions WHERE position <= length(target_name)),
		(
			SELECT group_concat(substr(replace(lower(phone.value), ' ', char(129)), position), ' ')
			FROM json_each(history.changes) AS change
			CROSS JOIN json_each(json_array(change.value ->> 'before', change.value ->> 'after')) AS phone
			CROSS JOIN text_positions
			WHERE change.value ->> 'field' = 'phone' AND position <= length(phone.value)
		)
	) AS tokens
FROM history;
