/** Rights: the rules as pure functions, every way to grant something, and the statements of a change. */
import { Database } from 'bun:sqlite';
import { afterAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
	combineMissing,
	type Grants,
	gained,
	isNothing,
	missingForGrants,
	missingFrom,
	missingPlaces,
	noGrants,
	permanent,
	type Rights,
	reaches,
	type Structure,
	toRights,
} from '../src/identity/rights/rules.ts';
import type { PermissionCode, ProgramCode } from '../src/platform/vocabulary/permissions.ts';
import {
	type Answer,
	expectRefusal,
	expectStatus,
	initialPassword,
	newName,
	newPhone,
	type Person,
	Service,
} from './harness.ts';
import type { Body } from './http.ts';
import { endpoints, nameOf, namesOf } from './oracle.ts';
import { inZone } from './zone.ts';

inZone('Asia/Shanghai');

const roles: Record<string, [id: number, ...held: ProgramCode[]]> = {
	cashier: [1],
	lead: [2, 'employee:view:store'],
	manager: [3, 'employee:view:store', 'employee:manage'],
	head: [4, 'employee:view:all', 'employee:manage'],
	clerk: [5, 'role:view', 'role:manage'],
};
const structure: Structure = {
	permissionsOf: (id) => new Set(Object.values(roles)[id - 1]?.slice(1) as ProgramCode[]),
	storesOf: (areaId) => new Set([areaId * 10 + 1, areaId * 10 + 2]),
};

/** Parses a line of grants: `store 1, lead, manager until 2030, near 2, area 5 until 2030`. */
function grants(line: string): Grants {
	const made = { ...noGrants, roles: new Map(), stores: new Map(), areas: new Map() };
	for (const part of line.split(', ').filter(Boolean)) {
		const [what = '', ...rest] = part.split(' ');
		const until = rest.includes('until') ? (rest.at(-1) ?? null) : null;
		const id = Number(rest[0]);
		if (what === 'store') made.storeId = id;
		else if (what === 'near') made.stores.set(id, until);
		else if (what === 'area') made.areas.set(id, until);
		else made.roles.set(roles[what]?.[0], until);
	}
	return made;
}

/** The grants that are left in a year. */
function lasting(held: Grants, year: string): Grants {
	const left = (days: Grants['stores']) => new Map([...days].filter(([, until]) => until === null || until >= year));
	return { ...held, roles: left(held.roles), stores: left(held.stores), areas: left(held.areas) };
}

const have = (line: string): Rights => toRights(grants(line), structure);
const administrator: Rights = { permissions: new Map([['*', null]]), stores: new Map(), areas: new Map() };

const shown = ({ permissions, stores }: { permissions: Iterable<string>; stores: Iterable<number> }) =>
	[...permissions, ...stores].join(' ');

describe('reach', () => {
	test.each([
		['store 1, lead', [1], [2]],
		['store 1, lead, near 2, area 5', [1, 2, 51, 52], [3, 5]],
		['store 1, cashier, near 2, area 5', [], [1, 2, 51]],
		['store 1, head', [1, 2, 99], []],
		['store 1', [], [1]],
		['lead, near 2', [2], [1]],
	])('%s: sees %p and not %p', (line, seen, unseen) => {
		expect(seen.filter((id) => !reaches(have(line), id))).toEqual([]);
		expect(unseen.filter((id) => reaches(have(line), id))).toEqual([]);
	});
});

describe('manage: you have all that they have', () => {
	test.each([
		['store 1, manager', 'store 1, cashier', ''],
		['store 1, manager', 'store 1, lead', ''],
		['store 1, manager', 'store 1, lead, near 2', '2'],
		['store 1, manager, near 2', 'store 1, lead, near 2', ''],
		['store 1, manager, area 5', 'store 51, lead, near 52', ''],
		['store 1, manager, near 51', 'store 1, lead, area 5', '52'],
		['store 1, manager, area 5', 'store 1, lead, near 2, area 5, area 6', '2 61 62'],
		['store 1, cashier, manager until 2030, area 5', 'store 1, lead, area 5', ''],
		['store 1, cashier, area 5', 'store 1, lead, area 5', 'employee:view:store 51 52 1'],
		// A store adds nothing for an account that sees nobody.
		['store 1, manager', 'store 1, cashier, near 2', ''],
		['store 1, manager', 'store 1, clerk', 'role:view role:manage'],
		['store 1, manager', 'store 1, head', 'employee:view:all'],
		['store 1, head', 'store 9, manager, near 2, area 5', ''],
		// A temporary right counts while it lasts.
		['store 1, manager, near 2 until 2030', 'store 2, lead', ''],
		['store 1, manager until 2030', 'store 1, manager', ''],
	])('%s / %s: lacks %p', (mine, theirs, lacks) => {
		expect(shown(missingFrom(have(mine), have(theirs)))).toBe(lacks);
		expect(shown(missingForGrants(have(mine), grants(theirs), structure))).toBe(lacks);
		expect(isNothing(missingFrom(administrator, have(theirs)))).toBe(true);
	});
});

