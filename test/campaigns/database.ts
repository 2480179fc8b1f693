/** Reads database files beside the program, or after it ended. */
import { Database } from 'bun:sqlite';
import { type Lines, lineName, rowLine } from './chain.ts';

/** Reads a database file in one transaction, without changing it. */
function look<T>(path: string, work: (database: Database) => T): T {
	const database = new Database(path, { readonly: true });
	try {
		return database.transaction(() => work(database))();
	} finally {
		database.close();
	}
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

/** Everything that is true of stores, roles and employees, deleted ones too. */
export function readChain(path: string): Lines {
	return look(path, (database) => {
		const lines: Lines = new Map();
		const rows = (query: string) => database.query<Record<string, string | number>, []>(query).all();
		for (const { id, deleted, ...facts } of rows(storeQuery)) {
			lines.set(lineName('store', Number(id)), rowLine({ ...facts, deleted: deleted === 1 }));
		}
		const grants = gathered(rows(grantQuery));
		for (const { id, deleted, ...facts } of rows(roleQuery)) {
			const permissions = grants.get(id) ?? [];
			lines.set(lineName('role', Number(id)), rowLine({ ...facts, permissions, deleted: deleted === 1 }));
		}
		const links = gathered(rows(linkQuery));
		for (const { id, deleted, initial, ...facts } of rows(employeeQuery)) {
			const roleIds = links.get(id) ?? [];
			const flags = { initialPassword: initial === 1, deleted: deleted === 1 };
			lines.set(lineName('employee', Number(id)), rowLine({ ...facts, roleIds, ...flags }));
		}
		return lines;
	});
}

const storeQuery = 'select id, name, address, phone, status, deleted_at is not null as deleted from stores';
const roleQuery = 'select id, code, name, description, deleted_at is not null as deleted from roles';
const grantQuery = `select role_id as owner, permission as owned from role_permissions where deleted_at is null
	order by permission`;
const employeeQuery = `select id, store_id as storeId, name, phone, status, remark, token_version as tokenVersion,
	password_is_initial as initial, deleted_at is not null as deleted from employees`;
const linkQuery =
	'select employee_id as owner, role_id as owned from employee_roles where unbound_at is null order by role_id';

function gathered(rows: Record<string, string | number>[]): Map<string | number | undefined, unknown[]> {
	const byOwner = new Map<string | number | undefined, unknown[]>();
	for (const { owner, owned } of rows) {
		const known = byOwner.get(owner);
		if (known) known.push(owned);
		else byOwner.set(owner, [owned]);
	}
	return byOwner;
}

/** @throws Error that names what was acknowledged but is missing, and what is stored but was never acknowledged. */
export function requireSame(expected: Lines, actual: Lines): void {
	const problems: string[] = [];
	for (const [name, line] of expected) {
		const found = actual.get(name);
		if (found === undefined) problems.push(`${name} is lost: ${line}`);
		else if (found !== line) problems.push(`${name} has to be ${line} and is ${found}`);
	}
	for (const [name, line] of actual) {
		if (!expected.has(name)) problems.push(`${name} was never acknowledged: ${line}`);
	}
	if (problems.length > 0) throw new Error(`${problems.length} wrong: ${problems.slice(0, 5).join('; ')}`);
}
