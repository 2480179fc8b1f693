/**
 * Who may do what, as data and pure functions: the permission matrix, and which employees an actor reaches. Written from
 * the contract alone, like the oracle.
 */
import type { PermissionCode } from '../src/vocabulary/permissions.ts';
import { codes, type Endpoint, endpoints, fill, nameOf } from './oracle.ts';

/** An id that nothing has. */
export const missing = 999_999;

/** Every set of the nine codes. */
export const subsets = Array.from({ length: 2 ** codes.length }, (_, bits) =>
	codes.filter((_, index) => (bits & (1 << index)) !== 0),
);

/** The codes that an actor holds, or `*`. */
export type Held = ReadonlySet<string>;

/** A request of the permission matrix, and what it comes to for those who may. */
export interface Case {
	endpoint: string;
	path: string;
	body?: unknown;
	allowed: number;
	/** Whether it is out of reach for some of those who hold a code of the route. */
	outOfReach?: (held: Held) => boolean;
}

/** Any one of the endpoint's codes admits the caller; `*` stands for every code. */
function permits(endpoint: Endpoint, held: Held): boolean {
	const hasOneOf = (codes: readonly string[]) => codes.some((code) => held.has(code));
	if (endpoint.codes.length === 0 || held.has('*')) return true;
	return hasOneOf(endpoint.codes) && (endpoint.alsoOneOf === undefined || hasOneOf(endpoint.alsoOneOf));
}

/** `employee:view:store` without `employee:view:all` reaches the own store only. */
export function isConfined(held: Held): boolean {
	return held.has('employee:view:store') && !held.has('employee:view:all');
}

/** Whether a holder lacks a code: then people who hold it are out of reach. */
function lacks(code: string) {
	return (held: Held) =>
		!(held.has('*') || held.has(code) || (code === 'employee:view:store' && held.has('employee:view:all')));
}

/**
 * Whether a holder has every code that another has: nobody acts upward. `employee:view:all` includes
 * `employee:view:store`.
 */
export function covers(holder: Held, other: Held): boolean {
	return [...other].every((code) => !lacks(code)(holder));
}

/** What a set of codes becomes when it is saved: codes bring those they depend on. */
export function withDependencies(submitted: readonly PermissionCode[]): PermissionCode[] {
	const given = new Set<string>(submitted);
	const brought = new Set<string>(submitted);
	for (const area of ['store', 'role', 'permission']) if (given.has(`${area}:manage`)) brought.add(`${area}:view`);
	if (given.has('employee:manage') && !given.has('employee:view:store')) brought.add('employee:view:all');
	return codes.filter((code) => brought.has(code));
}

/** The status that an actor must get. */
export function expectedStatus(each: Case, held: Held): number {
	const row = byName.get(each.endpoint);
	if (!row) throw new Error(`${each.endpoint} is not in the table`);
	return permits(row, held) && !each.outOfReach?.(held) ? each.allowed : 403;
}

const byName = new Map(endpoints.map((endpoint) => [nameOf(endpoint), endpoint]));

/** A case of an endpoint whose path gets these ids and this query. */
function caseOf(
	endpoint: string,
	ids: readonly number[],
	allowed: number,
	{ query = '', ...more }: Particulars = {},
): Case {
	return { endpoint, path: fill(endpoint.split(' ')[1] ?? '', ...ids) + query, allowed, ...more };
}

type Particulars = Partial<Pick<Case, 'body' | 'outOfReach'>> & { query?: string };

/** What the requests of the matrix are about. The actors are employees of `home`. */
export interface Scene {
	home: { id: number };
	/** Another store. */
	quiet: { id: number; name: string };
	/** A custom role that nobody holds. */
	role: { id: number; code: string };
	adminRoleId: number;
	/** An employee of `home` without roles. */
	target: { id: number };
	/** An employee of `quiet` without roles. */
	other: { id: number; phone: string };
}

