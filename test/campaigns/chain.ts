/**
 * A client's own part of the chain: the stores, roles and employees it made, and random changes to them through every
 * route that changes something. The outcome of each change is known exactly, so it can be compared with the database.
 */

import type { Answer } from '../http.ts';
import type { Server } from '../server.ts';
import { initialPassword } from '../world.ts';
import type { Chance } from './chance.ts';

type Status = 'ACTIVE' | 'INACTIVE';

/** What is true of a store. */
export interface StoreFacts {
	name: string;
	address: string | null;
	phone: string | null;
	status: Status;
	deleted: boolean;
}

/** What is true of a role; its permissions in alphabetical order. */
export interface RoleFacts {
	code: string;
	name: string;
	description: string | null;
	permissions: readonly string[];
	deleted: boolean;
}

/** What is true of an employee; role ids ascending. */
export interface EmployeeFacts {
	storeId: number;
	name: string;
	phone: string;
	status: Status;
	remark: string | null;
	roleIds: readonly number[];
	/** Raised by every change that ends tokens. */
	tokenVersion: number;
	password: string;
	deleted: boolean;
}

interface Kinds {
	store: StoreFacts;
	role: RoleFacts;
	employee: EmployeeFacts;
}
type Kind = keyof Kinds;

/** What a change makes of one thing; without an id the thing is new. */
export type Effect = { [K in Kind]: { kind: K; id: number | undefined; facts: Kinds[K] } }[Kind];

/** A request that should change something, or be refused. */
export interface Wish {
	method: string;
	path: string;
	body?: unknown;
	/** How it is answered, unless a rival was first. */
	status: number;
	/** What it changes when it is answered so; empty for a refusal. */
	effects: readonly Effect[];
	/** It waits for an argon2 hash or two. */
	hashes?: true;
}

/** The wish that was fulfilled, if any, with the effects it had. */
export interface Outcome {
	fulfilled: Wish | undefined;
	effects: readonly Effect[];
}

const nothing: Outcome = { fulfilled: undefined, effects: [] };

/** One thing in a form that can be compared: what it is called, and what is true of it. */
export type Lines = Map<string, string>;

/** What a thing is called among {@link Lines}. */
export function lineName(kind: Kind, id: number): string {
	return `${kind} ${id}`;
}

/** What is true of a thing, as its rows show it: of a password they show only whether it is the initial one. */
function lineOf(effect: Effect): string {
	const { kind, facts } = effect;
	if (kind !== 'employee') return rowLine({ ...facts });
	const { password, ...rest } = facts;
	return rowLine({ ...rest, initialPassword: password === initialPassword });
}

/** The same text for the same values, in any order. */
export function rowLine(values: Record<string, unknown>): string {
	return JSON.stringify(values, Object.keys(values).sort());
}

/** Permission sets that include their dependencies, in alphabetical order. */
const permissionSets = [
	[],
	['store:view'],
	['store:manage', 'store:view'],
	['employee:view:store', 'role:view'],
	['employee:manage', 'employee:view:all', 'permission:manage', 'permission:view'],
	['role:manage', 'role:view', 'store:manage', 'store:view'],
	['employee:manage', 'employee:view:store', 'store:view'],
] as const;

/** Built-in roles without permissions by default. */
const tillRoles = [3, 4, 5];

/** An id that nothing has. */
const missing = 999_999_999;

/** How many live things of each kind a client has at most, so that long campaigns do not slow down. */
const most: Record<Kind, number> = { store: 6, role: 8, employee: 50 };

/** A client's part of the chain. */
export class Owner {
	readonly random: Chance;
	readonly store = new Map<number, StoreFacts>();
	readonly role = new Map<number, RoleFacts>();
	readonly employee = new Map<number, EmployeeFacts>();
	readonly #live: Record<Kind, Set<number>> = { store: new Set(), role: new Set(), employee: new Set() };
	readonly #digit: number;
	readonly #makers: readonly Maker[];
	#count = 0;

	/** `digit`, 0 to 9, is part of every name, so that no two clients ever use the same. */
	constructor(digit: number, random: Chance, { hashing = true } = {}) {
		this.#digit = digit;
		this.random = random;
		this.#makers = makers.filter(({ hashes }) => hashing || !hashes);
	}

