/**
 * A client's own part of the chain: the stores and employees it made, and random changes to them, of one row and of several.
 * The outcome of each change is known exactly, so it can be compared with the database.
 */
import type { CreateEmployee } from '../../src/employees/model.ts';
import type { CreateStore } from '../../src/stores/model.ts';
import type { Answer } from '../http.ts';
import { initialPassword } from '../world.ts';
import type { Chance } from './campaign.ts';

/** What is true of each: what it can be made with, and what comes of it. Role ids are ascending. */
interface Kinds {
	store: Required<CreateStore> & { deleted: boolean };
	/** Every change that ends tokens raises the version. */
	employee: Required<CreateEmployee> & { tokenVersion: number; password: string; deleted: boolean };
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
	/** How it is answered. */
	status: number;
	/** What it changes; nothing when it is refused. */
	effect?: Effect;
}

/** One thing in a form that can be compared: what it is called, and what is true of it. */
export type Lines = Map<string, string>;

/** What a thing is called among {@link Lines}. */
export const lineName = (kind: Kind, id: number) => `${kind} ${id}`;

/** What is true of a thing, as its rows show it: of a password they show only whether it is the initial one. */
function lineOf(effect: Effect): string {
	const { kind, facts } = effect;
	if (kind !== 'employee') return rowLine({ ...facts });
	const { password, ...rest } = facts;
	return rowLine({ ...rest, initialPassword: password === initialPassword });
}

/** The same text for the same values, in any order. */
export const rowLine = (values: Record<string, unknown>) => JSON.stringify(values, Object.keys(values).sort());

/** How many live things of each kind a client has at most, so that long campaigns do not slow down. */
const maxLive: Record<Kind, number> = { store: 6, employee: 50 };

/** A client's part of the chain. */
export class Owner {
	readonly random: Chance;
	/** Everything it ever made, deleted things too. */
	readonly lines: Lines = new Map();
	readonly #live: { [K in Kind]: Map<number, Kinds[K]> } = { store: new Map(), employee: new Map() };
	readonly #digit: number;
	#count = 0;

	/** `digit`, 0 to 9, is part of every name, so that no two clients ever use the same. */
	constructor(digit: number, random: Chance) {
		this.#digit = digit;
		this.random = random;
	}

	/** What to send next. */
	next(): Wish {
		for (;;) {
			const wish = this.random.pick(weighted)(this);
			if (wish) return wish;
		}
	}

	/** A wish that changes something. */
	nextChange(): Wish {
		for (;;) {
			const wish = this.next();
			if (wish.effect) return wish;
		}
	}

	/** Records what was changed; by now it has an id. */
	apply(effect: Effect): void {
		const { kind, id, facts } = effect;
		if (id === undefined) throw new Error(`nothing is known of the id of ${JSON.stringify(facts)}`);
		this.lines.set(lineName(kind, id), lineOf(effect));
		const live = this.#live[kind] as Map<number, Kinds[Kind]>;
		if (facts.deleted) live.delete(id);
		else live.set(id, facts);
	}