describe('give: the gain of a person', () => {
	test.each([
		['', 'store 1, cashier', ''],
		['', 'store 1, lead', 'employee:view:store 1'],
		['', 'store 1, lead until 2030, near 2', 'employee:view:store 2 1'],
		['store 1, lead', 'store 1, lead', ''],
		['store 1, lead', 'store 1', ''],
		// A second role with permissions that they have permanently is no gain. A longer grant is.
		['store 1, lead', 'store 1, lead, manager', 'employee:manage'],
		['store 1, lead until 2030', 'store 1, lead', 'employee:view:store 1'],
		['store 1, lead until 2030', 'store 1, lead until 2031', 'employee:view:store 1'],
		['store 1, lead until 2030', 'store 1, lead until 2029', ''],
		[
			'store 1, lead until 2030',
			'store 1, lead until 2030, manager until 2031',
			'employee:view:store employee:manage 1',
		],
		// A right until a day is no gain until that day.
		['store 1, lead until 2030', 'store 1, manager until 2029', 'employee:manage'],
		['store 1, lead until 2030, near 2 until 2031', 'store 2, lead until 2030', ''],
		['store 1, lead, near 2 until 2030', 'store 2, lead until 2030', ''],
		['store 1, lead until 2031, near 2 until 2030', 'store 2, lead until 2031', '2'],
		['store 1, head until 2030, lead until 2030', 'store 2, head until 2030, lead until 2029', ''],
		// For longer, they see all stores that they have for longer.
		[
			'store 1, lead until 2029, near 2 until 2030',
			'store 1, lead until 2031, near 2 until 2030',
			'employee:view:store 2 1',
		],
		// Stores count only for those who see people.
		['store 1, cashier', 'store 2, cashier, near 3', ''],
		['store 1, lead', 'store 2, lead', '2'],
		['store 1, lead, near 2', 'store 2, lead', ''],
		['store 1, lead, near 2 until 2030', 'store 2, lead', '2'],
		['store 1, lead', 'store 1, lead, area 5 until 2030', '51 52'],
		['store 1, cashier, area 5', 'store 1, lead, area 5', 'employee:view:store 51 52 1'],
		['store 1, head', 'store 1, head, lead', ''],
		['store 1, head, lead', 'store 2, head, lead', ''],
		['store 1, head until 2030, lead', 'store 2, head until 2030, lead', '2'],
	])('%s → %s: %p', (before, after, gains) => {
		const { permissions, stores } = gained(have(before), have(after));
		expect(shown({ permissions: permissions.keys(), stores: stores.keys() })).toBe(gains);
	});

	test('it is what they have on any day and would not have without the change', () => {
		const year = fc.constantFrom(null, '2028', '2029', '2030', '2031');
		const lastDays = (...ids: number[]) =>
			fc.dictionary(fc.constantFrom(...ids.map(String)), year).map((ends) => {
				return new Map(Object.entries(ends).map(([id, end]) => [Number(id), end]));
			});
		const anyGrants: fc.Arbitrary<Grants> = fc.record({
			storeId: fc.constantFrom(1, 2),
			roles: lastDays(1, 2, 3, 4, 5),
			stores: lastDays(2, 3, 51),
			areas: lastDays(5, 6),
		});
		const rule = (before: Grants, after: Grants) => {
			const inYear = (year: string) =>
				missingFrom(toRights(lasting(before, year), structure), toRights(lasting(after, year), structure));
			const { permissions, stores } = gained(toRights(before, structure), toRights(after, structure));
			const gains = combineMissing(['2027', '2028', '2029', '2030', '2031', '2032'].map(inYear));
			expect([new Set(permissions.keys()), new Set(stores.keys())]).toEqual([
				new Set(gains.permissions),
				new Set(gains.stores),
			]);
		};
		fc.assert(fc.property(anyGrants, anyGrants, rule), { numRuns: 1000 });
	});

	test('reads an area once before and once after the change, however many last days there are', () => {
		const areas = new Map(Array.from({ length: 50 }, (_, index) => [index, `20${30 + index}`]));
		let asked = 0;
		const counting: Structure = {
			...structure,
			storesOf(id) {
				asked += 1;
				return structure.storesOf(id);
			},
		};
		const before = { ...grants('store 1, lead until 2030'), areas };
		const after = toRights({ ...before, roles: grants('lead').roles }, counting);
		expect(gained(toRights(before, counting), after).stores.size).toBeGreaterThan(50);
		expect(asked).toBeLessThanOrEqual(100);
	});

	test.each([
		['store 1, manager', 'near 1', ''],
		['store 1, manager', 'near 2', '2'],
		['store 1, manager, area 5', 'near 51, area 5', ''],
		['store 1, manager, near 51, near 52', 'area 5', 'area 5'],
		['store 1, head', 'near 2, area 5', ''],
		['store 1, cashier, area 5', 'area 5', 'area 5'],
		// Seeing people until a day, they have no place for good.
		['store 1, lead until 2030, near 2, area 5', 'near 1, near 2, area 5', '1 2 area 5'],
	])('%s gives %s: lacks %p', (mine, given, lacks) => {
		const { stores, areas } = missingPlaces(permanent(have(mine)), noGrants, grants(given));
		expect([...stores, ...areas.map((id) => `area ${id}`)].join(' ')).toBe(lacks);
	});
});

