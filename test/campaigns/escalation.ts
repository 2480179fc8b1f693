/**
 * People without `permission:manage` who try to gain permissions. In random sequences they hire, promote, move, reset,
 * delete and restore everybody they can, one by one and many at once, sign in with every password they learn, and continue as that person.
 */
import type { PermissionCode } from '../../src/vocabulary/permissions.ts';
import type { Body } from '../http.ts';
import { covers, type Held, missing, outlasts } from '../matrix.ts';
import { codes, isForPeople, ownCodes } from '../oracle.ts';
import { expectStatus, initialPassword, newName, type World } from '../world.ts';
import { branch, type Campaign, counted, type Figures, forEachAtOnce, type Tools } from './campaign.ts';
import { type Employee, ends, type Need, RightsModel } from './rights-model.ts';

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
		'nobody without permission:manage gains permissions, lengthens what ends on a day or reaches another store, not even with all the accounts whose passwords they learn',
	short: { worlds: 10 },
	full: { worlds: 2000 },
	shortSeed: 2,
	run: (scale, tools) => tools.onWorld((world) => hold(world, scale, tools)),
};

async function hold(world: World, { worlds }: Scale, { report, chance }: Tools): Promise<Figures> {
	for (const code of ownCodes) await world.addPoint(code);
	const tally: Tally = { sequences: 0, calls: 0, joined: 0, confined: 0, programs: 0, done: new Set() };
	const numbers = Array.from({ length: worlds }, (_, index) => ({ index, own: branch(chance) }));
	await forEachAtOnce(numbers, lanes, async ({ index, own }) => {
		const model = await RightsModel.build(world, own);
		for (let number = 0; number < sequencesEach; number += 1) {
			const actor = anyActor(model);
			if (!actor) break;
			await new Sequence(model, tally, actor).hold();
		}
		await world.removeRoles([...model.roles.keys()].filter((id) => id > 3));
		for (const id of model.areas) expectStatus(await world.asSuper('DELETE', `/api/areas/${id}`), 204);
		if (index % 200 === 199) report(`${counted(tally.sequences)} sequences`);
	});
	const never = weighted.filter((move) => move !== grant && !tally.done.has(move));
	if (never.length > 0) throw new Error(`nobody ever did ${never.map(({ name }) => name)}: this proves too little`);
	return {
		sequences: `${counted(tally.sequences)} of up to ${callsEach} calls, in ${counted(worlds)} worlds`,
		'calls, each forbidden just where the model forbids it': counted(tally.calls),
		'accounts taken over or hired': counted(tally.joined),
		'sequences of actors who reach some stores': counted(tally.confined),
		'sequences that begin with the key of a program': counted(tally.programs),
		'actors who gained permissions': 0,
	};
}

