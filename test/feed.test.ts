/** The feed of changes: the changes it reports, its cursors and pages, and requests that wait for it. */
import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test';
import { expireDue } from '../src/features/employees/expiry.ts';
import { operator, record } from '../src/identity/history/record.ts';
import { pruneHistory } from '../src/identity/history/retention.ts';
import { transaction } from '../src/platform/database/query.ts';
import { renewTokenEpoch } from '../src/platform/database/token-epoch.ts';
import { addDays, dayOf } from '../src/platform/vocabulary/day.ts';
import { findChangeType, historyActions } from '../src/platform/vocabulary/history.ts';
import { expectRefusal, expectStatus, initialPassword, newPhone, Service } from './harness.ts';
import type { Body } from './http.ts';
import { words } from './oracle.ts';

const service = await Service.start();
const [home, other] = [await service.addStore(), await service.addStore()];
service.restoreBeforeEachTest();

const path = '/api/changes';
const today = () => dayOf(service.time);
const read = (query = '') => service.read(`${path}${query}`);
const newest = async (): Promise<string> => (await read('?newest=true')).next;
const since = async (cursor: string) => (await read(`?limit=1000&after=${cursor}`)).items as Body[];
const namesOf = (items: readonly Body[]) => items.map(({ type, targetId }) => `${type} ${targetId}`);
const asSuper = async (method: string, where: string, body?: unknown, status = 200) =>
	expectStatus(await service.asSuper(method, where, body), status);

/** The answer about each resource, by type and id, without the parts about other resources. */
async function everyThing(): Promise<Map<string, string>> {
	const people = (await asSuper('GET', '/api/employees?pageSize=100&include=activity')).items;
	const stores = await asSuper('GET', '/api/stores?includeInactive=true&include=area&page=1&pageSize=100');
	const roles = await asSuper('GET', '/api/roles');
	const named: [string, Body[], string, ...string[]][] = [
		['EMPLOYEE', people, 'id', 'storeName', 'storeStatus', 'statusTags', 'lastSignInAt'],
		['STORE', stores.items, 'id'],
		['AREA', await asSuper('GET', '/api/areas'), 'id', 'stores'],
		['ROLE', roles, 'id'],
		['POLICY', await asSuper('GET', '/api/permissions/policies'), 'roleId', 'roleCode', 'roleName', 'roleDescription'],
		['PERMISSION_POINT', await asSuper('GET', '/api/permissions/points'), 'id', 'roles', 'employees'],
	];
	const things = new Map<string, string>();
	for (const [type, some, id, ...ofOthers] of named) {
		for (const each of some) {
			const own = { ...each, ...(type === 'STORE' && { area: each.area?.id ?? null }) };
			if (type === 'EMPLOYEE') {
				const reach = await asSuper('GET', `/api/employees/${each.id}/reach`);
				own.roles = each.roles.map((role: Body) => role.id);
				own.reach = [reach.stores.map((entry: Body) => entry.storeId), reach.areas.map((entry: Body) => entry.areaId)];
				own.access = await asSuper('GET', `/api/employees/${each.id}/access`);
				own.access = [own.access.hasSecondFactor, own.access.passwordIsInitial, own.access.passwordExpiresAt];
			}
			for (const field of ofOthers) delete own[field];
			things.set(`${type} ${each[id]}`, JSON.stringify(own));
		}
	}
	return things;
}

/** The resources that differ. A created or deleted role counts once, without its policy. */
function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
	const isPolicyOfOther = (key: string) => key.startsWith('POLICY') && before.has(key) !== after.has(key);
	return [...new Set([...before.keys(), ...after.keys()])]
		.filter((key) => before.get(key) !== after.get(key) && !isPolicyOfOther(key))
		.toSorted();
}