let statementsRun = 0;

const { prepare } = Database.prototype;
afterAll(() => {
	Database.prototype.prepare = prepare;
});

/** Counts the runs of every statement that is prepared from now on. Each statement has its own methods. */
function countStatements(): void {
	Database.prototype.prepare = function counted(this: Database, ...given: unknown[]) {
		const statement = Reflect.apply(prepare, this, given);
		for (const name of ['get', 'all', 'run', 'values'] as const) {
			const method = statement[name];
			statement[name] = (...values: unknown[]) => {
				statementsRun += 1;
				return Reflect.apply(method, statement, values);
			};
		}
		return statement;
	} as never;
}

countStatements();
const service = await Service.start();
const lastDay = '2026-03-20';
service.time = new Date('2026-03-10T02:00:00.000Z');
const [home, other] = [await service.addStore(), await service.addStore()];
const area = await service.addArea();
const everything: PermissionCode[] = [
	...(['employee:view:all', 'employee:manage', 'store:manage', 'store:view'] as const),
	...(['permission:manage', 'permission:view'] as const),
];
const head = await service.addPerson(home.id, ...everything);
const whole = service.customRoles().at(-1) ?? 0;
const lead = await service.addRole('employee:view:all', 'employee:manage');
const viewer = await service.addRole('employee:view:store');
/** An account with all permissions of the head until a day. */
const standIn = await service.addPerson(home.id);
expectStatus(await give(standIn.id, whole, lastDay), 200);
const areaManager = await service.addEmployee(home.id, [viewer.id]);
await service.giveReach(areaManager.id, { areas: [area.id] });
const program = { name: '人事', permissions: ['store:view'], endsOn: lastDay };
const { id: programId } = expectStatus(await service.asSuper('POST', '/api/programs', program), 201);
service.restoreBeforeEachTest();

function give(id: number, roleId: number, until: string | null) {
	return service.asSuper('POST', `/api/employees/${id}/roles`, { roleId, until });
}

type Send = (method: string, path: string, body?: unknown) => Promise<Answer>;
type Way = (send: Send, by: Person) => Promise<Answer>;

