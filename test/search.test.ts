/** Filters, keywords and pinyin of lists, and how lists share the thread and use the indexes. */
import { afterAll, describe, expect, spyOn, test } from 'bun:test';
import { join } from 'node:path';
import { expireDue } from '../src/features/employees/expiry.ts';
import { findEmployees } from '../src/features/employees/search.ts';
import { countHolders } from '../src/features/roles/service.ts';
import { openDatabase, openExistingDatabase } from '../src/platform/database/open.ts';
import { shareReads, transaction } from '../src/platform/database/query.ts';
import { expectStatus, Service } from './harness.ts';
import { employeeFilters, seeded } from './oracle.ts';
import { newFolder, removeFolders } from './program.ts';

afterAll(removeFolders);

const service = await Service.start();
service.restoreBeforeEachTest();

interface Row {
	id: number;
	[field: string]: unknown;
}
/** A row for `service.insert`. */
type StoredRow = Row & Record<string, string | number | null>;
const times = { created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' };
const withoutPassword = { password_hash: 'x', password_is_initial: 0 };

/** The rule of the contract, taken literally: the text is part of a field, ASCII letters in either case. */
function contains(row: Row, fields: readonly string[], text: string): boolean {
	const fold = (value: unknown) => String(value ?? '').replace(/[A-Z]/g, (letter) => letter.toLowerCase());
	return fields.some((field) => fold(row[field]).includes(fold(text.trim().normalize('NFC'))));
}

/** The readings of the characters in the random names. No other readings are known. */
const readings: Record<string, string> = { 王: 'wang', 李: 'li', 芳: 'fang', 伟: 'wei', 小: 'xiao', 明: 'ming' };

/** Whether a text is part of the name or phone, or spells the name, starting at any of its characters. */
function isTyped(row: Row, text: string): boolean {
	if (contains(row, ['name', 'phone'], text)) return true;
	const letters = text.toLowerCase();
	if (!/^(?=.*[a-z])[a-z0-9]+$/.test(letters)) return false;
	const name = String(row.name).replace(/[A-Z]/g, (letter) => letter.toLowerCase());
	const syllables = Array.from(name, (each) => readings[each] ?? each).filter((each) => /^[a-z0-9]/.test(each));
	return syllables.some((_, start) => {
		const rest = syllables.slice(start);
		return [rest.join(''), rest.map(([first]) => first).join('')].some((typed) => typed.startsWith(letters));
	});
}

/** Asks for a page and compares it, and the total, with these rows. */
async function expectPage(path: string, rows: readonly Row[], page = 1, pageSize = 100) {
	const { items, pagination } = await service.read(path);
	const ids = rows.slice((page - 1) * pageSize, page * pageSize).map(({ id }) => id);
	expect([path, pagination.total, items.map(({ id }: Row) => id)]).toEqual([path, rows.length, ids]);
}

/** Texts with a meaning in SQL, LIKE, FTS5 or a parser, or that are nearly equal, separated by two blanks. */
const texts = [
	...String.raw`
		%  _  \  '  "  *  ^  :  (  )  ?  %%  \%  \_  \\  %_\  ""  ''  --  -minus  +plus  star*  *star  ${'`'}
		' or '1'='1  ' or 1=1 --  " or ""="  '; drop table stores; --  1 or 1=1  /* c */  0x27  char(39)
		' union select password_hash from employees --  a  x' escape 'x  x%' escape '\  ' || (select 1) || '
		?1  $pattern  :pattern  @pattern  rowid  null  ACTIVE  NEAR(a b)  a OR b  a AND b  NOT a  OR  NOT
		tokens:a  {tokens}:a  - tokens : a  ^a  "a b"  (a  a)  ()  "a" + "b"  a^b  a:b  [a-c]  a.b  a|b  a_b  a%b  axb
		s1  r3  d  a1  \u0027  &#39;  %27  <b>  quo'te  dou"ble  back\slash  back\\slash  100%折扣
		É  é  Éclair  éclair  ß  SS  İ  ı  i  ſ  s  K  k  Å  ﬀ  A  aB  ABC  abcDEF  1  13  130  王  王芳  王小芳芳
		😀  😀😀  😀笑  👩‍💻  👩
	`
		.split(/ {2,}|\s*\n\s*/)
		.filter(Boolean),
	...['a  b', 'e\u0301', 'a\u200b', 'b\u00ad', '\u{10ffff}', 'a\u3000b', '%'.repeat(100), '"'.repeat(100)],
];

test('a keyword is only text: every list finds exactly the rows that contain it', async () => {
	const { id: here } = await service.addStore({ name: '店' });
	const { id: there } = await service.addStore({ name: '它' });
	const stored = texts.filter((_, index) => index % 3 === 0);
	const nearly = stored.flatMap((text) => [`甲${text}乙`, text.replace(/[^a-z0-9]/gi, 'x'), text.toUpperCase()]);
	const rows: Record<'stores' | 'roles' | 'employees', StoredRow[]> = { stores: [], roles: [], employees: [] };
	for (const [index, raw] of [...stored, ...nearly].entries()) {
		const text = raw.normalize('NFC');
		const start = [...text].slice(0, 29).join('').trim();
		const status = index % 4 === 0 ? 'INACTIVE' : 'ACTIVE';
		const where = [{ name: `${index}${start}` }, { address: text }, { phone: start }][index % 3];
		rows.stores.push({ id: index + 3, name: `第 ${index}`, address: null, phone: null, status, ...where, ...times });
		const said = index % 2 === 0 ? { name: `角${start}` } : { name: '角', description: text };
		rows.roles.push({ id: index + 6, code: `r_${index}`, description: null, is_system: 0, ...said, ...times });
		const person = { id: index + 1, store_id: index % 5 ? here : there, name: `人${start}`, remark: text, status };
		rows.employees.push({ ...person, phone: `13${1e8 + index * 7919}`, ...withoutPassword, ...times });
	}
	for (const [table, all] of Object.entries(rows)) service.insert(table, all);
	const isActive = ({ status }: Row) => status === 'ACTIVE';
	const isHere = (row: Row) => row.store_id === here;
	const searches: [list: keyof typeof rows, filter: string, fields: string[], passes: (row: Row) => boolean][] = [
		['stores', 'includeInactive=true', ['name', 'address', 'phone'], () => true],
		['stores', 'status=ACTIVE', ['name', 'address', 'phone'], isActive],
		['roles', 'isSystem=false', ['code', 'name', 'description'], () => true],
		['employees', '', ['name', 'phone'], () => true],
		['employees', `status=ACTIVE&storeId=${here}`, ['name', 'phone'], (row) => isActive(row) && isHere(row)],
	];
	let partial = 0;
	for (const text of texts) {
		for (const [list, filter, fields, passes] of searches) {
			const found = rows[list].filter((row) => passes(row) && contains(row, fields, text));
			await expectPage(`/api/${list}?${filter}&pageSize=100&keyword=${encodeURIComponent(text)}`, found);
			if (found.length > 0 && found.length < rows[list].length) partial += 1;
		}
	}
	expect(partial).toBeGreaterThan(texts.length);
});

async function namesOf(list: string): Promise<string> {
	const { items } = await service.read(`/api/${list}`);
	return items.map(({ name }: Row) => name).join();
}

test('stores and roles are found by pinyin and initials, and a keyword is still only text', async () => {
	for (const name of ['人民路店', '南京路A座店', '吕家𠮷田店']) await service.addStore({ name });
	await service.asSuper('PATCH', '/api/stores/2', { status: 'INACTIVE', address: '长安街' });
	await service.asSuper('POST', '/api/roles', { code: 'shift', name: '值班长' });
	for (const [expected, ...queries] of [
		['人民路店', 'stores?search=rml', 'stores?search=Ren MinLu', 'stores?search=ludian'],
		['人民路店,南京路A座店', 'stores?search=lu&includeInactive=true'],
		['南京路A座店', 'stores?search=njlazd&status=INACTIVE', 'stores?search=长安&includeInactive=true'],
		['吕家𠮷田店', 'stores?search=lv', 'stores?search=Lü', 'stores?search=tian', 'stores?search=家'],
		['', 'stores?search=inmin', 'stores?search=%25', 'stores?search=xyz&keyword=人', 'stores?keyword=rml'],
		['值班长', 'roles?search=zbz', 'roles?search=zhi&isSystem=false', 'roles?search=shif'],
		['店长', 'roles?search=dianzhang', 'roles?search=dz'],
		['', 'roles?keyword=zbz'],
	]) {
		for (const query of queries) expect([query, await namesOf(query)]).toEqual([query, String(expected)]);
	}
});

test('people are found by pinyin, initials and phones as people write them, and a keyword is still only text', async () => {
	const { id: storeId } = await service.addStore();
	const names = ['王芳', '王小芳', '曾国藩', '吕布', '单A信', '阿卜杜·热合曼', 'Tom Smith', '𠮷田'];
	const people = [];
	for (const [index, name] of names.entries()) {
		people.push(await service.addEmployee(storeId, [], { name, phone: `1380013800${index}` }));
	}
	const found = (filter: Record<string, string>) => namesOf(`employees?${new URLSearchParams(filter)}`);
	for (const [expected, ...searches] of [
		['王芳', 'wf', 'WangFang'],
		['王芳,王小芳', 'w', 'fang'],
		['王小芳', 'xf', '小芳'],
		['曾国藩', "zeng guo'f", 'cgf', '+86 138-0013-8002'],
		['吕布', 'lvbu', 'Lü'],
		['单A信', 'shanaxin', 'dax'],
		['阿卜杜·热合曼', 'rehe', 'abdrhm'],
		['Tom Smith', 'tomsm'],
		['𠮷田', 'tian'],
		['', 'wang xf', 'ang', '%'],
	]) {
		for (const search of searches) expect([search, await found({ search })]).toEqual([search, String(expected)]);
	}
	for (const keyword of ['wf', 'wangfang', '138-0013-8002']) expect(await found({ keyword })).toBe('');
	const changed = { name: '李娜', status: 'INACTIVE' };
	expectStatus(await service.asSuper('PATCH', `/api/employees/${people[0].id}`, changed), 200);
	expectStatus(await service.asSuper('DELETE', `/api/employees/${people[1].id}`), 204);
	expect(await found({ search: 'w' })).toBe('');
	expect(await found({ search: 'ln', status: 'INACTIVE' })).toBe('李娜');
	expect(await found({ search: 'ln', status: 'ACTIVE' })).toBe('');
	expect(await found({ search: 'wxf', deleted: 'true' })).toBe('王小芳');
});

test('the employees are those that a plain scan finds, also after random changes', async () => {
	const { below: random, pick } = seeded(1);
	const characters = [...'王李芳伟👩𠮷aBbÉßİ\uE000　 13%_\'"\\*^+-():{.,~·', 'NOT', ' AND ', 's1', 'r3', 'd'];
	const text = (length: number) => Array.from({ length }, () => pick(characters)).join('');
	const stores = [await service.addStore(), await service.addStore()];
	const someStore = () => pick(closed.has(third) ? stores : [...stores, { id: third }]).id;
	/** A store that closes and opens again. */
	const third = (await service.addStore()).id;
	const someRoles = () => pick([[], [], [3], [4], [3, 4]]);
	const someStatus = () => pick(['ACTIVE', 'ACTIVE', 'INACTIVE']);
	let phones = 0;
	const newPhone = () => {
		phones += 1;
		return `1${pick(['3', '5', '8'])}${String(phones * 7919 + random(1000)).padStart(9, '0')}`;
	};
	const numbers: number[] = [];
	async function hire(): Promise<Row> {
		const person = await service.addEmployee(someStore(), someRoles(), {
			name: `${pick(['王', 'x', '李'])}${text(random(4))}${pick(['芳', 'Q', '小明明'])}`,
			phone: newPhone(),
			status: someStatus(),
			externalId: String(numbers.length),
		});
		numbers.push(person.id);
		return person;
	}
	const rows = new Map<number, Row>();
	const deleted = new Map<number, Row>();
	const signedIn = new Map<number, string>();
	const [withOwnPassword, withExpiredPassword] = [new Set<number>(), new Set<number>()];
	const closed = new Set<number>();
	const someDay = () => pick(['2019-12-31', '2020-01-01', '2025-09-09', '2026-08-23', '2026-08-24', '2026-09-01']);
	type Condition = [filter: string, passes: (row: Row) => boolean];
	const before = (day: string): Condition => [`signedInBefore=${day}`, ({ id }) => (signedIn.get(id) ?? day) < day];
	const conditions: Condition[] = [
		...[0, 1, 2].map((): [string, () => boolean] => ['', () => true]),
		['deleted', () => true],
		['withoutRole', ({ roles }) => (roles as Row[]).length === 0],
		...[5, 6, 7].map((number): Condition => [`externalId=${number}`, ({ id }) => id === numbers[number]]),
		['passwordIsInitial', ({ id }) => !withOwnPassword.has(id)],
		['passwordExpired', ({ id }) => withExpiredPassword.has(id)],
		['neverSignedIn', ({ id }) => !signedIn.has(id)],
		['lockedOut', ({ storeId, status }) => closed.has(storeId as number) && status === 'ACTIVE'],
		...['1970-01-01', '2020-01-01', '2025-09-09', '2026-08-24', '2999-12-31'].map(before),
	];
	const keep = (row: Row) => rows.set(row.id, row);
	for (let count = 0; count < 120; count += 1) keep(await hire());

	async function change(): Promise<void> {
		const id = pick([...rows.keys()]);
		const changes = [
			{ name: `李${text(2)}w` },
			{ phone: newPhone() },
			{ status: someStatus() },
			{ storeId: closed.has(third) ? someStore() : third },
			{ roleIds: someRoles() },
			{ storeId: someStore(), roleIds: someRoles(), name: `李${text(2)}w` },
		];
		const kind = random(15);
		if (kind === 14) setPassword();
		else if (kind === 13) await toggleStore();
		else if (kind === 12) signIn();
		else if (kind > 9) await restore();
		else if (kind < 2) keep(await hire());
		else if (kind > 2) keep(expectStatus(await service.asSuper('PATCH', `/api/employees/${id}`, pick(changes)), 200));
		else {
			expectStatus(await service.asSuper('DELETE', `/api/employees/${id}`), 204);
			deleted.set(id, { ...rows.get(id), id, roles: [], status: 'INACTIVE' });
			rows.delete(id);
		}
	}

	/** Restores a deleted employee as they were. */
	async function restore(): Promise<void> {
		const [id] = pick([...deleted, [0]]);
		if (id === 0 || closed.has(deleted.get(id)?.storeId as number)) return;
		keep(expectStatus(await service.asSuper('POST', `/api/employees/${id}/restore`), 200));
		deleted.delete(id);
	}

	async function toggleStore(): Promise<void> {
		if (!closed.delete(third)) closed.add(third);
		const status = closed.has(third) ? 'INACTIVE' : 'ACTIVE';
		expectStatus(await service.asSuper('PATCH', `/api/stores/${third}`, { status }), 200);
	}

	function update(fields: string, values: (string | number | null)[]): void {
		transaction(service.db, () => service.db.$client.run(`update employees set ${fields} where id = ?`, values));
	}

	function signIn(): void {
		const id = pick([...rows.keys()]);
		const at = new Date(Date.parse(`${someDay()}T23:59:59.999Z`) + random(2)).toISOString();
		signedIn.set(id, at);
		update('last_sign_in_at = ?', [at, id]);
	}

	/** Gives somebody a password of their own, or a one-time password. */
	function setPassword(): void {
		const id = pick([...rows.keys()]);
		const expiresAt = pick([null, -1, 1]);
		withOwnPassword.add(id);
		withExpiredPassword[expiresAt === -1 ? 'add' : 'delete'](id);
		const at = expiresAt && new Date(service.time.getTime() + expiresAt).toISOString();
		update('password_is_initial = 0, password_expires_at = ?', [at, id]);
	}

	const compared = new Set<string>();

	function someTexts() {
		const source = [...String(pick([...rows.values()])[pick(['name', 'phone'])])];
		const start = random(source.length);
		const part = source.slice(start, start + 1 + random(7)).join('');
		const keyword = random(5) > 0 ? pick([part, part.toUpperCase(), text(1 + random(3)), 'zz', '0']).trim() : '';
		const typed = pick(['w', 'lw', 'wangf', 'fang', 'xiaomingming', 'xmm', 'LI', 'wx', 'ang', part]).trim();
		return { keyword, search: random(3) > 0 ? '' : typed };
	}

	/** Compares with one condition, alone or together with random other filters. */
	async function compare([more, passes] = pick(conditions), isAlone = false): Promise<void> {
		const { keyword, search } = isAlone ? { keyword: '', search: '' } : someTexts();
		const anyOf = <Value>(values: readonly [Value, ...Value[]]) => (isAlone ? values[0] : pick(values));
		const status = anyOf(['', '', 'ACTIVE', 'INACTIVE']);
		const storeId = anyOf([0, 0, 0, someStore(), third]);
		const roleId = anyOf([0, 0, 3, 4, 5]);
		const order = pick(['', 'asc', 'desc']);
		const found = [...(more === 'deleted' ? deleted : rows).values()]
			.filter(passes)
			.filter((row) => contains(row, ['name', 'phone'], keyword) && (status || row.status) === row.status)
			.filter((row) => search === '' || isTyped(row, search))
			.filter((row) => (storeId || row.storeId) === row.storeId)
			.filter(({ roles }) => roleId === 0 || (roles as Row[]).some(({ id }) => id === roleId))
			.toSorted((a, b) => (order === 'desc' ? b.id - a.id : a.id - b.id));
		const pageSize = pick([1, 3, 20, 100]);
		const page = pick([1, 2, Math.ceil(found.length / pageSize) || 1, 1 + random(30)]);
		const [name = '', value = 'true'] = more.split('=');
		const filter = Object.entries({ keyword, search, status, storeId, roleId, order, [name]: name && value });
		const given = filter.flatMap(([name, value]): [string, string][] => (value ? [[name, String(value)]] : []));
		for (const [name] of given) compared.add(name);
		const query = new URLSearchParams(given);
		await expectPage(`/api/employees?page=${page}&pageSize=${pageSize}&${query}`, found, page, pageSize);
	}

	for (let round = 0; round < 70; round += 1) {
		await change();
		for (let times = 0; times < 2; times += 1) await compare();
		if (round % 10 > 0) continue;
		await toggleStore();
		for (const each of conditions) await compare(each, true);
	}
	const unknown = Object.keys(employeeFilters).filter((name) => !compared.has(name));
	expect(unknown, 'a new filter needs its meaning among `conditions` above').toEqual([]);
});

test.each([1, 1000, 1001])('the lists of a store with %p employees are complete and in order', async (count) => {
	const store = await service.addStore();
	const role = await service.addRole();
	const ids = service.insertEmployees(store.id, count, { name: '引"号\\[]' });
	const bound = ids.map((id) => ({ employee_id: id, role_id: role.id, bound_at: times.created_at }));
	service.insert('employee_roles', bound);
	const list = await service.asSuper('GET', `/api/stores/${store.id}/employees`);
	expect(expectStatus(list, 200).map((employee: Row) => employee.id)).toEqual(ids);
	expect(list.headers.get('content-type')).toStartWith('application/json');
	expect(await service.read(`/api/stores/${store.id}`)).toEqual({ ...store, employees: list.body.data });
	const last = await service.read(`/api/employees/${count}`);
	expect(list.body.data.at(-1)).toEqual(last);
	expect(last.roles.map((each: { id: number }) => each.id)).toEqual([role.id]);
});

test('requests that arrive together read in one transaction, which ends with their turn or before a write', async () => {
	const own = await Service.start();
	const { $client } = own.db;
	const { id } = await own.addStore();
	await own.read('/api/employees');
	await Bun.sleep(0);
	using run = spyOn($client, 'run');
	await Promise.all(['stores', 'roles', 'employees', `stores/${id}`].map((path) => own.read(`/api/${path}`)));
	await Bun.sleep(0);
	expect(run.mock.calls.flat()).toEqual(['begin', 'commit']);
	shareReads(own.db);
	const undone = () =>
		transaction(own.db, () => {
			$client.run("update stores set status = 'INACTIVE'");
			throw new Error('undone');
		});
	expect(undone).toThrow('undone');
	expect([$client.inTransaction, (await own.read(`/api/stores/${id}`)).status]).toEqual([false, 'ACTIVE']);
});

test('lists that arrive together take turns, so that other requests are served between them', async () => {
	const answered: string[] = [];
	const ask = async (path: string) => {
		await service.read(path);
		answered.push(path);
	};
	const lists = Array.from({ length: 6 }, () => ask('/api/employees?keyword=x'));
	await ask('/api/roles');
	await new Promise(setImmediate);
	expect(answered.length).toBeLessThan(lists.length);
	await Promise.all(lists);
});

describe('a request that waited for its turn needs the rights of that moment', () => {
	async function installation() {
		const own = await Service.start();
		await own.addPoint('history:view');
		const person = await own.addPerson((await own.addStore()).id, 'employee:view:all', 'store:view', 'history:view');
		const ask = (path: string) => own.as(person.token, 'GET', path);
		// The first request notes the sign-in. Later ones soon wait for their turn.
		expectStatus(await ask('/api/stores'), 200);
		const disable = () => own.asSuper('PATCH', `/api/employees/${person.id}/status`, { status: 'INACTIVE' });
		return { own, ask, disable };
	}

	test.each(['/api/employees', '/api/history?keyword=x'])('%s', async (path) => {
		const { ask, disable } = await installation();
		const lists = Array.from({ length: 100 }, () => ask(path));
		expect((await lists[0])?.status).toBe(200);
		expectStatus(await disable(), 200);
		expect((await Promise.all(lists)).at(-1)?.status).toBe(401);
	});

	test('exports', async () => {
		const { own, ask, disable } = await installation();
		const headers = { authorization: `Bearer ${own.superToken}` };
		const open = () => own.app.handle(new Request('http://localhost/api/stores/export', { headers }));
		const opened = await Promise.all(Array.from({ length: 20 }, open));
		const waiting = ['employees', 'stores', 'history'].map((name) => ask(`/api/${name}/export`));
		for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
		expectStatus(await disable(), 200);
		for (const { body } of opened) await body?.cancel();
		expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([401, 401, 401]);
	});
});

test('a database can be closed before the turn of a shared read is over', async () => {
	const db = openDatabase(':memory:');
	shareReads(db);
	db[Symbol.dispose]();
	await new Promise(setImmediate);
	expect(() => db.$client.query('select 1')).toThrow('closed');
});

test('after a disk error, for which SQLite undoes the shared reads, roles are counted again', () => {
	using db = openDatabase(':memory:');
	shareReads(db);
	countHolders(db);
	if (db.$client.inTransaction) db.$client.run('rollback');
	expect(countHolders(db).total).toBe(0);
});

test('a total is exact after what another process changed, and after a change that is undone', () => {
	const path = join(newFolder(), 'access.db');
	using db = openDatabase(path);
	const { $client } = db;
	$client.run(`
		insert into administrators (username, password_hash, created_at, updated_at) values ('a', 'x', '', '');
		insert into stores (name, status, created_at, updated_at) values ('店', 'ACTIVE', '', '')`);
	using other = openExistingDatabase(path);
	const total = (reader = db) => findEmployees(reader, { keyword: '王' }, { page: 1, pageSize: 1 }).total;
	for (const [index, each] of [db, other, db, other].entries()) {
		const hire = `
			insert into employees (name, phone, store_id, password_hash, password_is_initial, status, created_at, updated_at)
			values ('王芳', '1380000000${index}', 1, 'x', 1, 'ACTIVE', '', '')`;
		transaction(each, () => each.$client.run(hire));
		for (const reader of [db, other]) expect([total(reader), total(reader)]).toEqual([index + 1, index + 1]);
	}
	const undone = () =>
		transaction(db, () => {
			transaction(db, () => $client.run("update employees set name = '李' where id = 1"));
			expect(total()).toBe(3);
			throw new Error('undone');
		});
	expect(undone).toThrow('undone');
	expect(total()).toBe(4);
});

test('no list, however it is filtered, scans the employees', async () => {
	const { db } = service;
	using prepared = spyOn(db.$client, 'prepare');
	using queried = spyOn(db.$client, 'query');
	const { id: storeId } = await service.addStore();
	await service.addEmployee(storeId, [service.builtIn('cashier')], { name: '王芳芳芳' });
	const more = Object.entries(employeeFilters).map(([name, { good }]) => `${name}=${good.at(-1)}`);
	const filters = ['', 'status=ACTIVE', `storeId=${storeId}`, 'keyword=王', ...more];
	for (const one of filters)
		for (const two of filters) await service.read(`/api/employees?${[...new Set([one, two])].join('&')}`);
	await service.read('/api/overview');
	await service.read(`/api/stores/activity?ids=${storeId}`);
	await service.read(
		'/api/roles/holders',
		(await service.addPerson(storeId, 'role:view', 'employee:view:store')).token,
	);
	const person = { storeId, name: '王芳', phone: '13912345678' };
	expectStatus(await service.asSuper('POST', '/api/employees?former=refuse', person), 201);
	expireDue(db, service.time);
	for (const filter of [{ roleId: 3 }, { withoutRole: true }] as const) {
		findEmployees(db, { ...filter, stores: [storeId] }, { page: 1, pageSize: 20 });
	}
	const seen = new Set([...prepared.mock.calls, ...queried.mock.calls].map(([sql]) => sql));
	const reads = [...seen].filter((sql) => /^\s*(select|with)/i.test(sql));
	// Otherwise SQLite prepares the statement again for every run.
	expect(reads.filter((sql) => /\bindexed\b.*(?<!\+)\?/s.test(sql))).toEqual([]);
	const plans = reads.flatMap((sql) => {
		const steps = db.$client.query<{ detail: string }, []>(`explain query plan ${sql}`).all();
		return steps.map(({ detail }) => `${detail} — ${sql}`);
	});
	expect(plans.length).toBeGreaterThan(20);
	// Rows of the table itself are read only by known ids, and no list has to be sorted.
	const ofPeople = plans.filter((plan) => /^\w+ employees /.test(plan) || plan.startsWith('SCAN employees'));
	const own =
		/^(SEARCH employees USING (INDEX employees_(?!live |state_live )\w+|INTEGER PRIMARY KEY)|.* COVERING INDEX) /;
	const fromTable = ofPeople.filter((plan) => !own.test(plan));
	expect(fromTable, 'the indexes of lists need the columns of each filter (database/schema.ts)').toEqual([]);
	expect(plans.filter((plan) => /TEMP B-TREE FOR ORDER BY .*employees indexed by/.test(plan))).toEqual([]);
	// An employee is looked up once, not once for each store of a list.
	expect(plans.filter((plan) => plan.includes('(store_id=? AND id=?)'))).toEqual([]);
	// A store's list reads no other employees.
	const ofStore = plans.filter((plan) => /^\w+ employees .*group_concat/s.test(plan));
	const ofOne = '(store_id=?)';
	expect(ofStore.map((plan) => /\(.*?\)/.exec(plan)?.[0])).toEqual([ofOne, '(status=? AND store_id=?)', ofOne, ofOne]);
	// A store, or a count of holders within reach, does not need the roles of everybody.
	const ofAllRoles = plans.filter((plan) => plan.startsWith('SCAN employee_roles'));
	expect(ofAllRoles.filter((plan) => /"store_id" (= |in .*group by)/s.test(plan))).toEqual([]);
	// The program constantly searches for ends, by their own index or by the id of a found row.
	const ending = plans.filter((plan) => /^\w+ (employees|employee_roles) .*\b(leaves|ends)_on"? </s.test(plan));
	expect(ending.length).toBeGreaterThan(4);
	const ends = /^SEARCH \w+ USING (INTEGER PRIMARY|(COVERING )?INDEX \w+_(leaving|ending)) /;
	expect(ending.filter((plan) => !ends.test(plan))).toEqual([]);
});
