/** Databases of a chain of any size, the same ones every time: made once and kept in a folder that git ignores. */
import type { Database } from 'bun:sqlite';
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { seedAdministrator } from '../../src/auth/administrator.ts';
import { hashPassword, productionCost } from '../../src/auth/password.ts';
import { closeDatabase, openDatabase } from '../../src/database/open.ts';
import { transaction } from '../../src/database/query.ts';
import { provideTokenEpoch } from '../../src/database/token-epoch.ts';
import { type ChangeContext, type HistoryEvent, operator, record } from '../../src/history/record.ts';
import { seedRoles } from '../../src/roles/built-in.ts';
import { rebuildIndexes } from '../../src/server/search-upkeep.ts';
import { withoutTriggers } from '../triggers.ts';

export const cache = join(import.meta.dir, '../../.bench');
export const adminPassword = 'bench-admin-password';
export const initialPassword = 'bench-initial-password';

/** A chain: how many employees that are not deleted, in how many stores. */
export interface Size {
	employees: number;
	stores: number;
	/** The worst case: every phone from one number block, one surname, and one store with 30,000 people. */
	skewed?: true;
}

export const sizes: readonly Size[] = [
	{ employees: 1000, stores: 20 },
	{ employees: 100_000, stores: 500 },
	{ employees: 1_000_000, stores: 5000 },
];

/** A chain of a million in which every search meets as many people as it can. */
export const skewed: Size = { employees: 1_000_000, stores: 5000, skewed: true };
const peopleOfHugeStore = 30_000;

// The most common surnames with about their real share of people, per thousand; the rest shares the others.
const surnames = [
	['王', 50],
	['李', 72],
	['张', 68],
	['刘', 54],
	['陈', 46],
	['杨', 31],
	['黄', 23],
	['赵', 21],
	['吴', 20],
	['周', 20],
] as const;
const rareSurnames = Array.from(
	'徐孙马朱胡郭何林高罗郑梁谢宋唐许邓冯韩曹曾彭萧蔡潘田董袁于余叶蒋杜苏魏程吕丁沈任姚卢傅钟姜崔谭廖范汪陆金石戴贾韦夏邱方侯邹熊孟秦白江阎薛尹段雷黎史龙陶贺顾毛郝龚邵万钱严覃武戚莫孔向汤',
);
const given = Array.from(
	'伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平刚桂英华玉萍红玲建国文斌宇浩凯健俊帆帅旭宁龙林欢佳倩雪琳晨晓思嘉欣怡梓涵子轩雨',
);
const prefixes = ['13', '15', '17', '18', '19'];
const cities = ['人民路', '南京路', '中山路', '解放路', '建设路', '长江路', '黄河路', '和平路'];
const at = '2026-01-01T00:00:00.000Z';
const initialHash = await hashPassword(initialPassword, productionCost);

/** The folder with the database of a size, made now if it is not there yet. */
export async function databaseOf(size: Size): Promise<string> {
	const { employees, stores } = size;
	const folder = join(cache, `v9-${size.skewed ? 'skewed-' : ''}${employees}`);
	if (existsSync(folder)) return folder;
	const making = `${folder}.making`;
	rmSync(making, { recursive: true, force: true });
	mkdirSync(making, { recursive: true, mode: 0o700 });
	console.error(`making a database of ${employees} employees`);
	const db = openDatabase(join(making, 'access.db'));
	seedRoles(db, at);
	provideTokenEpoch(db);
	seedAdministrator(db, operator('bench'), 'admin', await hashPassword(adminPassword, productionCost), at);
	const client = db.$client;
	client.run('pragma synchronous = off');
	client.transaction(() => {
		withoutTriggers(client, () => {
			fillStores(client, stores);
			fillEmployees(client, size);
		});
		rebuildIndexes(client);
	})();
	closeDatabase(db);
	renameSync(making, folder);
	return folder;
}

/**
 * What the records of a history have in common: an ordinary chain of a hundred thousand people, where half of the records
 * are sign-ins and a tenth is the administrator's, or data that is hard to search.
 */
export const histories = {
	chain: 'an ordinary chain',
	actor: 'everything done by the administrator',
	name: 'one name everywhere, as actor and as target',
	names: '200,000 names, all of which match',
} as const;
/** One of {@link histories}. */
export type History = keyof typeof histories;

/**
 * The folder with a history of so many records, made now if it is not there yet: a million take half a minute. They are
 * three seconds apart, and the newest is from the middle of 2026.
 */
export async function historyOf(records: number, kind: History = 'chain'): Promise<string> {
	const folder = join(cache, `history-9-${kind}-${records}`);
	if (existsSync(folder)) return folder;
	const source = await databaseOf({ employees: 100_000, stores: 500 });
	const making = `${folder}.making`;
	rmSync(making, { recursive: true, force: true });
	cpSync(source, making, { recursive: true });
	console.error(`making a history of ${records} records: ${histories[kind]}`);
	const db = openDatabase(join(making, 'access.db'));
	db.$client.run('pragma synchronous = off');
	db.$client.run('pragma cache_size = -1000000');
	const names = db.$client.query('select name from employees order by id').values().flat().map(String);
	const stores = db.$client.query('select name from stores order by id').values().flat().map(String);
	const random = generator(20_261_122);
	const first = Date.parse('2026-07-01T00:00:00.000Z') - records * 3000;
	for (let done = 0; done < records; ) {
		const until = Math.min(done + 100_000, records);
		transaction(db, () => {
			for (; done < until; done += 1) {
				const { context, event } = happening(kind, random, names, stores);
				record(db, context, event, new Date(first + done * 3000).toISOString());
			}
		});
	}
	closeDatabase(db);
	renameSync(making, folder);
	return folder;
}

