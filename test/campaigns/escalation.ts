/**
 * Employees without `permission:manage` try to gain permissions. In random sequences they hire, promote, move, reset,
 * delete and restore everybody they can, singly and in bulk, sign in with every password they learn, and continue as that
 * person. Other tests check that the right calls are refused, such as each one that grants permissions. This one judges
 * only the outcome of a call.
 */
import type { PermissionCode } from '../../src/platform/vocabulary/permissions.ts';
import type { Body } from '../http.ts';
import { covers, type Held, missing } from '../matrix.ts';
import { codes, ownCodes } from '../oracle.ts';
import { expectStatus, initialPassword, newName, type World } from '../world.ts';
import { branch, type Campaign, counted, type Figures, forEachAtOnce, type Tools } from './campaign.ts';
import { type Employee, ends, isWithin, type Moment, RightsModel } from './rights-model.ts';

interface Scale {
	/** The number of models, each with five sequences, one after another. */
	worlds: number;
}

const sequencesEach = 5;
/** Most of them are refused. */
const callsEach = 40;
/** The number of parallel models. */
const lanes = 6;

export const escalation: Campaign<Scale> = {
	name: 'escalation',
	claim:
		'nobody has, after their own calls and those of accounts they can sign in to, what they did not have or were not ' +
		'given by somebody who has it for good',
	short: { worlds: 10 },
	full: { worlds: 2000 },
	shortSeed: 32,
	run: (scale, tools) => tools.onWorld((world) => hold(world, scale, tools)),
};

async function hold(world: World, { worlds }: Scale, { report, chance }: Tools): Promise<Figures> {
	for (const code of ownCodes) await world.addPoint(code);
	const tally: Tally = { sequences: 0, calls: 0, joined: 0, done: new Set() };
	const numbers = Array.from({ length: worlds }, (_, index) => ({ index, own: branch(chance) }));
	await forEachAtOnce(numbers, lanes, async ({ index, own }) => {
		const model = await RightsModel.build(world, own);
		for (let number = 0; number < sequencesEach; number += 1) {
			const actor = anyActor(model);
			if (!actor) break;
			await new Sequence(model, tally, actor).hold();
		}
		await world.removeRoles([...model.now.roles.keys()].filter((id) => id > 3));
		for (const id of model.areas) expectStatus(await world.asSuper('DELETE', `/api/areas/${id}`), 204);
		if (index % 200 === 199) report(`${counted(tally.sequences)} sequences`);
	});
	const never = new Set(weighted.filter((move) => !tally.done.has(move)).map(({ name }) => name));
	// A new code or route makes other sequences of the same seed.
	if (never.size > 0) throw new Error(`nobody ever did ${[...never]}: this proves too little. Try another shortSeed`);
	return {
		sequences: `${counted(tally.sequences)} of up to ${callsEach} calls, in ${counted(worlds)} worlds`,
		'calls, after each of which nobody had more than who gave it': counted(tally.calls),
		'accounts taken over or hired': counted(tally.joined),
	};
}

/** Totals of all sequences, and the moves that succeeded. */
interface Tally extends Record<'sequences' | 'calls' | 'joined', number> {
	done: Set<Move>;
}

interface Call {
	method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	path: string;
	body?: unknown;
	/** A CSV file in place of a body. */
	lines?: readonly string[];
	/** Whether people can lose a store of their reach whom the actor does not manage. */
	takesReach?: boolean;
	/** Records results that are not in the database. */
	done?(data: Body): void;
}

/** A call that an employee may try. `known` are the accounts whose passwords the actor knows. */
type Move = (model: RightsModel, by: Employee, known: Set<number>) => Call;

