/** A new program over an old data folder: from every released schema, nothing is lost, and an upgrade can be undone. */
import type { Database } from 'bun:sqlite';
import { afterAll, describe, expect, test } from 'bun:test';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '../package.json';
import { migrations, schemas } from '../src/database/migrations.ts';
import { objectsIn } from '../src/database/schema-objects.ts';
import { migrationsUpTo, schemaVersion } from '../src/database/schema-version.ts';
import { dataFolderAt, lockFolder } from '../src/machine/data-folder.ts';
import { createLog } from '../src/machine/log.ts';
import { dump, filledByMigration, given, ownPassword } from './fixtures/make.ts';
import { databaseOf, expectSound, failed, failToStart, mode, serveHere, startHere } from './installation.ts';
import { compiled, newFolder, removeFolders, root, spawn } from './program.ts';
import { runHere } from './run-here.ts';
import { newInstallation, withDatabase } from './server.ts';

afterAll(removeFolders);

const command = compiled();
const present = schemaVersion();
/** What the tests upgrade from: databases as the programs of those schemas left them. drizzle/README.md says when there is another one. */
const fixtures = readdirSync(join(root, 'test/fixtures')).flatMap((name) => {
	const [, version] = /^schema-(\d+)\.sql$/.exec(name) ?? [];
	return version ? [{ version: Number(version), stored: restored(join(root, 'test/fixtures', name)) }] : [];
});
const oldest = fixtures.find(({ version }) => version === 8)?.stored ?? new Uint8Array();

/** The file of a database that was dumped. */
function restored(path: string): Uint8Array {
	const sql = readFileSync(path, 'utf8');
	const file = join(newFolder(), 'access.db');
	withDatabase(file, (database) => {
		database.run('pragma journal_mode = wal');
		database.run('pragma synchronous = off');
		database.run(sql);
		if (!sql.includes(`CREATE TABLE \`${filledByMigration}\``)) return;
		const filling = new RegExp(`^(INSERT INTO|UPDATE) \`${filledByMigration}\``);
		for (const statement of migrations().flat()) if (filling.test(statement.trim())) database.run(statement);
	});
	return readFileSync(file);
}

/** A data folder with that database. */
function folderOf(stored: Uint8Array): string {
	const folder = newFolder();
	writeFileSync(databaseOf(folder), stored);
	return folder;
}

/** However old a fixture gets, its history is kept. */
function environmentOf(folder: string) {
	// The stored administrator has a password already.
	const { ADMIN_PASSWORD: _, ...ofEveryStart } = given;
	return { DATA_DIR: folder, HISTORY_DAYS: '0', ...ofEveryStart };
}

/** Tables that are computed from others, to find rows faster. */
const derived =
	/^(employee_(counts|part_counts|role_counts|search.*|store_counts)|initial_password_count|history_(blocks|kinds|names|search.*))$/;

/** Later schemas do not have it any more. */
const dropped = 'sign_in_places';

/** The columns of every table that holds what people entered. */
function columnsIn(database: Database): Record<string, string[]> {
	const namesIn = (query: string, ...values: string[]) =>
		database
			.query(query)
			.values(...values)
			.flat()
			.map(String);
	const tables = namesIn("select name from pragma_table_list where schema = 'main' and type = 'table' order by name");
	const own = tables.filter((name) => !name.startsWith('sqlite_') && !derived.test(name) && name !== dropped);
	return Object.fromEntries(own.map((table) => [table, namesIn('select name from pragma_table_info(?)', table)]));
}

/** The rows of tables, of their given columns only: later schemas may have more. */
function rowsOf(path: string, columns: Record<string, string[]>): Record<string, unknown[]> {
	return withDatabase(path, (database) =>
		Object.fromEntries(
			Object.entries(columns).map(([table, names]) => {
				const list = names.map((name) => `"${name}"`).join();
				return [table, database.query(`select ${list} from "${table}" order by 1`).all()];
			}),
		),
	);
}

