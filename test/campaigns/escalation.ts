/**
 * People without `permission:manage` who try to gain permissions. In random sequences they hire, promote, move, reset,
 * delete and restore everybody they can, one by one and many at once, sign in with every password they learn, and continue as that person.
 */
import { covers, type Held, isConfined, missing } from '../matrix.ts';
import { codes, seeded } from '../oracle.ts';
import { expectStatus, initialPassword, newName, type World } from '../world.ts';
import { type Campaign, counted, type Figures, onWorld, type Transport } from './campaign.ts';
import { type Employee, RightsModel } from './rights-model.ts';

interface Scale {
	transport: Transport;
	sequences: number;
}

const callsEach = 20;
/** How many sequences run in one model, one after another. */
const sequencesEach = 5;
/** How many models there are at once. */
const lanes = 6;
const firstSeed = 40_000;

export const escalation: Campaign<Scale> = {
	name: 'escalation',
	claim:
		'nobody without permission:manage gains permissions or reaches another store, not even with all the accounts whose passwords they learn',
	short: { transport: 'in this process', sequences: 60 },
	full: { transport: 'over a socket', sequences: 10_000 },
	run: (scale, { report }) => onWorld(scale.transport, (world) => hold(world, scale, report)),
};

async function hold(world: World, { sequences }: Scale, report: (step: string) => void): Promise<Figures> {
	const tally = new Tally();
	let worlds = 0;
	let started = 0;
	let ended = 0;
	const lane = async () => {
		while (started < sequences) {
			const seed = firstSeed + worlds;
			worlds += 1;
			const model = await RightsModel.build(world, seeded(seed));
			for (let number = 0; number < sequencesEach && started < sequences; number += 1) {
				const sequence = Sequence.in(model, tally, `world of seed ${seed}, sequence ${number}`);
				if (!sequence) break;
				started += 1;
				await sequence.hold();
				ended += 1;
				if (ended % 1000 === 0) report(`${counted(ended)} sequences`);
			}
			await world.removeRoles([...model.roles.values()].flatMap(({ id, isSystem }) => (isSystem ? [] : [id])));
		}
	};
	await Promise.all(Array.from({ length: lanes }, lane));
	return {
		sequences: `${counted(ended)} of up to ${callsEach} calls, in ${counted(worlds)} worlds (seeds from ${firstSeed})`,
		'calls, each with the status of the model': counted(tally.calls),
		'refused calls': counted(tally.refused),
		'accounts taken over or hired': counted(tally.joined),
		'sequences of actors confined to a store': counted(tally.confined),
		'actors who gained permissions': 0,
	};
}

/** Counts over all sequences. */
class Tally {
	calls = 0;
	refused = 0;
	joined = 0;
	confined = 0;
}

/** A request and what the model says about it. */
interface Call {
	method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	path: string;
	body?: unknown;
	/** The statuses that the rules allow. */
	expected: readonly number[];
	/** The stores whose employees it is about. */
	touches?: readonly number[];
	/** Whether the `data` of a good answer differs from the model. */
	isWrong?(data: Answered): boolean;
	/** Updates the model when it succeeded. */
	done?(data: Answered): void;
}

interface Answered {
	id: number;
	password: string;
	groupId: number | null;
	permissions: string[];
	items: { id: number }[];
}

type Move = (by: Employee) => Call;

/** A move that is picked so many times as often as others. */
const often = (times: number, move: Move): Move[] => Array(times).fill(move);

/** 403 without the right, else a broken business rule, else done. */
function verdict(may: boolean, faults: readonly number[], done: number): readonly number[] {
	if (!may) return [403];
	return faults.length > 0 ? faults : [done];
}

/** An actor and the accounts they take over, for some twenty calls. */
class Sequence {
	readonly #model: RightsModel;
	readonly #tally: Tally;
	readonly #name: string;
	/** Accounts whose passwords the actor knows, their own included. */
	readonly #known = new Set<number>();
	readonly #history: string[] = [];
	/** What the actor held at the start. */
	readonly #start: Held;
	/** The store the actor was confined to at the start. */
	readonly #confinedTo: number | undefined;

