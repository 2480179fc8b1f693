/** A new program on the data of an older one: nothing is lost, an upgrade can be undone, a failed one changes nothing. */
import type { Database } from 'bun:sqlite';
import { beforeAll, describe, expect, spyOn, test } from 'bun:test';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { record } from '../src/identity/history/record.ts';
import { allHistory } from '../src/identity/history/service.ts';
import { migrations, schemas } from '../src/platform/database/migrations.ts';
import { type Db, openDatabase } from '../src/platform/database/open.ts';
import { transaction } from '../src/platform/database/query.ts';
import { listObjects } from '../src/platform/database/schema-objects.ts';
import { schemaVersion as present } from '../src/platform/database/schema-version.ts';
import { actions, type HistoryAction, historyActions } from '../src/platform/vocabulary/history.ts';
import { requireSound } from './campaigns/database.ts';
import { given, use } from './fixtures/make.ts';
import { someOf } from './full.ts';
import { databaseOf, expectFailed, mode, removeFoldersAfterAll, serveHere, startHere } from './installation.ts';
import { type Ended, logLines, newFolder, Program, root, runToEnd, spawn } from './program.ts';
import { runHere } from './run-here.ts';
import { newInstallation, withDatabase } from './server.ts';

const numberOf = (path: string, query: string) =>
	withDatabase(path, (database) => Number(database.query(query).values()[0]?.[0]));
const schemaOf = (path: string) => numberOf(path, 'pragma user_version');

/** The database of an installation in use, as this program leaves it. */
let stored = new Uint8Array();

removeFoldersAfterAll();
beforeAll(async () => {
	const folder = newFolder();
	const program = await serveHere({ DATA_DIR: folder, ...given });
	await use(program);
	await program.end();
	stored = readFileSync(databaseOf(folder));
});

function folderOf(database = stored): string {
	const folder = newFolder();
	writeFileSync(databaseOf(folder), database);
	return folder;
}

/** Keeps the history of a fixture, however old it gets. */
function environmentOf(folder: string) {
	// The stored administrator has a password already.
	const { ADMIN_PASSWORD: _, ...ofEveryStart } = given;
	return { DATA_DIR: folder, HISTORY_DAYS: '0', ...ofEveryStart };
}

/** The columns of every table with entered data. Earlier releases also kept counts and tokens of it. */
function columnsIn(database: Database): Record<string, string[]> {
	const namesIn = (query: string, ...values: string[]) => {
		const rows = database.query(query).values(...values);
		return rows.flat().map(String);
	};
	const tables = namesIn("select name from pragma_table_list where schema = 'main' and type = 'table' order by name");
	const ofRelease = /^sqlite_|_search_pending$|^(employee_counts|pinyin|text_positions)$/;
	const own = tables.filter((name) => !ofRelease.test(name));
	// 1.3.0 drops the one column that no release read.
	const columns = "select name from pragma_table_info(?) where name <> 'pruned_at'";
	return Object.fromEntries(own.map((table) => [table, namesIn(columns, table)]));
}

type Rows = Record<string, unknown[]>;

/** The rows of every table of a database; of given columns only, because a later schema may have more. */
function rowsOf(path: string, columns = withDatabase(path, columnsIn)): Rows {
	return withDatabase(path, (database) =>
		Object.fromEntries(
			Object.entries(columns).map(([table, names]) => {
				// Before 1.2.0, the only record of a request had no group. Now it is its own group.
				const list = names
					.map((name) => (name === 'group_id' ? 'coalesce(group_id, id) as group_id' : `"${name}"`))
					.join();
				return [table, database.query(`select ${list} from "${table}" order by 1`).all()];
			}),
		),
	);
}

/** The present rows, with the columns of another database. */
const sameColumns = (path: string, before: string) => rowsOf(path, withDatabase(before, columnsIn));

/** Runs a command of a version in this process. */
type Version = (args: string[], environment: Record<string, string>) => Promise<Ended>;

const thisVersion: Version = (args, environment) => runHere(args, environment);

/** This program with one more migration: it stands for a later release. */
async function later(migration: string): Promise<Version> {
	const program = newFolder();
	for (const name of ['src', 'drizzle', 'package.json'])
		cpSync(join(root, name), join(program, name), { recursive: true });
	symlinkSync(join(root, 'node_modules'), join(program, 'node_modules'));
	const journal = join(program, 'drizzle/meta/_journal.json');
	const content = JSON.parse(readFileSync(journal, 'utf8'));
	const tag = `${String(present).padStart(4, '0')}_later`;
	content.entries.push({ idx: present, version: '6', when: Date.now(), tag, breakpoints: true });
	writeFileSync(journal, JSON.stringify(content));
	writeFileSync(join(program, 'drizzle', `${tag}.sql`), migration);
	const { runCommandLine } = await import(join(program, 'src/commands/run.ts'));
	return (args, environment) => runHere(args, environment, '', {}, runCommandLine);
}

