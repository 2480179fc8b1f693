/** Reads database files beside the program, or after it ended. */
import { Database } from 'bun:sqlite';
import { type Kind, type Lines, lineName, rowLine } from './chain.ts';

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

/** Everything that is true of stores and employees, deleted ones too. */
export function readChain(path: string): Lines {
	return look(path, (database) => {
		const linesOf = ([kind, query]: [Kind, string]) =>
			database
				.query<{ id: number; facts: string }, []>(query)
				.all()
				.map(({ id, facts }) => [lineName(kind, id), rowLine(JSON.parse(facts))] as const);
		return new Map((Object.entries(factsOf) as [Kind, string][]).flatMap(linesOf));
	});
}

const isSo = (condition: string) => `json(iif(${condition}, 'true', 'false'))`;
const deleted = `'deleted', ${isSo('deleted_at is not null')}`;

// A nested query loses the mark that makes its text JSON; `json` sets it again.
const factsOf: Record<Kind, string> = {
	store: `select id, json_object('name', name, 'address', address, 'phone', phone, 'status', status, 'areaId', area_id,
		${deleted}) as facts from stores`,
	employee: `select id, json_object('storeId', store_id, 'name', name, 'phone', phone, 'status', status, 'remark', remark,
		'tokenVersion', token_version, 'initialPassword', ${isSo('password_is_initial = 1')}, ${deleted},
		'roleIds', json((select json_group_array(role_id order by role_id) from employee_roles
			where employee_id = employees.id and unbound_at is null))) as facts
		from employees`,
};

/** @throws Error that names what was acknowledged but is missing, and what is stored but was never acknowledged. */
export function requireSame(expected: Lines, actual: Lines): void {
	const problems = [...new Set([...expected.keys(), ...actual.keys()])]
		.filter((name) => expected.get(name) !== actual.get(name))
		.map((name) => `${name} has to be ${expected.get(name) ?? 'nothing'} and is ${actual.get(name) ?? 'lost'}`);
	if (problems.length > 0) throw new Error(`${problems.length} wrong: ${problems.slice(0, 5).join('; ')}`);
}
