/**
 * The permission matrix, and the employees that an actor reaches, as data and pure functions. Like the oracle, it is
 * written from the contract alone.
 */
import type { PermissionCode } from '../src/platform/vocabulary/permissions.ts';
import {
	codes,
	type Endpoint,
	endpointNamed,
	fill,
	isForPeople,
	nameOf,
	ownCodes,
	protectedEndpoints,
} from './oracle.ts';

/** An unused id. */
export const missing = 999_999;

/** Every set of the nine codes. */
export const subsets = Array.from({ length: 2 ** codes.length }, (_, bits) =>
	codes.filter((_, index) => (bits & (1 << index)) !== 0),
);

/** The codes that an actor holds, or `*`. */
export type Held = ReadonlySet<string>;

/** A request of the permission matrix. */
export interface Case {
	endpoint: Endpoint;
	path: string;
	body?: unknown;
	/**
	 * Whether the target is out of reach for some holders of a code of the route. `employee:view:store` alone reaches some
	 * stores.
	 */
	outOfReach?: (held: Held) => boolean;
	/** Whether the target is reached by a grant that only employees have. */
	isGiven?: boolean;
}

/** Any one of the endpoint's codes admits the caller; `*` stands for every code. */
function permits(endpoint: Endpoint, held: Held): boolean {
	const hasOneOf = (codes: readonly string[]) => codes.some((code) => held.has(code));
	if (endpoint.codes.length === 0 || held.has('*')) return true;
	return hasOneOf(endpoint.codes) && (endpoint.alsoOneOf === undefined || hasOneOf(endpoint.alsoOneOf));
}

/** `employee:view:store` without `employee:view:all` reaches only the actor's own store and the granted ones. */
export function isConfined(held: Held): boolean {
	return held.has('employee:view:store') && !held.has('employee:view:all');
}

/** The super administrator works in no store. */
const isSuper = (held: Held) => held.has('*');

/** Whether a holder lacks a code. Employees who have it are then out of reach. */
function lacks(code: string) {
	return (held: Held) =>
		!(held.has('*') || held.has(code) || (code === 'employee:view:store' && held.has('employee:view:all')));
}

/** Whether a holder has every code that another has. `employee:view:all` includes `employee:view:store`. */
export function covers(holder: Held, other: Held): boolean {
	return [...other].every((code) => !lacks(code)(holder));
}

/** Whether one end is later than another. Null means no end. */
export function outlasts(until: string | null, end: string | null): boolean {
	return end !== null && (until === null || until > end);
}

/** The saved form of a set of codes: each code adds the codes that it requires. */
export function withDependencies(submitted: readonly PermissionCode[]): PermissionCode[] {
	const given = new Set<string>(submitted);
	const brought = new Set<string>(submitted);
	for (const area of ['store', 'role', 'permission']) if (given.has(`${area}:manage`)) brought.add(`${area}:view`);
	if (given.has('employee:manage') && !given.has('employee:view:store')) brought.add('employee:view:all');
	return codes.filter((code) => brought.has(code));
}

/** A caller: a person or a program. A stranger has no token. */
export interface Actor {
	held: Held;
	token: string | undefined;
	isProgram?: true;
	/** Whether they must set a password of their own before anything else. */
	mustSetPassword?: true;
}

/** The status that must refuse an actor; undefined if admitted. */
export function refusalOf(each: Case, { held, token, isProgram, mustSetPassword }: Actor): 401 | 403 | undefined {
	if (token === undefined) return 401;
	if (mustSetPassword && !each.endpoint.despite?.includes('OWN_PASSWORD')) return 403;
	return (isProgram ? isForbiddenToProgram(each, held) : isForbidden(each, held)) ? 403 : undefined;
}

function isForbidden({ endpoint, outOfReach }: Case, held: Held): boolean {
	return !permits(endpoint, held) || outOfReach?.(held) === true;
}

/** A program never has role:manage or permission:manage, whatever its row says. It has one store. */
function isForbiddenToProgram(each: Case, held: Held): boolean {
	const left = new Set([...held].filter((code) => code !== 'role:manage' && code !== 'permission:manage'));
	const isElsewhere = each.isGiven === true && isConfined(left);
	return isForPeople(each.endpoint) || isElsewhere || isForbidden(each, left);
}

const seesAll = (held: Held) => held.has('*') || held.has('employee:view:all');
/** No role has employee:manage without one of the two. A row changed by hand grants nothing. */
const seesNobody = (held: Held) => !seesAll(held) && !held.has('employee:view:store');