/** A changed table as drizzle-kit writes it. Rows that refer to it survive the rebuild. */
function rebuild(): string {
	const create = schemas()[present]?.['table stores']?.replace(/^stores /, '') ?? '';
	return `
${create.replaceAll('stores', '__new_stores').replace('(', '(city text, ')};--> statement-breakpoint
INSERT INTO __new_stores SELECT '上海', * FROM stores;--> statement-breakpoint
DROP TABLE stores;--> statement-breakpoint
ALTER TABLE __new_stores RENAME TO stores;`;
}

test('the schema of a database is what its migrations make, and an installation in use has rows in every table', () => {
	const folder = folderOf();
	expect(schemaOf(databaseOf(folder))).toBe(present);
	expect(schemas()).toHaveLength(migrations().length + 1);
	expect(schemas()[present]).toEqual(withDatabase(databaseOf(folder), listObjects));
	const empty = Object.entries(rowsOf(databaseOf(folder))).filter(([, rows]) => rows.length === 0);
	expect(empty, 'a new table is filled by `use` in fixtures/make.ts').toEqual([]);
});

test('the migrations make the schema that the source describes: there is nothing to generate', async () => {
	const copy = join(newFolder(), 'drizzle');
	cpSync(join(root, 'drizzle'), copy, { recursive: true });
	const generator = [process.execPath, 'node_modules/drizzle-kit/bin.cjs', 'generate', '--dialect', 'sqlite'];
	const command = [...generator, '--schema', './src/platform/database/schema.ts', '--out', relative(root, copy)];
	expect((await runToEnd({ command })).stdout).toContain('No schema changes');
});

/** Databases of releases with an earlier schema, which this program upgrades. drizzle/README.md says when to add one. */
const releases = readdirSync(join(root, 'test/fixtures'))
	.flatMap((name) => /^release-(.*)\.db\.gz$/.exec(name)?.[1] ?? [])
	.sort(Bun.semver.order)
	.map((from) => ({
		from,
		stored: () => new Uint8Array(gunzipSync(readFileSync(join(root, `test/fixtures/release-${from}.db.gz`)))),
		version: async () => thisVersion,
		to: present,
	}));
const next = { from: 'this version', stored: () => stored, version: () => later(rebuild()), to: present + 1 };

const isOldestOrNewest = (_: unknown, index: number) => [0, releases.length - 1].includes(index);

const tried = [next, ...someOf(releases, isOldestOrNewest)];
test.each(tried)('$from is upgraded without losing a row, once, after a backup', async ({ stored, version, to }) => {
	const run = await version();
	const [folder, before] = [folderOf(stored()), databaseOf(folderOf(stored()))];
	const from = schemaOf(before);
	const upgraded = await run(['serve'], environmentOf(folder));
	expect(upgraded).toMatchObject({ code: 0, stderr: '' });
	expect(schemaOf(databaseOf(folder))).toBe(to);
	expect(sameColumns(databaseOf(folder), before)).toEqual(rowsOf(before));
	requireSound(databaseOf(folder));
	const spelled = "select count(*) from employees where name = '王芳' and pinyin = ' wangfang wf fang f'";
	expect(numberOf(databaseOf(folder), spelled)).toBe(1);
	const checked = await run(['check'], environmentOf(folder));
	expect(checked.stdout.match(/^fail.*/gm)).toBeNull();
	expect(checked.stdout).toContain('ok   database: sound');

	const [name = '', ...others] = readdirSync(join(folder, 'backups'));
	expect(others).toEqual([]);
	expect(name).toMatch(new RegExp(`^before-upgrade-from-${from}-\\d{8}T\\d{6}Z\\.db$`));
	const backup = join(folder, 'backups', name);
	expect(mode(backup)).toBe('600');
	expect([schemaOf(backup), rowsOf(backup)]).toEqual([from, rowsOf(before)]);
	expect(logLines(upgraded.stdout)).toContainEqual(
		expect.objectContaining({ message: 'migrating the database', backup }),
	);

	const all = rowsOf(databaseOf(folder));
	expect(await run(['serve'], environmentOf(folder))).toMatchObject({ code: 0, stderr: '' });
	expect(rowsOf(databaseOf(folder))).toEqual(all);
	expect(readdirSync(join(folder, 'backups'))).toEqual([name]);

	const restored = newFolder();
	const ended = await run(['restore', backup], environmentOf(restored));
	expect(ended.code).toBe(0);
	// A restore ends tokens, their sign-ins, and keys.
	const { installation: _, programs: __, sign_ins: ends, ...rows } = rowsOf(databaseOf(restored));
	const { installation: ___, programs: ____, sign_ins: begins, ...expected } = rowsOf(before);
	expect(ends).toEqual(begins?.map((row) => ('ends_at' in Object(row) ? { ...Object(row), ends_at: '' } : row)));
	expect([schemaOf(databaseOf(restored)), rows]).toEqual([from, expected]);
});

