/** Changing many employees at once, and undoing it. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { closeStore } from '../src/features/employees/store-closure.ts';
import { actorOf } from '../src/identity/session/actor.ts';
import { permitAll } from '../src/identity/session/session.ts';
import { hanging } from './hanging.ts';
import { type Answer, detailsOf, expectRefusal, expectStatus, type Person, Service } from './harness.ts';
import type { Body } from './http.ts';
import { missing } from './matrix.ts';
import { seeded } from './oracle.ts';

setDefaultTimeout(hanging);

const path = '/api/employees/changes';
/** A common time for all chains, after they were made. */
const start = Date.now() + 60_000;

/** A chain with every reason for a refusal. All chains have the same ids. */
interface Chain {
	service: Service;
	home: Body;
	away: Body;
	closed: Body;
	/** Custom roles; the last one is above the managers. */
	roles: Body[];
	people: Body[];
	/** A manager of all stores, and a manager of `home`. */
	callers: Person[];
}

async function build(): Promise<Chain> {
	const service = await Service.start();
	service.time = new Date(start);
	const [home, away, closed] = [
		await service.addStore({ name: '城西店' }),
		await service.addStore({ name: '城东店' }),
		await service.addStore({ name: '旧店' }),
	];
	const roles = [await service.addRole(), await service.addRole(), await service.addRole('role:manage')];
	const callers = [
		await service.addPerson(home.id, 'employee:manage', 'employee:view:all'),
		await service.addPerson(home.id, 'employee:manage', 'employee:view:store'),
	];
	const [plain, other, above] = roles.map(({ id }) => id);
	const people = [];
	const places = [[home], [home, plain], [home, plain, other], [away, other], [closed], [home, above], [home]];
	for (const [store, ...held] of places) {
		const place: number = people.length;
		const fields = { name: `员工${place}`, phone: `1370000000${place}`, status: place === 1 ? 'INACTIVE' : 'ACTIVE' };
		people.push(await service.addEmployee(store.id, held, fields));
	}
	await service.asSuper('PATCH', `/api/stores/${closed.id}`, { status: 'INACTIVE' });
	await service.asSuper('DELETE', `/api/employees/${people[6]?.id}`);
	service.tick();
	service.restoreBeforeEachTest();
	return { service, home, away, closed, roles, people, callers };
}

const [here, twin] = [await build(), await build()];
const { service } = here;

const changeMany = (of: Service, token: string, ids: readonly number[], change: object, query = '') =>
	of.as(token, 'POST', path + query, { ids, change });
const byAdmin = (ids: readonly number[], change: object) => changeMany(service, service.superToken, ids, change);
const closeAway = () => service.closeStore(here.away.id, here.home.id);
const idsOf = (...places: number[]) => places.map((place) => here.people[place]?.id as number);
const refusedIn = ({ body }: Answer): [path: string, name: string | undefined, message: string][] =>
	body.error.details.map(({ path, name, message }: Body) => [path, name, message]);
const read = async (of: Service, id: number) => (await of.asSuper('GET', `/api/employees/${id}`)).body;
const historyOf = (of: Service) => of.rows('select * from history order by id');

/** Returns the state that single changes and a bulk change must share. */
const peopleOf = (of: Service) =>
	of.rows(
		`select id, store_id, status, deleted_at, token_version, (
			select json_group_array(role_id order by role_id) from employee_roles where employee_id = employees.id and unbound_at is null
		) from employees order by id`,
	);

/** Makes the single change that corresponds to a bulk change. */
async function changeOne(of: Service, token: string, id: number, change: Record<string, unknown>): Promise<Answer> {
	if (change.delete) return of.as(token, 'DELETE', `/api/employees/${id}`);
	const { data } = await read(of, id);
	const held: number[] = data?.roles.map((role: Body) => role.id) ?? [];
	const { addRoleIds, removeRoleIds } = change as Record<string, number[] | undefined>;
	const roleIds = addRoleIds ? [...held, ...addRoleIds] : held.filter((each) => !removeRoleIds?.includes(each));
	const body = addRoleIds || removeRoleIds ? { roleIds } : change;
	return of.as(token, 'PATCH', `/api/employees/${id}`, body);
}

/** The content of a record, apart from its place and the request. An update that changed nothing has no record. */
const told = (of: Service, after: number) =>
	historyOf(of)
		.filter(({ id, changes }) => id > after && changes !== '[]')
		.map(({ id: _, request_id: __, group_id: ___, actor_name: ____, search_text: _____, ...record }) => record)
		.toSorted((a, b) => a.target_id - b.target_id);

