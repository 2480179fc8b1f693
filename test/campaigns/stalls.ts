/** Tests whether one request can hold up everybody else: the costliest request of each route, on data at the limits. */
import { type Answer, newPhone, type Person } from '../harness.ts';
import type { Body } from '../http.ts';
import { codes, endpoints, nameOf, namesOf } from '../oracle.ts';
import { Server } from '../server.ts';
import { csvOf } from '../spreadsheets.ts';
import { expectStatus, type World } from '../world.ts';
import type { Campaign, Figures, Tools } from './campaign.ts';
import { Watch } from './vitals.ts';

interface Scale {
	/** The factor by which data is below its limits. */
	divisor: number;
}

/** The longest wait of others, in milliseconds: for a request; for an import at its limit or a closing of 30,000. */
const [maxWait, maxWaitOfLarge] = [300, 500];

export const stalls: Campaign<Scale> = {
	name: 'stalls',
	claim:
		`no request holds others up for ${maxWait} ms, on data at the limits; ` +
		`an import of 5,000 lines and closing a store of 30,000 for ${maxWaitOfLarge}`,
	short: { divisor: 100 },
	full: { divisor: 1 },
	async run({ divisor }, tools) {
		if (!tools.judgesTimes) return tools.onWorld((world) => hold(world, divisor, tools));
		return Server.with(async (server) => {
			using watch = new Watch(server);
			return await hold(server, divisor, tools, watch);
		});
	},
};

/** A chain at its limits, and the callers whose requests cost most. */
interface Scene {
	world: World;
	count(limit: number): number;
	/** Sees the stores of fifty areas and manages their people; holds every permission of the chain. */
	areaManager: Person;
	/** Manages the people of the large store. */
	manager: Person;
	/** A store of 5,000, and one of 30,000 without roles. */
	large: { id: number; name: string };
	huge: number;
	/** A thousand employees of the large store, each with the fifty areas. */
	people: number[];
	viewer: Body;
	areaIds: number[];
	pointId: number;
	programId: number;
	/** One of a thousand unassigned roles. */
	roleId: number;
}

interface Request {
	by?: Person;
	method?: string;
	path: string;
	body?: unknown;
	/** The lines of a CSV file. */
	lines?: string[][];
	/** Whether the higher limit applies. */
	isLarge?: true;
}

/** The costliest request of a route, after preparation. */
type Costliest = (scene: Scene) => Request | Promise<Request>;

const importing =
	(path: string): Costliest =>
	(scene) => ({ by: scene.manager, path, lines: newcomers(scene), isLarge: true });

const importingStores =
	(path: string): Costliest =>
	({ count }) => {
		const changed = Array.from({ length: count(5000) }, (_, index) => [`店${index + 1}`, '1']);
		return { path, lines: [['店名', '电话'], ...changed], isLarge: true };
	};

const newcomers = ({ count, large, viewer }: Scene) => [
	['姓名', '手机号', '门店', '角色'],
	...Array.from({ length: count(5000) }, () => ['某', newPhone(), large.name, String(viewer.name)]),
];

