/**
 * A chain of stores with employees, and the methods that build it. It has two transports: `Service` of harness.ts is the
 * application in this process, `Server` of server.ts the compiled program behind a socket.
 */
import type { Database, SQLQueryBindings } from 'bun:sqlite';
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { hashPassword, productionCost } from '../src/features/auth/password.ts';
import type { PermissionCode } from '../src/platform/vocabulary/permissions.ts';
import type { Contract } from './contract.ts';
import type { Answer, Body, Sent } from './http.ts';
import { totp } from './totp.ts';

export const adminUsername = 'admin';
export const adminPassword = 'admin-password-for-tests';
export const initialPassword = 'initial-password-for-tests';
export const passwordKey = 'a-key-of-the-tests-that-is-long-enough-too';
export const secondFactorKey = 'a-key-of-the-tests-for-second-factors';
export const jwtSecret = 'a-secret-of-the-tests-that-is-long-enough';

export const doors = ['/api/auth/login', '/api/auth/admin/login', '/api/auth/employee/login'] as const;
export type Door = (typeof doors)[number];

/** An employee, with a token like that of a sign-in. */
export interface Person {
	id: number;
	phone: string;
	storeId: number;
	token: string;
}

let phones = 0;

/** An unused phone. */
export function newPhone(): string {
	phones += 1;
	return `139${String(phones).padStart(8, '0')}`;
}

let names = 0;

/** An unused name. It is also a valid role code if the prefix is one. */
export function newName(prefix = '名称'): string {
	names += 1;
	return `${prefix}${names}`;
}

/** An installation with its built-in roles and super administrator, and methods to fill it. */
export abstract class World {
	/** The document that every answer is checked against, if any. */
	contract: Contract | undefined;
	#key: Buffer | undefined;

	/** Sends a request. */
	abstract send(method: string, path: string, sent?: Sent): Promise<Answer>;

	/** Database rows, for data that no answer shows. */
	abstract rows(query: string, ...values: (string | number)[]): Body[];

	/** Changes the database directly, bypassing the service, in one transaction. */
	abstract alter(work: (database: Database) => void): void;

	abstract readonly superToken: string;

	/** The time of the service. */
	abstract now(): Date;

	/** Waits until the clock of the service shows another time. */
	abstract later(): Promise<void>;

	/** The other source of the signing key, besides the secret. */
	abstract tokenEpoch(): string;

	/**
	 * Signs a token like that of a sign-in, without the cost of hashing, or that of a renewal if `signedInAt` is earlier.
	 * Both times are in seconds since 1970.
	 */
	sign(
		sub: string,
		version: number,
		issuedAt = Math.floor(this.now().getTime() / 1000),
		signedInAt = issuedAt,
	): string {
		this.#key ??= createHmac('sha256', jwtSecret).update(this.tokenEpoch()).digest();
		const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url');
		const claims = { version, iss: 'access', aud: 'access', sub, iat: issuedAt, exp: issuedAt + 7200, signedInAt };
		const content = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
		return `${content}.${createHmac('sha256', this.#key).update(content).digest('base64url')}`;
	}

	/** A token of an employee, like that of a sign-in now. */
	tokenOf(id: number): string {
		const [row] = this.rows('select token_version from employees where id = ?', id);
		return this.sign(`EMPLOYEE:${id}`, row?.token_version ?? 0);
	}

	/** Hashes the administrator's password at the cost of other accounts. A new installation has a cheap hash. */
	async hashAdministratorAsOthers(): Promise<void> {
		const hash = await hashPassword(adminPassword, productionCost);
		this.alter((db) => db.run('update administrators set password_hash = ?', [hash]));
	}

	/** Sends a request with a token or a key. */
	as(token: string | undefined, method: string, path: string, body?: unknown): Promise<Answer> {
		return this.send(method, path, { token, body });
	}

	/** Sends a request as the super administrator. */
	asSuper(method: string, path: string, body?: unknown): Promise<Answer> {
		return this.as(this.superToken, method, path, body);
	}

	/** Reads as the super administrator, or with another token or key. @returns the answer's `data` */
	async read(path: string, token = this.superToken): Promise<Body> {
		return expectStatus(await this.as(token, 'GET', path), 200);
	}

	/** Signs in. @returns the answer */
	login(door: Door, username: string, password: string): Promise<Answer> {
		return this.send('POST', door, { body: { username, password } });
	}

	/** Signs an employee in on the employee side. @returns the answer */
	signIn(phone: string, password: string = initialPassword): Promise<Answer> {
		return this.login('/api/auth/employee/login', phone, password);
	}

