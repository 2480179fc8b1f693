import { describe, expect, test } from 'bun:test';
import { transaction } from '../src/database/query.ts';
import { findEmployees } from '../src/employees/search.ts';
import { mergeSome } from '../src/search/search-index.ts';
import { areIndexesSound, rebuildIndexes } from '../src/server/search-upkeep.ts';
import { expectStatus, Service } from './harness.ts';
import { seeded } from './oracle.ts';
import { withoutTriggers } from './triggers.ts';

/** With what means something to SQL, LIKE or a full-text query, and letters that have no ASCII case. */
const characters = [
	...['王', '李', '芳', '伟', '👩', '𠮷', 'a', 'B', 'b', 'É', 'ß', 'İ', '\uE000', '　', ' ', '1', '3'],
	...[
		'%',
		'_',
		"'",
		'"',
		'\\',
		'*',
		'^',
		'+',
		'-',
		'(',
		')',
		':',
		'{',
		'.',
		',',
		'~',
		'·',
		'NOT',
		' AND ',
		's1',
		'r3',
		'd',
	],
];

interface Row {
	id: number;
	name: string;
	phone: string;
	status: string;
	storeId: number;
	roles: readonly { id: number }[];
}

interface Filter {
	keyword?: string;
	status?: string;
	storeId?: number;
	roleId?: number;
	order?: string;
}

/** What the contract says, taken literally: a substring of name or phone, ASCII letters in either case. */
function naive(rows: Row[], filter: Filter): number[] {
	const fold = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
	return rows
		.filter(({ status }) => filter.status === undefined || status === filter.status)
		.filter(({ storeId }) => filter.storeId === undefined || storeId === filter.storeId)
		.filter(({ roles }) => filter.roleId === undefined || roles.some(({ id }) => id === filter.roleId))
		.filter(({ name, phone }) => {
			if (filter.keyword === undefined) return true;
			const part = fold(filter.keyword.trim());
			return fold(name).includes(part) || phone.includes(part);
		})
		.map(({ id }) => id)
		.sort((a, b) => (filter.order === 'desc' ? b - a : a - b));
}

