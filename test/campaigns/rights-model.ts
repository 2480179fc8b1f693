/**
 * A few stores, roles and employees of a world, and their state at one moment: the grants of each, and the people that
 * each sees until a day.
 */
import type { PermissionCode } from '../../src/platform/vocabulary/permissions.ts';
import { covers, type Held, isConfined, missing, outlasts, subsets } from '../matrix.ts';
import { codes, ownCodes } from '../oracle.ts';
import { expectStatus, initialPassword, newPhone, type World } from '../world.ts';
import type { Chance } from './campaign.ts';

/** A day on which something ends; null: never. */
type End = string | null;

export interface Employee {
	id: number;
	storeId: number;
	/** Current grants of stores and areas, by id, with their ends. */
	stores: Readonly<Record<number, End>>;
	areas: Readonly<Record<number, End>>;
	phone: string;
	status: 'ACTIVE' | 'INACTIVE';
	isDeleted: 0 | 1;
	/** After a deletion, the roles that it took away. */
	roleIds: readonly number[];
	/** The end of each present or former role, by its id. */
	ends: Readonly<Record<number, End>>;
	leavesOn: End;
	tokenVersion: number;
	/** Whether they have a one-time password, and must choose their own before anything else. */
	mustChoose: 0 | 1;
	/** A program. It has a key but no account; its id is the negative of an employee's. */
	isProgram?: true;
}

/** Days on which roles and employments end. */
export const ends = ['2999-06-30', '2999-12-31'];

/** The codes of the roles in every model. Two more roles get random codes. */
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

/** The earlier of two ends; undefined if one of them is missing. */
function earliest(one: End | undefined, other: End | undefined): End | undefined {
	if (one === undefined || other === undefined) return undefined;
	return outlasts(one, other) ? other : one;
}

function latest(all: readonly End[]): End | undefined {
	return all.reduce<End | undefined>(
		(one, other) => (one === undefined || outlasts(other, one) ? other : one),
		undefined,
	);
}

/** The stored state at one moment. */
export class Moment {
	/** Including deleted ones and the program. */
	readonly employees: ReadonlyMap<number, Employee>;
	/** The codes of each existing role. The program has a role of its own. */
	readonly roles: ReadonlyMap<number, Held>;
	/** The status of each store that exists, and its area. */
	readonly stores: ReadonlyMap<number, string>;
	readonly areaOf: ReadonlyMap<number, number | null>;

	constructor({ world, made, program, heldByProgram }: RightsModel) {
		const among = (ids: Iterable<number>) => `(${[...ids].join()})`;
		const given = (column: string) => `(select json_group_object(r.${column}, ends_on) from employee_reach r
			where employee_id = e.id and taken_at is null and r.${column} is not null and coalesce(ends_on > '2000-01-01', 1))`;
		const [{ stores, areas, roles, employees }] = world.rows(
			`select
				(select json_group_object(id, status) from stores
					where deleted_at is null and id in ${among(made.stores)}) stores,
				(select json_group_object(id, area_id) from stores
					where deleted_at is null and id in ${among(made.stores)}) areas,
				(select json_group_object(id, json((select json_group_array(permission) from role_permissions p
					where role_id = r.id and p.deleted_at is null))) from roles r
					where deleted_at is null and id in ${among(made.roles)}) roles,
				(select json_group_array(json_object('id', id, 'storeId', store_id, 'phone', phone,
					'stores', json(${given('store_id')}), 'areas', json(${given('area_id')}), 'status', status,
					'isDeleted', deleted_at is not null, 'tokenVersion', token_version,
					'leavesOn', leaves_on,
					'ends', json((select json_group_object(role_id, ends_on order by id) from employee_roles
						where employee_id = e.id)),
					'mustChoose', password_expires_at is not null,
					'roleIds', json((select json_group_array(role_id order by role_id) from employee_roles
						where employee_id = e.id and unbound_at is e.deleted_at)))) from employees e
					where id in ${among(made.employees)}) employees`,
		);
		const entriesOf = <T>(json: string) =>
			Object.entries<T>(JSON.parse(json)).map(([id, value]) => [Number(id), value] as const);
		const people: Employee[] = [...JSON.parse(employees), program];
		const held = entriesOf<string[]>(roles).map(([id, codes]) => [id, new Set(codes)] as const);
		this.employees = new Map(people.map((each) => [each.id, each]));
		this.roles = new Map<number, Held>([...held, [program.id, heldByProgram]]);
		this.stores = new Map(entriesOf<string>(stores));
		this.areaOf = new Map(entriesOf<number | null>(areas));
	}

	/** An employee who is not deleted. */
	present(id: number): Employee | undefined {
		const found = this.employees.get(id);
		return found?.isDeleted ? undefined : found;
	}

	/** Returns an employee's codes, or those before their deletion. A deleted role has none. */
	heldBy({ roleIds }: Employee): Held {
		return new Set(roleIds.flatMap((id) => [...(this.roles.get(id) ?? [])]));
	}

	/** Returns the program's permissions among an employee's codes, also after a deletion. They decide who may manage people. */
	rankOf(one: Employee): Held {
		return new Set([...this.heldBy(one)].filter((code) => codes.some((each) => each === code)));
	}