	/** Changes the password of the token's own account. @returns the answer */
	changeOwnPassword(token: string | undefined, oldPassword: string, newPassword: string): Promise<Answer> {
		return this.as(token, 'PATCH', '/api/auth/me/password', { oldPassword, newPassword });
	}

	/** Changes the password of an employee. @returns the answer */
	changePassword(id: number, oldPassword: string, newPassword: string, token = this.superToken): Promise<Answer> {
		return this.as(token, 'PATCH', `/api/employees/${id}/password`, { oldPassword, newPassword });
	}

	/** Adds a store. @returns its `data` */
	async addStore(fields: Record<string, unknown> = {}): Promise<Body> {
		return expectStatus(await this.asSuper('POST', '/api/stores', { name: newName('门店'), ...fields }), 201);
	}

	/** Closes a store, after moving its people to another one. */
	closeStore(id: number, moveTo?: number, after: 'DISABLE' | 'DELETE' = 'DISABLE', token = this.superToken) {
		// biome-ignore lint/suspicious/noThenProperty: a field of the API, and its text is no function.
		return this.as(token, 'POST', `/api/stores/${id}/close`, { moveTo, then: after });
	}

	/** Adds an area. @returns its `data` */
	async addArea(name = newName('区域')): Promise<Body> {
		return expectStatus(await this.asSuper('POST', '/api/areas', { name }), 201);
	}

	/** Adds a custom role with exactly these codes, without their dependencies. @returns its `data` */
	async addRole(...permissions: PermissionCode[]): Promise<Body> {
		const code = newName('role_');
		const role = expectStatus(await this.asSuper('POST', '/api/roles', { code, name: code }), 201);
		if (permissions.length > 0) this.grantExactly([[role.id, permissions]]);
		return role;
	}

	/** Adds a permission point of the chain. @returns its `data` */
	async addPoint(code: PermissionCode, fields: Record<string, unknown> = {}): Promise<Body> {
		const body = { code, title: newName('权限'), ...fields };
		return expectStatus(await this.asSuper('POST', '/api/permissions/points', body), 201);
	}

	customRoles(): number[] {
		return this.rows('select id from roles where is_system = 0 and deleted_at is null').map(({ id }) => id);
	}

	/** Deletes roles, after removing them from their holders: there can be 1,000 at once. */
	async removeRoles(ids: readonly number[]): Promise<void> {
		const query = 'select employee_id as id from employee_roles where role_id = ? and unbound_at is null';
		for (const role of ids) {
			for (const { id } of this.rows(query, role))
				expectStatus(await this.asSuper('PATCH', `/api/employees/${id}`, { roleIds: [] }), 200);
			expectStatus(await this.asSuper('DELETE', `/api/roles/${role}`), 204);
		}
	}

	/** Grants codes to roles directly: the API would add the codes they depend on. */
	grantExactly(grants: readonly (readonly [roleId: number, permissions: readonly PermissionCode[]])[]): void {
		const at = this.now().toISOString();
		this.alter((database) => {
			const columns = 'role_id, permission, granted_at';
			const insert = database.prepare(`insert into role_permissions (${columns}) values (?, ?, ?)`);
			for (const [roleId, permissions] of grants) {
				for (const permission of permissions) insert.run(roleId, permission, at);
			}
		});
	}

	/** Inserts rows of a table directly, with the columns of the first one. */
	insert(table: string, rows: readonly Record<string, SQLQueryBindings>[]): void {
		const columns = Object.keys(rows[0] ?? {});
		this.alter((database) => {
			const marks = columns.map(() => '?').join();
			const statement = database.prepare(`insert into ${table} (${columns.join()}) values (${marks})`);
			for (const row of rows) statement.run(...columns.map((column) => row[column] ?? null));
		});
	}

	/** Adds an employee. @returns its `data` */
	async addEmployee(
		storeId: number,
		roleIds: readonly number[] = [],
		fields: Record<string, unknown> = {},
	): Promise<Body> {
		const body = { storeId, name: newName('员工'), phone: newPhone(), roleIds, ...fields };
		return expectStatus(await this.asSuper('POST', '/api/employees', body), 201);
	}

