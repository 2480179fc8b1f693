/**
 * Who may do what, as data and pure functions: the permission matrix, and which employees an actor reaches. Written from
 * the contract alone, like the oracle.
 */
import type { PermissionCode } from '../src/vocabulary/permissions.ts';
import { codes, type Endpoint, endpoints, fill, isForPeople, nameOf, ownCodes } from './oracle.ts';

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
	/** Whether it is out of reach for some of those who hold a code of the route: `employee:view:store` alone reaches some stores. */
	outOfReach?: (held: Held) => boolean;
	/** Whether it is about what only employees are given. */
	isGiven?: boolean;
}

/** Any one of the endpoint's codes admits the caller; `*` stands for every code. */
function permits(endpoint: Endpoint, held: Held): boolean {
	const hasOneOf = (codes: readonly string[]) => codes.some((code) => held.has(code));
	if (endpoint.codes.length === 0 || held.has('*')) return true;
	return hasOneOf(endpoint.codes) && (endpoint.alsoOneOf === undefined || hasOneOf(endpoint.alsoOneOf));
}

/** `employee:view:store` without `employee:view:all` reaches the own store and what was given. */
export function isConfined(held: Held): boolean {
	return held.has('employee:view:store') && !held.has('employee:view:all');
}

/** Who holds no point of the chain has no code. */
const holdsNoOwn = (held: Held) => !ownCodes.some((code) => held.has(code));

/** The super administrator works in no store. */
const isSuper = (held: Held) => held.has('*');

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

