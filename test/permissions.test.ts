/** Permissions: menus, definitions, policies, and the dependencies of codes. */
import { describe, expect, test } from 'bun:test';
import type { Permission, PermissionCode } from '../src/platform/vocabulary/permissions.ts';
import { expectStatus, Service } from './harness.ts';
import { subsets, withDependencies } from './matrix.ts';
import { codes, serverOwned } from './oracle.ts';

const adminCodes = codes.filter((code) => code !== 'employee:view:store');
const writing = ['view', 'create', 'update', 'delete'];

const stores = { key: 'stores', title: '门店管理', permission: 'store:view' };
const roles = { key: 'roles', title: '角色管理', permission: 'role:view' };
const employees = { key: 'employees', title: '员工管理', permission: 'employee:view:all' };
const permissions = { key: 'permissions', title: '权限管理', icon: 'key', permission: 'permission:view' };

const service = await Service.start();
const { id: storeId } = await service.addStore();
service.restoreBeforeEachTest();

function replace(roleId: number, submitted: unknown) {
	const body = { ...serverOwned, roleId: 1, permissions: submitted };
	return service.asSuper('PUT', `/api/permissions/roles/${roleId}`, body);
}

/** The rows of a role's permissions in the database, oldest first. */
function grantsOf(roleId: number) {
	const columns = 'id, permission, granted_at, deleted_at';
	return service.rows(`select ${columns} from role_permissions where role_id = ? order by id`, roleId);
}

const policies = () => service.read('/api/permissions/policies');

describe('GET /api/permissions/me', () => {
	const menu = (of: object, actions: string[]) => ({ ...of, actions });
	const ownStore = { ...employees, permission: 'employee:view:store' };
	test.each<[Permission[], object[]]>([
		[
			['*'],
			[menu(stores, writing), menu(roles, writing), menu(employees, writing), menu(permissions, ['view', 'update'])],
		],
		[[], []],
		[['store:view'], [menu(stores, ['view'])]],
		[['store:view', 'store:manage'], [menu(stores, writing)]],
		[['role:view'], [menu(roles, ['view'])]],
		[['role:view', 'role:manage'], [menu(roles, writing)]],
		[['employee:view:all'], [menu(employees, ['view'])]],
		[['employee:view:all', 'employee:manage'], [menu(employees, writing)]],
		[['employee:view:store', 'employee:manage'], [menu(ownStore, writing)]],
		[['permission:view', 'permission:manage'], [menu(permissions, ['view', 'update'])]],
		[
			['permission:view', 'employee:view:store', 'store:manage', 'store:view'],
			[menu(stores, writing), menu(ownStore, ['view']), menu(permissions, ['view'])],
		],
		[['store:manage', 'role:manage', 'employee:manage', 'permission:manage'], []],
	])('shows the holder of %j their menus', async (held, menus) => {
		const codesHeld = codes.filter((code) => held.includes(code));
		const isSuper = held.includes('*');
		const token = isSuper ? service.superToken : (await service.addPerson(storeId, ...codesHeld)).token;
		expect(await service.read('/api/permissions/me', token)).toEqual({
			permissions: isSuper ? held : codesHeld,
			menus,
		});
	});
});

test('GET /api/permissions/definitions lists the assignable codes, grouped, and the menus', async () => {
	const data = await service.read('/api/permissions/definitions');
	expect(Object.keys(data)).toEqual(['permissions', 'groups', 'menus']);
	const text = expect.stringMatching(/^\p{Script=Han}/u);
	const definition = (code: string, group: { key: string; title: string }) => ({
		code,
		title: text,
		description: text,
		groupKey: group.key,
		groupTitle: group.title,
	});
	const groups = { store: stores, role: roles, employee: employees, permission: permissions };
	const grouped = Object.entries(groups).map(([prefix, group]): [typeof stores, PermissionCode[]] => {
		return [group, codes.filter((code) => code.startsWith(`${prefix}:`))];
	});
	const wanted = grouped.flatMap(([group, held]) => held.map((code) => definition(code, group)));
	expect(data.permissions, 'a new group belongs to `groups`').toEqual(wanted);
	expect(new Set(data.permissions.map((each: { title: string }) => each.title)).size).toBe(codes.length);
	expect(data.groups).toEqual(
		grouped.map(([group, held]) => ({
			key: group.key,
			title: group.title,
			permissions: data.permissions.filter((each: { code: PermissionCode }) => held.includes(each.code)),
		})),
	);
	const { icon: _, ...unmarked } = permissions;
	const actionLabels = { view: text, create: text, update: text, delete: text };
	expect(data.menus).toEqual([
		{ ...stores, actions: writing, actionLabels },
		{ ...roles, actions: writing, actionLabels },
		{ ...employees, actions: writing, actionLabels },
		{ ...unmarked, actions: ['view', 'update'], actionLabels },
	]);
});

