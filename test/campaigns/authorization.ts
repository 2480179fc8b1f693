/** Who may do what and where: the permission matrix, the reach of store managers, and changes of rights. */
import type { Answer } from '../http.ts';
import {
	casesOn,
	expectedStatus,
	type Held,
	isForeign,
	isThere,
	missing,
	type Operation,
	operationsOn,
	Persona,
	type Place,
	personas,
	places,
	subsets,
} from '../matrix.ts';
import { codes, nameOf, protectedEndpoints, seeded } from '../oracle.ts';
import { expectStatus, initialPassword, newPhone, type Person, type World } from '../world.ts';
import { type Campaign, counted, type Figures, forEachAtOnce, onWorld, type Transport } from './campaign.ts';

interface Scale {
	transport: Transport;
	/** How many of the 512 sets of codes: none, each code alone and all come first, the others at random. */
	sets: number;
	listQueries: number;
	/** How often each change of rights is made. */
	rounds: number;
}

/** How many requests are under way at once. */
const lanes = 8;
const seed = 512;

export const authorization: Campaign<Scale> = {
	name: 'authorization',
	claim: 'every set of permissions gets what the table says, nobody reaches another store, and changes act at once',
	short: { transport: 'in this process', sets: 128, listQueries: 200, rounds: 2 },
	full: { transport: 'over a socket', sets: subsets.length, listQueries: 10_000, rounds: 100 },
	run: (scale, report) =>
		onWorld(scale.transport, async (world) => {
			const figures: Figures = {};
			for (const part of [holdMatrix, holdReach, holdListQueries, holdChanges]) {
				const [figure, value] = await part(world, scale);
				report(`${figure}: ${value}`);
				figures[figure] = value;
				await world.removeRoles(world.customRoles());
			}
			return figures;
		}),
};

type Part = (world: World, scale: Scale) => Promise<readonly [figure: string, value: string]>;

interface Actor {
	name: string;
	held: Held;
	token: string | undefined;
}

/** Every set of codes, `*`, no role and no token, on every protected route. */
const holdMatrix: Part = async (world, { sets }) => {
	const [home, quiet] = [await world.addStore(), await world.addStore()];
	const actors = await actorsIn(world, home.id, sets);
	const cases = casesOn(await sceneOf(world, home, quiet));
	// Signing out ends the token that asks for it.
	const covered = new Set([...cases.map(({ endpoint }) => endpoint), 'POST /api/auth/logout']);
	const forgotten = protectedEndpoints.map(nameOf).filter((endpoint) => !covered.has(endpoint));
	if (forgotten.length > 0) throw new Error(`the matrix has no case for ${forgotten.join()}`);
	for (const each of cases) {
		const [method = ''] = each.endpoint.split(' ');
		await forEachAtOnce(actors, lanes, async ({ name, held, token }) => {
			const { status, text } = await world.send(method, each.path, { ...(token && { token }), body: each.body });
			const expected = token === undefined ? 401 : expectedStatus(each, held);
			if (status === expected && text.includes('"FORBIDDEN"') === (expected === 403)) return;
			throw new Error(
				`${name}: ${method} ${each.path} ${JSON.stringify(each.body)}: ${status}, not ${expected}: ${text}`,
			);
		});
	}
	const asked = counted(cases.length * actors.length);
	return ['requests of the matrix as the table says', `${asked}, ${cases.length} cases, ${actors.length} actors`];
};

async function sceneOf(world: World, home: { id: number }, quiet: { id: number }) {
	const holders = [];
	for (const code of codes) {
		const { id: roleId } = await world.addRole(code);
		const { id: employeeId } = await world.addEmployee(home.id, [roleId]);
		holders.push({ code, roleId, employeeId });
	}
	const role = await world.addRole();
	return {
		home,
		quiet: { id: quiet.id, name: expectStatus(await world.asSuper('GET', `/api/stores/${quiet.id}`), 200).name },
		role: { id: role.id, code: String(role.code) },
		adminRoleId: 1,
		target: await world.addEmployee(home.id),
		other: await world.addEmployee(quiet.id),
		holders,
	};
}

