/**
 * People without `permission:manage` who try to gain permissions. In random sequences they hire, promote, move, reset,
 * delete and restore everybody they can, one by one and many at once, sign in with every password they learn, and continue as that person.
 */
import type { PermissionCode } from '../../src/vocabulary/permissions.ts';
import type { Body } from '../http.ts';
import { covers, type Held, isConfined, missing } from '../matrix.ts';
import { codes } from '../oracle.ts';
import { expectStatus, initialPassword, newName, type World } from '../world.ts';
import { branch, type Campaign, counted, type Figures, forEachAtOnce, type Tools } from './campaign.ts';
import { type Employee, type Need, RightsModel } from './rights-model.ts';

interface Scale {
	/** How many models there are, each with five sequences, one after another. */
	worlds: number;
}

const sequencesEach = 5;
const callsEach = 20;
/** How many models there are at once. */
const lanes = 6;

export const escalation: Campaign<Scale> = {
	name: 'escalation',
	claim:
		'nobody without permission:manage gains permissions or reaches another store, not even with all the accounts whose passwords they learn',
	short: { worlds: 6 },
	full: { worlds: 2000 },
	shortSeed: 67,
	run: (scale, tools) => tools.onWorld((world) => hold(world, scale, tools)),
};

async function hold(world: World, { worlds }: Scale, { report, chance }: Tools): Promise<Figures> {
	const tally: Tally = { sequences: 0, calls: 0, joined: 0, confined: 0, done: new Set() };
	const numbers = Array.from({ length: worlds }, (_, index) => ({ index, own: branch(chance) }));
	await forEachAtOnce(numbers, lanes, async ({ index, own }) => {
		const model = await RightsModel.build(world, own);
		for (let number = 0; number < sequencesEach; number += 1) {
			const actor = anyActor(model);
			if (!actor) break;
			await new Sequence(model, tally, actor).hold();
		}
		await world.removeRoles([...model.roles.keys()].filter((id) => id > 3));
		if (index % 200 === 199) report(`${counted(tally.sequences)} sequences`);
	});
	const never = weighted.filter((move) => move !== grant && !tally.done.has(move));
	if (never.length > 0) throw new Error(`nobody ever did ${never.map(({ name }) => name)}: this proves too little`);
	return {
		sequences: `${counted(tally.sequences)} of up to ${callsEach} calls, in ${counted(worlds)} worlds`,
		'calls, each forbidden just where the model forbids it': counted(tally.calls),
		'accounts taken over or hired': counted(tally.joined),
		'sequences of actors confined to a store': counted(tally.confined),
		'actors who gained permissions': 0,
	};
}

/** Counts over all sequences, and what somebody did. */
interface Tally extends Record<'sequences' | 'calls' | 'joined' | 'confined', number> {
	done: Set<Move>;
}

/** A request and what the contract says about it. */
interface Call extends Need {
	method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	path: string;
	body?: unknown;
	/** The only statuses for those who may, where these are known. */
	expected?: readonly number[];
	/** Whether the `data` of a good answer differs from what is stored. */
	isWrong?(data: Body): boolean;
	/** Notes what came of it besides what is stored. */
	done?(data: Body): void;
}

/** What an employee may try; `known` are the accounts whose passwords the actor knows. */
type Move = (model: RightsModel, by: Employee, known: Set<number>) => Call;

/** Somebody who can begin a sequence. Most people may do nothing: their sequences would prove little. */
function anyActor(model: RightsModel): Employee | undefined {
	const able = Array.from(model.employees.values()).filter(
		(one) => model.canSignIn(one) && !model.holds(one, 'permission:manage'),
	);
	const managers = able.filter((one) => model.holds(one, 'employee:manage'));
	const chosen = managers.length > 0 && model.chance.below(5) > 0 ? managers : able;
	return chosen.length > 0 ? model.chance.pick(chosen) : undefined;
}

/** An actor and the accounts they take over, for some twenty calls. */
class Sequence {
	readonly #model: RightsModel;
	readonly #tally: Tally;
	/** Accounts whose passwords the actor knows, their own included. */
	readonly #known = new Set<number>();
	readonly #history: string[] = [];
	/** What the actor held at the start. */
	readonly #start: Held;
	/** The store the actor was confined to at the start. */
	readonly #confinedTo: number | undefined;

