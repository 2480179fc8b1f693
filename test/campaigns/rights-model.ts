/** A few stores, roles and employees of a world, as they are stored, and who may do what among them by the contract alone. */
import type { PermissionCode } from '../../src/vocabulary/permissions.ts';
import { covers, type Held, isConfined, missing, subsets } from '../matrix.ts';
import { expectStatus, initialPassword, newPhone, type World } from '../world.ts';
import type { Chance } from './campaign.ts';

export interface Employee {
	id: number;
	storeId: number;
	phone: string;
	status: 'ACTIVE' | 'INACTIVE';
	isDeleted: 0 | 1;
	/** Those that the deletion took away, when they are deleted. */
	roleIds: readonly number[];
	tokenVersion: number;
	/** They have a one-time password, and have to choose one of their own before anything else. */
	mustChoose: 0 | 1;
}

/** What somebody needs to be let in. */
export interface Need {
	/** Any one of these; none: any account. */
	codes: readonly PermissionCode[];
	/** The employees who are changed: nobody acts upward, or out of their store if they are confined to it. */
	changes?: readonly Employee[];
	/** Other stores whose employees are seen or changed. */
	stores?: readonly number[];
	/** The roles that are given. */
	gives?: readonly number[];
}

/** What the roles of every model are given; two more are given anything. */
const commonSets: readonly (readonly PermissionCode[])[] = [
	['employee:manage'],
	['employee:view:store', 'employee:manage'],
	['employee:view:store', 'employee:manage', 'role:manage', 'store:manage'],
	['role:manage', 'store:manage'],
	['employee:view:all'],
	['permission:manage'],
];

export class RightsModel {
	readonly world: World;
	readonly chance: Chance;
	/** Everything that ever was in this model, with three of the built-in roles. */
	readonly made = { stores: new Set<number>(), roles: new Set([1, 2, 3]), employees: new Set<number>() };
	/** The status of each store that exists. */
	stores: ReadonlyMap<number, string> = new Map();
	/** What each role that exists holds. */
	roles: ReadonlyMap<number, Held> = new Map();
	/** All, deleted ones too. */
	employees: ReadonlyMap<number, Employee> = new Map();
	/** Where it is not the initial one. */
	readonly passwords = new Map<number, string>();
	/** The newest token of each, and the version it is good for. */
	readonly tokens = new Map<number, { token: string; version: number }>();
	/** What was done to many at once, for its undoing. */
	readonly groups: { id: number; by: number }[] = [];
	#granted: ReadonlyMap<number, Held> | undefined;

	private constructor(world: World, chance: Chance) {
		this.world = world;
		this.chance = chance;
	}

	/** Three stores, eight custom roles, eight employees with one or two roles each. */
	static async build(world: World, chance: Chance): Promise<RightsModel> {
		const model = new RightsModel(world, chance);
		const { stores, roles, employees } = model.made;
		for (let made = 0; made < 3; made += 1) stores.add((await world.addStore()).id);
		const custom: number[] = [];
		for (const permissions of [...commonSets, chance.pick(subsets), chance.pick(subsets)]) {
			const { id } = await world.addRole();
			// Through the API, which adds what they depend on.
			expectStatus(await world.asSuper('PUT', `/api/permissions/roles/${id}`, { permissions }), 200);
			custom.push(id);
			roles.add(id);
		}
		for (let made = 0; made < 8; made += 1) {
			const roleIds = [chance.pick([...roles]), chance.pick(custom)];
			employees.add((await world.addEmployee(chance.pick([...stores]), roleIds)).id);
		}
		model.look();
		model.#granted = model.roles;
		return model;
	}

	/** Takes over what is stored by now. @throws Error when a role holds more than at the beginning. */
	look(): void {
		const among = (ids: Iterable<number>) => `(${[...ids].join()})`;
		const [{ stores, roles, employees }] = this.world.rows(
			`select
				(select json_group_object(id, status) from stores
					where deleted_at is null and id in ${among(this.made.stores)}) stores,
				(select json_group_object(id, json((select json_group_array(permission) from role_permissions p
					where role_id = r.id and p.deleted_at is null))) from roles r
					where deleted_at is null and id in ${among(this.made.roles)}) roles,
				(select json_group_array(json_object('id', id, 'storeId', store_id, 'phone', phone, 'status', status,
					'isDeleted', deleted_at is not null, 'tokenVersion', token_version,
					'mustChoose', password_expires_at is not null,
					'roleIds', json((select json_group_array(role_id order by role_id) from employee_roles
						where employee_id = e.id and unbound_at is e.deleted_at)))) from employees e
					where id in ${among(this.made.employees)}) employees`,
		);
		const entriesOf = <T>(json: string) =>
			Object.entries<T>(JSON.parse(json)).map(([id, value]) => [Number(id), value] as const);
		this.stores = new Map(entriesOf<string>(stores));
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

	/** A role that was deleted holds nothing. */
	permissionsOf(...roleIds: readonly number[]): Held {
		return new Set(roleIds.flatMap((id) => [...(this.roles.get(id) ?? [])]));
	}

	holds(by: Employee, code: PermissionCode): boolean {
		return this.permissionsOf(...by.roleIds).has(code);
	}

	/** The store that a person is confined to, if any. */
	ownStoreOf(by: Employee): number | undefined {
		return isConfined(this.permissionsOf(...by.roleIds)) ? by.storeId : undefined;
	}

	isForbidden(by: Employee, { codes, changes = [], stores = [], gives = [] }: Need): boolean {
		const held = this.permissionsOf(...by.roleIds);
		const reached = [...stores, ...changes.map(({ storeId }) => storeId)];
		const isInReach = reached.every((storeId) => [undefined, storeId].includes(this.ownStoreOf(by)));
		const roleIds = [...gives, ...changes.flatMap((each) => each.roleIds)];
		const isLetIn = codes.length === 0 || codes.some((code) => held.has(code));
		return !isLetIn || !isInReach || !covers(held, this.permissionsOf(...roleIds));
	}

	canSignIn({ status, storeId, isDeleted }: Employee): boolean {
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