const rounds = Array.from({ length: 10 }, (_, round) => round);
test.each(rounds)('a change of many people equals the single changes one after another, round %d', async (round) => {
	const { below, pick } = seeded(round);
	const roleIds = () => [pick([...here.roles.map(({ id }) => id), missing]), here.roles[below(2)]?.id];
	const change = pick<() => Record<string, unknown>>([
		() => ({ storeId: pick([here.home.id, here.away.id, here.closed.id, missing]) }),
		() => ({ status: pick(['ACTIVE', 'INACTIVE']) }),
		() => ({ addRoleIds: roleIds() }),
		() => ({ removeRoleIds: roleIds() }),
		() => ({ delete: true }),
	])();
	const everybody = [...idsOf(0, 1, 2, 3, 4, 5, 6), missing];
	// Without these easy rounds, most changes would be refused.
	const possible = round % 2 ? idsOf(0, 1, 2) : everybody;
	const ids = possible.filter(() => below(3) > 0).toSorted(() => below(3) - 1);
	if (ids.length === 0) ids.push(possible[0] as number);
	const caller = pick(['super', 0, 1] as const);
	const tokenOn = (of: Chain) => (caller === 'super' ? of.service.superToken : (of.callers[caller]?.token ?? ''));

	const before = historyOf(service).length;
	const untouched = service.everything();
	const dry = await changeMany(service, tokenOn(here), ids, change, '?dryRun=true');
	expect(service.everything()).toEqual(untouched);
	const many = await changeMany(service, tokenOn(here), ids, change);
	const singles = [];
	for (const id of ids) singles.push(await changeOne(twin.service, tokenOn(twin), id, change));

	const refused = singles.flatMap(({ status, body }, index) => (status >= 400 ? [{ index, status, body }] : []));
	if (refused.length > 0) {
		const [status] = [403, 404, 400].filter((each) => refused.some((single) => single.status === each));
		expect([many.status, dry.status]).toEqual([status, status] as number[]);
		expect(dry.body).toEqual(many.body);
		expect(refusedIn(many).map(([where]) => where)).toEqual(refused.map(({ index }) => `body.ids.${index}`));
		expect(refusedIn(many).map(([, , message]) => message)).toEqual(refused.map(({ body }) => body.error.message));
		expect(service.everything()).toEqual(untouched);
		return;
	}
	const records = told(service, before);
	expect(records).toEqual(told(twin.service, before));
	const { groupId, ...counts } = expectStatus(many, 200);
	expect(counts).toEqual({ changed: records.length, unchanged: ids.length - records.length });
	expect(expectStatus(dry, 200)).toEqual({ ...counts, groupId: null });
	expect(service.rows('select id from history where group_id = ?', groupId ?? 0)).toHaveLength(records.length);
	expect(peopleOf(service)).toEqual(peopleOf(twin.service));
});

test('each refused employee is named, but not to a caller who may not see them', async () => {
	const ids = [...idsOf(0, 3, 5), missing];
	const [all, own] = here.callers.map(({ token }) => token);
	const byAll = await changeMany(service, all ?? '', ids, { storeId: here.closed.id });
	expectRefusal(byAll, 403, '有 4 名员工不能更改，因此没有做任何更改');
	expect(refusedIn(byAll)).toEqual([
		['body.ids.0', '员工0', '门店不存在或已禁用'],
		['body.ids.1', '员工3', '门店不存在或已禁用'],
		['body.ids.2', '员工5', expect.stringContaining('不能操作该员工：您没有')],
		['body.ids.3', undefined, '员工不存在'],
	]);
	const byOwn = await changeMany(service, own ?? '', ids, { status: 'INACTIVE' });
	expect(refusedIn(byOwn)).toEqual([
		['body.ids.1', undefined, '只能查看和管理您负责的门店的员工'],
		['body.ids.2', '员工5', expect.stringContaining('不能操作该员工：您没有')],
		['body.ids.3', undefined, '员工不存在'],
	]);
});

test('nobody gets more than 20 roles, and an employee who has the role already is left alone', async () => {
	const roleIds: number[] = [];
	for (let count = 0; count < 20; count++) roleIds.push((await service.addRole()).id);
	const [first, second] = idsOf(0, 1) as [number, number];
	expect(expectStatus(await byAdmin([first], { addRoleIds: roleIds }), 200)).toMatchObject({ changed: 1 });
	const before = await read(service, first);
	service.tick();
	const answer = await byAdmin([first, second], { addRoleIds: roleIds.slice(0, 20) });
	expectRefusal(answer, 400);
	expect(refusedIn(answer)).toEqual([['body.ids.1', '员工1', '一名员工最多有 20 个角色']]);
	// A right that the caller lacks is the first reason.
	const { token } = await service.addPerson(here.away.id, 'employee:view:all', 'employee:manage');
	const { id: clerk } = await service.addRole('role:view');
	const refused = await changeMany(service, token, [first], { addRoleIds: [clerk] });
	expect(refusedIn(refused)).toEqual([['body.ids.0', '员工0', expect.stringContaining('超出您可以授予的范围')]]);
	const fewer = { addRoleIds: roleIds.slice(0, 19) };
	expect(expectStatus(await byAdmin([first, second], fewer), 200)).toMatchObject({ changed: 1, unchanged: 1 });
	expect(await read(service, first)).toEqual(before);
	expect(expectStatus(await byAdmin([first], fewer), 200)).toEqual({ changed: 0, unchanged: 1, groupId: null });
});

