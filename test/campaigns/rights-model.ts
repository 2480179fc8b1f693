/**
 * A model of a few stores, roles and employees in a world: what each person may do by the contract alone, and what
 * changes when they do it.
 */
import type { PermissionCode } from '../../src/vocabulary/permissions.ts';
import { covers, type Held, isConfined, missing, subsets, withDependencies } from '../matrix.ts';
import { codes, type seeded } from '../oracle.ts';
import { expectStatus, initialPassword, newPhone, type World } from '../world.ts';

export type Chance = ReturnType<typeof seeded>;

export interface Store {
	id: number;
	active: boolean;
}

export interface Role {
	id: number;
	permissions: Held;
	isSystem: boolean;
}

export interface Employee {
	id: number;
	storeId: number;
	phone: string;
	active: boolean;
	roleIds: ReadonlySet<number>;
	password: string;
	/** The newest of their tokens, and whether nothing has ended it. */
	token: string;
	isSignedIn: boolean;
	/** They have a one-time password, and have to choose one of their own before anything else. */
	mustChoose: boolean;
}

const adminHolds: readonly PermissionCode[] = codes.filter((code) => code !== 'employee:view:store');
const builtIn: readonly Role[] = [
	{ id: 1, permissions: new Set(adminHolds), isSystem: true },
	{ id: 2, permissions: new Set(['employee:view:store']), isSystem: true },
	{ id: 3, permissions: new Set(), isSystem: true },
];

/** What the roles of every model hold; two more hold anything. */
const usualSets: readonly (readonly PermissionCode[])[] = [
	['employee:manage'],
	['employee:view:store', 'employee:manage'],
	['employee:view:store', 'employee:manage', 'role:manage', 'store:manage'],
	['role:manage', 'store:manage'],
	['employee:view:all'],
	['permission:manage'],
];

/** Everything that is not deleted. */
export class RightsModel {
	readonly world: World;
	readonly chance: Chance;
	readonly stores = new Map<number, Store>();
	readonly roles = new Map<number, Role>();
	readonly employees = new Map<number, Employee>();
	/** Those of them who were deleted, as they were. */
	readonly deleted = new Map<number, Employee>();
	/** What was done to many at once, for its undoing. */
	readonly groups: { id: number; by: number; ids: readonly number[] }[] = [];
	/** Every employee that ever was in this model. */
	readonly everybody = new Set<number>();

	private constructor(world: World, chance: Chance) {
		this.world = world;
		this.chance = chance;
		for (const role of builtIn) this.roles.set(role.id, role);
	}

	/** Three stores, eight custom roles, eight employees with one or two roles each. */
	static async build(world: World, chance: Chance): Promise<RightsModel> {
		const model = new RightsModel(world, chance);
		for (let made = 0; made < 3; made += 1) {
			const { id } = await world.addStore();
			model.stores.set(id, { id, active: true });
		}
		for (const set of [...usualSets, chance.pick(subsets), chance.pick(subsets)]) await model.#addRole(set);
		const custom = [...model.roles.values()].filter(({ isSystem }) => !isSystem).map(({ id }) => id);
		for (let made = 0; made < 8; made += 1) {
			const storeId = chance.pick([...model.stores.keys()]);
			const roleIds = [chance.pick([...model.roles.keys()]), chance.pick(custom)];
			const { id, phone } = await world.addEmployee(storeId, roleIds);
			model.addEmployee({ id, phone, storeId, active: true, roleIds: new Set(roleIds) });
		}
		return model;
	}