/** The targets of the matrix's requests. The actors are employees of `home`. */
export interface Scene {
	home: { id: number };
	/** Another store. */
	quiet: { id: number };
	/** An area granted to every actor. */
	area: { id: number };
	/** Employees without roles: in `home`, in `quiet`, and in a store and an area granted to every actor. */
	target: { id: number; storeId: number };
	other: { id: number; storeId: number; phone: string };
	given: { id: number; storeId: number };
	inArea: { id: number; storeId: number };
	/** The same, in a store and an area whose grant has ended. */
	ended: { id: number; storeId: number };
	endedInArea: { id: number; storeId: number };
}

/** Routes that require no code, and the rule that decides instead. */
const special: Readonly<Record<string, Pick<Case, 'body' | 'outOfReach'>>> = {
	'GET /api/auth/me/approval-code': { outOfReach: (held) => !ownCodes.some((code) => held.has(code)) },
	'GET /api/auth/me/approvals': { outOfReach: isSuper },
	'POST /api/programs': { body: { permissions: ['permission:manage'] } },
	'POST /api/approvals': { body: { permission: 'store:view' }, outOfReach: isSuper },
	'POST /api/employees': { outOfReach: seesNobody },
	'POST /api/employees/one-time-passwords': { outOfReach: seesNobody },
	'POST /api/employees/changes': { outOfReach: seesNobody },
};

/**
 * Requests to every protected route with ids that do not exist, and requests about employees and stores within and out of
 * reach.
 */
export function casesOn({ home, quiet, area, target, other, given, inArea, ended, endedInArea }: Scene): Case[] {
	const within = [target, given, inArea];
	const beyond = [other, ended, endedInArea];
	const [phone, name] = [other.phone, '某'];
	const caseOf = (endpoint: string, ids: readonly number[], more: Omit<Partial<Case>, 'endpoint'> = {}): Case => {
		const found = endpointNamed(endpoint);
		return { endpoint: found, path: fill(found.path, ...ids), ...more };
	};
	/** The same request for an employee of each store, by the id in the path or the store in the body. */
	const ofEach = (endpoint: string, bodyFor: (one: { id: number; storeId: number }) => unknown = () => undefined) =>
		[...within, ...beyond].map((one) =>
			caseOf(endpoint, [one.id], {
				body: bodyFor(one),
				isGiven: one === given || one === inArea,
				outOfReach: beyond.includes(one) ? (held) => !seesAll(held) : seesNobody,
			}),
		);
	// Signing out ends the token of the request. A store that does not exist is out of reach.
	const apart = ['POST /api/auth/logout', 'DELETE /api/stores/:storeId/employees/:employeeId'];
	const general = protectedEndpoints.filter((endpoint) => !apart.includes(nameOf(endpoint)));
	const status = 'ACTIVE';
	return [
		...general.map((endpoint) => ({
			endpoint,
			path: fill(endpoint.path, missing, missing),
			body: endpoint.sample ?? (endpoint.takesFile && {}),
			...special[nameOf(endpoint)],
		})),
		caseOf('DELETE /api/stores/:storeId/employees/:employeeId', [home.id, missing], { outOfReach: seesNobody }),
		caseOf('DELETE /api/stores/:storeId/employees/:employeeId', [quiet.id, missing], {
			outOfReach: (held) => !seesAll(held),
		}),
		// The actors have this area. They may not add a store to it unless they reach the store permanently.
		caseOf('POST /api/stores/changes', [], {
			path: '/api/stores/changes?dryRun=true',
			body: { ids: [quiet.id, given.storeId], change: { areaId: area.id } },
			outOfReach: (held) => !seesAll(held),
		}),
		...ofEach('GET /api/employees/:id'),
		...ofEach('GET /api/employees/:id/access'),
		...ofEach('GET /api/employees/:id/reach'),
		...ofEach('PUT /api/employees/:id/reach', () => ({ stores: [], areas: [] })),
		...ofEach('POST /api/employees', ({ storeId }) => ({ name, phone, storeId })),
		...ofEach('POST /api/employees/changes', ({ storeId }) => ({ ids: [missing, target.id], change: { storeId } })),
		...ofEach('POST /api/employees/changes', ({ id }) => ({ ids: [id], change: { status } })),
		...ofEach('PATCH /api/employees/:id', () => ({ remark: '某' })),
		...ofEach('PATCH /api/employees/:id/status', () => ({ status })),
		...ofEach('POST /api/employees/:id/one-time-password'),
		...ofEach('POST /api/employees/one-time-passwords', ({ id }) => ({ ids: [id] })),
		...ofEach('DELETE /api/employees/:id/second-factor'),
		...ofEach('DELETE /api/employees/:id/sign-ins'),
		...ofEach('POST /api/employees/:id/roles', () => ({ roleId: missing })),
		...ofEach('POST /api/employees/:id/restore'),
	];
}
