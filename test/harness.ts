/** The application as the tests meet it: through HTTP, on a real database in memory, with cheap hashing and a clock to move. */
import { expect } from 'bun:test';
import { type App, createApp } from '../src/app.ts';
import { seedAdministrator } from '../src/auth/administrator.ts';
import { createPasswords, type HashCost } from '../src/auth/password.ts';
import { createRefusedSignIns } from '../src/auth/refused-sign-ins.ts';
import { createThrottle, type Throttle } from '../src/auth/throttle.ts';
import { type Db, openDatabase } from '../src/database/open.ts';
import { operator } from '../src/history/record.ts';
import { createLog } from '../src/log.ts';
import { builtInRoles, seedRoles } from '../src/roles/built-in.ts';
import { createTokens } from '../src/session/tokens.ts';
import type { PermissionCode } from '../src/vocabulary/permissions.ts';
import { Contract, fetchDocument } from './contract.ts';

export const adminUsername = 'admin';
export const adminPassword = 'admin-password-for-tests';
export const initialPassword = 'initial-password-for-tests';
export const jwtSecret = 'a-secret-of-the-tests-that-is-long-enough';
const cheap: HashCost = { memoryCost: 8, timeCost: 2 };

// biome-ignore lint/suspicious/noExplicitAny: the tests look into answers of every shape.
type Body = any;

/** An answer, checked against the published document. */
export interface Answer {
	status: number;
	body: Body;
	headers: Headers;
	text: string;
}

/** What a request carries. `body` is sent as JSON; `raw` as it stands, under `contentType`. */
export interface Sent {
	token?: string;
	body?: unknown;
	raw?: string | Uint8Array;
	contentType?: string;
	headers?: Record<string, string>;
}

/** An employee, with the token he would get from signing in. */
export interface Person {
	id: number;
	phone: string;
	storeId: number;
	token: string;
}

let phones = 0;

/** A phone that no employee has yet. */
export function newPhone(): string {
	phones += 1;
	return `139${String(phones).padStart(8, '0')}`;
}

let names = 0;

/** A name that nothing has yet. */
export function newName(prefix = '名称'): string {
	names += 1;
	return `${prefix}${names}`;
}

/** A fresh installation: built-in roles, the super administrator, nothing else. */
export class Service {
	/** The time of day; move it at will. */
	time = new Date();
	readonly db: Db = openDatabase(':memory:');
	readonly logged: string[] = [];
	readonly app: App;
	/** Where requests say they come from, in the header that stands for the connection. */
	static readonly peerHeader = 'x-peer';
	readonly passwords = createPasswords(cheap, initialPassword);
	readonly refusedSignIns = createRefusedSignIns(this.db, () => this.time.getTime());
	readonly tokens = createTokens(jwtSecret, 'epoch', () => this.time);
	/** A token of the super administrator. */
	superToken = '';
	contract: Contract | undefined;

	private constructor(throttle?: Throttle) {
		this.app = createApp({
			db: this.db,
			passwords: this.passwords,
			tokens: this.tokens,
			clock: () => this.time,
			log: createLog({ write: (line) => this.logged.push(line) }, 'debug'),
			addressOf: ({ headers }) => headers.get(Service.peerHeader) ?? '127.0.0.1',
			refusedSignIns: this.refusedSignIns,
			throttle: throttle ?? createThrottle(() => this.time.getTime()),
		});
	}

	/** With `throttle`, guarded by that one. */
	static async start({ throttle }: { throttle?: Throttle } = {}): Promise<Service> {
		const service = new Service(throttle);
		const at = service.time.toISOString();
		seedRoles(service.db, at);
		seedAdministrator(service.db, operator('tester'), adminUsername, await service.passwords.hash(adminPassword), at);
		service.contract = new Contract(await fetchDocument(service.app));
		service.superToken = await service.tokens.issue({ accountType: 'SUPER_ADMIN', accountId: 1, version: 1 });
		return service;
	}

