/** A few stores, roles and employees of a world, as they are stored, and who may do what among them by the contract alone. */
import type { PermissionCode } from '../../src/vocabulary/permissions.ts';
import { covers, type Held, isConfined, missing, outlasts, subsets } from '../matrix.ts';
import { ownCodes } from '../oracle.ts';
import { expectStatus, initialPassword, newPhone, type World } from '../world.ts';
import type { Chance } from './campaign.ts';

type Given = Readonly<Record<number, string | null>>;

export interface Employee {
	id: number;
	storeId: number;
	/** What they were given and is not over, by ids, and until when; null: for good. */
	stores: Given;
	areas: Given;
	phone: string;
	status: 'ACTIVE' | 'INACTIVE';
	isDeleted: 0 | 1;
	/** Those that the deletion took away, when they are deleted. */
	roleIds: readonly number[];
	/** Until when they have or last had each role that they ever had; null: for good. */
	ends: Readonly<Record<number, string | null>>;
	leavesOn: string | null;
	tokenVersion: number;
	/** They have a one-time password, and have to choose one of their own before anything else. */
	mustChoose: 0 | 1;
	/** A program: it has a key and no account, and the id of an employee with a minus. */
	isProgram?: true;
}

/** What somebody needs to be let in. */
export interface Need {
	/** Any one of these; none: any account. */
	codes: readonly PermissionCode[];
	/** The employees who are changed: nobody acts upward, or out of their reach. */
	changes?: readonly Employee[];
	/** Other stores whose employees are seen or changed. */
	stores?: readonly number[];
	/** The roles that are given. */
	gives?: readonly number[];
	/** Who is asked for may not be the actor. */
	notSelf?: number;
	/** The roles that somebody did not have or has with another end, and the end that is asked for. */
	binds?: readonly Binding[];
	/** Those of them in the own account, where others are changed as well. */
	bindsOwn?: readonly Binding[];
	/** What is given until a day, or taken away where that is undefined. */
	reaches?: readonly Reaching[];
	/** The store to which somebody would move, or where somebody new or brought back would be. */
	moves?: number | undefined;
	/** The roles that somebody would have in place of theirs. */
	replaces?: readonly number[] | undefined;
	/** A store that would come into another area, or into none. */
	regroups?: readonly [storeId: number, areaId: number | null] | undefined;
	/** Whether a last day in the own account would be another one. */
	changesOwnEnd?: boolean;
}

export type Binding = readonly [roleId: number, until: string | null];

export type Reaching = readonly [list: 'stores' | 'areas', id: number, until: string | null | undefined];

/** Days on which roles and employments end. */
export const ends = ['2999-06-30', '2999-12-31'];

/** What the roles of every model are given; two more are given anything. */
const commonSets: readonly (readonly PermissionCode[])[] = [
	['employee:manage'],
	['employee:view:store', 'employee:manage'],
	['employee:view:store', 'employee:manage', 'role:manage', 'store:manage'],
	['role:manage', 'store:manage'],
	['employee:view:all'],
	['permission:manage'],
	['till:refund'],
	['employee:view:store', 'employee:manage', 'till:refund'],
];

function earliest(...ends: readonly (string | null)[]): string | null {
	return ends.filter((end) => end !== null).toSorted()[0] ?? null;
}

function latest(ends: readonly (string | null)[]): string | null {
	return ends.includes(null) ? null : (ends.toSorted().at(-1) ?? null);
}