describe('the employee list is the same as a plain scan finds', () => {
	test.each([1, 2, 3])('after random creates, renames, moves, disables and deletes (seed %p)', async (seed) => {
		const service = await Service.start();
		const { below: random, pick } = seeded(seed);
		const text = (length: number) => Array.from({ length }, () => pick(characters)).join('');
		const stores = [await service.addStore(), await service.addStore()];
		const rows = new Map<number, Row>();
		let phones = 0;
		const newPhone = () => {
			phones += 1;
			return `1${pick(['3', '5', '8'])}${String(phones * 7919 + random(1000)).padStart(9, '0')}`;
		};
		const keep = ({ id, name, phone, status, storeId, roles }: Row) =>
			rows.set(id, { id, name, phone, status, storeId, roles });
		const someRoles = () => pick([[], [], [3], [4], [3, 4]]);
		const someone = () => pick([...rows.keys()]);

		async function change(): Promise<void> {
			const kind = random(10);
			if (rows.size < 3 || kind < 5) {
				const name = `${pick(['王', 'x', '李'])}${text(random(4))}${pick(['芳', 'Q'])}`;
				const fields = { name, phone: newPhone(), status: pick(['ACTIVE', 'ACTIVE', 'INACTIVE']) };
				keep(await service.addEmployee(pick(stores).id, someRoles(), fields));
			} else if (kind === 5) {
				const id = someone();
				expectStatus(await service.asSuper('DELETE', `/api/employees/${id}`), 204);
				rows.delete(id);
			} else {
				const changes = [
					{ name: `李${text(2)}w` },
					{ phone: newPhone() },
					{ status: pick(['ACTIVE', 'INACTIVE']) },
					{ storeId: pick(stores).id },
					{ roleIds: someRoles() },
					{ storeId: pick(stores).id, roleIds: someRoles(), name: `李${text(2)}w` },
				];
				keep(expectStatus(await service.asSuper('PATCH', `/api/employees/${someone()}`, pick(changes)), 200));
			}
		}

		async function compare(): Promise<void> {
			const { name, phone } = pick([...rows.values()]);
			const source = Array.from(pick([name, phone]));
			const start = random(source.length);
			const part = source.slice(start, start + 1 + random(7)).join('');
			const keyword = pick([part, part.toUpperCase(), text(1 + random(3)), 'zzz', '0']).trim();
			const filter = {
				...(keyword !== '' && random(5) > 0 && { keyword }),
				...(random(3) === 0 && { status: pick(['ACTIVE', 'INACTIVE']) }),
				...(random(4) === 0 && { storeId: pick(stores).id }),
				...(random(3) === 0 && { roleId: pick([3, 4, 5]) }),
				...(random(3) === 0 && { order: pick(['asc', 'desc']) }),
			};
			const expected = naive([...rows.values()], filter);
			const page = 1 + random(4);
			const pageSize = pick([1, 3, 20, 100]);
			const query = new URLSearchParams(
				Object.entries({ ...filter, page, pageSize }).map(([key, value]): [string, string] => [key, String(value)]),
			);
			const data = expectStatus(await service.asSuper('GET', `/api/employees?${query}`), 200);
			expect({ filter, total: data.pagination.total }).toEqual({ filter, total: expected.length });
			expect(data.items.map((item: Row) => item.id)).toEqual(expected.slice((page - 1) * pageSize, page * pageSize));
		}

		for (let round = 0; round < 150; round += 1) {
			await change();
			await compare();
			await compare();
		}
		expect(areIndexesSound(service.db.$client)).toBe(true);
	});

	test('on deep pages, where rows are disabled, deleted and moved between stores', async () => {
		const service = await Service.start();
		const { id: storeId } = await service.addStore();
		const insert = service.db.$client.prepare(
			`insert into employees (store_id, name, phone, password_hash, password_is_initial, status, created_at, updated_at)
			values (?, '王', ?, 'x', 0, ?, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`,
		);
		transaction(service.db, () => {
			for (let index = 0; index < 9000; index += 1) {
				insert.run(storeId, `137${String(index).padStart(8, '0')}`, index % 7 === 0 ? 'INACTIVE' : 'ACTIVE');
			}
			service.db.$client.run(
				"update employees set status = 'INACTIVE', deleted_at = updated_at where id between 2100 and 4050 or id % 11 = 0",
			);
		});
		const rows = service.rows('select id, status from employees where deleted_at is null order by id');
		for (const [status, order] of [undefined, 'ACTIVE', 'INACTIVE'].flatMap((each) => [
			[each, 'asc'],
			[each, 'desc'],
		])) {
			const ascending = rows.filter((row) => status === undefined || row.status === status).map((row) => row.id);
			const expected = order === 'asc' ? ascending : ascending.toReversed();
			for (let page = 1; page <= Math.ceil(expected.length / 97) + 1; page += 1) {
				const query = `page=${page}&pageSize=97&order=${order}${status ? `&status=${status}` : ''}`;
				const data = expectStatus(await service.asSuper('GET', `/api/employees?${query}`), 200);
				expect(data.pagination.total).toBe(expected.length);
				expect(data.items.map((item: Row) => item.id)).toEqual(expected.slice((page - 1) * 97, page * 97));
			}
		}
	});
});

