/**
 * People without `permission:manage` who try to rise. In random sequences they hire, promote, move, reset and delete whom
 * they can, and whoever gets to know a password signs in with it and goes on as that person.
 */
import { covers, type Held, isConfined } from '../matrix.ts';
import { codes, seeded } from '../oracle.ts';
import type { Campaign, Figures } from './campaign.ts';
import { initialPassword } from './rig.ts';
import { Chain, counted } from './rights-chain.ts';
import { type Employee, World } from './rights-world.ts';

interface Scale {
	sequences: number;
}

const callsEach = 20;
/** How many sequences are held in one world, one after another. */
const sequencesEach = 5;
/** How many worlds there are at once. */
const lanes = 6;
const firstSeed = 40_000;

export const escalation: Campaign<Scale> = {
	name: 'escalation',
	claim: 'nobody without permission:manage rises, nor do all together whose passwords he comes to know',
	rows: 'S4',
	short: { sequences: 60 },
	full: { sequences: 10_000 },
	run: (scale, tell) => Chain.on((chain) => hold(chain, scale, tell)),
};

async function hold(chain: Chain, { sequences }: Scale, tell: (step: string) => void): Promise<Figures> {
	const tally = new Tally();
	let worlds = 0;
	let started = 0;
	let ended = 0;
	const lane = async () => {
		while (started < sequences) {
			const seed = firstSeed + worlds;
			worlds += 1;
			const world = await World.build(chain, seeded(seed));
			for (let number = 0; number < sequencesEach && started < sequences; number += 1) {
				const sequence = Sequence.in(world, tally, `world of seed ${seed}, sequence ${number}`);
				if (!sequence) break;
				started += 1;
				await sequence.hold();
				ended += 1;
				if (ended % 1000 === 0) tell(`${counted(ended)} sequences`);
			}
		}
	};
	await Promise.all(Array.from({ length: lanes }, lane));
	return {
		sequences: `${counted(ended)} of up to ${callsEach} calls, in ${counted(worlds)} worlds (seeds from ${firstSeed})`,
		'calls, each with the status of the model': counted(tally.calls),
		'answers by status': tally.byStatus(),
		'people taken over or hired': counted(tally.joined),
		'sequences of actors confined to a store': counted(tally.confined),
		'actors who rose': 0,
	};
}

/** What came up in all sequences. */
class Tally {
	calls = 0;
	joined = 0;
	confined = 0;
	readonly #statuses = new Map<number, number>();

	count(status: number): void {
		this.calls += 1;
		this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
	}

	byStatus(): string {
		const sorted = [...this.#statuses].toSorted(([one], [other]) => one - other);
		return sorted.map(([status, count]) => `${status} × ${counted(count)}`).join(', ');
	}
}

/** A request with what the model says of it. */
interface Call {
	method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	path: string;
	body?: unknown;
	/** The statuses that the rules allow. */
	expected: readonly number[];
	/** The stores whose employees it is about. */
	touches?: readonly number[];
	/** Whether the `data` of a good answer is not what the model has. */
	isWrong?(data: Answered): boolean;
	/** What the model makes of it when it is done. */
	done?(data: Answered): void;
}

interface Answered {
	id: number;
	permissions: string[];
}

/** 403 when he may not, else a business rule that is broken, else done. */
function verdict(may: boolean, faults: readonly number[], done: number): readonly number[] {
	if (!may) return [403];
	return faults.length > 0 ? faults : [done];
}

/** An actor and those he comes to be, for some twenty calls. */
class Sequence {
	readonly #world: World;
	readonly #tally: Tally;
	readonly #name: string;
	/** Whose passwords are known to the actor, himself included. */
	readonly #known = new Set<number>();
	readonly #history: string[] = [];
	/** What the actor held at the start. */
	readonly #start: Held;
	/** The store he was confined to at the start. */
	readonly #confinedTo: number | undefined;

	private constructor(world: World, tally: Tally, name: string, actor: Employee) {
		this.#world = world;
		this.#tally = tally;
		this.#name = name;
		this.#known.add(actor.id);
		this.#start = world.permissionsOf(actor);
		this.#confinedTo = isConfined(this.#start) ? actor.storeId : undefined;
		this.#history.push(`actor ${actor.id} of store ${actor.storeId} holds ${[...this.#start].join()}`);
	}