	private constructor(model: RightsModel, tally: Tally, name: string, actor: Employee) {
		this.#model = model;
		this.#tally = tally;
		this.#name = name;
		this.#known.add(actor.id);
		this.#start = model.permissionsOf(actor);
		this.#confinedTo = isConfined(this.#start) ? actor.storeId : undefined;
		this.#history.push(`actor ${actor.id} of store ${actor.storeId} holds ${[...this.#start].join()}`);
	}

	/** A sequence by somebody in the model; undefined when nobody can begin one. */
	static in(model: RightsModel, tally: Tally, name: string): Sequence | undefined {
		const able = [...model.employees.values()].filter(
			(one) => model.canSignIn(one) && !model.holds(one, 'permission:manage'),
		);
		if (able.length === 0) return undefined;
		// Most people may do nothing: their sequences would prove little.
		const managers = able.filter((one) => model.holds(one, 'employee:manage'));
		const actor = model.chance.pick(managers.length > 0 && model.chance.below(5) > 0 ? managers : able);
		return new Sequence(model, tally, name, actor);
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

	/** An account that can sign in, or that still has a token, possibly an ended one. */
	#nextMember(): Employee | undefined {
		const { employees, chance } = this.#model;
		const members = [...this.#known].flatMap((id) => employees.get(id) ?? []);
		const able = members.filter((member) => this.#model.canSignIn(member));
		if (able.length === 0) return undefined;
		const cutOff = members.filter((member) => member.token !== '' && !this.#isLetIn(member));
		return cutOff.length > 0 && chance.below(15) === 0 ? chance.pick(cutOff) : chance.pick(able);
	}

	/** A token works unless something ended it, while the account and its store are enabled. */
	#isLetIn(by: Employee): boolean {
		return by.isSignedIn && this.#model.canSignIn(by);
	}

	async #call(by: Employee): Promise<void> {
		const model = this.#model;
		const keepsOldToken = by.token !== '' && model.chance.below(3) === 0;
		if (!by.isSignedIn && model.canSignIn(by) && !keepsOldToken) {
			by.token = by.mustChoose ? await this.#signIn(by) : model.world.tokenOf(by.id);
			by.isSignedIn = true;
		}
		const call = this.#isLetIn(by) ? this.#nextCall(by) : { ...own(model, by), expected: [401] };
		const { method, path, body, expected } = call;
		// What was taken away before is told from what a deletion takes away by the time.
		await model.world.later();
		const answer = await model.world.send(method, path, { token: by.token, body });
		this.#tally.calls += 1;
		if (answer.status >= 400) this.#tally.refused += 1;
		const sent = body === undefined ? '' : ` ${JSON.stringify(body)}`;
		this.#history.push(`${by.id} ${method} ${path}${sent} → ${answer.status}`);
		if (!expected.includes(answer.status)) this.#refute(`${expected.join(' or ')} was expected: ${answer.text}`);
		if (answer.status < 300) this.#accept(by, call, answer.body?.data);
	}

	/** With a password that was answered to somebody else. */
	async #signIn({ phone, password }: Employee): Promise<string> {
		return expectStatus(await this.#model.world.login('/api/auth/employee/login', phone, password), 200).token;
	}

	/** Updates the model and checks that nobody gained what they must not have. */
	#accept(by: Employee, { touches = [], isWrong, done }: Call, data: Answered): void {
		const model = this.#model;
		if (this.#confinedTo !== undefined && touches.some((storeId) => storeId !== this.#confinedTo)) {
			this.#refute(`somebody confined to store ${this.#confinedTo} touched ${touches.join()}`);
		}
		if (isWrong?.(data)) this.#refute(`the model has something else than ${JSON.stringify(data)}`);
		const before = model.permissionsOf(by);
		done?.(data);
		if (!covers(before, model.permissionsOf(by))) this.#refute(`${by.id} gained permissions by their own act`);
		for (const id of this.#known) {
			const member = model.employees.get(id);
			if (member && !covers(this.#start, model.permissionsOf(member))) this.#refute(`${id} is above the actor`);
		}
	}

	#nextCall(by: Employee): Call {
		const { pick, below } = this.#model.chance;
		if (by.mustChoose) return below(2) === 0 ? this.#choosePassword(by) : { ...list(this.#model, by), expected: [403] };
		// It takes two hashes, as long as some hundred other calls.
		if (below(250) === 0) return below(2) === 0 ? this.#changePassword(by) : this.#giveOneTimePassword(by);
		// Most calls are forbidden; allowed ones lead further.
		for (;;) {
			const call = pick(this.#moves)(by);
			if (!call.expected.includes(403) || below(6) === 0) return call;
		}
	}

	readonly #moves: readonly Move[] = [
		...often(2, (by) => this.#hire(by)),
		...often(3, (by) => this.#reset(by)),
		...often(3, (by) => change(this.#model, by)),
		...often(2, (by) => change(this.#model, by, by.id)),
		(by) => setStatus(this.#model, by, this.#model.anyEmployeeId()),
		...often(2, (by) => setStatus(this.#model, by, this.#anyMember())),
		...often(2, (by) => giveRole(this.#model, by, this.#anyone())),
		...often(2, (by) => restore(this.#model, by)),
		...often(3, (by) => changeMany(this.#model, by)),
		...often(2, (by) => undo(this.#model, by)),
		...often(2, (by) => list(this.#model, by)),
		...often(2, (by) => grant(this.#model, by)),
		...[
			remove,
			removeFromStore,
			see,
			own,
			createRole,
			changeRole,
			deleteRole,
			createStore,
			changeStore,
			deleteStore,
		].map(
			(move): Move =>
				(by) =>
					move(this.#model, by),
		),
	];

	#anyMember(): number {
		return this.#model.chance.pick([...this.#known]);
	}

	#anyone(): number {
		return this.#model.chance.below(2) === 0 ? this.#anyMember() : this.#model.anyEmployeeId();
	}

	/** The actor knows the password of everybody they hire. */
	#hire(by: Employee): Call {
		const model = this.#model;
		const [storeId, roleIds, phone] = [model.anyStoreId(), model.someRoleIds(), model.anyPhone()];
		const active = model.chance.below(5) > 0;
		const isInReach = model.holds(by, 'employee:manage') && !model.isOutOfScope(by, storeId);
		const faults = [...model.storeFaults(storeId), ...model.roleFaults(roleIds), ...model.phoneFaults(phone)];
		return {
			method: 'POST',
			path: '/api/employees',
			body: { storeId, name: 'hired', phone, roleIds, status: statusOf(active) },
			expected: verdict(isInReach && !model.bindsUpward(by, roleIds), faults, 201),
			touches: [storeId],
			done: ({ id }) => {
				model.addEmployee({ id, phone, storeId, active, roleIds: new Set(roleIds) });
				this.#known.add(id);
			},
		};
	}

	/** The actor knows the password of everybody they reset. */
	#reset(by: Employee): Call {
		return about(this.#model, by, this.#model.anyEmployeeId(), 'PATCH', '/password/reset', (target) => ({
			done: () => {
				this.#model.setPassword(target, initialPassword);
				this.#known.add(target.id);
			},
		}));
	}

	/** The answer tells the actor the password. */
	#giveOneTimePassword(by: Employee): Call {
		return about(this.#model, by, this.#model.anyEmployeeId(), 'POST', '/one-time-password', (target) => ({
			done: ({ password }) => {
				this.#model.setPassword(target, password, true);
				this.#known.add(target.id);
			},
		}));
	}

	#choosePassword(by: Employee): Call {
		const newPassword = `a-password-of-${this.#model.chance.below(1000)}`;
		return {
			method: 'PATCH',
			path: '/api/auth/me/password',
			body: { oldPassword: by.password, newPassword },
			expected: [200],
			done: () => this.#model.setPassword(by, newPassword),
		};
	}

	/** With the old password if the actor knows it, else with a guess. */
	#changePassword(by: Employee): Call {
		const { chance } = this.#model;
		return about(this.#model, by, this.#anyone(), 'PATCH', '/password', (target) => {
			const isKnown = this.#known.has(target.id);
			const newPassword = `a-password-of-${chance.below(1000)}`;
			return {
				body: { oldPassword: isKnown ? target.password : 'a-wrong-guess', newPassword },
				faults: isKnown ? [] : [400],
				done: () => this.#model.setPassword(target, newPassword),
			};
		});
	}

	/** The database holds what the model holds, and gives the actor no more than at the start. */
	#expectStored(): void {
		const model = this.#model;

		const among = (ids: Iterable<number>) => `(${[...ids].join()})`;
		const employees = model.world.rows(
			`select id, store_id, phone, status, (
				select group_concat(role_id) from (
					select role_id from employee_roles where employee_id = e.id and unbound_at is null order by role_id
				)
			) roles from employees e where deleted_at is null and id in ${among(model.everybody)} order by id`,
		);
		const stored = employees.map((row) => [row.id, row.store_id, row.phone, row.status, row.roles ?? ''].join(' '));
		const modelled = [...model.employees.values()].map(({ id, storeId, phone, active, roleIds }) =>
			[id, storeId, phone, statusOf(active), [...roleIds].toSorted((a, b) => a - b).join()].join(' '),
		);
		if (stored.join('\n') !== modelled.toSorted(byNumber).join('\n')) {
			this.#refute(`stored is\n${stored.join('\n')}\nthe model has\n${modelled.join('\n')}`);
		}
		const union = model.world.rows(
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

/** What a call about one employee needs besides the right to make it. */
interface Particulars {
	body?: unknown;
	/** Whether it is forbidden for another reason than reach. */
	isForbidden?: boolean;
	faults?: readonly number[];
	touches?: readonly number[];
	done(data: Answered): void;
}

/** A call about one employee: 403 without the permission, 404 when they do not exist, 403 when they are out of reach. */
function about(
	model: RightsModel,
	by: Employee,
	id: number,
	method: 'POST' | 'PATCH' | 'DELETE',
	path: string,
	particulars: (target: Employee) => Particulars,
): Call {
	const target = model.employees.get(id);
	const call = { method, path: `/api/employees/${id}${path}` };
	// Validation comes before 404, so the body must be valid even when nobody is there.
	const nobody = { roleId: 1, status: 'ACTIVE', oldPassword: 'a-wrong-guess', newPassword: 'a-new-password' };
	if (!target) return { ...call, body: nobody, expected: verdict(model.holds(by, 'employee:manage'), [404], 404) };
	const { body, isForbidden = false, faults = [], touches = [], done } = particulars(target);
	const may = model.reaches(by, target) && !isForbidden;
	const expected = verdict(may, faults, method === 'DELETE' ? 204 : 200);
	return { ...call, body, expected, touches: [target.storeId, ...touches], done };
}

/** Changes some of store, roles, phone and status at once. */
function change(model: RightsModel, by: Employee, id = model.anyEmployeeId()): Call {
	return about(model, by, id, 'PATCH', '', (target) => {
		const { below } = model.chance;
		const maybe = <T>(oneIn: number, value: () => T) => (below(oneIn) === 0 ? value() : undefined);
		const roleIds = maybe(2, () => model.someRoleIds());
		const storeId = maybe(4, () => model.anyStoreId());
		const phone = maybe(5, () => model.anyPhone());
		const active = maybe(8, () => below(2) === 0);
		const added = roleIds?.filter((roleId) => !target.roleIds.has(roleId)) ?? [];
		const moves = storeId !== undefined && storeId !== target.storeId;
		return {
			body: { remark: 'changed', roleIds, storeId, phone, ...(active !== undefined && { status: statusOf(active) }) },
			isForbidden: (moves && model.isOutOfScope(by, storeId)) || model.bindsUpward(by, added),
			faults: [
				...(moves ? model.storeFaults(storeId) : []),
				...model.roleFaults(added),
				...(phone === undefined ? [] : model.phoneFaults(phone, target.id)),
			],
			touches: moves ? [storeId] : [],
			done() {
				if (roleIds) target.roleIds = new Set(roleIds);
				if (moves) target.storeId = storeId;
				if (phone !== undefined) target.phone = phone;
				if (active !== undefined) target.active = active;
			},
		};
	});
}

function giveRole(model: RightsModel, by: Employee, id: number): Call {
	const roleId = model.anyRoleId();
	const until = model.chance.pick([{}, { until: null }, { until: '2999-12-31' }]);
	return about(model, by, id, 'POST', '/roles', (target) => ({
		body: { roleId, ...until },
		isForbidden: model.bindsUpward(by, [roleId]),
		faults: model.roleFaults([roleId]),
		done() {
			target.roleIds = new Set([...target.roleIds, roleId]);
		},
	}));
}

/** Brings somebody back with the roles they had, into their store or another. */
function restore(model: RightsModel, by: Employee): Call {
	const gone = [...model.deleted.keys()];
	const id = gone.length > 0 && model.chance.below(5) > 0 ? model.chance.pick(gone) : model.anyEmployeeId();
	const target = model.deleted.get(id) ?? model.employees.get(id);
	const chosen = model.chance.below(3) === 0 ? model.anyStoreId() : undefined;
	const query = chosen === undefined ? '' : `?storeId=${chosen}`;
	const call = { method: 'POST', path: `/api/employees/${id}/restore${query}` } as const;
	const manages = model.holds(by, 'employee:manage');
	if (!target) return { ...call, expected: verdict(manages, [404], 200) };
	const storeId = chosen ?? target.storeId;
	const isGone = model.deleted.has(id);
	const roleIds = isGone ? [...target.roleIds].filter((roleId) => model.roles.has(roleId)) : [];
	const isInReach = ![target.storeId, storeId].some((each) => model.isOutOfScope(by, each));
	const faults = isGone ? [...model.storeFaults(storeId), ...model.phoneFaults(target.phone)] : [409];
	return {
		...call,
		expected: verdict(manages && isInReach && !model.bindsUpward(by, roleIds), faults, 200),
		touches: [target.storeId, storeId],
		done() {
			model.deleted.delete(id);
			model.employees.set(id, Object.assign(target, { storeId, active: true, roleIds: new Set(roleIds) }));
		},
	};
}

interface ChangeOfMany {
	storeId?: number;
	status?: 'ACTIVE' | 'INACTIVE';
	addRoleIds?: number[];
	removeRoleIds?: number[];
	delete?: true;
}

/** One change of up to three people, by the rules of single ones: all of them or none. */
function changeMany(model: RightsModel, by: Employee): Call {
	const { pick, below } = model.chance;
	const ids = [...new Set(Array.from({ length: 1 + below(3) }, () => model.anyEmployeeId()))];
	const roleIds = [model.anyRoleId(), model.anyRoleId()];
	const change = pick<ChangeOfMany>([
		{ storeId: model.anyStoreId() },
		{ status: statusOf(below(2) === 0) },
		{ addRoleIds: roleIds },
		{ addRoleIds: roleIds.slice(1) },
		{ removeRoleIds: roleIds },
		{ delete: true },
	]);
	const statuses = ids.flatMap((id) => verdictOfOne(model, by, id, change));
	const first = [403, 404, 400].find((status) => statuses.includes(status)) ?? 200;
	const targets = ids.flatMap((id) => model.employees.get(id) ?? []);
	return {
		method: 'POST',
		path: '/api/employees/changes',
		body: { ids, change },
		expected: verdict(model.holds(by, 'employee:manage'), [first], 200),
		touches: [...targets.map(({ storeId }) => storeId), ...(change.storeId === undefined ? [] : [change.storeId])],
		done({ groupId }) {
			for (const target of targets) applyTo(model, target, change);
			if (groupId !== null) model.groups.push({ id: groupId, by: by.id, ids });
		},
	};
}

function verdictOfOne(model: RightsModel, by: Employee, id: number, { storeId, addRoleIds = [] }: ChangeOfMany) {
	const target = model.employees.get(id);
	if (!target) return [404];
	const added = addRoleIds.filter((roleId) => !target.roleIds.has(roleId));
	const moved = storeId !== undefined && storeId !== target.storeId ? [storeId] : [];
	const isInReach = model.reaches(by, target) && !moved.some((each) => model.isOutOfScope(by, each));
	const faults = [...moved.flatMap((each) => model.storeFaults(each)), ...model.roleFaults(added)];
	return verdict(isInReach && !model.bindsUpward(by, added), faults, 200);
}

function applyTo(model: RightsModel, target: Employee, change: ChangeOfMany): void {
	const { storeId = target.storeId, status = statusOf(target.active), addRoleIds = [], removeRoleIds = [] } = change;
	const roleIds = new Set([...target.roleIds, ...addRoleIds]).difference(new Set(removeRoleIds));
	Object.assign(target, { storeId, active: status === 'ACTIVE', roleIds });
	if (change.delete) model.deleteEmployee(target);
}

/** Undoes what somebody did to many. What comes of it is read, and must give nobody too much. */
function undo(model: RightsModel, by: Employee): Call {
	const own = model.groups.filter((group) => group.by === by.id);
	const groups = own.length > 0 ? own : model.groups;
	const group = groups.length > 0 ? model.chance.pick(groups) : { id: missing, by: missing, ids: [] };
	return {
		method: 'POST',
		path: `/api/employees/changes/${group.id}/undo`,
		expected: model.holds(by, 'employee:manage') ? (own.length > 0 ? [200, 400, 403, 404, 409] : [404]) : [403],
		done: () => model.readAgain(group.ids),
	};
}

function setStatus(model: RightsModel, by: Employee, id: number): Call {
	const active = model.chance.below(3) > 0;
	return about(model, by, id, 'PATCH', '/status', (target) => ({
		body: { status: statusOf(active) },
		done() {
			target.active = active;
		},
	}));
}

function remove(model: RightsModel, by: Employee): Call {
	return about(model, by, model.anyEmployeeId(), 'DELETE', '', (target) => ({
		done: () => model.deleteEmployee(target),
	}));
}

/** From the store they work in, or from another: one that is out of reach is refused before anything is looked up. */
function removeFromStore(model: RightsModel, by: Employee): Call {
	const id = model.anyEmployeeId();
	const call = about(model, by, id, 'DELETE', '', (target) => ({
		done: () => model.deleteEmployee(target),
	}));
	const storeId = model.chance.below(3) > 0 ? (model.employees.get(id)?.storeId ?? 1) : model.anyStoreId();
	const isThere = model.employees.get(id)?.storeId === storeId;
	const may = model.holds(by, 'employee:manage') && !model.isOutOfScope(by, storeId);
	const expected = isThere ? call.expected : verdict(may, [404], 404);
	return { ...call, path: `/api/stores/${storeId}/employees/${id}`, expected };
}

function see(model: RightsModel, by: Employee): Call {
	const id = model.anyEmployeeId();
	const target = model.employees.get(id);
	const may = model.holds(by, 'employee:view:all', 'employee:view:store');
	const isHidden = target !== undefined && model.isOutOfScope(by, target.storeId);
	return {
		method: 'GET',
		path: `/api/employees/${id}`,
		expected: verdict(may && !isHidden, target ? [] : [404], 200),
		touches: target ? [target.storeId] : [],
	};
}

/** The list of a store. Who is confined to a store gets that one, whatever they ask for. */
function list(model: RightsModel, by: Employee): Call {
	const asked = model.anyStoreId();
	const own = model.ownStoreOf(by);
	const status = model.chance.pick(['', 'ACTIVE', 'INACTIVE']);
	const isShown = (each: Employee) =>
		each.storeId === (own ?? asked) && (status || statusOf(each.active)) === statusOf(each.active);
	const ids = [...model.employees.values()].filter(isShown).map(({ id }) => id);
	ids.sort((a, b) => a - b);
	const store = own !== undefined && model.chance.below(3) === 0 ? '' : `&storeId=${asked}`;
	return {
		method: 'GET',
		path: `/api/employees?pageSize=100${store}${status && `&status=${status}`}`,
		expected: verdict(model.holds(by, 'employee:view:all', 'employee:view:store'), [], 200),
		touches: [own ?? asked],
		isWrong: ({ items }) => items.map(({ id }) => id).join() !== ids.join(),
	};
}

/** The own account, which lists its permissions. */
function own(model: RightsModel, by: Employee): Call {
	const held = model.permissionsOf(by);
	const permissions = codes.filter((code) => held.has(code)).join();
	return {
		method: 'GET',
		path: '/api/auth/me',
		expected: [200],
		isWrong: (data) => data.permissions.join() !== permissions,
	};
}

/** None of them may grant permissions to a role. */
function grant(model: RightsModel, by: Employee): Call {
	const roleId = model.chance.below(2) === 0 ? model.anyRoleId() : (by.roleIds.values().next().value ?? 1);
	const body = { permissions: [model.chance.pick(codes), model.chance.pick(codes)] };
	return { method: 'PUT', path: `/api/permissions/roles/${roleId}`, body, expected: [403] };
}

const done = { POST: 201, PATCH: 200, DELETE: 204 };

/** A change of a store or a role: 403 without the permission, else the fault if there is one, else done. */
function managed(
	model: RightsModel,
	by: Employee,
	method: keyof typeof done,
	path: string,
	more: Pick<Call, 'body' | 'done'> & { faults?: readonly number[] } = {},
): Call {
	const code = path.startsWith('/api/roles') ? 'role:manage' : 'store:manage';
	const { faults = [], ...rest } = more;
	return { method, path, expected: verdict(model.holds(by, code), faults, done[method]), ...rest };
}

function createRole(model: RightsModel, by: Employee): Call {
	return managed(model, by, 'POST', '/api/roles', {
		body: { code: newName('own_'), name: 'made', permissions: codes },
		done: ({ id }) => void model.roles.set(id, { id, permissions: new Set(), isSystem: false }),
	});
}

/** Why a role cannot be changed. */
function roleFaults(model: RightsModel, id: number): number[] {
	const role = model.roles.get(id);
	if (!role) return [404];
	return role.isSystem ? [409] : [];
}

function changeRole(model: RightsModel, by: Employee): Call {
	const id = model.anyRoleId();
	const body = { name: 'changed', permissions: codes };
	return managed(model, by, 'PATCH', `/api/roles/${id}`, { body, faults: roleFaults(model, id) });
}

function deleteRole(model: RightsModel, by: Employee): Call {
	const id = model.anyRoleId();
	const isBound = [...model.employees.values()].some(({ roleIds }) => roleIds.has(id));
	const faults = [...roleFaults(model, id), ...(isBound ? [409] : [])];
	return managed(model, by, 'DELETE', `/api/roles/${id}`, { faults, done: () => void model.roles.delete(id) });
}

function createStore(model: RightsModel, by: Employee): Call {
	return managed(model, by, 'POST', '/api/stores', {
		body: { name: newName('own_') },
		done: ({ id }) => void model.stores.set(id, { id, active: true }),
	});
}

function changeStore(model: RightsModel, by: Employee): Call {
	const id = model.anyStoreId();
	const active = model.chance.below(6) > 0;
	return managed(model, by, 'PATCH', `/api/stores/${id}`, {
		body: { status: statusOf(active) },
		faults: model.stores.has(id) ? [] : [404],
		done: () => void model.stores.set(id, { id, active }),
	});
}

function deleteStore(model: RightsModel, by: Employee): Call {
	const id = model.anyStoreId();
	const isStaffed = [...model.employees.values()].some(({ storeId }) => storeId === id);
	const faults = model.stores.has(id) ? (isStaffed ? [409] : []) : [404];
	return managed(model, by, 'DELETE', `/api/stores/${id}`, { faults, done: () => void model.stores.delete(id) });
}