describe('the changes in the feed', () => {
	/** The actions of each kind of thing, and those that the feed leaves out. */
	const decided = {
		EMPLOYEE: words(`
			EMPLOYEE_CREATE EMPLOYEE_UPDATE EMPLOYEE_UPDATE_UNDO EMPLOYEE_DELETE EMPLOYEE_RESTORE EMPLOYEE_ROLE_GIVE
			EMPLOYEE_REACH EMPLOYEE_PASSWORD_CHANGE EMPLOYEE_PASSWORD_RESET EMPLOYEE_ONE_TIME_PASSWORD
			EMPLOYEE_SECOND_FACTOR_REMOVE OWN_PASSWORD_CHANGE SECOND_FACTOR_ENABLE SECOND_FACTOR_DISABLE
		`),
		STORE: words('STORE_CREATE STORE_UPDATE STORE_DELETE'),
		AREA: words('AREA_CREATE AREA_UPDATE AREA_DELETE'),
		ROLE: words('ROLE_CREATE ROLE_UPDATE ROLE_DELETE'),
		POLICY: words('ROLE_PERMISSIONS_REPLACE'),
		PERMISSION_POINT: words('POINT_CREATE POINT_UPDATE POINT_DELETE'),
		// Each line of a file has its own record.
		null: words(`
			SIGN_IN SIGN_IN_REFUSED SIGN_IN_UNFINISHED SIGN_OUT SIGN_OUT_EVERYWHERE EMPLOYEE_SIGN_OUT SECOND_FACTOR_START
			RECOVERY_CODES_RENEW CHAIN_UPDATE PROGRAM_CREATE PROGRAM_UPDATE PROGRAM_KEY PROGRAM_SECRET PROGRAM_DELETE
			APPROVAL APPROVAL_REFUSED EMPLOYEE_EXPORT EMPLOYEE_IMPORT EMPLOYEE_IMPORT_UNDO STORE_IMPORT BACKUP
			ADMINISTRATOR_CREATE ADMINISTRATOR_UPDATE ADMINISTRATOR_DELETE ADMINISTRATOR_PASSWORD_RESET
			ADMINISTRATOR_SECOND_FACTOR_REMOVE
		`),
	};

	test('is decided for every action of the history', () => {
		const found = historyActions.map((action) => `${action}: ${findChangeType(action)}`);
		const wanted = Object.entries(decided).flatMap(([type, some]) => some.map((action) => `${action}: ${type}`));
		expect(found.toSorted(), 'a new action belongs to `decided`').toEqual(wanted.toSorted());
	});

	const hired = (fields: Body = {}) => service.addEmployee(home.id, [3], fields);
	/** Preparations that return a change. */
	const ways: Record<string, () => Promise<() => Promise<unknown>>> = {
		'an edit, also of nothing': async () => {
			const { id } = await hired();
			return async () => {
				service.tick();
				await asSuper('PATCH', `/api/employees/${id}`, { remark: null });
			};
		},
		'a deletion of somebody with a reach, by their store': async () => {
			const { id } = await hired();
			await service.giveReach(id, { stores: [other.id] });
			return () => asSuper('DELETE', `/api/stores/${home.id}/employees/${id}`, undefined, 204);
		},
		'a change of many, and its undoing': async () => {
			const [one, two] = [await hired(), await hired({ storeId: other.id })];
			const change = { ids: [one.id, two.id], change: { storeId: other.id } };
			const { groupId } = await asSuper('POST', '/api/employees/changes', change);
			service.tick();
			return () => asSuper('POST', `/api/employees/changes/${groupId}/undo`);
		},
		'an import that adds and changes, with an exchange of phones': async () => {
			const [one, two] = [await hired(), await hired()];
			const lines = [
				'编号,姓名,手机号,门店',
				`${one.id},${one.name},${two.phone},${home.name}`,
				`${two.id},${two.name},${one.phone},${home.name}`,
				`,新人,${newPhone()},${other.name}`,
			];
			return async () => expectStatus(await service.importCsv('employees/import?mode=upsert', lines), 201);
		},
		'an import with one-time passwords, and its undoing': async () => {
			const lines = ['姓名,手机号,门店', `新人,${newPhone()},${home.name}`];
			expectStatus(await service.importCsv('employees/import?passwords=one-time', lines), 201);
			const [{ groupId }] = service.rows('select max(id) as groupId from history') as [Body];
			service.tick();
			return () => asSuper('POST', `/api/employees/changes/${groupId}/undo`);
		},
		'an import of stores': async () => {
			const rows = [`${home.id},${other.name},人民路 1 号`, `${other.id},${home.name},`, ',第三家店,'];
			const lines = ['编号,门店名称,地址', ...rows];
			return async () => expectStatus(await service.importCsv('stores/import?mode=upsert', lines), 201);
		},
		'a store that closes': async () => {
			await hired();
			const { id } = await hired({ storeId: other.id });
			await service.giveReach(id, { stores: [home.id] });
			return () => service.closeStore(home.id, other.id, 'DELETE');
		},
		'a store that is disabled: its people are as before': async () => {
			await hired();
			return () => asSuper('PATCH', `/api/stores/${home.id}`, { status: 'INACTIVE' });
		},
		'an area that stores and people have, and that goes': async () => {
			const [{ id: areaId }, { id }] = [await service.addArea(), await hired()];
			await asSuper('POST', '/api/stores/changes', { ids: [home.id, other.id], change: { areaId } });
			await service.giveReach(id, { areas: [areaId] });
			return () => asSuper('DELETE', `/api/areas/${areaId}`, undefined, 204);
		},
		'a role and its end': async () => {
			const { id } = await service.addRole('store:view');
			return async () => {
				await service.addRole();
				await asSuper('DELETE', `/api/roles/${id}`, undefined, 204);
			};
		},
		'a point that gives its group another title': async () => {
			await service.addPoint('till:refund');
			await service.addPoint('till:void');
			service.tick();
			return () => service.addPoint('till:price', { groupTitle: '收银' });
		},
		'a title of a group': async () => {
			const [{ id }] = [await service.addPoint('till:refund'), await service.addPoint('till:void')];
			service.tick();
			return () => asSuper('PATCH', `/api/permissions/points/${id}`, { groupTitle: '收银' });
		},
		'a point that goes from two roles and a program': async () => {
			const { id } = await service.addPoint('till:refund');
			await service.addRole('till:refund');
			await service.addRole('till:refund');
			service.addProgram(['till:refund']);
			return () => asSuper('DELETE', `/api/permissions/points/${id}`, undefined, 204);
		},
		'an employment, a role and a reach that end by themselves': async () => {
			const [one, two, three] = [await hired(), await hired(), await hired()];
			await asSuper('PATCH', `/api/employees/${one.id}`, { leavesOn: today() });
			await asSuper('POST', `/api/employees/${two.id}/roles`, { roleId: 4, until: today() });
			const stores = [{ storeId: other.id, until: today() }];
			await asSuper('PUT', `/api/employees/${three.id}/reach`, { stores, areas: [] });
			return async () => {
				service.time = new Date(`${addDays(today(), 1)}T23:59:59Z`);
				expireDue(service.db, service.time);
			};
		},
		passwords: async () => {
			const [own, given, changed, many] = [await hired(), await hired(), await hired(), await hired()];
			service.tick();
			return async () => {
				const [oldPassword, newPassword] = [initialPassword, 'another-password'];
				expectStatus(await service.changeOwnPassword(service.tokenOf(own.id), oldPassword, newPassword), 200);
				await asSuper('POST', `/api/employees/${given.id}/one-time-password`);
				expectStatus(await service.changePassword(changed.id, oldPassword, newPassword), 200);
				await asSuper('POST', '/api/employees/one-time-passwords', { ids: [many.id] });
			};
		},
		'a second factor': async () => {
			const { token } = await service.addPerson(home.id, 'store:view');
			return () => service.turnOnSecondFactor(token);
		},
		'nothing: sign-ins, exports, programs, refusals and the super administrator’s own password': async () => {
			const { phone } = await hired();
			return async () => {
				await service.signIn(phone);
				await service.signIn(phone, 'wrong-password');
				service.refusedSignIns.flush(service.time.toISOString(), { now: true });
				await asSuper('GET', '/api/employees/export');
				const program = { name: '程序', permissions: ['store:view'], endsOn: today() };
				await asSuper('POST', '/api/programs', program, 201);
				expectRefusal(await service.asSuper('POST', '/api/stores', { name: home.name }), 409);
				const own = { actor: { accountType: 'SUPER_ADMIN', id: 1, name: 'admin' } } as const;
				const context = { ...operator('tester', service.time.toISOString()), ...own };
				transaction(service.db, () => record(service.db, context, { action: 'OWN_PASSWORD_CHANGE' }));
			};
		},
	};

	test.each(Object.entries(ways))('%s: the feed has each thing that changed once, and no other', async (_, prepare) => {
		const work = await prepare();
		const [cursor, before] = [await newest(), await everyThing()];
		await work();
		const after = await everyThing();
		const items = await since(cursor);
		expect(namesOf(items).toSorted()).toEqual(differences(before, after));
		for (const { type, targetId, deleted } of items) {
			expect([type, targetId, deleted]).toEqual([type, targetId, !after.has(`${type} ${targetId}`)]);
		}
	});
});

