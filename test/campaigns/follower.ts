/** A process that keeps a copy in a file with the program from the integrators' page, until it is killed. */
import { Database } from 'bun:sqlite';

const [program = '', url = '', key = '', file = ''] = process.argv.slice(2);
const { follow } = await import(program);
const database = new Database(file);
database.run('pragma journal_mode = wal');
database.run('create table if not exists things (kind text, id integer, fields text, primary key (kind, id)) strict');
database.run('create table if not exists kept (id integer primary key, cursor text) strict');

const copy = {
	cursor: async () => database.query<{ cursor: string }, []>('select cursor from kept').get()?.cursor,
	keepCursor: async (cursor: string) => void database.run('replace into kept values (1, ?)', [cursor]),
	put: async (kind: string, thing: { id: number }) =>
		void database.run('replace into things values (?, ?, ?)', [kind, thing.id, JSON.stringify(thing)]),
	remove: async (kind: string, id: number) =>
		void database.run('delete from things where kind = ? and id = ?', [kind, id]),
	ids: async (kind: string) => database.query('select id from things where kind = ?').values(kind).flat(),
};

for (;;) {
	try {
		for await (const _ of follow(url, key, copy));
	} catch {
		// The service may have been killed.
		await Bun.sleep(20);
	}
}