/** Routes whose costliest request is not the plain one. */
const costliest: Readonly<Record<string, Costliest>> = {
	'GET /api/employees': () => ({ path: '/api/employees?keyword=1&withoutRole=true&pageSize=100&page=2' }),
	'GET /api/history': () => ({ path: '/api/history?keyword=nobody&pageSize=100' }),
	'GET /api/history/export': () => ({ path: '/api/history/export?format=csv' }),
	'GET /api/employees/export': () => ({ path: '/api/employees/export?format=xlsx' }),
	'GET /api/stores/export': () => ({ path: '/api/stores/export?format=xlsx' }),
	'GET /api/stores': () => ({ path: '/api/stores?includeInactive=true&include=area' }),
	'GET /api/stores/all': () => ({ path: '/api/stores/all?include=area' }),
	'GET /api/stores/options': () => ({ path: '/api/stores/options?include=area' }),
	'GET /api/stores/page': () => ({ path: '/api/stores/page?search=rml&pageSize=100&include=area' }),
	'GET /api/stores/:id': ({ large }) => ({ path: `/api/stores/${large.id}` }),
	'GET /api/stores/:id/employees': ({ large }) => ({ path: `/api/stores/${large.id}/employees` }),
	'GET /api/stores/activity': ({ large }) => ({ path: `/api/stores/activity?ids=${large.id},1,2,3` }),
	'GET /api/roles/:id/employees': ({ viewer }) => ({ path: `/api/roles/${viewer.id}/employees?pageSize=100` }),
	'GET /api/employees/options': ({ areaManager }) => ({ by: areaManager, path: '/api/employees/options' }),
	'GET /api/roles/holders': () => ({ path: '/api/roles/holders' }),
	'GET /api/employees/helpers': ({ manager }) => ({
		by: manager,
		path: '/api/employees/helpers?permission=employee:view:store',
	}),
	'GET /api/employees/:id/access': ({ manager, people }) => ({
		by: manager,
		path: `/api/employees/${people[0]}/access`,
	}),
	'GET /api/employees/:id/reach': ({ people }) => ({ path: `/api/employees/${people[0]}/reach` }),
	'GET /api/changes': () => ({ path: '/api/changes?limit=1000' }),
	'POST /api/employees/changes': ({ areaManager, people, viewer }) => ({
		by: areaManager,
		path: '/api/employees/changes?dryRun=true',
		body: { ids: people, change: { addRoleIds: [viewer.id] } },
	}),
	'POST /api/employees/one-time-passwords': ({ areaManager, people }) => ({
		by: areaManager,
		path: '/api/employees/one-time-passwords',
		// The last id is unknown, so nobody gets a password.
		body: { ids: [...people.slice(1), 99_999_999] },
	}),
	'POST /api/employees/import': importing('/api/employees/import?mode=add&dryRun=true'),
	'POST /api/employees/import/problems': importing('/api/employees/import/problems?mode=add'),
	'POST /api/stores/import': importingStores('/api/stores/import?dryRun=true&mode=upsert'),
	'POST /api/stores/import/problems': importingStores('/api/stores/import/problems?mode=upsert'),
	'POST /api/stores/changes': ({ count, areaIds }) => ({
		path: '/api/stores/changes?dryRun=true',
		body: { ids: Array.from({ length: count(1000) }, (_, index) => index + 2), change: { areaId: areaIds[0] } },
	}),
	// The phones of all rotate, one cannot be restored, and each is needed by another.
	'POST /api/employees/changes/:groupId/undo': async ({ world, areaManager, people }) => {
		const { token } = areaManager;
		const phones = new Map(world.rows('select id, phone from employees').map(({ id, phone }) => [id, phone]));
		const round = people.map((id, index) => [String(id), phones.get(people[(index + 1) % people.length]) ?? '']);
		const raw = csvOf([['编号', '手机号'], ...round]);
		const sent = { token, raw, contentType: 'text/csv' };
		const { groupId } = expectStatus(await world.send('POST', '/api/employees/import?mode=update', sent), 201);
		expectStatus(await world.asSuper('PATCH', `/api/employees/${people[0]}`, { phone: newPhone() }), 200);
		return { by: areaManager, path: `/api/employees/changes/${groupId}/undo?others=true` };
	},
	'GET /api/stores/:id/closing': ({ huge }) => ({ path: `/api/stores/${huge}/closing` }),
	'POST /api/stores/:id/close': ({ huge, large }) => ({
		path: `/api/stores/${huge}/close`,
		// biome-ignore lint/suspicious/noThenProperty: a field of the API, and its text is no function.
		body: { moveTo: large.id, then: 'DISABLE' },
		isLarge: true,
	}),
	'DELETE /api/areas/:id': ({ areaIds }) => ({ method: 'DELETE', path: `/api/areas/${areaIds[0]}` }),
	'DELETE /api/permissions/points/:id': ({ pointId }) => ({ path: `/api/permissions/points/${pointId}` }),
	'PUT /api/employees/:id/reach': ({ people, areaIds }) => ({
		path: `/api/employees/${people[1]}/reach`,
		body: { stores: [], areas: areaIds.slice(1, 50).map((areaId) => ({ areaId })) },
	}),
};