	async #addRole(submitted: readonly PermissionCode[]): Promise<void> {
		const { id } = await this.world.addRole();
		const body = { permissions: submitted };
		const policy = expectStatus(await this.world.asSuper('PUT', `/api/permissions/roles/${id}`, body), 200);
		const permissions = withDependencies(submitted);
		if (policy.permissions.join() !== permissions.join()) throw new Error(`${submitted} became ${policy.permissions}`);
		this.roles.set(id, { id, permissions: new Set(permissions), isSystem: false });
	}

	/** Adds a newly hired employee. */
	addEmployee(hired: Pick<Employee, 'id' | 'phone' | 'storeId' | 'active' | 'roleIds'>): void {
		this.employees.set(hired.id, {
			...hired,
			password: initialPassword,
			token: '',
			isSignedIn: false,
			mustChoose: false,
		});
		this.everybody.add(hired.id);
	}

	deleteEmployee(target: Employee): void {
		this.employees.delete(target.id);
		this.deleted.set(target.id, Object.assign(target, { isSignedIn: false }));
	}

	/** Gives an employee another password, which ends their tokens. */
	setPassword(target: Employee, password: string, mustChoose = false): void {
		Object.assign(target, { password, mustChoose, isSignedIn: false });
	}

	/** Takes over what is stored of some employees. */
	readAgain(ids: readonly number[]): void {
		const roles =
			'select json_group_array(role_id) from employee_roles where employee_id = e.id and unbound_at is null';
		const query = `select id, store_id, status, (${roles}) roles from employees e where id in (${ids.join()})`;
		for (const { id, store_id: storeId, status, roles } of this.world.rows(query)) {
			const target = this.employees.get(id);
			if (target) Object.assign(target, { storeId, active: status === 'ACTIVE', roleIds: new Set(JSON.parse(roles)) });
		}
	}

	permissionsOf({ roleIds }: Pick<Employee, 'roleIds'>): Held {
		return this.permissionsOfRoles([...roleIds]);
	}

	/** A deleted role holds nothing. */
	permissionsOfRoles(roleIds: readonly number[]): Held {
		return new Set(roleIds.flatMap((id) => [...(this.roles.get(id)?.permissions ?? [])]));
	}

	holds(by: Employee, ...anyOf: PermissionCode[]): boolean {
		const held = this.permissionsOf(by);
		return anyOf.some((code) => held.has(code));
	}

	canSignIn({ id, active, storeId }: Employee): boolean {
		return this.employees.has(id) && active && this.stores.get(storeId)?.active === true;
	}

	/** The store that a person is confined to, if any. */
	ownStoreOf(by: Employee): number | undefined {
		return isConfined(this.permissionsOf(by)) ? by.storeId : undefined;
	}

	/** Whether a store's employees are out of a person's scope. */
	isOutOfScope(by: Employee, storeId: number): boolean {
		return ![undefined, storeId].includes(this.ownStoreOf(by));
	}

	/** Whether a person may change an existing employee. */
	reaches(by: Employee, target: Employee): boolean {
		if (!this.holds(by, 'employee:manage') || this.isOutOfScope(by, target.storeId)) return false;
		return covers(this.permissionsOf(by), this.permissionsOf(target));
	}

	bindsUpward(by: Employee, added: readonly number[]): boolean {
		return !covers(this.permissionsOf(by), this.permissionsOfRoles(added));
	}

	/** Why nobody can be employed in a store. */
	storeFaults(id: number): number[] {
		return this.stores.get(id)?.active ? [] : [400];
	}

	roleFaults(ids: readonly number[]): number[] {
		return ids.every((id) => this.roles.has(id)) ? [] : [400];
	}

	phoneFaults(phone: string, own?: number): number[] {
		return [...this.employees.values()].some((other) => other.phone === phone && other.id !== own) ? [409] : [];
	}

	/** A store; now and then one that does not exist. So are a role and an employee, who may also be deleted. */
	anyStoreId(): number {
		return this.#any(this.stores);
	}

	anyRoleId(): number {
		return this.#any(this.roles);
	}

	anyEmployeeId(): number {
		return this.chance.below(20) === 0 ? this.chance.pick([...this.everybody]) : this.#any(this.employees);
	}

	#any(things: ReadonlyMap<number, unknown>): number {
		return this.chance.below(20) === 0 ? missing : this.chance.pick([...things.keys(), missing]);
	}

	/** Up to three roles. */
	someRoleIds(): number[] {
		const ids = Array.from({ length: this.chance.below(4) }, () => this.chance.pick([...this.roles.keys()]));
		return this.chance.below(25) === 0 ? [...ids, missing] : [...new Set(ids)];
	}

	/** A new phone; now and then a taken one. */
	anyPhone(): string {
		const taken = [...this.employees.values()].map(({ phone }) => phone);
		return this.chance.below(8) === 0 && taken.length > 0 ? this.chance.pick(taken) : newPhone();
	}
}