async function actorsIn(world: World, storeId: number, count: number): Promise<Actor[]> {
	const isPlain = ({ length }: readonly unknown[]) => length <= 1 || length === codes.length;
	const chosen = shuffled(subsets)
		.toSorted((a, b) => Number(isPlain(b)) - Number(isPlain(a)))
		.slice(0, count);
	const roles: number[] = [];
	for (const _ of chosen) roles.push((await world.addRole()).id);
	world.grantExactly(chosen.map((permissions, index) => [roles[index] ?? 0, permissions]));
	const actors: Actor[] = [];
	for (const [index, permissions] of chosen.entries()) {
		const { id } = await world.addEmployee(storeId, [roles[index] ?? 0]);
		const name = permissions.join() || 'an empty role';
		actors.push({ name, held: new Set(permissions), token: world.sign(`EMPLOYEE:${id}`, 1) });
	}
	const { id } = await world.addEmployee(storeId);
	actors.push({ name: 'no role', held: new Set(), token: world.sign(`EMPLOYEE:${id}`, 1) });
	actors.push({ name: '*', held: new Set(['*']), token: world.superToken });
	actors.push({ name: 'a stranger', held: new Set(), token: undefined });
	return actors;
}

/** All values, in a random order that is the same each time. */
function shuffled<T>(values: readonly T[]): T[] {
	const { random } = seeded(seed);
	return values
		.map((value) => ({ value, place: random() }))
		.toSorted((a, b) => a.place - b.place)
		.map(({ value }) => value);
}

/** Two stores, one that was deleted, and people of every sort in the first. */
interface TwoStores {
	world: World;
	own: number;
	other: number;
	gone: number;
	everyone: Persona[];
}

async function twoStores(world: World): Promise<TwoStores> {
	const [own, other, gone] = [await world.addStore(), await world.addStore(), await world.addStore()];
	expectStatus(await world.asSuper('DELETE', `/api/stores/${gone.id}`), 204);
	const everyone: Persona[] = [];
	for (const [name, permissions] of Object.entries(personas)) {
		const persona = new Persona(name);
		const { token } = await world.addPerson(own.id, ...permissions);
		persona.token = name === 'super administrator' ? world.superToken : token;
		everyone.push(persona);
	}
	return { world, own: own.id, other: other.id, gone: gone.id, everyone };
}

/** A fresh employee at a place. */
async function employeeAt({ world, own, other }: TwoStores, place: Place): Promise<{ id: number; storeId: number }> {
	const storeId = isForeign(place) ? other : own;
	if (place === 'missing') return { id: missing, storeId };
	const { id } = await world.addEmployee(storeId);
	if (!isThere(place)) expectStatus(await world.asSuper('DELETE', `/api/employees/${id}`), 204);
	return { id, storeId };
}

/** Every persona, every way of reaching an employee by id, every place an employee can be. */
const holdReach: Part = async (world) => {
	const stores = await twoStores(world);
	let asked = 0;
	for (const persona of stores.everyone) {
		for (const operation of operationsOn(initialPassword)) {
			await forEachAtOnce(places, places.length, async (place) => {
				await expectReach(stores, persona, operation, place);
				asked += 1;
			});
		}
		asked += await expectRightStore(stores, persona);
		asked += await expectInto(stores, persona);
		asked += await expectList(stores, persona);
	}
	return ['attempts on employees here, elsewhere and gone', counted(asked)];
};

async function expectReach(stores: TwoStores, persona: Persona, { name, path, body }: Operation, place: Place) {
	const { world } = stores;
	const [method = ''] = name.split(' ');
	const { id, storeId } = await employeeAt(stores, place);
	const before = rowsOf(world, id);
	const answer = await world.send(method, path(id, storeId), { token: persona.token, body });
	const may = method === 'GET' ? persona.views : persona.manages;
	const done = method === 'DELETE' ? 204 : 200;
	const expected = persona.statusFor(place, may, done, name.endsWith('from the store'));
	expectAs(persona, `${name} of an employee, ${place}`, answer, expected);
	const changed = rowsOf(world, id) !== before;
	if (changed === (expected === done && method !== 'GET')) return;
	throw new Error(`${persona.name}: ${name} of an employee, ${place}: ${expected}, but changed: ${changed}`);
}

/** Everything that is stored about an employee. */
function rowsOf(world: World, id: number): string {
	return JSON.stringify([
		world.rows('select * from employees where id = ?', id),
		world.rows('select * from employee_roles where employee_id = ?', id),
	]);
}

function expectAs({ name }: Persona, what: string, { status, text }: Answer, expected: number): void {
	if (status !== expected) throw new Error(`${name}: ${what}: ${status}, not ${expected}: ${text}`);
}

/** Nobody is removed from a store that they are not in. */
async function expectRightStore(stores: TwoStores, persona: Persona): Promise<number> {
	const { world, own, other, gone } = stores;
	for (const place of ['own store', 'other store'] as const) {
		const { id, storeId } = await employeeAt(stores, place);
		for (const wrong of [own + other - storeId, gone, missing]) {
			const path = `/api/stores/${wrong}/employees/${id}`;
			const answer = await world.send('DELETE', path, { token: persona.token });
			const mayLook = persona.manages && (!persona.confined || wrong === own);
			expectAs(persona, `DELETE from a wrong store, ${place}`, answer, mayLook ? 404 : 403);
		}
		expectStatus(await world.asSuper('GET', `/api/employees/${id}`), 200);
	}
	return 6;
}