describe('GET /api/permissions/policies', () => {
	test('lists the super administrator, the built-in roles and the custom ones, without deleted ones', async () => {
		const gone = await service.addRole();
		const kept = await service.addRole('store:view');
		await service.asSuper('DELETE', `/api/roles/${gone.id}`);
		const text = expect.stringMatching(/./);
		const rest = { roleName: text, roleDescription: text, isSystem: true, editable: true };
		const none = { ...rest, scope: 'no back-office menu by default', permissions: [], menus: [] };
		const withActions = ({ key, title }: typeof stores, actions: string[]) => ({ key, title, actions });
		const views = [stores, roles, employees].map((each) => withActions(each, writing));
		const allMenus = [...views, withActions(permissions, ['view', 'update'])];
		const ofCode = (roleCode: string) => ({ roleId: service.builtIn(roleCode), roleCode });
		expect(await policies()).toEqual([
			{
				roleId: 0,
				roleCode: 'super_admin',
				roleName: '超级管理员',
				roleDescription: text,
				isSystem: true,
				editable: false,
				scope: 'all stores',
				permissions: ['*'],
				menus: allMenus,
			},
			{
				...rest,
				...ofCode('admin'),
				scope: 'by permission point',
				permissions: adminCodes,
				menus: allMenus,
			},
			{
				...rest,
				...ofCode('store_manager'),
				scope: 'current store',
				permissions: ['employee:view:store'],
				menus: [withActions(employees, ['view'])],
			},
			{ ...none, ...ofCode('cashier') },
			{ ...none, ...ofCode('kitchen') },
			{ ...none, ...ofCode('part_time') },
			{
				roleId: kept.id,
				roleCode: kept.code,
				roleName: kept.name,
				roleDescription: '',
				isSystem: false,
				editable: true,
				scope: 'by permission point',
				permissions: ['store:view'],
				menus: [withActions(stores, ['view'])],
			},
		]);
	});

	test.each<[string, PermissionCode[]]>([
		['current store', ['store:view', 'employee:view:store', 'employee:manage', 'permission:view']],
		['by permission point', ['employee:view:all', 'employee:view:store']],
		['by permission point', ['employee:view:all']],
		['no back-office menu by default', ['employee:manage', 'store:manage']],
	])('names the scope "%s" for %j', async (scope, held) => {
		const { id } = await service.addRole(...held);
		const policy = (await policies()).find((each: { roleId: number }) => each.roleId === id);
		expect(policy.scope).toBe(scope);
	});
});

describe('PUT /api/permissions/roles/:roleId', () => {
	const pairs = subsets.filter(({ length }) => length <= 2 || length > 7).map((subset) => subset.toReversed());
	test.each(pairs)('of %j, in any order and twice, stores them and what they depend on', async (...submitted) => {
		const { id } = await service.addRole('permission:view');
		const held = withDependencies(submitted);
		const saved = expectStatus(await replace(id, [...submitted, ...submitted]), 200);
		expect(saved.permissions, 'what a code needs is in `withDependencies` of matrix.ts').toEqual(held);
		const live = grantsOf(id).filter((grant) => grant.deleted_at === null);
		expect(live.map((grant) => grant.permission).toSorted()).toEqual(held.toSorted());
	});

	test('marks a removed permission as deleted, and a later grant is a new row; other roles keep theirs', async () => {
		const other = await service.addRole('store:view');
		const othersGrants = grantsOf(other.id);
		const granted = service.time.toISOString();
		const { id } = await service.addRole('store:view', 'role:view');
		const removed = service.tick();
		await replace(id, ['role:view']);
		const again = service.tick();
		await replace(id, ['role:view', 'store:view']);
		const each = { id: expect.any(Number) };
		expect(grantsOf(id)).toEqual([
			{ ...each, permission: 'store:view', granted_at: granted, deleted_at: removed },
			{ ...each, permission: 'role:view', granted_at: granted, deleted_at: null },
			{ ...each, permission: 'store:view', granted_at: again, deleted_at: null },
		]);
		const cleared = service.tick();
		await replace(id, []);
		expect(grantsOf(id).map((grant) => grant.deleted_at)).toEqual([removed, cleared, cleared]);
		expect(grantsOf(other.id)).toEqual(othersGrants);
	});

	test('edits built-in and custom roles, and answers what the policies show from then on', async () => {
		await service.addRole('role:view');
		for (const { id, code } of service.rows('select id, code from roles')) {
			const policy = expectStatus(await replace(id, ['store:view', 'store:manage']), 200);
			expect(policy).toMatchObject({ roleCode: code, permissions: ['store:view', 'store:manage'] });
			expect(await policies()).toContainEqual(policy);
		}
	});

	test('lets the holder of permission:manage grant any assignable code', async () => {
		const { token } = await service.addPerson(storeId, 'permission:view', 'permission:manage');
		const path = `/api/permissions/roles/${service.customRoles()[0]}`;
		const answer = await service.as(token, 'PUT', path, { permissions: codes });
		expect(expectStatus(answer, 200).permissions).toEqual(codes);
	});
});