/** Picks a program or an employee to begin a sequence, mostly a manager: other sequences would prove little. */
function anyActor({ chance, now, program }: RightsModel): Employee | undefined {
	if (chance.below(4) === 0) return program;
	const holds = (one: Employee, code: PermissionCode) => now.heldBy(one).has(code);
	const people = Array.from(now.employees.values()).filter((one) => !one.isProgram && now.canSignIn(one));
	const able = people.filter((one) => !holds(one, 'permission:manage'));
	const managers = able.filter((one) => holds(one, 'employee:manage'));
	const chosen = managers.length > 0 && chance.below(5) > 0 ? managers : able;
	return chosen.length > 0 ? chance.pick(chosen) : undefined;
}

/** An actor and the accounts they take over, for some twenty calls. */
class Sequence {
	readonly #model: RightsModel;
	readonly #tally: Tally;
	/** Accounts whose passwords the actor knows, their own included. */
	readonly #known = new Set<number>();
	readonly #history: string[] = [];
	/** The actor's initial codes, and the stores whose employees they saw; undefined: all. */
	readonly #start: Held;
	readonly #reach: ReadonlySet<number> | undefined;

	constructor(model: RightsModel, tally: Tally, actor: Employee) {
		this.#model = model;
		this.#tally = tally;
		this.#known.add(actor.id);
		this.#start = model.now.heldBy(actor);
		this.#reach = model.now.reachOf(actor);
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
	}

	/** An account that can sign in, or that still has a token, possibly an ended one. */
	#nextMember(): Employee | undefined {
		const { chance, now, tokens } = this.#model;
		const members = Array.from(this.#known).flatMap((id) => now.employees.get(id) ?? []);
		const able = members.filter((member) => now.canSignIn(member));
		if (able.length === 0) return undefined;
		const cutOff = members.filter((member) => tokens.has(member.id) && !this.#model.isSignedIn(member));
		return cutOff.length > 0 && chance.below(15) === 0 ? chance.pick(cutOff) : chance.pick(able);
	}

	async #callAs(by: Employee): Promise<void> {
		const model = this.#model;
		const keepsOldToken = model.tokens.has(by.id) && model.chance.below(3) === 0;
		if (!model.isSignedIn(by) && model.now.canSignIn(by) && !keepsOldToken) await this.#signIn(by);
		const isSignedIn = model.isSignedIn(by);
		const move = this.#nextMove(by);
		const call = move(model, by, this.#known);
		// The clock moves on, to tell an earlier revocation from one by a deletion.
		await model.world.later();
		const token = model.tokens.get(by.id)?.token;
		const file = call.lines && { raw: call.lines.join('\n'), contentType: 'text/csv' };
		const { status, text, body } = await model.world.send(call.method, call.path, { token, body: call.body, ...file });
		this.#tally.calls += 1;
		const content = call.body ?? call.lines;
		const sent = content === undefined ? '' : ` ${JSON.stringify(content)}`;
		this.#history.push(`${by.id} ${call.method} ${call.path}${sent} → ${status}`);
		if (status >= 500 || isSignedIn === (status === 401)) this.#refute(`signed in: ${isSignedIn}, but got ${text}`);
		if (status >= 300) return;
		this.#tally.done.add(move);
		this.#accept(by, call, body?.data);
	}

	/** Signs in, with the password itself if it is a one-time one, which a deletion invalidates. */
	async #signIn({ id, phone, mustChoose, tokenVersion }: Employee): Promise<void> {
		const { world, tokens, passwords } = this.#model;
		const signIn = () => world.signIn(phone, passwords.get(id) ?? '');
		const token = mustChoose ? (await signIn()).body.data?.token : world.tokenOf(id);
		if (token) tokens.set(id, { token, version: tokenVersion });
	}

