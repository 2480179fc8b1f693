/** Who may do what, where, and from when on: the permission matrix, the reach of store managers, and changes of rights. */
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
import type { Campaign, Figures } from './campaign.ts';
import { type Answer, initialPassword } from './rig.ts';
import { Chain, counted, dataOf, forEachAtOnce, type Person } from './rights-chain.ts';

interface Scale {
	/** How many of the 512 sets of codes, in random choice. */
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
	rows: 'S1 S2 S3 S5',
	short: { sets: 24, listQueries: 150, rounds: 3 },
	full: { sets: subsets.length, listQueries: 10_000, rounds: 100 },
	run: (scale, tell) =>
		Chain.on(async (chain) => {
			const figures: Figures = {};
			for (const part of [holdMatrix, holdReach, holdListQueries, holdChanges]) {
				const [figure, value] = await part(chain, scale);
				tell(`${figure}: ${value}`);
				figures[figure] = value;
			}
			return figures;
		}),
};

type Part = (chain: Chain, scale: Scale) => Promise<readonly [figure: string, value: string]>;

interface Actor {
	name: string;
	held: Held;
	token: string | undefined;
}

/** Every set of codes, `*`, no role and no token, on every protected route. */
const holdMatrix: Part = async (chain, { sets }) => {
	const [home, quiet] = [await chain.addStore(), await chain.addStore()];
	const actors = await actorsIn(chain, home.id, sets);
	const cases = casesOn(await sceneOf(chain, home, quiet));
	// Signing out ends the token that asks for it.
	const covered = new Set([...cases.map(({ endpoint }) => endpoint), 'POST /api/auth/logout']);
	const forgotten = protectedEndpoints.map(nameOf).filter((endpoint) => !covered.has(endpoint));
	if (forgotten.length > 0) throw new Error(`the matrix has no case for ${forgotten.join()}`);
	for (const each of cases) {
		const [method = ''] = each.endpoint.split(' ');
		await forEachAtOnce(actors, lanes, async ({ name, held, token }) => {
			const { status, text } = await chain.rig.send(method, each.path, { ...(token && { token }), body: each.body });
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

async function sceneOf(chain: Chain, home: { id: number }, quiet: { id: number }) {
	const holders = [];
	for (const code of codes) {
		const { id: roleId } = await chain.addRole(code);
		const { id: employeeId } = await chain.addEmployee(home.id, [roleId]);
		holders.push({ code, roleId, employeeId });
	}
	const role = await chain.addEmptyRole();
	return {
		home,
		quiet: { id: quiet.id, name: dataOf(await chain.asSuper('GET', `/api/stores/${quiet.id}`), 200).name },
		role: { id: role.id, code: String(role.code) },
		adminRoleId: 1,
		target: await chain.addEmployee(home.id),
		other: await chain.addEmployee(quiet.id),
		holders,
	};
}

async function actorsIn(chain: Chain, storeId: number, count: number): Promise<Actor[]> {
	const chosen = shuffled(subsets).slice(0, count);
	const roles: number[] = [];
	for (const _ of chosen) roles.push((await chain.addEmptyRole()).id);
	chain.grantExactly(chosen.map((permissions, index) => [roles[index] ?? 0, permissions]));
	const actors: Actor[] = [];
	for (const [index, permissions] of chosen.entries()) {
		const { id } = await chain.addEmployee(storeId, [roles[index] ?? 0]);
		const name = permissions.join() || 'an empty role';
		actors.push({ name, held: new Set(permissions), token: chain.rig.sign(`EMPLOYEE:${id}`, 1) });
	}
	const { id } = await chain.addEmployee(storeId);
	actors.push({ name: 'no role', held: new Set(), token: chain.rig.sign(`EMPLOYEE:${id}`, 1) });
	actors.push({ name: '*', held: new Set(['*']), token: chain.superToken });
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
	chain: Chain;
	own: number;
	other: number;
	gone: number;
	everyone: Persona[];
}

async function twoStores(chain: Chain): Promise<TwoStores> {
	const [own, other, gone] = [await chain.addStore(), await chain.addStore(), await chain.addStore()];
	dataOf(await chain.asSuper('DELETE', `/api/stores/${gone.id}`), 204);
	const everyone: Persona[] = [];
	for (const [name, permissions] of Object.entries(personas)) {
		const persona = new Persona(name);
		const { token } = await chain.addPerson(own.id, ...permissions);
		persona.token = name === 'super administrator' ? chain.superToken : token;
		everyone.push(persona);
	}
	return { chain, own: own.id, other: other.id, gone: gone.id, everyone };
}

/** A fresh employee at a place. */
async function employeeAt({ chain, own, other }: TwoStores, place: Place): Promise<{ id: number; storeId: number }> {
	const storeId = isForeign(place) ? other : own;
	if (place === 'missing') return { id: missing, storeId };
	const { id } = await chain.addEmployee(storeId);
	if (!isThere(place)) dataOf(await chain.asSuper('DELETE', `/api/employees/${id}`), 204);
	return { id, storeId };
}

/** Every persona, every way of reaching an employee by his id, every place he can be at. */
const holdReach: Part = async (chain) => {
	const stores = await twoStores(chain);
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
	}
	return ['attempts on employees here, elsewhere and gone', counted(asked)];
};

async function expectReach(stores: TwoStores, persona: Persona, { name, path, body }: Operation, place: Place) {
	const { chain } = stores;
	const [method = ''] = name.split(' ');
	const { id, storeId } = await employeeAt(stores, place);
	const before = rowsOf(chain, id);
	const answer = await chain.rig.send(method, path(id, storeId), { token: persona.token, body });
	const may = method === 'GET' ? persona.views : persona.manages;
	const done = method === 'DELETE' ? 204 : 200;
	const expected = persona.statusFor(place, may, done);
	expectAs(persona, `${name} of an employee, ${place}`, answer, expected);
	const changed = rowsOf(chain, id) !== before;
	if (changed === (expected === done && method !== 'GET')) return;
	throw new Error(`${persona.name}: ${name} of an employee, ${place}: ${expected}, but changed: ${changed}`);
}

/** Everything that is stored about an employee. */
function rowsOf({ rig }: Chain, id: number): string {
	return JSON.stringify([
		rig.rows('select * from employees where id = ?', id),
		rig.rows('select * from employee_roles where employee_id = ?', id),
	]);
}

function expectAs({ name }: Persona, what: string, { status, text }: Answer, expected: number): void {
	if (status !== expected) throw new Error(`${name}: ${what}: ${status}, not ${expected}: ${text}`);
}

/** Nobody is removed from a store that he is not in. */
async function expectRightStore(stores: TwoStores, persona: Persona): Promise<number> {
	const { chain, own, other, gone } = stores;
	for (const place of ['own store', 'other store'] as const) {
		const { id, storeId } = await employeeAt(stores, place);
		for (const wrong of [own + other - storeId, gone, missing]) {
			const path = `/api/stores/${wrong}/employees/${id}`;
			const answer = await chain.rig.send('DELETE', path, { token: persona.token });
			expectAs(persona, `DELETE from a wrong store, ${place}`, answer, persona.manages ? 404 : 403);
		}
		dataOf(await chain.asSuper('GET', `/api/employees/${id}`), 200);
	}
	return 6;
}

/** Hiring into a store, and moving there. */
async function expectInto(stores: TwoStores, persona: Persona): Promise<number> {
	const { chain, own, other, gone } = stores;
	const { token } = persona;
	const targets = [own, other, gone, missing];
	for (const storeId of targets) {
		const store = { isOwn: storeId === own, isReal: storeId === own || storeId === other };
		const body = { storeId, name: 'somebody', phone: chain.newPhone() };
		const hired = await chain.rig.send('POST', '/api/employees', { token, body });
		expectAs(persona, `POST into store ${storeId}`, hired, persona.statusInto(store, 201));
		const { id } = await employeeAt(stores, 'own store');
		const moved = await chain.rig.send('PATCH', `/api/employees/${id}`, { token, body: { storeId } });
		expectAs(persona, `PATCH into store ${storeId}`, moved, persona.statusInto(store, 200));
	}
	return targets.length * 2;
}

/** Whatever a store manager asks of the list, it gives him nobody of another store. */
const holdListQueries: Part = async (chain, { listQueries }) => {
	const [own, other] = [await chain.addStore(), await chain.addStore()];
	for (const { id } of [own, other]) for (let made = 0; made < 20; made += 1) await chain.addEmployee(id);
	const people: Person[] = [];
	for (const { id } of [own, other]) {
		people.push(await chain.addPerson(id, 'employee:view:store'));
		people.push(await chain.addPerson(id, 'employee:view:store', 'employee:manage', 'store:manage'));
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
		// The same parameter twice may be refused; what counts is that it gives nobody away.
		const { status, body, text } = await chain.rig.send('GET', path, { token: person.token });
		if (status !== 200 && status !== 400) throw new Error(`${path}: ${status}: ${text}`);
		const items: { storeId: number }[] = status === 200 ? body.data.items : [];
		listed += items.length;
		if (items.some(({ storeId }) => storeId !== person.storeId)) {
			throw new Error(`somebody of store ${person.storeId} asked ${path} and got ${text}`);
		}
	});
	return ['list queries by store managers', `${counted(listQueries)}, ${counted(listed)} rows, none of another store`];
};

/** A change of rights, and what it does to a token that was good until then. */
interface Change {
	name: string;
	make: (holder: Holder) => Promise<Answer>;
	refused: 401 | 403;
	/** Takes it back; a token that was ended stays so, and a permission that was lost is there again. */
	undo?: (holder: Holder) => Promise<Answer>;
}

/** Somebody with a token and a role of his own, in a store of his own. */
interface Holder extends Person {
	roleId: number;
}

const granted = { permissions: ['store:view', 'employee:view:store'] };

function changesOn(chain: Chain): Change[] {
	const patch =
		(path: (holder: Holder) => string, body?: unknown) =>
		(holder: Holder): Promise<Answer> =>
			chain.asSuper('PATCH', path(holder), body);
	const remove = (path: (holder: Holder) => string) => (holder: Holder) => chain.asSuper('DELETE', path(holder));
	const put = (permissions: string[]) => (holder: Holder) =>
		chain.asSuper('PUT', `/api/permissions/roles/${holder.roleId}`, { permissions });
	const employee = ({ id }: Holder) => `/api/employees/${id}`;
	const store = ({ storeId }: Holder) => `/api/stores/${storeId}`;
	const status = (holder: Holder) => `${employee(holder)}/status`;
	const active = { status: 'ACTIVE' };
	const inactive = { status: 'INACTIVE' };
	const changed = { oldPassword: initialPassword, newPassword: 'a-new-password' };
	const bind = ({ id, roleId }: Holder) => chain.asSuper('PATCH', `/api/employees/${id}`, { roleIds: [roleId] });
	return [
		{ name: 'employee disabled', make: patch(status, inactive), refused: 401, undo: patch(status, active) },
		{
			name: 'employee disabled by PATCH',
			make: patch(employee, inactive),
			refused: 401,
			undo: patch(employee, active),
		},
		{ name: 'employee deleted', make: remove(employee), refused: 401 },
		{ name: 'employee removed from his store', make: remove((at) => `${store(at)}/employees/${at.id}`), refused: 401 },
		{ name: 'store disabled', make: patch(store, inactive), refused: 401, undo: patch(store, active) },
		{ name: 'roles taken away', make: patch(employee, { roleIds: [] }), refused: 403, undo: bind },
		{ name: 'permissions taken from the role', make: put([]), refused: 403, undo: put(granted.permissions) },
		{
			name: 'role deleted',
			async make(holder) {
				dataOf(await chain.asSuper('PATCH', employee(holder), { roleIds: [] }), 200);
				return chain.asSuper('DELETE', `/api/roles/${holder.roleId}`);
			},
			refused: 403,
		},
		{ name: 'password reset', make: patch((at) => `${employee(at)}/password/reset`), refused: 401 },
		{ name: 'password changed', make: patch((at) => `${employee(at)}/password`, changed), refused: 401 },
	];
}

/** From the answer to a change on, a token that was good before it is refused, also while it is being used. */
const holdChanges: Part = async (chain, { rounds }) => {
	const changes = changesOn(chain);
	for (const change of changes) {
		for (let round = 0; round < rounds; round += 1) await expectAtOnce(chain, change);
	}
	return ['changes that acted on the next request', `${changes.length} sorts × ${rounds}`];
};

async function expectAtOnce(chain: Chain, { name, make, refused, undo }: Change): Promise<void> {
	const holder = await holderOn(chain);
	const read = () => chain.rig.send('GET', '/api/stores', { token: holder.token });
	dataOf(await read(), 200);
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
	dataOf(await undo(holder), 200);
	const again = await read();
	const expected = refused === 401 ? 401 : 200;
	if (again.status !== expected) throw new Error(`${name} and back: ${again.status}, not ${expected}: ${again.text}`);
}

async function holderOn(chain: Chain): Promise<Holder> {
	const [store, role] = [await chain.addStore(), await chain.addEmptyRole()];
	dataOf(await chain.asSuper('PUT', `/api/permissions/roles/${role.id}`, granted), 200);
	const { id, phone } = await chain.addEmployee(store.id, [role.id]);
	return { id, phone, storeId: store.id, roleId: role.id, token: chain.rig.sign(`EMPLOYEE:${id}`, 1) };
}