	/** Adds many employees directly, which takes the API long. Nobody knows their passwords. @returns their ids */
	insertEmployees(store_id: number, count: number, fields: Record<string, SQLQueryBindings> = {}): number[] {
		const [{ last }] = this.rows('select coalesce(max(id), 0) as last from employees') as [Body];
		const at = this.now().toISOString();
		const made = { store_id, password_hash: '', password_is_initial: 1, created_at: at, updated_at: at };
		const rowOf = (_: unknown, index: number) => {
			return { ...made, name: `员工${index}`, phone: newPhone(), status: 'ACTIVE', ...fields };
		};
		this.insert('employees', Array.from({ length: count }, rowOf));
		return this.rows('select id from employees where id > ? order by id', last).map(({ id }) => id);
	}

	/** Undoes a change of many employees. @returns the answer */
	undo(groupId: number, token = this.superToken, query = ''): Promise<Answer> {
		return this.as(token, 'POST', `/api/employees/changes/${groupId}/undo${query}`);
	}

	/** Gives an employee a one-time password. @returns the password */
	async giveOneTimePassword(id: number): Promise<string> {
		return expectStatus(await this.asSuper('POST', `/api/employees/${id}/one-time-password`), 200).password;
	}

	/** Grants an employee these stores and areas, permanently, and no others. */
	async giveReach(id: number, { stores = [], areas = [] }: { stores?: number[]; areas?: number[] }): Promise<void> {
		const reach = { stores: stores.map((storeId) => ({ storeId })), areas: areas.map((areaId) => ({ areaId })) };
		expectStatus(await this.asSuper('PUT', `/api/employees/${id}/reach`, reach), 200);
	}

	/** Turns the second factor of an account on. @returns its key and its recovery codes */
	async turnOnSecondFactor(
		token: string,
		password = initialPassword,
	): Promise<{ secret: string; recoveryCodes: string[] }> {
		const path = '/api/auth/me/second-factor';
		const { secret } = expectStatus(await this.as(token, 'POST', path, { password }), 200);
		const body = { code: totp(secret, this.now()) };
		const { recoveryCodes } = expectStatus(await this.as(token, 'PUT', path, body), 200);
		return { secret, recoveryCodes };
	}

	/** Adds an employee with exactly these codes, signed in. */
	async addPerson(storeId: number, ...permissions: PermissionCode[]): Promise<Person> {
		const role = await this.addRole(...permissions);
		const { id, phone } = await this.addEmployee(storeId, [role.id]);
		return { id, phone, storeId, token: this.tokenOf(id) };
	}

	/** Adds a program with exactly these codes, without their dependencies, and its key. A given store confines it. */
	addProgram(
		permissions: readonly PermissionCode[],
		storeId: number | null = null,
		withId?: number,
	): { id: number; key: string } {
		const key = `access_${randomBytes(32).toString('base64url')}`;
		const at = this.now().toISOString();
		const times = { created_at: at, updated_at: at };
		const key_hash = createHash('sha256').update(key).digest('base64url');
		const fields = { permissions: JSON.stringify(permissions), store_id: storeId };
		const row = { ...(withId !== undefined && { id: withId }), name: newName('程序'), ...fields };
		this.insert('programs', [{ ...row, ends_on: '2999-12-31', key_hash, ...times }]);
		const [{ id }] = this.rows('select id from programs where key_hash = ?', key_hash) as [Body];
		return { id, key };
	}

	/** Live rows that refer to a deleted one; there must never be any. */
	brokenRows(): Body[] {
		return broken.flatMap((query) => this.rows(query));
	}
}

const broken = [
	'select * from employees e join stores s on s.id = e.store_id where e.deleted_at is null and s.deleted_at is not null',
	'select * from stores s join areas a on a.id = s.area_id where s.deleted_at is null and a.deleted_at is not null',
	'select * from employee_roles l join roles r on r.id = l.role_id where l.unbound_at is null and r.deleted_at is not null',
	'select * from employee_roles l join employees e on e.id = l.employee_id where l.unbound_at is null and e.deleted_at is not null',
	'select * from role_permissions p join roles r on r.id = p.role_id where p.deleted_at is null and r.deleted_at is not null',
	"select * from employees where deleted_at is not null and status <> 'INACTIVE'",
	`select * from employee_reach r join employees e on e.id = employee_id left join stores s on s.id = r.store_id
		left join areas a on a.id = r.area_id where taken_at is null
		and (e.deleted_at is not null or s.deleted_at is not null or a.deleted_at is not null or e.store_id = s.id)`,
	'pragma foreign_key_check',
];

/** Returns the `data` of an answer with this status. @throws Error when it has another. */
export function expectStatus({ status, body, text }: Answer, wanted: number): Body {
	if (status !== wanted) throw new Error(`expected ${wanted}, got ${status}: ${text}`);
	return body?.data;
}