	/** The live things of a kind. */
	live<K extends Kind>(kind: K): Thing<K>[] {
		return [...this.#live[kind]] as unknown as Thing<K>[];
	}

	/** What is true of something that lives. */
	get<K extends Kind>(kind: K, id: number): Kinds[K] | undefined {
		return this.#live[kind].get(id);
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
type Make = (owner: Owner) => Wish | undefined;

type Thing<K extends Kind> = readonly [id: number, facts: Kinds[K]];

/** A wish about any live thing of a kind, among those that fit. */
function about<K extends Kind>(kind: K, wishFor: (owner: Owner, thing: Thing<K>) => Wish | undefined): Make {
	return (owner) => {
		const thing = owner.any(owner.live(kind));
		return thing && wishFor(owner, thing);
	};
}

/** A wish that makes one, while there is room. */
function another(kind: Kind, wishFor: (owner: Owner) => Wish | undefined): Make {
	return (owner) => (owner.live(kind).length < maxLive[kind] ? wishFor(owner) : undefined);
}

/** How often each is wished for, against the others. */
const makers: readonly (readonly [times: number, make: Make])[] = [
	[60, another('store', makeStore)],
	[60, about('store', editStore)],
	[30, about('store', (_, store) => edit('store', store, { status: otherStatus(store[1]) }))],
	[30, about('store', deleteStore)],
	[250, another('employee', hire)],
	[200, about('employee', editEmployee)],
	[80, about('employee', switchEmployee)],
	[120, about('employee', dismiss)],
	[50, about('employee', (_, employee) => passwordWish(employee, '/password/reset', initialPassword))],
	// It waits for two argon2 hashes.
	[7, about('employee', changePassword)],
];
const weighted = makers.flatMap(([times, make]) => Array<Make>(times).fill(make));

const rename = (owner: Owner) => `改名 ${owner.number()}`;
const otherStatus = ({ status }: Pick<CreateStore, 'status'>) => (status === 'ACTIVE' ? 'INACTIVE' : 'ACTIVE');
const pathOf = (kind: Kind, [id]: readonly [id: number, ...unknown[]]) => `/api/${kind}s/${id}`;

function effectOn<K extends Kind>(kind: K, id: number | undefined, facts: Kinds[K]): Effect {
	return { kind, id, facts } as Effect;
}

function create<K extends Kind>(kind: K, body: object, facts: Kinds[K]): Wish {
	return { method: 'POST', path: `/api/${kind}s`, body, status: 201, effect: effectOn(kind, undefined, facts) };
}

/** Changes what the body says. */
function edit<K extends Kind>(kind: K, thing: Thing<K>, body: Partial<Kinds[K]>, path = pathOf(kind, thing)): Wish {
	const [id, before] = thing;
	return { method: 'PATCH', path, body, status: 200, effect: effectOn(kind, id, { ...before, ...body }) };
}

function remove<K extends Kind>(kind: K, thing: Thing<K>, change: Partial<Kinds[K]>, path = pathOf(kind, thing)): Wish {
	const [id, before] = thing;
	return { method: 'DELETE', path, status: 204, effect: effectOn(kind, id, { ...before, ...change, deleted: true }) };
}

function makeStore(owner: Owner): Wish {
	const name = `店 ${owner.number()}`;
	const address = owner.happens(0.5) ? `人民路 ${owner.number()} 号` : null;
	return create(
		'store',
		{ name, address },
		{ name, address, phone: null, status: 'ACTIVE', areaId: null, deleted: false },
	);
}

function editStore(owner: Owner, store: Thing<'store'>): Wish {
	return edit('store', store, owner.happens(0.5) ? { name: rename(owner) } : { phone: owner.number(), address: null });
}

/** Refused while somebody works there. */
function deleteStore(owner: Owner, store: Thing<'store'>): Wish {
	const isStaffed = owner.live('employee').some(([, { storeId }]) => storeId === store[0]);
	const wish = remove('store', store, {});
	return isStaffed ? { method: wish.method, path: wish.path, status: 409 } : wish;
}

const anyOpenStore = (owner: Owner) =>
	owner.any(owner.live('store').filter(([, { status }]) => status === 'ACTIVE'))?.[0];

function hire(owner: Owner): Wish | undefined {
	const storeId = anyOpenStore(owner);
	if (storeId === undefined) return undefined;
	const status: CreateStore['status'] = owner.happens(0.1) ? 'INACTIVE' : 'ACTIVE';
	const own = { name: `员工 ${owner.number()}`, phone: `15${owner.number()}` };
	const fields = { storeId, ...own, status, remark: null, roleIds: someRoles(owner) };
	return create('employee', fields, { ...fields, tokenVersion: 1, password: initialPassword, deleted: false });
}

/** Any of the built-in roles, in the order of their ids. */
const someRoles = (owner: Owner) => [1, 2, 3, 4, 5].filter(() => owner.happens(0.5));

function editEmployee(owner: Owner, employee: Thing<'employee'>): Wish {
	return edit('employee', employee, {
		...(owner.happens(0.5) && { name: rename(owner) }),
		...(owner.happens(0.2) && { phone: `15${owner.number()}` }),
		...(owner.happens(0.2) && { storeId: anyOpenStore(owner) ?? employee[1].storeId }),
		...(owner.happens(0.6) && { roleIds: someRoles(owner) }),
		remark: `备注 ${owner.number()}`,
	});
}

function switchEmployee(owner: Owner, employee: Thing<'employee'>): Wish {
	const path = pathOf('employee', employee) + (owner.happens(0.7) ? '/status' : '');
	return edit('employee', employee, { status: otherStatus(employee[1]) }, path);
}

/** Over one path or the other. */
function dismiss(owner: Owner, employee: Thing<'employee'>): Wish | undefined {
	// Some employees stay, so that there is always one to change.
	if (owner.live('employee').length <= 5) return undefined;
	const [id, { storeId, tokenVersion: before }] = employee;
	const path = owner.happens(0.5) ? pathOf('employee', employee) : `/api/stores/${storeId}/employees/${id}`;
	const tokenVersion = before + 1;
	return remove('employee', employee, { tokenVersion, status: 'INACTIVE', roleIds: [] }, path);
}

/** Gives an employee another password, which ends their tokens. */
function passwordWish(employee: Thing<'employee'>, path: string, password: string, body?: object): Wish {
	const [id, before] = employee;
	const effect = effectOn('employee', id, { ...before, password, tokenVersion: before.tokenVersion + 1 });
	return { method: 'PATCH', path: pathOf('employee', employee) + path, body, status: 200, effect };
}

function changePassword(owner: Owner, employee: Thing<'employee'>): Wish {
	const newPassword = `password-${owner.number()}`;
	return passwordWish(employee, '/password', newPassword, { oldPassword: employee[1].password, newPassword });
}

/**
 * What came of a wish that was answered.
 * @throws Error when the answer is not what it has to be
 */
export function effectOf(
	{ method, path, body, status, effect }: Wish,
	answer: Pick<Answer, 'status' | 'text' | 'body'>,
): Effect | undefined {
	if (answer.status !== status) {
		const request = `${method} ${path} ${JSON.stringify(body)}`;
		throw new Error(`${request} has to be ${status}, and was ${answer.status} ${answer.text}`);
	}
	return effect && { ...effect, id: effect.id ?? Number(answer.body.data.id) };
}

/** The effect of a wish that was never answered, where the database has it; without an id the thing is looked for. */
export function effectFound({ effect }: Wish, actual: Lines): Effect | undefined {
	if (!effect) return undefined;
	const line = lineOf(effect);
	if (effect.id !== undefined) return actual.get(lineName(effect.kind, effect.id)) === line ? effect : undefined;
	const [name] = Array.from(actual).find(([, each]) => each === line) ?? [];
	return name === undefined ? undefined : { ...effect, id: Number(name.split(' ')[1]) };
}