/** Hiring into a store, and moving there. */
async function expectInto(stores: TwoStores, persona: Persona): Promise<number> {
	const { world, own, other, gone } = stores;
	const { token } = persona;
	const targets = [own, other, gone, missing];
	for (const storeId of targets) {
		const store = { isOwn: storeId === own, isReal: storeId === own || storeId === other };
		const body = { storeId, name: 'somebody', phone: newPhone() };
		const hired = await world.send('POST', '/api/employees', { token, body });
		expectAs(persona, `POST into store ${storeId}`, hired, persona.statusInto(store, 201));
		const { id } = await employeeAt(stores, 'own store');
		const moved = await world.send('PATCH', `/api/employees/${id}`, { token, body: { storeId } });
		expectAs(persona, `PATCH into store ${storeId}`, moved, persona.statusInto(store, 200));
		const [row] = world.rows('select store_id from employees where id = ?', id);
		if (row.store_id === (moved.status === 200 ? storeId : own)) continue;
		throw new Error(
			`${persona.name}: PATCH into store ${storeId} got ${moved.status}, but ${id} is in ${row.store_id}`,
		);
	}
	return targets.length * 2;
}

/** The list of all employees and of each store: exactly those that the persona reaches. */
async function expectList({ world, own, other, gone }: TwoStores, { name, views, confined, token }: Persona) {
	const asked = [0, own, other, gone, missing];
	for (const storeId of asked) {
		const path = `/api/employees?pageSize=100${storeId ? `&storeId=${storeId}` : ''}`;
		const answer = await world.send('GET', path, { token });
		if (!views) {
			expectStatus(answer, 403);
			continue;
		}
		const { items, pagination } = expectStatus(answer, 200);
		const shown = confined ? own : storeId;
		const condition = shown ? `and store_id = ${shown}` : '';
		const wanted = world.rows(`select id from employees where deleted_at is null ${condition} order by id`);
		const found = [pagination.total, ...items.map(({ id }: { id: number }) => id)].join();
		if (found !== [wanted.length, ...wanted.map(({ id }) => id).slice(0, 100)].join()) {
			throw new Error(`${name}: ${path} shows ${found}`);
		}
	}
	return asked.length;
}

/** Whatever a store manager asks, the list shows no employee of another store. */
const holdListQueries: Part = async (world, { listQueries }) => {
	const [own, other] = [await world.addStore(), await world.addStore()];
	for (const { id } of [own, other]) for (let made = 0; made < 20; made += 1) await world.addEmployee(id);
	const people: Person[] = [];
	for (const { id } of [own, other]) {
		people.push(await world.addPerson(id, 'employee:view:store'));
		people.push(await world.addPerson(id, 'employee:view:store', 'employee:manage', 'store:manage'));
	}
	const { pick } = seeded(seed);
	const queries = Array.from({ length: listQueries }, () => ({
		person: pick(people),
		path: `/api/employees?${[
			pick(['', `storeId=${own.id}`, `storeId=${other.id}`, `storeId=${missing}`]),
			pick(['', '', `storeId=${other.id}`, `storeId=${own.id}`]),
			pick(['', 'status=ACTIVE', 'status=INACTIVE']),
			pick(['', 'keyword=1', 'keyword=39', 'keyword=%25', 'keyword=_', 'keyword=employee', 'keyword=e%27%20or%201']),
			pick(['', 'page=1', 'page=2', 'page=3']),
			pick(['', 'pageSize=1', 'pageSize=7', 'pageSize=100']),
		]
			.filter(Boolean)
			.join('&')}`,
	}));
	let listed = 0;
	await forEachAtOnce(queries, lanes, async ({ person, path }) => {
		// The same parameter twice may be refused; what counts is that nobody of another store is listed.
		const { status, body, text } = await world.send('GET', path, { token: person.token });
		if (status !== 200 && status !== 400) throw new Error(`${path}: ${status}: ${text}`);
		const items: { storeId: number }[] = status === 200 ? body.data.items : [];
		listed += items.length;
		if (items.some(({ storeId }) => storeId !== person.storeId)) {
			throw new Error(`somebody of store ${person.storeId} asked ${path} and got ${text}`);
		}
	});
	return ['list queries by store managers', `${counted(listQueries)}, ${counted(listed)} rows, none of another store`];
};