describe.each(releases)('an installation of $from', ({ from, stored }) => {
	// 1.0.0 has no points, and 1.3.0 reads the code itself.
	test.skipIf(!Bun.semver.satisfies(from, '>=1.1.0 <1.3.0'))(
		'keeps its own history:view under another code, which reads no history',
		async () => {
			const folder = folderOf(stored());
			withDatabase(databaseOf(folder), (database) => {
				const at = '2026-01-01T00:00:00.000Z';
				database.run(`insert into points (code, title, group_title, created_at, updated_at)
				values ('history:view', '看班次', '班次', '${at}', '${at}')`);
				const grant = 'insert into role_permissions (role_id, permission, granted_at) values (3, ?, ?)';
				database.run(grant, ['history:view', at]);
			});
			const log = await startHere(environmentOf(folder));
			const after = 'own_permission:history:view';
			expect(log).toContainEqual(expect.objectContaining({ level: 'warn', after }));
			const held = "select permission from role_permissions where deleted_at is null and permission like '%history%'";
			withDatabase(databaseOf(folder), (database) => expect(database.query(held).values()).toEqual([[after]]));
		},
	);

	// 1.2.0 and later write these columns themselves.
	test.skipIf(Bun.semver.satisfies(from, '>=1.2.0'))(
		'has a history that is found as if this version had written it',
		() => {
			// Newer than these releases.
			const newer: readonly HistoryAction[] = ['EMPLOYEE_SIGN_OUT', 'APPROVAL_REFUSED'];
			const known = historyActions.filter((action) => !newer.includes(action));
			const path = databaseOf(folderOf(stored()));
			const add = `insert into history (at, action, actor_type, actor_id, actor_name, target_type, target_id, target_name, changes, count)
			select (select max(at) from history), ?1, ?2, 1, 'Anna B', ?3, iif(?3 is null, null, 1), iif(?3 is null, null, 'ÉCLAIR'), ?4, 1`;
			const change = (field: string, before: unknown, after: unknown) => ({ field, before, after });
			const some = [
				change('status', 'ACTIVE', 'INACTIVE'),
				change('status', 'INACTIVE', 'ACTIVE'),
				change('storeId', 1, 2),
				change('roleIds', [3], [3, 4]),
				change('roleIds', [3, 4], [3]),
				change('roleIds', null, ['3 2999-12-31']),
				change('phone', '13800000001', null),
				change('phone', '021-1 A', '13900000009'),
			].map((each) => JSON.stringify([change('remark', null, 'x'), each]));
			withDatabase(path, (database) => {
				// One transaction, because a thousand would take the disk seconds.
				database.run('begin');
				for (const action of known)
					for (const type of ['EMPLOYEE', 'SUPER_ADMIN'])
						for (const changes of some) database.run(add, [action, type, actions[action].on, changes]);
				database.run('commit');
			});
			using upgraded = openDatabase(path);
			using fresh = openDatabase(':memory:');
			const written = 'search_text, changed, "left", moved, new_roles';
			const found = (db: Db) => db.$client.query(`select ${written} from history order by id`).all();
			transaction(fresh, () => {
				for (const { at, actorType, actorId, actorName, ...event } of allHistory(upgraded, {})) {
					const { action, targetType: type, targetId, targetName, changes } = event;
					const actor = { accountType: actorType, id: actorId, name: actorName };
					const target = type && { type, id: targetId ?? 0, name: targetName ?? '' };
					record(fresh, { actor, address: null, requestId: null, at }, { action, changes, ...(target && { target }) });
				}
			});
			expect(found(upgraded).length).toBeGreaterThan(known.length * 16);
			expect(found(upgraded)).toEqual(found(fresh));
			expect(() => upgraded.$client.run("update history set actor_name = 'x'")).toThrow('append-only');
		},
	);

	test('is refused by the commands that do not migrate it', async () => {
		const folder = folderOf(stored());
		const before = rowsOf(databaseOf(folder));
		const run = (args: string[]) => runHere(args, environmentOf(folder));
		expectFailed(await run(['admin', 'reset-password']), 'start the server once');
		const check = await run(['check', '--only', 'database']);
		expect(check.stdout).toMatch(/^warn database: sound, with \d+ pending migrations?: start the server\n$/);
		expect(rowsOf(databaseOf(folder))).toEqual(before);
	});

	// The oldest release has every migration.
	test.skipIf(from !== releases[0]?.from)('keeps every row when its upgrade is killed at any moment', async () => {
		const [folder, before] = [newFolder(), databaseOf(folderOf(stored()))];
		const rows = rowsOf(before);
		for (let round = 0; round < 4; round += 1) {
			for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
			writeFileSync(databaseOf(folder), stored());
			const child = spawn({ environment: environmentOf(folder) });
			// An upgrade starts with a backup.
			while (!readdirSync(folder).includes('backups') && child.exitCode === null) await Bun.sleep(1);
			await Bun.sleep(round * 16);
			child.kill('SIGKILL');
			await child.exited;
			requireSound(databaseOf(folder));
			expect(schemaOf(databaseOf(folder))).toBeWithin(schemaOf(before), present + 1);
			expect(sameColumns(databaseOf(folder), before)).toEqual(rows);
		}
		const upgraded = await Program.start({ environment: environmentOf(folder) });
		await upgraded.end();
		expect(sameColumns(databaseOf(folder), before)).toEqual(rows);
	});
});