const colleague = (...roleIds: number[]) => service.addEmployee(home.id, roleIds);
/** A colleague whose last day is over. */
async function formerLead() {
	const person = await colleague(lead.id);
	service.alter((db) =>
		db.run("update employees set status = 'INACTIVE', leaves_on = '2026-03-01' where id = ?", [person.id]),
	);
	return person;
}
const onColleague =
	(method: string, path: string, body?: object): Way =>
	async (send) =>
		send(method, `/api/employees/${(await colleague(lead.id)).id}${path}`, body);
const csv =
	(path: string, linesOf: () => Promise<string[]>): Way =>
	async (_, { token }) =>
		service.importCsv(path, await linesOf(), token);

/** Every way to grant something to an employee, as a request. */
const ways: Record<string, Way> = {
	'POST /api/employees': (send) =>
		send('POST', '/api/employees', { storeId: home.id, name: '某', phone: newPhone(), roleIds: [lead.id] }),
	'PATCH /api/employees/:id': async (send) =>
		send('PATCH', `/api/employees/${(await colleague()).id}`, { roleIds: [lead.id] }),
	'PATCH /api/employees/:id/status': async (send) => {
		const { id } = await formerLead();
		return send('PATCH', `/api/employees/${id}/status`, { status: 'ACTIVE' });
	},
	'PATCH /api/employees/:id/password': onColleague('PATCH', '/password', {
		oldPassword: initialPassword,
		newPassword: 'another-password-1',
	}),
	'PATCH /api/employees/:id/password/reset': onColleague('PATCH', '/password/reset'),
	'DELETE /api/employees/:id/second-factor': onColleague('DELETE', '/second-factor'),
	'POST /api/employees/:id/one-time-password': onColleague('POST', '/one-time-password'),
	'POST /api/employees/one-time-passwords': async (send) =>
		send('POST', '/api/employees/one-time-passwords', { ids: [(await colleague(lead.id)).id] }),
	'POST /api/employees/:id/roles': async (send) =>
		send('POST', `/api/employees/${(await colleague()).id}/roles`, { roleId: lead.id, until: '2026-03-10' }),
	'POST /api/employees/:id/restore': async (send) => {
		const { id } = await colleague(lead.id);
		expectStatus(await service.asSuper('DELETE', `/api/employees/${id}`), 204);
		return send('POST', `/api/employees/${id}/restore`);
	},
	'POST /api/employees/changes': async (send) => {
		const { id } = await colleague();
		return send('POST', '/api/employees/changes', { ids: [id], change: { addRoleIds: [lead.id] } });
	},
	'POST /api/employees/changes/:groupId/undo': async (send) => {
		const { id } = await colleague(lead.id);
		const change = { ids: [id], change: { removeRoleIds: [lead.id] } };
		const { groupId } = expectStatus(await send('POST', '/api/employees/changes', change), 200);
		return send('POST', `/api/employees/changes/${groupId}/undo`);
	},
	'POST /api/stores/:id/close': async (send) => {
		const store = await service.addStore();
		await service.addEmployee(store.id, [viewer.id]);
		// biome-ignore lint/suspicious/noThenProperty: a field of the API, and its text is no function.
		return send('POST', `/api/stores/${store.id}/close`, { moveTo: other.id, then: 'DISABLE' });
	},
	'POST /api/employees/import': csv('employees/import', async () => [
		'姓名,手机号,门店,角色',
		`某,${newPhone()},${home.name},${lead.code}`,
	]),
	'POST /api/stores/import': csv('stores/import?mode=update', async () => ['店名,区域', `${other.name},${area.name}`]),
	'PUT /api/employees/:id/reach': async (send) =>
		send('PUT', `/api/employees/${(await colleague()).id}/reach`, { stores: [{ storeId: other.id }], areas: [] }),
	'PATCH /api/stores/:id': (send) => send('PATCH', `/api/stores/${other.id}`, { areaId: area.id }),
	'POST /api/stores/changes': (send) =>
		send('POST', '/api/stores/changes', { ids: [other.id], change: { areaId: area.id } }),
	'POST /api/programs': (send) =>
		send('POST', '/api/programs', { name: newName(), permissions: ['employee:view:all'], endsOn: '2026-03-10' }),
	'PATCH /api/programs/:id': (send) =>
		send('PATCH', `/api/programs/${programId}`, { permissions: ['store:view', 'employee:view:all'] }),
	'POST /api/programs/:id/key': (send) => send('POST', `/api/programs/${programId}/key`),
};