	/** What to send next: one wish, or rivals that are sent at once and of which exactly one can be fulfilled. */
	next(): readonly Wish[] {
		const total = this.#makers.reduce((sum, { weight }) => sum + weight, 0);
		for (;;) {
			let left = this.random.random() * total;
			const maker = this.#makers.find(({ weight }) => {
				left -= weight;
				return left < 0;
			});
			const wishes = maker?.make(this);
			if (wishes) return maker?.hashes ? wishes.map((wish) => ({ ...wish, hashes: true })) : wishes;
		}
	}

	/** A single wish that changes something. */
	nextChange(): Wish {
		for (;;) {
			const [wish, rival] = this.next();
			if (wish && !rival && wish.effects.length > 0) return wish;
		}
	}

	/** Records what was changed; by now everything has an id. */
	apply({ effects }: Outcome): void {
		for (const effect of effects) {
			const { kind, id, facts } = effect;
			if (id === undefined) throw new Error(`nothing is known of the id of ${JSON.stringify(facts)}`);
			(this[kind] as Map<number, Kinds[Kind]>).set(id, facts);
			if (facts.deleted) this.#live[kind].delete(id);
			else this.#live[kind].add(id);
		}
	}

	/** Everything it ever made, deleted things too. */
	lines(): Lines {
		const lines: Lines = new Map();
		for (const [id, facts] of this.store) lines.set(lineName('store', id), lineOf({ kind: 'store', id, facts }));
		for (const [id, facts] of this.role) lines.set(lineName('role', id), lineOf({ kind: 'role', id, facts }));
		for (const [id, facts] of this.employee) {
			lines.set(lineName('employee', id), lineOf({ kind: 'employee', id, facts }));
		}
		return lines;
	}

	/** The live things of a kind. */
	live<K extends Kind>(kind: K): [id: number, facts: Kinds[K]][] {
		return [...this.#live[kind]].map((id) => [id, this.get(kind, id)]);
	}

	/** What is true of something it made. */
	get<K extends Kind>(kind: K, id: number): Kinds[K] {
		const facts = (this[kind] as unknown as ReadonlyMap<number, Kinds[K]>).get(id);
		if (facts === undefined) throw new Error(`there is no ${kind} ${id}`);
		return facts;
	}

	/** Whether it may make another one of a kind. */
	hasRoom(kind: Kind): boolean {
		return this.#live[kind].size < most[kind];
	}

	/** Any of some things, or undefined when there are none. */
	any<T>(things: readonly T[]): T | undefined {
		return things.length === 0 ? undefined : this.random.pick(things);
	}

	/** `true` in this share of all cases. */
	happens(share: number): boolean {
		return this.random.random() < share;
	}

	/** A number that was never used before, with the client's own digit in front: nine digits. */
	number(): string {
		this.#count += 1;
		return `${this.#digit}${String(this.#count).padStart(8, '0')}`;
	}
}

/** Makes wishes of one sort, where there is something to wish for. */
interface Maker {
	weight: number;
	make(owner: Owner): readonly Wish[] | undefined;
	hashes?: true;
}

const makers: readonly Maker[] = [
	{ weight: 6, make: openStore },
	{ weight: 6, make: editStore },
	{ weight: 3, make: switchStore },
	{ weight: 3, make: deleteStore },
	{ weight: 6, make: inventRole },
	{ weight: 5, make: editRole },
	{ weight: 10, make: grant },
	{ weight: 3, make: deleteRole },
	{ weight: 25, make: hire },
	{ weight: 20, make: editEmployee },
	{ weight: 8, make: switchEmployee },
	{ weight: 6, make: dismiss },
	{ weight: 6, make: dismissFromStore },
	{ weight: 5, make: resetPassword },
	{ weight: 8, make: ask },
	{ weight: 4, make: compete },
	{ weight: 0.7, make: changePassword, hashes: true },
	{ weight: 0.2, make: mistakePassword, hashes: true },
];

function openStore(owner: Owner): Wish[] | undefined {
	return owner.hasRoom('store') ? [storeWish(owner, `店 ${owner.number()}`)] : undefined;
}

function storeWish(owner: Owner, name: string): Wish {
	const address = owner.happens(0.5) ? `人民路 ${owner.number()} 号` : null;
	const facts: StoreFacts = { name, address, phone: null, status: 'ACTIVE', deleted: false };
	return {
		method: 'POST',
		path: '/api/stores',
		body: { name, address },
		status: 201,
		effects: [{ kind: 'store', id: undefined, facts }],
	};
}

function editStore(owner: Owner): Wish[] | undefined {
	const store = owner.any(owner.live('store'));
	if (!store) return undefined;
	const [id, before] = store;
	const fields = owner.happens(0.5) ? { name: `改名 ${owner.number()}` } : { phone: owner.number(), address: null };
	const effects: Effect[] = [{ kind: 'store', id, facts: { ...before, ...fields } }];
	return [{ method: 'PATCH', path: `/api/stores/${id}`, body: fields, status: 200, effects }];
}