describe('a page', () => {
	test('has each thing once, as its newest record, in order, and at most as many as asked for', async () => {
		const cursor = await newest();
		const [one, two, three] = [await service.addArea('一'), await service.addArea('二'), await service.addArea('三')];
		for (const name of ['四', '五', '六']) await asSuper('PATCH', `/api/areas/${one.id}`, { name });
		const all = await read(`?after=${cursor}`);
		expect(namesOf(all.items)).toEqual([`AREA ${two.id}`, `AREA ${three.id}`, `AREA ${one.id}`]);
		const ids = all.items.map(({ id }: Body) => id);
		expect(ids).toEqual(ids.toSorted((a: number, b: number) => a - b));
		const { at } = service.rows('select at from history order by id desc limit 1')[0];
		expect(all.items.at(-1)).toEqual({ id: ids[2], at, type: 'AREA', targetId: one.id, deleted: false });
		expect(all.next).toBe(await newest());
		const first = await read(`?limit=2&after=${cursor}`);
		expect(namesOf(first.items)).toEqual([`AREA ${one.id}`, `AREA ${two.id}`]);
		const rest = await read(`?limit=2&after=${first.next}`);
		expect(namesOf(rest.items)).toEqual([`AREA ${three.id}`, `AREA ${one.id}`]);
		expect((await read(`?after=${rest.next}`)).items).toEqual([]);
	});

	test('begins with the first record, or asks to read everything when that is gone', async () => {
		expect(namesOf((await read()).items)).toEqual([`STORE ${home.id}`, `STORE ${other.id}`]);
		await service.addArea();
		// Prunes all but the newest record.
		while (pruneHistory(service.db, '9999'));
		expect(await read()).toEqual({ items: [], next: expect.any(String), reset: true });
	});

	test('ends early after a thousand changes of one thing, and is empty only at the end', async () => {
		const cursor = await newest();
		const [area, context] = [await service.addArea(), operator('tester', service.time.toISOString())];
		transaction(service.db, () => {
			for (let count = 0; count < 2100; count += 1)
				record(service.db, context, { action: 'AREA_UPDATE', target: area });
		});
		// Any number of sign-ins may precede the next change.
		transaction(service.db, () => {
			for (let count = 0; count < 1500; count += 1) record(service.db, context, { action: 'SIGN_IN' });
		});
		const last = await service.addArea();
		const pages: string[][] = [];
		for (let after = cursor; ; ) {
			const { items, next } = await read(`?limit=1000&after=${after}`);
			if (items.length === 0) break;
			pages.push(namesOf(items));
			after = next;
		}
		expect(pages).toEqual([[`AREA 1`], [`AREA 1`], ['AREA 1', `AREA ${last.id}`]]);
	});

	test('says of each thing whether it is deleted now, also for an earlier change', async () => {
		const cursor = await newest();
		const { id } = await service.addEmployee(home.id);
		await asSuper('DELETE', `/api/employees/${id}`, undefined, 204);
		expect((await read(`?limit=1&after=${cursor}`)).items).toMatchObject([{ targetId: id, deleted: true }]);
		await asSuper('POST', `/api/employees/${id}/restore`);
		expect(await since(cursor)).toMatchObject([{ targetId: id, deleted: false }]);
	});
});