/** Routes that change something without granting anything, by the reason. */
const givingNothing: Record<string, Parameters<typeof namesOf>[0]> = {
	'permission:manage grants any code, also until a day: the exception': { PUT: '/api/permissions/roles/:roleId' },
	'people sign in with their own rights': { POST: '/api/programs/:id/secret' },
	'the name of the chain': { PUT: '/api/chain' },
	'their own': {
		POST: `
			/api/auth/login /api/auth/admin/login /api/auth/employee/login /api/auth/logout /api/auth/renew
			/api/auth/me/second-factor /api/auth/me/second-factor/recovery-codes
		`,
		PUT: '/api/auth/me/second-factor',
		PATCH: '/api/auth/me/password',
		DELETE: '/api/auth/me/sign-ins/:id /api/auth/me/second-factor',
	},
	'a record of the history': { POST: '/api/approvals' },
	'a new store has no people': { POST: '/api/stores' },
	'takes away': {
		DELETE: `
			/api/stores/:id /api/stores/:storeId/employees/:employeeId /api/employees/:id /api/employees/:id/sign-ins
			/api/permissions/points/:id /api/areas/:id /api/programs/:id /api/administrators/:id
		`,
	},
	'a new role holds nothing': { POST: '/api/roles' },
	'names only': { PATCH: '/api/roles/:id /api/permissions/points/:id /api/areas/:id' },
	'nobody holds it': { DELETE: '/api/roles/:id' },
	'a new point is held by nobody': { POST: '/api/permissions/points' },
	'keeps nothing': { POST: '/api/stores/import/problems /api/employees/import/problems' },
	'a new area has no stores': { POST: '/api/areas' },
	'a super administrator has everything for good': { POST: '/api/administrators' },
};

describe('every way to give something', () => {
	test('is in the table: a new route that changes something gets a row in one of the two lists', () => {
		const changing = endpoints.filter(({ method }) => method !== 'GET').map(nameOf);
		const others = Object.values(givingNothing).flatMap((paths) => namesOf(paths));
		expect([...Object.keys(ways), ...others].toSorted()).toEqual(changing.toSorted());
	});

	const sendAs =
		({ token }: Person): Send =>
		(method, path, body) =>
			service.as(token, method, path, body);

	test('a refusal says that a right has an end, also if it is part of seeing everybody', async () => {
		const { id } = await colleague();
		const refused = await service.as(standIn.token, 'POST', `/api/employees/${id}/roles`, { roleId: viewer.id });
		expectRefusal(refused, 403);
		expect(refused.body.error.message).toContain('您的“查看本店员工”权限有到期日');
		expect(refused.body.error.message).not.toContain('您没有');
	});

	test.each(Object.entries(ways))('%s is refused, at its place, if the caller has it for a time', async (name, way) => {
		const { status, body } = await way(sendAs(standIn), standIn);
		expect(status).toBe(name.endsWith('/import') ? 400 : 403);
		expect(body.error.details.length).toBeGreaterThan(0);
		for (const { path, message } of body.error.details) {
			expect(path).toMatch(/^(body|params|query|account|lines)\b/);
			expect(message).toMatch(/有到期日|须长期负责/);
		}
	});

	test.each(Object.entries(ways))('%s is done by a caller who has it for good', async (_, way) => {
		const { status } = await way(sendAs(head), head);
		// Nobody has a second factor to remove.
		expect([200, 201, 404]).toContain(status);
	});

	test('an import that enables somebody after their last day gives, as a change of the person does', async () => {
		const { id, name, phone } = await formerLead();
		const lines = ['编号,姓名,手机号,状态', `${id},${name},${phone},启用`];
		const importAs = ({ token }: Person) => service.importCsv('employees/import?mode=update', lines, token);
		expect((await importAs(standIn)).body.error.details).toMatchObject([
			{ path: 'lines.2.status', reason: 'missing_rights', missing: ['employee:view:all', 'employee:manage'] },
		]);
		expect(await service.read(`/api/employees/${id}`)).toMatchObject({ status: 'INACTIVE' });
		expectStatus(await importAs(head), 201);
		expect(await service.read(`/api/employees/${id}`)).toMatchObject({ status: 'ACTIVE' });
	});

	test('but not what a stand-in does without giving: hiring cashiers, moving, disabling, resetting their passwords', async () => {
		const send = sendAs(standIn);
		const cashier = { storeId: home.id, name: '某', phone: newPhone(), roleIds: [3] };
		const { id } = expectStatus(await send('POST', '/api/employees', cashier), 201);
		expectStatus(await send('PATCH', `/api/employees/${id}`, { storeId: other.id }), 200);
		expectStatus(await send('PATCH', `/api/employees/${id}/password/reset`), 200);
		expectStatus(await send('PATCH', `/api/employees/${id}/status`, { status: 'INACTIVE' }), 200);
		const helper = await colleague();
		for (const role of [lead, viewer]) expectStatus(await give(helper.id, role.id, '2026-03-15'), 200);
		expectStatus(await send('PATCH', `/api/employees/${helper.id}`, { storeId: other.id }), 200);
		expectStatus(await send('POST', `/api/employees/${helper.id}/roles`, { roleId: whole, until: '2026-03-15' }), 403);
		const { id: leadId } = await colleague(lead.id);
		expectStatus(await send('PATCH', `/api/employees/${leadId}`, { status: 'INACTIVE', leavesOn: '2026-03-10' }), 200);
		expectStatus(await send('DELETE', `/api/employees/${leadId}`), 204);
	});
});

