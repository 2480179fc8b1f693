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
/** What a thing can be. */
export type Kind = keyof Kinds;

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
		const linesOf = (kind: Kind) =>
			[...this[kind]].map(([id, facts]) => [lineName(kind, id), lineOf({ kind, facts } as Effect)] as const);
		return new Map([...linesOf('store'), ...linesOf('role'), ...linesOf('employee')]);
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

type Thing<K extends Kind> = readonly [id: number, facts: Kinds[K]];

/** A wish about any live thing of a kind, among those that fit. */
function about<K extends Kind>(
	kind: K,
	wishFor: (owner: Owner, thing: Thing<K>) => Wish,
	fits: (owner: Owner, thing: Thing<K>) => boolean = () => true,
): Maker['make'] {
	return (owner) => {
		const thing = owner.any(owner.live(kind).filter((each) => fits(owner, each)));
		return thing && [wishFor(owner, thing)];
	};
}

/** A wish that makes one, while there is room. */
function another(kind: Kind, wishFor: (owner: Owner) => Wish | undefined): Maker['make'] {
	return (owner) => {
		const wish = owner.hasRoom(kind) ? wishFor(owner) : undefined;
		return wish && [wish];
	};
}

const isEmpty = (owner: Owner, [storeId]: Thing<'store'>) =>
	owner.live('employee').every(([, facts]) => facts.storeId !== storeId);
const isUnbound = (owner: Owner, [roleId]: Thing<'role'>) =>
	owner.live('employee').every(([, { roleIds }]) => !roleIds.includes(roleId));
/** Some employees stay, so that there is always one to change. */
const mayGo = (owner: Owner) => owner.live('employee').length > 5;

const makers: readonly Maker[] = [
	{ weight: 6, make: another('store', (owner) => storeWish(owner, `店 ${owner.number()}`)) },
	{
		weight: 6,
		make: about('store', (owner, store) =>
			edit('store', store, owner.happens(0.5) ? { name: rename(owner) } : { phone: owner.number(), address: null }),
		),
	},
	{ weight: 3, make: about('store', (_, store) => edit('store', store, { status: otherStatus(store[1]) })) },
	{ weight: 3, make: about('store', (_, store) => remove('store', store, {}), isEmpty) },
	{ weight: 6, make: another('role', (owner) => roleWish(owner, `role_${owner.number()}`)) },
	{
		weight: 5,
		make: about('role', (owner, role) =>
			edit(
				'role',
				role,
				owner.happens(0.3) ? { code: `code_${owner.number()}`, description: null } : { name: rename(owner) },
			),
		),
	},
	{ weight: 10, make: about('role', grant) },
	{ weight: 3, make: about('role', (_, role) => remove('role', role, { permissions: [] }), isUnbound) },
	{ weight: 25, make: another('employee', (owner) => hire(owner, `13${owner.number()}`)) },
	{ weight: 20, make: about('employee', editEmployee) },
	{ weight: 8, make: about('employee', switchEmployee) },
	{ weight: 6, make: about('employee', (_, employee) => dismissal(employee, pathOf('employee', employee)), mayGo) },
	{
		weight: 6,
		make: about(
			'employee',
			(_, employee) => dismissal(employee, `/api/stores/${employee[1].storeId}/employees/${employee[0]}`),
			mayGo,
		),
	},
	{ weight: 5, make: about('employee', (_, employee) => passwordWish(employee, '/password/reset', initialPassword)) },
	{ weight: 8, make: about('employee', refusal) },
	{ weight: 4, make: compete },
	{ weight: 0.7, make: about('employee', changePassword), hashes: true },
	{ weight: 0.2, make: about('employee', mistakePassword), hashes: true },
];

const rename = (owner: Owner) => `改名 ${owner.number()}`;
const otherStatus = ({ status }: { status: Status }): Status => (status === 'ACTIVE' ? 'INACTIVE' : 'ACTIVE');
const pathOf = (kind: Kind, [id]: readonly [id: number, ...unknown[]]) => `/api/${kind}s/${id}`;

function effectOn<K extends Kind>(kind: K, id: number | undefined, facts: Kinds[K]): Effect[] {
	return [{ kind, id, facts } as Effect];
}

function create<K extends Kind>(kind: K, body: object, facts: Kinds[K]): Wish {
	return { method: 'POST', path: `/api/${kind}s`, body, status: 201, effects: effectOn(kind, undefined, facts) };
}

/** Changes what the body says. */
function edit<K extends Kind>(kind: K, thing: Thing<K>, body: Partial<Kinds[K]>, path = pathOf(kind, thing)): Wish {
	const [id, before] = thing;
	return { method: 'PATCH', path, body, status: 200, effects: effectOn(kind, id, { ...before, ...body }) };
}

function remove<K extends Kind>(kind: K, thing: Thing<K>, change: Partial<Kinds[K]>, path = pathOf(kind, thing)): Wish {
	const [id, before] = thing;
	return { method: 'DELETE', path, status: 204, effects: effectOn(kind, id, { ...before, ...change, deleted: true }) };
}

function storeWish(owner: Owner, name: string): Wish {
	const address = owner.happens(0.5) ? `人民路 ${owner.number()} 号` : null;
	return create('store', { name, address }, { name, address, phone: null, status: 'ACTIVE', deleted: false });
}