const versionOf = (path: string) =>
	withDatabase(path, (database) => database.query('pragma user_version').values()[0]?.[0]);

test('the version is 0.<schema>.<release>, so that two schemas never share one', () => {
	expect(version.split('.').slice(0, 2)).toEqual(['0', String(present)]);
});

test('there is a fixture of the oldest schema that is upgraded, and earlier ones are refused', async () => {
	expect(oldest.length).toBeGreaterThan(0);
	const folder = folderOf(oldest);
	withDatabase(databaseOf(folder), (database) => database.run('pragma user_version = 7'));
	const written = readFileSync(databaseOf(folder));
	const ended = await failToStart(environmentOf(folder));
	expect(ended).toEqual(failed);
	expect(ended.stderr).toMatch(/ version 0\.7 .*: start 0\.8\.0 on it first\n$/);
	expect(readFileSync(databaseOf(folder)).equals(written)).toBe(true);
});

describe.each(fixtures)('a database of schema $version', ({ version, stored }) => {
	const made = databaseOf(folderOf(stored));
	const columns = withDatabase(made, columnsIn);
	const before = rowsOf(made, columns);

	test('has the schema that its migrations create, and data in every table', () => {
		const schemaOf = (database: Database) =>
			database.query('select name, sql from sqlite_schema where sql is not null order by name').values();
		const expected = withDatabase(':memory:', (database) => {
			for (const statement of migrations().slice(0, migrationsUpTo(version)).flat()) database.run(statement);
			return schemaOf(database);
		});
		// A released migration was changed if this fails: add another one instead.
		expect(withDatabase(made, schemaOf)).toEqual(expected);
		expect(schemas()).toHaveLength(migrations().length + 1);
		expect(schemas()[migrationsUpTo(version)]).toEqual(withDatabase(made, objectsIn));
		expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([]);
		expectSound(made);
	});

	test('is upgraded without losing a row, once, after a backup that can be restored', async () => {
		const folder = folderOf(stored);
		const log = await startHere(environmentOf(folder));
		expect(versionOf(databaseOf(folder))).toBe(present);
		expect(rowsOf(databaseOf(folder), columns)).toEqual(before);
		expectSound(databaseOf(folder));
		const { code, stdout } = await runHere(['check'], environmentOf(folder));
		expect({ code, failed: stdout.match(/^fail.*/gm) }).toEqual({ code: 0, failed: null });

		const first = withDatabase(databaseOf(folder), dump);
		const files = readdirSync(folder, { recursive: true });
		await startHere(environmentOf(folder));
		expect(withDatabase(databaseOf(folder), dump)).toBe(first);
		expect(readdirSync(folder, { recursive: true })).toEqual(files);

		const [name = '', ...others] = readdirSync(join(folder, 'backups'));
		expect(others).toEqual([]);
		expect(name).toMatch(new RegExp(`^before-upgrade-from-${version}-\\d{8}T\\d{6}Z\\.db$`));
		const backup = join(folder, 'backups', name);
		expect(mode(backup)).toBe('600');
		expect(versionOf(backup)).toBe(version);
		expect(rowsOf(backup, columns)).toEqual(before);
		expect(log).toContainEqual(expect.objectContaining({ message: 'migrating the database', backup }));

		const restored = newFolder();
		expect((await runHere(['restore', backup], environmentOf(restored))).code).toBe(0);
		expect(versionOf(databaseOf(restored))).toBe(version);
		await startHere(environmentOf(restored));
		expect(versionOf(databaseOf(restored))).toBe(present);
		const { installation: _, ...rows } = rowsOf(databaseOf(restored), columns);
		const { installation: __, ...expected } = before;
		expect(rows).toEqual(expected);
	});

	test('is refused by the commands that do not migrate it', async () => {
		const folder = folderOf(stored);
		const ended = await runHere(['admin', 'reset-password'], environmentOf(folder));
		expect(ended).toEqual(failed);
		expect(ended.stderr).toContain('start the server once');
		const check = await runHere(['check', '--only', 'database'], environmentOf(folder));
		expect(check.stdout).toMatch(/^warn database: sound; \d+ migrations? (is|are) pending: start the server\n$/);
		expect(rowsOf(databaseOf(folder), columns)).toEqual(before);
	});
});