describe('a cursor', () => {
	const expectReset = async (cursor: string) =>
		expect(await read(`?wait=25&after=${cursor}`)).toEqual({ items: [], next: await newest(), reset: true });

	test('of another history, such as one before a restore, asks to read everything again', async () => {
		const cursor = await newest();
		expect(await read(`?after=${cursor}`)).toMatchObject({ reset: false });
		renewTokenEpoch(service.db.$client);
		await expectReset(cursor);
		const { epoch } = service.rows('select token_epoch as epoch from installation')[0];
		expect(Buffer.from(cursor.slice(1), 'base64url').toString('latin1')).not.toContain(epoch);
	});

	test('whose next record was removed does so too, and no other', async () => {
		const cursors = [await newest()];
		for (let count = 0; count < 3; count += 1) {
			service.tick();
			await service.addArea();
			cursors.push(await newest());
		}
		const [removed, before, ...kept] = cursors as [string, string, string, string];
		const first = service.rows("select min(id) as id from history where action = 'AREA_CREATE'")[0].id;
		transaction(service.db, () => service.db.$client.run('delete from history where id <= ?', [first]));
		await expectReset(removed);
		expect(namesOf(await since(before))).toEqual(['AREA 2', 'AREA 3']);
		for (const cursor of kept) expect(await read(`?after=${cursor}`)).toMatchObject({ reset: false });
	});

	test('that a client made up counts as one of another history, whatever its position', async () => {
		const bytes = Buffer.from((await newest()).slice(1), 'base64url');
		for (const position of [0, 1, 2, 2 ** 31, 2 ** 48 - 1]) {
			bytes.writeUIntBE(position, 18, 6);
			await expectReset(`c${bytes.toString('base64url')}`);
		}
		// A cursor from before an older database was put in place by hand.
		await service.addArea();
		const ahead = await newest();
		service.alter((database) => {
			database.run('drop trigger history_no_delete');
			database.run('delete from history where id = (select max(id) from history)');
		});
		await expectReset(ahead);
	});
});

