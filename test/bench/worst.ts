/**
 * The heaviest requests, in a chain where all phones are from one block, all surnames are the same and one store has a
 * seventh of the employees: their time, the wait of others during four of them, renames, imports, and closing that store.
 */
import { quantile, repeatDuring } from '../campaigns/campaign.ts';
import { csvType } from '../oracle.ts';
import { csvOf } from '../spreadsheets.ts';
import { load } from './load.ts';
import {
	type Contender,
	keyword,
	median,
	oneEmployee,
	type Part,
	phoneOfNobody,
	rename,
	repeat,
	timeAndOthers,
	timesAfterRenames,
	withJson,
} from './measure.ts';

/** The lists of employees. `deep` is a page in the second half. */
export function listsOf(size: number): Readonly<Record<string, string>> {
	const deep = (share: number) => `page=${Math.max(1, Math.round(size / share))}`;
	return {
		'1 digit of every phone': keyword('1'),
		'1 digit, enabled, deep': `${keyword('1')}&status=ACTIVE&${deep(22)}`,
		'surname of everybody': keyword('王'),
		'surname, deep': `${keyword('王')}&${deep(20)}`,
		'surname, newest first': `${keyword('王')}&order=desc`,
		'surname, disabled': `${keyword('王')}&status=INACTIVE`,
		'surname, one role, disabled': `${keyword('王')}&roleId=3&status=INACTIVE`,
		'3 digits, disabled': `${keyword('138')}&status=INACTIVE`,
		'4 digits of every phone': keyword('1380'),
		'4 digits, deep': `${keyword('1380')}&${deep(40)}`,
		'5 digits of one in ten': keyword('13807'),
		'6 digits of one in a hundred': keyword('138077'),
		'9 digits': keyword('138077712'),
		'a whole phone': keyword('13807771234'),
		'2 characters of a name': keyword('王芳'),
		'3 characters of a name': keyword('王芳伟'),
		'no match': keyword('龘龘'),
		'everybody, deep': deep(40),
		'enabled, deep': `status=ACTIVE&${deep(40)}`,
		enabled: 'status=ACTIVE',
		disabled: 'status=INACTIVE',
		'locked out': 'lockedOut=true',
		'one role': 'roleId=3',
		'one role, enabled': 'roleId=3&status=ACTIVE',
		'one role, surname': `roleId=3&${keyword('王')}`,
		'one role, newest first': 'roleId=3&order=desc',
		'huge store': 'storeId=1',
		'huge store, disabled, deep': `storeId=1&status=INACTIVE&${deep(3000)}`,
		'huge store, surname': `storeId=1&${keyword('王')}`,
		'huge store, 4 digits, disabled': `storeId=1&${keyword('1380')}&status=INACTIVE`,
		'huge store, one role': 'storeId=1&roleId=3',
		'huge store, no match': `storeId=1&${keyword('龘龘')}`,
	};
}

/**
 * The limits in milliseconds; `others` wait behind four lists. `times` is how often each list is measured, which keeps the
 * part within four minutes.
 */
const limitsAt = (size: number) =>
	size > 100_000
		? { list: 150, others: 600, rename: 100, overview: 120, times: 8 }
		: { list: 12, others: 60, rename: 50, overview: 15, times: 40 };

/** The lists that four clients read while others are measured. */
const heaviest = ['1 digit, enabled, deep', 'surname, deep', 'one role, surname', 'no match'];

export const worstPart: Part = {
	kinds: ['worst'],
	sizes: [100_000, 1_000_000],
	measures(size) {
		const lists = listsOf(size);
		const limits = limitsAt(size);
		const ofEach = async (names: string[], measure: (path: string) => Promise<number>, summary: string) => {
			const figures: Record<string, number> = {};
			for (const name of names) figures[name] = await measure(`/api/employees?${lists[name]}`);
			return { ...figures, [summary]: Math.max(...Object.values(figures)) };
		};
		return [
			{
				what: 'list, p95',
				run: (contender) => ofEach(Object.keys(lists), (path) => p95(contender, path, limits.times), 'slowest'),
				limits: { slowest: { milliseconds: limits.list } },
			},
			{
				what: 'overview',
				run: async (contender) => ({ p95: await p95(contender, '/api/overview', limits.times) }),
				limits: { p95: { milliseconds: limits.overview } },
			},
			{
				what: 'others during four searches',
				run: (contender) => ofEach(heaviest, (path) => waitBeside(contender, path), 'longest'),
				limits: { longest: { milliseconds: limits.others } },
			},
			{
				what: '300 renames',
				async run(contender) {
					const times = await repeat(300, () => rename(contender));
					return { p50: median(times), longest: Math.max(...times) };
				},
				limits: { longest: { milliseconds: limits.rename } },
			},
			...[1000, 5000].map((lines) => ({
				what: `import of ${lines} lines`,
				rounds: 7,
				run: (contender: Contender) => importPeople(contender, lines),
				limits: { time: { timesOld: 1.2 } },
			})),
			{ what: 'closing the huge store', rounds: 1, run: closeHugeStore },
		];
	},
};

/** The 95th percentile of the times of a list, each time right after a rename. */
const p95 = async (contender: Contender, path: string, count: number) =>
	quantile(await timesAfterRenames(contender, path, count), 0.95);

/** The longest wait of a client that reads one employee, while four others read a list and one changes something. */
async function waitBeside(contender: Contender, path: string): Promise<number> {
	const { program, token } = contender;
	const loads = () =>
		Promise.all([load(program.url + oneEmployee, { token }), load(program.url + path, { token, connections: 4 })]);
	const [others] = await repeatDuring(loads, async () => {
		await rename(contender);
		await Bun.sleep(50);
	});
	return others.longest;
}

/** Hires people into the second store. */
function importPeople(contender: Contender, lines: number) {
	const rows = Array.from({ length: lines }, (_, index) => [`王小${index}`, phoneOfNobody(contender), '2', 'cashier']);
	const body = csvOf([['姓名', '手机号', '门店', '角色'], ...rows]);
	return timeAndOthers(contender, '/api/employees/import', {
		method: 'POST',
		headers: { 'content-type': csvType },
		body,
	});
}

function closeHugeStore(contender: Contender) {
	// biome-ignore lint/suspicious/noThenProperty: a field of the API, and its text is no function.
	return timeAndOthers(contender, '/api/stores/1/close', withJson('POST', { moveTo: 2, then: 'DISABLE' }));
}
