/**
 * Search texts that mean something to SQL, LIKE or FTS5 are only text, as a plain comparison of strings shows; and no
 * request finds anything that is deleted, foreign, or was refused.
 */
import { type Document, nounBefore } from '../contract.ts';
import type { Answer } from '../http.ts';
import { seeded } from '../oracle.ts';
import { initialPassword, newName, newPhone, type World } from '../world.ts';
import { type Campaign, type Figures, onWorld, type Transport } from './campaign.ts';

interface Scale {
	transport: Transport;
	/** How many search texts there are; a third of them is also stored. */
	payloads: number;
	/** How often something is made, deleted and asked for again. */
	lives: number;
	seed: number;
}

export const injection: Campaign<Scale> = {
	name: 'injection',
	claim:
		'a search finds exactly the rows that contain its text, and no request finds deleted, foreign or refused things',
	short: { transport: 'in this process', payloads: 90, lives: 2, seed: 1 },
	full: { transport: 'over a socket', payloads: 500, lives: 50, seed: 2 },
	run: ({ transport, payloads, lives, seed }, report) =>
		onWorld(transport, async (world) => {
			const searched = await new Searches(world, seed).all(payloads);
			report('searched');
			const asked = await new Afterlife(world).all(lives);
			return { ...searched, ...asked, 'server errors': 0, seed };
		}),
};

/** There can be 1,000 at once, and the second part needs some. */
const maxRoles = 700;

/** Texts that mean something to some program; separated by two blanks or a line break. */
const famous = [
	'%00',
	'a  b',
	'e\u0301',
	'a\u200b',
	'a\u200bb',
	'b\u00ad',
	'\u{10ffff}',
	'甲\u{1ffff}',
	'a\u3000b',
	...[...'%_\\\'"*('].map((character) => character.repeat(100)),
	...listed(String.raw`
		%  _  \  '  "  ${'`'}  *  ^  :  (  )  ?  %%  __  \%  \_  \\  \\\\  %_\  ""  ''  --  -minus  +plus  star*  *star
		' or '1'='1  ' or 1=1 --  " or ""="  '; drop table stores; --  ') or ('1'='1  1 or 1=1  admin'--  ;--  /* c */
		' union select password_hash from employees --  %" or parts match "a  x' escape 'x  x%' escape '\
		0x27  char(39)  ' || (select 1) || '  ?1  $pattern  :pattern  @pattern  %s  rowid  rank  null  ACTIVE
		NEAR(a b)  NEAR/2  a NEAR b  a OR b  a AND b  NOT a  a NOT b  OR  AND  NOT  parts:a  parts : a  {parts}:a
		- parts : a  ^a  "a b"  "a  a"  (a  a)  ()  "a" + "b"  a^b  a:b  [a-c]  [^a]  a.b  a|b  ~a  a_b  a%b  axb
		\u0027  &#39;  %27  <b>  {{7*7}}  quo'te  dou"ble  back\slash  back\\slash  100%折扣
		É  é  Éclair  éclair  ß  SS  İ  ı  i  ſ  s  K  k  Å  Ω  ﬀ  A  aB  ABC  abc  abcDEF  1  13  130  13000000001
		王  王芳  王芳芳  王小芳芳  😀  😀😀  😀笑  👩‍💻  👩
	`),
];

/** What random texts are put together from. */
const parts = [
	' ',
	'  ',
	'\u0301',
	'\u200b',
	'\u3000',
	...listed(String.raw`
		'  "  ${'`'}  %  _  \  *  ^  :  (  )  {  }  [  ]  -  +  ~  |  &  ,  ;  --  /*  */  =  $  ?  #  .  0  1
		OR  AND  NOT  NEAR  or  union  select  parts  rowid  a  A  b  Z  z  王  芳  小  😀  é  É  ß  ı
	`),
];

function listed(text: string): string[] {
	return text.split(/ {2,}|\s*\n\s*/).filter((each) => each !== '');
}

type Row = Record<string, unknown>;

/** A list that can be searched, and the fields that it looks at. */
interface Searched {
	path: string;
	fields: string[];
	rows: Row[];
	/** Further filters, and which rows pass them. */
	filters: [query: string, passes: (row: Row) => boolean][];
}