/** A change of rights, and what it does to a token that worked until then. */
interface Change {
	name: string;
	make: (holder: Holder) => Promise<Answer>;
	refused: 401 | 403;
	/** Takes it back, after which the token works again; undefined for a change that ends tokens for good. */
	undo?: (holder: Holder) => Promise<Answer>;
}

/** A person with a token, the only holder of their role and the only employee of their store. */
interface Holder extends Person {
	roleId: number;
}

const granted = { permissions: ['store:view', 'employee:view:store'] };

function changesOn(world: World): Change[] {
	const patch =
		(path: (holder: Holder) => string, body?: unknown) =>
		(holder: Holder): Promise<Answer> =>
			world.asSuper('PATCH', path(holder), body);
	const remove = (path: (holder: Holder) => string) => (holder: Holder) => world.asSuper('DELETE', path(holder));
	const put = (permissions: string[]) => (holder: Holder) =>
		world.asSuper('PUT', `/api/permissions/roles/${holder.roleId}`, { permissions });
	const employee = ({ id }: Holder) => `/api/employees/${id}`;
	const store = ({ storeId }: Holder) => `/api/stores/${storeId}`;
	const status = (holder: Holder) => `${employee(holder)}/status`;
	const active = { status: 'ACTIVE' };
	const inactive = { status: 'INACTIVE' };
	const changed = { oldPassword: initialPassword, newPassword: 'a-new-password' };
	const bind = ({ id, roleId }: Holder) => world.asSuper('PATCH', `/api/employees/${id}`, { roleIds: [roleId] });
	return [
		{ name: 'employee disabled', make: patch(status, inactive), refused: 401, undo: patch(status, active) },
		{
			name: 'employee disabled by PATCH',
			make: patch(employee, inactive),
			refused: 401,
			undo: patch(employee, active),
		},
		{ name: 'employee deleted', make: remove(employee), refused: 401 },
		{
			name: 'employee removed from their store',
			make: remove((at) => `${store(at)}/employees/${at.id}`),
			refused: 401,
		},
		{ name: 'store disabled', make: patch(store, inactive), refused: 401, undo: patch(store, active) },
		{ name: 'roles taken away', make: patch(employee, { roleIds: [] }), refused: 403, undo: bind },
		{ name: 'permissions taken from the role', make: put([]), refused: 403, undo: put(granted.permissions) },
		{
			name: 'role deleted',
			async make(holder) {
				expectStatus(await world.asSuper('PATCH', employee(holder), { roleIds: [] }), 200);
				return world.asSuper('DELETE', `/api/roles/${holder.roleId}`);
			},
			refused: 403,
		},
		{ name: 'password reset', make: patch((at) => `${employee(at)}/password/reset`), refused: 401 },
		{ name: 'password changed', make: patch((at) => `${employee(at)}/password`, changed), refused: 401 },
	];
}

/** Once a change is answered, a token that worked before it is refused, also while it is in use. */
const holdChanges: Part = async (world, { rounds }) => {
	const changes = changesOn(world);
	for (const change of changes) {
		for (let round = 0; round < rounds; round += 1) await expectAtOnce(world, change);
		await world.removeRoles(world.customRoles());
	}
	return ['changes that acted on the next request', `${changes.length} sorts × ${rounds}`];
};

async function expectAtOnce(world: World, { name, make, refused, undo }: Change): Promise<void> {
	const holder = await holderOn(world);
	const read = () => world.send('GET', '/api/stores', { token: holder.token });
	expectStatus(await read(), 200);
	const during = [read(), read()];
	const { status, text } = await make(holder);
	if (status !== 200 && status !== 204) throw new Error(`${name}: ${status}: ${text}`);
	const after = await Promise.all([read(), read(), read()]);
	const wrong = after.find((answer) => answer.status !== refused);
	if (wrong) throw new Error(`${name}: the next request got ${wrong.status}, not ${refused}: ${wrong.text}`);
	for (const answer of await Promise.all(during)) {
		if (![200, refused].includes(answer.status)) throw new Error(`${name}: meanwhile ${answer.status}: ${answer.text}`);
	}
	if (!undo) return;
	expectStatus(await undo(holder), 200);
	const again = await read();
	if (again.status !== 200) throw new Error(`${name} and back: ${again.status}, not 200: ${again.text}`);
}

async function holderOn(world: World): Promise<Holder> {
	const [store, role] = [await world.addStore(), await world.addRole()];
	expectStatus(await world.asSuper('PUT', `/api/permissions/roles/${role.id}`, granted), 200);
	const { id, phone } = await world.addEmployee(store.id, [role.id]);
	return { id, phone, storeId: store.id, roleId: role.id, token: world.sign(`EMPLOYEE:${id}`, 1) };
}