/** Whether what ends on a day, or never (null), goes on when another end has come. */
export function outlasts(until: string | null, end: string | null): boolean {
	return end !== null && (until === null || until > end);
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

/** The status that a program must get: it holds no role:manage and no permission:manage, whatever its row says, and has one store. */
export function expectedOfProgram(each: Case, held: Held): number {
	const row = byName.get(each.endpoint);
	const left = new Set([...held].filter((code) => code !== 'role:manage' && code !== 'permission:manage'));
	const isElsewhere = each.isGiven === true && isConfined(left);
	return row && (isForPeople(row) || isElsewhere) ? 403 : expectedStatus(each, left);
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

type Particulars = Partial<Pick<Case, 'body' | 'outOfReach' | 'isGiven'>> & { query?: string };

/** What the requests of the matrix are about. The actors are employees of `home`. */
export interface Scene {
	home: { id: number };
	/** Another store. */
	quiet: { id: number; name: string };
	area: { id: number; name: string };
	/** A custom role that nobody holds. */
	role: { id: number; code: string };
	adminRoleId: number;
	/** An employee of `home` without roles. */
	target: { id: number; storeId: number };
	/** An employee of `quiet` without roles. */
	other: { id: number; storeId: number; phone: string };
	/** Employees without roles of a store and of an area that every actor was given, and of a store and an area until a day that is over. */
	given: { id: number; storeId: number };
	inArea: { id: number; storeId: number };
	ended: { id: number; storeId: number };
	endedInArea: { id: number; storeId: number };
}

/** The requests of the matrix, for every protected route. */
export function casesOn(scene: Scene): Case[] {
	const { home, quiet, area, role, adminRoleId, target, other, given, inArea, ended, endedInArea } = scene;
	const takenName = { name: quiet.name };
	const takenPhone = { storeId: home.id, name: '某', phone: other.phone };
	const wrongPassword = { oldPassword: 'wrong-password', newPassword: 'new-password' };
	const elsewhere = { outOfReach: isConfined };
	const within = [target, given, inArea];
	const beyond = [other, ended, endedInArea];
	/** The same of an employee of each store. */
	const ofEach = (endpoint: string, allowed: number, more: Particulars = {}) => [
		...within.map((one) => caseOf(endpoint, [one.id], allowed, { ...more, isGiven: one !== target })),
		...beyond.map(({ id }) => caseOf(endpoint, [id], allowed, { ...more, ...elsewhere })),
	];
	/** The same of each store. */
	const inEach = (endpoint: string, allowed: number, bodyFor: (storeId: number) => object) => [
		...within.map((one) => caseOf(endpoint, [], allowed, { body: bodyFor(one.storeId), isGiven: one !== target })),
		...beyond.map((one) => caseOf(endpoint, [], allowed, { body: bodyFor(one.storeId), ...elsewhere })),
	];
	const change = { status: 'ACTIVE' };
	return [
		...[
			...[
				'GET /api/auth/me',
				'GET /api/auth/me/password',
				'GET /api/auth/me/sign-ins',
				'GET /api/auth/me/second-factor',
			],
			...['POST /api/auth/renew', 'GET /api/permissions/me', 'GET /api/permissions/policies', 'GET /api/overview'],
			...[
				'GET /api/permissions/me/definitions',
				'GET /api/permissions/definitions',
				'GET /api/stores',
				'GET /api/employees/options',
				'GET /api/areas',
				'GET /api/pinyin',
			],
			...['GET /api/employees/import/template', 'GET /api/stores/import/template'],
		].map((endpoint) => caseOf(endpoint, [], 200)),
		caseOf('POST /api/auth/me/second-factor', [], 400, { body: { password: 'wrong-password' } }),
		caseOf('PUT /api/auth/me/second-factor', [], 409, { body: { code: '000000' } }),
		caseOf('DELETE /api/auth/me/second-factor', [], 409, { body: { password: 'wrong-password', code: '000000' } }),
		caseOf('POST /api/auth/me/second-factor/recovery-codes', [], 409, {
			body: { password: 'wrong-password', code: '000000' },
		}),
		caseOf('PATCH /api/auth/me/password', [], 400, { body: wrongPassword }),
		caseOf('GET /api/permissions/roles/:roleId', [role.id], 200),
		caseOf('PUT /api/permissions/roles/:roleId', [role.id], 200, { body: { permissions: [] } }),
		caseOf('GET /api/auth/me/approval-code', [], 200, { outOfReach: holdsNoOwn }),
		caseOf('GET /api/auth/me/approvals', [], 200, { outOfReach: isSuper }),
		caseOf('POST /api/approvals', [], 400, { body: { permission: 'store:view' }, outOfReach: isSuper }),
		caseOf('GET /api/permissions/points', [], 200),
		caseOf('GET /api/permissions/points/:id', [missing], 404),
		caseOf('POST /api/permissions/points', [], 400, { body: { code: 'store:own', title: '某' } }),
		caseOf('PATCH /api/permissions/points/:id', [missing], 404, { body: { title: '某' } }),
		caseOf('DELETE /api/permissions/points/:id', [missing], 404),
		caseOf('GET /api/stores/activity', [], 200, { query: `?ids=${quiet.id}` }),
		caseOf('GET /api/changes', [], 200),
		caseOf('GET /api/programs', [], 200),
		caseOf('GET /api/programs/:id', [missing], 404),
		caseOf('POST /api/programs', [], 400, {
			body: { name: '某', permissions: ['permission:manage'], endsOn: '2999-12-31' },
		}),
		caseOf('PATCH /api/programs/:id', [missing], 404, { body: { name: '某' } }),
		caseOf('POST /api/programs/:id/key', [missing], 404),
		caseOf('DELETE /api/programs/:id', [missing], 404),
		caseOf('GET /api/stores/:id', [quiet.id], 200),
		caseOf('GET /api/stores/:id/employees', [quiet.id], 200),
		caseOf('POST /api/stores', [], 409, { body: takenName }),
		caseOf('PATCH /api/stores/:id', [quiet.id], 200, { body: { phone: '1' } }),
		caseOf('DELETE /api/stores/:storeId/employees/:employeeId', [home.id, missing], 404),
		caseOf('DELETE /api/stores/:storeId/employees/:employeeId', [quiet.id, missing], 404, elsewhere),
		caseOf('DELETE /api/stores/:id', [home.id], 409),
		caseOf('POST /api/stores/changes', [], 200, { body: { ids: [quiet.id], change: { areaId: null } } }),
		// Another area of a store can widen the reach of who has that area.
		caseOf('POST /api/stores/changes', [], 200, {
			...{ query: '?dryRun=true', body: { ids: [quiet.id, given.storeId], change: { areaId: area.id } }, ...elsewhere },
		}),
		caseOf('PATCH /api/stores/:id', [given.storeId], 200, { body: { areaId: null } }),
		caseOf('POST /api/areas', [], 409, { body: { name: area.name } }),
		caseOf('GET /api/areas/:id', [area.id], 200),
		caseOf('PATCH /api/areas/:id', [area.id], 200, { body: { name: area.name } }),
		caseOf('DELETE /api/areas/:id', [missing], 404),
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
		caseOf('GET /api/employees/export', [], 200, { query: `?format=csv&storeId=${quiet.id}` }),
		// JSON is no spreadsheet.
		...['employees/import', 'employees/import/problems', 'stores/import', 'stores/import/problems'].map((path) =>
			caseOf(`POST /api/${path}`, [], 400, { body: {} }),
		),
		caseOf('GET /api/stores/export', [], 200, { query: '?format=csv&status=INACTIVE' }),
		...ofEach('GET /api/employees/:id', 200),
		...ofEach('GET /api/employees/:id/access', 200),
		...ofEach('GET /api/employees/:id/reach', 200),
		...ofEach('PUT /api/employees/:id/reach', 200, { body: { stores: [], areas: [] } }),
		...inEach('POST /api/employees', 409, (storeId) => ({ ...takenPhone, storeId })),
		...inEach('POST /api/employees/changes', 404, (storeId) => ({ ids: [missing, target.id], change: { storeId } })),
		...ofEach('PATCH /api/employees/:id', 200, { body: { remark: '某' } }),
		caseOf('PATCH /api/employees/:id/status', [target.id], 200, { body: change }),
		caseOf('POST /api/employees/changes', [], 200, { body: { ids: [target.id], change } }),
		caseOf('POST /api/employees/changes', [], 200, { body: { ids: [other.id], change }, ...elsewhere }),
		caseOf('POST /api/employees/changes/:groupId/undo', [missing], 404),
		caseOf('PATCH /api/employees/:id/password', [missing], 404, { body: wrongPassword }),
		caseOf('PATCH /api/employees/:id/password/reset', [target.id], 200),
		...ofEach('POST /api/employees/:id/one-time-password', 200),
		caseOf('POST /api/employees/one-time-passwords', [], 200, { body: { ids: [target.id] } }),
		caseOf('POST /api/employees/one-time-passwords', [], 200, { body: { ids: [target.id, other.id] }, ...elsewhere }),
		...ofEach('DELETE /api/employees/:id/second-factor', 404),
		...ofEach('POST /api/employees/:id/roles', 400, { body: { roleId: missing } }),
		...ofEach('POST /api/employees/:id/restore', 409),
		caseOf('DELETE /api/employees/:id', [missing], 404),
		caseOf('GET /api/history', [], 200, { query: '?pageSize=1' }),
		caseOf('GET /api/history/export', [], 200, { query: '?format=csv&targetId=1' }),
		caseOf('GET /api/history/:id', [1], 200),
	];
}