/** ASCII letters only: the contract says no more about case. */
function folded(text: string): string {
	return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

class Searches {
	readonly #world: World;
	readonly #random: ReturnType<typeof seeded>;

	constructor(world: World, seed: number) {
		this.#world = world;
		this.#random = seeded(seed);
	}

	async all(count: number): Promise<Figures> {
		const payloads = this.#payloads(count);
		const lists = await this.#fill(payloads.filter((_, index) => index % 3 === 0));
		const before = this.#world.rows('select name, sql from sqlite_master order by name');
		let searches = 0;
		let partial = 0;
		for (const payload of payloads) {
			for (const list of lists) {
				for (const [filter, passes] of list.filters) {
					const found = await this.#compare(payload, list, filter, passes);
					searches += 1;
					if (found > 0 && found < list.rows.length) partial += 1;
				}
			}
		}
		const after = this.#world.rows('select name, sql from sqlite_master order by name');
		if (JSON.stringify(before) !== JSON.stringify(after)) throw new Error('a search changed the database');
		if (partial < searches / 10)
			throw new Error(`only ${partial} of ${searches} searches found some: this proves little`);
		return {
			'search texts': payloads.length,
			'rows searched': lists.map(({ rows }) => rows.length).join(' + '),
			searches,
			'searches that found some but not all': partial,
			'differences from a plain comparison': 0,
		};
	}

	/** Different texts of at most 100 characters that are not blank: the famous ones first, then random ones. */
	#payloads(count: number): string[] {
		const { below, pick, random } = this.#random;
		const known = famous.filter((text) => text.trim() !== '').map((text) => ({ text, order: random() }));
		const shuffled = known.toSorted((one, other) => one.order - other.order).map(({ text }) => text);
		const found = new Set(shuffled.slice(0, count));
		while (found.size < count) {
			const length = 1 + below(below(40) === 0 ? 40 : 5);
			const text = Array.from({ length }, () => pick(parts)).join('');
			// A name needs a visible character.
			if (text.replace(/[\s\u200b]|\u0301/g, '') !== '' && [...text].length <= 100) found.add(text);
		}
		return [...found];
	}

	/** Stores the texts, and similar ones, in every field that is searched. */
	async #fill(texts: readonly string[]): Promise<Searched[]> {
		const stores: Row[] = [];
		const roles: Row[] = (await this.#ask('GET', '/api/roles')).body.data;
		const employees: Row[] = [];
		for (const [index, text] of [...texts, ...texts.flatMap(nearly)].entries()) {
			const storeId = stores[index % 5 === 0 ? 1 : 2]?.id;
			stores.push(await this.#create('/api/stores', storeWith(text, index)));
			if (index < maxRoles) roles.push(await this.#create('/api/roles', roleWith(text, index)));
			if (storeId !== undefined) {
				employees.push(await this.#create('/api/employees', { storeId, ...employeeWith(text, index) }));
			}
		}
		return searchedLists(stores, roles, employees);
	}

	async #ask(method: string, path: string, body?: unknown): Promise<Answer> {
		const answer = await this.#world.asSuper(method, path, body);
		if (answer.status >= 500) throw new Error(`${method} ${path} ${JSON.stringify(body)} gave ${answer.text}`);
		return answer;
	}

	async #create(path: string, body: unknown): Promise<Row> {
		const answer = await this.#ask('POST', path, body);
		if (answer.status !== 201) throw new Error(`cannot store ${JSON.stringify(body)}: ${answer.text}`);
		return answer.body.data;
	}

	/** One search against a plain comparison; how many rows it found. */
	async #compare(
		payload: string,
		{ path, fields, rows }: Searched,
		filter: string,
		passes: (row: Row) => boolean,
	): Promise<number> {
		const sought = folded(payload.trim().normalize('NFC'));
		const expected = rows
			.filter(passes)
			.filter((row) => fields.some((field) => folded(String(row[field] ?? '')).includes(sought)))
			.map(({ id }) => id);
		const where = `${path}?${filter}&pageSize=100&keyword=${encodeURIComponent(payload)}`;
		const answer = await this.#ask('GET', where);
		const { items = [], pagination = {} } = answer.body?.data ?? {};
		const found = [pagination.total, ...items.map(({ id }: { id: number }) => id)].join(' ');
		const wanted = [expected.length, ...expected.slice(0, 100)].join(' ');
		if (answer.status !== 200 || found !== wanted) {
			throw new Error(`${JSON.stringify(payload)}: GET ${where} found ${found || answer.text}, not ${wanted}`);
		}
		return expected.length;
	}
}

/** Texts that a careless comparison takes for equal. */
function nearly(text: string): string[] {
	const plain = text.replace(/[^a-z0-9]/gi, 'x');
	return [`甲${text}乙`, plain, folded(text), text.toUpperCase(), [...text].toReversed().join('')];
}