	/** A sequence of somebody in the world; undefined when nobody is left who could begin one. */
	static in(world: World, tally: Tally, name: string): Sequence | undefined {
		const able = [...world.employees.values()].filter(
			(one) => world.canSignIn(one) && !world.holds(one, 'permission:manage'),
		);
		if (able.length === 0) return undefined;
		// Most people may do nothing, and would only show that.
		const managers = able.filter((one) => world.holds(one, 'employee:manage'));
		const actor = world.chance.pick(managers.length > 0 && world.chance.below(5) > 0 ? managers : able);
		return new Sequence(world, tally, name, actor);
	}

	async hold(): Promise<void> {
		for (let made = 0; made < callsEach; made += 1) {
			const by = this.#nextMember();
			if (!by) break;
			await this.#call(by);
		}
		this.#expectStored();
		this.#tally.joined += this.#known.size - 1;
		if (this.#confinedTo !== undefined) this.#tally.confined += 1;
	}

	/** Somebody who can sign in or still has a token, be it one that was ended. */
	#nextMember(): Employee | undefined {
		const { employees, chance } = this.#world;
		const members = [...this.#known].flatMap((id) => employees.get(id) ?? []);
		const able = members.filter((member) => this.#world.canSignIn(member));
		if (able.length === 0) return undefined;
		const cutOff = members.filter(({ token, isSignedIn }) => token !== '' && !isSignedIn);
		return cutOff.length > 0 && chance.below(15) === 0 ? chance.pick(cutOff) : chance.pick(able);
	}

	async #call(by: Employee): Promise<void> {
		const world = this.#world;
		const keepsOldToken = by.token !== '' && world.chance.below(3) === 0;
		if (!by.isSignedIn && world.canSignIn(by) && !keepsOldToken) {
			by.token = world.chain.rig.tokenOf(by.id);
			by.isSignedIn = true;
		}
		const call = by.isSignedIn ? this.#nextCall(by) : { ...own(world, by), expected: [401] };
		const { method, path, body, expected } = call;
		const answer = await world.chain.rig.send(method, path, { token: by.token, body });
		this.#tally.count(answer.status);
		const sent = body === undefined ? '' : ` ${JSON.stringify(body)}`;
		this.#history.push(`${by.id} ${method} ${path}${sent} → ${answer.status}`);
		if (!expected.includes(answer.status)) this.#refute(`${expected.join(' or ')} was expected: ${answer.text}`);
		if (answer.status < 300) this.#accept(by, call, answer.body?.data);
	}

	/** Takes what was done into the model, and sees to it that nobody got what he should not have. */
	#accept(by: Employee, { touches = [], isWrong, done }: Call, data: Answered): void {
		const world = this.#world;
		if (this.#confinedTo !== undefined && touches.some((storeId) => storeId !== this.#confinedTo)) {
			this.#refute(`somebody confined to store ${this.#confinedTo} touched ${touches.join()}`);
		}
		if (isWrong?.(data)) this.#refute(`the model has something else than ${JSON.stringify(data)}`);
		const before = world.permissionsOf(by);
		done?.(data);
		if (!covers(before, world.permissionsOf(by))) this.#refute(`${by.id} rose by his own act`);
		for (const id of this.#known) {
			const member = world.employees.get(id);
			if (member && !covers(this.#start, world.permissionsOf(member))) this.#refute(`${id} is above the actor`);
		}
	}

	#nextCall(by: Employee): Call {
		const { pick, below } = this.#world.chance;
		// Two hashes each: what the others take some hundred of.
		if (below(250) === 0) return this.#changePassword(by);
		// Most of what most people try is forbidden to them; what is not leads on.
		for (;;) {
			const call = pick(this.#moves)(by);
			if (!call.expected.includes(403) || below(6) === 0) return call;
		}
	}

	readonly #moves: readonly ((by: Employee) => Call)[] = [
		(by) => this.#hire(by),
		(by) => this.#hire(by),
		(by) => this.#reset(by),
		(by) => this.#reset(by),
		(by) => this.#reset(by),
		(by) => change(this.#world, by),
		(by) => change(this.#world, by),
		(by) => change(this.#world, by),
		(by) => change(this.#world, by, by.id),
		(by) => change(this.#world, by, by.id),
		(by) => setStatus(this.#world, by, this.#world.anyEmployeeId()),
		(by) => setStatus(this.#world, by, this.#anyMember()),
		(by) => setStatus(this.#world, by, this.#anyMember()),
		(by) => remove(this.#world, by),
		(by) => removeFromStore(this.#world, by),
		(by) => see(this.#world, by),
		(by) => own(this.#world, by),
		(by) => grant(this.#world, by),
		(by) => grant(this.#world, by),
		(by) => createRole(this.#world, by),
		(by) => changeRole(this.#world, by),
		(by) => deleteRole(this.#world, by),
		(by) => createStore(this.#world, by),
		(by) => changeStore(this.#world, by),
		(by) => deleteStore(this.#world, by),
	];

	#anyMember(): number {
		return this.#world.chance.pick([...this.#known]);
	}

	/** He knows the password of whom he hired. */
	#hire(by: Employee): Call {
		const world = this.#world;
		const [storeId, roleIds, phone] = [world.anyStoreId(), world.someRoleIds(), world.anyPhone()];
		const active = world.chance.below(5) > 0;
		const isInReach = world.holds(by, 'employee:manage') && !world.isOutOfScope(by, storeId);
		const faults = [...world.storeFaults(storeId), ...world.roleFaults(roleIds), ...world.phoneFaults(phone)];
		return {
			method: 'POST',
			path: '/api/employees',
			body: { storeId, name: 'hired', phone, roleIds, status: statusOf(active) },
			expected: verdict(isInReach && !world.bindsUpward(by, roleIds), faults, 201),
			touches: [storeId],
			done: ({ id }) => {
				world.addEmployee({ id, phone, storeId, active, roleIds: new Set(roleIds) });
				this.#known.add(id);
			},
		};
	}

	/** He knows the password of whom he reset. */
	#reset(by: Employee): Call {
		return about(this.#world, by, this.#world.anyEmployeeId(), 'PATCH', '/password/reset', (target) => ({
			done: () => {
				target.password = initialPassword;
				target.isSignedIn = false;
				this.#known.add(target.id);
			},
		}));
	}

	/** With the old password of those he knows it of, and a guess else. */
	#changePassword(by: Employee): Call {
		const { chance } = this.#world;
		const id = chance.below(2) === 0 ? this.#anyMember() : this.#world.anyEmployeeId();
		return about(this.#world, by, id, 'PATCH', '/password', (target) => {
			const isKnown = this.#known.has(target.id);
			const newPassword = `a-password-of-${chance.below(1000)}`;
			return {
				body: { oldPassword: isKnown ? target.password : 'a-wrong-guess', newPassword },
				faults: isKnown ? [] : [400],
				done: () => {
					target.password = newPassword;
					target.isSignedIn = false;
				},
			};
		});
	}

	/** What the database holds is what the model holds, and gives the actor no more than he had. */
	#expectStored(): void {
		const world = this.#world;
		const { rig } = world.chain;
		const among = (ids: Iterable<number>) => `(${[...ids].join()})`;
		const employees = rig.rows(
			`select id, store_id, phone, status, (
				select group_concat(role_id) from (
					select role_id from employee_roles where employee_id = e.id and unbound_at is null order by role_id
				)
			) roles from employees e where deleted_at is null and id in ${among(world.everybody)} order by id`,
		);
		const stored = employees.map((row) => [row.id, row.store_id, row.phone, row.status, row.roles ?? ''].join(' '));
		const modelled = [...world.employees.values()].map(({ id, storeId, phone, active, roleIds }) =>
			[id, storeId, phone, statusOf(active), [...roleIds].toSorted((a, b) => a - b).join()].join(' '),
		);
		if (stored.join('\n') !== modelled.toSorted(byNumber).join('\n')) {
			this.#refute(`stored is\n${stored.join('\n')}\nthe model has\n${modelled.join('\n')}`);
		}
		const union = rig.rows(
			`select distinct permission from employee_roles l join role_permissions p on p.role_id = l.role_id
			where l.unbound_at is null and p.deleted_at is null and employee_id in ${among(this.#known)}`,
		);
		const reached: Held = new Set(union.map(({ permission }) => permission));
		if (!covers(this.#start, reached)) this.#refute(`together they hold ${[...reached].join()}`);
	}

	#refute(what: string): never {
		throw new Error(`${this.#name}: ${what}\n${this.#history.join('\n')}`);
	}
}

const byNumber = (one: string, other: string) => Number.parseInt(one, 10) - Number.parseInt(other, 10);
const statusOf = (active: boolean) => (active ? 'ACTIVE' : 'INACTIVE');

/** What a call about one employee has besides who may make it. */
interface Particulars {
	body?: unknown;
	/** What more there is against it than that he is out of reach. */
	isForbidden?: boolean;
	faults?: readonly number[];
	touches?: readonly number[];
	done(): void;
}

/** A call about one employee: 403 without the permission, 404 when he is not there, 403 when he is out of reach. */
function about(
	world: World,
	by: Employee,
	id: number,
	method: 'PATCH' | 'DELETE',
	path: string,
	particulars: (target: Employee) => Particulars,
): Call {
	const target = world.employees.get(id);
	const call = { method, path: `/api/employees/${id}${path}` };
	// Validation comes before 404, so there must be a body also for nobody.
	const nobody = { status: 'ACTIVE', oldPassword: 'a-wrong-guess', newPassword: 'a-new-password' };
	if (!target) return { ...call, body: nobody, expected: verdict(world.holds(by, 'employee:manage'), [404], 404) };
	const { body, isForbidden = false, faults = [], touches = [], done } = particulars(target);
	const may = world.reaches(by, target) && !isForbidden;
	const expected = verdict(may, faults, method === 'DELETE' ? 204 : 200);
	return { ...call, body, expected, touches: [target.storeId, ...touches], done };
}

/** Changes some of store, roles, phone and status at once. */
function change(world: World, by: Employee, id = world.anyEmployeeId()): Call {
	return about(world, by, id, 'PATCH', '', (target) => {
		const { below } = world.chance;
		const maybe = <T>(oneIn: number, value: () => T) => (below(oneIn) === 0 ? value() : undefined);
		const roleIds = maybe(2, () => world.someRoleIds());
		const storeId = maybe(4, () => world.anyStoreId());
		const phone = maybe(5, () => world.anyPhone());
		const active = maybe(8, () => below(2) === 0);
		const added = roleIds?.filter((roleId) => !target.roleIds.has(roleId)) ?? [];
		const moves = storeId !== undefined && storeId !== target.storeId;
		return {
			body: { remark: 'changed', roleIds, storeId, phone, ...(active !== undefined && { status: statusOf(active) }) },
			isForbidden: (moves && world.isOutOfScope(by, storeId)) || world.bindsUpward(by, added),
			faults: [
				...(moves ? world.storeFaults(storeId) : []),
				...world.roleFaults(added),
				...(phone === undefined ? [] : world.phoneFaults(phone, target.id)),
			],
			touches: moves ? [storeId] : [],
			done() {
				if (roleIds) target.roleIds = new Set(roleIds);
				if (moves) target.storeId = storeId;
				if (phone !== undefined) target.phone = phone;
				if (active !== undefined) setActive(target, active);
			},
		};
	});
}

function setActive(target: Employee, active: boolean): void {
	target.active = active;
	if (!active) target.isSignedIn = false;
}

function setStatus(world: World, by: Employee, id: number): Call {
	const active = world.chance.below(3) > 0;
	return about(world, by, id, 'PATCH', '/status', (target) => ({
		body: { status: statusOf(active) },
		done: () => setActive(target, active),
	}));
}

function remove(world: World, by: Employee): Call {
	return about(world, by, world.anyEmployeeId(), 'DELETE', '', ({ id }) => ({
		done: () => world.employees.delete(id),
	}));
}

/** From his own store or, as he is not there, from another. */
function removeFromStore(world: World, by: Employee): Call {
	const id = world.anyEmployeeId();
	const call = about(world, by, id, 'DELETE', '', () => ({ done: () => world.employees.delete(id) }));
	const storeId = world.chance.below(3) > 0 ? (world.employees.get(id)?.storeId ?? 1) : world.anyStoreId();
	const isThere = world.employees.get(id)?.storeId === storeId;
	const expected = isThere ? call.expected : verdict(world.holds(by, 'employee:manage'), [404], 404);
	return { ...call, path: `/api/stores/${storeId}/employees/${id}`, expected };
}

function see(world: World, by: Employee): Call {
	const id = world.anyEmployeeId();
	const target = world.employees.get(id);
	const may = world.holds(by, 'employee:view:all', 'employee:view:store');
	const isHidden = target !== undefined && world.isOutOfScope(by, target.storeId);
	return {
		method: 'GET',
		path: `/api/employees/${id}`,
		expected: verdict(may && !isHidden, target ? [] : [404], 200),
		touches: target ? [target.storeId] : [],
	};
}

/** His own account, which tells what he holds. */
function own(world: World, by: Employee): Call {
	const held = world.permissionsOf(by);
	const permissions = codes.filter((code) => held.has(code)).join();
	return {
		method: 'GET',
		path: '/api/auth/me',
		expected: [200],
		isWrong: (data) => data.permissions.join() !== permissions,
	};
}

/** To give permissions to a role is not for any of them. */
function grant(world: World, by: Employee): Call {
	const roleId = world.chance.below(2) === 0 ? world.anyRoleId() : (by.roleIds.values().next().value ?? 1);
	const body = { permissions: [world.chance.pick(codes), world.chance.pick(codes)] };
	return { method: 'PUT', path: `/api/permissions/roles/${roleId}`, body, expected: [403] };
}

/** A code that may be taken. */
function anyCode(world: World): string {
	const taken = ['super_admin', ...[...world.roles.values()].map(({ code }) => code)];
	return world.chance.below(4) === 0 ? world.chance.pick(taken) : world.chain.newName('own');
}

function codeFaults(world: World, code: string, ownId?: number): number[] {
	const isTaken = [...world.roles.values()].some((role) => role.code === code && role.id !== ownId);
	return isTaken || code === 'super_admin' ? [409] : [];
}

function createRole(world: World, by: Employee): Call {
	const code = anyCode(world);
	return {
		method: 'POST',
		path: '/api/roles',
		body: { code, name: 'made', permissions: codes },
		expected: verdict(world.holds(by, 'role:manage'), codeFaults(world, code), 201),
		done: ({ id }) => void world.roles.set(id, { id, code, permissions: new Set(), isSystem: false }),
	};
}

/** What stands against touching a role. */
function roleFaults(world: World, id: number): number[] {
	const role = world.roles.get(id);
	if (!role) return [404];
	return role.isSystem ? [409] : [];
}

function changeRole(world: World, by: Employee): Call {
	const id = world.anyRoleId();
	const code = anyCode(world);
	const faults = roleFaults(world, id);
	return {
		method: 'PATCH',
		path: `/api/roles/${id}`,
		body: { code, name: 'changed', permissions: codes },
		expected: verdict(world.holds(by, 'role:manage'), faults.length > 0 ? faults : codeFaults(world, code, id), 200),
		done() {
			const role = world.roles.get(id);
			if (role) role.code = code;
		},
	};
}

function deleteRole(world: World, by: Employee): Call {
	const id = world.anyRoleId();
	const isBound = [...world.employees.values()].some(({ roleIds }) => roleIds.has(id));
	const faults = [...roleFaults(world, id), ...(isBound ? [409] : [])];
	return {
		method: 'DELETE',
		path: `/api/roles/${id}`,
		expected: verdict(world.holds(by, 'role:manage'), faults, 204),
		done: () => void world.roles.delete(id),
	};
}

function createStore(world: World, by: Employee): Call {
	const name = world.chain.newName('own');
	return {
		method: 'POST',
		path: '/api/stores',
		body: { name },
		expected: verdict(world.holds(by, 'store:manage'), [], 201),
		done: ({ id }) => void world.stores.set(id, { id, name, active: true }),
	};
}

/** Disabling a store ends the tokens of all who work there. */
function changeStore(world: World, by: Employee): Call {
	const id = world.anyStoreId();
	const active = world.chance.below(6) > 0;
	return {
		method: 'PATCH',
		path: `/api/stores/${id}`,
		body: { status: statusOf(active) },
		expected: verdict(world.holds(by, 'store:manage'), world.stores.has(id) ? [] : [404], 200),
		done() {
			const store = world.stores.get(id);
			if (store) store.active = active;
			if (active) return;
			for (const one of world.employees.values()) if (one.storeId === id) one.isSignedIn = false;
		},
	};
}

function deleteStore(world: World, by: Employee): Call {
	const id = world.anyStoreId();
	const isStaffed = [...world.employees.values()].some(({ storeId }) => storeId === id);
	const faults = world.stores.has(id) ? (isStaffed ? [409] : []) : [404];
	return {
		method: 'DELETE',
		path: `/api/stores/${id}`,
		expected: verdict(world.holds(by, 'store:manage'), faults, 204),
		done: () => void world.stores.delete(id),
	};
}