describe('yourself', () => {
	const send = (method: string, path: string, body: object) =>
		service.as(head.token, method, `/api/employees/${head.id}${path}`, body);
	test.each([
		['PATCH', '', { leavesOn: '2026-03-30' }, '不能更改自己的最后工作日'],
		['PUT', '/reach', { stores: [], areas: [] }, '不能更改自己负责的门店'],
	])('%s %s of one’s own account is refused', async (method, path, body, message) => {
		expectRefusal(await send(method, path, body), 403, message);
	});

	test('the caller shortens their own role, and gives it again only as far as they have it for good', async () => {
		const take = (until: string | null) => send('POST', '/roles', { roleId: whole, until });
		expectStatus(await take('2026-03-15'), 200);
		expectStatus(await take('2026-03-12'), 200);
		for (const until of ['2026-03-13', null]) expect((await take(until)).status).toBe(403);
	});
});

describe('the people who could do it', () => {
	test('are named with the missing rights: the roles that are enough, and people the reader sees', async () => {
		const manager = await service.addPerson(home.id, 'employee:view:all', 'employee:manage', 'permission:view');
		const clerk = await service.addEmployee(home.id, [(await service.addRole('role:manage', 'role:view')).id]);
		const enough = ['employee:view:all', 'employee:manage', 'role:manage', 'role:view'] as const;
		const closed = await service.addStore();
		await service.addPerson(closed.id, ...enough);
		expectStatus(await service.asSuper('PATCH', `/api/stores/${closed.id}`, { status: 'INACTIVE' }), 200);
		const able = await service.addPerson(home.id, ...enough);
		const { name } = (await service.read(`/api/employees/${able.id}`)) as Body;
		const path = `/api/employees/${clerk.id}/access`;
		const { manage } = await service.read(path, manager.token);
		expect(manage).toEqual({
			allowed: false,
			message: '不能操作该员工：您没有“查看角色”、“管理角色”权限',
			roles: [expect.objectContaining({ code: 'admin' }), expect.any(Object), expect.any(Object)],
			people: [{ id: able.id, name }],
		});
		// People are never named as their own managers, whatever they may do.
		const managing = ['employee:manage', 'employee:view:all', 'store:manage', 'store:view'] as const;
		const above = await service.addPerson(home.id, ...managing);
		const pathAbove = `/api/employees/${above.id}/access`;
		const refused = await service.read(pathAbove, manager.token);
		const asked = (refused.manage as Body).people as Body[];
		expect(asked.map(({ id }) => id)).not.toContain(above.id);
		const own = await service.read(path, able.token);
		expect(own.manage).toEqual({ allowed: true, message: null, roles: [], people: [] });
		const viewing = await service.addPerson(home.id, 'employee:view:all', 'permission:view');
		const seen = await service.read(path, viewing.token);
		expect(seen).not.toHaveProperty('manage');
	});
});

/** The number of statements that some work runs. */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
	const before = statementsRun;
	await work();
	return statementsRun - before;
}