function roleWish(owner: Owner, code: string): Wish {
	const description = owner.happens(0.5) ? `说明 ${owner.number()}` : null;
	const fields = { code, name: `角色 ${owner.number()}`, description };
	return create('role', fields, { ...fields, permissions: [], deleted: false });
}

function grant(owner: Owner, [id, before]: Thing<'role'>): Wish {
	const permissions = owner.random.pick(permissionSets.filter((set) => set.join() !== before.permissions.join()));
	const effects = effectOn('role', id, { ...before, permissions });
	return { method: 'PUT', path: `/api/permissions/roles/${id}`, body: { permissions }, status: 200, effects };
}

function anyOpenStore(owner: Owner): number | undefined {
	return owner.any(owner.live('store').filter(([, { status }]) => status === 'ACTIVE'))?.[0];
}

function hire(owner: Owner, phone: string): Wish | undefined {
	const storeId = anyOpenStore(owner);
	if (storeId === undefined) return undefined;
	const status: Status = owner.happens(0.1) ? 'INACTIVE' : 'ACTIVE';
	const fields = { storeId, name: `员工 ${owner.number()}`, phone, status, remark: null, roleIds: someRoles(owner) };
	return create('employee', fields, { ...fields, tokenVersion: 1, password: initialPassword, deleted: false });
}

/** Up to five roles, its own and built-in ones. */
function someRoles(owner: Owner): number[] {
	const roles = [...owner.live('role').map(([id]) => id), ...tillRoles];
	const chosen = Array.from({ length: owner.random.below(6) }, () => owner.random.pick(roles));
	return [...new Set(chosen)].sort((a, b) => a - b);
}

function editEmployee(owner: Owner, employee: Thing<'employee'>): Wish {
	return edit('employee', employee, {
		...(owner.happens(0.5) && { name: rename(owner) }),
		...(owner.happens(0.2) && { phone: `13${owner.number()}` }),
		...(owner.happens(0.2) && { storeId: anyOpenStore(owner) ?? employee[1].storeId }),
		...(owner.happens(0.6) && { roleIds: someRoles(owner) }),
		remark: `备注 ${owner.number()}`,
	});
}

function switchEmployee(owner: Owner, employee: Thing<'employee'>): Wish {
	const path = pathOf('employee', employee) + (owner.happens(0.7) ? '/status' : '');
	return edit('employee', employee, { status: otherStatus(employee[1]) }, path);
}

function dismissal(employee: Thing<'employee'>, path: string): Wish {
	const tokenVersion = employee[1].tokenVersion + 1;
	return remove('employee', employee, { tokenVersion, status: 'INACTIVE', roleIds: [] }, path);
}

/** Gives an employee another password, which ends their tokens. */
function passwordWish(employee: Thing<'employee'>, path: string, password: string, body?: object): Wish {
	const [id, before] = employee;
	const effects = effectOn('employee', id, { ...before, password, tokenVersion: before.tokenVersion + 1 });
	return { method: 'PATCH', path: pathOf('employee', employee) + path, body, status: 200, effects };
}

function changePassword(owner: Owner, employee: Thing<'employee'>): Wish {
	const newPassword = `password-${owner.number()}`;
	return passwordWish(employee, '/password', newPassword, { oldPassword: employee[1].password, newPassword });
}

function mistakePassword(owner: Owner, employee: Thing<'employee'>): Wish {
	const body = { oldPassword: 'not-the-old-password', newPassword: `password-${owner.number()}` };
	return { method: 'PATCH', path: `${pathOf('employee', employee)}/password`, body, status: 400, effects: [] };
}

/** A request that must be refused although parts of it are possible. */
function refusal(owner: Owner, [id, { phone, storeId, roleIds }]: Thing<'employee'>): Wish {
	const name = `不该有 ${owner.number()}`;
	const [role = 3] = roleIds;
	const refusals: readonly (readonly [status: number, method: string, path: string, body?: object])[] = [
		[400, 'POST', '/api/employees', { storeId: missing, name, phone: `13${owner.number()}` }],
		[400, 'PATCH', `/api/employees/${id}`, { name, roleIds: [role, missing] }],
		[400, 'PATCH', `/api/employees/${id}`, { name, roleIds: [], storeId: missing }],
		[404, 'PATCH', `/api/employees/${missing}`, { name }],
		[409, 'DELETE', `/api/stores/${storeId}`],
		[409, 'DELETE', `/api/roles/${role}`],
		[404, 'DELETE', `/api/stores/${missing}/employees/${id}`],
		[400, 'PUT', `/api/permissions/roles/${role}`, { permissions: ['store:view', 'no:such'] }],
		// Last: in a disabled store the store is refused before the phone is.
		[409, 'POST', '/api/employees', { storeId, name, phone, roleIds }],
	];
	const isOpen = owner.get('store', storeId).status === 'ACTIVE';
	const [status, method, path, body] = owner.random.pick(isOpen ? refusals : refusals.slice(0, -1));
	return { method, path, body, status, effects: [] };
}

/** Two requests at once for one phone, name or code. */
function compete(owner: Owner): readonly Wish[] | undefined {
	const number = owner.number();
	const rival = owner.random.pick([
		() => hire(owner, `19${number}`),
		() => storeWish(owner, `抢 ${number}`),
		() => roleWish(owner, `rival_${number}`),
	]);
	const [one, other] = [rival(), rival()];
	return one && other && [one, other];
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