describe('undoing', () => {
	/** Checks that a change is not undone because of one person. */
	function expectNotUndone(answer: Answer, status: 400 | 403 | 404 | 409, name: string, reason: string): void {
		expectRefusal(answer, status);
		expect(refusedIn(answer)).toEqual([['params.groupId', name, expect.stringContaining(reason)]]);
	}

	test.each([
		['storeId', () => ({ storeId: here.away.id })],
		['status', () => ({ status: 'INACTIVE' })],
		['addRoleIds', () => ({ addRoleIds: here.roles.map(({ id }) => id) })],
		['removeRoleIds', () => ({ removeRoleIds: here.roles.map(({ id }) => id) })],
	])('%s brings everybody back, leaves a record each, and works once', async (_, change) => {
		const ids = idsOf(0, 1, 2, 3, 5);
		const people = async () => {
			const all = [];
			for (const id of ids) all.push({ ...(await read(service, id)).data, updatedAt: 0 });
			return all;
		};
		const before = await people();
		const { groupId, changed, unchanged } = expectStatus(await byAdmin(ids, change()), 200);
		expect(await people()).not.toEqual(before);
		// Other fields may change before the undo, whoever changes them.
		service.tick();
		await service.asSuper('PATCH', `/api/employees/${ids[3]}`, { remark: '夜班' });
		before[3] = { ...before[3], remark: '夜班' };
		service.tick();
		const undone = expectStatus(await service.undo(groupId), 200);
		expect(undone).toMatchObject({ changed, unchanged: 0 });
		expect(changed + unchanged).toBe(ids.length);
		expect(await people()).toEqual(before);
		const group = `groupId=${undone.groupId}&action=EMPLOYEE_UPDATE_UNDO`;
		expect((await service.read(`/api/history?${group}`)).pagination.total).toBe(changed);
		service.tick();
		expectRefusal(await service.undo(groupId), 409);
		expectRefusal(await service.undo(undone.groupId), 404);
	});

	test('brings back a temporary role until its day, and never for good', async () => {
		const [id] = idsOf(0);
		const roleId = here.roles[0]?.id;
		const until = '2999-12-31';
		await service.asSuper('POST', `/api/employees/${id}/roles`, { roleId, until });
		const { groupId } = expectStatus(await byAdmin(idsOf(0, 1), { removeRoleIds: [roleId] }), 200);
		expectStatus(await service.undo(groupId), 200);
		const link = 'select ends_on from employee_roles where employee_id = ? and unbound_at is null';
		expect(idsOf(0, 1).map((each) => service.rows(link, each))).toEqual([[{ ends_on: until }], [{ ends_on: null }]]);
		await service.asSuper('POST', `/api/employees/${id}/roles`, { roleId, until: '2998-12-31' });
		const all = service.rows('select ends_on from employee_roles where employee_id = ? order by id', id ?? 0);
		expect(all).toEqual([{ ends_on: until }, { ends_on: '2998-12-31' }]);
		// The undo of another change leaves the day of a present role alone.
		const added = expectStatus(await byAdmin(idsOf(0), { addRoleIds: [here.roles[1]?.id] }), 200);
		expectStatus(await service.undo(added.groupId), 200);
		expect(service.rows(link, id ?? 0)).toEqual([{ ends_on: '2998-12-31' }]);
	});

	test('is refused when a role that was given has another last day since', async () => {
		const roleId = here.roles[0]?.id;
		const { groupId } = expectStatus(await byAdmin(idsOf(0, 3), { addRoleIds: [roleId] }), 200);
		const until = '2999-12-31';
		const give = (place: number, role: Body | undefined) =>
			service.asSuper('POST', `/api/employees/${idsOf(place)[0]}/roles`, { roleId: role?.id, until });
		expectStatus(await give(0, here.roles[0]), 200);
		// The day of another role does not count.
		expectStatus(await give(3, here.roles[1]), 200);
		expectNotUndone(await service.undo(groupId), 409, '员工0', '修改了角色');
	});

	test('is refused with the people who were changed since and by which colleague, and then changes nobody', async () => {
		const ids = idsOf(0, 1, 2);
		const { groupId } = expectStatus(await byAdmin(ids, { storeId: here.away.id }), 200);
		// In the same millisecond.
		const [first, second] = ids;
		await service.asSuper('PATCH', `/api/employees/${first}`, { storeId: here.home.id });
		await service.asSuper('PATCH', `/api/employees/${first}`, { storeId: here.away.id });
		const { token } = here.callers[0] as Person;
		expectStatus(await service.as(token, 'DELETE', `/api/employees/${second}`), 204);
		const before = service.everything();
		const answer = await service.undo(groupId);
		expectRefusal(answer, 409);
		const at = service.time.toISOString();
		const byName = (one: Body, other: Body) => one.name.localeCompare(other.name);
		expect(detailsOf(answer).toSorted(byName)).toEqual([
			{
				path: 'params.groupId',
				name: '员工0',
				by: 'admin',
				at,
				field: 'storeId',
				message: expect.stringMatching(/^admin \S+ \d\d:\d\d \S+ 修改了门店$/),
			},
			{
				path: 'params.groupId',
				name: '员工1',
				by: expect.any(String),
				at,
				message: expect.stringMatching(/^.* \d\d:\d\d [+-]\d\d:\d\d 删除了该员工$/),
			},
		]);
		expect(service.everything()).toEqual(before);
	});

	test('follows every rule of a change: the store may have closed since', async () => {
		const { groupId } = expectStatus(await byAdmin(idsOf(0, 3), { storeId: here.home.id }), 200);
		await service.asSuper('PATCH', `/api/stores/${here.away.id}`, { status: 'INACTIVE' });
		expectNotUndone(await service.undo(groupId), 400, '员工3', '门店不存在或已禁用');
	});

	test('is possible for one’s own changes within a day, and for a super administrator for everybody’s', async () => {
		const [caller, lead] = here.callers;
		const { token } = caller as Person;
		const change = { status: 'INACTIVE' };
		const own = expectStatus(await changeMany(service, token, idsOf(0, 1), change), 200);
		expectRefusal(await service.undo(own.groupId, lead?.token), 404, '没有可以撤销的更改');
		expectRefusal(await service.undo(here.closed.id, token), 404);
		expect(expectStatus(await service.undo(own.groupId), 200).changed).toBe(1);
		const late = expectStatus(await changeMany(service, token, idsOf(0, 1), change), 200);
		service.tick(24 * 3600 + 1);
		const answer = await service.undo(late.groupId, service.tokenOf(caller?.id as number));
		expectRefusal(answer, 409, '超过 24 小时的更改不能撤销');
	});

	const groups = async (pageSize = 5): Promise<Body[]> =>
		(await service.read(`/api/history?grouped=true&pageSize=${pageSize}`)).items;
	/** The time until which the history offers to undo a group; null if it does not. */
	const deadlineOf = async (groupId: number) =>
		(await groups(100)).find(({ group }) => group.id === groupId)?.group.undoUntil;

	test('a deletion brings them back as they were, enabled or not, with their roles and last days', async () => {
		const [first] = idsOf(1);
		await service.asSuper('POST', `/api/employees/${first}/roles`, { roleId: here.roles[1]?.id, until: '2999-12-31' });
		expectStatus(await byAdmin(idsOf(0), { status: 'INACTIVE' }), 200);
		const before = withoutTimes();
		const { groupId } = expectStatus(await byAdmin(idsOf(0, 1, 2, 3), { delete: true }), 200);
		const day = new Date(service.time.getTime() + 24 * 3_600_000).toISOString();
		expect(await deadlineOf(groupId)).toBe(day);
		service.tick();
		const { token } = here.callers[1] as Person;
		expectRefusal(await service.undo(groupId, token), 404);
		service.tick(24 * 3600 - 1);
		const undone = expectStatus(await service.undo(groupId), 200);
		expect(undone).toMatchObject({ changed: 4, unchanged: 0 });
		expect(withoutTimes()).toEqual(before);
		const [{ until }] = service.rows(
			'select ends_on as until from employee_roles where employee_id = ? and unbound_at is null and role_id = ?',
			first ?? 0,
			here.roles[1]?.id,
		) as [Body];
		expect(until).toBe('2999-12-31');
		expect((await groups())[0]).toMatchObject({ action: 'EMPLOYEE_RESTORE', group: { id: undone.groupId, size: 4 } });
		expect(await deadlineOf(groupId)).toBeNull();
		service.tick();
		expectRefusal(await service.undo(groupId), 409);
	});

	test('the history tells of a change by the employee who changes most', async () => {
		const addRoleIds = here.roles.slice(0, 2).map(({ id }) => id);
		expectStatus(await byAdmin(idsOf(1, 0), { addRoleIds }), 200);
		expect((await groups())[0]).toMatchObject({ targetId: idsOf(0)[0], group: { size: 2 } });
	});

	test('the history offers a change until the first record after its time, but not one of a single person', async () => {
		const { groupId } = expectStatus(await byAdmin(idsOf(0, 2), { status: 'INACTIVE' }), 200);
		const day = new Date(service.time.getTime() + 24 * 3_600_000).toISOString();
		const { items } = await service.read(`/api/history?groupId=${groupId}`);
		expect(items.map(({ group }: Body) => group.undoUntil)).toEqual([null, day]);
		service.tick(24 * 3600);
		for (const until of [day, null]) {
			await service.asSuper('PATCH', `/api/employees/${idsOf(3)}`, { remark: `${until}` });
			expect(await deadlineOf(groupId)).toBe(until);
			expect((await groups())[0]).toMatchObject({ action: 'EMPLOYEE_UPDATE', group: { size: 1, undoUntil: null } });
			service.tick(0.001);
		}
	});

	test.each([
		['a move', 'first', 0],
		['a deletion', 'first', 0],
		['a deletion', 'last', 1],
	])(
		'the history offers %s after its %s employee came back from a deletion: it is undone for the others',
		async (what, _, index) => {
			const ids = idsOf(0, 2);
			const change = what === 'a move' ? { storeId: here.away.id } : { delete: true };
			const { groupId } = expectStatus(await byAdmin(ids, change), 200);
			const path = `/api/employees/${ids[index]}`;
			if (what === 'a move') expectStatus(await service.asSuper('DELETE', path), 204);
			service.tick();
			expectStatus(await service.asSuper('POST', `${path}/restore`), 200);
			expect(await deadlineOf(groupId)).toEqual(expect.any(String));
			const others = await service.undo(groupId, service.superToken, '?others=true');
			expect(expectStatus(others, 200)).toMatchObject({ changed: 1 });
			expect(await deadlineOf(groupId)).toBeNull();
		},
	);

	test('a deletion is not undone once the employee was restored, changed and deleted by another', async () => {
		const [id] = idsOf(0);
		const { token } = here.callers[0] as Person;
		const { groupId } = expectStatus(await changeMany(service, token, idsOf(0, 1), { delete: true }), 200);
		service.tick();
		await service.asSuper('POST', `/api/employees/${id}/restore`);
		await service.asSuper('PATCH', `/api/employees/${id}`, { status: 'INACTIVE', remark: '已离职' });
		expectStatus(await service.asSuper('DELETE', `/api/employees/${id}`), 204);
		const before = service.everything();
		expectNotUndone(await service.undo(groupId, token), 409, '员工0', '删除了该员工');
		expect(service.everything()).toEqual(before);
	});

	test('a change of somebody who was deleted since is not undone, even if the deletion changed no field of it', async () => {
		const [id] = idsOf(0);
		for (const remark of ['早班', null])
			expectStatus(await service.asSuper('PATCH', `/api/employees/${id}`, { remark }), 200);
		const [{ group }] = (await groups()) as [Body];
		expectStatus(await service.asSuper('DELETE', `/api/employees/${id}`), 204);
		expectNotUndone(await service.undo(group.id), 404, '员工0', '员工不存在');
	});

	test('the history offers each change that was not undone, even if another one of the same people was', async () => {
		const disabled = expectStatus(await byAdmin(idsOf(0, 2), { status: 'INACTIVE' }), 200);
		const moved = expectStatus(await byAdmin(idsOf(0, 2), { storeId: here.away.id }), 200);
		expectStatus(await service.undo(moved.groupId), 200);
		expect([await deadlineOf(moved.groupId), await deadlineOf(disabled.groupId)]).toEqual([null, expect.any(String)]);
		expectStatus(await service.undo(disabled.groupId), 200);
		expectStatus(await byAdmin(idsOf(0, 2), { status: 'INACTIVE' }), 200);
		expect(await deadlineOf(disabled.groupId)).toBeNull();
		// The first record of this closing is of the reach of somebody who works elsewhere.
		await service.giveReach(idsOf(0)[0] as number, { stores: [here.away.id] });
		const closed = expectStatus(await closeAway(), 200);
		expect(await deadlineOf(closed.groupId)).toEqual(expect.any(String));
		expectStatus(await service.undo(closed.groupId), 200);
		expect(await deadlineOf(closed.groupId)).toBeNull();
	});

	test('a single deletion is undone by its record, unless the phone was taken since; a role may be gone', async () => {
		const [id] = idsOf(0);
		const { id: roleId } = await service.addRole();
		expectStatus(await service.asSuper('PATCH', `/api/employees/${id}`, { roleIds: [roleId] }), 200);
		for (const path of [`/api/employees/${id}`, `/api/roles/${roleId}`])
			expectStatus(await service.asSuper('DELETE', path), 204);
		const group = (await groups())[1]?.group;
		expect(group).toMatchObject({ size: 1, undoUntil: expect.any(String) });
		const added = await service.addEmployee(here.home.id, [], { phone: here.people[0]?.phone });
		expectNotUndone(await service.undo(group.id), 409, '员工0', added.name);
		await service.asSuper('DELETE', `/api/employees/${added.id}`);
		expect(expectStatus(await service.undo(group.id), 200)).toMatchObject({ changed: 1 });
	});

	test('a closing enables the store and brings its people back, for a caller who manages both', async () => {
		const { token } = await service.addPerson(here.home.id, 'employee:manage', 'employee:view:all');
		const before = withoutTimes();
		const status = async () => (await service.read(`/api/stores/${here.away.id}`)).status;
		await closeAway();
		const [{ group }] = (await groups()) as [Body];
		expect(group).toMatchObject({ size: 2, undoUntil: expect.any(String) });
		service.tick();
		expectRefusal(await service.undo(group.id, token), 404);
		const undone = expectStatus(await service.undo(group.id), 200);
		expect(undone.changed).toBe(1);
		expect([await status(), withoutTimes()]).toEqual(['ACTIVE', before]);
		const [reopening, closing] = await groups();
		const back = { id: undone.groupId, size: 2, undoUntil: null };
		expect(reopening).toMatchObject({ action: 'STORE_UPDATE', group: back });
		expect(closing?.group.undoUntil).toBeNull();
		expectRefusal(await service.undo(group.id), 409);
	});

	test('a closing is not undone once the store was enabled and disabled again', async () => {
		const { groupId } = expectStatus(await closeAway(), 200);
		service.tick();
		for (const status of ['ACTIVE', 'INACTIVE'])
			expectStatus(await service.asSuper('PATCH', `/api/stores/${here.away.id}`, { status }), 200);
		const before = service.everything();
		expect(await deadlineOf(groupId)).toBeNull();
		expectRefusal(await service.undo(groupId), 409, '门店之后又被禁用过，这次关闭不能撤销');
		expect(service.everything()).toEqual(before);
	});

	test('a closing is neither undone nor offered once the store was deleted', async () => {
		const at = `/api/stores/${here.away.id}`;
		const { groupId } = expectStatus(await closeAway(), 200);
		service.tick();
		expectStatus(await service.asSuper('DELETE', at), 204);
		expect(await deadlineOf(groupId)).toBeNull();
		expectRefusal(await service.undo(groupId), 404, '门店不存在');
		expectStatus(await service.closeStore(here.closed.id, here.home.id, 'DELETE'), 200);
		const [{ group }] = (await groups()) as [Body];
		expectRefusal(await service.undo(group.id), 404, '没有可以撤销的更改');
	});

	test('a closing of a disabled store is one line that can be undone, and offers its people', async () => {
		const at = `/api/stores/${here.away.id}`;
		expectStatus(await service.asSuper('PATCH', at, { status: 'INACTIVE' }), 200);
		const { groupId } = expectStatus(await closeAway(), 200);
		const person = here.people[3] as Body;
		// The second closing moves nobody, so it leaves a record without changes.
		service.insert('employee_reach', [{ employee_id: idsOf(0)[0] as number, store_id: here.away.id, given_at: '' }]);
		expectStatus(await closeAway(), 200);
		expect(await service.read(`${at}/closing`)).toMatchObject({ people: [{ id: person.id }] });
		const group = expect.objectContaining({ id: groupId, size: 2 });
		expect(await groups()).toContainEqual(expect.objectContaining({ group }));
		service.tick();
		expect(expectStatus(await service.undo(groupId), 200)).toMatchObject({ changed: 1 });
		expect(await service.read(`/api/employees/${person.id}`)).toMatchObject({ storeId: here.away.id });
		expect(await service.read(at)).toMatchObject({ status: 'ACTIVE' });
	});

	test('a closing that waited needs the permission at the time of the change', async () => {
		const closer = await service.addPerson(here.home.id, 'store:manage', 'employee:manage', 'employee:view:all');
		const now = () => service.time.toISOString();
		const account = { accountType: 'EMPLOYEE', id: closer.id, version: 1, signIn: 0 } as const;
		const claims = { ...account, signedInAt: 0, expiresAt: 1e10 };
		const requirements = { ownPassword: false, secondFactor: false };
		const actor = actorOf(service.db, { claims, requirements }, now());
		const caller = { actor, address: '127.0.0.1', requestId: 'closing', at: now(), permit() {} };
		permitAll(['store:manage'], ['employee:manage'])({ caller });
		// biome-ignore lint/suspicious/noThenProperty: a field of the API, and its text is no function.
		const closing = { moveTo: here.home.id, then: 'DISABLE' } as const;
		const waiting = closeStore({ db: service.db, now }, caller, here.away.id, closing);
		service.db.$client.run("update role_permissions set deleted_at = 'now' where permission = 'store:manage'");
		expect(await waiting.catch((error: unknown) => error)).toMatchObject({ code: 'FORBIDDEN' });
	});

	test('a closing can be undone, however many people had been given the store', async () => {
		const given = { store_id: here.away.id, given_at: '' };
		const people = service.insertEmployees(here.home.id, 2100).map((employee_id) => ({ employee_id, ...given }));
		service.insert('employee_reach', people);
		const { groupId } = expectStatus(await closeAway(), 200);
		service.tick();
		expect(expectStatus(await service.undo(groupId), 200)).toMatchObject({ changed: 1 });
	});

	test('of two closings the last one can be undone, however often the store was changed since', async () => {
		const at = `/api/stores/${here.away.id}`;
		const close = async () => {
			service.tick();
			return expectStatus(await closeAway(), 200).groupId;
		};
		const first = await close();
		expectStatus(await service.undo(first), 200);
		const second = await close();
		for (let number = 0; number < 25; number++) {
			expectStatus(await service.asSuper('PATCH', at, { address: `${number} 号` }), 200);
		}
		expect([await deadlineOf(first), await deadlineOf(second)]).toEqual([null, expect.any(String)]);
		expectRefusal(await service.undo(first), 409);
		expectStatus(await service.undo(second), 200);
	});

	test('a closing is refused to an account that may no longer manage stores, and changes nothing', async () => {
		const role = await service.addRole('store:manage', 'employee:manage', 'employee:view:all');
		const closer = await service.addPerson(here.home.id, 'employee:manage', 'employee:view:all');
		await service.asSuper('PATCH', `/api/employees/${closer.id}`, { roleIds: [role.id] });
		expectStatus(await service.closeStore(here.away.id, here.home.id, 'DISABLE', closer.token), 200);
		const [{ group }] = (await groups()) as [Body];
		const permissions = ['employee:manage', 'employee:view:all'];
		await service.asSuper('PUT', `/api/permissions/roles/${role.id}`, { permissions });
		const before = service.everything();
		expectRefusal(await service.undo(group.id, closer.token), 403);
		expect(service.everything()).toEqual(before);
	});

	/** Imports a file that adds two people and swaps two people's phones. Returns the group's id. */
	async function importPeople(token = service.superToken): Promise<number> {
		const [first, second] = [here.people[0] as Body, here.people[3] as Body];
		const lines = [
			'编号,姓名,手机号,门店,角色,备注',
			`${first.id},改名,${second.phone},城东店,,晚班`,
			`${second.id},${second.name},${first.phone},城东店,,`,
			`,新人一,19999999999,城西店,${here.roles[0]?.name},`,
			',新人二,13722222222,城西店,,',
		];
		const path = 'employees/import?mode=auto&passwords=one-time';
		const answer = expectStatus(await service.importCsv(path, lines, token), 201);
		expect(answer).toMatchObject({ mode: 'upsert', created: 2, updated: 2 });
		expect(answer.passwords).toHaveLength(2);
		return answer.groupId;
	}
	const withoutTimes = () => peopleOf(service).map(({ token_version: _, ...person }) => person);
	const written = () => service.rows('select name, phone, remark from employees where deleted_at is null order by id');

	test('an import deletes the new employees, changes the others back, and leaves no valid slip', async () => {
		const before = [written(), withoutTimes()];
		const groupId = await importPeople();
		service.tick();
		const undone = expectStatus(await service.undo(groupId), 200);
		expect(undone).toMatchObject({ changed: 4, unchanged: 0 });
		const after = withoutTimes();
		const hires = after.splice(-2);
		expect([written(), after]).toEqual(before);
		expect(hires.every((hire) => hire.deleted_at !== null)).toBe(true);
		const [record] = (await service.read('/api/history?grouped=true')).items;
		const changes = ['created', 'updated'].map((field) => ({ field, before: null, after: 2 }));
		expect(record).toMatchObject({ action: 'EMPLOYEE_IMPORT_UNDO', group: { id: undone.groupId, size: 5 }, changes });
		const restored = await service.asSuper('POST', `/api/employees/${hires[0]?.id}/restore`);
		expect(expectStatus(restored, 200)).toMatchObject({ name: '新人一' });
		service.tick();
		expect((await service.read('/api/employees?passwordExpired=true')).items).toMatchObject([{ name: '新人一' }]);
		expectRefusal(await service.undo(groupId), 409);
	});

	test('an import is not undone once a new employee was given a store; one new employee is no import', async () => {
		const groupId = await importPeople();
		await service.giveReach(peopleOf(service).at(-1)?.id, { stores: [here.away.id] });
		expectNotUndone(await service.undo(groupId), 409, '新人二', '修改了负责的门店');
		await service.addEmployee(here.home.id);
		const [{ group }] = (await groups()) as [Body];
		expectStatus(await service.undo(group.id), 200);
		expect((await groups())[0]).toMatchObject({ action: 'EMPLOYEE_DELETE', group: { size: 1 } });
	});

	test('leaves out an employee who was changed since, if the caller asks for that', async () => {
		const groupId = await importPeople();
		const newest = peopleOf(service).at(-1)?.id;
		service.tick();
		await service.asSuper('PATCH', `/api/employees/${newest}`, { remark: '留下' });
		const before = service.everything();
		expectNotUndone(await service.undo(groupId), 409, '新人二', '修改了备注');
		expect(service.everything()).toEqual(before);
		const others = await service.undo(groupId, service.superToken, '?others=true');
		expect(expectStatus(others, 200)).toMatchObject({ changed: 3, unchanged: 0 });
		const nobody = await service.undo(groupId, service.superToken, '?others=true');
		expectRefusal(nobody, 409, '有 4 名员工不能更改，因此没有做任何更改');
	});

	test.each([
		['phone', '13733333333,', '手机号已存在'],
		['externalId', ',E-2', '工号已存在'],
	])('gives nobody back a %s that somebody else has by now, and others their values', async (field, cells, message) => {
		const person = { ...here.people[0], externalId: 'E-1' } as Body;
		const other = here.people[3]?.id;
		await service.asSuper('PATCH', `/api/employees/${person.id}`, { externalId: 'E-1' });
		const lines = ['编号,手机号,工号,备注', `${person.id},${cells},`, `${other},,E-3,晚班`];
		const { groupId } = expectStatus(await service.importCsv('employees/import?mode=update', lines), 201);
		await service.addEmployee(here.home.id, [], { [field]: person[field] });
		expectNotUndone(await service.undo(groupId), 409, person.name, message);
		const others = await service.undo(groupId, service.superToken, '?others=true');
		expect(expectStatus(others, 200)).toMatchObject({ changed: 1 });
		expect((await service.read(`/api/employees/${other}?include=externalId`)).externalId).toBeNull();
	});

	test('gives nobody back a phone that another one of the same change has by now and keeps, nor that one’s', async () => {
		const [person, next, other] = [here.people[0] as Body, here.people[1] as Body, here.people[3] as Body];
		const phones = [`${person.id},13733333333,`, `${next.id},${person.phone},`];
		const lines = ['编号,手机号,备注', ...phones, `${other.id},,晚班`];
		const { groupId } = expectStatus(await service.importCsv('employees/import?mode=update', lines), 201);
		await service.asSuper('PATCH', `/api/employees/${other.id}`, { phone: next.phone });
		const refused = [next, person].map(({ name }) => ['params.groupId', name, '手机号已存在']);
		expect(refusedIn(await service.undo(groupId))).toEqual(refused as never);
		const others = await service.undo(groupId, service.superToken, '?others=true');
		expect(expectStatus(others, 200)).toMatchObject({ changed: 1 });
		expect(await service.read(`/api/employees/${other.id}`)).toMatchObject({ phone: next.phone, remark: null });
	});

	test('of an import obeys reach, and later changes of others', async () => {
		const [all, own] = here.callers;
		const groupId = await importPeople(all?.token);
		expectRefusal(await service.undo(groupId, own?.token), 404);
		await service.asSuper('POST', `/api/employees/${here.people[0]?.id}/roles`, { roleId: here.roles[2]?.id });
		const refused = await service.undo(groupId, all?.token);
		expectRefusal(refused, 403);
		// An employee who swapped phones with a refused one cannot get the old phone back.
		expect(refusedIn(refused)).toEqual([
			['params.groupId', '改名', expect.stringContaining('不能操作该员工：您没有')],
			['params.groupId', here.people[3]?.name, '手机号已存在'],
		]);
		const { token } = all as Person;
		const others = await service.undo(groupId, token, '?others=true');
		expect(expectStatus(others, 200)).toMatchObject({ changed: 2, unchanged: 0 });
		expect(written().map(({ phone }) => phone)).toContain(here.people[0]?.phone);
	});

	test('says nothing of an employee who has left the caller’s reach since', async () => {
		const lead = await service.addPerson(here.home.id, 'employee:view:store', 'employee:manage');
		const { id } = await service.addEmployee(here.home.id);
		const { groupId } = expectStatus(await changeMany(service, lead.token, [id], { status: 'INACTIVE' }), 200);
		service.tick();
		await service.asSuper('PATCH', `/api/employees/${id}`, { storeId: here.away.id, status: 'ACTIVE' });
		const expectRefused = async () => {
			const answer = await service.undo(groupId, lead.token);
			expectNotUndone(answer, 403, expect.any(String), '只能查看和管理您负责的门店的员工');
		};
		await expectRefused();
		expectStatus(await service.asSuper('DELETE', `/api/employees/${id}`), 204);
		await expectRefused();
	});
});