/** Counts over all sequences, and what somebody did. */
interface Tally extends Record<'sequences' | 'calls' | 'joined' | 'confined' | 'programs', number> {
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

/** Somebody who can begin a sequence, or a program. Most people may do nothing: their sequences would prove little. */
function anyActor(model: RightsModel): Employee | undefined {
	if (model.chance.below(4) === 0) return model.program;
	const isAble = (one: Employee) => model.canSignIn(one) && !model.holds(one, 'permission:manage');
	const able = Array.from(model.employees.values()).filter(isAble);
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
	/** The stores that the actor reached at the start; undefined: all. */
	readonly #reach: ReadonlySet<number> | undefined;
	/** Until when the accounts saw the people of each store when they joined; who is hired saw nobody. */
	readonly #seen = new Map<number, string | null>();
	readonly #joined = new Set<number>();

	constructor(model: RightsModel, tally: Tally, actor: Employee) {
		this.#model = model;
		this.#tally = tally;
		this.#known.add(actor.id);
		this.#start = model.permissionsOf(...actor.roleIds);
		this.#reach = model.reachOf(actor);
		if (actor.isProgram) for (const storeId of this.#reach ?? []) this.#seen.set(storeId, null);
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
		if (this.#reach !== undefined) this.#tally.confined += 1;
		if (this.#known.has(this.#model.program.id)) this.#tally.programs += 1;
	}

	/** An account that can sign in, or that still has a token, possibly an ended one. */
	#nextMember(): Employee | undefined {
		const { chance, tokens } = this.#model;
		const members = Array.from(this.#known).flatMap((id) => this.#model.actor(id) ?? []);
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
		// A store that is deleted leaves everybody's reach.
		const withLive = (one: Employee | undefined) =>
			JSON.stringify({
				...one,
				stores: Object.entries(one?.stores ?? {}).filter(([id]) => model.stores.has(Number(id))),
			});
		const isSame = (one: Employee) => withLive(one) === withLive(before.get(one.id));
		const changed = Array.from(model.employees.values()).filter((one) => !isSame(one));
		const touched = [...stores, ...changed.flatMap((one) => [one.storeId, before.get(one.id)?.storeId ?? one.storeId])];
		const reach = this.#reach;
		if (reach && touched.some((storeId) => !reach.has(storeId))) {
			this.#refute(`somebody who reached ${[...reach].join()} touched ${touched.join()}`);
		}
		for (const id of this.#known) {
			const reached = reach && model.present(id) && model.reachOf(model.employees.get(id) ?? by);
			if (reached && !reached.isSubsetOf(reach)) this.#refute(`${id} reaches ${[...reached].join()}`);
		}
		this.#acceptSights(before);
		for (const one of changed) this.#acceptEnds(by, before.get(one.id), one);
		const after = (id: number) => model.permissionsOf(...(model.present(id)?.roleIds ?? []));
		if (!covers(held, after(by.id))) this.#refute(`${by.id} gained permissions by their own act`);
		for (const id of this.#known) if (!covers(this.#start, after(id))) this.#refute(`${id} is above the actor`);
	}

	#join(id: number, before: Employee | undefined): void {
		this.#joined.add(id);
		for (const [storeId, until] of before ? this.#model.sightsOf(before) : []) {
			const seen = this.#seen.get(storeId);
			if (seen === undefined || outlasts(until, seen)) this.#seen.set(storeId, until);
		}
	}

	/** Checks that none of the accounts sees people for longer than one of those that were there before. */
	#acceptSights(before: RightsModel['employees']): void {
		if (!this.#reach) return;
		const members = Array.from(this.#known).flatMap((id) => this.#model.present(id) ?? []);
		for (const { id } of members) if (!this.#joined.has(id)) this.#join(id, before.get(id));
		for (const member of members) {
			for (const [storeId, until] of this.#model.sightsOf(member)) {
				const seen = this.#seen.get(storeId);
				if (seen === undefined || outlasts(until, seen))
					this.#refute(`${member.id} sees store ${storeId} until ${until}, which was seen until ${seen}`);
			}
		}
	}

	/** Checks that somebody has no role for longer than the one who gave it may, and that the own ends are what they were. */
	#acceptEnds(by: Employee, before: Employee | undefined, after: Employee): void {
		if (after.isDeleted) return;
		const isOwn = by.id === after.id;
		const had = (id: number) => (isOwn || (!before?.isDeleted && before?.roleIds.includes(id))) && before?.ends;
		const endsOf = (id: number) => [id, after.ends[id] ?? null] as const;
		const longer = after.roleIds.map(endsOf).filter(([id, until]) => {
			const known = had(id);
			return !(known && id in known) || outlasts(until, known[id] ?? null);
		});
		if (isOwn && longer.some(([id]) => id in by.ends)) this.#refute(`${by.id} lengthened a role of their own`);
		if (isOwn && after.leavesOn !== by.leavesOn) this.#refute(`${by.id} changed their own last day`);
		if (!longer.every((binding) => this.#model.mayBind(by, binding)))
			this.#refute(`${after.id} has a role for too long`);
	}

	#nextCall(by: Employee): [Move, Call] {
		const { pick, below } = this.#model.chance;
		for (;;) {
			let move = by.mustChoose ? pick([choosePassword, list]) : pick(weighted);
			// They take two hashes, as long as some hundred other calls.
			if (!by.mustChoose && below(250) === 0) move = pick([changePassword, giveOneTimePassword]);
			const call = move(this.#model, by, this.#known);
			// Most calls are forbidden; allowed ones lead further.
			if (by.mustChoose || !isForbidden(this.#model, by, call) || below(6) === 0) return [move, call];
		}
	}

	#refute(what: string): never {
		throw new Error(`${what}\n${this.#history.join('\n')}`);
	}
}

/** A program has no account, and gives no password and no key. */
function isForbidden(model: RightsModel, by: Employee, call: Call): boolean {
	return (by.isProgram && isForPeople(call)) || model.isForbidden(by, call);
}

/** 403 just for those who may not; a broken business rule is what the tests of each feature are about. */
function statusesOf(model: RightsModel, by: Employee, { expected, ...call }: Call): readonly number[] {
	if (isForbidden(model, by, call) || (by.mustChoose && call.path !== ownPassword)) return [403];
	return expected ?? [200, 201, 204, 400, 404, 409];
}

const ownPassword = '/api/auth/me/password';
const manage: readonly PermissionCode[] = ['employee:manage'];
const view: readonly PermissionCode[] = ['employee:view:all', 'employee:view:store'];

/** A change of one employee; of nobody where they do not exist. */
function about(model: RightsModel, id: number, method: Call['method'], path: string, more: Partial<Call> = {}): Call {
	const target = model.present(id);
	const call: Call = { method, path: `/api/employees/${id}${path}`, codes: manage, body: more.body };
	return target ? { ...call, changes: [target], ...more } : call;
}

const statusOf = (active: boolean) => (active ? 'ACTIVE' : 'INACTIVE');

/** Of a program, the employee of the same id, who it is not. */
const anyMember = ({ chance }: RightsModel, known: Set<number>) => Math.abs(chance.pick([...known]));

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
		moves: storeId,
		gives: roleIds,
		binds: model.newTo(undefined, roleIds),
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

/** The answer tells the actor the password; their own it would not. */
function giveOneTimePassword(model: RightsModel, by: Employee, known: Set<number>): Call {
	const id = model.chance.below(4) === 0 ? by.id : model.anyEmployeeId();
	const done = ({ password }: Body) => learn(model, known, id, password);
	return about(model, id, 'POST', '/one-time-password', { notSelf: id, done });
}

function choosePassword(model: RightsModel, by: Employee): Call {
	const newPassword = `a-password-of-${model.chance.below(1000)}`;
	const body = { oldPassword: model.passwordOf(by.id), newPassword };
	const done = () => void model.passwords.set(by.id, newPassword);
	return { method: 'PATCH', path: ownPassword, body, codes: [], expected: [200], done };
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
	const leavesOn = maybe(6, () => model.chance.pick([null, ...ends]));
	const id = below(5) < 2 ? Math.abs(by.id) : model.anyEmployeeId();
	return about(model, id, 'PATCH', '', {
		body: { remark: 'changed', roleIds, storeId, phone, status, leavesOn },
		gives: roleIds ?? [],
		binds: model.newTo(model.present(id), roleIds ?? []),
		changesOwnEnd: id === by.id && leavesOn !== undefined && leavesOn !== by.leavesOn,
		stores: storeId === undefined ? [] : [storeId],
		moves: storeId,
		replaces: roleIds,
	});
}

function giveRole(model: RightsModel, _: Employee, known: Set<number>): Call {
	const [id, roleId] = [anyone(model, known), model.anyRoleId()];
	const until = model.chance.pick([undefined, null, ...ends].map((until) => ({ until }))).until;
	const target = model.present(id);
	const isSame = target?.roleIds.includes(roleId) && (target.ends[roleId] ?? null) === (until ?? null);
	const binds = isSame ? [] : [[roleId, until ?? null] as const];
	return about(model, id, 'POST', '/roles', { body: { roleId, until }, gives: [roleId], binds });
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
	if (!target.isDeleted) return { method: 'POST', path, codes: manage, stores };
	const binds = target.roleIds.map((roleId) => [roleId, target.ends[roleId] ?? null] as const);
	return { method: 'POST', path, codes: manage, stores, changes: [target], moves: stores[1], binds };
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
	const binds = changes.flatMap((target) => model.newTo(target, addRoleIds));
	const bindsOwn = changes.some(({ id }) => id === by.id) ? model.newTo(by, addRoleIds) : [];
	const done = ({ groupId }: Body) => {
		if (groupId !== null) model.groups.push({ id: groupId, by: by.id });
	};
	const stores = storeId === undefined ? [] : [storeId];
	return { ...call, changes, stores, moves: storeId, gives: addRoleIds, binds, bindsOwn, done };
}

/** Undoes what somebody did to many; only they may. What comes of it must give nobody too much. */
function undo(model: RightsModel, by: Employee): Call {
	const own = model.groups.filter((group) => group.by === by.id);
	// The newest one, which most likely nothing followed.
	const { id } = own.at(-1) ?? model.groups.at(-1) ?? { id: missing };
	const expected = own.length > 0 ? [200, 400, 403, 404, 409] : [404];
	return { method: 'POST', path: `/api/employees/changes/${id}/undo`, codes: manage, expected };
}

/** Gives or takes one store or area, and repeats the rest. */
function giveReach(model: RightsModel, _: Employee, known: Set<number>): Call {
	const { pick } = model.chance;
	const id = anyone(model, known);
	const target = model.present(id);
	const wanted = { stores: { ...target?.stores }, areas: { ...target?.areas } };
	const list = pick(['stores', 'areas'] as const);
	const given = list === 'stores' ? model.anyStoreId() : model.anyAreaId();
	const until = pick([undefined, null, ...ends].map((until) => ({ until }))).until;
	const isSame = target?.[list][given] === until;
	if (until === undefined) delete wanted[list][given];
	else wanted[list][given] = until;
	const body = {
		stores: Object.entries(wanted.stores).map(([storeId, until]) => ({ storeId: Number(storeId), until })),
		areas: Object.entries(wanted.areas).map(([areaId, until]) => ({ areaId: Number(areaId), until })),
	};
	return { ...about(model, id, 'PUT', '/reach', { body, reaches: isSame ? [] : [[list, given, until]] }), notSelf: id };
}

function setStatus(model: RightsModel, _: Employee, known: Set<number>): Call {
	const id = model.chance.below(3) === 0 ? model.anyEmployeeId() : anyMember(model, known);
	return about(model, id, 'PATCH', '/status', { body: { status: statusOf(model.chance.below(3) > 0) } });
}

const remove = (model: RightsModel): Call => about(model, model.anyEmployeeId(), 'DELETE', '');

/** From the store they work in, or from another: one that is out of reach is refused before anything is looked up. */
function removeFromStore(model: RightsModel): Call {
	const target = model.present(model.anyEmployeeId());
	const storeId = target && model.chance.below(3) > 0 ? target.storeId : model.anyStoreId();
	const path = `/api/stores/${storeId}/employees/${target?.id ?? missing}`;
	const changes = target?.storeId === storeId ? [target] : [];
	return { method: 'DELETE', path, codes: manage, stores: [storeId], changes };
}

function see(model: RightsModel): Call {
	const id = model.anyEmployeeId();
	const target = model.present(id);
	return { method: 'GET', path: `/api/employees/${id}`, codes: view, stores: target ? [target.storeId] : [] };
}

/** The list of a store or of the whole reach. Another store is replaced by the own one. */
function list(model: RightsModel, by: Employee): Call {
	const asked = model.anyStoreId();
	const reach = model.reachOf(by);
	const isWhole = reach !== undefined && model.chance.below(3) === 0;
	const one = reach?.has(asked) === false ? by.storeId : asked;
	const listed = isWhole ? reach : new Set([one]);
	const store = isWhole ? '' : `&storeId=${asked}`;
	const shown = Array.from(model.employees.values()).filter((each) => !each.isDeleted && listed.has(each.storeId));
	const ids = shown.map(({ id }) => id).toSorted((a, b) => a - b);
	const isWrong = ({ items }: Body) => items.map((one: Employee) => one.id).join() !== ids.join();
	const path = `/api/employees?pageSize=100${store}`;
	return { method: 'GET', path, codes: view, expected: [200], stores: [...listed], isWrong };
}

/** The own account, which lists its permissions. */
function own(model: RightsModel, by: Employee): Call {
	const held = model.permissionsOf(...by.roleIds);
	const permissions = everyCode.filter((code) => held.has(code)).join();
	const isWrong = (data: Body) => data.permissions.join() !== permissions;
	return { method: 'GET', path: '/api/auth/me', codes: [], expected: [200], isWrong };
}

/** None of them may grant permissions to a role, nor change a program. */
function grant(model: RightsModel, by: Employee): Call {
	const { pick, below } = model.chance;
	const roleId = below(2) === 0 ? model.anyRoleId() : (by.roleIds[0] ?? 1);
	const body = { permissions: [pick(everyCode), pick(everyCode)] };
	if (below(4) === 0) {
		const point = { code: newName('till:own_'), title: 'own' };
		return { method: 'POST', path: '/api/permissions/points', body: point, codes: ['permission:manage'] };
	}
	if (below(3) === 0) {
		const path = `/api/programs/${Math.abs(model.program.id)}`;
		const codes = ['permission:manage'] as const;
		return pick<Call>([
			{ method: 'PATCH', path, body: { permissions: everyCode, storeId: null }, codes },
			{ method: 'POST', path: `${path}/key?at=once`, codes },
			{ method: 'DELETE', path, codes },
		]);
	}
	return { method: 'PUT', path: `/api/permissions/roles/${roleId}`, body, codes: ['permission:manage'] };
}

/** Makes, changes or deletes a role or a store. What the new role is to hold is ignored. */
function administer(model: RightsModel): Call {
	const { pick, below } = model.chance;
	const role = { code: newName('own_'), name: 'own', permissions: codes };
	const areaId = pick([{ areaId: undefined }, { areaId: null }, { areaId: pick(model.areas) }]).areaId;
	const store = { name: newName('own_'), status: statusOf(below(6) > 0) };
	const roles = ['roles', 'role:manage', role, model.anyRoleId()] as const;
	const [noun, code, body, id] = pick([roles, ['stores', 'store:manage', store, model.anyStoreId()] as const]);
	const path = `/api/${noun}`;
	const storeId = model.anyStoreId();
	const regroup: Call = {
		...{ method: 'PATCH', path: `/api/stores/${storeId}`, body: { address: null, areaId }, codes: ['store:manage'] },
		regroups: areaId === undefined || areaId === model.areaOf.get(storeId) ? undefined : [storeId, areaId],
	};
	return pick<Call>([
		{ method: 'POST', path, body, codes: [code], done: (made) => void model.made[noun].add(made.id) },
		{ method: 'PATCH', path: `${path}/${id}`, body, codes: [code] },
		regroup,
		{ method: 'DELETE', path: `${path}/${id}`, codes: [code] },
	]);
}

const everyCode: readonly PermissionCode[] = [...codes, ...ownCodes];

/** What they try; each group so many times as often as the first. */
const moves: Readonly<Record<number, readonly Move[]>> = {
	1: [remove, removeFromStore, see, own],
	2: [hire, giveRole, giveReach, restore, list, grant],
	3: [reset, setStatus],
	5: [change, changeMany, undo, administer],
};
const weighted = Object.entries(moves).flatMap(([times, group]) => Array(Number(times)).fill(group).flat() as Move[]);
