/** Where accounts signed in from, after an upgrade from a version that did not keep it. */
import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { signedInFrom } from '../src/auth/known-places.ts';
import { closeDatabase, openDatabase } from '../src/database/open.ts';
import { newFolder, removeFolders, root } from './program.ts';

afterAll(removeFolders);

const day = 86_400_000;
const administrator = { accountType: 'SUPER_ADMIN', id: 1 } as const;

/** Whether the administrator's sign-in from 127.0.0.1 in the fixture, made to be this old, is known after the upgrade. */
function isKnownAfterUpgrade(age: number): boolean {
	const path = join(newFolder(), 'access.db');
	const date = new Date(Date.now() - age).toISOString();
	const fixture = readFileSync(join(root, 'test/fixtures/schema-3.sql'), 'utf8');
	const database = new Database(path);
	database.run('pragma journal_mode = wal');
	database.run(fixture.replaceAll(/'\d{4}-\d\d-\d\dT[\d:.]+Z'/g, `'${date}'`));
	database.close();
	const db = openDatabase(path);
	try {
		return signedInFrom(db, administrator, '127.0.0.1', new Date().toISOString());
	} finally {
		closeDatabase(db);
	}
}

test('an upgrade takes the places of the last 30 days from the history', () => {
	expect(isKnownAfterUpgrade(29 * day)).toBe(true);
	expect(isKnownAfterUpgrade(31 * day)).toBe(false);
});
