/**
 * Databases of a chain of any size, with the same people every time. Each measured program makes its own schema, so an
 * older one gets its own database. They are kept in a folder that git ignores.
 */
import { Database } from 'bun:sqlite';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { hashPassword, productionCost } from '../../src/features/auth/password.ts';
import { spellNames } from '../../src/platform/database/spelling.ts';
import { seeded } from '../oracle.ts';
import { Program, runToEnd } from '../program.ts';
import { given as secrets } from '../server.ts';
import { initialPassword } from '../world.ts';

export const cache = join(import.meta.dir, '../../.bench');

/** The common values of a chain's people, or of the records of its history. */
export const kinds = {
	ordinary: 'ordinary data',
	worst: 'one number block, one surname, one store with a seventh of all',
	history: 'an ordinary history',
} as const;
/** One of {@link kinds}. */
export type Kind = keyof typeof kinds;

/** The number of employees in the measured history. */
const peopleOfHistory = 100_000;

/** The most common surnames, once for each percent of people. The rest share the others. */
const surnames = Array.from('王王王王王李李李李李李李张张张张张张张刘刘刘刘刘陈陈陈陈陈杨杨杨黄黄赵赵吴吴周周');
const rareSurnames = Array.from(
	'徐孙马朱胡郭何林高罗郑梁谢宋唐许邓冯韩曹曾彭萧蔡潘田董袁于余叶蒋杜苏魏程吕丁沈任姚卢傅钟姜崔谭廖范汪陆金石戴贾韦夏邱方侯邹熊孟秦白江阎薛尹段雷黎史龙陶贺顾毛郝龚邵万钱严覃武戚莫孔向汤',
);
const given = Array.from(
	'伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平刚桂英华玉萍红玲建国文斌宇浩凯健俊帆帅旭宁龙林欢佳倩雪琳晨晓思嘉欣怡梓涵子轩雨',
);
const prefixes = ['13', '15', '17', '18', '19'];
const cities = ['人民路', '南京路', '中山路', '解放路', '建设路', '长江路', '黄河路', '和平路'];
const at = '2026-01-01T00:00:00.000Z';

/** The environment of a program on a data folder. */
export const environmentOf = (folder: string) => ({ DATA_DIR: folder, ...secrets });

/**
 * Returns the folder with a program's database, and makes it if it is missing: a million takes minutes.
 * @param size the number of employees, or of records of a history.
 */
export async function databaseOf(program: string, kind: Kind, size: number): Promise<string> {
	const making = join(cache, 'making');
	rmSync(making, { recursive: true, force: true });
	mkdirSync(making, { recursive: true, mode: 0o700 });
	await (await Program.start({ command: [program], environment: environmentOf(making) })).end();
	using database = new Database(join(making, 'access.db'));
	const schema = database.query('select sql from sqlite_schema order by name').values().join();
	const made = Bun.hash(schema + readFileSync(import.meta.path, 'utf8')).toString(36);
	const folder = join(cache, `${kind}-${size}-${made}`);
	if (existsSync(folder)) return folder;
	console.error(`making a database of ${size}: ${kinds[kind]}`);
	database.run('pragma synchronous = off');
	const isHistory = kind === 'history';
	const hasSearchIndex = schema.includes('employee_search');
	const initialHash = await hashPassword(initialPassword, productionCost);
	database.transaction(() => {
		const employees = isHistory ? peopleOfHistory : size;
		fillStores(database, storesOf(employees));
		fillEmployees(database, employees, kind === 'worst', initialHash);
		if (isHistory) fillHistory(database, size);
		if (!hasSearchIndex) spellNames(database, () => {});
	})();
	database.close();
	if (hasSearchIndex) await index(program, making);
	renameSync(making, folder);
	return folder;
}

/** Builds the search index that programs before 1.2.0 have. */
async function index(program: string, folder: string): Promise<void> {
	const command = [program, 'check', '--only', 'search index', '--repair'];
	const { code, stdout, stderr } = await runToEnd({ command, environment: environmentOf(folder) });
	if (code !== 0) throw new Error(`${command.join(' ')}: ${stdout}${stderr}`);
}

const storesOf = (employees: number) => Math.max(20, employees / 200);

