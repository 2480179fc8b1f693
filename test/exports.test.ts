/** Exports contain the same items as their lists, with every filter of the lists. */
import { describe, expect, test } from 'bun:test';
import { unzipSync } from 'fflate';
import papa from 'papaparse';
import { writeXlsx } from '../src/features/files/formats/write-xlsx.ts';
import { fieldWord } from '../src/identity/history/words.ts';
import { fetchDocument } from './contract.ts';
import { expectStatus, Service } from './harness.ts';
import type { Body } from './http.ts';

const service = await Service.start();
const [open, closed] = [await service.addStore({ name: '人民路店' }), await service.addStore({ name: '南京路店' })];
const east = await service.addArea('华东');
await service.asSuper('PATCH', `/api/stores/${open.id}`, { areaId: east.id });
const wang = await service.addEmployee(open.id, [3], { name: '王芳' });
const li = await service.addEmployee(open.id, [2], { name: '李伟', status: 'INACTIVE' });
await service.addEmployee(closed.id, [], { name: '张三' });
const gone = await service.addEmployee(open.id, [3], { name: '赵六' });
await service.asSuper('DELETE', `/api/employees/${gone.id}`);
await service.asSuper('PATCH', `/api/stores/${closed.id}`, { status: 'INACTIVE' });
await service.signIn(wang.phone);
await service.giveOneTimePassword(li.id);
service.tick(8 * 86_400);
await service.asSuper('PATCH', `/api/employees/${wang.id}`, { remark: '早班', externalId: 'P-1' });

const soon = () => new Date(service.time.getTime() - 60_000).toISOString();

/** For each filter of a list, a value that excludes something or changes the order. */
const lists: Record<string, { whole: string; values: Record<string, string | (() => string)> }> = {
	stores: {
		whole: 'includeInactive=true',
		values: { status: 'INACTIVE', keyword: '人民', search: 'njl', areaId: '1' },
	},
	employees: {
		whole: '',
		values: {
			storeId: '1',
			status: 'INACTIVE',
			roleId: '3',
			keyword: '王',
			search: 'zs',
			externalId: 'P-1',
			order: 'desc',
			passwordIsInitial: 'true',
			passwordExpired: 'true',
			neverSignedIn: 'true',
			signedInBefore: '2999-12-31',
			lockedOut: 'true',
			withoutRole: 'true',
			deleted: 'true',
		},
	},
	history: {
		whole: '',
		values: {
			actorType: 'EMPLOYEE',
			actorId: '1',
			action: 'STORE_CREATE',
			targetType: 'STORE',
			targetId: '2',
			from: soon,
			to: soon,
			keyword: '王芳',
			groupId: '2',
			movement: 'hired',
		},
	},
};

/** The parameters of a list's shape, which do not filter it. */
const shapes = ['page', 'pageSize', 'include', 'includeInactive', 'grouped'];

describe.each(Object.entries(lists))('the export of %s', (name, { whole, values }) => {
	async function parametersOf(path: string): Promise<string[]> {
		const { paths }: Body = await fetchDocument(service.app);
		return paths[path].get.parameters.map((parameter: Body) => parameter.name);
	}

	/** The ids in a list and in its export, in order. */
	async function idsBy(query: string): Promise<[listed: number[], exported: number[]]> {
		const list = await service.asSuper('GET', `/api/${name}?${whole}&pageSize=100&${query}`);
		const file = await service.asSuper('GET', `/api/${name}/export?format=csv&${query}`);
		const [head = [], ...rows] = papa.parse<string[]>(file.text.trim()).data;
		const ids = rows.map((row) => Number(row[head.indexOf('编号')]));
		return [expectStatus(list, 200).items.map(({ id }: Body) => id), ids];
	}

	test('takes the filters of the list, all of them and no other', async () => {
		const filters = (await parametersOf(`/api/${name}`)).filter((parameter) => !shapes.includes(parameter));
		const formats = name === 'history' ? ['format', 'utcOffset'] : ['format'];
		expect((await parametersOf(`/api/${name}/export`)).toSorted()).toEqual([...filters, ...formats].toSorted());
		const missing = 'a new filter needs a value among `lists` above, which not everything in the list passes';
		expect(Object.keys(values).toSorted(), missing).toEqual(filters.toSorted());
	});

	test.each(Object.entries(values))('has what the list has by %s', async (filter, value) => {
		const query = new URLSearchParams({ [filter]: typeof value === 'string' ? value : value() });
		const [all] = await idsBy('');
		const [listed, exported] = await idsBy(String(query));
		expect(listed.length, `nothing passes ${filter}: \`lists\` needs another value`).toBeGreaterThan(0);
		const ignored = `everything passes ${filter}: the list ignores it, or the value. Does the query ask for it?`;
		expect(listed, ignored).not.toEqual(all);
		expect(exported, `the export does not filter by ${filter} as its list does`).toEqual(listed);
		const { items } = await service.read('/api/history?action=EMPLOYEE_EXPORT&pageSize=1');
		const recorded: string[] = items.flatMap(({ changes }: Body) => changes.map(({ field }: Body) => field));
		const without = recorded.filter((field) => fieldWord(field, null) === field);
		expect(without, 'a filter needs a word in history/words.ts').toEqual([]);
	});
});

test('a sheet of XLSX has the rows that Excel can open, the last of which says that there are more', async () => {
	let made = 0;
	function* rows() {
		for (; made < 1_100_000; made += 1) yield [''];
	}
	const parts = await Array.fromAsync(writeXlsx([{ name: '操作记录', widths: [10], rows: rows() }]));
	const sheet = unzipSync(Buffer.concat(parts))['xl/worksheets/sheet1.xml']?.subarray(-500);
	const end =
		/<row r="1048575"><\/row><row r="1048576"><c [^/]*>这里最多 1,048,576 行.*<\/row><\/sheetData><\/worksheet>$/;
	expect(new TextDecoder().decode(sheet)).toMatch(end);
	// The rest is not read.
	expect(made).toBeLessThan(1_100_000);
});

test('an export of deleted people ends with the time of each deletion, which no other export has', async () => {
	const tableBy = async (query: string) =>
		papa.parse<string[]>((await service.asSuper('GET', `/api/employees/export?format=csv${query}`)).text.trim()).data;
	const [[head = []], [deletedHead = [], ...rows]] = [await tableBy(''), await tableBy('&deleted=true')];
	expect(deletedHead).toEqual([...head, '删除时间']);
	const { items } = await service.read('/api/employees?deleted=true');
	const times = rows.map((row) => new Date(`${row.at(-1)}`).toISOString().slice(0, 19));
	expect(times).toEqual(items.map(({ updatedAt }: Body) => updatedAt.slice(0, 19)));
});