export class RightsModel {
	readonly world: World;
	readonly chance: Chance;
	/** Everything that ever was in this model, with three of the built-in roles. */
	readonly made = { stores: new Set<number>(), roles: new Set([1, 2, 3]), employees: new Set<number>() };
	/** The status of each store that exists. */
	stores: ReadonlyMap<number, string> = new Map();
	/** The area of each store that exists. */
	areaOf: ReadonlyMap<number, number | null> = new Map();
	readonly areas: number[] = [];
	/** What each role that exists holds. */
	roles: ReadonlyMap<number, Held> = new Map();
	/** All, deleted ones too. */
	employees: ReadonlyMap<number, Employee> = new Map();
	/** A program that calls with its key; an employee has the same id. */
	program!: Employee;
	/** Where it is not the initial one. */
	readonly passwords = new Map<number, string>();
	/** The newest token of each, and the version it is good for. */
	readonly tokens = new Map<number, { token: string; version: number }>();
	/** What was done to many at once, for its undoing. */
	readonly groups: { id: number; by: number }[] = [];
	#granted: ReadonlyMap<number, Held> | undefined;
	#heldByProgram: Held = new Set();

	private constructor(world: World, chance: Chance) {
		this.world = world;
		this.chance = chance;
	}

	/** Five stores, three of them in two areas, ten custom roles, eight employees with one or two roles and a reach each. */
	static async build(world: World, chance: Chance): Promise<RightsModel> {
		const model = new RightsModel(world, chance);
		const { stores, roles, employees } = model.made;
		for (let made = 0; made < 2; made += 1) model.areas.push((await world.addArea()).id);
		for (const areaId of [null, null, ...model.areas, model.areas[0]])
			stores.add((await world.addStore({ areaId })).id);
		const custom: number[] = [];
		for (const permissions of [...commonSets, chance.pick(subsets), [...chance.pick(subsets), ...ownCodes]]) {
			const { id } = await world.addRole();
			// Through the API, which adds what they depend on.
			expectStatus(await world.asSuper('PUT', `/api/permissions/roles/${id}`, { permissions }), 200);
			custom.push(id);
			roles.add(id);
		}
		for (let made = 0; made < 8; made += 1) {
			const roleIds = [chance.pick([...roles]), chance.pick(custom)];
			const { id } = await world.addEmployee(chance.pick([...stores]), roleIds);
			for (const roleId of roleIds.slice(chance.below(3))) {
				const body = { roleId, until: chance.pick(ends) };
				expectStatus(await world.asSuper('POST', `/api/employees/${id}/roles`, body), 200);
			}
			if (chance.below(3) === 0)
				expectStatus(await world.asSuper('PATCH', `/api/employees/${id}`, { leavesOn: ends[0] }), 200);
			employees.add(id);
			const reach = { employee_id: id, given_at: world.now().toISOString() };
			const until = () => chance.pick([null, null, '2000-01-01', ...ends]);
			const rows = [
				{ ...reach, store_id: chance.pick([...stores]), area_id: null, ends_on: until() },
				{ ...reach, store_id: null, area_id: chance.pick(model.areas), ends_on: until() },
			];
			for (const row of rows.slice(chance.below(3))) world.insert('employee_reach', [row]);
		}
		model.#addProgram();
		model.look();
		model.#granted = model.roles;
		return model;
	}