	#nextMove({ mustChoose }: Employee): Move {
		const { chance } = this.#model;
		if (mustChoose) return chance.pick([choosePassword, list]);
		return chance.pick(chance.below(250) === 0 ? slow : weighted);
	}

	/** Checks that nobody saw, changed or gained what they must not. */
	#accept(by: Employee, { method, takesReach = false, done }: Call, data: Body): void {
		const model = this.#model;
		const { now: before } = model;
		const reach = before.reachOf(by);
		const shown = [data, ...(data?.items ?? [])].flatMap((one) => one?.storeId ?? []);
		if (reach && shown.some((id) => !reach.has(id))) this.#refute(`${by.id} saw people of ${shown.join()}`);
		done?.(data);
		if (method === 'GET') return;
		model.look();
		for (const [id, held] of model.now.roles)
			if (!held.isSubsetOf(before.roles.get(id) ?? new Set())) this.#refute(`role ${id} gained permissions`);
		for (const one of model.now.employees.values()) {
			if (isChanged(model.now, before.employees.get(one.id), one, takesReach)) this.#acceptChange(before, by, one);
			this.#acceptSights(before, by, one);
			if (!one.isDeleted) this.#acceptPermissions(before, by, one);
		}
		for (const id of this.#known) this.#acceptMember(id);
	}

	/** Manage: a changed employee is in reach, and has nothing that the actor lacks. Nobody changes their own last day. */
	#acceptChange(before: Moment, by: Employee, one: Employee): void {
		const was = before.employees.get(one.id);
		if (was && !isBelow(before, was, by)) this.#refute(`${by.id} changed ${one.id}, who has more`);
		const isMoved = was?.storeId !== one.storeId;
		if (isMoved && before.reachOf(by)?.has(one.storeId) === false)
			this.#refute(`${by.id} brought ${one.id} out of their reach`);
		if (by.id === one.id && one.leavesOn !== by.leavesOn) this.#refute(`${by.id} changed their own last day`);
	}

	/** Give: new or longer sight of a store's employees comes from an actor who sees them permanently. */
	#acceptSights(before: Moment, by: Employee, one: Employee): void {
		const seen = earlierOf(before, one, (was) => before.seenUntil(was));
		const given = before.seenUntil(by);
		for (const [storeId, until] of this.#model.now.seenUntil(one)) {
			if (!before.stores.has(storeId) || isWithin(until, seen?.get(storeId))) continue;
			if (given.get(storeId) !== null) this.#refute(`${one.id} sees store ${storeId} until ${until}`);
		}
	}

	/** Give: a new or longer permission comes from an actor who holds it permanently. */
	#acceptPermissions(before: Moment, by: Employee, one: Employee): void {
		const { now } = this.#model;
		const asked = by.id === one.id ? now.heldBy(one) : now.rankOf(one);
		for (const code of asked) {
			const until = now.heldUntil(one, code) ?? null;
			const had = earlierOf(before, one, (was) => before.heldUntil(was, code));
			if (isWithin(until, had)) continue;
			if (before.heldUntil(by, code) !== null) this.#refute(`${one.id} holds ${code} until ${until}`);
		}
	}

	/** Checks that an account that the actor took over holds and sees no more than the actor did. */
	#acceptMember(id: number): void {
		const { now } = this.#model;
		const member = now.present(id);
		if (!member) return;
		if (!covers(this.#start, now.rankOf(member))) this.#refute(`${id} has more than the actor`);
		const seen = [...now.seenUntil(member).keys()];
		if (this.#reach && seen.some((storeId) => !this.#reach?.has(storeId))) this.#refute(`${id} sees ${seen.join()}`);
	}

	#refute(what: string): never {
		throw new Error(`${what}\n${this.#history.join('\n')}`);
	}
}

/**
 * Returns whether `one` has no built-in permission that `by` lacks, works in their reach, and sees nobody outside it.
 * Somebody deleted has no permissions.
 */
function isBelow(now: Moment, one: Employee, by: Employee): boolean {
	if (one.id === by.id) return true;
	const reach = now.reachOf(by);
	const places = [one.storeId, ...now.seenUntil(one).keys()];
	return (one.isDeleted || covers(now.heldBy(by), now.rankOf(one))) && places.every((id) => reach?.has(id) ?? true);
}