function statusOf(index: number): string {
	return index % 4 === 0 ? 'INACTIVE' : 'ACTIVE';
}

/** A store with the text in one of the three fields that are searched. */
function storeWith(text: string, index: number): Row {
	const fields = [{ address: text }, { phone: fitting(text, 30) }, {}][index % 3];
	const name = index % 3 === 2 ? `${index} ${fitting(text, 90)}` : `店 ${index}`;
	return { name, status: statusOf(index), ...fields };
}

/** A role with the text in its name or description, and what is left of it in its code. */
function roleWith(text: string, index: number): Row {
	const code = `r${index}_${text.toLowerCase().replace(/[^a-z0-9_]/g, '')}`.slice(0, 50);
	return index % 2 === 0 ? { code, name: `角${fitting(text, 49)}` } : { code, name: '角', description: text };
}

function employeeWith(text: string, index: number): Row {
	return {
		name: `人${fitting(text, 49)}`,
		phone: `13${String(index * 7919).padStart(9, '0')}`,
		status: statusOf(index),
	};
}

function searchedLists(stores: Row[], roles: Row[], employees: Row[]): Searched[] {
	const all = () => true;
	const isActive = ({ status }: Row) => status === 'ACTIVE';
	const oneStore = employees[0]?.storeId;
	const inOneStore = ({ storeId }: Row) => storeId === oneStore;
	return [
		{
			path: '/api/stores',
			fields: ['name', 'address', 'phone'],
			rows: stores,
			filters: [
				['includeInactive=true', all],
				['status=ACTIVE', isActive],
			],
		},
		{
			path: '/api/roles',
			fields: ['code', 'name', 'description'],
			rows: roles,
			filters: [
				['page=1', all],
				['isSystem=true', ({ isSystem }) => isSystem === true],
			],
		},
		{
			path: '/api/employees',
			fields: ['name', 'phone'],
			rows: employees,
			filters: [
				['page=1', all],
				['status=ACTIVE', isActive],
				[`storeId=${oneStore}`, inOneStore],
				[`status=ACTIVE&storeId=${oneStore}`, (row) => isActive(row) && inOneStore(row)],
			],
		},
	];
}

/** The beginning of a text, in characters, without a blank at its end. */
function fitting(text: string, length: number): string {
	return [...text.trim()].slice(0, length).join('').trim() || 'x';
}

/** An operation on one resource. */
interface Visit {
	method: string;
	template: string;
	nouns: string[];
	body: unknown;
}

class Afterlife {
	readonly #world: World;
	#visits: Visit[] = [];
	#asked = 0;
	#signIns = 0;

	constructor(world: World) {
		this.#world = world;
	}

	async all(lives: number): Promise<Figures> {
		this.#visits = visitsOf((await this.#ask('GET', '/swagger/json')).body as Document);
		for (let life = 0; life < lives; life += 1) {
			await this.#employee();
			await this.#role();
			await this.#store();
			await this.#foreign();
			await this.#failures();
		}
		return {
			lives,
			'operations on one resource': this.#visits.length,
			'requests after the end': this.#asked,
			'traces of what is deleted, foreign or failed': 0,
		};
	}