	/** Sends a request and checks that the answer is one that the document announces. */
	async send(method: string, path: string, sent: Sent = {}): Promise<Answer> {
		const headers = new Headers(sent.headers);
		if (sent.token !== undefined) headers.set('authorization', `Bearer ${sent.token}`);
		const payload = sent.raw ?? (sent.body === undefined ? undefined : JSON.stringify(sent.body));
		if (payload !== undefined) headers.set('content-type', sent.contentType ?? 'application/json');
		const request = new Request(`http://localhost${path}`, { method, headers, body: payload ?? null });
		const response = await this.app.handle(request);
		const text = await response.text();
		const body = text === '' ? undefined : JSON.parse(text);
		if (body !== undefined) expect(response.headers.get('content-type')).toStartWith('application/json');
		this.contract?.expectAnnounced(method, path, response.status, body);
		return { status: response.status, body, headers: response.headers, text };
	}

	/** The same as the super administrator. */
	asSuper(method: string, path: string, body?: unknown): Promise<Answer> {
		return this.send(method, path, { token: this.superToken, body });
	}

	/** Signs in at a door and gives the whole answer. */
	login(
		door: '/api/auth/login' | '/api/auth/admin/login' | '/api/auth/employee/login',
		username: string,
		password: string,
	) {
		return this.send('POST', door, { body: { username, password } });
	}

	/** A new store; its answer's `data`. */
	async addStore(fields: Record<string, unknown> = {}): Promise<Body> {
		return expectStatus(await this.asSuper('POST', '/api/stores', { name: newName('门店'), ...fields }), 201);
	}

	/** A new custom role that holds exactly these codes, dependencies not added; its answer's `data`. */
	async addRole(...permissions: PermissionCode[]): Promise<Body> {
		const code = `role_${newName('').toLowerCase()}`;
		const role = expectStatus(await this.asSuper('POST', '/api/roles', { code, name: code }), 201);
		const insert = this.db.$client.prepare(
			'insert into role_permissions (role_id, permission, granted_at) values (?, ?, ?)',
		);
		for (const permission of permissions) insert.run(role.id, permission, this.time.toISOString());
		return role;
	}

	/** A new employee; its answer's `data`. */
	async addEmployee(storeId: number, roleIds: number[] = [], fields: Record<string, unknown> = {}): Promise<Body> {
		const body = { storeId, name: newName('员工'), phone: newPhone(), roleIds, ...fields };
		return expectStatus(await this.asSuper('POST', '/api/employees', body), 201);
	}

	/** A new employee who holds exactly these codes, signed in. */
	async addPerson(storeId: number, ...permissions: PermissionCode[]): Promise<Person> {
		const role = await this.addRole(...permissions);
		const { id, phone } = await this.addEmployee(storeId, [role.id]);
		return { id, phone, storeId, token: await this.tokenOf(id) };
	}

	/** A token of an employee, as signing in now would give. */
	tokenOf(id: number): Promise<string> {
		const row = this.db.$client
			.query<{ token_version: number }, [number]>('select token_version from employees where id = ?')
			.get(id);
		return this.tokens.issue({ accountType: 'EMPLOYEE', accountId: id, version: row?.token_version ?? 0 });
	}

	/** The id of a built-in role. */
	builtIn(code: string): number {
		return builtInRoles.findIndex((role) => role.code === code) + 1;
	}

	/** Rows of the database, for what no answer shows. */
	rows(query: string, ...values: (string | number)[]): Body[] {
		return this.db.$client.query(query).all(...values);
	}
}

/** The `data` of an answer that must have this status. */
export function expectStatus(answer: Answer, status: number): Body {
	expect(answer.status, answer.text).toBe(status);
	return answer.body?.data;
}

/** An answer that must be this refusal. */
export function expectRefusal(answer: Answer, status: number, code: string, message?: string): void {
	expect(answer.body, answer.text).toMatchObject({ success: false, error: { code } });
	expect(answer.status, answer.text).toBe(status);
	expect(Array.isArray(answer.body.error.details)).toBe(true);
	if (message !== undefined) expect(answer.body.error.message).toBe(message);
}

/** An answer that must be 400 VALIDATION_ERROR, with a detail for exactly these paths. */
export function expectInvalid(answer: Answer, ...paths: string[]): void {
	expectRefusal(answer, 400, 'VALIDATION_ERROR', '请求参数无效');
	const found = answer.body.error.details.map((detail: { path: string }) => detail.path);
	if (paths.length > 0) expect(found.toSorted()).toEqual(paths.toSorted());
}