function switchStore(owner: Owner): Wish[] | undefined {
	const store = owner.any(owner.live('store'));
	if (!store) return undefined;
	const [id, before] = store;
	const status = before.status === 'ACTIVE' ? 'INACTIVE' : 'ACTIVE';
	const effects: Effect[] = [{ kind: 'store', id, facts: { ...before, status } }];
	return [{ method: 'PATCH', path: `/api/stores/${id}`, body: { status }, status: 200, effects }];
}

function deleteStore(owner: Owner): Wish[] | undefined {
	const store = owner.any(owner.live('store').filter(([id]) => peopleOf(owner, id).length === 0));
	if (!store) return undefined;
	const [id, before] = store;
	const effects: Effect[] = [{ kind: 'store', id, facts: { ...before, deleted: true } }];
	return [{ method: 'DELETE', path: `/api/stores/${id}`, status: 204, effects }];
}

function peopleOf(owner: Owner, storeId: number): [id: number, facts: EmployeeFacts][] {
	return owner.live('employee').filter(([, facts]) => facts.storeId === storeId);
}

function withoutTokens(facts: EmployeeFacts): EmployeeFacts {
	return { ...facts, tokenVersion: facts.tokenVersion + 1 };
}

function inventRole(owner: Owner): Wish[] | undefined {
	return owner.hasRoom('role') ? [roleWish(owner, `role_${owner.number()}`)] : undefined;
}

function roleWish(owner: Owner, code: string): Wish {
	const description = owner.happens(0.5) ? `说明 ${owner.number()}` : null;
	const fields = { code, name: `角色 ${owner.number()}`, description };
	const facts: RoleFacts = { ...fields, permissions: [], deleted: false };
	return {
		method: 'POST',
		path: '/api/roles',
		body: fields,
		status: 201,
		effects: [{ kind: 'role', id: undefined, facts }],
	};
}

function editRole(owner: Owner): Wish[] | undefined {
	const role = owner.any(owner.live('role'));
	if (!role) return undefined;
	const [id, before] = role;
	const fields = owner.happens(0.3)
		? { code: `code_${owner.number()}`, description: null }
		: { name: `改名 ${owner.number()}` };
	const effects: Effect[] = [{ kind: 'role', id, facts: { ...before, ...fields } }];
	return [{ method: 'PATCH', path: `/api/roles/${id}`, body: fields, status: 200, effects }];
}

function grant(owner: Owner): Wish[] | undefined {
	const role = owner.any(owner.live('role'));
	if (!role) return undefined;
	const [id, before] = role;
	const others = permissionSets.filter((set) => set.join() !== before.permissions.join());
	const permissions = owner.random.pick(others);
	const effects: Effect[] = [{ kind: 'role', id, facts: { ...before, permissions } }];
	return [{ method: 'PUT', path: `/api/permissions/roles/${id}`, body: { permissions }, status: 200, effects }];
}

function deleteRole(owner: Owner): Wish[] | undefined {
	const role = owner.any(owner.live('role').filter(([id]) => !isBound(owner, id)));
	if (!role) return undefined;
	const [id, before] = role;
	const effects: Effect[] = [{ kind: 'role', id, facts: { ...before, permissions: [], deleted: true } }];
	return [{ method: 'DELETE', path: `/api/roles/${id}`, status: 204, effects }];
}

function isBound(owner: Owner, roleId: number): boolean {
	return owner.live('employee').some(([, { roleIds }]) => roleIds.includes(roleId));
}

function hire(owner: Owner): Wish[] | undefined {
	const storeId = anyOpenStore(owner);
	if (storeId === undefined || !owner.hasRoom('employee')) return undefined;
	return [employeeWish(owner, storeId, `13${owner.number()}`)];
}

function anyOpenStore(owner: Owner): number | undefined {
	return owner.any(owner.live('store').filter(([, { status }]) => status === 'ACTIVE'))?.[0];
}

function employeeWish(owner: Owner, storeId: number, phone: string): Wish {
	const status: Status = owner.happens(0.1) ? 'INACTIVE' : 'ACTIVE';
	const fields = { storeId, name: `员工 ${owner.number()}`, phone, status, remark: null, roleIds: someRoles(owner) };
	const facts: EmployeeFacts = { ...fields, tokenVersion: 1, password: initialPassword, deleted: false };
	return {
		method: 'POST',
		path: '/api/employees',
		body: fields,
		status: 201,
		effects: [{ kind: 'employee', id: undefined, facts }],
	};
}