test('a database of the oldest schema works after its upgrade: people sign in, rows are changed and added', async () => {
	const folder = folderOf(oldest);
	const program = await serveHere(environmentOf(folder));
	const token = await program.signIn('root', given.ADMIN_PASSWORD);
	for (const [username, password, status] of [
		['13800000001', given.INITIAL_EMPLOYEE_PASSWORD, 200],
		['13800000002', ownPassword, 200],
		['13800000002', given.INITIAL_EMPLOYEE_PASSWORD, 401],
		['13800000003', given.INITIAL_EMPLOYEE_PASSWORD, 401],
		['13800000004', given.INITIAL_EMPLOYEE_PASSWORD, 200],
	] as const) {
		const answer = await program.send('POST', '/api/auth/employee/login', { body: { username, password } });
		expect([username, answer.status]).toEqual([username, status]);
	}
	const { body } = await program.send('GET', '/api/employees/2', { token });
	expect(body.data).toMatchObject({ roles: [{ code: 'kitchen' }, { code: 'part_time' }] });
	// Ids go on where they were: none is ever used again.
	for (const [path, body, id] of [
		['/api/stores', { name: '新店' }, 6],
		['/api/roles', { code: 'gone', name: '又来了' }, 8],
		['/api/employees', { storeId: 1, name: '新人', phone: '13800000005', roleIds: [3] }, 6],
	] as const) {
		const made = await program.send('POST', path, { token, body });
		expect([path, made.status, made.body.data.id]).toEqual([path, 201, id]);
	}
	expect((await program.send('PATCH', '/api/employees/1', { token, body: { name: '王芳芳' } })).status).toBe(200);
	await program.end();
	expectSound(databaseOf(folder));
});

test('every row is kept when an upgrade is killed at any moment', async () => {
	// From the oldest one, because that runs every migration that the others run.
	const folder = newFolder();
	const made = databaseOf(folderOf(oldest));
	const columns = withDatabase(made, columnsIn);
	const before = rowsOf(made, columns);
	for (let round = 0; round < 8; round += 1) {
		for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
		writeFileSync(databaseOf(folder), oldest);
		const child = spawn({ command, environment: environmentOf(folder) });
		await Bun.sleep(10 + round * 20);
		child.kill('SIGKILL');
		await child.exited;
		expectSound(databaseOf(folder));
		// Each migration is whole or not at all; there may be several.
		expect(Number(versionOf(databaseOf(folder)))).toBeWithin(8, present + 1);
		expect(rowsOf(databaseOf(folder), columns)).toEqual(before);
	}
	await startHere(environmentOf(folder));
	expect(rowsOf(databaseOf(folder), columns)).toEqual(before);
});

test('schema 12 knows when people last signed in, as far as the history does', async () => {
	const folder = folderOf(oldest);
	withDatabase(databaseOf(folder), (database) => {
		const insert = database.prepare(
			`insert into history (id, at, action, actor_type, actor_id, actor_name, changes, count)
			select max(id) + 1, ?, 'SIGN_IN', ?, ?, 'x', '[]', 1 from history`,
		);
		insert.run('2999-01-01T00:00:00.000Z', 'EMPLOYEE', 2);
		insert.run('2999-01-02T00:00:00.000Z', 'EMPLOYEE', 2);
		insert.run('2999-01-03T00:00:00.000Z', 'SUPER_ADMIN', 1);
	});
	await startHere(environmentOf(folder));
	const known = withDatabase(databaseOf(folder), (database) =>
		database.query('select id, last_sign_in_at from employees where last_sign_in_at is not null').values(),
	);
	expect(known).toEqual([[2, '2999-01-02T00:00:00.000Z']]);
	expectSound(databaseOf(folder));
});