/** Something that happens in a chain, and who does it. */
function happening(
	history: History,
	random: (below: number) => number,
	names: readonly string[],
	stores: readonly string[],
): { context: ChangeContext; event: HistoryEvent } {
	const administrator = { accountType: 'SUPER_ADMIN', id: 1, name: 'admin' } as const;
	const employee = (id: number) => ({ accountType: 'EMPLOYEE', id, name: nameIn(history, names, id) }) as const;
	const isAdministrator = history === 'actor' || (history === 'chain' && random(10) === 0);
	const actor = isAdministrator ? administrator : employee(1 + random(names.length));
	const context = { actor, address: `192.0.2.${random(256)}`, requestId: `bench-${random(2 ** 31)}` };
	const kind = random(12);
	if (kind < 6 && history !== 'name') return { context, event: { action: 'SIGN_IN' } };
	if (kind === 6 && history !== 'name') {
		const store = random(stores.length);
		const changes = [{ field: 'phone', before: null, after: '021-12345678' }];
		const target = { type: 'STORE', id: store + 1, name: stores[store] ?? '' } as const;
		return { context, event: { action: 'STORE_UPDATE', target, changes } };
	}
	const { id, name } = employee(1 + random(names.length));
	const target = { type: 'EMPLOYEE', id, name: history === 'names' ? `${name} 经理` : name } as const;
	if (kind === 7) return { context, event: { action: 'EMPLOYEE_PASSWORD_RESET', target } };
	const changes = [{ field: 'remark', before: null, after: '早班' }];
	return { context, event: { action: 'EMPLOYEE_UPDATE', target, changes } };
}

function nameIn(history: History, names: readonly string[], id: number): string {
	if (history === 'name') return '王芳';
	return history === 'names' ? `Manager ${id}` : (names[id - 1] ?? '');
}

function fillStores(client: Database, stores: number): void {
	const insert = client.prepare(
		'insert into stores (name, address, phone, status, created_at, updated_at) values (?, ?, ?, ?, ?, ?)',
	);
	for (let index = 1; index <= stores; index += 1) {
		const street = cities[index % cities.length];
		const status = index % 50 === 0 ? 'INACTIVE' : 'ACTIVE';
		insert.run(`${street}${index}店`, `${street} ${index} 号`, `021-${10_000_000 + index}`, status, at, at);
	}
}

/** Every twentieth is disabled, some more are deleted; most have one role, some two. */
function fillEmployees(client: Database, { employees, stores, skewed }: Size): void {
	const random = generator(20_261_121);
	const insert = client.prepare(
		`insert into employees (store_id, name, phone, password_hash, password_is_initial, status, created_at, updated_at, deleted_at)
		values (?, ?, ?, ?, 1, ?, ?, ?, ?)`,
	);
	const bind = client.prepare(
		'insert into employee_roles (employee_id, role_id, bound_at, unbound_at) values (?, ?, ?, ?)',
	);
	for (let live = 0, id = 1; live < employees; id += 1) {
		const deletedAt = id > 100 && random(100) < 3 ? at : null;
		const status = deletedAt || random(100) < 5 ? 'INACTIVE' : 'ACTIVE';
		const { name, phone, storeId } = skewed ? skewedPerson(id, stores, random) : person(id, stores, random);
		insert.run(storeId, name, phone, initialHash, status, at, at, deletedAt);
		bind.run(id, 2 + random(4), at, deletedAt);
		if (random(20) === 0) bind.run(id, 1, at, deletedAt);
		if (!deletedAt) live += 1;
	}
}

interface Person {
	storeId: number;
	name: string;
	phone: string;
}

function person(id: number, stores: number, random: (below: number) => number): Person {
	return { storeId: 1 + random(stores), name: nameOf(random), phone: phoneOf(id) };
}

function skewedPerson(id: number, stores: number, random: (below: number) => number): Person {
	const isOfHugeStore = id % 30 === 0 && id <= 30 * peopleOfHugeStore;
	const storeId = isOfHugeStore ? 1 : 1 + random(stores);
	return { storeId, name: `王${nameOf(random).slice(1)}`, phone: phoneOfBlock(id) };
}

/** Spread over the prefixes and digits, and never the same twice. */
function phoneOf(id: number): string {
	const prefix = prefixes[id % prefixes.length];
	return `${prefix}${String((id * 611_953) % 1_000_000_000).padStart(9, '0')}`;
}

/** All from one block of ten million numbers. */
function phoneOfBlock(id: number): string {
	return `1380${String((id * 611_953) % 10_000_000).padStart(7, '0')}`;
}

function nameOf(random: (below: number) => number): string {
	return surnameOf(random) + pick(given, random) + (random(3) === 0 ? '' : pick(given, random));
}

function surnameOf(random: (below: number) => number): string {
	let place = random(1000);
	for (const [surname, share] of surnames) {
		if (place < share) return surname;
		place -= share;
	}
	return pick(rareSurnames, random);
}

function pick<T>(values: readonly T[], random: (below: number) => number): T {
	return values[random(values.length)] as T;
}

function generator(seed: number): (below: number) => number {
	let state = seed;
	return (below) => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return Math.floor((state / 2 ** 32) * below);
	};
}