	/** A deleted employee is nowhere. */
	async #employee(): Promise<void> {
		const store = await this.#newStore();
		const { id: role } = await this.#world.addRole('store:view');
		const employee = await this.#world.addEmployee(store, [role]);
		const session = this.#world.tokenOf(employee.id);
		await this.#expect(204, 'DELETE', `/api/employees/${employee.id}`);
		await this.#expectGone('employees', employee.id, { stores: store, roles: role });
		await this.#expectUnlisted(employee.id, [`/api/employees?storeId=${store}`, `/api/stores/${store}/employees`]);
		await this.#expectUnlisted(employee.id, [`/api/employees?keyword=${employee.phone}`]);
		const detail = await this.#expect(200, 'GET', `/api/stores/${store}`);
		if (detail.body.data.employees.length > 0) throw new Error(`a deleted employee is in ${detail.text}`);
		const me = await this.#world.send('GET', '/api/auth/me', { token: session });
		if (me.status !== 401) throw new Error(`the token of a deleted employee gave ${me.status} ${me.text}`);
		// One sign-in takes as long as a hundred other requests.
		if (this.#signIns < 10) {
			this.#signIns += 1;
			const body = { username: employee.phone, password: initialPassword };
			await this.#expect(401, 'POST', '/api/auth/employee/login', body);
		}
		// Nothing uses the role and the store any more.
		await this.#expect(204, 'DELETE', `/api/roles/${role}`);
		await this.#expect(204, 'DELETE', `/api/stores/${store}`);
	}

	/** A deleted role is nowhere, and cannot be bound. */
	async #role(): Promise<void> {
		const store = await this.#newStore();
		const { id: role } = await this.#world.addRole('store:view');
		const { id, phone } = await this.#world.addEmployee(store, []);
		await this.#expect(204, 'DELETE', `/api/roles/${role}`);
		await this.#expectGone('roles', role, { stores: store, employees: id });
		await this.#expectUnlisted(role, ['/api/roles', '/api/roles?page=1&pageSize=100&isSystem=false']);
		const policies = await this.#expect(200, 'GET', '/api/permissions/policies');
		if (policies.body.data.some(({ roleId }: { roleId: number }) => roleId === role)) {
			throw new Error(`a deleted role has a policy: ${policies.text}`);
		}
		await this.#expect(400, 'PATCH', `/api/employees/${id}`, { name: 'changed', roleIds: [role] }, 'BAD_REQUEST');
		const after = await this.#expect(200, 'GET', `/api/employees/${id}`);
		if (after.body.data.name === 'changed') throw new Error(`half a change: ${after.text}`);
		const body = { storeId: store, name: 'x', phone: newPhone(), roleIds: [role] };
		await this.#expect(400, 'POST', '/api/employees', body, 'BAD_REQUEST');
		await this.#expectUnlistedBy(`/api/employees?keyword=${body.phone}`);
		await this.#expect(409, 'POST', '/api/employees', { storeId: store, name: 'x', phone });
	}

	/** A deleted store is nowhere, and nobody can be hired into it. */
	async #store(): Promise<void> {
		const store = await this.#newStore();
		const other = await this.#newStore();
		const { id } = await this.#world.addEmployee(other, []);
		await this.#expect(204, 'DELETE', `/api/stores/${store}`);
		await this.#expectGone('stores', store, { employees: id, roles: 1 });
		const lists = ['/api/stores', '/api/stores?includeInactive=true', '/api/stores?page=1&pageSize=100&keyword=life'];
		await this.#expectUnlisted(store, lists);
		await this.#expectUnlistedBy(`/api/employees?storeId=${store}`);
		await this.#expect(400, 'PATCH', `/api/employees/${id}`, { storeId: store }, 'BAD_REQUEST');
		const body = { storeId: store, name: 'x', phone: newPhone() };
		await this.#expect(400, 'POST', '/api/employees', body, 'BAD_REQUEST');
		await this.#expectUnlistedBy(`/api/employees?keyword=${body.phone}`);
	}

	/** An employee of one store cannot be reached through another. */
	async #foreign(): Promise<void> {
		const own = await this.#newStore();
		const other = await this.#newStore();
		const { id } = await this.#world.addEmployee(own, []);
		for (const method of ['GET', 'DELETE', 'PATCH']) {
			await this.#expect(404, method, `/api/stores/${other}/employees/${id}`);
		}
		await this.#expect(404, 'DELETE', `/api/stores/${id + 1_000_000}/employees/${id}`);
		await this.#expectUnlisted(id, [`/api/stores/${other}/employees`, `/api/employees?storeId=${other}`]);
		await this.#expect(200, 'GET', `/api/employees/${id}`);
		await this.#expect(204, 'DELETE', `/api/stores/${own}/employees/${id}`);
	}

	/** A refused request leaves nothing behind. */
	async #failures(): Promise<void> {
		const store = await this.#newStore();
		const closed = await this.#newStore();
		await this.#expect(200, 'PATCH', `/api/stores/${closed}`, { status: 'INACTIVE' });
		const { id: role, code } = await this.#world.addRole('store:view');
		const { id, phone } = await this.#world.addEmployee(store, [role]);
		const [{ name }] = this.#world.rows('select name from stores where id = ?', store);
		const missing = 2 ** 50;
		const person = { storeId: store, name: 'trace', phone: newPhone() };
		const refused: [status: number, method: string, path: string, body?: unknown][] = [
			[409, 'POST', '/api/stores', { name, address: 'trace' }],
			[409, 'POST', '/api/stores', { name: ` ${name} `, address: 'trace' }],
			[400, 'POST', '/api/stores', { name: 'trace', address: 5 }],
			[409, 'PATCH', `/api/stores/${closed}`, { name, address: 'trace' }],
			[409, 'DELETE', `/api/stores/${store}`],
			[409, 'POST', '/api/roles', { code, name: 'trace' }],
			[409, 'POST', '/api/roles', { code: 'super_admin', name: 'trace' }],
			[400, 'POST', '/api/roles', { code: 'Trace', name: 'trace' }],
			[409, 'PATCH', `/api/roles/${role}`, { code: 'admin', name: 'trace' }],
			[409, 'PATCH', '/api/roles/1', { name: 'trace' }],
			[409, 'DELETE', `/api/roles/${role}`],
			[409, 'DELETE', '/api/roles/1'],
			[400, 'PUT', `/api/permissions/roles/${role}`, { permissions: ['store:view', '*'] }],
			[404, 'PUT', `/api/permissions/roles/${missing}`, { permissions: ['store:view'] }],
			[409, 'POST', '/api/employees', { ...person, phone, roleIds: [role] }],
			[400, 'POST', '/api/employees', { ...person, roleIds: [role, missing] }],
			[400, 'POST', '/api/employees', { ...person, storeId: closed }],
			[400, 'POST', '/api/employees', { ...person, storeId: missing, roleIds: [role] }],
			[400, 'POST', '/api/employees', { ...person, roleIds: [role], remark: 5 }],
			[400, 'PATCH', `/api/employees/${id}`, { name: 'trace', roleIds: [missing] }],
			[400, 'PATCH', `/api/employees/${id}`, { name: 'trace', roleIds: [], storeId: closed }],
			[400, 'PATCH', `/api/employees/${id}/status`, { status: 'TRACE' }],
		];
		const before = this.#everything();
		for (const [status, method, path, body] of refused) await this.#expect(status, method, path, body);
		if (this.#everything() !== before) throw new Error('what was refused left something behind');
		for (const path of ['/api/stores?includeInactive=true', '/api/roles?page=1', '/api/employees?page=1']) {
			await this.#expectUnlistedBy(`${path}&keyword=trace`);
		}
	}

	/** Every operation whose path names the resource answers 404; other resources in the path exist. */
	async #expectGone(noun: string, id: number, others: Record<string, number>): Promise<void> {
		const ids: Record<string, number> = { ...others, [noun]: id };
		for (const { method, template, nouns, body } of this.#visits) {
			if (!nouns.includes(noun)) continue;
			const path = template.replace(/\{(\w+)\}/g, (_, name: string) => String(ids[nounBefore(template, name)] ?? 1));
			await this.#expect(404, method, path, body, 'NOT_FOUND');
		}
	}

	async #expectUnlisted(id: number, lists: readonly string[]): Promise<void> {
		for (const path of lists) {
			const { body, text } = await this.#expect(200, 'GET', path);
			const items: { id: number }[] = body.data.items ?? body.data;
			if (items.some((item) => item.id === id)) throw new Error(`${id} is still in GET ${path}: ${text}`);
		}
	}

	async #expectUnlistedBy(path: string): Promise<void> {
		const { body, text } = await this.#expect(200, 'GET', path);
		if (body.data.pagination.total !== 0) throw new Error(`GET ${path} is not empty: ${text}`);
	}

	async #ask(method: string, path: string, body?: unknown): Promise<Answer> {
		this.#asked += 1;
		return this.#world.asSuper(method, path, body);
	}

	async #expect(status: number, method: string, path: string, body?: unknown, code?: string): Promise<Answer> {
		const answer = await this.#ask(method, path, body);
		if (answer.status !== status || (code !== undefined && answer.body.error.code !== code)) {
			const wanted = `${status} ${code ?? ''}`.trim();
			throw new Error(`${method} ${path} ${JSON.stringify(body)} gave ${answer.status} ${answer.text}, not ${wanted}`);
		}
		return answer;
	}

	async #newStore(): Promise<number> {
		return (await this.#world.addStore({ name: newName('life ') })).id;
	}

	/** Everything that the service keeps. */
	#everything(): string {
		const tables = ['stores', 'roles', 'employees', 'employee_roles', 'role_permissions', 'employee_counts'];
		return JSON.stringify(tables.map((table) => this.#world.rows(`select * from ${table} order by 1, 2`)));
	}
}

/** The operations of a document that name a resource in their path, with a body that they would take. */
function visitsOf(document: Document): Visit[] {
	return Object.entries(document.paths).flatMap(([template, operations]) =>
		Object.entries(operations)
			.filter(() => template.includes('{'))
			.map(([method, { requestBody }]) => ({
				method: method.toUpperCase(),
				template,
				nouns: Array.from(template.matchAll(/\{(\w+)\}/g), ([, name = '']) => nounBefore(template, name)),
				body: requestBody?.content['application/json']?.example,
			})),
	);
}