/** Returns an employee's rights before a change. None if they were deleted, or their last day was removed or put off. */
function earlierOf<T>(before: Moment, one: Employee, had: (was: Employee) => T): T | undefined {
	const was = before.present(one.id);
	return was && isWithin(one.leavesOn, was.leavesOn) ? had(was) : undefined;
}

/** Returns whether a call changed an employee. A deleted store leaves everybody's reach, and a closed one can. */
function isChanged({ stores }: Moment, was: Employee | undefined, one: Employee, takesReach: boolean): boolean {
	const stays = (id: string) => stores.has(Number(id)) && (!takesReach || Number(id) in one.stores);
	const [earlier, later] = [was, one].map((each) =>
		JSON.stringify({ ...each, stores: Object.entries(each?.stores ?? {}).filter(([id]) => stays(id)) }),
	);
	return earlier !== later;
}

/** A call about one employee. */
function about(id: number, method: Call['method'], path = '', more: Pick<Call, 'body' | 'done'> = {}): Call {
	return { method, path: `/api/employees/${id}${path}`, ...more };
}

const statusOf = (active: boolean) => (active ? 'ACTIVE' : 'INACTIVE');

/** For a program, the unrelated employee with the same id. */
const anyMember = ({ chance }: RightsModel, known: Set<number>) => Math.abs(chance.pick([...known]));

const anyone = (model: RightsModel, known: Set<number>) =>
	model.chance.below(2) === 0 ? anyMember(model, known) : model.anyEmployeeId();