/** Up to five roles, its own and built-in ones. */
function someRoles(owner: Owner): number[] {
	const roles = [...owner.live('role').map(([id]) => id), ...tillRoles];
	const chosen = Array.from({ length: owner.random.below(6) }, () => owner.random.pick(roles));
	return [...new Set(chosen)].sort((a, b) => a - b);
}

function editEmployee(owner: Owner): Wish[] | undefined {
	const employee = owner.any(owner.live('employee'));
	if (!employee) return undefined;
	const [id, before] = employee;
	const fields = {
		...(owner.happens(0.5) && { name: `改名 ${owner.number()}` }),
		...(owner.happens(0.2) && { phone: `13${owner.number()}` }),
		...(owner.happens(0.2) && { storeId: anyOpenStore(owner) ?? before.storeId }),
		...(owner.happens(0.6) && { roleIds: someRoles(owner) }),
		remark: `备注 ${owner.number()}`,
	};
	const effects: Effect[] = [{ kind: 'employee', id, facts: { ...before, ...fields } }];
	return [{ method: 'PATCH', path: `/api/employees/${id}`, body: fields, status: 200, effects }];
}

function switchEmployee(owner: Owner): Wish[] | undefined {
	const employee = owner.any(owner.live('employee'));
	if (!employee) return undefined;
	const [id, before] = employee;
	const status = before.status === 'ACTIVE' ? 'INACTIVE' : 'ACTIVE';
	const path = owner.happens(0.7) ? `/api/employees/${id}/status` : `/api/employees/${id}`;
	const effects: Effect[] = [{ kind: 'employee', id, facts: { ...before, status } }];
	return [{ method: 'PATCH', path, body: { status }, status: 200, effects }];
}

function dismiss(owner: Owner): Wish[] | undefined {
	const employee = anyToDismiss(owner);
	return employee && [dismissal(`/api/employees/${employee[0]}`, employee)];
}

function dismissFromStore(owner: Owner): Wish[] | undefined {
	const employee = anyToDismiss(owner);
	return employee && [dismissal(`/api/stores/${employee[1].storeId}/employees/${employee[0]}`, employee)];
}

/** Some employees stay, so that there is always one to change. */
function anyToDismiss(owner: Owner): [id: number, facts: EmployeeFacts] | undefined {
	const people = owner.live('employee');
	return people.length > 5 ? owner.any(people) : undefined;
}

function dismissal(path: string, [id, before]: [id: number, facts: EmployeeFacts]): Wish {
	const facts: EmployeeFacts = { ...withoutTokens(before), status: 'INACTIVE', roleIds: [], deleted: true };
	return { method: 'DELETE', path, status: 204, effects: [{ kind: 'employee', id, facts }] };
}

function resetPassword(owner: Owner): Wish[] | undefined {
	const employee = owner.any(owner.live('employee'));
	if (!employee) return undefined;
	const [id, before] = employee;
	const effects: Effect[] = [{ kind: 'employee', id, facts: { ...withoutTokens(before), password: initialPassword } }];
	return [{ method: 'PATCH', path: `/api/employees/${id}/password/reset`, status: 200, effects }];
}

function changePassword(owner: Owner): Wish[] | undefined {
	const employee = owner.any(owner.live('employee'));
	if (!employee) return undefined;
	const [id, before] = employee;
	const newPassword = `password-${owner.number()}`;
	const effects: Effect[] = [{ kind: 'employee', id, facts: { ...withoutTokens(before), password: newPassword } }];
	const body = { oldPassword: before.password, newPassword };
	return [{ method: 'PATCH', path: `/api/employees/${id}/password`, body, status: 200, effects }];
}

function mistakePassword(owner: Owner): Wish[] | undefined {
	const employee = owner.any(owner.live('employee'));
	if (!employee) return undefined;
	const body = { oldPassword: 'not-the-old-password', newPassword: `password-${owner.number()}` };
	return [{ method: 'PATCH', path: `/api/employees/${employee[0]}/password`, body, status: 400, effects: [] }];
}

