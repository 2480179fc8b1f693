/** Reads database files while the program runs, or after it ended. */
import { Database } from 'bun:sqlite';

/** Reads a database file in one transaction, without changing it. */
function look<T>(path: string, work: (database: Database) => T): T {
	using database = new Database(path, { readonly: true });
	return database.transaction(() => work(database))();
}

/** @throws Error when a database is damaged or a row points at nothing. */
export function requireSound(path: string): void {
	look(path, (database) => {
		const problems = database.query('pragma integrity_check(5)').values().flat();
		if (problems.join() !== 'ok') throw new Error(`${path} is damaged: ${problems.join('; ')}`);
		const orphans = database.query('pragma foreign_key_check').all();
		if (orphans.length > 0) throw new Error(`${path} has orphaned rows: ${JSON.stringify(orphans)}`);
	});
}

type Facts = Record<string, unknown>;

/** @throws Error unless replaying the history gives exactly the stored stores and employees. */
export function requireReplayed(path: string): void {
	look(path, (database) => {
		const replayed = new Map<string, Facts>();
		const records =
			'select target_type, target_id, action, changes from history where target_type in (?, ?) order by id';
		for (const [type, id, action, changes] of database.query(records).values('STORE', 'EMPLOYEE')) {
			const facts = replayed.getOrInsertComputed(`${type} ${id}`, () => ({}));
			for (const { field, after } of JSON.parse(String(changes))) facts[field] = after;
			// These actions end tokens.
			if (type === 'EMPLOYEE' && /CREATE|DELETE|PASSWORD/.test(String(action)))
				facts.tokenVersion = Number(facts.tokenVersion ?? 0) + 1;
		}
		const facts = database.query(stored).values();
		const rows = new Map(facts.map(([name, json]) => [String(name), JSON.parse(String(json)) as Facts]));
		for (const name of new Set([...replayed.keys(), ...rows.keys()])) {
			const [row, facts] = [lineOf(rows.get(name)), lineOf(replayed.get(name))];
			if (row !== facts) throw new Error(`${name} is stored as ${row}, but its records say ${facts}`);
		}
	});
}

/** Returns the same text for the same values in any order. A missing value equals null. */
function lineOf(facts: Facts = {}): string {
	const known = Object.entries(facts).filter(([, value]) => value !== null);
	return JSON.stringify(known.toSorted(([one], [other]) => one.localeCompare(other)));
}

/** A deleted item keeps nothing but the number of times its tokens were ended. */
const stored = `
	select 'STORE ' || id, iif(deleted_at is null, json_object('name', name, 'address', address, 'phone', phone,
		'status', status, 'areaId', area_id), '{}') from stores
	union all
	select 'EMPLOYEE ' || id, iif(deleted_at is null, json_object('storeId', store_id, 'name', name, 'phone', phone,
		'status', status, 'remark', remark, 'externalId', external_id, 'leavesOn', leaves_on, 'tokenVersion', token_version,
		'roleIds', json((select json_group_array(role_id order by role_id) from employee_roles
			where employee_id = employees.id and unbound_at is null))), json_object('tokenVersion', token_version))
	from employees`;
