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
	/** What is out of reach for some of those who hold a code of the route. */
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

/** `POST /api/x/:id` with the values of `/5?y=1`. */
function located(endpoint: string, values: string): string {
	const [ids = '', query] = values.split('?');
	const path = fill(endpoint.split(' ')[1] ?? '', ...ids.split('/').filter(Boolean));
	return query === undefined ? path : `${path}?${query}`;
}

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
	/** For each code a role that holds it alone, and an employee of `home` with that role. */
	holders: readonly { code: PermissionCode; roleId: number; employeeId: number }[];
}

/** The requests of the matrix: for every protected route, and for acting and binding upward. */
export function casesOn(scene: Scene): Case[] {
	const plain = plainCases(scene).map((each) => ({ ...each, path: located(each.endpoint, each.path) }));
	return [...plain, ...scene.holders.flatMap((holder) => upwardCases(scene, holder))];
}

/** Their paths are what stands for the parameters of the endpoint. */
function plainCases({ home, quiet, role, adminRoleId, target, other }: Scene): Case[] {
	const takenName = { name: quiet.name };
	const takenPhone = { storeId: home.id, name: '某', phone: other.phone };
	const wrongPassword = { oldPassword: 'wrong-password', newPassword: 'new-password' };
	return [
		{ endpoint: 'GET /api/auth/me', path: '', allowed: 200 },
		{ endpoint: 'GET /api/auth/me/password', path: '', allowed: 200 },
		{ endpoint: 'POST /api/auth/renew', path: '', allowed: 200 },
		{ endpoint: 'GET /api/permissions/me', path: '', allowed: 200 },
		{ endpoint: 'GET /api/permissions/policies', path: '', allowed: 200 },
		{ endpoint: 'GET /api/permissions/definitions', path: '', allowed: 200 },
		{
			endpoint: 'PUT /api/permissions/roles/:roleId',
			path: `/${role.id}`,
			body: { permissions: [] },
			allowed: 200,
		},
		{ endpoint: 'GET /api/stores', path: '', allowed: 200 },
		{ endpoint: 'GET /api/stores/:id', path: `/${quiet.id}`, allowed: 200 },
		{ endpoint: 'GET /api/stores/:id/employees', path: `/${quiet.id}`, allowed: 200 },
		{ endpoint: 'POST /api/stores', path: '', body: takenName, allowed: 409 },
		{ endpoint: 'PATCH /api/stores/:id', path: `/${quiet.id}`, body: { phone: '1' }, allowed: 200 },
		{ endpoint: 'DELETE /api/stores/:storeId/employees/:employeeId', path: `/${home.id}/${missing}`, allowed: 404 },
		{
			endpoint: 'DELETE /api/stores/:storeId/employees/:employeeId',
			path: `/${quiet.id}/${missing}`,
			allowed: 404,
			outOfReach: isConfined,
		},
		{ endpoint: 'DELETE /api/stores/:id', path: `/${home.id}`, allowed: 409 },
		{ endpoint: 'GET /api/roles', path: '?pageSize=1', allowed: 200 },
		{ endpoint: 'GET /api/roles/:id', path: `/${role.id}`, allowed: 200 },
		{ endpoint: 'POST /api/roles', path: '', body: { code: role.code, name: '某' }, allowed: 409 },
		{ endpoint: 'PATCH /api/roles/:id', path: `/${role.id}`, body: { name: '某' }, allowed: 200 },
		{ endpoint: 'DELETE /api/roles/:id', path: `/${adminRoleId}`, allowed: 409 },
		{ endpoint: 'GET /api/employees', path: '?pageSize=1', allowed: 200 },
		{ endpoint: 'GET /api/employees/:id', path: `/${target.id}`, allowed: 200 },
		{ endpoint: 'GET /api/employees/:id', path: `/${other.id}`, allowed: 200, outOfReach: isConfined },
		{ endpoint: 'POST /api/employees', path: '', body: takenPhone, allowed: 409 },
		{
			endpoint: 'POST /api/employees',
			path: '',
			body: { ...takenPhone, storeId: quiet.id },
			allowed: 409,
			outOfReach: isConfined,
		},
		{ endpoint: 'PATCH /api/employees/:id', path: `/${target.id}`, body: { remark: '某' }, allowed: 200 },
		{
			endpoint: 'PATCH /api/employees/:id',
			path: `/${other.id}`,
			body: { remark: '某' },
			allowed: 200,
			outOfReach: isConfined,
		},
		{ endpoint: 'PATCH /api/employees/:id/status', path: `/${target.id}`, body: { status: 'ACTIVE' }, allowed: 200 },
		{ endpoint: 'PATCH /api/employees/:id/password', path: `/${missing}`, body: wrongPassword, allowed: 404 },
		{ endpoint: 'PATCH /api/employees/:id/password/reset', path: `/${target.id}`, allowed: 200 },
		{ endpoint: 'DELETE /api/employees/:id', path: `/${missing}`, allowed: 404 },
		{ endpoint: 'PATCH /api/auth/me/password', path: '', body: wrongPassword, allowed: 400 },
		{ endpoint: 'GET /api/employees/options', path: '', allowed: 200 },
		{ endpoint: 'GET /api/overview', path: '', allowed: 200 },
		{ endpoint: 'GET /api/employees/export', path: `?format=csv&storeId=${quiet.id}`, allowed: 200 },
		{ endpoint: 'GET /api/employees/import/template', path: '', allowed: 200 },
		// JSON is no spreadsheet.
		{ endpoint: 'POST /api/employees/import', path: '', body: {}, allowed: 400 },
		{ endpoint: 'GET /api/employees/:id/access', path: `/${target.id}`, allowed: 200 },
		{ endpoint: 'GET /api/employees/:id/access', path: `/${other.id}`, allowed: 200, outOfReach: isConfined },
		// biome-ignore lint/suspicious/noThenProperty: a field of the API, and its text is no function.
		{ endpoint: 'POST /api/stores/:id/close', path: `/${missing}`, body: { then: 'DELETE' }, allowed: 404 },
		{ endpoint: 'GET /api/roles/:id/employees', path: `/${adminRoleId}?pageSize=1`, allowed: 200 },
		{ endpoint: 'GET /api/roles/:id/employees', path: `/${missing}`, allowed: 404 },
		{ endpoint: 'GET /api/history', path: '?pageSize=1', allowed: 200 },
		{ endpoint: 'GET /api/history/:id', path: '/1', allowed: 200 },
	];
}