	#addProgram(): void {
		const { chance, made, world } = this;
		const codes = [...chance.pick([...commonSets, ...commonSets, ...subsets]), ...chance.pick([[], ownCodes])];
		const held = new Set(codes.filter((code) => code !== 'role:manage' && code !== 'permission:manage'));
		const storeId = isConfined(held) ? chance.pick([...made.stores]) : 0;
		const twin = chance.pick([...made.employees]);
		const { key } = world.addProgram([...held], storeId || null, twin);
		const nothing = { stores: {}, areas: {}, ends: {}, leavesOn: null, phone: '', tokenVersion: 0 } as const;
		const flags = { status: 'ACTIVE', isDeleted: 0, mustChoose: 0, isProgram: true } as const;
		this.program = { ...nothing, ...flags, id: -twin, storeId, roleIds: [-twin] };
		this.#heldByProgram = held;
		this.tokens.set(-twin, { token: key, version: 0 });
	}

	/** The program, or an employee, deleted ones too. */
	actor(id: number): Employee | undefined {
		return id === this.program.id ? this.program : this.employees.get(id);
	}

	/** Takes over what is stored by now. @throws Error when a role holds more than at the beginning. */
	look(): void {
		const among = (ids: Iterable<number>) => `(${[...ids].join()})`;
		const given = (column: string) => `(select json_group_object(r.${column}, ends_on) from employee_reach r
			where employee_id = e.id and taken_at is null and r.${column} is not null and coalesce(ends_on > '2000-01-01', 1))`;
		const [{ stores, areas, roles, employees }] = this.world.rows(
			`select
				(select json_group_object(id, status) from stores
					where deleted_at is null and id in ${among(this.made.stores)}) stores,
				(select json_group_object(id, area_id) from stores
					where deleted_at is null and id in ${among(this.made.stores)}) areas,
				(select json_group_object(id, json((select json_group_array(permission) from role_permissions p
					where role_id = r.id and p.deleted_at is null))) from roles r
					where deleted_at is null and id in ${among(this.made.roles)}) roles,
				(select json_group_array(json_object('id', id, 'storeId', store_id, 'phone', phone,
					'stores', json(${given('store_id')}), 'areas', json(${given('area_id')}), 'status', status,
					'isDeleted', deleted_at is not null, 'tokenVersion', token_version,
					'leavesOn', leaves_on,
					'ends', json((select json_group_object(role_id, ends_on order by id) from employee_roles
						where employee_id = e.id)),
					'mustChoose', password_expires_at is not null,
					'roleIds', json((select json_group_array(role_id order by role_id) from employee_roles
						where employee_id = e.id and unbound_at is e.deleted_at)))) from employees e
					where id in ${among(this.made.employees)}) employees`,
		);
		const entriesOf = <T>(json: string) =>
			Object.entries<T>(JSON.parse(json)).map(([id, value]) => [Number(id), value] as const);
		this.stores = new Map(entriesOf<string>(stores));
		this.areaOf = new Map(entriesOf<number | null>(areas));
		this.roles = new Map(entriesOf<string[]>(roles).map(([id, held]) => [id, new Set(held)]));
		this.employees = new Map(JSON.parse(employees).map((each: Employee) => [each.id, each]));
		for (const [id, held] of this.#granted ? this.roles : []) {
			if (!held.isSubsetOf(this.#granted?.get(id) ?? new Set())) throw new Error(`role ${id} gained permissions`);
		}
	}

	/** An employee who is not deleted. */
	present(id: number): Employee | undefined {
		const found = this.employees.get(id);
		return found?.isDeleted ? undefined : found;
	}

	/** A role that was deleted holds nothing. The program has one of its own. */
	permissionsOf(...roleIds: readonly number[]): Held {
		const heldBy = (id: number) => (id < 0 ? this.#heldByProgram : (this.roles.get(id) ?? []));
		return new Set(roleIds.flatMap((id) => [...heldBy(id)]));
	}

	holds(by: Employee, code: PermissionCode): boolean {
		return this.permissionsOf(...by.roleIds).has(code);
	}

	isLimited(by: Employee): boolean {
		return isConfined(this.permissionsOf(...by.roleIds));
	}

	/** The stores that a person reaches; undefined: all. */
	reachOf(by: Employee): ReadonlySet<number> | undefined {
		if (!this.isLimited(by)) return undefined;
		const ids = [by.storeId, ...this.stores.keys()].filter((id) => this.waysTo(by, 'stores', id).length > 0);
		return new Set(ids);
	}

	/** Until when somebody reaches a store or has an area, in each way that they do. */
	waysTo(by: Employee, list: 'stores' | 'areas', id: number): (string | null)[] {
		const area = this.areaOf.get(id);
		const given = list === 'stores' ? [by.stores[id], area == null ? undefined : by.areas[area]] : [by.areas[id]];
		const own = list === 'stores' && by.storeId === id ? [null] : [];
		const all = this.isLimited(by) ? [] : [this.heldUntil(by, 'employee:view:all')];
		return [...own, ...given.filter((until) => until !== undefined), ...all];
	}

	/** The later end where somebody holds a code by two roles; null: for good, or not by a role. */
	heldUntil(by: Employee, code: PermissionCode): string | null {
		const holding = by.roleIds.filter((id) => this.permissionsOf(id).has(code));
		return latest(holding.map((id) => by.ends[id] ?? null));
	}

	/** Whether somebody sees stores that another one does not reach: then they are above. */
	#isWider(by: Employee, { id, stores, areas, roleIds }: Employee, gives: readonly number[]): boolean {
		const sees = this.permissionsOf(...roleIds, ...gives).has('employee:view:store');
		if (id === by.id || !this.isLimited(by) || !sees) return false;
		const lacks = (list: 'stores' | 'areas') => (key: string) => this.waysTo(by, list, Number(key)).length === 0;
		return Object.keys(stores).some(lacks('stores')) || Object.keys(areas).some(lacks('areas'));
	}

	/** Until when some roles let somebody see the people of stores; undefined when they do not. */
	#sight(roles: readonly Binding[]): string | null | undefined {
		const showing = roles.filter(([id]) => this.permissionsOf(id).has('employee:view:store'));
		return showing.length === 0 ? undefined : latest(showing.map(([, until]) => until));
	}

	/** Until when somebody who reaches some stores sees the people of each. */
	sightsOf(one: Employee): [storeId: number, until: string | null][] {
		const sight = this.#sight(one.roleIds.map((id) => [id, one.ends[id] ?? null]));
		if (sight === undefined || !this.isLimited(one)) return [];
		const until = (id: number) => earliest(sight, latest(this.waysTo(one, 'stores', id)));
		return [...(this.reachOf(one) ?? [])].map((id) => [id, until(id)]);
	}

	/** Whether somebody would see by these roles what another one does not reach for as long. */
	#isSeenTooLong(
		by: Employee,
		roles: readonly Binding[],
		storeId: number,
		{ stores, areas }: Partial<Employee>,
	): boolean {
		const sight = this.#sight(roles);
		if (sight === undefined || !this.isLimited(by)) return false;
		const places = [
			['stores', storeId, null] as const,
			...Object.entries(stores ?? {}).map(([id, until]) => ['stores', Number(id), until] as const),
			...Object.entries(areas ?? {}).map(([id, until]) => ['areas', Number(id), until] as const),
		];
		return places.some(([list, id, until]) => !this.#mayGive(by, [list, id, earliest(until, sight)]));
	}

	/** Whether an allowed change would put somebody where they see too much for too long. */
	#isPlacedTooLong(by: Employee, { changes = [], binds = [], moves, replaces }: Need): boolean {
		const targets = changes.filter(({ isDeleted }) => !isDeleted);
		if (targets.length === 0) return moves !== undefined && this.#isSeenTooLong(by, binds, moves, {});
		return targets.some((target) => {
			const bound = binds.filter(([id]) => targets.length === 1 || !target.roleIds.includes(id));
			const held = target.roleIds.map((id) => [id, target.ends[id] ?? null] as const);
			const kept = held.filter(([id]) => (replaces?.includes(id) ?? true) && !bound.some(([other]) => other === id));
			const storeId = moves ?? target.storeId;
			const isMoved = storeId !== target.storeId;
			return (
				this.#isSeenTooLong(by, bound, storeId, target) ||
				(isMoved && this.#isSeenTooLong(by, [...kept, ...bound], storeId, {}))
			);
		});
	}

	/** Whether somebody may give, change or take this. */
	#mayGive(by: Employee, [list, id, until]: Reaching): boolean {
		const ways = this.waysTo(by, list, id);
		if (ways.length === 0 || until === undefined) return ways.length > 0;
		return !outlasts(until, latest(ways)) && !outlasts(until, this.heldUntil(by, 'employee:manage'));
	}

	/** Whether somebody may put a store into another area: what others have of it grows. */
	#mayRegroup(by: Employee, storeId: number, areaId: number | null): boolean {
		if (!this.stores.has(storeId)) return true;
		if (this.isLimited(by)) return this.waysTo(by, 'stores', storeId).includes(null);
		const isGiven = areaId !== null && [...this.employees.values()].some(({ areas }) => areaId in areas);
		return !isGiven || this.holds(by, 'employee:view:all');
	}

	/** Until when somebody may give a role: no longer than they hold each of its codes. */
	mayBind(by: Employee, [roleId, until]: Binding): boolean {
		return [...this.permissionsOf(roleId)].every((code) => {
			const holding = by.roleIds.filter((id) => covers(this.permissionsOf(id), new Set([code])));
			return holding.length === 0 || holding.some((id) => !outlasts(until, by.ends[id] ?? null));
		});
	}

	/** Those of some roles that somebody does not have, each with the end that it would get. */
	newTo(target: Employee | undefined, roleIds: readonly number[], until: string | null = null): Binding[] {
		const lacked = new Set(roleIds).difference(new Set(target?.isDeleted ? [] : target?.roleIds));
		return Array.from(lacked, (id) => [id, until] as const);
	}

	isForbidden(by: Employee, need: Need): boolean {
		const { codes, changes = [], stores = [], gives = [], binds = [], changesOwnEnd = false, notSelf } = need;
		const { bindsOwn = changes.some(({ id }) => id === by.id) ? binds : [] } = need;
		const lengthensOwn = bindsOwn.some(
			([id, until]) => by.roleIds.includes(id) || outlasts(until, by.ends[id] ?? null),
		);
		if (changesOwnEnd || lengthensOwn || !binds.every((binding) => this.mayBind(by, binding))) return true;
		const held = this.permissionsOf(...by.roleIds);
		const reached = [...stores, ...changes.map(({ storeId }) => storeId)];
		const reach = this.reachOf(by);
		const isInReach = reached.every((storeId) => reach?.has(storeId) ?? true);
		if (this.#isPlacedTooLong(by, need)) return true;
		if (need.regroups && !this.#mayRegroup(by, ...need.regroups)) return true;
		if (!(need.reaches ?? []).every((reaching) => this.#mayGive(by, reaching))) return true;
		if (changes.some((target) => this.#isWider(by, target, gives))) return true;
		const roleIds = [...gives, ...changes.flatMap((each) => each.roleIds)];
		const isLetIn = codes.length === 0 || codes.some((code) => held.has(code));
		return !isLetIn || notSelf === by.id || !isInReach || !covers(held, this.permissionsOf(...roleIds));
	}

	/** A program need not. */
	canSignIn({ status, storeId, isDeleted, isProgram }: Employee): boolean {
		if (isProgram) return true;
		return !isDeleted && status === 'ACTIVE' && this.stores.get(storeId) === 'ACTIVE';
	}

	/** Whether their newest token works: nothing ended it, and the account and its store are enabled. */
	isSignedIn(by: Employee): boolean {
		return this.canSignIn(by) && this.tokens.get(by.id)?.version === by.tokenVersion;
	}

	passwordOf(id: number): string {
		return this.passwords.get(id) ?? initialPassword;
	}

	/** A store; now and then one that does not exist. So are a role and an employee, who may also be deleted. */
	anyStoreId = () => this.#any(this.stores);
	anyAreaId = () => this.chance.pick([...this.areas, missing]);
	anyRoleId = () => this.#any(this.roles);
	anyEmployeeId = () => (this.chance.below(5) === 0 ? missing : this.chance.pick([...this.made.employees]));

	#any(things: ReadonlyMap<number, unknown>): number {
		return this.chance.below(20) === 0 ? missing : this.chance.pick([...things.keys(), missing]);
	}

	/** Up to three roles. */
	someRoleIds = () => {
		const ids = Array.from({ length: this.chance.below(4) }, () => this.chance.pick([...this.roles.keys()]));
		return this.chance.below(25) === 0 ? [...ids, missing] : [...new Set(ids)];
	};

	/** A new phone; now and then a taken one. */
	anyPhone = () => {
		const taken = Array.from(this.employees.values(), ({ phone }) => phone);
		return this.chance.below(8) === 0 ? this.chance.pick(taken) : newPhone();
	};
}