/** Fills the history with a chain's events, half of them sign-ins, one every three seconds. */
function fillHistory(database: Database, records: number): void {
	const columns = new Set(database.query("select name from pragma_table_info('history')").values().flat());
	// Versions before 1.2.0 index the history by themselves.
	const ofItself = columns.has('search_text') ? ', group_id, search_text, changed, "left", moved, new_roles' : '';
	const insert = database.prepare(
		`insert into history
			(at, action, actor_type, actor_id, actor_name, address, target_type, target_id, target_name, changes, count${ofItself})
		values (?1, ?2, ?3, ?4, ?5, '192.0.2.1', ?6, ?7, ?8, ?9, 1
			${ofItself && ', (select coalesce(max(id), 0) + 1 from history), lower(concat_ws(char(10), ?5, ?8)), ?6, 0, 0, 0'})`,
	);
	const names = database.query('select name from employees order by id').values().flat().map(String);
	const nameOf = (id: number) => names[id - 1] ?? '';
	const { below } = seeded(20_261_122);
	const first = Date.parse('2026-07-01T00:00:00.000Z') - records * 3000;
	for (let done = 0; done < records; done += 1) {
		const actor = 1 + below(names.length);
		const target = 1 + below(names.length);
		const who = below(10) === 0 ? ['SUPER_ADMIN', 1, 'admin'] : ['EMPLOYEE', actor, nameOf(actor)];
		const what =
			below(2) === 0
				? ['SIGN_IN', ...who, null, null, null, '[]']
				: [
						'EMPLOYEE_UPDATE',
						...who,
						'EMPLOYEE',
						target,
						nameOf(target),
						'[{"field":"remark","before":null,"after":"早班"}]',
					];
		insert.run(new Date(first + done * 3000).toISOString(), ...what);
	}
}

function fillStores(client: Database, stores: number): void {
	const columns = 'name, address, phone, status, created_at, updated_at';
	const insert = client.prepare(`insert into stores (${columns}) values (?, ?, ?, ?, ?, ?)`);
	for (let index = 1; index <= stores; index += 1) {
		const street = cities[index % cities.length];
		const status = index % 50 === 0 ? 'INACTIVE' : 'ACTIVE';
		insert.run(`${street}${index}店`, `${street} ${index} 号`, `021-${10_000_000 + index}`, status, at, at);
	}
}

/**
 * Adds employees: every twentieth disabled, some more deleted; most with one role, some with two. In the worst database
 * every search finds as many as possible.
 */
function fillEmployees(client: Database, employees: number, isWorst: boolean, initialHash: string): void {
	const random = seeded(20_261_121);
	const insert = client.prepare(
		`insert into employees (store_id, name, phone, password_hash, password_is_initial, status, created_at, updated_at, deleted_at)
		values (?, ?, ?, ?, 1, ?, ?, ?, ?)`,
	);
	const columns = 'employee_id, role_id, bound_at, unbound_at';
	const bind = client.prepare(`insert into employee_roles (${columns}) values (?, ?, ?, ?)`);
	for (let live = 0, id = 1; live < employees; id += 1) {
		const deletedAt = id > 100 && random.below(100) < 3 ? at : null;
		const status = deletedAt || random.below(100) < 5 ? 'INACTIVE' : 'ACTIVE';
		insert.run(...personOf(id, isWorst, storesOf(employees), random), initialHash, status, at, at, deletedAt);
		bind.run(id, 2 + random.below(4), at, deletedAt);
		if (random.below(20) === 0) bind.run(id, 1, at, deletedAt);
		if (!deletedAt) live += 1;
	}
}

type Random = ReturnType<typeof seeded>;

/** Returns an employee's store, name and phone. */
function personOf(id: number, isWorst: boolean, stores: number, random: Random): [number, string, string] {
	const storeId = isWorst && id % 7 === 0 ? 1 : 1 + random.below(stores);
	const name = nameOf(random);
	return isWorst ? [storeId, `王${name.slice(1)}`, `1380${digitsOf(id, 7)}`] : [storeId, name, phoneOf(id)];
}

/** Returns digits that are spread evenly and never repeat. */
const digitsOf = (id: number, count: number) => String((id * 611_953) % 10 ** count).padStart(count, '0');

/** Also spreads over the prefixes. */
export function phoneOf(id: number): string {
	return `${prefixes[id % prefixes.length]}${digitsOf(id, 9)}`;
}

function nameOf(random: Random): string {
	const surname = surnames[random.below(100)] ?? random.pick(rareSurnames);
	return surname + random.pick(given) + (random.below(3) === 0 ? '' : random.pick(given));
}