/** The requests of the matrix, for every protected route. */
export function casesOn({ home, quiet, role, adminRoleId, target, other }: Scene): Case[] {
	const takenName = { name: quiet.name };
	const takenPhone = { storeId: home.id, name: '某', phone: other.phone };
	const wrongPassword = { oldPassword: 'wrong-password', newPassword: 'new-password' };
	const remark = { body: { remark: '某' } };
	const elsewhere = { outOfReach: isConfined };
	return [
		caseOf('GET /api/auth/me', [], 200),
		caseOf('GET /api/auth/me/password', [], 200),
		caseOf('GET /api/auth/me/sign-ins', [], 200),
		caseOf('GET /api/auth/me/second-factor', [], 200),
		caseOf('POST /api/auth/me/second-factor', [], 400, { body: { password: 'wrong-password' } }),
		caseOf('PUT /api/auth/me/second-factor', [], 409, { body: { code: '000000' } }),
		caseOf('DELETE /api/auth/me/second-factor', [], 409, { body: { password: 'wrong-password', code: '000000' } }),
		caseOf('POST /api/auth/renew', [], 200),
		caseOf('PATCH /api/auth/me/password', [], 400, { body: wrongPassword }),
		caseOf('GET /api/permissions/me', [], 200),
		caseOf('GET /api/permissions/policies', [], 200),
		caseOf('GET /api/permissions/definitions', [], 200),
		caseOf('GET /api/permissions/roles/:roleId', [role.id], 200),
		caseOf('PUT /api/permissions/roles/:roleId', [role.id], 200, { body: { permissions: [] } }),
		caseOf('GET /api/stores', [], 200),
		caseOf('GET /api/stores/:id', [quiet.id], 200),
		caseOf('GET /api/stores/:id/employees', [quiet.id], 200),
		caseOf('POST /api/stores', [], 409, { body: takenName }),
		caseOf('PATCH /api/stores/:id', [quiet.id], 200, { body: { phone: '1' } }),
		caseOf('DELETE /api/stores/:storeId/employees/:employeeId', [home.id, missing], 404),
		caseOf('DELETE /api/stores/:storeId/employees/:employeeId', [quiet.id, missing], 404, elsewhere),
		caseOf('DELETE /api/stores/:id', [home.id], 409),
		// biome-ignore lint/suspicious/noThenProperty: a field of the API, and its text is no function.
		caseOf('POST /api/stores/:id/close', [missing], 404, { body: { then: 'DELETE' } }),
		caseOf('GET /api/roles', [], 200, { query: '?pageSize=1' }),
		caseOf('GET /api/roles/:id', [role.id], 200),
		caseOf('GET /api/roles/:id/employees', [adminRoleId], 200, { query: '?pageSize=1' }),
		caseOf('GET /api/roles/:id/employees', [missing], 404),
		caseOf('GET /api/roles/code', [], 200, { query: '?name=x' }),
		caseOf('POST /api/roles', [], 409, { body: { code: role.code, name: '某' } }),
		caseOf('PATCH /api/roles/:id', [role.id], 200, { body: { name: '某' } }),
		caseOf('DELETE /api/roles/:id', [adminRoleId], 409),
		caseOf('GET /api/employees', [], 200, { query: '?pageSize=1' }),
		caseOf('GET /api/employees/options', [], 200),
		caseOf('GET /api/employees/export', [], 200, { query: `?format=csv&storeId=${quiet.id}` }),
		caseOf('GET /api/employees/import/template', [], 200),
		// JSON is no spreadsheet.
		caseOf('POST /api/employees/import', [], 400, { body: {} }),
		caseOf('POST /api/employees/import/problems', [], 400, { body: {} }),
		caseOf('POST /api/stores/import', [], 400, { body: {} }),
		caseOf('POST /api/stores/import/problems', [], 400, { body: {} }),
		caseOf('GET /api/stores/export', [], 200, { query: '?format=csv&status=INACTIVE' }),
		caseOf('GET /api/employees/:id', [target.id], 200),
		caseOf('GET /api/employees/:id', [other.id], 200, elsewhere),
		caseOf('GET /api/employees/:id/access', [target.id], 200),
		caseOf('GET /api/employees/:id/access', [other.id], 200, elsewhere),
		caseOf('POST /api/employees', [], 409, { body: takenPhone }),
		caseOf('POST /api/employees', [], 409, { body: { ...takenPhone, storeId: quiet.id }, ...elsewhere }),
		caseOf('PATCH /api/employees/:id', [target.id], 200, remark),
		caseOf('PATCH /api/employees/:id', [other.id], 200, { ...remark, ...elsewhere }),
		caseOf('PATCH /api/employees/:id/status', [target.id], 200, { body: { status: 'ACTIVE' } }),
		...[target, other].map(({ id }) => {
			const body = { ids: [id], change: { status: 'ACTIVE' } };
			return caseOf('POST /api/employees/changes', [], 200, { body, ...(id === other.id && elsewhere) });
		}),
		caseOf('POST /api/employees/changes/:groupId/undo', [missing], 404),
		caseOf('PATCH /api/employees/:id/password', [missing], 404, { body: wrongPassword }),
		caseOf('PATCH /api/employees/:id/password/reset', [target.id], 200),
		caseOf('POST /api/employees/:id/one-time-password', [target.id], 200),
		caseOf('POST /api/employees/:id/one-time-password', [other.id], 200, elsewhere),
		caseOf('POST /api/employees/one-time-passwords', [], 200, { body: { ids: [target.id] } }),
		caseOf('POST /api/employees/one-time-passwords', [], 200, { body: { ids: [target.id, other.id] }, ...elsewhere }),
		caseOf('DELETE /api/employees/:id/second-factor', [target.id], 404),
		caseOf('DELETE /api/employees/:id/second-factor', [other.id], 404, elsewhere),
		caseOf('POST /api/employees/:id/roles', [target.id], 400, { body: { roleId: missing } }),
		caseOf('POST /api/employees/:id/roles', [other.id], 400, { body: { roleId: missing }, ...elsewhere }),
		caseOf('POST /api/employees/:id/restore', [target.id], 409),
		caseOf('POST /api/employees/:id/restore', [other.id], 409, elsewhere),
		caseOf('DELETE /api/employees/:id', [missing], 404),
		caseOf('GET /api/overview', [], 200),
		caseOf('GET /api/history', [], 200, { query: '?pageSize=1' }),
		caseOf('GET /api/history/export', [], 200, { query: '?format=csv&targetId=1' }),
		caseOf('GET /api/history/:id', [1], 200),
	];
}