	/** Returns the end of a code, by the role that has it longest; undefined if they do not hold it. */
	heldUntil({ roleIds, ends }: Employee, code: string): End | undefined {
		const holding = roleIds.filter((id) => covers(this.roles.get(id) ?? new Set<string>(), new Set<string>([code])));
		return latest(holding.map((id) => ends[id] ?? null));
	}

	/** Returns the stores in an account's reach; undefined for all. An account that sees nobody has none. */
	reachOf(one: Employee): ReadonlySet<number> | undefined {
		return this.heldBy(one).has('employee:view:all') ? undefined : new Set(this.seenUntil(one).keys());
	}

	/** Returns the day until which an account sees each store. */
	seenUntil(one: Employee): ReadonlyMap<number, End> {
		const seen = new Map<number, End>();
		if (one.isDeleted) return seen;
		const roleIds = one.roleIds.filter((id) => this.roles.get(id)?.has('employee:view:store'));
		const sight = this.heldUntil({ ...one, roleIds }, 'employee:view:store');
		const all = this.heldUntil(one, 'employee:view:all');
		for (const [id, area] of this.areaOf) {
			const places = [one.storeId === id ? null : undefined, one.stores[id], one.areas[area ?? missing]];
			const ways = [all, ...places.map((way) => earliest(way, sight))];
			const until = latest(ways.filter((way) => way !== undefined));
			if (until !== undefined) seen.set(id, until);
		}
		return seen;
	}

	/** Returns whether an employee and their store are enabled. A program always is. */
	canSignIn({ status, storeId, isDeleted, isProgram }: Employee): boolean {
		return isProgram || (!isDeleted && status === 'ACTIVE' && this.stores.get(storeId) === 'ACTIVE');
	}
}

/** Returns whether `until` is no later than `end`; false if `end` is undefined. */
export function isWithin(until: End, end: End | undefined): boolean {
	return end !== undefined && !outlasts(until, end);
}

export class RightsModel {
	readonly world: World;
	readonly chance: Chance;
	/** Everything that ever was in this model, with three of the built-in roles. */
	readonly made = { stores: new Set<number>(), roles: new Set([1, 2, 3]), employees: new Set<number>() };
	readonly areas: number[] = [];
	/** A program that calls with its key; an employee has the same id. */
	program!: Employee;
	heldByProgram: Held = new Set();
	now!: Moment;
	/** Passwords, unless initial. */
	readonly passwords = new Map<number, string>();
	/** The newest token of each account, with its version. */
	readonly tokens = new Map<number, { token: string; version: number }>();
	/** The bulk changes, for their undo. */
	readonly groups: { id: number; by: number }[] = [];

	private constructor(world: World, chance: Chance) {
		this.world = world;
		this.chance = chance;
	}

	/** Builds five stores, three in two areas, ten custom roles, and eight employees with one or two roles and a reach. */
	static async build(world: World, chance: Chance): Promise<RightsModel> {
		const model = new RightsModel(world, chance);
		const { stores, roles, employees } = model.made;
		for (let made = 0; made < 2; made += 1) model.areas.push((await world.addArea()).id);
		for (const areaId of [null, null, ...model.areas, model.areas[0]])
			stores.add((await world.addStore({ areaId })).id);
		const custom: number[] = [];
		for (const permissions of [...commonSets, chance.pick(subsets), [...chance.pick(subsets), ...ownCodes]]) {
			const { id } = await world.addRole();
			// Through the API, which adds required permissions.
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
		this.heldByProgram = held;
		this.tokens.set(-twin, { token: key, version: 0 });
	}

	/** Reads the stored state again. */
	look(): void {
		this.now = new Moment(this);
	}

	/** Returns whether the newest token works: nothing ended it, and the account and its store are enabled. */
	isSignedIn(by: Employee): boolean {
		return this.now.canSignIn(by) && this.tokens.get(by.id)?.version === by.tokenVersion;
	}

	passwordOf(id: number): string {
		return this.passwords.get(id) ?? initialPassword;
	}

	/** Picks a store, sometimes a missing one. The same holds for a role or an employee, who may also be deleted. */
	anyStoreId = () => this.#any(this.now.stores);
	anyAreaId = () => this.chance.pick([...this.areas, missing]);
	anyRoleId = () => this.#any(this.now.roles);
	anyEmployeeId = () => (this.chance.below(5) === 0 ? missing : this.chance.pick([...this.made.employees]));

	#any(things: ReadonlyMap<number, unknown>): number {
		const ids = Array.from(things.keys()).filter((id) => id > 0);
		return this.chance.below(20) === 0 ? missing : this.chance.pick([...ids, missing]);
	}

	someRoleIds = () => [...new Set(Array.from({ length: this.chance.below(4) }, this.anyRoleId))];

	/** A new phone; now and then a taken one. */
	anyPhone = () => {
		const taken = Array.from(this.now.employees.values()).flatMap(({ phone }) => phone || []);
		return this.chance.below(8) === 0 ? this.chance.pick(taken) : newPhone();
	};
}