/** Routes that touch one row, or a list at its limit, whatever the request. */
const plain = namesOf({
	GET: `
		/health /api/auth/me /api/permissions/me /api/permissions/policies /api/permissions/definitions /api/roles
		/api/roles/all /api/roles/page /api/roles/:id /api/employees/:id /api/auth/me/password /api/auth/me/sign-ins
		/api/auth/me/second-factor /api/permissions/me/definitions /api/auth/me/approval-code /api/auth/me/approvals
		/api/approvals /api/approvals/:id /api/history/:id /api/permissions/roles/:roleId /api/permissions/points
		/api/permissions/points/:id /api/roles/code /api/employees/import/template /api/stores/import/template /api/chain
		/api/areas /api/areas/:id /api/pinyin /api/administrators /api/programs /api/programs/:id /api/overview
		/api/overview/reach
	`,
	POST: `
		/api/auth/login /api/auth/admin/login /api/auth/employee/login /api/stores /api/roles /api/employees
		/api/auth/logout /api/auth/renew /api/auth/me/second-factor /api/auth/me/second-factor/recovery-codes
		/api/approvals /api/employees/:id/one-time-password /api/permissions/points /api/employees/:id/roles
		/api/employees/:id/restore /api/areas /api/administrators /api/programs
		/api/programs/:id/key /api/programs/:id/secret
	`,
	PUT: '/api/permissions/roles/:roleId /api/auth/me/second-factor /api/chain',
	PATCH: `
		/api/stores/:id /api/roles/:id /api/employees/:id /api/employees/:id/status /api/employees/:id/password
		/api/employees/:id/password/reset /api/auth/me/password /api/permissions/points/:id /api/areas/:id
		/api/programs/:id
	`,
	DELETE: `
		/api/stores/:storeId/employees/:employeeId /api/stores/:id /api/roles/:id /api/employees/:id
		/api/auth/me/sign-ins/:id /api/auth/me/second-factor /api/employees/:id/second-factor /api/employees/:id/sign-ins
		/api/administrators/:id /api/programs/:id
	`,
});

export const measuredRoutes = [...Object.keys(costliest), ...plain];

async function hold(world: World, divisor: number, { report }: Tools, watch?: Watch): Promise<Figures> {
	const scene = await build(world, divisor);
	report('the chain is built');
	const waits: Record<string, number> = {};
	const tooLong: string[] = [];
	// Deletions come last, and then the end of the caller's own token.
	const order = endpoints.toSorted((a, b) => rankOf(a) - rankOf(b));
	for (const endpoint of order) {
		const name = nameOf(endpoint);
		const request = await (costliest[name]?.(scene) ?? plainRequest(endpoint, scene));
		const { wait, answer } = await measure(() => send(world, endpoint.method, request), watch);
		const isUnseen = answer.status === 401 && !endpoint.public;
		if (answer.status >= 500 || isUnseen) throw new Error(`${name}: ${answer.status} ${answer.text}`);
		waits[`${name} (${answer.status})`] = Math.round(wait);
		if (wait > 100) report(`${name}: ${wait.toFixed(0)} ms`);
		if (wait > (request.isLarge ? maxWaitOfLarge : maxWait)) tooLong.push(`${name}: ${wait.toFixed(0)} ms`);
	}
	if (tooLong.length > 0) throw new Error(`others waited too long: ${tooLong.join(', ')}`);
	return { routes: order.length, ...waits };
}

const measure = async (work: () => Promise<Answer>, watch?: Watch) =>
	watch ? await watch.during(work) : { answer: await work(), wait: 0 };

function rankOf({ method, path }: { method: string; path: string }): number {
	if (path.endsWith('/logout')) return 2;
	return method === 'DELETE' || path.endsWith('/close') ? 1 : 0;
}

function send(world: World, method: string, { by, path, body, lines }: Request): Promise<Answer> {
	const token = by?.token ?? world.superToken;
	return world.send(method, path, { token, ...(lines ? { raw: csvOf(lines), contentType: 'text/csv' } : { body }) });
}