test('a migration that would orphan rows stops in one line and leaves the data as it was, and no backup of each try', async () => {
	const folder = folderOf();
	const before = rowsOf(databaseOf(folder));
	const run = await later('DELETE FROM roles;');
	// Under a service manager, a start that fails is tried again for ever.
	for (let tries = 0; tries < 2; tries += 1) {
		const ended = await run(['serve'], { ...environmentOf(folder), BACKUP_KEEP: '1' });
		expect(ended.code).toBe(1);
		expect(ended.stderr).toMatch(/^the migration would leave orphaned rows: report this$/m);
	}
	expect(readdirSync(join(folder, 'backups'))).toHaveLength(1);
	expect([schemaOf(databaseOf(folder)), rowsOf(databaseOf(folder))]).toEqual([present, before]);
	requireSound(databaseOf(folder));
	// The older version still starts on it.
	await startHere(environmentOf(folder));
});

test('an old backup that cannot be removed stops no upgrade', async () => {
	const folder = folderOf(releases[0]?.stored());
	// A folder, which is removed in another way than a file.
	mkdirSync(join(folder, 'backups/before-upgrade-from-1-20260101T000000Z.db'), { recursive: true });
	await startHere({ ...environmentOf(folder), BACKUP_KEEP: '1' });
	expect([schemaOf(databaseOf(folder)), readdirSync(join(folder, 'backups')).length]).toEqual([present, 2]);
});

test('SQLite is free of the WAL-reset corruption bug (3.7.0 to 3.51.2)', () => {
	using db = openDatabase(':memory:');
	const version = String(db.$client.query('select sqlite_version()').values()[0]?.[0]);
	expect(Bun.semver.satisfies(version, '>=3.51.3')).toBe(true);
});

test('an acknowledged write is on the disk: the connection of the server waits for it', () => {
	using db = openDatabase(join(newFolder(), 'access.db'));
	const settingOf = (name: string) => db.$client.query(`pragma ${name}`).values()[0]?.[0];
	expect(['journal_mode', 'synchronous', 'foreign_keys'].map(settingOf)).toEqual(['wal', 2, 1]);
});

test('every table is STRICT, and none deletes rows by cascades or triggers', async () => {
	const folder = await newInstallation();
	withDatabase(databaseOf(folder), (database) => {
		const loose = `select name from pragma_table_list
			where schema = 'main' and type = 'table' and not strict and name not like 'sqlite_%'`;
		expect(database.query(loose).values()).toEqual([]);
		const references = `select distinct on_delete, on_update
			from pragma_table_list as tables, pragma_foreign_key_list(tables.name) where tables.schema = 'main'`;
		expect(database.query(references).values()).toEqual([['NO ACTION', 'NO ACTION']]);
		const triggers = database.query<{ sql: string }, []>("select sql from sqlite_schema where type = 'trigger'").all();
		expect(triggers.length).toBeGreaterThan(0);
		expect(triggers.filter(({ sql }) => /delete from(?! `(?:employee|history)_search`)/i.test(sql))).toEqual([]);
	});
});

test('a migration that fails shows SQLite’s error and the statement in the build', () => {
	const said = spyOn(console, 'error').mockImplementation(() => {});
	expect(() => schemas([['create table a (b)'], ['alter table nowhere add c']])).toThrow();
	const cause = 'a migration fails: no such table: nowhere, in\nalter table nowhere add c';
	expect(said.mock.calls.flat().join()).toBe(cause);
	said.mockRestore();
});