describe('a later version', () => {
	const made = databaseOf(folderOf(oldest));
	const columns = withDatabase(made, columnsIn);
	const before = rowsOf(made, columns);

	/** Opens a data folder as the start of this program with one more migration does. */
	async function upgradeWith(migration: string, folder: string): Promise<void> {
		const program = newFolder();
		for (const name of ['src', 'drizzle']) cpSync(join(root, name), join(program, name), { recursive: true });
		symlinkSync(join(root, 'node_modules'), join(program, 'node_modules'));
		const journal = join(program, 'drizzle/meta/_journal.json');
		const content = JSON.parse(readFileSync(journal, 'utf8'));
		const idx = migrations().length;
		const tag = `${String(idx).padStart(4, '0')}_later`;
		content.entries.push({ idx, version: '6', when: Date.now(), tag, breakpoints: true });
		writeFileSync(journal, JSON.stringify(content));
		writeFileSync(join(program, 'drizzle', `${tag}.sql`), migration);
		const { openInstallation }: typeof import('../src/server/installation.ts') = await import(
			join(program, 'src/server/installation.ts')
		);
		const log = createLog({ write() {} }, 'silent');
		const data = dataFolderAt(folder);
		using _lock = lockFolder(data);
		using _db = openInstallation(data, { startsNew: false, log }, () => new Date());
	}

	// As drizzle-kit writes a changed table: the rows that refer to it must survive its rebuilding.
	const rebuild = `
CREATE TABLE __new_stores (
	id integer PRIMARY KEY AUTOINCREMENT NOT NULL, name text NOT NULL, address text, phone text, status text NOT NULL,
	created_at text NOT NULL, updated_at text NOT NULL, deleted_at text, city text
) STRICT;--> statement-breakpoint
INSERT INTO __new_stores SELECT id, name, address, phone, status, created_at, updated_at, deleted_at, '上海' FROM stores;--> statement-breakpoint
DROP TABLE stores;--> statement-breakpoint
ALTER TABLE __new_stores RENAME TO stores;`;

	test('can rebuild a table that others refer to, and the current version then refuses the database', async () => {
		const folder = folderOf(oldest);
		await upgradeWith(rebuild, folder);
		expect(versionOf(databaseOf(folder))).toBe(present + 1);
		expect(rowsOf(databaseOf(folder), columns)).toEqual(before);
		expectSound(databaseOf(folder));
		expect(
			withDatabase(databaseOf(folder), (database) => database.query('select distinct city from stores').values()),
		).toEqual([['上海']]);
		const written = readFileSync(databaseOf(folder));
		const refused = await failToStart(environmentOf(folder));
		expect(refused).toEqual(failed);
		expect(refused.stderr).toContain('newer version');
		expect(readFileSync(databaseOf(folder)).equals(written)).toBe(true);
	});

	test.each([
		[
			'that is wrong',
			'CREATE TABLE later (id integer) STRICT;--> statement-breakpoint\nINSERT INTO nowhere VALUES (1);',
			/^cannot use \S+: no such table: nowhere$/,
		],
		['that would orphan rows', 'DELETE FROM roles;', /^the migration would leave orphaned rows: report this$/],
	])('with a migration %s stops in one line and leaves the data as it was', async (_, migration, line) => {
		const folder = folderOf(oldest);
		await expect(upgradeWith(migration, folder)).rejects.toThrow(line);
		expect(versionOf(databaseOf(folder))).toBe(present);
		expect(rowsOf(databaseOf(folder), columns)).toEqual(before);
		expectSound(databaseOf(folder));
		// The version before goes on with it.
		await startHere(environmentOf(folder));
		expect(existsSync(join(folder, 'backups'))).toBe(true);
	});
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