test('every combination of filters finds the same as a plain scan, on every page', async () => {
	const service = await Service.start();
	const stores = [await service.addStore(), await service.addStore()];
	const { below: random } = seeded(7);
	const insert = service.db.$client.prepare(
		`insert into employees (store_id, name, phone, password_hash, password_is_initial, status, created_at, updated_at)
		values (?, ?, ?, 'x', 0, ?, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`,
	);
	transaction(service.db, () => {
		for (let index = 0; index < 1000; index += 1) {
			const name = `王${characters[random(characters.length)]}${index % 9 === 0 ? '小明明' : ''}`;
			const phone = `1380${String((index * 7919) % 10_000_000).padStart(7, '0')}`;
			insert.run(stores[random(4) === 0 ? 1 : 0]?.id ?? 1, name, phone, random(5) === 0 ? 'INACTIVE' : 'ACTIVE');
		}
		service.db.$client.run(
			"insert into employee_roles (employee_id, role_id, bound_at) select id, 3, 'x' from employees where id % 2 = 0",
		);
		service.db.$client.run(
			"insert into employee_roles (employee_id, role_id, bound_at) select id, 4, 'x' from employees where id % 50 < 2",
		);
		service.db.$client.run("update employees set status = 'INACTIVE', deleted_at = updated_at where id % 13 = 0");
	});
	const rows = service
		.rows('select id, name, phone, status, store_id as storeId from employees where deleted_at is null')
		.map((row) => ({
			...row,
			roles: service.rows('select role_id as id from employee_roles where employee_id = ?', row.id),
		}));
	const keywords = [
		undefined,
		'1',
		'王',
		'a',
		'38',
		'80',
		'王%',
		'138',
		'小明',
		'1380',
		'13800',
		'80079',
		'138007',
		'小明明',
		'王小明明',
		'1380079',
		'13800791',
		'zz',
		'99999',
	];
	const combinations = [undefined, stores[0]?.id, stores[1]?.id].flatMap((storeId) =>
		[undefined, 3, 4].flatMap((roleId) =>
			([undefined, 'desc'] as const).map((order) => [storeId, roleId, order] as const),
		),
	);
	for (const keyword of keywords) {
		for (const status of [undefined, 'ACTIVE', 'INACTIVE'] as const) {
			for (const [storeId, roleId, order] of combinations) {
				const filter = {
					...(keyword && { keyword }),
					...(status && { status }),
					...(storeId && { storeId }),
					...(roleId && { roleId }),
					...(order && { order }),
				};
				const expected = naive(rows, filter);
				const pages = [1, 2, Math.ceil(expected.length / 23), Math.ceil(expected.length / 23) + 1];
				for (const page of pages.filter((each) => each > 0)) {
					const found = findEmployees(service.db, filter, { page, pageSize: 23 });
					const ids = expected.slice((page - 1) * 23, page * 23);
					expect({ filter, page, ...found }).toEqual({ filter, page, ids, total: expected.length });
				}
			}
		}
	}
});

/** Adds so many employees to a store, each with one role. */
function fillStore(service: Service, { storeId, roleId }: { storeId: number; roleId: number }, count: number): void {
	const client = service.db.$client;
	transaction(service.db, () => {
		const insert = client.query(
			`insert into employees (store_id, name, phone, password_hash, password_is_initial, status, created_at, updated_at)
			values (?, '引"号\\[]', ?, 'x', 0, 'ACTIVE', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`,
		);
		const bind = client.query('insert into employee_roles (employee_id, role_id, bound_at) values (?, ?, ?)');
		for (let index = 1; index <= count; index += 1) {
			insert.run(storeId, `137${String(index).padStart(8, '0')}`);
			bind.run(index, roleId, '2026-01-01T00:00:00.000Z');
		}
	});
}

test.each([0, 1, 1000, 1001, 1200])(
	'the lists of a store with %p employees are complete and in order',
	async (count) => {
		const service = await Service.start();
		const store = await service.addStore();
		const role = await service.addRole();
		fillStore(service, { storeId: store.id, roleId: role.id }, count);
		const ids = Array.from({ length: count }, (_, index) => index + 1);
		const list = await service.asSuper('GET', `/api/stores/${store.id}/employees`);
		expect(expectStatus(list, 200).map((employee: Row) => employee.id)).toEqual(ids);
		expect(list.headers.get('content-type')).toStartWith('application/json');
		const detail = expectStatus(await service.asSuper('GET', `/api/stores/${store.id}`), 200);
		expect(detail).toEqual({ ...store, employees: list.body.data });
		if (count > 0) {
			const last = expectStatus(await service.asSuper('GET', `/api/employees/${count}`), 200);
			expect(list.body.data.at(-1)).toEqual(last);
			expect(last.roles.map((each: { id: number }) => each.id)).toEqual([role.id]);
		}
	},
);