/** A request that must be refused although parts of it are possible. */
function ask(owner: Owner): Wish[] | undefined {
	const employee = owner.any(owner.live('employee'));
	if (!employee) return undefined;
	const [id, { phone, storeId, roleIds }] = employee;
	const refused = (method: string, path: string, status: number, body?: unknown): Wish => ({
		method,
		path,
		status,
		effects: [],
		...(body !== undefined && { body }),
	});
	const name = `不该有 ${owner.number()}`;
	const [role = 3] = roleIds;
	return [
		owner.random.pick([
			refused('POST', '/api/employees', 400, { storeId: missing, name, phone: `13${owner.number()}` }),
			refused('PATCH', `/api/employees/${id}`, 400, { name, roleIds: [role, missing] }),
			refused('PATCH', `/api/employees/${id}`, 400, { name, roleIds: [], storeId: missing }),
			refused('PATCH', `/api/employees/${missing}`, 404, { name }),
			refused('DELETE', `/api/stores/${storeId}`, 409),
			refused('DELETE', `/api/roles/${role}`, 409),
			refused('DELETE', `/api/stores/${missing}/employees/${id}`, 404),
			refused('PUT', `/api/permissions/roles/${role}`, 400, { permissions: ['store:view', 'no:such'] }),
			// Last: in a disabled store the store is refused before the phone is.
			...(owner.get('store', storeId).status === 'ACTIVE'
				? [refused('POST', '/api/employees', 409, { storeId, name, phone, roleIds })]
				: []),
		]),
	];
}

/** Two requests at once for one phone, name or code. */
function compete(owner: Owner): Wish[] | undefined {
	const storeId = anyOpenStore(owner);
	if (storeId === undefined) return undefined;
	const number = owner.number();
	return owner.random.pick([
		[employeeWish(owner, storeId, `19${number}`), employeeWish(owner, storeId, `19${number}`)],
		[storeWish(owner, `抢 ${number}`), storeWish(owner, `抢 ${number}`)],
		[roleWish(owner, `rival_${number}`), roleWish(owner, `rival_${number}`)],
	]);
}

/** Sends a wish. */
export function send(server: Server, token: string, { method, path, body }: Wish): Promise<Answer> {
	return server.send(method, path, { token, ...(body !== undefined && { body }) });
}

/**
 * What may have come of wishes: the one thing that was acknowledged, or several where answers are missing.
 * @throws Error when an answer is not what it has to be.
 */
export function possibleOutcomes(wishes: readonly Wish[], answers: readonly (Answer | undefined)[]): Outcome[] {
	const fulfilled: Outcome[] = [];
	const undecided: Outcome[] = [];
	for (const [index, wish] of wishes.entries()) {
		const answer = answers[index];
		if (answer === undefined) undecided.push({ fulfilled: wish, effects: wish.effects });
		else if (answer.status === wish.status) fulfilled.push({ fulfilled: wish, effects: identified(wish, answer) });
		else if (wishes.length === 1 || answer.status !== 409) throw new Error(unexpected(wish, answer));
	}
	if (fulfilled.length > 1) throw new Error(`both rivals won: ${JSON.stringify(wishes)}`);
	if (fulfilled.length === 1) return fulfilled;
	if (undecided.length === 0) throw new Error(`no rival won: ${JSON.stringify(wishes)}`);
	// A refused rival proves that the other one was first.
	return undecided.length === wishes.length ? [...undecided, nothing] : undecided;
}

/** The single outcome of wishes that were all answered. */
export function outcomeOf(wishes: readonly Wish[], answers: readonly Answer[]): Outcome {
	return possibleOutcomes(wishes, answers)[0] ?? nothing;
}

function identified({ effects }: Wish, { body }: Answer): Effect[] {
	return effects.map((effect) => ({ ...effect, id: effect.id ?? Number(body.data.id) }));
}

function unexpected({ method, path, body, status }: Wish, answer: Answer): string {
	return `${method} ${path} ${JSON.stringify(body)} has to be ${status}, and was ${answer.status} ${answer.text}`;
}

/** The name of each line. */
export function namesOf(lines: Lines): ReadonlyMap<string, string> {
	return new Map([...lines].map(([name, line]) => [line, name]));
}

/** The possible outcome whose effects are all in the database; undefined when nothing was changed. */
export function whatHappened(
	possible: readonly Outcome[],
	actual: Lines,
	names = namesOf(actual),
): Outcome | undefined {
	return possible
		.map((outcome) => ({ ...outcome, effects: outcome.effects.map((effect) => withId(effect, names)) }))
		.find(({ effects }) => effects.length > 0 && effects.every((effect) => isThere(effect, actual)));
}

/** Adds the id of a new thing that is in the database. */
function withId(effect: Effect, names: ReadonlyMap<string, string>): Effect {
	if (effect.id !== undefined) return effect;
	const name = names.get(lineOf(effect));
	return name === undefined ? effect : { ...effect, id: Number(name.split(' ')[1]) };
}

function isThere(effect: Effect, actual: Lines): boolean {
	return effect.id !== undefined && actual.get(lineName(effect.kind, effect.id)) === lineOf(effect);
}
