-- The schema of version 1.0.0. drizzle-kit generated the tables and their indexes; STRICT and what follows them is written by hand.
CREATE TABLE `administrators` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`username` text NOT NULL,
	`password_hash` text NOT NULL,
	`token_version` integer DEFAULT 1 NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`password_changed_at` text
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `administrators_username` ON `administrators` (`username`);--> statement-breakpoint
CREATE TABLE `employee_counts` (
	`store_id` integer NOT NULL,
	`status` text NOT NULL,
	`total` integer NOT NULL,
	PRIMARY KEY(`store_id`, `status`),
	CONSTRAINT "employee_counts_status" CHECK("employee_counts"."status" in ('ACTIVE', 'INACTIVE'))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `employee_roles` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`employee_id` integer NOT NULL,
	`role_id` integer NOT NULL,
	`bound_at` text NOT NULL,
	`unbound_at` text,
	`ends_on` text,
	FOREIGN KEY (`employee_id`) REFERENCES `employees`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`role_id`) REFERENCES `roles`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `employee_roles_pair_live` ON `employee_roles` (`employee_id`,`role_id`) WHERE "employee_roles"."unbound_at" is null;--> statement-breakpoint
CREATE INDEX `employee_roles_ending` ON `employee_roles` (`ends_on`,`employee_id`) WHERE "employee_roles"."ends_on" is not null and "employee_roles"."unbound_at" is null;--> statement-breakpoint
CREATE INDEX `employee_roles_role_live` ON `employee_roles` (`role_id`) WHERE "employee_roles"."unbound_at" is null;--> statement-breakpoint
CREATE TABLE `employee_search_pending` (
	`id` integer PRIMARY KEY NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `employees` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`store_id` integer NOT NULL,
	`name` text NOT NULL,
	`phone` text NOT NULL,
	`password_hash` text NOT NULL,
	`password_is_initial` integer NOT NULL,
	`token_version` integer DEFAULT 1 NOT NULL,
	`status` text NOT NULL,
	`remark` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted_at` text,
	`password_changed_at` text,
	`password_expires_at` text,
	`last_sign_in_at` text,
	`leaves_on` text,
	FOREIGN KEY (`store_id`) REFERENCES `stores`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "employees_status" CHECK("employees"."status" in ('ACTIVE', 'INACTIVE')),
	CONSTRAINT "employees_password_is_initial" CHECK("employees"."password_is_initial" in (0, 1)),
	CONSTRAINT "employees_phone" CHECK("employees"."phone" glob '1[3-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]'),
	CONSTRAINT "employees_deleted_inactive" CHECK("employees"."deleted_at" is null or "employees"."status" = 'INACTIVE')
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `employees_phone_live` ON `employees` (`phone`) WHERE "employees"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `employees_store_live` ON `employees` (`store_id`,`id`,`status`) WHERE "employees"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `employees_initial_password` ON `employees` (`store_id`,`id`) WHERE "employees"."password_is_initial" = 1 and "employees"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `employees_leaving` ON `employees` (`status`,`leaves_on`,`id`) WHERE "employees"."leaves_on" is not null and "employees"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `employees_status_live` ON `employees` (`status`,`id`) WHERE "employees"."deleted_at" is null;--> statement-breakpoint
CREATE TABLE `history` (
	`id` integer PRIMARY KEY NOT NULL,
	`at` text NOT NULL,
	`action` text NOT NULL,
	`actor_type` text NOT NULL,
	`actor_id` integer,
	`actor_name` text NOT NULL,
	`address` text,
	`request_id` text,
	`target_type` text,
	`target_id` integer,
	`target_name` text,
	`changes` text NOT NULL,
	`reason` text,
	`count` integer NOT NULL,
	`group_id` integer,
	CONSTRAINT "history_id" CHECK("history"."id" > 0)
) STRICT;
--> statement-breakpoint
CREATE INDEX `history_group` ON `history` (`group_id`) WHERE "history"."group_id" is not null;--> statement-breakpoint
CREATE TABLE `history_search_pending` (
	`id` integer PRIMARY KEY NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `installation` (
	`id` integer PRIMARY KEY NOT NULL,
	`token_epoch` text NOT NULL,
	`pruned_at` text,
	CONSTRAINT "installation_single" CHECK("installation"."id" = 1)
) STRICT;
--> statement-breakpoint
CREATE TABLE `pinyin` (
	`character` text PRIMARY KEY NOT NULL,
	`reading` text NOT NULL,
	`surname` text
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `role_permissions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`role_id` integer NOT NULL,
	`permission` text NOT NULL,
	`granted_at` text NOT NULL,
	`deleted_at` text,
	FOREIGN KEY (`role_id`) REFERENCES `roles`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `role_permissions_pair_live` ON `role_permissions` (`role_id`,`permission`) WHERE "role_permissions"."deleted_at" is null;--> statement-breakpoint
CREATE TABLE `roles` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`code` text NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`is_system` integer NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted_at` text,
	CONSTRAINT "roles_is_system" CHECK("roles"."is_system" in (0, 1)),
	CONSTRAINT "roles_super_admin" CHECK("roles"."code" <> 'super_admin')
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `roles_code_live` ON `roles` (`code`) WHERE "roles"."deleted_at" is null;--> statement-breakpoint
CREATE TABLE `second_factors` (
	`account_type` text NOT NULL,
	`account_id` integer NOT NULL,
	`secret` text NOT NULL,
	`enabled_at` text,
	`last_step` integer NOT NULL,
	`recovery_codes` text NOT NULL,
	PRIMARY KEY(`account_type`, `account_id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `sign_ins` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_type` text NOT NULL,
	`account_id` integer NOT NULL,
	`at` text NOT NULL,
	`address` text NOT NULL,
	`client` text
) STRICT;
--> statement-breakpoint
CREATE INDEX `sign_ins_account` ON `sign_ins` (`account_type`,`account_id`,`id`);--> statement-breakpoint
CREATE TABLE `stores` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`address` text,
	`phone` text,
	`status` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted_at` text,
	CONSTRAINT "stores_status" CHECK("stores"."status" in ('ACTIVE', 'INACTIVE'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `stores_name_live` ON `stores` (`name`) WHERE "stores"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `stores_status_live` ON `stores` (`status`) WHERE "stores"."deleted_at" is null;--> statement-breakpoint
CREATE TABLE `text_positions` (
	`position` integer PRIMARY KEY NOT NULL
) STRICT;
--> statement-breakpoint
-- Triggers count the employees of each store, and of the chain as store 0.
CREATE TRIGGER `employee_counts_insert` AFTER INSERT ON `employees` WHEN new.deleted_at IS NULL BEGIN
	INSERT INTO `employee_counts` VALUES (new.store_id, new.status, 1), (0, new.status, 1)
	ON CONFLICT DO UPDATE SET total = total + 1;
END;--> statement-breakpoint
CREATE TRIGGER `employee_counts_update` AFTER UPDATE OF `store_id`, `status`, `deleted_at` ON `employees` BEGIN
	UPDATE `employee_counts` SET total = total - 1
	WHERE old.deleted_at IS NULL AND store_id IN (old.store_id, 0) AND status = old.status;
	INSERT INTO `employee_counts` SELECT value, new.status, 1 FROM json_each(json_array(new.store_id, 0)) WHERE new.deleted_at IS NULL
	ON CONFLICT DO UPDATE SET total = total + 1;
END;--> statement-breakpoint
-- No record is changed, replaced, or removed, but for the oldest.
CREATE TRIGGER `history_no_update` BEFORE UPDATE ON `history` BEGIN
	SELECT RAISE(ABORT, 'the history is append-only');
END;--> statement-breakpoint
CREATE TRIGGER `history_no_replace` BEFORE INSERT ON `history`
WHEN new.id <> -1 AND new.id <> (SELECT max(`id`) + 1 FROM `history`) BEGIN
	SELECT RAISE(ABORT, 'the history is append-only');
END;--> statement-breakpoint
CREATE TRIGGER `history_no_delete` BEFORE DELETE ON `history`
WHEN old.id <> (SELECT min(`id`) FROM `history`) OR old.id = (SELECT max(`id`) FROM `history`) BEGIN
	SELECT RAISE(ABORT, 'the history is append-only');
END;--> statement-breakpoint
-- A search index holds tokens: the suffixes of each text, and one for each property. Every ASCII character but the space is part of
-- a token, as all others are. `prefix` keeps a list for each beginning of a token, so that a short keyword is found as fast as a
-- long one. Merging is done by the program, never in a commit: `crisismerge` is close to the 2,000 segments that SQLite can keep. With
-- 8 MiB of `hashsize` an import of 5,000 people is one segment; with SQLite's own 1 MiB it is ten.
CREATE VIRTUAL TABLE `employee_search` USING fts5(
	tokens, content = '', contentless_delete = 1, detail = none, prefix = '1 2 3 4 5 6',
	tokenize = 'ascii tokenchars ''!"#$%&''''()*+,-./:;<=>?@[\]^_`{|}~'''
);--> statement-breakpoint
INSERT INTO `employee_search` (`employee_search`, `rank`) VALUES ('automerge', 0), ('crisismerge', 1900), ('hashsize', 8388608);--> statement-breakpoint
CREATE VIRTUAL TABLE `history_search` USING fts5(
	tokens, content = '', contentless_delete = 1, detail = none, prefix = '1 2 3',
	tokenize = 'ascii tokenchars ''!"#$%&''''()*+,-./:;<=>?@[\]^_`{|}~'''
);--> statement-breakpoint
INSERT INTO `history_search` (`history_search`, `rank`) VALUES ('automerge', 0), ('crisismerge', 1900), ('hashsize', 8388608);--> statement-breakpoint
-- What triggers note is indexed before the transaction ends. A trigger that wrote to a full-text table itself would make SQLite
-- write a segment for each row. A sign-in changes the tokens once a day (UTC).
CREATE TRIGGER `employee_search_insert` AFTER INSERT ON `employees` BEGIN
	INSERT OR IGNORE INTO `employee_search_pending` VALUES (new.id);
END;--> statement-breakpoint
CREATE TRIGGER `employee_search_update`
AFTER UPDATE OF `store_id`, `name`, `phone`, `status`, `password_is_initial`, `password_expires_at`, `last_sign_in_at`, `deleted_at` ON `employees`
WHEN (new.store_id, new.name, new.phone, new.status, new.password_is_initial, new.password_expires_at, substr(new.last_sign_in_at, 1, 10), new.deleted_at)
	IS NOT (old.store_id, old.name, old.phone, old.status, old.password_is_initial, old.password_expires_at, substr(old.last_sign_in_at, 1, 10), old.deleted_at) BEGIN
	INSERT OR IGNORE INTO `employee_search_pending` VALUES (new.id);
END;--> statement-breakpoint
CREATE TRIGGER `employee_search_bind` AFTER INSERT ON `employee_roles` BEGIN
	INSERT OR IGNORE INTO `employee_search_pending` VALUES (new.employee_id);
END;--> statement-breakpoint
CREATE TRIGGER `employee_search_unbind` AFTER UPDATE OF `unbound_at` ON `employee_roles` BEGIN
	INSERT OR IGNORE INTO `employee_search_pending` VALUES (new.employee_id);
END;--> statement-breakpoint
CREATE TRIGGER `history_search_insert` AFTER INSERT ON `history` BEGIN
	INSERT OR IGNORE INTO `history_search_pending` VALUES (new.id);
END;--> statement-breakpoint
CREATE TRIGGER `history_search_delete` AFTER DELETE ON `history` BEGIN
	INSERT OR IGNORE INTO `history_search_pending` VALUES (old.id);
END;--> statement-breakpoint
-- The places in a text from which its suffixes begin.
INSERT INTO `text_positions`
	WITH RECURSIVE `places` (`position`) AS (SELECT 1 UNION ALL SELECT `position` + 1 FROM `places` WHERE `position` < 256)
	SELECT `position` FROM `places`;--> statement-breakpoint
-- The tokens of each employee. No text contains U+0080, which begins a property, or U+0081, which stands for a space. The tokenizer
-- folds ASCII letters, and so does the view, which the check compares with the index. The day of the last sign-in is a number of five
-- digits, because `prefix` has a list for each beginning of it. The tokens of deleted people begin with U+0080 and x, so that no search
-- of the others finds them. A name can be found by its pinyin and by its initials, from any of its characters on; the initial of the last
-- one begins its pinyin. The pinyin is made once, six places for each character: no reading is longer. What follows a character
-- begins at its place.
CREATE VIEW `employee_tokens` AS
SELECT
	id,
	CASE WHEN deleted_at IS NULL THEN tokens ELSE char(128) || 'x' || replace(tokens, ' ', ' ' || char(128) || 'x') END AS tokens
FROM (
	SELECT
		employees.id AS id,
		deleted_at,
		concat_ws(
			' ',
			char(128) || 's' || store_id,
			CASE status WHEN 'INACTIVE' THEN char(128) || 'd' END,
			CASE password_is_initial WHEN 1 THEN char(128) || 'i' END,
			char(128) || 'o' || lower(password_expires_at),
			char(128) || CASE WHEN last_sign_in_at IS NULL THEN 'n' ELSE 'l' || printf('%05d', unixepoch(substr(last_sign_in_at, 1, 10)) / 86400) END,
			coalesce(
				(SELECT group_concat(char(128) || 'r' || role_id, ' ') FROM employee_roles WHERE employee_id = employees.id AND unbound_at IS NULL),
				char(128) || 'w'
			),
			(SELECT group_concat(substr(replace(lower(name), ' ', char(129)), position), ' ') FROM text_positions WHERE position <= length(name)),
			(SELECT group_concat(substr(phone, position), ' ') FROM text_positions WHERE position <= length(phone)),
			(
				SELECT group_concat(
					nullif(
						concat_ws(
							' ',
							char(128) || 'p' || nullif(replace(substr(padded, 6 * position - 5), ' ', ''), ''),
							CASE WHEN position < length(name) THEN char(128) || 'p' || nullif(replace(substr(initials, position), ' ', ''), '') END
						),
						''
					),
					' '
				)
				FROM (
					SELECT group_concat(printf('%-6s', syllable), '') AS padded, group_concat(substr(syllable, 1, 1), '') AS initials
					FROM (
						SELECT coalesce(reading, CASE WHEN letter GLOB '[0-9a-z]' THEN letter END, ' ') AS syllable
						FROM (SELECT position, lower(substr(name, position, 1)) AS letter FROM text_positions WHERE position <= length(name))
						LEFT JOIN pinyin ON character = letter
						ORDER BY position
					)
				)
				CROSS JOIN text_positions
				WHERE position <= length(name)
			),
			(
				SELECT concat_ws(
					' ',
					char(128) || 'p' || concat(surname, (
						SELECT group_concat(coalesce(reading, lower(substr(name, following.position, 1))), '')
						FROM text_positions AS following LEFT JOIN pinyin ON character = substr(name, following.position, 1)
						WHERE following.position BETWEEN 2 AND length(name)
							AND (reading IS NOT NULL OR lower(substr(name, following.position, 1)) GLOB '[0-9a-z]')
					)),
					char(128) || 'p' || concat(substr(surname, 1, 1), (
						SELECT group_concat(substr(coalesce(reading, lower(substr(name, following.position, 1))), 1, 1), '')
						FROM text_positions AS following LEFT JOIN pinyin ON character = substr(name, following.position, 1)
						WHERE following.position BETWEEN 2 AND length(name)
							AND (reading IS NOT NULL OR lower(substr(name, following.position, 1)) GLOB '[0-9a-z]')
					))
				) FROM pinyin WHERE character = substr(name, 1, 1) AND surname IS NOT NULL
			)
		) AS tokens
	FROM employees
);--> statement-breakpoint
-- The tokens of each record. LIMIT makes SQLite look for the phone once. A new employee has left, moved and got nothing.
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
		CASE WHEN action <> 'EMPLOYEE_CREATE' THEN
			(
				SELECT group_concat(char(128) || CASE change.value ->> 'field' WHEN 'status' THEN 'gleft' WHEN 'storeId' THEN 'gmoved' ELSE 'grole' END, ' ')
				FROM json_each(history.changes) AS change
				WHERE target_type = 'EMPLOYEE' AND CASE change.value ->> 'field'
					WHEN 'status' THEN change.value ->> 'before' = 'ACTIVE'
					WHEN 'storeId' THEN action = 'EMPLOYEE_UPDATE'
					WHEN 'roleIds' THEN action IN ('EMPLOYEE_UPDATE', 'EMPLOYEE_ROLE_GIVE') AND EXISTS (
						SELECT 1 FROM json_each(change.value -> 'after') AS held
						WHERE held.value NOT IN (SELECT value FROM json_each(change.value -> 'before'))
					)
				END
			)
		END,
		(SELECT group_concat(substr(replace(lower(actor_name), ' ', char(129)), position), ' ') FROM text_positions WHERE position <= length(actor_name)),
		(SELECT group_concat(substr(replace(lower(target_name), ' ', char(129)), position), ' ') FROM text_positions WHERE position <= length(target_name)),
		(
			SELECT concat_ws(
				' ',
				(SELECT group_concat(substr(earlier, position), ' ') FROM text_positions WHERE position <= length(earlier)),
				(SELECT group_concat(substr(later, position), ' ') FROM text_positions WHERE position <= length(later))
			)
			FROM (
				SELECT
					replace(lower(value ->> 'before'), ' ', char(129)) AS earlier,
					replace(lower(value ->> 'after'), ' ', char(129)) AS later
				FROM json_each(history.changes)
				WHERE value ->> 'field' = 'phone'
				LIMIT 1
			)
		)
	) AS tokens
FROM history;--> statement-breakpoint
-- How names are typed in pinyin. The readings are those of pinyin-pro 3.29.4: the usual one of each character, and another one that
-- it has as a surname.
INSERT INTO `pinyin` (`character`, `reading`)
WITH RECURSIVE places (position) AS (SELECT 1 UNION ALL SELECT position + 1 FROM places WHERE position < 400),
readings AS MATERIALIZED (
	SELECT key AS reading, value AS characters, length(value) AS count FROM json_each('{
		"a":"吖啊嗄錒锕阿",
		"ai":"伌僾凒叆哀哎唉啀嗌嗳嘊噯埃堨塧壒娾嫒嬡嵦愛懓懝挨捱敱敳昹暧曖欸毐溰溾濭爱瑷璦癌皑皚皧瞹矮砹硋碍礙艾蔼薆藹譪譺賹躷銰鎄鑀锿隘霭靄靉餲馤鱫鴱",
		"an":"侒俺偣儑唵啽垵埯堓媕安屵岸峖庵按揞晻暗案桉氨洝犴玵痷盦盫罯胺腤荌菴萻葊蓭誝諳谙豻貋銨錌铵闇隌雸鞌鞍韽馣鮟鵪鶕鹌黯",
		"ang":"卬岇昂昻枊盎肮醠骯",
		"ao":"傲凹厫嗷嗸嚣坳垇墺奡奥奧媪媼嫯岙岰嶅嶴廒慠懊抝拗摮擙敖柪梎滶澚澳熬爊獒獓璈磝翱翶翺聱艹芺蔜螯袄襖謷謸軪遨鏊鏖镺隞驁骜鰲鳌鷔鼇",
		"ba":"丷仈八叐叭吧哵坝垻壩夿妭岜峇巴弝扒扷把抜拔捌朳柭欛灞炦爸犮玐疤癹矲笆粑罢罷羓胈芭茇菝蚆覇詙豝跋軷釟鈀钯霸靶颰魃魞鮁鲃鲅鲌鼥",
		"bai":"佰呗庍拜拝挀捭掰摆擺敗柏栢猈白百稗竡粨粺絔薭襬贁败韛",
		"ban":"伴办半坂姅岅怑扮扳拌搬攽斑斒昄朌板湴版班瓣瓪瘢癍秚粄絆绊肦舨般蝂螁螌褩辦辬鈑鉡钣闆阪靽頒颁魬鳻",
		"bang":"傍垹塝帮幇幚幫挷捠梆棒棓榜浜牓玤磅稖綁縍绑膀艕蒡蚌蜯謗谤邦邫鎊镑鞤髈",
		"bao":"佨保儤剝剥勹勽包堡堢報媬孢宝宲寚寳寶忁怉报抱暴曓枹煲爆犦珤窇笣緥胞苞菢葆蕔薄藵虣蚫袌裦褒褓襃豹賲鉋鑤铇闁雹靌飹飽饱駂骲髱鮑鲍鳵鴇鸨齙龅",
		"bei":"俻倍偝偹備僃北卑唄备孛悖悲惫愂憊揹昁杮杯柸桮梖椑焙牬犕狈狽珼琲盃碑碚禙糒背苝蓓藣蛽被褙誖貝贝軰輩辈邶郥鄁鉳鋇鐾钡陂鞁鞴骳鵯鹎",
		"ben":"倴坌奔奙捹撪本桳楍泍渀犇畚笨翉苯蟦贲逩錛锛",
		"beng":"伻嘣埄埲塴奟崩嵭揼泵琣琫甏甭甮痭祊綳繃绷菶跰蹦迸逬鏰镚閍鞛",
		"bi":"佊佖俾偪匕吡咇哔啚嗶坒堛壁夶奰妣妼婢嬖嬶屄币幣幤庇庳廦弊弻弼彃彼必怭怶愊愎敝斃朇朼柀柲梐楅榌比毕毖毙毞毴沘湢滗滭潷濞煏熚狴獘獙珌璧畀畁畢疕疪痹痺皕睤碧祕禆秕笓笔筆筚箅箆篦篳粃粊綼縪繴罼聛腷臂舭苾荜荸萆萞蓖蓽蔽薜蜌螕袐裨襅襞襣觱詖诐豍貏貱賁贔赑跸蹕躃躄逼避邲鄙鄨鄪鉍鎞鏎鐴铋閇閉閟闭陛鞸韠飶饆馝駜驆髀髲魓鮅鰏鲾鵖鷝鷩鼊鼻",
		"bian":"便匾卞变変峅弁徧忭惼扁抃揙昪汳汴炞煸牑猵獱玣甂砭碥稨窆笾箯籩糄編緶缏编艑苄萹藊蝙褊覍諚變貶贬辡辧辨辩辫辮辯边遍邉邊釆鍽閞鞕鞭鯾鯿鳊鴘",
		"biao":"俵儦墂婊嫑幖彪摽标標檦淲滮瀌熛爂猋瘭磦穮脿膘臕藨表裱褾諘謤贆錶鏢鑣镖镳颩颮颷飆飇飈飊飑飙飚驫骉髟鰾鳔麃",
		"bie":"別别彆徶憋瘪癟癿莂虌蛂蟞襒蹩鱉鳖鼈龞",
		"bin":"傧儐宾彬摈擯斌梹椕槟檳殡殯汃滨濒濱濵瀕玢瑸璸繽缤膑臏虨豩豳賓賔邠鑌镔霦頻顮髌髕髩鬂鬓鬢",
		"bing":"丙並仌仒併倂偋傡兵冫冰垪寎屛并幷庰怲抦掤摒昞昺柄栟栤棅氷炳琕病眪禀秉稟窉竝絣苪蛃誁邴鈵鉼鋲陃靐鞆餅餠饼鮩",
		"bo":"亳仢伯侼僠僰勃博哱啵嚗孹嶓帛愽懪拨挬搏撥播擘桲檗欂泊波浡淿渤溊煿牔狛猼玻瓝瓟癶癷盋砵碆礡礴秡箔簙簸簿糪紴缽肑胉脖膊舶艊菠萡葧蔔蘗蚾袯袰袹襏襮謈譒趵跛踣蹳郣鈸鉑鉢鋍鎛鑮钵钹铂镈餑餺饽馎馛馞駁駮驋驳髆髉鮊鱍鵓鹁",
		"bu":"不佈勏卜卟吥咘哺埗埠峬布庯廍怖悑抪捕捗晡柨步歨歩瓿篰荹蔀补補誧踄轐逋部郶醭鈈鈽錻钚钸餔餢鳪鵏鸔",
		"ca":"擦攃礤礸遪",
		"cai":"倸偲啋埰婇寀彩才採材棌毝猜睬綵縩纔菜蔡裁財财跴踩采",
		"can":"傪儏参參叄叅喰嬠惨惭慘慙慚憯朁残殘湌澯灿燦爘璨粲薒蚕蝅蠶蠺謲飡餐驂骖黪黲",
		"cang":"仓仺倉傖凔嵢欌沧滄濸獊舱艙苍蒼藏螥賶鑶鶬鸧",
		"cao":"嘈嶆愺慅慒懆撡操曹曺槽漕糙肏艚艸草蓸螬褿襙鄵鏪騲鼜",
		"ce":"侧側冊册厕厠夨廁恻惻憡拺敇测測畟笧策筞筴箣簎粣荝萗萴蓛",
		"cen":"埁岑嵾涔笒",
		"ceng":"噌层層嶒曾竲蹭驓",
		"cha":"侘偛刹剎叉嗏嚓垞奼姹察岔嵖差扠挿插揷搽杈查査槎檫汊猹疀碴秅紁臿艖茬茶衩詧詫诧蹅銟鍤鑔锸镲靫餷馇",
		"chai":"侪儕喍囆拆柴犲瘥祡肞芆茝虿蠆袃訍豺釵钗",
		"chan":"丳产僝儃儳冁刬剗剷劖嚵囅壥婵嬋孱嵼巉幝幨廛忏懴懺掺搀摌摲摻攙斺旵梴棎欃毚浐湹滻潹潺澶瀍瀺灛煘燀獑產産硟磛禅簅緾繟纏纒缠羼艬苂蒇蕆蝉蟐蟬蟾裧襜覘觇誗諂譂讇讒谄谗躔辿鄽酁醦鋋鋓鏟鑱铲镵閳闡阐韂顫颤饞馋骣",
		"chang":"仧仩伥倀倡偿僘償兏厂厰唱嘗嚐场場塲娼嫦尝常廠徜怅悵惝敞昌昶暢椙氅淐焻猖琩瑒瑺瓺甞畅畼肠腸膓苌菖萇裮誯鋹錩锠長镸长閶阊韔鬯鯧鱨鲳鲿鼚",
		"chao":"仦仯吵嘲巐巢巣弨怊抄晁朝樔欩漅潮炒焣焯煼牊眧窲窼罺耖觘訬謿超轈鄛鈔钞麨鼂鼌",
		"che":"伡俥偖勶唓坼屮彻徹扯掣撤撦澈烢爡瞮砗硨硩聅莗蛼车迠頙",
		"chen":"伧儭嗔嚫塵墋夦宸尘忱愖抻捵敐敶晨曟栕桭棽榇樄櫬沉煁琛疢瘎瞋硶碜磣綝臣茞莀莐蔯薼螴衬襯訦諃諶謓讖谌谶賝贂趁趂趻踸軙辰迧郴鈂鍖陈陳霃鷐麎齓齔龀",
		"cheng":"丞乗乘侱偁呈城埕堘塍塖娍宬峸庱徎悜惩憆憕懲成承挰掁揨摚撐撑撜晿朾枨柽棖棦樘橕橙檉檙泟洆浾溗澂澄瀓爯牚珵珹琤畻睈瞠碀秤称程稱穪窚竀筬絾緽罉脭荿蛏蟶裎誠诚赪赬逞郕酲鋮鏿鐣铖阷靗頳饓騁騬骋鯎",
		"chi":"伬侈侙傺勅勑匙卶叱叺吃呎哧啻喫嗤噄垑墀妛媸尺弛彨彲彳恜恥慗憏懘抶持摛攡敕斥杘欼歯殦池湁漦灻炽烾熾瓻痓痴痸瘛癡眵瞝竾笞筂箎篪粚絺翄翅翤翨耛耻肔胣胵腟茌荎蚇蚩蚳螭袲袳裭褫訵誺謘豉貾赤赿趩踟迟迡遅遟遫遲郗鉓鉹銐鍉雴飭饬馳驰魑鴟鵄鶒鷘鸱麶黐齒齝齿",
		"chong":"充冲嘃宠寵崇崈徸忡憃憧揰摏沖浺漴爞珫罿翀舂艟茺虫蝩蟲衝褈蹖銃铳隀",
		"chou":"丑丒仇侴俦偢儔吜嬦帱幬惆愁懤抽搊杽栦椆殠燽犨犫畴疇瘳皗瞅矁稠筹篘籌紬絒綢绸臭臰菗詶讎讐踌躊遚酧酬醜醻雔雠雦魗鮘",
		"chu":"亍俶傗储儊儲処出刍初厨嘼埱处媰岀幮廚怵憷搐摴敊斶杵椘楚楮榋樗橱檚櫉櫥欪歜泏滀滁濋犓珿琡璴畜矗础礎禇竌竐篨絀绌耡臅芻蒢蒭藸處蜍蟵褚触觸諔豖豠貙趎蹰躇躕鄐鉏鋤锄閦除雏雛鶵黜齣齭齼",
		"chua":"欻",
		"chuai":"揣搋膗膪踹",
		"chuan":"串传傳僢剶喘巛川暷椽歂氚汌猭玔瑏穿篅舛舡舩船荈賗踳輲遄釧钏鶨",
		"chuang":"傸刅创刱剏剙創噇床怆愴摐牀牎牕疮瘡磢窓窗窻闖闯",
		"chui":"倕吹圌垂埀捶搥桘棰槌炊箠腄菙錘鎚锤陲顀龡",
		"chun":"偆唇堾媋惷旾春暙杶椿槆橁櫄浱淳湻滣漘犉瑃睶箺純纯脣莼萅萶蒓蓴蝽蠢賰輴醇醕錞陙鯙鰆鶉鶞鹑",
		"chuo":"哾啜嚽娕娖婥惙戳擉歠涰磭綽繛绰趠踀踔輟辍辵辶逴酫鑡餟齪龊",
		"ci":"佌佽偨刺刾呲垐嬨庛慈朿柌栨次此泚濨玼珁瓷甆疵皉磁礠祠糍絘縒茦茨莿薋蛓螆蠀詞词賜赐趀跐辝辞辤辭雌飺餈骴髊鴜鶿鷀鹚齹",
		"cong":"丛从匆叢囪囱婃孮従徔徖從忩怱悤悰愡憁暰枞棇樅樬樷欉淙漎漗潀潈潨灇熜爜琮瑽璁瞛篵繱聡聦聪聰苁茐葱蓯蔥藂蟌誴謥賨賩錝鍯鏓鏦騘驄骢",
		"cou":"凑楱湊腠輳辏",
		"cu":"促噈媨徂怚憱橻殂猝瘄瘯簇粗縬脨蔟觕誎趗踧踿蹙蹴蹵酢醋顣麁麄麤鼀",
		"cuan":"巑撺攛櫕欑殩汆熶爨穳窜竄篡簒蹿躥鑹镩",
		"cui":"伜倅催凗啐啛墔崔嵟忰悴慛摧榱槯毳淬漼濢焠熣獕琗璀疩瘁皠磪竁粋粹紣綷縗翆翠脃脆脺膬膵臎萃襊趡鏙顇",
		"cun":"刌吋壿存寸忖拵村澊皴竴籿膥踆邨",
		"cuo":"剉剒厝夎嵯嵳挫措搓撮棤瑳痤睉矬磋脞莝莡蒫蓌蔖虘蹉逪遳醝銼錯鎈锉错鹺鹾",
		"da":"亣剳匒呾咑哒嗒噠垯墶大妲怛打搭撘汏溚炟燵畗畣瘩眔笚笪答繨羍耷荅荙薘蟽褡詚跶达迏迖迚逹達鎉鎝鐽靼鞑韃龖龘鿎",
		"dai":"代侢傣叇呆呔垈埭岱帒带帯帶廗待怠懛戴曃柋歹殆瀻獃玳瑇甙簤紿緿绐艜蚮蝳袋襶貣貸贷跢蹛軑軚軩轪迨逮霴靆骀鴏黛黱",
		"dan":"丹亶伔但僤儋刐勯匰单単啖啗啿單嘾噉嚪妉媅帎弾彈惔惮憚憺抌担掸撢撣擔旦柦殚殫氮沊泹淡澹狚玬瓭甔疍疸瘅癉癚眈砃禫窞箪簞紞繵耼耽聃聸胆腅膽萏蓞蛋蜑衴褝襌觛訑誕诞賧贉赕躭郸鄲酖霮頕餤饏馾駳髧鴠黕黮黵",
		"dang":"儅党凼噹圵垱壋婸宕嵣当愓挡擋攩档檔欓氹潒澢灙珰璗璫瓽當盪瞊砀碭礑筜簜簹艡荡菪蕩蘯蟷裆襠譡讜谠趤逿鐺铛闣雼黨",
		"dao":"倒刀刂到叨噵壔导導岛島嶋嶌嶹忉悼捣捯搗擣朷椡槝檤氘燾瓙盗盜祷禂禱稲稻纛翢翿舠艔菿螩衜衟裯蹈軇辺道釖陦隝隯魛鱽",
		"de":"嘚得徳德恴悳惪棏淂的脦鍀锝",
		"den":"扥扽",
		"deng":"僜凳噔墱嬁嶝戥櫈灯燈璒登瞪磴竳等簦艠覴豋蹬邓鄧鐙镫隥",
		"di":"仾低俤偙僀厎呧哋唙啇啲嘀嚁地坔坘坻埅埊埞堤墆墑墬奃娣媂嫡岻嵽嶳帝底廸弟弤彽怟慸抵拞掋揥摕敌敵旳杕枤柢梊梑棣楴樀氐涤渧滌滴焍牴狄玓珶甋疐眱睇砥碲磾祶禘秪笛第篴籴糴締缔羝聜腣苐苖荻菂菧蒂蔋蔐蔕藡蝃蝭螮袛覿觌觝詆諦诋谛豴趆踶蹢軧迪递逓遞遰邸釱鉪鏑镝阺隄靮鞮頔馰骶髢鯳鸐",
		"dia":"嗲",
		"dian":"佃傎典厧嚸坫垫墊壂奌奠婝婰嵮巅巓巔店惦扂掂攧敁敟椣槇槙橂殿淀滇澱点玷琔电甸瘨癜癫癲碘簟蒧蕇蜔跕踮蹎鈿钿電靛顚顛颠驔點齻",
		"diao":"伄凋刁刟叼吊奝屌弔弴彫扚掉汈琱瘹盄瞗碉窎窵竨簓蓧藋虭蛁訋誂調貂釣鈟銚銱鋽錭鑃钓铞雕雿魡鮉鯛鲷鳭鵰鼦",
		"die":"叠啑喋垤堞峌幉恎惵戜挕揲曡柣楪殜氎爹牃牒瓞畳疂疉疊眣眰碟絰绖耊耋胅臷艓苵蜨蝶褋褺詄諜谍趃跌跮蹀迭镻鰈鲽鴩",
		"ding":"丁仃叮啶奵定嵿帄忊椗濎玎疔盯矴碇碠磸耵聢腚艼萣薡虰蝊訂订酊釘錠鐤钉锭靪頂顁顶飣饤鼎鼑",
		"diu":"丟丢銩铥",
		"dong":"东侗倲働冬冻凍动動咚垌埬姛娻嬞岽峒崠崬徚恫懂戙挏昸東栋棟氡氭洞涷湩硐笗箽胨胴腖苳菄董蕫蝀諌迵霘駧鮗鯟鶇鶫鸫鼕",
		"dou":"乧兜兠吺唗唞抖斗斣枓梪橷毭浢痘窦竇篼脰荳蔸蚪豆逗郖都酘鈄閗闘阧陡餖饾鬥鬦鬪鬬鬭",
		"du":"凟剢匵厾嘟堵妒妬嬻度暏杜椟櫝殬殰毒涜渎渡瀆牍牘犊犢独獨琽瓄皾督睹秺笃篤肚芏荰螙蠧蠹裻覩読讀讟读豄賭贕赌醏錖鍍鑟镀闍阇靯韇韣韥騳髑黩黷",
		"duan":"偳剬塅媏断斷椴段毈煅瑖短碫端簖籪緞缎腶葮褍躖鍛鍴锻",
		"dui":"兊兌兑垖堆塠对対對怼憝憞懟濧瀩痽碓磓祋綐薱譈譵轛鐓鐜队陮隊頧鴭",
		"dun":"伅吨噸墩墪庉惇撉撴敦楯沌潡炖燉犜獤盹盾砘碷礅蜳趸踲蹲蹾躉逇遁遯鈍钝镦頓顿驐",
		"duo":"亸凙刴剁剟剫咄哆哚喥嚉嚲垛垜埵堕墮墯多夛夺奪奲媠尮崜惰憜挅挆掇敓敚敠敪朵朶柮桗椯毲沲畓痥綞缍舵裰趓跥跺踱躱躲軃鈬鐸铎陊陏飿饳鵽",
		"e":"俄偔僫匎卾厄吪呃呝咢咹噁噩囮垩堊堮妸妿姶娥娿婀屙岋峉峨峩崿廅恶悪惡愕戹扼搤搹擜枙櫮歞歺涐湂珴琧皒睋砈砐砨硆磀礘腭苊莪萼蕚蚅蛾蝁覨訛誐諤譌讍讹谔豟軛軶轭迗遌遏遻鄂鈋鈪鋨鍔鑩锇锷閼阏阨阸頋頞頟額顎颚额餓餩饿騀魤鰐鰪鱷鳄鵈鵝鵞鶚鹅鹗齃齶",
		"ei":"誒诶",
		"en":"奀峎恩摁煾蒽",
		"eng":"鞥",
		"er":"二佴侕儿児兒刵咡唲尒尓尔峏弍弐栭栮樲毦洏洱爾珥粫而耏耳聏胹荋薾衈袻誀貮貳贰趰輀轜迩邇鉺铒陑隭餌饵駬髵髶鮞鲕鴯鸸",
		"fa":"乏伐佱傠冹发坺垡墢姂峜彂栰橃沷法浌灋珐琺疺発發瞂砝笩筏罚罰罸茷蕟藅酦鍅閥阀髪髮",
		"fan":"仮凡凢凣勫匥反噃墦奿嬎嬏帆幡忛憣払旙旛杋柉梵棥樊橎氾汎泛滼瀪瀿烦煩燔犯犿璠畈畨番盕矾礬笲笵範籓籵緐繁繙羳翻膰舤舧范蕃薠藩蘩蠜襎訉販贩蹯軓軬輽轓返釩鐇鐢钒颿飜飯飰饭鱕鷭",
		"fang":"仿倣匚坊堏妨房放方旊昉昘枋汸淓牥瓬眆紡纺肪舫芳蚄訪访趽邡鈁錺钫防髣魴鲂鴋鶭",
		"fei":"俷剕匪厞吠啡奜妃婓婔屝废廃廢悱扉斐昲暃曊朏棐榧櫠沸淝渄濷狒猆疿痱癈篚緋绯翡肥肺胇胏胐腓芾菲萉蕜蜚蜰裶誹诽費费鐨镄陫霏靅非靟飛飝飞餥馡騑騛鯡鲱鼣",
		"fen":"份偾僨分吩坋坟墳奋奮妢岎帉幩弅忿愤憤昐朆枌梤棻棼橨氛汾瀵炃焚燌燓獖瞓秎竕粉粪糞紛纷羒羵翂膹芬蒶蕡蚠蚡衯訜豮豶躮轒酚鈖鐼隫雰餴饙馚馩魵鱝鲼黂黺鼖鼢",
		"feng":"丰仹俸偑僼冯凤凨凬凮唪堸奉妦寷封峯峰崶摓枫桻楓檒沣沨浲渢湗溄漨灃烽焨煈熢犎猦琒疯瘋盽砜碸篈綘縫缝艂葑蘴蜂蠭覂諷讽豐賵赗逢鄷酆鋒鎽鏠锋霻靊風飌风馮鳯鳳鴌麷",
		"fo":"仏佛坲梻",
		"fou":"否妚殕紑缶缹缻雬鴀",
		"fu":"乀乶付伏伕俌俘俛俯偩傅冨凫刜副匐呋呒咈咐哹嘸坿垘复夫妇妋姇娐婏婦媍嬔孚孵富尃岪峊巿帗幅幞府弗弣彿復怤怫懯扶抚拂拊捬撫敷斧旉服枎柎柫栿桴棴椨椱榑氟泭洑浮涪滏澓炥烰焤父玞玸琈甫甶畉畐癁盙砆砩祓祔福禣秿稃稪竎符笰筟箙簠粰糐紨紱紼絥綍綒緮縛绂绋缚罘罦翇肤胕腐腑腹膚艀艴芙芣苻茀茯荂荴菔萯葍蕧虙蚥蚨蚹蛗蜅蜉蝜蝠蝮衭袚袝袱複褔襆襥覄覆訃詂諨讣豧負賦賻负赋赙赴趺跗踾輔輹輻辅辐邞郙郛鄜酜釜釡鈇鉘鉜鍑鍢阜阝附韍韨頫颫馥駙驸髴鬴鮄鮒鮲鰒鲋鳆鳧鳬鳺鴔鵩鶝麩麬麱麸黻黼",
		"ga":"嘎嘠噶尕尜尬旮玍釓錷钆魀",
		"gai":"丐乢侅匃匄垓姟峐忋戤摡改晐概槩槪溉漑瓂畡盖祴絠絯胲荄葢蓋該该豥賅賌赅郂鈣钙陔隑",
		"gan":"仠倝凎凲坩尲尴尶尷干幹忓感擀攼敢旰杆柑桿榦橄檊汵泔淦漧澉澸灨玕甘疳皯盰矸秆稈竿笴筸簳粓紺绀肝芉苷虷衦詌贑贛赣赶趕迀酐骭魐鱤鳡鳱",
		"gang":"冈冮刚剛堈堽岗岡崗戅戆掆摃杠棡槓港焵焹牨犅疘矼筻綱纲缸罁罡肛釭鋼鎠钢鿍",
		"gao":"勂吿告夰峼搞杲槀槁槔槹橰檺櫜皋皐睾祮祰禞稁稾稿筶篙糕縞缟羔膏臯菒藁藳誥诰郜鋯鎬锆韟餻高髙鷎鷱鼛",
		"ge":"个亇佫佮個割匌各呄咯哥哿嗝嗰圪塥彁愅戈戓戨挌搁搿擱敋格槅櫊歌滆滒牫犵獦疙硌箇肐胳膈臵舸茖葛虼蛒袼觡諽謌輵轕鉻鎘鎶铬镉閣阁隔革鞈鞷韐韚饹騔骼鬲鮯鴚鴿鸽",
		"gei":"給给",
		"gen":"亘亙哏揯搄根艮茛跟",
		"geng":"刯哽埂堩峺庚挭暅更梗椩浭焿畊絙絚綆緪縆绠羮羹耕耿莄菮賡赓郠骾鯁鲠鶊鹒",
		"gong":"侊供公共功匑匔厷唝嗊塨宫宮工巩幊廾弓恭愩慐拱拲攻杛栱汞熕珙硔碽篢糼糿肱蚣觥觵貢贡躬躳輁鞏髸龏龔龚",
		"gou":"佝傋冓勾啂坸垢够夠姤媾岣彀搆撀构枸構沟溝煹狗玽痀笱篝簼緱缑耇耈耉芶苟蚼袧褠覯觏訽詬诟豿購购遘鈎鉤钩雊鞲韝",
		"gu":"估傦僱凅古咕唂唃啒嘏固堌夃姑嫴孤尳崓崮巬巭愲扢故杚柧梏棝榖榾橭毂汩沽泒淈濲瀔牯牿痼皷皼盬瞽祻稒穀笟箍箛篐糓縎罛罟羖股脵臌苽菇菰蓇薣蛄蛊蠱觚詁诂谷軱軲轂轱辜逧酤鈲鈷錮钴锢雇顧顾餶馉骨鮕鯝鲴鴣鶻鸪鼓鼔",
		"gua":"冎刮剐剮劀卦叧呱啩寡挂掛栝桰歄煱瓜絓緺罣罫胍褂詿诖趏踻颪颳騧鴰鸹",
		"guai":"乖叏夬怪恠拐枴柺箉",
		"guan":"丱倌关冠官悹悺惯慣掼摜棺樌欟毌泴涫潅灌爟琯璭瓘痯瘝癏盥矔礶祼窤筦管罆罐舘蒄覌観觀观貫贯躀輨遦錧鏆鑵関闗關雚館馆鰥鱞鱹鳏鳤鸛鹳",
		"guang":"俇僙光咣垙姯广広廣桄洸灮炗炚炛烡犷獷珖胱臦臩茪輄逛銧黆",
		"gui":"亀佹刽刿劊劌匦匭厬圭垝妫姽媯嫢嬀宄嶲帰庋庪廆归恑摫撌攰攱昋晷朹柜桂桧椝椢槶槻槼樻檜櫃櫷歸氿湀猤珪瑰璝瓌癐癸皈瞆瞡瞶硅祪禬筀簋胿茥蓕蘬蛫螝蟡袿襘規规觤詭诡貴贵趹跪軌轨邽郌鐀鑎閨闺陒雟鞼騩鬶鬹鬼鮭鱖鱥鲑龜龟",
		"gun":"丨惃棍滚滾睔磙緄绲蓘蔉衮袞謴輥辊鮌鯀鲧",
		"guo":"呙啯嘓囯囶囻国圀國埚堝墎崞帼幗彉彍惈慖懖掴摑果椁楇槨淉漍濄猓瘑簂粿綶聒聝腂腘膕菓蔮虢蜾蝈蟈裹褁輠过過郭鈛鍋鐹锅餜馃馘",
		"ha":"哈奤紦蛤鉿铪",
		"hai":"亥咍咳嗐塰妎孩害氦海烸还酼醢餀饚駭駴骇骸",
		"han":"丆佄傼兯函凾厈含哻唅喊圅垾娢嫨寒屽崡嵅悍憨憾扞捍撖撼旱晗晘暵梒椷汉汗浛浫涆涵漢澏瀚焊焓熯爳猂琀甝皔睅筨罕翰肣莟菡蔊蚶蛿蜬蜭螒譀谽豃輚邗邯酣釬銲鋎鋡閈闬雗韓韩頇頷顄顸颔馠馯駻魽鶾鼾",
		"hang":"垳夯斻杭沆笐筕絎绗航苀蚢裄貥迒頏颃魧",
		"hao":"乚傐儫号呺哠嗥嘷噑嚆嚎壕好恏悎昊昦晧暠暤暭曍椃毜毫浩淏滈澔濠灏灝獆獋獔皓皜皞皡皥秏竓籇耗聕茠蒿薃薅號蚝蠔諕譹豪郝鄗镐顥颢鰝",
		"he":"何劾合呵咊和哬啝喝嗃嗬嚇垎壑姀寉峆惒抲敆曷柇核楁欱毼河涸渮澕焃煂熆熇燺爀狢猲癋皬盇盉盍盒碋礉禾篕籺粭紇纥翮翯荷菏萂螛蠚袔褐覈訶訸詥謞诃賀贺赫郃釛鉌鑉閡閤闔阂阖隺靍靎靏鞨頜颌餄饸魺鲄鶡鶮鶴鸖鹖鹤麧齕龁龢",
		"hei":"嗨嘿潶黑黒",
		"hen":"佷很恨拫狠痕詪鞎",
		"heng":"亨哼啈堼姮恆恒悙撗桁横橫涥烆珩胻脝蘅衡鑅鴴鵆鸻",
		"hong":"仜叿吰吽呍哄嚝垬妅娂宏宖屸弘彋揈撔晎汯沗泓洪浤渱渹潂澒灴烘焢玒玜硡竑竤篊粠紅紘紭綋红纮羾翃翝耾苰荭葒葓蕻薨虹訇訌讧谹谼谾軣輷轟轰鈜鉷銾鋐鍧閎閧闀闂闳霐霟鞃鬨魟鴻鸿黉黌",
		"hou":"侯候厚后吼呴喉垕堠帿後洉犼猴瘊睺矦篌糇翭翵茩葔豞逅郈鄇銗鍭餱骺鮜鯸鱟鲎鲘齁",
		"hu":"乎乕乯互俿冱匢匫呼唬唿喖嗀嘑嘝嚛囫垀壶壷壺婟媩嫭嫮寣岵帍幠弖弧忽怘怙恗惚戱戶户戸戽扈抇护搰摢斛昈昒曶枑楜槲槴歑汻沍沪泘浒淴湖滬滸滹濩瀫烀焀煳熩狐猢琥瑚瓠瓳祜笏箶簄粐糊絗綔縠胡芐苸萀葫蔛蔰虍虎虖虝蝴螜衚觳謼護豰軤轷鄠醐錿鍙鍸雐雽頀頶餬鬍魱鯱鰗鱯鳠鳸鵠鶘鶦鸌鹄鹕鹘鹱",
		"hua":"划劃化华呚哗嘩埖夻姡婲婳嫿嬅崋搳摦撶杹枠桦椛槬樺滑澅猾画畫畵砉硴磆糀繣舙花華蒊蕐蘤螖觟話誮諙諣譁譮话釫錵鏵铧驊骅鷨黊",
		"huai":"佪咶坏壊壞徊怀懐懷槐櫰淮瀤耲蘹蘾褢褱踝",
		"huan":"唤喚喛嚾圜堚奂奐孉宦寏寰峘嵈幻患愌懽换換擐攌桓梙槵欢歓歡洹浣涣渙漶澣澴烉焕煥狟獂獾环瑍環瓛痪瘓睆糫綄緩繯缓缳羦肒荁萈萑藧讙豢豲貆貛轘逭還郇酄鍰鐶锾镮闤阛雈驩鬟鯇鯶鰀鲩鴅鵍鹮",
		"huang":"偟兤凰喤堭塃墴奛媓宺崲巟幌徨怳恍惶愰慌揘晃晄曂朚楻榥櫎湟滉潢炾煌熀熿獚瑝璜癀皇皝皩磺穔篁簧縨肓艎荒葟蝗蟥衁詤諻謊谎趪遑鍠鎤鐄锽隍韹餭騜鰉鱑鳇鷬黃黄",
		"hui":"会僡儶匯卉咴喙嘒噅噕嚖囘回囬圚婎媈嬒寭屶屷幑廻廽彗彙彚徻徽恚恛恢恵悔惠慧憓懳拻挥揮撝晖晦暉暳會楎槥橞檅檓櫘毀毁毇汇泋洃洄浍湏滙潓濊瀈灰灳烠烣烩煇燬燴獩珲璤璯痐睳瞺硊禈秽穢篲絵繢繪绘缋翙翚翬翽芔茴荟蔧蕙薈薉藱蘳虺蚘蛔蛕蜖蟪袆褘詯詼誨諱譓譭譿讳诙诲豗賄贿輝辉迴逥鏸鐬闠阓隓隳靧頮顪颒餯鮰鰴麾",
		"hun":"俒倱圂婚婫尡忶惛慁掍昏昬棔殙浑涽混渾溷焄焝琿睧睯睴碈荤葷蔒觨諢诨轋閽阍餛馄魂鼲",
		"huo":"伙佸俰剨劐吙咟嚄嚯嚿夥奯彠惑或捇掝擭攉旤曤檴沎活湱漷瀖火灬煷獲癨眓矆矐祸禍秮秳秴穫窢耠耯臛艧获蒦藿蠖謋豁貨货邩鈥鍃鑊钬锪镬閄雘霍靃韄騞",
		"ji":"丮乩亟亼亽伋伎佶偈偮僟兾冀几击刉刏剂剞剤劑勣卙即卽及叝叽吉咭哜唧喞嗘嘰嚌圾坖垍基堲塈塉墼妀妓姞姬嫉季寂寄屐岌嵆嵇嵴嶯己幾庴廭彐彑彶徛忌忣急悸惎愱憿懻戟戢技挤掎揤撃撠擊擠攲旡既旣暨暩曁朞机极枅梞棘楖楫極槉槣樭機橶檕檝檵櫅殛毄汲泲洎济済湒漃漈潗激濈濟瀱焏犄犱玑璣璾畸畿疾痵瘠癠癪皀皍矶磯磼祭禝禨积稘稩稷稽穄穊積穖穧笄笈筓箕箿簊籍紀紒級継綨緁緝績繋繼级纪继绩缉罽羁羇羈耤耭肌脊膌臮艥芨芰茍茤葪蒺蓟蔇蕀蕺薊薺蘎蘮蘻虀虮蝍螏蟣裚襀襋覉覊覬觊觙觭計記誋諅譏譤计讥记谻賫賷赍趌跡跻跽踑踖蹐蹟躋躤躸輯轚辑迹郆銈銡錤鍓鏶鐖鑇鑙际際隮集雞雧霁霵霽鞿韲飢饑饥驥骥髻鬾魕魝魢魥鮆鯚鯽鰶鰿鱀鱭鱾鲚鲫鳮鵋鶏鶺鷄鷑鸄鸡鹡麂齌齎齏齑",
		"jia":"乫价伽佳假傢價加叚唊嘉圿夹夾婽嫁家岬幏徦忦恝戛戞扴抸拁斚斝架枷梜椵榎榢槚檟毠泇浃浹犌猳玾珈甲痂瘕稼笳糘耞胛脥腵荚莢葭蛱蛺袈袷裌豭貑賈贾跏跲迦郏郟鉀鉫鋏鎵钾铗镓頬頰颊駕驾鴐鴶鵊麚",
		"jian":"件侟俭俴倹健僭儉兼冿减剑剣剪剱劍劎劒劔囏囝坚堅堿墹奸姦姧寋尖帴幵建弿彅徤惤戋戔戩戬拣挸捡揀揃揵搛撿擶旔暕枧柬栫梘检検椾楗榗樫檢檻櫼歼殱殲毽洊涧渐減湔湕溅漸澗濺瀐瀸瀽煎熞熸牋牮犍猏玪珔瑊瑐监監睑睷瞯瞷瞼硷碊碱磵礀礆礛礷笕笺筧简箋箭篯簡籛糋絸緘縑繝繭缄缣翦肩腱臶舰艦艰艱茧荐菅菺葌蒹蔪蕑蕳薦藆虃螹蠒袸裥襇襉襺見覵覸见詃諓諫謇謭譛譼譾谏谫豜豣賎賤贱趝趼跈践踐踺蹇轞鉴鋻鍳鍵鏩鐗鐧鐱鑑鑒鑬鑯鑳锏键間间雃鞬鞯韀韉餞餰饯馢鬋鰎鰔鰜鰹鲣鳒鳽鵑鵳鶼鹣鹸鹻鹼麉",
		"jiang":"僵勥匞匠塂壃夅奖奨奬姜将將嵹弜弶摪摾桨槳橿櫤殭江洚浆滰漿犟獎畕畺疅疆礓糡糨絳繮绛缰翞耩膙茳葁蒋蔣薑螀螿講謽讲豇酱醤醬降韁顜鱂鳉",
		"jiao":"交佼侥僥僬儌剿劋勦叫呌嘂嘄嘐嘦噍噭嚼姣娇嬌嬓孂峧嶕嶠嶣徺徼憍挍挢捁搅摷撟撹攪敎教敫敽敿斍斠晈暞曒椒浇滘漖潐澆灚烄焦煍燋燞狡獥珓璬皎皦皭矫矯礁穚窌窖笅筊簥絞繳纐绞缴胶脚腳膠膲臫艽茭茮蕉藠虠蛟蟜蟭角訆譑譥賋趭跤踋較轇轎轿较郊酵醮釂鉸鐎铰餃饺驕骄鮫鱎鲛鵁鷦鷮鹪龣",
		"jie":"丯介借倢偼傑刦刧刼劫劼卩卪吤唶喈喼嗟堦堺姐婕媎媘媫嫅孑寁尐屆届岊岕崨嵥嶻巀幯庎徣悈戒截拮捷接掲掶揭搩擑擮昅杢杰桀桝椄楐楬楶榤檞毑洁湝滐潔煯犗狤玠琾界畍疌疖疥痎癤皆睫砎碣礍秸稭竭節結絜结羯脻节芥莭菨蓵藉蚧蛣蛶蜐蝔蠘蠞蠽街衱衸袺裓褯解觧訐詰誡誱謯讦诘诫踕迼鉣鍻鎅镼阶階鞂鞊頡颉飷骱魪鮚鲒鶛",
		"jin":"仅今仐伒侭僅僸儘凚劤劲勁卺厪噤嚍堇堻墐壗妗嫤嬧寖尽巹巾廑惍慬搢斤晉晋枃槿歏殣津浕浸溍漌濅濜烬煡燼珒琎琻瑨瑾璡璶盡矜矝砛祲禁筋紟紧緊縉缙荕荩菫蓳藎衿襟覲觐觔謹谨賮贐赆近进進金釒釿錦钅锦靳饉馑鹶黅齽",
		"jing":"丼井京亰俓傹儆兢净凈刭剄坓坕坙境妌婙婛婧宑巠幜弪弳径徑惊憬憼敬旌旍景晶暻曔桱梷橸殌汫汬泾浄涇淨澋瀞猄獍璄璟璥痉痙睛秔稉穽竞竟竧竫競竸箐粳精経經綡经聙肼胫脛腈茎荆荊莖菁葏蟼誩警踁迳逕鏡镜阱靖静靚靜頚頸颈驚鯨鲸鵛鶁鶄麖麠鼱",
		"jiong":"侰僒冂冋冏囧坰埛扃泂浻澃炅炯烱煚煛熲燛窘絅綗蘏蘔褧迥逈顈颎駉駫",
		"jiu":"丩久乆九乣倃僦勼匓匛匶厩咎啾奺就廄廏廐慦捄揂揪揫摎救旧朻杦柩柾桕樛欍殧汣灸牞玖疚究糺糾紤纠臼舅舊舏萛赳酒镹阄韭韮鬏鬮鯦鳩鷲鸠鹫麔齨",
		"ju":"举乬侷俱倨倶具凥剧劇勮匊句啹埧埾壉姖娵婅婮局居屦屨岠崌巈巨巪弆怇惧愳懅懼抅拒拘拠挙挶据掬據擧昛桔梮椇椈椐榉榘橘檋櫸欅歫毩毱沮泃泦洰涺淗湨澽炬烥焗犋犑狊狙琚疽眗矩砠秬窭窶筥簴粔粷繘罝耟聚聥腒舉艍苣苴莒菊蒟蘜虡蚷蜛袓裾襷詎諊讵豦貗趄趜跔跙距跼踘踞踽蹫躆躹車輂遽邭郹醵鉅鋦鋸鐻钜锔锯閰陱雎鞠鞫颶飓駏駒駶驧驹鮈鮔鴡鵙鵴鶋鶪鼰鼳齟龃",
		"juan":"倦劵勌勬卷呟埍奆姢娟巻帣慻捐捲朘桊涓淃焆狷獧瓹眷睊睠絭絹绢罥羂腃臇菤蔨蠲裐讂鄄鋑鋗錈鎸鐫锩镌鞙餋鹃",
		"jue":"亅倔决刔劂匷厥噊噘噱孒孓屩屫崛崫嶡嶥弡彏憠憰戄抉挗捔掘撅撧攫桷橛橜櫭欮氒決泬灍焳熦爑爝爴爵獗玃玦玨珏瑴璚疦瘚矍矡砄絕絶绝臄芵蕝蕨虳蚗蟨蟩覐覚覺觉觖觮觼訣譎诀谲貜赽趉蹶蹷躩鈌鐍鐝钁镢鳜鴂鴃鷢",
		"jun":"俊儁军君呁均埈姰寯峻懏捃攈攟晙桾棞汮浚濬焌燇珺畯皲皸皹碅竣箘箟莙菌葰蚐蜠袀覠賐軍郡鈞銁銞鍕钧陖隽雋頵餕馂駿骏鮶鲪鵔鵕鵘麇麏麕",
		"ka":"佧卡咔咖喀垰擖胩裃鉲",
		"kai":"凯凱剀剴勓嘅垲塏奒开忾恺愒愷愾慨揩暟楷欬炌烗蒈輆鍇鎎鎧鐦铠锎锴開闓闿颽",
		"kan":"侃偘冚凵刊勘坎埳堪墈崁嵁惂戡栞槛欿歁看瞰矙砍磡竷莰衎輡轗闞阚顑鬫龕龛",
		"kang":"亢伉匟囥嫝嵻康忼慷扛抗槺漮炕犺砊穅粇糠躿邟鈧鏮钪閌闶鱇",
		"kao":"丂尻嵪拷攷栲洘烤焅犒考薧銬铐靠髛鮳鯌鲓",
		"ke":"克刻勀勊匼可嗑坷堁壳娔客岢嵑嵙嶱恪愘愙揢搕敤柯棵榼樖殼氪渇渴溘炣牁牱犐珂疴痾瞌碦磕礊礚科稞窠緙缂翗艐苛萪薖蚵蝌衉課课趷軻轲醘鈳錁钶锞頦顆颏颗騍骒髁",
		"kei":"剋尅",
		"ken":"啃垦墾恳懇掯肎肯肻裉褃豤貇錹",
		"keng":"劥吭坑妔挳摼牼硁硜硻誙銵鍞鏗铿阬",
		"kong":"倥埪孔崆恐悾控涳硿空箜躻錓鞚鵼",
		"kou":"冦剾劶口叩宼寇彄怐扣抠摳敂滱眍瞉瞘窛筘簆芤蔲蔻釦鷇",
		"ku":"俈刳哭喾嚳圐堀库庫廤枯桍楛狜瘔矻秙窋窟絝绔苦袴裤褲跍郀酷骷鮬",
		"kua":"侉咵垮夸姱挎胯舿誇趶跨銙骻",
		"kuai":"侩儈凷哙噲圦块塊墤巜廥快擓旝欳澮狯獪筷糩脍膾蒯郐鄶駃鱠鲙",
		"kuan":"宽寛寬梡欵款歀窽窾臗鑧髋髖",
		"kuang":"儣况劻匡匩卝哐圹壙夼岲忹恇懬懭抂旷昿曠框況洭爌狂狅眖眶矌矿砿硄礦穬筐筺絋絖纊纩誆誑诓诳貺贶軖軠軦軭邝邼鄺鉱鋛鑛鵟黋",
		"kui":"亏傀刲匮匱喟喹嘳夔奎媿嬇尯岿巋巙悝愦愧憒戣揆晆暌楏楑櫆殨溃潰煃犪盔睽窥窺篑簣籄聧聩聭聵膭葵蒉蕢藈蘷虁虧蝰謉跬蹞躨逵鄈鍨鍷闚頍頯顝餽饋馈馗騤骙魁",
		"kun":"困坤堃堒壸壼崐崑悃捆昆晜梱涃潉焜熴猑琨瑻睏硱祵稇稛綑菎蜫裈裍裩褌醌錕锟閫閸阃騉髠髡髨鯤鲲鵾鶤鹍",
		"kuo":"廓扩拡括挄擴濶筈萿葀蛞闊阔霩鞟鞹韕頢髺鬠",
		"la":"剌啦喇嚹垃拉揦揧搚擸攋旯柆楋櫴溂爉瓎瘌砬磖翋腊臈臘菈藞蜡蝋蝲蠟辢辣邋鑞镴鞡鬎鯻",
		"lai":"來俫倈唻婡崃崍庲徕徠来梾棶涞淶濑瀨瀬猍琜癞癩睐睞筙箂籁籟莱萊藾襰賚賴赉赖逨郲錸铼頼顂騋鯠鵣鶆麳",
		"lan":"儖兰厱嚂囒壈壏婪嬾孄孏岚嵐幱惏懒懢懶拦揽擥攔攬斓斕栏榄欄欖欗浨滥漤澜濫瀾灆灠灡烂燗燣燷爁爛爤爦璼瓓篮籃籣糷繿纜缆罱葻蓝藍蘫蘭褴襕襤襴襽覧覽览譋讕谰躝醂鑭钄镧闌阑韊顲",
		"lang":"勆啷埌塱嫏崀廊斏朖朗朤桹榔樃欴浪烺狼琅瑯硠稂筤艆莨蒗蓈蓢蜋螂誏躴郎郒郞鋃鎯锒閬阆",
		"lao":"佬僗劳労勞咾哰唠嗠嘮姥嫪崂嶗恅憥憦捞撈朥栳橯浶涝澇烙牢狫珯痨癆硓磱窂簩粩老耂耢耮荖蛯蟧躼軂轑酪醪銠鐒铑铹顟髝鮱",
		"le":"乐仂勒叻嘞忇扐楽樂氻泐玏砳竻簕艻阞韷餎鰳鱳鳓",
		"lei":"傫儡儽厽垒塁壘壨嫘擂攂樏檑櫐櫑欙泪洡涙淚灅瓃畾瘣癗矋磊磥礌礧礨禷类累絫縲纇纍纝缧罍羸耒肋蔂蕌蕾藟蘱蘲蘽虆蠝誄讄诔轠酹銇錑鐳鑘鑸镭雷靁頛頪類颣鱩鸓鼺",
		"leng":"倰冷唥堎塄愣棱楞睖碐稜薐踜",
		"li":"丽例俐俚俪傈儮儷凓刕利剓剺劙力励勵历厉厘厤厯厲叓吏呖哩唎唳喱嚟嚦囄囇坜塛壢娌娳婯嫠孋孷屴岦峢峲巁廲悡悧悷慄戾搮擽攊攦攭斄暦曆曞朸李枥栃栎栗栛梨梩梸棃棙樆檪櫔櫟櫪欐欚歴歷沥沴浬涖溧漓澧濿瀝灕爄爏犁犂犡狸猁珕理琍瑮璃瓅瓈瓑瓥疠疬痢癘癧皪盠盭睙睝砅砺砾磿礪礫礰礼禮禲离秝穲立竰笠筣篥篱籬粒粝粴糎糲綟縭纚缡罹脷艃苈苙茘荔荲莅莉菞蒚蒞蓠蔾藜藶蘺蚸蛎蛠蜊蜧蝷蟍蟸蠇蠡蠣蠫裏裡褵觻詈謧讈豊貍赲躒轢轣轹逦邌邐郦酈醨醴里釐鉝鋫鋰錅鏫鑗锂隶隷隸離雳靂靋驪骊鬁鯉鯏鯬鱧鱱鱺鲡鲤鳢鳨鴗鵹鷅鸝鹂麗麜黎黧",
		"lia":"俩",
		"lian":"亷僆劆匲匳嗹噒堜奁奩媡嫾嬚帘廉怜恋慩憐戀摙敛斂梿楝槤櫣歛殓殮浰涟湅溓漣潋澰濂濓瀮瀲炼煉熑燫琏瑓璉磏簾籢籨練縺纞练羷翴联聨聫聮聯脸臁臉莲萰蓮蔹薕蘝蘞螊蠊裢裣褳襝覝謰蹥连連鄻錬鍊鎌鏈鐮链镰鬑鰊鰱鲢",
		"liang":"両两亮俍倆倞兩凉哴唡啢喨墚悢掚晾梁椋樑涼湸粮粱糧緉脼良蜽裲諒谅踉輌輛輬辆辌量鍄靓駺魉魎",
		"liao":"了僚嘹嫽寥寮尞尥尦屪嵺嶚嶛廖廫憀憭撂撩敹料暸曢橑漻潦炓燎爎爒獠璙疗療瞭窷竂簝繚缭聊膋膫蓼藔蟟豂賿蹘蹽辽遼鄝釕鐐钌镣镽飉髎鷯鹩",
		"lie":"儠冽列劣劽咧哷埒埓姴峛巤挒挘捩栵毟洌浖烈烮煭犣猎猟獵聗脟茢蛚裂趔躐迾颲鬛鬣鮤鱲鴷",
		"lin":"临亃僯冧凛凜厸吝啉壣崊嶙廩廪恡悋懍懔拎撛斴晽暽林橉檁檩淋潾澟瀶焛燐獜琳璘甐疄癛癝瞵碄磷箖粦粼繗翷膦臨菻蔺藺賃赁蹸躏躙躪轔轥辚遴邻鄰鏻閵阾隣霖驎鱗鳞麐麟",
		"ling":"〇令伶凌刢另呤囹坽夌姈婈孁岭岺崚嶺彾掕昤朎柃棂櫺欞泠淩澪灵炩燯爧狑玲琌瓴皊砱祾秢竛笭紷綾绫羐羚翎聆舲苓菱蓤蔆蕶蘦蛉衑袊裬詅跉軨輘酃醽鈴錂铃閝陵零霊霗霛霝靈領领駖魿鯪鲮鴒鸰鹷麢齡齢龄龗",
		"liu":"六刘劉嚠塯媹嬼嵧廇懰旈旒柳栁桞桺榴橊橮流浏溜澑瀏熘熮珋琉瑠瑬璢畄留畱疁瘤癅硫磂磟綹绺罶羀翏蒥蓅藰蟉裗蹓遛鋶鎏鎦鏐鐂锍镏镠雡霤飀飂飅飗餾馏駠駵騮驑骝鬸鰡鶹鷚鹠鹨麍",
		"long":"儱咙哢嚨垄垅壟壠嶐巃巄徿拢攏昽曨朧栊梇槞櫳泷湰滝漋瀧爖珑瓏癃眬矓砻礱礲窿竉竜笼篭籠聋聾胧茏蘢蠪蠬襱豅贚躘鏧鑨陇隆隴霳靇驡鸗龍龒龓龙",
		"lou":"剅喽嘍塿娄婁寠屚嵝嶁廔慺搂摟楼樓溇漊漏熡甊瘘瘺瘻瞜篓簍耧耬艛蒌蔞蝼螻謱軁遱鏤镂陋鞻髅髏鷜",
		"lu":"侓僇剹勎勠卢卤噜嚕嚧圥坴垆塶塷壚娽峍庐廘廬彔录戮掳摝撸擄擼攎曥枦栌椂樐樚橹櫓櫨氇氌泸淕淥渌滷漉潞澛瀂瀘炉熝爐獹玈琭璐璷瓐甪盝盧睩矑硉硵碌磠祿禄稑穋穞箓簏簬簵簶籙籚粶纑罏胪膔臚舮舻艣艪艫芦菉蓾蔍蕗蘆虂虏虜螰蠦謢賂赂趢路踛蹗輅轆轤轳辂辘逯醁鈩錄録錴鏀鏕鏴鐪鑥鑪镥陆陸露顱颅馿騄騼髗魯魲鯥鱸鲁鲈鴼鵦鵱鷺鸕鸬鹭鹵鹿麓黸",
		"luan":"乱亂卵圝圞奱娈孌孪孿峦巒挛攣曫栾欒滦灓灤癴癵羉脔臠虊釠銮鑾鵉鸞鸾",
		"lun":"仑伦侖倫囵圇埨婨崘崙惀抡掄棆沦淪溣碖磮稐綸纶耣腀芲菕蜦論论踚輪轮錀陯鯩",
		"luo":"倮儸剆啰囉囖峈捰摞攞曪椤欏泺洛洜漯濼犖猡玀珞瘰癳砢硦笿箩籮絡纙络罗羅脶腡臝荦萝落蓏蘿螺蠃裸覶覼詻跞躶逻邏鏍鑼锣镙雒頱饠駱騾驘骆骡鮥鵅鸁",
		"lv":"侣侶偻僂儢勴吕呂垏屡屢履嵂律慮挔捋捛旅梠榈櫖櫚氀氯滤濾焒爈率祣稆穭箻絽綠緑縷繂绿缕膂膐膟膢葎藘虑褛褸郘鋁鑢铝閭闾驢驴",
		"lve":"圙寽掠略畧稤鋝鋢锊",
		"m":"呣",
		"ma":"傌吗嗎嘛嘜妈媽嫲孖杩榪溤犘犸獁玛瑪痲痳睰码碼祃禡罵蔴蚂螞蟆蟇遤鎷閁馬駡马骂鬕鰢鷌麻",
		"mai":"买佅劢勱卖唛嘪埋売脈脉荬蕒衇買賣迈邁霡霢霾鷶麥麦鿏",
		"man":"僈墁姏娨嫚屘幔悗慢慲摱曼槾樠満满滿漫澷熳獌瞒瞞矕縵缦蔄蔓蘰蛮螨蟎蠻襔謾谩鄤鏋鏝镘鞔顢颟饅馒鬗鬘鰻鳗",
		"mang":"厖吂哤壾娏庬忙恾杗杧氓汒浝漭牤牻狵痝盲盳硥硭笀芒茫茻莽莾蘉蛖蟒蠎邙釯鋩铓駹",
		"mao":"乮冃冇冐冒卯堥夘媢峁帽愗懋戼旄昴暓枆柕楙毛毷氂泖渵牦犛猫瑁皃眊瞀矛笷罞耄芼茂茅茆萺蓩蝐蝥蟊袤覒貌貓貿贸軞鄚鄮酕鉚鉾錨铆锚髦髳鶜",
		"me":"么嚒嚜嚰庅濹",
		"mei":"凂坆堳塺妹媄媒媚媺嬍寐嵄嵋徾抺挴攗旀昧枚栂梅楣楳槑毎每沒没沬浼渼湄湈煝煤燘猸玫珻瑂痗眉眛睂睸祙禖篃美羙脄脢腜苺莓葿蝞袂跊躾郿酶鋂鎂鎇镁镅霉韎鬽魅鶥鹛黣黴",
		"men":"们們呇悶懑懣扪捫暪椚焖燜玧璊穈菛虋鍆钔門閅门闷",
		"meng":"儚冡勐夢夣孟尨幪懜懞懵掹擝曚朦梦橗檬氋溕濛猛獴甍甿癦盟瞢矇矒礞艋艨莔萌蒙蕄虻蜢蝱蠓鄳鄸錳锰霥霿靀顭饛鯍鯭鸏鹲鼆",
		"mi":"侎冖冞冪咪嘧塓孊宓宻密峚幂幎幦弥弭彌怽戂擟攠敉榓樒櫁汨沕沵泌洣淧渳滵漞濔濗瀰灖熐爢猕獼瓕眯瞇祢禰秘簚米粎糜糸縻羃羋脒芈葞蒾蓂蔝蔤藌蘪蘼蜜袮覓覔覛觅詸謎謐谜谧迷醚醾醿釄銤镾靡鸍麊麋麛麿鼏",
		"mian":"丏偭免冕勉勔喕娩婂媔嬵宀愐杣棉檰櫋汅沔渑湎澠眄眠睌矈矊矏糆綿緜緬绵缅腼臱芇葂蝒面靣靦鮸麪麫麵麺黾",
		"miao":"劰喵妙媌嫹庙庿廟描杪淼渺玅眇瞄秒竗篎緢緲缈苗藐邈鶓鹋",
		"mie":"吀咩哶孭幭懱搣櫗滅灭烕礣篾蔑薎蠛衊鑖鱴鴓",
		"min":"僶冺刡勄垊姄岷崏忞忟怋悯惽愍慜憫抿捪敃敏敯旻旼暋民泯湣潣玟珉琘琝瑉痻皿盿砇笢笽簢緍緡缗罠苠蠠鈱錉鍲閔閩闵闽鰵鳘鴖黽",
		"ming":"佲冥凕名命姳嫇慏掵明暝朙榠洺溟猽眀眳瞑茗螟覭詺鄍酩銘铭鳴鸣",
		"miu":"缪謬谬",
		"mo":"劘嗼嚤圽塻墨妺嫫嫼嬤嬷寞尛帓帞懡抹摩摸摹擵昩末枺模橅歿殁沫漠瀎爅獏瘼皌眜眽眿瞐瞙砞磨礳秣糢絈縸纆耱膜茉莈莫蓦藦蘑蛨蟔謨謩谟貃貈貉貊貘銆鏌镆陌靺饃饝馍驀髍魔魩魹麼麽默黙",
		"mou":"侔劺哞恈某眸繆蛑謀谋踎鍪鞪鴾麰",
		"mu":"亩仫凩募坶墓姆峔幕幙慔慕拇暮暯木楘母毣毪氁沐炑牟牡牧牳狇畂畆畒畝畞畮目睦砪穆胟艒苜莯蚞踇鉧鉬钼雮霂",
		"na":"乸吶呐哪嗱妠娜拏拿挐捺搻笝納纳肭蒳衲袦豽貀軜那郍鈉鎿钠镎雫靹魶",
		"nai":"乃倷奈奶妳嬭孻廼摨柰氖渿疓耐腉艿萘螚褦迺釢錼鼐",
		"nan":"侽南喃囡娚婻戁抩揇暔枏柟楠湳煵男畘腩莮萳蝻諵赧遖难難",
		"nang":"乪儾嚢囊囔擃攮曩欜灢蠰饢馕齉",
		"nao":"匘呶垴堖夒嫐孬峱嶩巎怓恼悩惱憹挠撓淖猱獶獿瑙硇碙碯脑脳腦臑蛲蟯詉譊鐃铙閙闹鬧",
		"ne":"呢抐疒眲訥讷",
		"nei":"內内娞氝氞脮腇錗餒馁鮾鯘",
		"nen":"嫩嫰恁",
		"neng":"能",
		"ng":"嗯",
		"ni":"伱伲你倪儗儞匿坭埿堄妮婗嫟嬺孴尼屔屰怩惄愵抳拟擬旎昵晲暱柅棿檷氼泥淣溺狔猊眤睨秜籾縌聣聻胒腻膩臡苨薿蚭蜺觬誽貎跜輗逆郳鈮铌隬霓馜鯢鲵麑齯",
		"nian":"卄哖唸埝姩年廿念惗拈捻撚撵攆涊淰焾碾秊秥簐粘艌蔫蹍蹨躎輦辇辗鮎鯰鲇鲶鵇黏",
		"niang":"娘嬢孃酿醸釀",
		"niao":"嫋嬝嬲尿樢脲茑蔦袅裊褭鳥鸟",
		"nie":"乜啮嗫噛嚙囁囓圼孼孽嵲嶭巕帇捏掜揑摰敜枿槷櫱涅湼痆篞籋糱糵聂聶臬臲苶菍蘖蠥讘踂踗踙蹑躡錜鎳鑈鑷钀镊镍闑陧隉顳颞齧",
		"nin":"囜您拰脌",
		"ning":"佞侫倿儜凝咛嚀嬣宁寍寕寗寜寧拧擰柠橣檸泞澝濘狞獰甯矃聍聹薴鑏鬡鸋",
		"niu":"妞忸扭杻汼炄牛牜狃紐纽莥鈕钮靵",
		"nong":"侬儂农哝噥弄挊挵檂欁浓濃燶癑禯秾穠繷脓膿蕽襛譨農辳醲鬞齈",
		"nou":"槈檽獳羺耨鎒鐞",
		"nu":"伮傉努奴孥弩怒搙砮笯胬駑驽",
		"nuan":"奻暖渜煗餪",
		"nuo":"傩儺喏愞懦懧挪掿搦梛榒橠稬穤糑糥糯諾诺蹃逽鍩锘",
		"nv":"女恧朒沑籹衂衄釹钕",
		"nve":"婩疟瘧硸虐",
		"o":"哦噢筽",
		"ou":"偶吘呕嘔塸怄慪櫙欧歐殴毆沤漚熰瓯甌耦腢膒蕅藕藲謳讴鏂鴎鷗鸥",
		"pa":"啪妑帊帕怕掱杷潖爬琶皅筢耙舥苩葩袙趴",
		"pai":"俳哌徘拍排棑沠派渒湃牌犤猅箄簰簲蒎輫鎃",
		"pan":"丬冸判叛坢媻幋搫攀柈槃沜泮洀溿潘瀊炍爿牉畔盘盤盼眅磐磻縏聁萠蒰蟠袢襻詊跘蹒蹣鋬鎜鑻鞶頖鵥",
		"pang":"乓厐嗙夆嫎庞彷徬旁滂炐眫篣耪肨胖胮膖舽螃覫逄雱霶鰟鳑龎龐",
		"pao":"刨匏咆垉奅庖抛拋泡炮炰爮狍疱皰砲礟礮脬萢袍褜跁跑軳靤鞄麅麭",
		"pei":"伂佩俖呸培姵帔怌斾旆毰沛浿犻珮肧胚蓜衃裴裵賠赔轡辔配醅錇锫阫陪霈馷",
		"pen":"呠喯喷噴歕湓濆瓫盆翸葐",
		"peng":"倗傰剻匉嘭堋塜塳弸彭怦恲憉抨捀捧掽搒朋梈棚椖椪槰樥泙淎淜漰澎烹皏砰硑硼碰磞稝竼篷纄膨芃莑蓬蘕蟚蟛袶踫軯輣錋鑝閛韸韼駍騯髼鬅鬔鵬鹏",
		"pi":"丕仳伓伾僻劈匹啤噼噽嚭圮坯埤壀媲嫓屁岯崥嶏庀悂憵批披抷揊擗旇枇枈毗毘淠潎澼炋焷狉狓琵甓疈疋疲痞癖皮睥砒磇礔礕秛秠稫篺紕纰罴羆翍耚肶脴脾腗膍芘苉蚍蚽蜱螷蠯諀譬豼豾貔辟邳郫釽鈚鈹鉟銔銢錃錍铍闢阰陴隦霹鞞駓髬魮魾鮍鲏鴄鵧鷿鸊鼙",
		"pian":"偏囨媥楄楩片犏篇翩胼腁覑諞谝貵賆蹁鍂駢騈騗騙骈骗骿魸鶣",
		"piao":"僄剽勡嘌嫖彯徱慓旚殍漂犥瓢皫瞟票篻縹缥翲莩蔈薸螵醥闝顠飃飄飘驃骠魒",
		"pie":"丿嫳撆撇暼氕瞥苤覕鐅",
		"pin":"品嚬姘娦嫔嬪拚拼榀汖牝玭矉砏礗穦聘薲蘋蠙貧贫顰频颦馪驞",
		"ping":"乒俜凭凴呯坪塀娉屏岼帡帲幈平慿憑枰檘洴涄焩玶瓶甁甹砯竮箳簈缾聠胓艵苹荓萍蓱蚲蛢評评軿輧郱頩鮃鲆",
		"po":"叵嘙嚩坡婆尀岥岶廹敀昢櫇泼洦湐溌潑烞珀皤破砶笸箥粕蒪蔢迫鄱醗醱釙鉕鏺钋钷頗颇駊魄",
		"pou":"剖咅哣垺娝婄抔抙捊掊犃箁裒",
		"pu":"仆僕匍噗圃圑圤埔墣扑撲擈攴攵普暜曝朴樸檏氆浦溥潽濮瀑炇烳獛璞痡瞨穙纀脯舖舗莆菐菩葡蒱蒲諩譜谱贌蹼酺鋪鏷鐠铺镤镨陠鯆",
		"qi":"七丌乞亓亝企倛傶僛其凄剘启呮咠唘唭啓啔啟嘁噐器圻埼墄夡奇契妻娸婍屺岂岐岓崎嵜帺弃忯悽愭慼慽憇憩懠戚捿掑摖敧斉斊旂旗晵暣期杞柒栔栖桤桼棄棊棋棨棲榿槭檱櫀欫欹欺歧气気氣汔汽沏泣淇淒湆湇滊漆濝炁猉玂玘琦琪璂甈畦疧盀盵矵砌碁碕碛碶磜磧磩祁祇祈祺禥竒簯簱籏粸紪綥綦綺緀绮罊耆肵脐臍艩芑芞芪荠萁萋萕葺蕲藄藒蘄蚑蚔蚚蛴蜝蜞螧蟿蠐褀褄訖諆諬讫豈起跂蹊軝迄迉邔郪鄿釮錡鏚鐑锜闙陭霋頎颀騎騏騹骐骑鬐鬿魌鯕鰭鲯鳍鵸鶀鶈麒麡齊齐",
		"qia":"冾圶峠帢恰拤掐殎洽硈胢葜跒酠鞐髂",
		"qian":"乹乾亁仟仱伣佥俔倩偂傔僉儙刋前千圱圲堑塹墘壍奷婜媊嬱孅孯岍岒嵌嵰忴悓悭愆慳扦扲拑拪掔掮搴撁攐攑攓杄棈椠榩槏槧橬檶櫏欠欦歉歬汘汧浅淺潛潜濳灊煔牵牽皘竏签箝篏篟簽籖籤粁綪縴繾缱羬肷膁臤芊芡茜茾荨葥蒨蔳蕁虔蚈蜸褰諐謙譴谦谴谸軡輤迁遣遷釺鈆鈐鉗鉛銭錢鎆鏲鑓钎钤钱钳铅阡靬韆顅騚騝騫骞鬜鬝鰬鵮鹐黔黚",
		"qiang":"呛唴啌嗆嗴墏墙墻嫱嬙嶈廧強强彊戕戗戧抢搶摤斨枪椌槍樯檣溬漒炝熗牄牆猐獇玱瑲篬繈繦羌羗羟羥羫羻腔艢蔃蔷薔蘠蜣襁謒跄蹌蹡鎗鏘鏹锖锵镪",
		"qiao":"乔侨俏僑僺劁勪喬嘺墝墧墽嫶峤峭巧帩幧悄愀憔撬撽敲桥槗樵橇橋櫵殻毃燆犞癄睄瞧硗硚碻磽礄窍竅繑繰缲翘翹荍荞菬蕎藮誚譙诮谯趫趬跷踍蹺蹻躈郻鄡鄥釥鍫鍬鏒鐈鐰锹陗鞒鞘鞩鞽韒頝顦髚髜",
		"qie":"且切匧厒妾怯悏惬愜慊挈朅洯淁穕窃竊笡箧篋籡聺苆茄蛪踥鍥锲鯜",
		"qin":"亲侵兓勤吢吣唚嗪噙坅埐媇嫀寑寝寢寴嵚嶔嶜庈懃懄抋捦揿搇撳擒斳昑梣梫檎欽沁澿瀙珡琴琹瘽禽秦笉綅耹芩芹菣菦菳藽蚙螓螼蠄衾覃親誛赾鈙鈫鋟钦锓雂靲顉駸骎鮼鳹鵭",
		"qing":"倾傾儬凊剠勍卿圊埥夝寈庆庼廎情慶掅擎擏晴暒棾樈檠檾櫦殑殸氢氫氰淸清漀濪甠硘碃磬綮罄苘葝蜻請謦请軽輕轻郬錆鑋靑青靘頃顷鯖鲭黥",
		"qiong":"儝卭嬛宆惸憌桏橩焪焭煢熍琼瓊瓗睘瞏穷穹窮竆笻筇舼茕藑藭蛩蛬赹跫邛銎",
		"qiu":"丘丠俅厹叴唒囚坵媝崷巯巰恘恷扏搝梂楸殏毬求汓泅浗渞湫湬湭煪犰玌球璆皳盚秋秌穐篍糗紌絿緧肍芁莍萩蘒虬虯蚯蛷蝵蟗蠤裘觓觩訄訅賕赇趥逎逑遒邱酋醔釚釻銶鞦鞧頄鮂鯄鰌鰍鰽鳅鶖鹙鼽龝",
		"qu":"伹佉佢刞劬匤区區厺去取呿坥娶屈岖岨岴嶇忂憈戵抾敺斪曲朐欋欔氍浀淭渠灈煀爠璖璩癯瞿磲祛竘竬筁籧粬紶絇翑耝胊胠臞菃葋蕖蘧蛆蛐蝺螶蟝蠷蠼衐衢袪覰覷覻觑詓詘誳诎趋趍趣趨躣躯軀軥鑺閴闃阒阹駆駈驅驱髷魼鰸鱋鴝鶌鸜鸲麮麯麴麹黢鼁鼩齲龋",
		"quan":"佺全券劝勧勸啳圈圏埢奍姾婘峑巏弮恮悛惓拳搼权棬椦楾権權泉洤湶烇牶牷犈犬犭瑔畎痊硂筌箞絟綣縓绻荃葲虇蜷蠸觠詮诠跧踡輇辁醛銓鐉铨闎韏顴颧駩騡鬈鰁鳈齤",
		"que":"傕却卻埆塙崅悫愨慤搉榷炔燩琷瘸皵硞确碏確礐礭缺缼蒛趞闋闕阕阙雀鵲鹊",
		"qun":"囷夋宭峮帬羣群裙裠逡",
		"ran":"冄冉呥嘫姌媣染橪然燃珃繎肰苒蒅蚦蚺衻袇袡髥髯",
		"rang":"儴勷嚷壌壤懹攘瀼爙獽瓤禳穣穰纕蘘譲讓让躟鬤",
		"rao":"娆嬈扰擾桡橈繞绕荛蕘襓遶隢饒饶",
		"re":"惹渃热熱",
		"ren":"人亻仁仞仭任刃刄壬妊姙屻岃忈忍忎扨朲杒栠栣梕棯牣祍秂秹稔紉紝絍綛纫纴肕腍芢荏荵衽袵訒認认讱躵軔轫鈓銋靭靱韌韧飪餁饪魜鵀",
		"reng":"仍扔礽芿辸陾",
		"ri":"囸日衵釰釼鈤馹驲",
		"rong":"傇傛冗坈媶嫆嬫宂容峵嵘嵤嶸戎搈搑曧栄榕榮榵槦毧氄溶瀜烿熔爃狨瑢穁穃絨縙绒羢肜茙茸荣蓉蝾融螎蠑褣軵鎔镕駥",
		"rou":"媃宍揉柔楺渘煣瑈瓇禸粈糅肉脜腬葇蝚譳蹂輮鍒鞣韖騥鰇鶔",
		"ru":"乳侞儒入嗕嚅如媷嬬孺嶿帤扖擩曘杁桇汝洳渪溽濡筎縟缛肗茹蒘蓐蕠薷蝡蠕袽褥襦辱邚鄏醹銣铷顬颥鱬鳰鴑鴽",
		"ruan":"偄堧壖媆撋朊瑌瓀碝礝緛耎腝軟輭软阮",
		"rui":"叡壡枘桵橤汭瑞甤睿緌繠芮蕊蕋蕤蘂蘃蚋蜹銳鋭锐",
		"run":"橍润潤膶閏閠闰",
		"ruo":"偌叒婼嵶弱挼捼楉焫爇箬篛若蒻鄀鰙鰯鶸",
		"sa":"仨卅挲撒櫒洒灑脎萨蕯薩訯鈒钑隡靸颯飒馺",
		"sai":"僿嗮嘥噻塞愢揌毢毸簺腮賽赛顋鰓鳃",
		"san":"三伞俕傘厁叁壭弎散毵毶毿潵犙糝糣糤繖鏾閐饊馓鬖",
		"sang":"丧喪嗓搡桑桒槡磉褬鎟顙颡",
		"sao":"埽嫂扫掃掻搔氉溞瘙矂繅缫臊螦颾騒騷骚髞鰠鱢鳋",
		"se":"啬嗇懎摵擌栜歮歰洓涩渋澀澁濇濏瀒瑟璱瘷穑穡穯繬色譅轖銫鏼铯閪雭飋",
		"sen":"森椮槮襂",
		"seng":"僧鬙",
		"sha":"乷倽傻儍厦唦唼啥喢帹廈摋杀桬榝樧歃殺毮沙煞猀痧砂硰箑粆紗繺纱翜翣莎萐蔱裟鎩铩閯閷霎髿魦鯊鯋鲨",
		"shai":"晒曬筛篩簁簛籭酾",
		"shan":"傓僐删刪剼善嘇圸埏墠墡姍姗嬗山幓彡扇挻搧擅敾晱杉柵栅椫樿檆歚汕潸澘灗炶煽熌狦珊疝痁睒磰禪穇笘縿繕缮羴羶脠膳膻舢芟苫蟮蟺衫覢訕謆譱讪贍赡赸跚軕邖鄯釤銏鐥钐閃閊闪陕陝饍騸骟鯅鱓鱔鳝",
		"shang":"丄上伤傷商垧墒尙尚恦慯扄晌樉殇殤滳漡熵緔绱蔏螪裳觞觴謪賞贘赏鋿鏛鑜鞝鬺",
		"shao":"劭勺卲哨娋少弰捎旓杓柖梢潲烧焼燒玿稍筲紹綤绍艄芍莦萷蕱蛸袑輎邵韶髾鮹",
		"she":"佘厍厙奢射弽慑慴懾捨摂摄攝檨欇涉涻渉滠灄猞畬畭畲社舌舍舎蔎虵蛇蛥蠂設设賒賖赊赦輋韘騇麝",
		"shen":"什伸侁侺兟呻哂堔妽娠婶嬸审宷審屾峷弞愼慎扟敒昚曋曑柛椹榊氠沈涁深渖渗滲瀋燊珅甚甡甧申瘆瘮眒眘瞫矤矧砷神祳穼籶籸糁糂紳绅罙罧肾胂脤腎莘葚葠蓡蔘薓蜃蜄裑覾訠訷詵諗讅诜谂谉身邥鉮鋠頣駪魫鯓鯵鰰鰺鲹鵢",
		"sheng":"偗剩剰勝升呏圣墭声嵊憴斘昇晟晠曻枡椉榺橳殅泩渻湦焺牲珄琞生甥盛省眚竔笙縄繉繩绳聖聲胜苼蕂譝貹賸鉎鍟阩陞陹鵿鼪",
		"shi":"世丗乨乭亊事仕使侍兘冟势勢十卋史呞呩嗜噬埘塒士失奭始姼嬕实実室宩寔實尸屍屎峕崼嵵市师師式弑弒徥恀恃戺拭拾揓施时旹是昰時枾柹柿栻榁榯氏浉湜湤湿溡溮溼澨濕炻烒煶狮獅瑡眂眎眡睗矢石示礻祏秲竍笶筮箷簭籂絁舐舓莳葹蒒蒔蓍虱蚀蝕蝨螫褷襫襹視视觢試詩誓諟諡謚識识试诗谥豕貰贳軾轼辻适逝遈適遾邿釃釈释釋釶鈰鉂鉃鉇鉐鉽銴鍦铈食飠飾餙餝饣饰駛驶鮖鯴鰘鰣鰤鲥鲺鳲鳾鶳鸤鼫鼭",
		"shou":"兽収受售垨壽夀守寿手扌授收涭狩獣獸痩瘦綬绶膄艏鏉首",
		"shu":"书侸倏倐儵叔咰塾墅姝婌孰尌尗属屬庶庻怷恕戍抒捒掓摅攄数數暑曙書术束杸枢树梳樞樹橾殊殳毹毺沭淑漱潄潻澍濖瀭焂熟璹疎疏癙秫竖竪糬紓絉綀纾署腧舒荗菽蒁蔬薥薯藷虪蜀蠴術裋襡襩豎贖赎跾踈軗輸输述鄃鉥錰鏣陎霔鮛鱪鱰鵨鶐黍鼠鼡",
		"shua":"刷唰耍誜",
		"shuai":"卛帅帥摔甩缞蟀衰",
		"shuan":"拴栓涮腨閂闩",
		"shuang":"双塽孀孇慡欆漺灀爽礵縔艭鏯雙霜騻驦骦鷞鸘鹴",
		"shui":"帨水氵氺涗涚睡祱稅税脽裞誰谁閖",
		"shun":"吮橓瞚瞤瞬舜蕣順顺鬊",
		"shuo":"妁愬搠朔槊欶洬烁爍獡矟硕碩蒴說说鎙鑠铄",
		"si":"丝亖伺似佀価俟俬儩兕凘厮厶司咝嗣嘶噝四姒娰媤孠寺巳廝思恖撕斯杫柶楒榹死汜泀泗泤洍洠涘澌瀃燍牭磃祀禗禠禩私竢笥糹絲緦纟缌罳耜肂肆蕬蕼虒蛳蜤螄蟖蟴覗貄釲鈶鈻鉰銯鋖鍶鐁锶颸飔飤飼饲駟騃騦驷鷥鸶鼶",
		"song":"倯傱凇娀宋崧嵩嵷庺忪怂悚愯慫憽松枀枩柗梥楤檧淞濍硹竦耸聳菘訟誦讼诵送鎹頌颂餸駷鬆",
		"sou":"傁凁叜叟嗖嗽嗾廀廋捜搜摉摗擞擻櫢溲獀瘶瞍籔艘蒐蓃薮藪螋鄋醙鎪锼颼飕餿馊騪",
		"su":"俗傃僳嗉囌塐塑夙嫊宿愫憟梀榡樎樕橚櫯殐泝涑溯溸潚潥玊珟璛甦碿稣穌窣簌粛粟素縤肃肅膆苏蔌藗蘇蘓觫訴謖诉谡趚蹜速遡遬酥鋉餗驌骕鯂鱐鷫鹔",
		"suan":"匴狻痠祘笇筭算蒜酸",
		"sui":"亗倠哸埣夊嬘岁嵗旞檖歲歳浽滖澻濉瀡煫燧璲瓍眭睟睢砕碎祟禭穂穗穟綏繀繐繸绥膸芕荽荾虽襚誶譢谇賥遀遂邃鐆鐩隋随隧隨雖鞖韢髄髓",
		"sun":"孙孫损損搎榫槂狲猻笋筍箰簨荪蓀蕵薞鎨隼飧飱鶽",
		"suo":"乺傞唆唢嗍嗦嗩娑惢所挱摍暛桫梭溑溹琐琑瑣睃簑簔索縮缩羧莏蓑蜶褨趖逤鎍鎖鎻鏁锁鮻",
		"ta":"他侤傝嚃嚺塌塔墖她它崉挞搨撻榙榻橽毾沓涾溻澾濌牠狧獭獺祂禢粏褟誻譶趿踏蹋蹹躂躢遝遢鉈錔铊闒闥闧闼阘鞜鞳鮙鰨鳎",
		"tai":"儓冭台囼坮太夳嬯孡忕忲态態抬擡旲枱檯汰汱泰溙炱炲燤箈籉肽胎臺舦苔菭薹跆邰酞鈦钛颱駘鮐鲐",
		"tan":"倓僋叹啴嗿嘆嘽坍坛坦埮墰墵壇壜婒弹忐怹憛憳憻探摊擹攤昙暺曇榃橝檀歎毯湠滩潬潭灘炭燂璮痑痰瘫癱碳磹罈罎舑舕菼藫袒襢談譚譠谈谭貚貪贪郯醈醓醰鉭錟钽锬镡顃",
		"tang":"伖倘偒傏傥儻劏唐啺嘡坣埫堂塘帑戃搪摥曭棠榶橖汤淌湯溏漟烫煻燙爣瑭矘磄禟篖糃糖糛羰耥膅膛蓎薚蝪螗螳赯趟踼蹚躺鄌醣鎕鎲鏜鐋钂铴镋镗闛隚鞺餹饄饧鶶鼞",
		"tao":"匋咷啕夲套嫍幍弢慆掏搯桃梼槄檮洮涛淘滔濤焘瑫祹絛綯縚縧绦绹萄蜪裪討詜謟讨轁迯逃醄鋾陶鞀鞉鞱韜韬飸饀饕駣騊鼗",
		"te":"忑忒慝特犆蟘鋱铽",
		"teng":"儯幐滕漛熥疼痋籐籘縢腾膯藤虅螣誊謄邆霯駦騰驣鰧鼟",
		"ti":"体倜偍剃剔厗啼嗁嚏嚔媞屉屜崹徲悌悐惕惖惿戻挮掦提擿替朑梯歒殢涕漽瑅瓋睼碮禵稊笹籊綈緹绨缇罤蕛薙裼褅褆謕趧踢蹄蹏躰軆逖逷遆醍銻鍗锑題题騠骵體髰鬀鬄鮷鯷鳀鵜鶗鶙鷈鷉鷤鹈",
		"tian":"倎兲唺塡填天婖屇忝恬悿掭搷晪殄沺淟添湉琠瑱璳甛甜田畋畑痶盷睓碵磌窴紾緂胋腆舔舚菾覥觍賟酟錪闐阗靔靝餂鴫鷆鷏黇",
		"tiao":"佻嬥宨岧岹庣恌挑旫晀朓条條樤眺祒祧窕窱笤粜糶絩聎脁芀苕萔蓚蓨蜩覜调趒跳迢鋚鎥鞗髫鯈鰷鲦齠龆",
		"tie":"僣呫帖怗聑萜蛈貼贴鉄銕鐡鐵铁飻餮驖",
		"ting":"亭侹停厅厛听圢娗婷嵉庁庭廰廳廷挺桯梃楟榳汀涏渟烃烴烶珽町甼筳綎耓聤聴聼聽脡艇莛葶蜓蝏誔諪邒鋌铤閮霆鞓頲颋鼮",
		"tong":"仝佟僮勭同哃嗵峂峝庝彤恸慟憅捅晍曈朣桐桶樋橦氃浵潼炵烔燑犝狪獞痌痛眮瞳砼秱穜童筒筩粡絧統綂统膧茼蓪蚒衕詷赨通酮鉖鉵銅铜餇鮦鲖",
		"tou":"亠偷偸头妵婾媮投敨斢紏緰蘣透鋀鍮钭頭骰黈",
		"tu":"兎兔凃凸吐唋図图圖圗土圡堍堗塗宊屠峹嵞嶀庩廜徒怢悇捈捸揬梌汢涂涋湥潳瑹痜瘏禿秃稌突筡腯荼莵菟葖蒤跿迌途酴釷鈯鋵鍎钍馟駼鵌鵚鵵鶟鷋鷵鼵",
		"tuan":"剸团団圕團墥彖慱抟摶槫檲湍湪漙煓猯畽疃篿糰褖貒鏄鷒鷻",
		"tui":"侻俀僓娧尵弚推橔煺穨腿蓷藬蘈蛻蜕褪蹆蹪退隤頹頺頽颓駾骽魋",
		"tun":"吞呑啍噋囤坉屯忳旽暾朜氽涒焞臀臋芚蛌豘豚軘霕飩饨魨鲀黗",
		"tuo":"乇仛佗侂咃咜唾圫坨堶妥嫷岮嶞庹彵托扡拓拕拖挩捝杔柁柝椭楕槖橐橢毤毻汑沰沱涶狏砣砤碢箨籜紽脫脱莌萚蘀袉袥託詑讬跅跎酡阤陀陁飥饦馱馲駄駝駞騨驒驝驮驼鬌魠鮀鮵鰖鴕鵎鸵鼉鼍鼧",
		"wa":"佤劸咓哇嗗嗢坬娃娲媧屲徍挖搲攨洼溛漥瓦瓾畖砙穵窊窐窪聉腽膃蛙袜襪邷韈韤鼃",
		"wai":"咼喎外崴歪竵顡",
		"wan":"万丸倇刓剜卍卐唍埦塆壪夗妧婉婠完宛岏帵弯彎忨惋抏挽捖捥晚晥晩晼杤梚椀汍湾潫澫灣烷玩琓琬畹皖盌睕瞣碗笂紈綩綰纨绾翫脕脘腕芄莞菀萖萬薍蜿蟃豌貦贃贎踠輐輓鋄鋔錽鎫頑顽",
		"wang":"亡亾仼兦妄尢尣尩尪尫彺往徃忘惘旺暀望朢枉棢汪瀇王網网罒罓罔罖莣菵蚟蛧蝄誷輞辋迋魍",
		"wei":"为亹伟伪位偉偎偽僞儰卫危厃叞味唯喂喡喴囗囲围圍墛壝委威娓媁媙媦寪尉尾屗峗峞崣嵔嵬嶉嶶巍帏帷幃徫微惟愄愇慰懀捤揋揻撱斖暐未桅梶椲椳楲欈沩洈洧浘涠渨渭湋溈溦潍潙潿濰濻瀢炜為烓煒煟煨熭燰爲犚犩猥猬玮瑋畏痏痿癓矀硙碨磈磑維緭緯縅纬维罻胃腲艉芛苇苿荱菋萎葦葨葳蒍蓶蔚蔿薇藯蘶蜲蜼蝛蝟螱衛衞褽覣覹詴諉謂讆讏诿谓踓躗躛軎轊违逶違鄬醀鍏鍡鏏闈闱隇隈隗霨霺韋韑韙韡韦韪頠颹餧餵饖骩骪骫魏鮇鮠鮪鰃鰄鲔鳂鳚",
		"wen":"伆刎吻呅呡問塭妏彣抆揾搵文昷桽榅榲歾殟汶渂温溫炆珳瑥璺瘒瘟稳穏穩紊紋絻繧纹缊聞肳脗芠莬蕰蚉蚊螡蟁豱輼轀辒鎾閺閿闅闦问闻阌雯鞰顐饂馼駇魰鰛鰮鳁鳼鴍鼤",
		"weng":"勜嗡塕奣嵡攚暡滃瓮甕瞈罋翁聬蓊蕹螉鎓鶲鹟齆",
		"wo":"仴倭偓卧唩喔婐婑媉幄我挝捾握斡枂楃沃涡涴涹渥渦濣焥猧瓁瞃硪窝窩肟腛臒臥莴萵薶蜗蝸踒齷龌",
		"wu":"乄乌五仵伍侮俉倵儛兀剭务務勿午卼吳吴吾呉呜唔啎嗚圬坞塢墲奦妩娒娪娬婺嫵寤屋屼岉峿嵍嵨巫庑廡弙忢忤怃悞悟悮憮戊扤捂摀敄於无旿晤杇杌梧橆歍武毋汙汚污洖洿浯溩潕烏焐無熃熓物牾玝珷珸瑦璑甒痦瞴矹碔祦窏窹箼粅膴舞芜芴茣莁蕪蘁蜈螐蟱誈誣誤譕诬误躌迕逜邬郚鄔鋈鋘鋙鎢钨铻阢陚隖雺雾霚霧靰騖骛鯃鰞鴮鵐鵡鶩鷡鹀鹉鹜鼯鼿齀",
		"xi":"习係俙傒僖兮凞匸卌卥厀吸呬咥唏唽喜喺嘻噏嚱囍墍壐夕奚娭媳嬆嬉屃屓屖屣屭嵠嶍巂巇希席徆徙徯忚忥怬怸恄恓息悉悕惁惜慀憘憙戏戯戲扱扸昔晞晰晳暿曦析枲桸椞椺榽槢樨橀橲檄欯欷歖歙氥汐洗浠淅渓溪漇漝潝潟澙烯焁焈焟焬煕熂熄熈熙熹熺熻燨爔牺犀犔犠犧狶玺琋璽瘜皙盻睎瞦矖矽硒磎磶礂禊禧稀稧穸窸粞糦系細綌緆縘縰繥繫细绤羲習翕翖肸肹膝舃舄舾莃菥葈葸蒠蒵蓆蓰蕮薂虩蜥螅螇蟋蟢蠵衋袭襲西覡覤觋觹觽觿諰謑謵譆谿豀豨豯貕赥赩趇趘蹝躧邜郄郋郤鄎酅醯釳釸鈢鉨鉩錫鎴鏭鐊鑴锡闟阋隙隟隰隵霫霼飁餏餼饎饩饻騱騽驨鬩鯑鰼鱚鳛鵗鸂黖鼷",
		"xia":"丅下乤侠俠傄匣吓呷圷埉夏夓峡峽懗敮暇柙梺炠烚煆狎狭狹珨瑕疜睱瞎硖硤碬磍祫筪縖罅翈舝舺蕸虲虾蝦谺赮轄辖遐鍜鎋鎼鏬閕閜陜陿霞颬騢魻鰕鶷黠",
		"xian":"仙仚伭佡僊僩僲僴先冼县咁咞咸哯啣嗛嘕垷塪奾妶姭姺娊娴娹婱嫌嫺嫻嬐宪尟尠屳岘峴崄嶮幰廯弦忺憪憲憸挦掀搟撊撏攇攕显晛暹杴枮橌橺櫶毨氙涀涎湺澖瀗灦烍燹狝猃献獫獮獻玁现珗現甉痫癇癎県睍礥祆禒秈稴筅箲籼粯糮絃絤綫線縣繊纎纖纤线缐羡羨胘腺臔臽舷苋苮莧莶薟藓藖蘚蚬蚿蛝蜆衔衘褼襳誢誸諴譣豏賢贒贤赻跣跹蹮躚輱酰醎銑銛銜銽鋧錎鍁鍌鑦铣铦锨閑閒闲限陥险陷険險霰韅韯韱顕顯餡馅馦鮮鱻鲜鶱鷳鷴鷼鹇鹹麙麲鼸",
		"xiang":"乡享亯佭像勨厢向响嚮姠嶑巷庠廂忀想晑曏栙楿橡欀湘珦瓖瓨相祥稥箱絴緗缃缿翔膷芗萫葙薌蚃蟓蠁衖襄襐詳详象跭郷鄉鄊鄕銄鐌鑲镶響項项飨餉饗饟饷香驤骧鮝鯗鱌鱜鱶鲞麘",
		"xiao":"侾俲傚削効咲哓哮啸嘋嘨嘯嘵嚻囂婋孝宯宵小崤庨彇恔憢揱撨效敩斅斆晓暁曉枭枵校梟櫹歊歗毊洨消涍淆潇瀟灱灲烋焇熽猇獢痚痟皛皢硝硣穘窙笑筱筿箫箾篠簘簫綃绡翛肖膮萧蕭藃虈虓蟂蟏蟰蠨訤詨誟誵謏踃逍郩銷销霄颵驍骁骹髇髐魈鴞鴵鷍鸮",
		"xie":"些亵伳偕偞偰僁写冩劦勰协協卨卸嗋噧嚡垥塮夑奊娎媟孈寫屑屟屧峫嶰廨徢恊愶懈拹挟挾揳携撷擕擷攜斜旪暬械楔榍榭歇泄泻洩渫澥瀉瀣灺炧炨烲焎熁燮燲爕獬瑎祄禼糏紲絏絬綊緤緳縀繲纈绁缬缷翓胁脅脇脋膎薢薤藛蝎蝢蟹蠍蠏衺褉褻襭諧謝讗谐谢躞躠邂邪靾鞋鞢鞵韰齂齘齛齥龤",
		"xin":"伈伩信俽噷噺囟妡嬜孞廞心忄忻惞新昕杺枔欣歆炘焮盺脪舋芯薪衅襑訢訫軐辛邤釁鈊鋅鐔鑫锌阠顖馨馫馸鬵",
		"xing":"侀倖兴刑哘型垶姓娙婞嬹幸形性悻惺擤星曐杏洐涬滎煋狌猩瑆皨睲硎箵篂緈腥臖興荇莕葕蛵行觪觲謃邢郉醒鈃鉶銒鋞钘铏陉陘餳騂骍鮏鯹",
		"xiong":"兄兇凶匂匈哅忷恟敻汹洶焸焽熊熋胷胸芎訩詗詾讻诇賯雄",
		"xiu":"休俢修咻嗅嚊岫峀庥朽樇溴滫潃烌珛琇璓秀糔綉繍繡绣羞脙脩臹苬螑袖褎褏貅銝銹鎀鏅鏥鏽锈飍饈馐髤髹鮴鱃鵂鸺齅",
		"xu":"伵侐俆偦冔勖勗卹叙吁喐喣嘘噓圩垿墟壻姁婿媭嬃序徐怴恤慉戌揟敍敘旭旴昫晇暊朂栩楈槒欨欰歔歘殈汿沀洫湑溆漵潊烅烼煦燸獝珝珬疞盢盨盱瞁禑稰稸糈絮綇続緒緖縃繻續绪续聓聟胥芧蒣蓄蓲蓿蕦藚虗虚虛蝑裇訏許訹詡諝諿譃许诩谞賉鄦酗醑銊鑐需須頊须顼驉鬚魆魖鱮",
		"xuan":"儇吅咺喧塇夐媗嫙宣弲怰悬愃愋懁懸揎旋昍昡晅暄暶梋楦檈泫渲漩炫烜煊煖玄玹琁琄瑄璇璿痃癣癬眩眴睻矎碹禤箮絢縼繏绚翧翾萱萲蓒蔙蕿藼蘐蜁蝖蠉衒袨諠諼譞谖贙軒轩选選鉉鍹鏇铉镟颴駽鰚",
		"xue":"乴吷坹壆学學岤峃嶨斈桖樰泶澩瀥燢狘疶瞲穴膤艝茓蒆薛血袕觷謔谑趐踅轌辥辪雪靴鞾鱈鳕鷽鸴",
		"xun":"伨侚偱勋勛勲勳卂噀噚嚑坃埙塤壎壦奞寻尋峋巡巺巽廵徇循恂愻揗攳旬曛杊栒桪樳殉殾毥汛洵浔潠潯灥熏燅燖燻爋狥獯珣璕畃矄稄窨紃纁臐荀蕈薫薰蘍蟳訊訓訙詢训讯询迅迿逊遜鄩醺鑂顨馴駨驯鱏鱘鲟",
		"ya":"丫亚亜亞伢俹冴劜厊压厑厓呀哑唖啞圔圠圧垭埡堐壓娅婭孲岈崕崖庌庘押挜掗揠枒桠椏氩氬涯漄牙犽猚猰玡琊疨痖瘂睚砑稏窫笌聐芽蕥蚜衙襾覀訝讶軋轧迓釾錏鐚铔雅鴉鴨鵶鸦鸭齖齾",
		"yan":"严乵俨偃偐傿儼兖兗剡剦匽厌厣厭厳厴咽唁唌啱喦喭噞嚈嚥嚴堰塩墕壛壧夵奄妍妟姲姸娫娮嫣嬊嬮嬿孍宴岩崦嵃嵒嵓嶖巌巖巗巘巚延弇彥彦恹愝懕懨戭扊抁掞掩揅揜敥昖晏暥曕曣曮棪椻椼楌樮檐檿櫩欕沇沿淊淹渰渷湮溎滟演漹灎灔灧灩炎炏烟烻焉焑焔焰焱煙熖燄燕爓牪狿猒珚琂琰甗盐眼研砚硏硯硽碞礹筵篶簷綖縯罨胭腌臙艳艶艷莚菸萒蔅虤蜒蝘衍裺褗覎觃觾言訁訮詽諺讌讞讠谚谳豓豔贋贗赝躽軅遃郔郾鄢酀酓酽醃醶醼釅閆閹閻闫阉阎阽隁隒雁顏顔顩颜餍饜騐験騴驗驠验鬳魇魘鰋鳫鴈鴳鶠鷃鷰鹽麣黡黤黫黬黭黶鼴鼹齞齴龑",
		"yang":"仰佒佯傟养劷咉坱垟央姎岟崵崸徉怏恙慃懩扬抰揚攁敭旸昜暘杨柍样楊楧様樣殃氜氧氱泱洋漾瀁炀炴烊煬玚珜疡痒瘍癢眻礢禓秧紻羊羏羕胦蛘蝆詇諹軮輰鉠鍈鍚钖阦阳陽雵霷鞅颺飏飬養駚鰑鴦鴹鸉鸯",
		"yao":"仸倄偠傜吆咬喓嗂垚堯夭妖姚婹媱宎尧尭岆峣崾嶢嶤幺徭愮抭揺搖摇摿暚曜杳枖柼楆榚榣殀殽溔滧烑熎燿爻狕猺獟珧瑤瑶眑矅磘祅穾窅窈窑窔窯窰筄繇纅耀肴腰舀艞苭药葯葽蓔薬藥蘨袎要覞訞詏謠謡讑谣軺轺遙遥邀邎鎐钥铫闄靿顤颻飖餆餚騕鰩鱙鳐鴁鴢鷂鷕鹞鼼齩",
		"ye":"业也亪亱倻僷冶叶吔嘢噎埜墷壄夜嶪嶫抴捓捙掖揶擛擨擪擫晔暍曄曅曗曳曵枼枽椰業歋殗洂液漜潱澲烨煠燁爗爷爺瑘璍皣瞱瞸礏耶腋葉蠮謁谒邺鄴野鋣鍱鎁鎑鐷铘靥靨頁页餣饁馌驜鵺鸈",
		"yi":"一乁乂义乊乙乛亄亦亿仡以仪伇伊伿佁佚佾侇依俋倚偯儀億兿冝刈劓劮勚勩匇匜医吚呓呭呹咦咿唈噫囈圛圯坄垼埶埸墿壱壹夁夷奕姨媐嫕嫛嬄嬑嬟宐宜宧寱寲屹峄峓崺嶧嶬嶷已巸帟帠幆庡廙异弈弋弌弬彛彜彝彞役忆忔怈怡怿恞悒悘悥意憶懌懿扅扆抑拸挹揖撎攺敡敼斁旑旖易昳晹暆曀曎杙杝枍枻柂栘栧桋棭椅椬椸榏槸檍檥檹欭歝殔殪殹毅毉沂沶泆洟洢浂浥浳渏湙溢漪潩澺瀷炈焲熠熤熪熼燚燡燱狋猗獈玴珆瑿瓵畩異疑疫痍痬瘗瘞瘱癔益眙睪瞖矣礒祎禕移稦穓竩笖篒簃籎縊繄繶繹绎缢羛羠義羿翊翌翳翼耴肄肊胰膉臆舣艗艤艺芅苅苡苢荑萓萟蓺薏藙藝蘙虉蚁蛜蛡蛦蜴螔螘螠蟻衣衤衪袘袣裔裛裿褹襼觺訲訳詍詒詣誃誼謻譩譯議讉讛议译诒诣谊豙豛豷貖貤貽贀贻跇跠踦軼輢轙轶辷迆迤迱迻逘逸遗遺邑郼鄓酏醫醳醷釔釴鈘鈠鉯銥鎰鏔鐿钇铱镒镱阣隿霬頉頤頥顊顗颐飴饐饴駅驛驿骮鮧鮨鯣鳦鴺鶂鶃鶍鷁鷊鷖鷧鷾鸃鹝鹢鹥黓黟黳齮齸",
		"yin":"乑侌凐印吟吲唫喑噖噾嚚囙因圁垔垠垽堙堷夤姻婣婬寅尹峾崟崯嶾廕廴引愔慇慭憖憗懚斦朄栶檃檭檼櫽歅殥殷氤泿洇洕淫淾湚溵滛濥濦烎犾狺猌珢璌瘖瘾癊癮硍碒磤禋秵筃粌絪緸胤茚茵荫荶蒑蔩蔭蘟蚓螾蟫裀訔訚訡誾諲讔赺趛輑鄞酳鈏鈝銀銦铟银闉阥阴陰陻隂隐隠隱霒霠霪靷鞇音韾飮飲饮駰骃鮣鷣齗齦龂龈",
		"ying":"偀僌啨営嘤噟嚶塋婴媖媵嫈嬰嬴孆孾巆巊应廮影応愥應摬撄攍攖映暎朠桜梬楹樱櫻櫿浧渶溁溋滢潁潆濙濚濴瀅瀛瀠瀯瀴灐灜煐熒營珱瑛瑩璎瓔甇甖瘿癭盁盈眏矨硬碤礯禜穎籝籯緓縈纓绬缨罂罃罌膡膺英茔荥荧莹莺萤营萦萾蓥藀蘡蛍蝇蝧蝿螢蠅蠳褮覮謍譍譻賏贏赢軈迎郢鎣鐛鑍锳霙韺頴颍颕颖鱦鴬鶑鶧鶯鷪鷹鸎鸚鹦鹰",
		"yo":"哟唷喲",
		"yong":"佣俑傭勇勈咏喁嗈噰埇塎墉壅嫞嵱庸廱彮怺恿悀惥愑愹慂慵拥擁柡栐永泳涌湧滽澭灉牅用甬痈癕癰砽硧臃苚蒏蛹詠踊踴邕郺鄘醟鏞镛雍雝顒颙饔鯒鰫鱅鲬鳙鷛",
		"you":"丣亴优佑佦侑偤優冘卣又友右呦哊唀嚘囿姷孧宥尤峟峳幼幽庮忧怞怣怮悠憂懮攸斿有柚栯梄楢槱櫌櫾沋油泑浟游湵滺瀀牖牗牰犹狖猶猷由甴疣祐禉秞纋羑羪耰聈肬苃莜莠莤莸蕕蚰蚴蜏蝣蝤訧誘诱貁輏輶迶逌逰遊邮郵鄾酉酭釉鈾銪铀铕駀魷鮋鱿鲉麀黝鼬",
		"yu":"与乻予于亐伃伛余俁俞俣俼偊傴僪儥兪匬唹喅喩喻噳圄圉域堉堣堬妤妪娛娯娱媀嫗嬩宇寓寙屿峪崳嵎嵛嶎嶼庽庾彧御忬悆惐愈愉愚慾懙戫扜扝扵挧揄敔斔斞旟昱杅桙棛棜棫楀楡楰榆櫲欎欝欤欥欲歈歟歶毓浴淢淤淯渔渝湡滪漁潏澞澦灪焴煜燏燠爩牏狱狳獄玉玗玙琙琟瑀瑜璵瘀瘉瘐癒盂盓睮矞砡硢硲礇礖礜祤禦禹禺秗稢稶穥穻窬窳竽箊篽籅籞籲粖紆緎纡罭羭羽聿肀育腴臾舁舆與艅艈芋芌茟茰萭萮萸蒮蓣蓹蕍蕷薁藇蘌蘛虞虶蜟蜮蝓螸衧袬裕褕覦觎誉語諛諭謣譽语谀谕豫貐踰軉輍輿轝込迂迃逳逾遇遹邘郁鄅酑醧釪鈺銉鋊錥鍝鐭钰閾阈陓隃隅隩雓雤雨雩霱預頨预飫餘饇饫馀馭騟驈驭骬髃鬰鬱鬻魊魚魣鮽鯲鰅鱊鱼鳿鴥鴧鴪鵒鷠鷸鸆鸒鹆鹬麌齬齵龉",
		"yuan":"傆元円冤剈原厡厵员員噮囦园圆圎園圓垣垸塬妴媛媴嫄嬽寃怨悁惌愿掾援杬棩楥榞榬橼櫞沅淵渁渆渊渕湲源溒灁爰猨猿瑗盶眢禐笎箢緣縁缘羱肙芫苑茒葾蒝蒬薗薳蚖蜎蜵蝝蝯螈衏袁裫裷褑褤謜贠轅辕远逺遠邍邧酛鈨鋺鎱院願駌騵魭鳶鴛鵷鶢鶰鸢鸳鹓黿鼋鼘鼝",
		"yue":"刖哕啘噦妜嬳岄岳嶽彟恱悅悦戉抈捳曰曱月樾泧瀹爚玥矱礿禴箹篗籆籥籰粤粵約约蘥蚎蚏説越趯跀跃躍軏鈅鉞鑰钺閱閲阅鸑鸙黦龠",
		"yun":"云伝傊允勻匀喗囩夽奫妘孕恽惲愠愪慍抎抣昀晕暈枟橒殒殞氲氳沄涢溳澐煴熅熉熨狁畇眃磒秐筠筼篔紜緷緼縕縜纭耘耺腪芸荺蒀蒕蒷蕓蕴薀藴蘊蝹褞貟賱贇赟运運郓郧鄆鄖酝醖醞鈗鋆阭陨隕雲霣韗韞韫韵韻餫馧馻齫齳",
		"za":"匝咂咋囃囋囐帀拶杂桚沞沯砸臜臢襍迊鉔雑雜雥韴魳",
		"zai":"仔傤儎再哉在宰崽扗栽洅渽溨災灾烖甾畠睵縡賳載载酨",
		"zan":"偺儧儹兂咱喒噆揝撍攅攒攢昝暂暫橵濽灒瓉瓒瓚禶篸簪簮糌襸讃讚賛贊赞趱趲蹔鄼酂酇錾鏨鐕鐟饡鵤",
		"zang":"匨塟奘弉牂羘脏臓臟臧葬蔵賍賘贓贜赃銺駔驵髒",
		"zao":"傮凿唕唣喿噪慥早枣栆梍棗澡灶煰燥璅璪皁皂竃竈簉糟艁薻藻蚤譟趮蹧躁造遭醩鑿",
		"ze":"仄则則啧嘖嫧崱帻幘庂択择捑擇昃昗樍歵汄沢泎泽溭滜澤皟瞔矠礋笮箦簀舴蔶蠌襗諎謮責賾责赜迮鸅齚齰",
		"zei":"戝蠈賊贼鰂鱡鲗",
		"zen":"怎譖谮",
		"zeng":"囎増增憎曽橧熷璔甑矰磳繒缯罾譄贈赠鄫鋥锃鱛",
		"zha":"乍偧劄厏吒咤哳喳奓宱扎抯拃挓揸搾摣札柞柤楂榨樝渣溠灹炸牐痄皶皻眨砟箚紥紮耫苲蚱蚻觰詐譇譗诈醡鍘铡閘闸霅鮓鮺鲊鲝齄齇",
		"zhai":"债債夈宅寨捚摘斋斎榸檡瘵砦窄粂翟鉙齋",
		"zhan":"佔偡占噡嫸展岾崭嶃嶄嶘嶦惉战戦戰搌斩斬旃旜枬栈栴桟棧榐橏毡氈氊沾湛琖盏盞瞻站綻绽菚薝蘸虥虦蛅覱詀詹譧譫讝谵趈輾轏邅醆閚霑颭飐飦饘驏驙魙鱣鳣鸇鹯",
		"zhang":"丈仉仗傽墇嫜嶂帐帳幛幥张張彰慞扙掌暲杖樟涨涱漲漳獐璋痮瘬瘴瞕礃章粀粻胀脹蔁蟑賬账遧鄣鏱障餦騿鱆麞",
		"zhao":"佋兆召垗妱巶找招旐昭曌枛棹櫂沼炤照燳爫狣瑵皽瞾笊箌罀罩羄肁肇肈詔诏赵趙釗鉊鍣钊駋鮡",
		"zhe":"乽厇哲啠啫喆嗻嚞埑嫬悊折摺晢晣柘樜歽浙淛着矺砓磔籷粍者蔗虴蛰蜇蟄蟅袩褶襵詟謫謺讁讋谪赭踷輒輙轍辄辙这這遮銸鍺锗鮿鷓鹧",
		"zhen":"侦侲偵圳塦姫嫃寊屒帧帪幀弫抮挋振揕搸斟昣朕枕栚桢楨榛樼殝浈湞溱潧澵獉珍珎瑧甄甽畛疹眕眞真眹砧碪祯禎禛稹箴籈紖絼縝縥纼缜聄胗臻萙葴蒖蓁薽袗裖覙診誫诊貞賑贞赈軫轃轸辴遉酙針鉁鋴錱鍼鎭鎮针镇阵陣震駗鬒鱵鴆鸩黰",
		"zheng":"争佂凧埩塣姃媜峥崝崢幁征徰怔愸抍拯挣掙掟揁政整晸正氶炡烝爭狰猙症癥眐睁睜筝箏篜糽聇脀蒸証諍證证诤踭郑鄭鉦錚鏳钲铮靕鬇鴊",
		"zhi":"之乿侄俧倁値值偫傂儨凪制劕劧卮厔只吱咫址坁坧垁埴執墌夂妷姪娡嬂寘峙崻巵帋帙帜幟庢庤廌彘徏徝徴徵志忮恉慹憄懥懫戠执扺扻抧挃指挚掷搘搱摭摯擲擳支旘旨晊智枝枳栀栉栺桎梔梽植椥榰樴櫍櫛止歭殖汁汥汦沚治泜洔洷淔淽滍滞滯漐潌潪瀄炙熫狾猘璏瓆瓡畤疷疻痔痣瘈直知砋礩祉祑祗祬禃禔秇秓秖秩秷稙稚稺穉窒筫紙紩絷綕緻縶織纸织置翐聀职職肢胑胝脂膣膱至致臸芖芝芷茋藢蘵蛭蜘螲蟙衹衼袟袠製襧覟觗觯觶訨誌豑豒豸貭質贄质贽趾跖跱踬踯蹠躑躓軄軹輊轵轾迣郅酯釞銍鋕鑕铚锧阯陟隲隻雉馶馽駤騭騺驇骘鯯鳷鴙鴲鷙鸷黹鼅",
		"zhong":"中仲伀众偅冢刣喠堹塚妐妕媑尰幒彸忠柊歱汷泈炂煄狆瘇盅眾祌种種筗籦終緟终肿腫舯茽蔠蚛蜙螤螽衆衳衶衷諥踵蹱重鈡銿鍾鐘钟锺鴤鼨",
		"zhou":"伷侜僽冑周呪咒咮啁喌噣嚋妯婤宙州帚徟昼晝晭洲淍炿烐珘甃疛皱皺盩睭矪碡箒籀籒籕粙粥紂縐纣绉肘胄舟荮菷葤薵詋謅譸诌诪賙赒軸輈輖轴辀週郮酎銂霌駎駲騆驟骤鯞鵃鸼",
		"zhu":"丶主乼伫佇住侏劚助劯嘱囑坾墸壴孎宔嵀帾拀拄斸曯朮朱杼柱柷株槠樦橥櫡櫧櫫欘殶注洙渚潴濐瀦灟炢炷烛煑煮燝燭爥猪珠疰瘃眝瞩矚砫硃祝祩秼竚竹竺笁笜筑筯箸築篫簗紵紸絑纻罜羜翥舳苎苧茱茿莇著蓫蕏蛀蛛蝫蠋蠩蠾袾註詝誅諸诛诸豬貯贮跓跦躅軴迬逐逫邾鉒銖鋳鑄钃铢铸陼飳馵駐駯驻鮢鯺鱁鴸鸀麆麈鼄",
		"zhua":"抓撾檛爪簻膼髽",
		"zhuai":"拽跩",
		"zhuan":"专僎叀啭囀堟塼嫥孨専專撰灷瑑瑼甎砖磗磚竱篆篹籑縳耑腞膞蒃蟤襈諯譔賺赚転轉转鄟顓颛饌馔鱄",
		"zhuang":"壮壯壵妆妝娤幢庄庒戇撞桩梉樁湷焋状狀粧糚荘莊装裝",
		"zhui":"坠墜娷惴椎沝甀畷硾礈笍綴縋缀缒腏膇諈贅赘追醊錐錣鑆锥隹騅骓鵻",
		"zhun":"准凖埻宒準稕窀綧肫衠訰諄谆迍",
		"zhuo":"丵倬劅卓叕啄啅圴妰娺彴拙捉撯擆擢斀斫斮斱斲斵晫桌梲棁棳椓槕汋浊浞涿濁濯灂灼炪烵犳琢琸硺禚穛穱窡窧篧籗籱罬茁蠗蠿諁諑謶诼酌鋜鐯鐲镯鵫鷟",
		"zi":"倳兹剚吇呰咨啙嗞嗭姉姊姕姿子字孜孳孶崰嵫恣杍栥梓椔榟橴淄渍湽滋滓漬澬牸玆眥眦矷禌秄秭秶稵笫籽粢紎紫緇緕纃缁耔胔胾自芓茈茊茡茲荢菑葘蓻虸觜訾訿諮谘貲資赀资赼趑趦輜輺辎鄑釨鈭錙鍿鎡锱镃頾頿髭鯔鰦鲻鶅鼒齍齜龇",
		"zong":"倊倧偬傯堫宗嵏嵕嵸总惣惾捴揔搃摠昮朡棕椶焧熧燪猔猣疭瘲碂磫稯粽糉糭綜緃総緫緵縂縦縱總繌纵综翪腙葼蓗蝬豵踨踪蹤鍐鑁騌騣骔鬃鬉鬷鯮鯼",
		"zou":"奏掫揍棷棸箃緅菆諏诹走赱邹郰鄒鄹陬騶驺鯐鯫鲰黀齱齺",
		"zu":"俎卆卒哫唨崒崪族椊爼珇祖租箤組组菹葅蒩詛诅足踤鎺鏃镞阻靻",
		"zuan":"劗攥籫繤纂纉纘缵躜躦鉆鑚鑽钻",
		"zui":"冣厜咀嗺嘴噿嶊嶵晬最栬槜樶檇檌璻祽稡絊纗罪脧蕞蟕辠酔酻醉鋷錊",
		"zun":"僔噂墫尊嶟捘撙樽瀳繜罇譐遵銌鐏鱒鳟鶎鷷",
		"zuo":"佐作侳做咗唑嘬坐岝岞左座怍捽昨祚秨稓穝筰糳繓胙莋葃葄蓙袏鈼阼飵"
	}')
)
SELECT substr(characters, position, 1), reading FROM readings CROSS JOIN places WHERE position <= count ORDER BY 1;--> statement-breakpoint
UPDATE `pinyin` SET `surname` = value FROM json_each('{"乐":"yue","仇":"qiu","六":"lu","区":"ou","单":"shan","句":"gou","召":"shao","员":"yun","啜":"chuai","折":"she","於":"yu","曾":"zeng","朴":"piao","查":"zha","牟":"mou","盖":"ge","繁":"po","缪":"miao","能":"nai","薄":"bo","解":"xie","郄":"qie","郗":"xi","都":"du"}') WHERE key = `character`;