/** Hires an employee, whose password the actor knows. */
function hire(model: RightsModel, _: Employee, known: Set<number>): Call {
	const [storeId, roleIds, phone] = [model.anyStoreId(), model.someRoleIds(), model.anyPhone()];
	return {
		method: 'POST',
		path: '/api/employees',
		body: { storeId, name: 'hired', phone, roleIds, status: statusOf(model.chance.below(5) > 0) },
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
	return about(id, 'PATCH', '/password/reset', { done: () => learn(model, known, id, initialPassword) });
}

/** The answer shows the password. */
function giveOneTimePassword(model: RightsModel, by: Employee, known: Set<number>): Call {
	const id = model.chance.below(4) === 0 ? by.id : model.anyEmployeeId();
	const done = ({ password }: Body) => learn(model, known, id, password);
	return about(id, 'POST', '/one-time-password', { done });
}

function choosePassword(model: RightsModel, by: Employee): Call {
	const newPassword = `a-password-of-${model.chance.below(1000)}`;
	const body = { oldPassword: model.passwordOf(by.id), newPassword };
	const done = () => void model.passwords.set(by.id, newPassword);
	return { method: 'PATCH', path: '/api/auth/me/password', body, done };
}

/** Uses the old password if the actor knows it, otherwise a guess. */
function changePassword(model: RightsModel, _: Employee, known: Set<number>): Call {
	const id = anyone(model, known);
	const newPassword = `a-password-of-${model.chance.below(1000)}`;
	return about(id, 'PATCH', '/password', {
		body: { oldPassword: known.has(id) ? model.passwordOf(id) : 'a-wrong-guess', newPassword },
		done: () => void model.passwords.set(id, newPassword),
	});
}

/** Changes some of store, roles, phone and status at once, sometimes the actor's own. */
function change(model: RightsModel, by: Employee): Call {
	const { below } = model.chance;
	const maybe = <T>(oneIn: number, value: () => T) => (below(oneIn) === 0 ? value() : undefined);
	const [roleIds, storeId, phone] = [maybe(2, model.someRoleIds), maybe(4, model.anyStoreId), maybe(5, model.anyPhone)];
	const status = maybe(8, () => statusOf(below(2) === 0));
	const leavesOn = maybe(6, () => model.chance.pick([null, ...ends]));
	const id = below(5) < 2 ? Math.abs(by.id) : model.anyEmployeeId();
	return about(id, 'PATCH', '', { body: { remark: 'changed', roleIds, storeId, phone, status, leavesOn } });
}

function assignRole(model: RightsModel, _: Employee, known: Set<number>): Call {
	const until = model.chance.pick([{}, ...[null, ...ends].map((until) => ({ until }))]);
	return about(anyone(model, known), 'POST', '/roles', { body: { roleId: model.anyRoleId(), ...until } });
}

/** Restores an employee with their former roles, into their store or another. */
function restore(model: RightsModel): Call {
	const gone = Array.from(model.now.employees.values()).filter(({ isDeleted }) => isDeleted);
	const id = gone.length > 0 && model.chance.below(5) > 0 ? model.chance.pick(gone).id : model.anyEmployeeId();
	const query = model.chance.below(3) === 0 ? `?storeId=${model.anyStoreId()}` : '';
	return about(id, 'POST', `/restore${query}`);
}

/** Changes up to three employees in one call, by the rules of single changes: all or none. */
function changeMany(model: RightsModel, by: Employee): Call {
	const { pick, below } = model.chance;
	const ids = [...new Set(Array.from({ length: 1 + below(3) }, model.anyEmployeeId))];
	const roleIds = [model.anyRoleId(), model.anyRoleId()];
	const change = pick<object>([
		{ storeId: model.anyStoreId() },
		{ status: statusOf(below(2) === 0) },
		{ addRoleIds: roleIds },
		{ addRoleIds: roleIds.slice(1) },
		{ removeRoleIds: roleIds },
		{ delete: true },
	]);
	return { method: 'POST', path: '/api/employees/changes', body: { ids, change }, done: noteGroup(model, by) };
}

/** Notes a change that the actor can undo. */
const noteGroup =
	(model: RightsModel, by: Employee) =>
	({ groupId }: Body): void => {
		if (groupId != null) model.groups.push({ id: groupId, by: by.id });
	};

/** Moves everybody in a store to another one. */
function close(model: RightsModel, by: Employee): Call {
	// biome-ignore lint/suspicious/noThenProperty: a field of the API, and its text is no function.
	const body = { moveTo: model.anyStoreId(), then: 'DISABLE' };
	const path = `/api/stores/${model.anyStoreId()}/close`;
	return { method: 'POST', path, body, takesReach: true, done: noteGroup(model, by) };
}

/** Hires, changes or restores somebody by a file, sometimes the actor. */
function importOne(model: RightsModel, by: Employee, known: Set<number>): Call {
	const { now, world, chance } = model;
	const one = now.employees.get(chance.pick([anyone(model, known), Math.abs(by.id), missing]));
	const phone = one?.phone ?? model.anyPhone();
	const codes = model
		.someRoleIds()
		.map((id) => world.rows('select code from roles where id = ?', id)[0]?.code ?? 'none');
	const storeId = chance.below(2) === 0 ? (one ?? by).storeId : model.anyStoreId();
	return {
		method: 'POST',
		path: `/api/employees/import?mode=upsert${one?.isDeleted ? `&restore=${one.id}` : ''}`,
		lines: ['姓名,手机号,门店,角色', ['file', phone, storeId, codes.join('、')].join()],
		done(data) {
			noteGroup(model, by)(data);
			const [{ id } = { id: missing }] = world.rows(
				'select id from employees where phone = ? and deleted_at is null',
				phone,
			);
			if (!model.made.employees.has(id)) known.add(id);
			model.made.employees.add(id);
		},
	};
}

/** Undoes the actor's own bulk change, which must give nobody too much. */
function undo(model: RightsModel, by: Employee): Call {
	const own = model.groups.filter((group) => group.by === by.id);
	// The newest change, because most likely nothing followed.
	const { id } = own.at(-1) ?? model.groups.at(-1) ?? { id: missing };
	const others = model.chance.below(3) === 0 ? '?others=true' : '';
	return { method: 'POST', path: `/api/employees/changes/${id}/undo${others}` };
}

/** Grants or revokes one store or area, and repeats the rest. */
function giveReach(model: RightsModel, _: Employee, known: Set<number>): Call {
	const { pick } = model.chance;
	const id = anyone(model, known);
	const target = model.now.present(id);
	const wanted = { stores: { ...target?.stores }, areas: { ...target?.areas } };
	const list = pick(['stores', 'areas'] as const);
	const given = list === 'stores' ? model.anyStoreId() : model.anyAreaId();
	const until = pick([undefined, null, ...ends].map((until) => ({ until }))).until;
	if (until === undefined) delete wanted[list][given];
	else wanted[list][given] = until;
	const body = {
		stores: Object.entries(wanted.stores).map(([storeId, until]) => ({ storeId: Number(storeId), until })),
		areas: Object.entries(wanted.areas).map(([areaId, until]) => ({ areaId: Number(areaId), until })),
	};
	return about(id, 'PUT', '/reach', { body });
}

function setStatus(model: RightsModel, _: Employee, known: Set<number>): Call {
	const id = model.chance.below(3) === 0 ? model.anyEmployeeId() : anyMember(model, known);
	return about(id, 'PATCH', '/status', { body: { status: statusOf(model.chance.below(3) > 0) } });
}

const remove = (model: RightsModel): Call => about(model.anyEmployeeId(), 'DELETE');

/** Removes an employee from their store or another. */
function removeFromStore(model: RightsModel): Call {
	const target = model.now.present(model.anyEmployeeId());
	const storeId = target && model.chance.below(3) > 0 ? target.storeId : model.anyStoreId();
	return { method: 'DELETE', path: `/api/stores/${storeId}/employees/${target?.id ?? missing}` };
}

const see = (model: RightsModel): Call => about(model.anyEmployeeId(), 'GET');

/** Lists a store, or the whole reach. */
function list(model: RightsModel): Call {
	const store = model.chance.below(3) === 0 ? '' : `&storeId=${model.anyStoreId()}`;
	return { method: 'GET', path: `/api/employees?pageSize=100${store}` };
}

/** Makes, changes or deletes a role or a store. The codes of a new role are ignored. */
function administer(model: RightsModel): Call {
	const { pick, below } = model.chance;
	const role = { code: newName('own_'), name: 'own', permissions: codes };
	const areaId = pick([{ areaId: undefined }, { areaId: null }, { areaId: pick(model.areas) }]).areaId;
	const store = { name: newName('own_'), status: statusOf(below(6) > 0) };
	const [noun, body, id] = pick([
		['roles', role, model.anyRoleId()] as const,
		['stores', store, model.anyStoreId()] as const,
	]);
	const path = `/api/${noun}`;
	const storeId = model.anyStoreId();
	return pick<Call>([
		{ method: 'POST', path, body, done: (made) => void model.made[noun].add(made.id) },
		{ method: 'PATCH', path: `${path}/${id}`, body },
		{ method: 'PATCH', path: `/api/stores/${storeId}`, body: { address: null, areaId } },
		{ method: 'DELETE', path: `${path}/${id}` },
	]);
}

/** The calls to try. The key is the weight of a group. */
const moves: Readonly<Record<number, readonly Move[]>> = {
	1: [remove, removeFromStore, see],
	2: [hire, assignRole, giveReach, restore, list, close],
	3: [reset, setStatus],
	5: [change, changeMany, undo, administer],
};
const weighted = Object.entries(moves).flatMap(([times, group]) => Array(Number(times)).fill(group).flat() as Move[]);
/** Two hashes, or a process for the file: each takes as long as some hundred other calls. */
const slow: readonly Move[] = [changePassword, giveOneTimePassword, importOne, importOne];