	constructor(model: RightsModel, tally: Tally, actor: Employee) {
		this.#model = model;
		this.#tally = tally;
		this.#known.add(actor.id);
		this.#start = model.permissionsOf(...actor.roleIds);
		this.#confinedTo = isConfined(this.#start) ? actor.storeId : undefined;
		this.#history.push(`actor ${actor.id} of store ${actor.storeId} holds ${[...this.#start].join()}`);
	}

	async hold(): Promise<void> {
		for (let made = 0; made < callsEach; made += 1) {
			const by = this.#nextMember();
			if (!by) break;
			await this.#callAs(by);
		}
		this.#tally.sequences += 1;
		this.#tally.joined += this.#known.size - 1;
		if (this.#confinedTo !== undefined) this.#tally.confined += 1;
	}

	/** An account that can sign in, or that still has a token, possibly an ended one. */
	#nextMember(): Employee | undefined {
		const { chance, tokens } = this.#model;
		const members = Array.from(this.#known).flatMap((id) => this.#model.employees.get(id) ?? []);
		const able = members.filter((member) => this.#model.canSignIn(member));
		if (able.length === 0) return undefined;
		const cutOff = members.filter((member) => tokens.has(member.id) && !this.#model.isSignedIn(member));
		return cutOff.length > 0 && chance.below(15) === 0 ? chance.pick(cutOff) : chance.pick(able);
	}

	async #callAs(by: Employee): Promise<void> {
		const model = this.#model;
		const keepsOldToken = model.tokens.has(by.id) && model.chance.below(3) === 0;
		if (!model.isSignedIn(by) && model.canSignIn(by) && !keepsOldToken) await this.#signIn(by);
		const isSignedIn = model.isSignedIn(by);
		const [move, call] = isSignedIn ? this.#nextCall(by) : [own, own(model, by)];
		// What was taken away before is told from what a deletion takes away by the time.
		await model.world.later();
		const token = model.tokens.get(by.id)?.token;
		const { status, text, body } = await model.world.send(call.method, call.path, { token, body: call.body });
		this.#tally.calls += 1;
		const sent = call.body === undefined ? '' : ` ${JSON.stringify(call.body)}`;
		this.#history.push(`${by.id} ${call.method} ${call.path}${sent} → ${status}`);
		const expected = isSignedIn ? statusesOf(model, by, call) : [401];
		if (!expected.includes(status)) this.#refute(`${expected.join(' or ')} was expected: ${text}`);
		if (status >= 300) return;
		this.#tally.done.add(move);
		this.#accept(by, call, body?.data);
	}

	/** With the password itself where somebody else was shown it. */
	async #signIn({ id, phone, mustChoose, tokenVersion }: Employee): Promise<void> {
		const { world, tokens, passwords } = this.#model;
		const password = passwords.get(id);
		const answer = mustChoose && (await world.login('/api/auth/employee/login', phone, password ?? ''));
		tokens.set(id, { token: answer ? expectStatus(answer, 200).token : world.tokenOf(id), version: tokenVersion });
	}

	/** Checks that nobody gained what they must not have, and that nobody of another store was seen or changed. */
	#accept(by: Employee, { method, stores = [], isWrong, done }: Call, data: Body): void {
		const model = this.#model;
		if (isWrong?.(data)) this.#refute(`what is stored is something else than ${JSON.stringify(data)}`);
		done?.(data);
		const before = model.employees;
		const held = model.permissionsOf(...by.roleIds);
		if (method !== 'GET') model.look();
		const isSame = (one: Employee) => JSON.stringify(one) === JSON.stringify(before.get(one.id));
		const changed = Array.from(model.employees.values()).filter((one) => !isSame(one));
		const touched = [...stores, ...changed.flatMap((one) => [one.storeId, before.get(one.id)?.storeId ?? one.storeId])];
		if (this.#confinedTo !== undefined && touched.some((storeId) => storeId !== this.#confinedTo)) {
			this.#refute(`somebody confined to store ${this.#confinedTo} touched ${touched.join()}`);
		}
		const after = (id: number) => model.permissionsOf(...(model.present(id)?.roleIds ?? []));
		if (!covers(held, after(by.id))) this.#refute(`${by.id} gained permissions by their own act`);
		for (const id of this.#known) if (!covers(this.#start, after(id))) this.#refute(`${id} is above the actor`);
	}

	#nextCall(by: Employee): [Move, Call] {
		const { pick, below } = this.#model.chance;
		for (;;) {
			let move = by.mustChoose ? pick([choosePassword, list]) : pick(weighted);
			// They take two hashes, as long as some hundred other calls.
			if (!by.mustChoose && below(250) === 0) move = pick([changePassword, giveOneTimePassword]);
			const call = move(this.#model, by, this.#known);
			// Most calls are forbidden; allowed ones lead further.
			if (by.mustChoose || !this.#model.isForbidden(by, call) || below(6) === 0) return [move, call];
		}
	}

	#refute(what: string): never {
		throw new Error(`${what}\n${this.#history.join('\n')}`);
	}
}

/** 403 just for those who may not; a broken business rule is what the tests of each feature are about. */
function statusesOf(model: RightsModel, by: Employee, { expected, ...call }: Call): readonly number[] {
	if (model.isForbidden(by, call) || (by.mustChoose && call.path !== ownPassword)) return [403];
	return expected ?? [200, 201, 204, 400, 404, 409];
}

const ownPassword = '/api/auth/me/password';
const manage: readonly PermissionCode[] = ['employee:manage'];
const view: readonly PermissionCode[] = ['employee:view:all', 'employee:view:store'];

/** A change of one employee; of nobody where they do not exist. */
function about(
	model: RightsModel,
	id: number,
	method: 'POST' | 'PATCH' | 'DELETE',
	path: string,
	more: Partial<Call> = {},
): Call {
	const target = model.present(id);
	const call: Call = { method, path: `/api/employees/${id}${path}`, codes: manage, body: more.body };
	return target ? { ...call, changes: [target], ...more } : call;
}

const statusOf = (active: boolean) => (active ? 'ACTIVE' : 'INACTIVE');

const anyMember = ({ chance }: RightsModel, known: Set<number>) => chance.pick([...known]);

const anyone = (model: RightsModel, known: Set<number>) =>
	model.chance.below(2) === 0 ? anyMember(model, known) : model.anyEmployeeId();

/** The actor knows the password of everybody they hire. */
function hire(model: RightsModel, _: Employee, known: Set<number>): Call {
	const [storeId, roleIds, phone] = [model.anyStoreId(), model.someRoleIds(), model.anyPhone()];
	return {
		method: 'POST',
		path: '/api/employees',
		body: { storeId, name: 'hired', phone, roleIds, status: statusOf(model.chance.below(5) > 0) },
		codes: manage,
		stores: [storeId],
		gives: roleIds,
		done({ id }) {
			model.made.employees.add(id);
			known.add(id);
		},
	};
}

/** Notes that the actor knows a password from now on. */
function learn(model: RightsModel, known: Set<number>, id: number, password: string): void {
	model.passwords.set(id, password);
	known.add(id);
}

function reset(model: RightsModel, _: Employee, known: Set<number>): Call {
	const id = model.anyEmployeeId();
	return about(model, id, 'PATCH', '/password/reset', { done: () => learn(model, known, id, initialPassword) });
}

/** The answer tells the actor the password. */
function giveOneTimePassword(model: RightsModel, _: Employee, known: Set<number>): Call {
	const id = model.anyEmployeeId();
	return about(model, id, 'POST', '/one-time-password', { done: ({ password }) => learn(model, known, id, password) });
}

function choosePassword(model: RightsModel, by: Employee): Call {
	const newPassword = `a-password-of-${model.chance.below(1000)}`;
	return {
		method: 'PATCH',
		path: ownPassword,
		body: { oldPassword: model.passwordOf(by.id), newPassword },
		codes: [],
		expected: [200],
		done: () => void model.passwords.set(by.id, newPassword),
	};
}

/** With the old password if the actor knows it, else with a guess. */
function changePassword(model: RightsModel, _: Employee, known: Set<number>): Call {
	const id = anyone(model, known);
	const newPassword = `a-password-of-${model.chance.below(1000)}`;
	return about(model, id, 'PATCH', '/password', {
		body: { oldPassword: known.has(id) ? model.passwordOf(id) : 'a-wrong-guess', newPassword },
		expected: [known.has(id) ? 200 : 400],
		done: () => void model.passwords.set(id, newPassword),
	});
}

/** Changes some of store, roles, phone and status at once, now and then of themselves. */
function change(model: RightsModel, by: Employee): Call {
	const { below } = model.chance;
	const maybe = <T>(oneIn: number, value: () => T) => (below(oneIn) === 0 ? value() : undefined);
	const [roleIds, storeId, phone] = [maybe(2, model.someRoleIds), maybe(4, model.anyStoreId), maybe(5, model.anyPhone)];
	const status = maybe(8, () => statusOf(below(2) === 0));
	return about(model, below(5) < 2 ? by.id : model.anyEmployeeId(), 'PATCH', '', {
		body: { remark: 'changed', roleIds, storeId, phone, status },
		gives: roleIds ?? [],
		stores: storeId === undefined ? [] : [storeId],
	});
}

function giveRole(model: RightsModel, _: Employee, known: Set<number>): Call {
	const roleId = model.anyRoleId();
	const until = model.chance.pick([{}, { until: null }, { until: '2999-12-31' }]);
	return about(model, anyone(model, known), 'POST', '/roles', { body: { roleId, ...until }, gives: [roleId] });
}

/** Brings somebody back with the roles they had, into their store or another. */
function restore(model: RightsModel): Call {
	const gone = Array.from(model.employees.values()).filter(({ isDeleted }) => isDeleted);
	const id = gone.length > 0 && model.chance.below(5) > 0 ? model.chance.pick(gone).id : model.anyEmployeeId();
	const target = model.employees.get(id);
	const chosen = model.chance.below(3) === 0 ? model.anyStoreId() : undefined;
	const path = `/api/employees/${id}/restore${chosen === undefined ? '' : `?storeId=${chosen}`}`;
	if (!target) return { method: 'POST', path, codes: manage };
	const stores = [target.storeId, chosen ?? target.storeId];
	return { method: 'POST', path, codes: manage, stores, changes: target.isDeleted ? [target] : [] };
}

/** One change of up to three people, by the rules of single ones: all of them or none. */
function changeMany(model: RightsModel, by: Employee): Call {
	const { pick, below } = model.chance;
	const ids = [...new Set(Array.from({ length: 1 + below(3) }, model.anyEmployeeId))];
	const roleIds = [model.anyRoleId(), model.anyRoleId()];
	const change = pick<{ storeId?: number; addRoleIds?: number[]; [other: string]: unknown }>([
		{ storeId: model.anyStoreId() },
		{ status: statusOf(below(2) === 0) },
		{ addRoleIds: roleIds },
		{ addRoleIds: roleIds.slice(1) },
		{ removeRoleIds: roleIds },
		{ delete: true },
	]);
	const changes = ids.flatMap((id) => model.present(id) ?? []);
	const call: Call = { method: 'POST', path: '/api/employees/changes', body: { ids, change }, codes: manage };
	if (changes.length === 0) return call;
	const { storeId, addRoleIds = [] } = change;
	return {
		...call,
		changes,
		stores: storeId === undefined ? [] : [storeId],
		gives: addRoleIds,
		done({ groupId }) {
			if (groupId !== null) model.groups.push({ id: groupId, by: by.id });
		},
	};
}

/** Undoes what somebody did to many; only they may. What comes of it must give nobody too much. */
function undo(model: RightsModel, by: Employee): Call {
	const own = model.groups.filter((group) => group.by === by.id);
	// The newest one, which most likely nothing followed.
	const { id } = own.at(-1) ?? model.groups.at(-1) ?? { id: missing };
	const expected = own.length > 0 ? [200, 400, 403, 404, 409] : [404];
	return { method: 'POST', path: `/api/employees/changes/${id}/undo`, codes: manage, expected };
}

function setStatus(model: RightsModel, _: Employee, known: Set<number>): Call {
	const id = model.chance.below(3) === 0 ? model.anyEmployeeId() : anyMember(model, known);
	return about(model, id, 'PATCH', '/status', { body: { status: statusOf(model.chance.below(3) > 0) } });
}

function remove(model: RightsModel): Call {
	return about(model, model.anyEmployeeId(), 'DELETE', '');
}

/** From the store they work in, or from another: one that is out of reach is refused before anything is looked up. */
function removeFromStore(model: RightsModel): Call {
	const target = model.present(model.anyEmployeeId());
	const storeId = target && model.chance.below(3) > 0 ? target.storeId : model.anyStoreId();
	const path = `/api/stores/${storeId}/employees/${target?.id ?? missing}`;
	return {
		method: 'DELETE',
		path,
		codes: manage,
		stores: [storeId],
		changes: target?.storeId === storeId ? [target] : [],
	};
}

function see(model: RightsModel): Call {
	const id = model.anyEmployeeId();
	const target = model.present(id);
	return { method: 'GET', path: `/api/employees/${id}`, codes: view, stores: target ? [target.storeId] : [] };
}

/** The list of a store. Who is confined to a store gets that one, whatever they ask for. */
function list(model: RightsModel, by: Employee): Call {
	const asked = model.anyStoreId();
	const own = model.ownStoreOf(by);
	const store = own !== undefined && model.chance.below(3) === 0 ? '' : `&storeId=${asked}`;
	const shown = Array.from(model.employees.values()).filter((one) => !one.isDeleted && one.storeId === (own ?? asked));
	const ids = shown.map(({ id }) => id).toSorted((a, b) => a - b);
	return {
		method: 'GET',
		path: `/api/employees?pageSize=100${store}`,
		codes: view,
		expected: [200],
		stores: [own ?? asked],
		isWrong: ({ items }) => items.map((one: Employee) => one.id).join() !== ids.join(),
	};
}

/** The own account, which lists its permissions. */
function own(model: RightsModel, by: Employee): Call {
	const held = model.permissionsOf(...by.roleIds);
	const permissions = codes.filter((code) => held.has(code)).join();
	const isWrong = (data: Body) => data.permissions.join() !== permissions;
	return { method: 'GET', path: '/api/auth/me', codes: [], expected: [200], isWrong };
}

/** None of them may grant permissions to a role. */
function grant(model: RightsModel, by: Employee): Call {
	const { pick, below } = model.chance;
	const roleId = below(2) === 0 ? model.anyRoleId() : (by.roleIds[0] ?? 1);
	const body = { permissions: [pick(codes), pick(codes)] };
	return { method: 'PUT', path: `/api/permissions/roles/${roleId}`, body, codes: ['permission:manage'] };
}

/** Makes, changes or deletes a role or a store. What the new role is to hold is ignored. */
function administer(model: RightsModel): Call {
	const { pick, below } = model.chance;
	const role = { code: newName('own_'), name: 'own', permissions: codes };
	const store = { name: newName('own_'), status: statusOf(below(6) > 0) };
	const [noun, code, body, id] = pick([
		['roles', 'role:manage', role, model.anyRoleId()] as const,
		['stores', 'store:manage', store, model.anyStoreId()] as const,
	]);
	const path = `/api/${noun}`;
	return pick<Call>([
		{ method: 'POST', path, body, codes: [code], done: (made) => void model.made[noun].add(made.id) },
		{ method: 'PATCH', path: `${path}/${id}`, body, codes: [code] },
		{ method: 'DELETE', path: `${path}/${id}`, codes: [code] },
	]);
}

/** What they try; each group so many times as often as the first. */
const moves: Readonly<Record<number, readonly Move[]>> = {
	1: [remove, removeFromStore, see, own],
	2: [hire, giveRole, restore, list, grant],
	3: [reset, setStatus],
	5: [change, changeMany, undo, administer],
};
const weighted = Object.entries(moves).flatMap(([times, group]) =>
	Array<readonly Move[]>(Number(times)).fill(group).flat(),
);