describe('the statements of a change', () => {
	test('a hire and an edit with a move, by a manager of two stores', async () => {
		const { id, token } = await service.addPerson(home.id, 'employee:view:store', 'employee:manage');
		await service.giveReach(id, { stores: [other.id] });
		const person = await colleague();
		const hire = () => ({ storeId: home.id, name: '某', phone: newPhone(), roleIds: [viewer.id] });
		const hireOne = () => service.as(token, 'POST', '/api/employees', hire());
		const edit = { name: '新名', storeId: other.id, roleIds: [viewer.id] };
		const move = () => service.as(token, 'PATCH', `/api/employees/${person.id}`, edit);
		expectStatus(await hireOne(), 201);
		const hiring = await statementsOf(async () => expectStatus(await hireOne(), 201));
		const moving = await statementsOf(async () => expectStatus(await move(), 200));
		expect([hiring > 4 && hiring <= 9, moving > 4 && moving <= 12]).toEqual([true, true]);
	});

	test('a change of many people, the same for three as for thirty', async () => {
		const { token } = await service.addPerson(home.id, 'employee:view:store', 'employee:manage');
		const ids: number[] = [];
		for (let index = 0; index < 30; index += 1) ids.push((await colleague()).id);
		const dryRun = (some: readonly number[]) => {
			const body = { ids: some, change: { status: 'INACTIVE' } };
			return service.as(token, 'POST', '/api/employees/changes?dryRun=true', body);
		};
		expectStatus(await dryRun(ids), 200);
		const few = await statementsOf(() => dryRun(ids.slice(0, 3)));
		expect(few).toBeGreaterThan(2);
		expect(await statementsOf(() => dryRun(ids))).toBe(few);
	});
});

test('a caller who lacks a permission learns its title, and three colleagues who hold it', async () => {
	const [near, far] = [await service.addStore(), await service.addStore()];
	const role = await service.addRole('role:view');
	const people = [];
	for (const name of ['甲', '乙', '丙', '丁']) people.push(await service.addEmployee(near.id, [role.id], { name }));
	await service.addEmployee(far.id, [role.id], { name: '远' });
	await service.asSuper('PATCH', `/api/employees/${people[0].id}`, { status: 'INACTIVE' });
	const helpersFor = async (token: string, permission: string) =>
		service.as(token, 'GET', `/api/employees/helpers?permission=${permission}`);
	const { token } = await service.addPerson(near.id);
	const found = expectStatus(await helpersFor(token, 'role:view'), 200);
	expect(found).toEqual({ title: '查看角色', people: people.slice(1).map(({ id, name }) => ({ id, name })) });
	const { token: other } = await service.addPerson((await service.addStore()).id);
	expect(expectStatus(await helpersFor(other, 'role:view'), 200).people).toEqual([]);
	expect(expectStatus(await helpersFor(token, 'till:unknown'), 200)).toEqual({ title: null, people: [] });
	expect(expectStatus(await helpersFor(token, 'history:view'), 200)).toEqual({ title: '查看操作记录', people: [] });
});

test('a helper is found behind hundreds of people with the same role in other stores', async () => {
	const [far, near] = [await service.addStore(), await service.addStore()];
	const managing = await service.addRole('employee:view:store', 'employee:manage', 'role:view');
	const link = { role_id: managing.id, bound_at: service.now().toISOString() };
	const many = service.insertEmployees(far.id, 210).map((employee_id) => ({ employee_id, ...link }));
	service.insert('employee_roles', many);
	const manager = await service.addEmployee(near.id, [managing.id], { name: '近' });
	const named = [{ id: manager.id, name: '近' }];
	const { token } = await service.addPerson(near.id, 'employee:view:store', 'employee:manage');
	expect((await service.read('/api/employees/helpers?permission=role:view', token)).people).toEqual(named);
	const other = await service.addEmployee(near.id, [managing.id]);
	const { manage } = await service.read(`/api/employees/${other.id}/access`, token);
	expect(manage).toMatchObject({ allowed: false, people: named });
	const all = await service.addPerson(near.id, 'employee:view:all', 'employee:manage');
	expect((await service.read(`/api/employees/${other.id}/access`, all.token)).manage.people).toContainEqual(named[0]);
});