describe('a request that waits', () => {
	// The tests use fake timers.
	const immediately = setImmediate;
	const turn = () => new Promise((resolve) => immediately(resolve));
	beforeEach(() => void jest.useFakeTimers());
	afterEach(() => void jest.useRealTimers());

	/** Starts a request that waits for new changes. It is waiting on return, and notes when it is over. */
	async function waitFrom(token?: string, signal = new AbortController().signal, of = service) {
		const cursor = (await of.read(`${path}?newest=true`)).next;
		const waits = of.extended.length;
		const headers = { authorization: `Bearer ${token ?? of.superToken}` };
		const where = `http://localhost${path}?wait=25&after=${cursor}`;
		const answering = of.app.handle(new Request(where, { headers, signal }));
		const waiting = { isOver: false, answer: answering.then((response) => response.json() as Body) };
		void answering.then(() => {
			waiting.isOver = true;
		});
		// A new token is verified in another thread.
		while (of.extended.length === waits && !waiting.isOver) await turn();
		return waiting;
	}
	/** Returns the answer, which must have come already. Waiting would hang, because the time is fake. */
	function answerOf({ isOver, answer }: Awaited<ReturnType<typeof waitFrom>>): Promise<Body> {
		expect(isOver).toBeTrue();
		return answer;
	}
	/** Advances the time, then lets the waiting code run. */
	async function passed(milliseconds = 0): Promise<void> {
		jest.advanceTimersByTime(milliseconds);
		for (let turns = 0; turns < 20; turns += 1) await turn();
	}
	const asProgram = () => service.addProgram(['employee:view:all']);

	test('is answered with the next change, but not for a record that is not in the feed', async () => {
		const { phone } = await service.addEmployee(home.id);
		const waiting = await waitFrom();
		expect(service.extended.at(-1)).toEqual({ path, seconds: 35 });
		await service.signIn(phone);
		await passed(10_000);
		expect(waiting.isOver).toBeFalse();
		const area = await service.addArea();
		await passed(1000);
		expect(namesOf((await answerOf(waiting)).data.items)).toEqual([`AREA ${area.id}`]);
		expect(jest.getTimerCount()).toBe(0);
	});

	test('does not wait if there is a change already, after a reset, without seconds, or for the newest cursor', async () => {
		const cursor = await newest();
		await service.addArea();
		expect((await read(`?wait=25&after=${cursor}`)).items).toHaveLength(1);
		expect((await read(`?wait=0&after=${await newest()}`)).items).toEqual([]);
		expect((await read(`?wait=25&newest=true&after=${cursor}`)).items).toEqual([]);
		expect(await read(`?wait=25&after=c${'A'.repeat(32)}`)).toMatchObject({ reset: true });
	});

	test('is empty when the time is over, with the newest cursor', async () => {
		const { phone } = await service.addEmployee(home.id);
		const waiting = await waitFrom();
		await service.signIn(phone);
		await passed(24_999);
		expect(waiting.isOver).toBeFalse();
		await passed(1);
		expect((await answerOf(waiting)).data).toEqual({ items: [], next: await newest(), reset: false });
	});

	test('is not answered for a change that was rolled back', async () => {
		const waiting = await waitFrom();
		const context = operator('tester', service.time.toISOString());
		const undone = () =>
			transaction(service.db, () => {
				transaction(service.db, () => record(service.db, context, { action: 'AREA_CREATE' }));
				throw new Error('undone');
			});
		expect(undone).toThrow('undone');
		await passed(10_000);
		expect(waiting.isOver).toBeFalse();
		await passed(15_000);
	});

	test('is refused when its account, key or token has ended meanwhile, or its permission has gone', async () => {
		const role = await service.addRole('employee:view:all');
		const { id } = await service.addEmployee(home.id, [role.id]);
		const { key, id: program } = asProgram();
		const person = service.tokenOf(id);
		const [ended, disabled] = [await waitFrom(key), await waitFrom(person)];
		await asSuper('DELETE', `/api/programs/${program}`, undefined, 204);
		await asSuper('PATCH', `/api/employees/${id}`, { status: 'INACTIVE' });
		await passed(1000);
		expect((await answerOf(ended)).error).toMatchObject({ code: 'UNAUTHORIZED' });
		expect((await answerOf(disabled)).error).toMatchObject({ code: 'UNAUTHORIZED', message: '账号已被禁用' });
		await asSuper('PATCH', `/api/employees/${id}`, { status: 'ACTIVE' });
		const lost = await waitFrom(person);
		await asSuper('PATCH', `/api/employees/${id}`, { roleIds: [] });
		await passed(1000);
		expect((await answerOf(lost)).error).toMatchObject({ code: 'FORBIDDEN' });
		const expired = await waitFrom();
		service.tick(2 * 3600);
		await passed(25_000);
		expect((await answerOf(expired)).error).toMatchObject({ code: 'UNAUTHORIZED' });
	});

	test('can have four others beside it, and a client that hangs up gives up its place', async () => {
		const [one, another] = [asProgram(), asProgram()];
		const gone = new AbortController();
		const waits = [await waitFrom(one.key, gone.signal)];
		for (let count = 1; count < 5; count += 1) waits.push(await waitFrom(one.key));
		const cursor = await newest();
		const ask = (query: string) => service.as(one.key, 'GET', `${path}?after=${cursor}${query}`);
		const refused = await ask('&wait=25');
		expectRefusal(refused, 429, '同时等待的请求过多（最多 5 个），请稍后再试');
		expect(refused.headers.get('retry-after')).toBe('5');
		// A request without a wait is answered. Other callers have their own limit.
		expectStatus(await ask('&wait=0'), 200);
		waits.push(await waitFrom(another.key));
		gone.abort();
		waits.shift();
		await waitFrom(one.key, gone.signal);
		waits.push(await waitFrom(one.key));
		expectRefusal(await ask('&wait=25'), 429);
		await service.addArea();
		await passed(1000);
		for (const each of waits) expect((await answerOf(each)).data.items).toHaveLength(1);
		waits.push(await waitFrom(one.key));
		await passed(25_000);
		expect(jest.getTimerCount()).toBe(0);
	});

	test('is answered, however many wait, and goes on waiting if the client knows the newest change', async () => {
		const waits = [];
		for (let count = 0; count < 20; count += 1) waits.push(await waitFrom(asProgram().key));
		await service.addArea();
		const late = await waitFrom();
		await passed(1000);
		expect(waits.map(({ isOver }) => isOver)).toEqual(waits.map(() => true));
		expect(late.isOver).toBeFalse();
		await passed(25_000);
	});

	test('is answered if the database cannot be read', async () => {
		const waiting = await waitFrom();
		service.db.$client.run('drop index history_changed');
		transaction(service.db, () => service.db.$client.run('update installation set token_epoch = token_epoch'));
		await passed(1000);
		expect((await answerOf(waiting)).error).toMatchObject({ code: 'INTERNAL_SERVER_ERROR' });
	});

	test('is answered at once when the service ends, and from then on nobody waits', async () => {
		const ending = await Service.start();
		const ask = () => waitFrom(undefined, undefined, ending);
		const waits = [await ask(), await ask()];
		expect(ending.extended).toHaveLength(2);
		ending.subscribers.end();
		waits.push(await ask());
		for (const each of waits) expect((await answerOf(each)).data.items).toEqual([]);
		await ending.addArea();
		expect(jest.getTimerCount()).toBe(0);
	});
});