function upwardCases({ home, target, other }: Scene, { code, roleId, employeeId }: Scene['holders'][number]): Case[] {
	const upward = { allowed: 409, outOfReach: lacks(code) };
	const takenPhone = { storeId: home.id, name: '某', phone: other.phone };
	return [
		{
			endpoint: 'PATCH /api/employees/:id',
			path: `/api/employees/${employeeId}`,
			body: { remark: '某' },
			...upward,
			allowed: 200,
		},
		{
			endpoint: 'PATCH /api/employees/:id',
			path: `/api/employees/${target.id}`,
			body: { phone: other.phone, roleIds: [roleId] },
			...upward,
		},
		{
			endpoint: 'POST /api/employees',
			path: '/api/employees',
			body: { ...takenPhone, roleIds: [roleId] },
			...upward,
		},
	];
}

/** What people of each sort hold. */
export const personas: Record<string, readonly PermissionCode[]> = {
	'super administrator': codes,
	'view:all': ['employee:view:all'],
	'view:store': ['employee:view:store'],
	'view:store and manage': ['employee:view:store', 'employee:manage'],
	'view:all and manage': ['employee:view:all', 'employee:manage'],
	'both views and manage': ['employee:view:all', 'employee:view:store', 'employee:manage'],
	'manage alone': ['employee:manage'],
	none: [],
};

/** Where an employee can be, seen from the actor. */
export const places = ['own store', 'other store', 'deleted', 'deleted in other store', 'missing'] as const;
export type Place = (typeof places)[number];

export const isForeign = (place: Place) => place.endsWith('other store');
export const isThere = (place: Place) => place === 'own store' || place === 'other store';

/** What one persona may do with employees, by the contract alone. */
export class Persona {
	readonly name: string;
	readonly views: boolean;
	readonly manages: boolean;
	readonly confined: boolean;
	token = '';

	constructor(name: string) {
		const held = new Set<string>(personas[name]);
		this.name = name;
		this.views = held.has('employee:view:all') || held.has('employee:view:store');
		this.manages = held.has('employee:manage');
		this.confined = isConfined(held);
	}

	/** The status of a request for an employee, `done` when nothing stands against it; with `throughStore`, its path names the store. */
	statusFor(place: Place, may: boolean, done: number, throughStore = false): number {
		if (!may || (throughStore && this.confined && isForeign(place))) return 403;
		if (!isThere(place)) return 404;
		return isForeign(place) && this.confined ? 403 : done;
	}

	/** The status of a request that puts an employee into a store. */
	statusInto(store: { isOwn: boolean; isReal: boolean }, done: number): number {
		if (!this.manages || (this.confined && !store.isOwn)) return 403;
		return store.isReal ? done : 400;
	}
}

/** A request for one employee. */
export interface Operation {
	name: string;
	path: (id: number, storeId: number) => string;
	body?: object;
}

/** Every way of reaching an employee by id. The old password is that of a new employee. */
export const operationsOn = (initialPassword: string): Operation[] => [
	{ name: 'GET', path: (id) => `/api/employees/${id}` },
	{ name: 'PATCH', path: (id) => `/api/employees/${id}`, body: { remark: '新注' } },
	{ name: 'PATCH status', path: (id) => `/api/employees/${id}/status`, body: { status: 'INACTIVE' } },
	{
		name: 'PATCH password',
		path: (id) => `/api/employees/${id}/password`,
		body: { oldPassword: initialPassword, newPassword: 'a-new-password' },
	},
	{ name: 'PATCH password/reset', path: (id) => `/api/employees/${id}/password/reset` },
	{ name: 'DELETE', path: (id) => `/api/employees/${id}` },
	{ name: 'DELETE from the store', path: (id, storeId) => `/api/stores/${storeId}/employees/${id}` },
];