test('long lists whose clients hang up give way to others', async () => {
	const service = await Service.start();
	const store = await service.addStore();
	fillStore(service, { storeId: store.id, roleId: service.builtIn('cashier') }, 1500);
	const headers = { authorization: `Bearer ${service.superToken}` };
	const get = async (init: RequestInit = {}) =>
		service.app.handle(new Request(`http://localhost/api/stores/${store.id}/employees`, { headers, ...init }));
	// More than are written at a time: some cancel while they read, some hang up before they read anything.
	for (let index = 0; index < 30; index += 1) await (await get()).body?.cancel();
	for (let index = 0; index < 30; index += 1) {
		const client = new AbortController();
		await get({ signal: client.signal });
		client.abort();
	}
	const lists = await Promise.all(Array.from({ length: 50 }, async () => (await get()).text()));
	expect(lists.map((list) => JSON.parse(list).data.length)).toEqual(Array.from({ length: 50 }, () => 1500));
});

describe('the search index', () => {
	test('is merged in the background until nothing is left to merge, and finds the same', async () => {
		const service = await Service.start();
		const client = service.db.$client;
		const store = await service.addStore();
		for (let made = 0; made < 12; made += 1) await service.addEmployee(store.id, [3], { name: `王${made}` });
		const segments = () => service.rows('select count(distinct segid) as count from employee_search_idx')[0].count;
		const found = () => findEmployees(service.db, { keyword: '王', roleId: 3 }, { page: 1, pageSize: 100 });
		const before = found();
		expect(before.total).toBe(12);
		expect(segments()).toBeGreaterThan(11);
		while (mergeSome(client, { table: 'employee_search', view: 'employee_tokens' }));
		expect(segments()).toBeLessThan(6);
		expect(found()).toEqual(before);
		expect(areIndexesSound(client)).toBe(true);
	});

	test('that differs from the rows is detected, and is rebuilt from them', async () => {
		const service = await Service.start();
		const { id: storeId } = await service.addStore();
		await service.addEmployee(storeId, [3], { name: '王小明' });
		const client = service.db.$client;
		const damages = [
			'delete from employee_search where rowid = 1',
			"insert into employee_search (rowid, tokens) values (99, '王小明')",
			'update employee_counts set total = total + 1',
			'delete from employee_counts',
			"update employees set name = '李四' where id = 1",
			'update employee_roles set role_id = 4',
			'delete from history_search where rowid = 1',
			"insert into history_search (rowid, tokens) values (99, 'x')",
		];
		for (const damage of damages) {
			expect(areIndexesSound(client)).toBe(true);
			withoutTriggers(client, () => client.run(damage));
			expect([damage, areIndexesSound(client)]).toEqual([damage, false]);
			client.transaction(() => rebuildIndexes(client))();
		}
		expect(areIndexesSound(client)).toBe(true);
	});
});

test('no list, however it is filtered, scans the employees', async () => {
	const service = await Service.start();
	const plans: string[] = [];
	const { db } = service;
	const prepare = db.$client.prepare.bind(db.$client);
	const query = db.$client.query.bind(db.$client);
	const seen = new Set<string>();
	const watch = <T extends (sql: string, ...rest: never[]) => unknown>(original: T) =>
		((sql: string, ...rest: never[]) => {
			seen.add(sql);
			return original(sql, ...rest);
		}) as T;
	db.$client.prepare = watch(prepare as never) as never;
	db.$client.query = watch(query as never) as never;
	const { id: storeId } = await service.addStore();
	await service.addEmployee(storeId, [service.builtIn('cashier')], { name: '王芳芳芳' });
	const filters = ['', 'keyword=王', 'keyword=王芳', 'keyword=王芳芳', 'keyword=王芳芳芳', 'keyword=13', 'keyword=zz'];
	for (const keyword of filters) {
		for (const more of [
			...['', '&status=ACTIVE', `&storeId=${storeId}`, `&storeId=${storeId}&status=ACTIVE`, '&order=desc'],
			...['&roleId=3', '&roleId=3&order=desc&status=ACTIVE', `&roleId=3&storeId=${storeId}`],
		]) {
			expectStatus(await service.asSuper('GET', `/api/employees?${keyword}${more}`), 200);
		}
	}
	for (const sql of seen) {
		if (!/^\s*(select|with)/i.test(sql)) continue;
		const steps = db.$client.query<{ detail: string }, []>(`explain query plan ${sql}`).all();
		for (const { detail } of steps) plans.push(`${detail} — ${sql}`);
	}
	expect(plans.length).toBeGreaterThan(20);
	expect(plans.filter((plan) => /^SCAN employees/.test(plan))).toEqual([]);
});