/** Makes a request from the contract's table, about an existing item. */
function plainRequest({ path, method, sample }: (typeof endpoints)[number], scene: Scene): Request {
	const { large, people, programId, pointId, areaIds, roleId } = scene;
	const ids: Record<string, number | undefined> = {
		stores: large.id,
		employees: people[2],
		programs: programId,
		points: pointId,
		areas: areaIds[1],
		roles: roleId,
		history: 1,
	};
	const filled = path.replaceAll(/(\w+)\/:(\w+)/g, (_, noun: string) => `${noun}/${ids[noun] ?? 1}`);
	return { path: filled, ...(method !== 'GET' && sample && { body: sample }) };
}

type Row = Parameters<World['insert']>[1][number];

/** Builds the chain. Rows are written directly, because a million through the service would take an hour. */
async function build(world: World, divisor: number): Promise<Scene> {
	const count = (limit: number) => Math.max(3, Math.floor(limit / divisor));
	const at = world.now().toISOString();
	const times = { created_at: at, updated_at: at };
	const numbers = (length: number) => Array.from({ length }, (_, index) => index + 1);
	const insert = <T>(table: string, values: readonly T[], rowOf: (value: T) => Row) =>
		world.insert(table, values.map(rowOf));
	const ownCodes = numbers(count(200)).map((number) => `till:p${number}` as const);
	insert('points', ownCodes, (code) => ({ code, title: code, group_title: '收银', ...times }));
	insert('areas', numbers(count(500)), (number) => ({ name: `区${number}`, ...times }));
	const areaIds = world.rows('select id from areas order by id limit 50').map(({ id }) => id);
	const inAreas = Math.min(areaIds.length * 20, count(20_000) - 3);
	insert('stores', numbers(Math.max(1, count(20_000) - 3)), (number) => {
		const area_id = number <= inAreas ? areaIds[number % areaIds.length] : null;
		return { name: `店${number}`, status: 'ACTIVE', area_id, ...times };
	});
	const large = (await world.addStore({ name: '大店' })) as Scene['large'];
	const { id: huge } = await world.addStore();
	insert('roles', numbers(Math.max(1, count(1000) - 10)), (number) => {
		return { code: `r${number}`, name: `角色${number}`, is_system: 0, ...times };
	});
	const custom = world.customRoles();
	const viewer = await world.addRole('employee:view:store', ...ownCodes);
	world.grantExactly(custom.map((id) => [id, ownCodes]));
	const { id: first } = await world.addEmployee(huge);
	const [{ password_hash }] = world.rows('select password_hash from employees where id = ?', Number(first)) as [Body];
	const people = world.insertEmployees(large.id, count(5000), { name: '某某', password_hash }).slice(0, count(1000));
	world.insertEmployees(huge, count(30_000), { name: '某', password_hash });
	insert('employee_roles', people, (employee_id) => ({ employee_id, role_id: Number(viewer.id), bound_at: at }));
	const areaManager = await world.addPerson(large.id, 'employee:view:store', 'employee:manage', ...ownCodes);
	const manager = await world.addPerson(large.id, 'employee:view:store', 'employee:manage', ...ownCodes);
	for (const area_id of areaIds)
		insert('employee_reach', [areaManager.id, ...people], (employee_id) => ({ employee_id, area_id, given_at: at }));
	const [{ last }] = world.rows('select max(id) as last from history') as [Body];
	insert('history', numbers(people.length * 100), (number) =>
		recordOf(last + number, people[number % people.length] ?? 0, at),
	);
	const { id: programId } = world.addProgram(codes.slice(0, 3));
	const [{ id: pointId }] = world.rows('select max(id) as id from points') as [Body];
	const accounts = { areaManager, manager, people, programId };
	return { world, count, ...accounts, large, huge, viewer, areaIds, pointId, roleId: custom[0] ?? 0 };
}

/** Returns the record of a changed remark, which an undo has to look through. */
function recordOf(id: number, targetId: number, at: string) {
	const changes = JSON.stringify([{ field: 'remark', before: null, after: '早班' }]);
	const actor = { actor_type: 'SUPER_ADMIN', actor_id: 1, actor_name: 'admin' };
	const kind = { search_text: 'admin', changed: 'EMPLOYEE', left: 0, moved: 0, new_roles: 0 };
	const target = { target_type: 'EMPLOYEE', target_id: targetId };
	return { id, group_id: id, at, action: 'EMPLOYEE_UPDATE', ...actor, ...target, ...kind, changes, count: 1 };
}
