/** A chain of stores on a rig: roles and people, made through the API by the super administrator. */
import { Database } from 'bun:sqlite';
import type { PermissionCode } from '../../src/vocabulary/permissions.ts';
import { type Answer, Rig } from './rig.ts';

/** What the server answered about a thing that has an id. */
export interface Made {
	id: number;
	[field: string]: unknown;
}

/** An employee, with a token as signing in would give. */
export interface Person {
	id: number;
	phone: string;
	storeId: number;
	token: string;
}

/** A rig with means to fill it. */
export class Chain {
	readonly rig: Rig;
	/** A token of the super administrator. */
	readonly superToken: string;
	#made = 0;

	constructor(rig: Rig) {
		this.rig = rig;
		this.superToken = rig.superToken;
	}

	/** Runs work on a new installation, which is ended after it, however it ends. */
	static async on<T>(work: (chain: Chain) => Promise<T>): Promise<T> {
		const rig = await Rig.start();
		try {
			return await work(new Chain(rig));
		} finally {
			await rig.program.end('SIGKILL');
		}
	}

	/** Sends a request as the super administrator. */
	asSuper(method: string, path: string, body?: unknown): Promise<Answer> {
		return this.rig.send(method, path, { token: this.superToken, body });
	}

	/** A phone that no employee has yet. */
	newPhone(): string {
		return `139${String(this.#next()).padStart(8, '0')}`;
	}

	/** A text that nothing has yet; good as a name and as a code. */
	newName(prefix: string): string {
		return `${prefix}_${this.#next()}`;
	}

	#next(): number {
		this.#made += 1;
		return this.#made;
	}

	async addStore(): Promise<Made> {
		return dataOf(await this.asSuper('POST', '/api/stores', { name: this.newName('store') }), 201);
	}

	/** A new custom role that holds nothing. */
	async addEmptyRole(): Promise<Made> {
		const code = this.newName('role');
		return dataOf(await this.asSuper('POST', '/api/roles', { code, name: code }), 201);
	}

	/** A new custom role that holds exactly these codes, dependencies not added. */
	async addRole(...permissions: PermissionCode[]): Promise<Made> {
		const role = await this.addEmptyRole();
		this.grantExactly([[role.id, permissions]]);
		return role;
	}

	/** Grants codes to roles behind the server's back: through the API their dependencies would come along. */
	grantExactly(grants: readonly (readonly [roleId: number, permissions: readonly PermissionCode[]])[]): void {
		const client = new Database(this.rig.database);
		try {
			client.run('pragma busy_timeout = 5000');
			const insert = client.prepare('insert into role_permissions (role_id, permission, granted_at) values (?, ?, ?)');
			const at = new Date().toISOString();
			client.transaction(() => {
				for (const [roleId, permissions] of grants) {
					for (const permission of permissions) insert.run(roleId, permission, at);
				}
			})();
		} finally {
			client.close();
		}
	}

	async addEmployee(storeId: number, roleIds: readonly number[] = []): Promise<Made & { phone: string }> {
		const body = { storeId, name: this.newName('employee'), phone: this.newPhone(), roleIds };
		return dataOf(await this.asSuper('POST', '/api/employees', body), 201);
	}

	/** A new employee who holds exactly these codes, with a token. */
	async addPerson(storeId: number, ...permissions: PermissionCode[]): Promise<Person> {
		const role = await this.addRole(...permissions);
		const { id, phone } = await this.addEmployee(storeId, [role.id]);
		return { id, phone, storeId, token: this.rig.tokenOf(id) };
	}

	/** Rows that are alive and lean on something deleted; there must never be one. */
	brokenRows(): unknown[] {
		return leaning.flatMap((query) => this.rig.rows(query));
	}
}

const leaning = [
	'select * from employees e join stores s on s.id = e.store_id where e.deleted_at is null and s.deleted_at is not null',
	'select * from employee_roles l join roles r on r.id = l.role_id where l.unbound_at is null and r.deleted_at is not null',
	'select * from employee_roles l join employees e on e.id = l.employee_id where l.unbound_at is null and e.deleted_at is not null',
	'select * from role_permissions p join roles r on r.id = p.role_id where p.deleted_at is null and r.deleted_at is not null',
	"select * from employees where deleted_at is not null and status <> 'INACTIVE'",
	'pragma foreign_key_check',
];

/** The `data` of an answer that must have this status. */
export function dataOf({ status, body, text }: Answer, wanted: number): Answer['body'] {
	if (status !== wanted) throw new Error(`${wanted} was expected, not ${status}: ${text}`);
	return body?.data;
}

/** Runs work on each value, some of them at once. */
export async function forEachAtOnce<T>(values: Iterable<T>, lanes: number, work: (value: T) => Promise<void>) {
	const left = values[Symbol.iterator]();
	const lane = async () => {
		for (let next = left.next(); !next.done; next = left.next()) await work(next.value);
	};
	await Promise.all(Array.from({ length: lanes }, lane));
}

/** A count for people to read. */
export const counted = (count: number) => count.toLocaleString('en');
