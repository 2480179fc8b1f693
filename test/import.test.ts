import { afterAll, describe, expect, jest, spyOn, test } from 'bun:test';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { unzipSync, zipSync } from 'fflate';
import papa from 'papaparse';
import { CreateEmployee } from '../src/features/employees/model.ts';
import { closeNameFinder } from '../src/features/files/close-name.ts';
import { employeeColumns } from '../src/features/files/employees/columns.ts';
import { employeeLayout } from '../src/features/files/employees/layout.ts';
import { columnsWith, type SheetColumns } from '../src/features/files/layout.ts';
import { readImportFile } from '../src/features/files/read-lines.ts';
import { storeColumns } from '../src/features/files/stores/columns.ts';
import { storeLayout } from '../src/features/files/stores/layout.ts';
import { CreateStore } from '../src/features/stores/model.ts';
import { type Db, openDatabase } from '../src/platform/database/open.ts';
import { largeTransaction } from '../src/platform/database/query.ts';
import { showPhone } from '../src/platform/vocabulary/phone.ts';
import {
	detailsOf,
	expectInvalid,
	expectRefusal,
	expectStatus,
	heldPost,
	importReader,
	newPhone,
	Service,
} from './harness.ts';
import type { Body } from './http.ts';
import { csvType, endpointNamed, type Field, xlsxType } from './oracle.ts';
import { newFolder, removeFolders } from './program.ts';
import { csvOf, textsIn, type XmlCell, xlsxOf } from './spreadsheets.ts';

const heading = ['姓名', '手机号', '门店', '角色', '状态', '备注'];
const excelType = 'application/vnd.ms-excel';
const storeName = '人民路店';

afterAll(removeFolders);

const service = await Service.start();
const store = await service.addStore({ name: storeName });
service.restoreBeforeEachTest();

interface Upload {
	token?: string;
	contentType?: string;
	dryRun?: boolean | string;
	mode?: 'add' | 'upsert' | 'update' | 'auto';
	skip?: string;
	only?: string;
	restore?: unknown;
	passwords?: 'one-time';
	headers?: Record<string, string>;
}

type Content = string | Uint8Array;

/** New people, and a file with them. */
const newPeople = (count: number) =>
	Array.from({ length: count }, (_, index) => ['某', String(13_000_000_000 + index), storeName]);
const fileOfMany = (count: number) => csvOf([heading, ...newPeople(count)]);

function uploadTo(path: string, raw: Content, upload: Upload) {
	const { token = service.superToken, contentType = csvType, headers = {}, ...query } = upload;
	const asked = Object.entries(query).map(([name, value]) => `${name}=${value}`);
	return service.send('POST', `/api/employees/${path}?${asked.join('&')}`, { token, contentType, raw, headers });
}
const upload = (raw: Content, options: Upload = {}) => uploadTo('import', raw, options);
const importFile = async (raw: Content, options?: Upload) => expectStatus(await upload(raw, options), 201);
const checkFile = async (raw: Content, options?: Upload) =>
	expectStatus(await upload(raw, { ...options, dryRun: true }), 200);

const remove = async ({ id }: Body) => expectStatus(await service.asSuper('DELETE', `/api/employees/${id}`), 204);

/** Returns the problems of a file. They must be the same with and without a dry run: nothing is imported. */
async function problemsOf(raw: Content, options: Upload = {}): Promise<unknown[][]> {
	const before = service.everything();
	const dry = await checkFile(raw, options);
	const real = await upload(raw, options);
	expect(service.everything()).toEqual(before);
	expectRefusal(real, 400, `导入文件有 ${dry.problemTotal} 处问题`);
	expect(detailsOf(real)).toEqual(
		dry.problems.map(({ line, column, reason }: Body) => ({
			path: column === null ? `lines.${line}` : `lines.${line}.${column}`,
			message: reason,
		})),
	);
	return dry.problems.map(({ line, column, reason }: Body) => [line, column, reason]);
}

describe('a valid file', () => {
	test('creates everyone with their fields, roles, history and the initial password', async () => {
		const phones = [newPhone(), newPhone(), newPhone()] as const;
		const other = await service.addStore();
		const raw = csvOf([
			['备注', 'ROLES', 'phone', '门店', 'Name', '状态', '无关'],
			['早班', '店长、收银员', phones[0], storeName, ' 王芳 ', '启用', 'x'],
			['', 'cashier,cashier，kitchen', phones[1], String(other.id), '李伟', '停用', ''],
			['两\n行', '', phones[2], storeName, '张三', '', ''],
		]);
		const dry = await checkFile(raw);
		expect(dry).toMatchObject({ lines: 3, created: 3, problems: [], problemTotal: 0 });
		expect(service.rows('select id from employees')).toEqual([]);
		const result = await importFile(raw);
		expect(result).toMatchObject({ lines: 3, created: 3, problems: [], problemTotal: 0 });
		const { items } = await service.read('/api/employees');
		expect(items).toMatchObject([
			{ name: '王芳', phone: phones[0], storeId: store.id, status: 'ACTIVE', remark: '早班' },
			{ name: '李伟', phone: phones[1], storeId: other.id, status: 'INACTIVE', remark: null },
			{ name: '张三', phone: phones[2], storeId: store.id, status: 'ACTIVE', remark: '两\n行' },
		]);
		const codesOf = ({ roles }: Body) => roles.map(({ code }: Body) => code).join(' ');
		expect(items.map(codesOf)).toEqual(['store_manager cashier', 'cashier kitchen', '']);
		expectStatus(await service.signIn(phones[0]), 200);
		const data = await service.read('/api/history?action=EMPLOYEE_CREATE');
		const single = { storeId: store.id, name: '王芳', phone: newPhone(), remark: '早班', roleIds: [2, 3] };
		await service.asSuper('POST', '/api/employees', single);
		const [newest] = (await service.read('/api/history?action=EMPLOYEE_CREATE&pageSize=1')).items;
		const fieldsOf = ({ changes }: Body) => changes.filter(({ field }: Body) => field !== 'phone');
		expect(data.pagination.total).toBe(3);
		expect(fieldsOf(data.items[2])).toEqual(fieldsOf(newest));
	});

	test.each([
		['XLSX', 'libreoffice.xlsx', xlsxType],
		['GB18030', 'libreoffice-gb18030.csv', csvType],
	])('saved by LibreOffice as %s is imported and exported unchanged', async (_, name, contentType) => {
		await service.addStore({ name: '南京路店' });
		await importFile(readFileSync(join(import.meta.dir, 'fixtures', name)), { contentType });
		const rows = [
			heading,
			['王芳', '13800138001', storeName, '店长', '启用', '早班'],
			['李伟', '13800138002', storeName, '收银员、后厨', '禁用', '第一行\n第二行, "引号"'],
			// This line gave the store by id, the role by code, and no status.
			['欧阳娜娜', '13800138003', '南京路店', '收银员', '启用', ''],
		];
		expect(await exported('csv')).toEqual(rows);
		expect(await exported('xlsx')).toEqual(rows);
	});

	const text = csvOf([heading, ['王芳', '13800138000', storeName, '', '', '']]);
	/** 姓名,手机号,门店 and 王芳,13800138000,人民路店, each name as its bytes in GB18030. */
	const gb18030 = Buffer.concat([
		Buffer.from('d0d5c3fb2ccad6bbfabac52cc3c5b5ea0acdf5b7bc2c', 'hex'),
		Buffer.from('13800138000,'),
		Buffer.from('c8cbc3f1c2b7b5ea', 'hex'),
	]);
	const atTarget = (target: string, sheets = '<sheet name="x" r:id="rId7"/>') => {
		const chart = '<Relationship Id="rId2" Target="chartsheets/sheet1.xml"/>';
		const relations = `<Relationships>${chart}<Relationship Id="rId7" Target="${target}"/></Relationships>`;
		const workbook = `<workbook xmlns:r="r"><sheets>${sheets}</sheets></workbook>`;
		const more = { 'xl/_rels/workbook.xml.rels': relations, 'xl/workbook.xml': workbook };
		return xlsxOf({ 1: heading, 2: ['王芳', newPhone(), storeName] }, { more });
	};
	const withPrefixes = (workbook: Uint8Array) =>
		zipSync(
			Object.fromEntries(
				Object.entries(unzipSync(workbook)).map(([path, xml]) => {
					return [path, Buffer.from(new TextDecoder().decode(xml).replace(/<(\/?)/g, '<$1x:'))];
				}),
			),
		);
	const encodings: [what: string, raw: Content, contentType: string][] = [
		['UTF-8 with a byte order mark', `\uFEFF${text}`, csvType],
		['UTF-8 as its content type says', text, `${csvType}; charset=UTF-8`],
		['GB18030', gb18030, csvType],
		['GBK as its content type says', gb18030, `${csvType}; charset=gbk`],
		['tabs and bare line feeds', text.replaceAll(',', '\t').replaceAll('\r', ''), csvType],
		['a CSV file that Windows takes for one of Excel', text, excelType],
		['GBK that Windows takes for a file of Excel', gb18030, `${excelType}; charset=gbk`],
		['XLSX that Windows takes for an older file of Excel', atTarget('worksheets/sheet1.xml'), excelType],
		['XLSX with a prefix before each name', withPrefixes(atTarget('worksheets/sheet1.xml')), xlsxType],
		['XLSX with a path from its root', atTarget('/xl/worksheets/sheet1.xml'), xlsxType],
		['XLSX with a path that leads up', atTarget('../xl/./worksheets/sheet1.xml'), xlsxType],
		[
			'XLSX with a chart in front',
			atTarget('worksheets/sheet1.xml', '<sheet name="c" r:id="rId2"/><sheet name="x" r:id="rId7"/>'),
			xlsxType,
		],
		['headings that are marked as required', text.replace('姓名', ' 姓名 *').replace('手机号', '＊手机号'), csvType],
	];
	test.each(encodings)('is read in %s', async (_, raw, contentType) => {
		expect((await importFile(raw, { contentType })).created).toBe(1);
		expect(service.rows('select name from employees')).toEqual([{ name: '王芳' }]);
	});

	test('may have numbers, rich texts, shared texts, CDATA and hidden sheets in XLSX', async () => {
		const sheets = ['hidden" r:id="rId1', 'veryHidden" r:id="rId2', 'visible" r:id="rId7'].map(
			(state) => `<sheet name="x" state="${state}"/>`,
		);
		const workbook = `<workbook xmlns:r="r"><sheets>${sheets.join('')}</sheets></workbook>`;
		const rich = { type: 's', inside: '<v>0</v>' };
		const strings =
			'<sst><si><r><t>王</t></r><r><t><![CDATA[芳]]></t></r><rPh><t>pinyin</t></rPh></si><si><t>禁用</t></si></sst>';
		const file = xlsxOf(
			{
				3: [...heading.slice(0, 3), '工号', '备注', '状态', '角色'],
				4: [
					rich,
					{ inside: '<v>1.38001380E10</v>' },
					{ style: 3, inside: `<v>${store.id}</v>` },
					{ style: 4, inside: '<v>12</v>' },
					{ style: 5, inside: '<v>7</v>' },
					{ type: 's', inside: '<v>1</v>' },
					{ style: 3, inside: '' },
				],
			},
			{ more: { 'xl/sharedStrings.xml': strings, 'xl/workbook.xml': workbook } },
		);
		expect((await importFile(file, { contentType: xlsxType })).created).toBe(1);
		const [written] = service.rows('select * from employees');
		const [phone, external_id] = ['13800138000', '0012'];
		expect(written).toMatchObject({
			name: '王芳',
			phone,
			store_id: store.id,
			external_id,
			remark: '7',
			status: 'INACTIVE',
		});
	});
});

test('an import is logged when it begins, with the account, when it is planned, with its counts, and when it is done', async () => {
	const logged = () => service.logged.map((line) => JSON.parse(line)).filter(({ message }) => /import/.test(message));
	await upload(csvOf([heading, ['', newPhone(), storeName]]), { dryRun: true });
	const [begun, planned, ...others] = logged();
	expect(others).toEqual([expect.objectContaining({ message: 'import done', id: begun.id })]);
	expect(begun).toMatchObject({ level: 'info', message: 'import begins', account: 'SUPER_ADMIN:1' });
	expect(planned).toMatchObject({
		message: 'import planned',
		id: begun.id,
		account: 'SUPER_ADMIN:1',
		namedElsewhere: 0,
		lines: 1,
		created: 0,
		problemTotal: 1,
	});
});

describe('imports at the same time', () => {
	test('of the same people: one of them creates everyone, the others nobody', async () => {
		const answers = await Promise.all([upload(fileOfMany(50)), upload(fileOfMany(50)), upload(fileOfMany(50))]);
		expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400, 400]);
		expect(service.rows('select id from employees')).toHaveLength(50);
	});

	test('read two files at once, the next one when one ends; eight wait, and one more is refused with 503', async () => {
		const { read } = importReader;
		const ends: (() => void)[] = [];
		using reading = spyOn(importReader, 'read').mockImplementation(async (...asked) => {
			await new Promise<void>((end) => ends.push(end));
			return read(...asked);
		});
		const imports = Array.from({ length: 11 }, () => upload(fileOfMany(1), { dryRun: true }));
		const refused = await Promise.race(imports);
		expectRefusal(refused, 503);
		expect(refused.headers.get('retry-after')).toBe('5');
		for (let ended = 0; ended < 10; ended += 1) {
			while (reading.mock.calls.length < Math.min(ended + 2, 10)) await Bun.sleep(0);
			expect(ends).toHaveLength(Math.min(2, 10 - ended));
			ends.shift()?.();
		}
		const statuses = (await Promise.all(imports)).map(({ status }) => status);
		expect(statuses.toSorted()).toEqual([...Array(10).fill(200), 503]);
	});

	test('without the permission are refused before any of the file is read', async () => {
		const { token } = await service.addPerson(store.id);
		const headers = { authorization: `Bearer ${token}`, 'content-type': csvType };
		const { answer, asked } = heldPost(service, '/api/employees/import', headers, ['', fileOfMany(20)]);
		expect((await answer).status).toBe(403);
		expect(await Promise.race([asked, 'not asked'])).toBe('not asked');
	});
});

/** Downloads a file and checks its name and type. */
async function fileOf(path: string, name: string, token = service.superToken): Promise<Uint8Array> {
	const { status, headers, bytes } = await service.as(token, 'GET', `/api/employees/${path}`);
	expect([status, headers.get('content-disposition')]).toEqual([200, `attachment; filename="${name}"`]);
	expect(headers.get('content-type')).toStartWith(name.endsWith('.csv') ? csvType : xlsxType);
	return bytes;
}

const xmlOf = (workbook: Uint8Array) => new TextDecoder().decode(unzipSync(workbook)['xl/worksheets/sheet1.xml']);

const exportOf = (format: 'csv' | 'xlsx', token?: string, query = '') =>
	fileOf(`export?format=${format}${query}`, `employees.${format}`, token);

/** The rows of the server's export, with 编号 as the last column. */
async function exportedWithIds(format: 'csv' | 'xlsx', token?: string, query?: string): Promise<string[][]> {
	const bytes = await exportOf(format, token, query);
	return format === 'csv' ? papa.parse<string[]>(new TextDecoder().decode(bytes).trimEnd()).data : textsIn(bytes);
}

/** The same without the ids, which change when the employees are imported again. */
async function exported(...asked: Parameters<typeof exportedWithIds>): Promise<string[][]> {
	return (await exportedWithIds(...asked)).map((row) => row.slice(0, heading.length));
}

describe('the rules of a single new employee apply to each line', () => {
	const { body = {} } = endpointNamed('POST /api/employees');
	const fields = ['name', 'remark'] as const;

	test.each(fields)('in the same words: %s', async (field) => {
		const { good, bad } = body[field] as Field;
		// A file cannot hold empty or blank values or lone surrogates, and a `=` is a formula.
		const values = [...good, ...bad]
			.filter((value) => typeof value === 'string' && value.trim() !== '')
			.map(String)
			.filter((value) => value.isWellFormed());
		expect(values.length).toBeGreaterThan(10);
		const start = (text: string) => text.trim().slice(0, 20);
		const people = values.map((value) => ({ name: '某', remark: '', [field]: value }));
		const expected: Body[] = [];
		for (const person of people) {
			const body = { storeId: store.id, phone: newPhone(), ...person };
			const { status, body: answer } = await service.asSuper('POST', '/api/employees', body);
			if (status !== 201) expected.push([field, start(person[field]), answer.error.details[0].message]);
		}
		const rows = people.map(({ name, remark }) => [name, newPhone(), storeName, '', '', remark]);
		const { problems } = await checkFile(csvOf([heading, ...rows]));
		expect(problems.map(({ column, value, reason }: Body) => [column, start(value), reason])).toEqual(expected);
	});

	test('and each problem has its line and column', async () => {
		const holder = await service.addEmployee(store.id, [], { name: '老王' });
		const off = await service.addStore({ status: 'INACTIVE' });
		await service.asSuper('POST', '/api/roles', { code: 'one', name: '同名' });
		await service.asSuper('POST', '/api/roles', { code: 'two', name: '同名' });
		const [phone, twice] = [newPhone(), newPhone()];
		const raw = csvOf([
			heading,
			['', phone, storeName, '', '', ''],
			['某', '', '', '', '', ''],
			['某', holder.phone, storeName, '', '', ''],
			['某', twice, storeName, '', '', ''],
			['某', twice, '没有的店', '没有的角色', '在职', ''],
			['某', newPhone(), off.name, '同名', '', ''],
			['某', '1.38E+10', String(off.id), 'one、two', '', '=1+1'],
			['某', newPhone(), storeName, 'super_admin', '', ''],
		]);
		expect(await problemsOf(raw)).toEqual([
			[2, 'name', '必填'],
			[3, 'phone', '必填'],
			[3, 'store', '必填'],
			[4, 'phone', `手机号已存在：老王（${storeName}）`],
			[6, 'phone', '与第 5 行的手机号相同'],
			[6, 'store', '没有门店“没有的店”'],
			[6, 'roles', '角色不存在或已删除：没有的角色'],
			[6, 'status', '须为 启用 或 禁用'],
			[7, 'store', `门店“${off.name}”已禁用`],
			[7, 'roles', '有多个角色名为“同名”，请填写角色编码'],
			[8, 'phone', '电子表格把号码缩写成了 1.38E+10，请把这一列设为文本后重新填写'],
			[8, 'store', `门店“${off.name}”已禁用`],
			[8, 'remark', '单元格是公式，请复制后粘贴为数值'],
			[9, 'roles', '角色不存在或已删除：super_admin'],
		]);
	});

	test('a manager of one store imports there only, gives nothing that they lack, and learns nothing of other stores', async () => {
		const other = await service.addStore({ name: '别的店' });
		const stranger = await service.addEmployee(other.id);
		const neighbour = await service.addEmployee(store.id, [], { name: '邻居' });
		const { token } = await service.addPerson(store.id, 'employee:view:store', 'employee:manage');
		const raw = csvOf([
			heading,
			['某', newPhone(), '别的店', '', '', ''],
			['某', stranger.phone, storeName, 'admin', '', ''],
			['某', neighbour.phone, storeName, '店长', '', ''],
		]);
		expect((await problemsOf(raw, { token })).map(([, ...problem]) => problem)).toEqual([
			['store', '只能查看和管理您负责的门店的员工'],
			['phone', '手机号已存在'],
			['roles', expect.stringContaining('超出您可以授予的范围：您没有“查看门店”、')],
			['phone', `手机号已存在：邻居（${storeName}）`],
		]);
		const off = await service.addStore({ name: '关着的店', status: 'INACTIVE' });
		const words = ['别的店', '关着的店', '没有的店', String(other.id), String(off.id), '999999', '店'.repeat(500)];
		const stores = csvOf([heading, ...words.map((word) => ['某', newPhone(), word, '', '', ''])]);
		const reasons = (await problemsOf(stores, { token })).map(([, , reason]) => reason);
		expect(reasons).toEqual(words.map(() => '只能查看和管理您负责的门店的员工'));
	});

	test('a manager of one store learns of 20 phones in other stores from a file, not how many more', async () => {
		const other = await service.addStore();
		const strangers = await Promise.all(Array.from({ length: 25 }, () => service.addEmployee(other.id)));
		const { token } = await service.addPerson(store.id, 'employee:view:store', 'employee:manage');
		const fileOfPhones = (phones: string[]) => csvOf([heading, ...phones.map((phone) => ['某', phone, storeName])]);
		const taken = strangers.map(({ phone }) => phone);
		const countsIn = async (phones: string[]) => {
			const dry = await checkFile(fileOfPhones(phones), { token, mode: 'add' });
			return [dry.lines, dry.created, dry.problems.length, dry.problemTotal, dry.groups.length, dry.stores[0].count];
		};
		expect(await countsIn(taken)).toEqual([25, 5, 20, 20, 20, 5]);
		expect(await countsIn([...taken.slice(0, 20), newPhone()])).toEqual(await countsIn(taken.slice(0, 21)));
		expect((await problemsOf(fileOfPhones(taken))).map(([, , reason]) => reason)).toHaveLength(25);
		expectRefusal(await upload(fileOfPhones(taken), { token }), 400, '导入文件有 20 处问题');
		expect(service.logged.findLast((line) => line.includes('import planned'))).toContain('"namedElsewhere":20');
	});

	test('a cell is at most 4,096 characters long, and a CSV line not longer than the headings', async () => {
		const raw = csvOf([
			heading,
			['某', newPhone(), storeName, '', '', 'x'.repeat(4097)],
			['某', newPhone(), '店'.repeat(4097), '', '', ''],
			['某', newPhone(), '店'.repeat(401), `店长、${'角'.repeat(401)}`, '', ''],
			['某', newPhone(), storeName, '', '', '早班', '晚班'],
			['某', newPhone(), storeName, '', '', '早班', '', ' '],
		]);
		expect(await problemsOf(raw)).toEqual([
			[2, 'remark', '内容过长，最多 4096 个字符'],
			[3, 'store', '内容过长，最多 4096 个字符'],
			[4, 'store', `没有门店“${'店'.repeat(50)}…”`],
			[4, 'roles', expect.stringMatching(/^角色不存在或已删除：角{50}…$/)],
			[5, null, '单元格比标题多，含逗号的内容须加双引号'],
		]);
	});
});

describe('a unique value', () => {
	test.each([
		['employees', employeeColumns],
		['stores', storeColumns],
	])('is unique in files of %s, too', (table, columns) => {
		const indexed = service.rows(
			'select distinct info.name from pragma_index_list(?) list, pragma_index_info(list.name) info where list."unique"',
			table,
		);
		const names = indexed.map(({ name }) =>
			name.replace(/_(\w)/g, (_: string, letter: string) => letter.toUpperCase()),
		);
		expect(columnsWith(columns, 'unique').toSorted()).toEqual(['id', ...names].toSorted());
		const written = Object.keys(endpointNamed(`POST /api/${table}`).body ?? {});
		const columnOf = (field: string) => field.replace(/^(store|area|role)Id/, '$1');
		expect(Object.keys(columns).toSorted(), 'a column for each field of the body in oracle.ts').toEqual(
			['id', ...written.map(columnOf)].toSorted(),
		);
	});

	test.each([
		['employees', employeeColumns as SheetColumns, CreateEmployee.properties as Body],
		['stores', storeColumns, CreateStore.properties],
	])('the template of %s states the limits of the fields', (_, columns, fields) => {
		for (const [name, { explanation: [rule] = [''] }] of Object.entries(columns)) {
			const [, maximum] = /(\d+) 个字符/.exec(rule) ?? [];
			if (maximum) expect(fields[name].description, name).toMatch(` ${maximum} characters`);
		}
	});

	test.each([
		['employees', employeeLayout],
		['stores', storeLayout],
	])('files of %s may have any of the headings', (_, layout) => {
		const unread = Object.entries(layout.columns).flatMap(([column, { headings }]) =>
			headings.flatMap((heading) => {
				const cells = column === 'id' ? [heading] : ['编号', heading];
				const bytes = new TextEncoder().encode(csvOf([cells, cells.map(() => '1')]));
				const file = { mode: 'upsert', contentType: csvType, charset: undefined, bytes } as const;
				return readImportFile(layout, file).table.unreadColumns;
			}),
		);
		expect(unread).toEqual([]);
	});
});

describe('cells of XLSX that are not texts', () => {
	const good = (): XmlCell[] => ['某', newPhone(), storeName, '', '', ''];
	const formula = { type: 'str', inside: '<f>A1&amp;"x"</f><v>13800138000</v>' };
	const cases: [what: string, cell: XmlCell, reason: string][] = [
		['a formula', formula, '单元格是公式，请复制后粘贴为数值'],
		['a formula without a value', { inside: '<f>1+1</f>' }, '单元格是公式，请复制后粘贴为数值'],
		['an ISO date', { type: 'd', inside: '<v>2026-11-21</v>' }, '单元格是日期，请设为文本后重新填写'],
		['an error', { type: 'e', inside: '<v>#N/A</v>' }, '单元格是错误值，请重新填写'],
		['a fraction', { inside: '<v>0.5</v>' }, '请输入 11 位手机号'],
	];
	test.each(cases)('%s', async (_, cell, reason) => {
		const file = xlsxOf({ 1: heading, 2: good(), 3: good().with(1, cell) });
		expect(await problemsOf(file, { contentType: xlsxType })).toEqual([[3, 'phone', reason]]);
	});

	const builtIn = (first: number, last: number) =>
		Array.from({ length: last - first + 1 }, (_, index) => first + index);
	test.each([
		['dates', [...builtIn(14, 22), ...builtIn(27, 36), ...builtIn(45, 47), ...builtIn(50, 58)], 'cell_date'],
		['numbers', [0, 1, 9, 13, 23, 26, 37, 44, 48, 49, 59, 114, 141], 'wrong_format'],
		['dates', ['m/d', 'YYYY', 'D', 'h:mm', 'yyyy"年"', 's.00', '[$-804]yyyy'], 'cell_date'],
		['numbers', ['General', '0"days"', '0\\d', '0_d', '0*d', '[Red]0', '[mm]0'], 'wrong_format'],
	])('are shown as %s by the formats %j', async (_, formats, code) => {
		const custom = formats.map((format, index) => `<numFmt numFmtId="${200 + index}" formatCode='${format}'/>`);
		const ids = formats.map((format, index) => `<xf numFmtId="${typeof format === 'number' ? format : 200 + index}"/>`);
		const styles = `<x><numFmts>${custom.join('')}</numFmts><cellXfs>${ids.join('')}</cellXfs></x>`;
		const rows = formats.map((_, style) => ['某', { style, inside: '<v>45000</v>' }, storeName]);
		const file = xlsxOf(Object.fromEntries([heading, ...rows].map((row, line) => [line + 1, row])), {
			more: { 'xl/styles.xml': styles },
		});
		const { problems } = await checkFile(file, { contentType: xlsxType });
		expect(problems.map((problem: Body) => problem.code)).toEqual(formats.map(() => code));
	});

	const day = (value: number): XmlCell => ({ style: 1, inside: `<v>${value}</v>` });
	test.each([
		[day(45_000), 'cell_date', '2023-03-15'],
		[day(45_000.75), 'cell_date', '2023-03-15 18:00'],
		[day(0.75), 'cell_date', '0.75'],
		[day(1), 'cell_date', '1899-12-31'],
		[{ type: 'b', inside: '<v>1</v>' }, 'wrong_format', 'TRUE'],
		[{ type: 'b', inside: '<v>0</v>' }, 'wrong_format', 'FALSE'],
		['_xD800_', 'wrong_format', '\uFFFD'],
		[{ type: 'str', inside: '<f>A1</f><v>a_x0041_</v>' }, 'cell_formula', 'aA'],
	])('%j is %s, and is repeated as the sheet shows it: %s', async (cell, code, value) => {
		const file = xlsxOf({ 1: heading, 2: ['某', cell, storeName] });
		const { problems } = await checkFile(file, { contentType: xlsxType });
		expect(problems).toMatchObject([{ value, code }]);
	});

	test('cells without a reference follow the previous one; columns beyond the 256th are not there', async () => {
		const text = (inside: string, reference = '') => `<c ${reference} t="str"><v>${inside}</v></c>`;
		const head = ['姓名', '手机号', '门店'].map((word) => text(word)).join('');
		const far = text('末', 'r="IV2"') + text('外', 'r="IW2"');
		const rows = [text('名单'), head + far, text('某').repeat(4)].map((cells) => `<row>${cells}</row>`);
		// A title merged over the whole row.
		const sheet = `<x>${rows.join('')}<mergeCell ref="A1:XFD1"/></x>`;
		const file = xlsxOf({}, { more: { 'xl/worksheets/sheet1.xml': sheet } });
		const dry = await checkFile(file, { contentType: xlsxType });
		expect(dry).toMatchObject({ headingLine: 2, unreadColumns: ['D 列', '末'], lines: 1 });
		const { bytes } = await uploadTo('import/problems', file, { contentType: xlsxType });
		expect(xmlOf(bytes).match(/<col /g)).toHaveLength(257);
	});

	test('merged cells are reported where they are', async () => {
		const rows = { 1: heading, 2: good(), 3: good(), 6: good(), 9: [] };
		const file = xlsxOf(rows, { merged: ['A1:B1', 'C2:C3', 'J2:K3', 'J6'] });
		const merged = '有合并的单元格，请取消合并';
		expect(await problemsOf(file, { contentType: xlsxType })).toEqual([
			[2, 'store', merged],
			[3, 'store', merged],
		]);
		expect((await checkFile(file, { contentType: xlsxType })).unreadColumns).toEqual([]);
	});
});

describe('a file that cannot be read', () => {
	const notXlsx = '文件已损坏，或不是 XLSX 文件，请另存为 XLSX 文件后重试';
	const noLines = '第一个工作表中没有要导入的员工';
	const oldFormat = '是旧版 XLS 文件或加密的文件，请另存为不加密的 XLSX 文件';
	const oldXls = new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0]);
	const damaged = zipSync(unzipSync(xlsxOf({ 1: heading, 2: ['王芳', '13800138000', storeName] })), { level: 0 });
	damaged[Buffer.from(damaged).indexOf('13800138000')] = 0x32;
	const sheet = (xml: string) => xlsxOf({}, { more: { 'xl/worksheets/sheet1.xml': xml } });
	const latin1 = Buffer.from('<worksheet><row><c t="str"><v>\u00e9</v></c></row></worksheet>', 'latin1');
	const lost =
		'<workbook xmlns:r="r"><sheets><sheet name="lost" r:id="rId2"/><sheet name="x" r:id="rId7"/></sheets></workbook>';
	const badXlsx: [what: string, raw: Content, message?: string][] = [
		['a text as XLSX', 'hello'],
		['an empty XLSX', ''],
		['an XLSX file with a password', oldXls, oldFormat],
		['an XLSX file without its end', xlsxOf({ 1: heading }).subarray(0, -30)],
		['an XLSX file with a wrong checksum', damaged],
		['a reference beyond every sheet', sheet('<worksheet><row r="10000000"/></worksheet>')],
		['a merged reference that is none', xlsxOf({ 1: heading }, { merged: ['A:B'] })],
		['names that every object has', sheet('<__proto__><constructor __proto__="1"/><toString/></__proto__>'), noLines],
		['an XLSX file without its first sheet', xlsxOf({ 1: heading }, { more: { 'xl/workbook.xml': lost } })],
		['a ZIP archive of something else', zipSync({ 'a.txt': Buffer.from('x') })],
		['broken XML', sheet('<worksheet><sheetData>')],
		['XML that is not UTF-8', zipSync({ ...unzipSync(xlsxOf({})), 'xl/worksheets/sheet1.xml': latin1 })],
		['XML with a DTD', sheet('<!DOCTYPE x [<!ENTITY a "b">]><worksheet/>')],
	];
	const encodings = 'CSV 文件中有无法识别的文字，请另存为 XLSX 文件后重试';
	const lineTwo = 'CSV 文件第 2 行的双引号有误，请改正，或另存为 XLSX 文件后重试';
	const badCsv: [what: string, raw: Content, message: string][] = [
		['bytes that are no text', new Uint8Array([0xff, 0xfe, 0xff, 0x00]), encodings],
		['an open quote', `${csvOf([heading])}\r\n"x`, lineTwo],
		['text behind a quoted cell', `${csvOf([heading])}\r\n"x"y,z`, lineTwo],
		['an empty CSV', '', noLines],
		['headings only', csvOf([heading]), noLines],
		['no known heading', 'a,b\nc,d', '第一个工作表的前 10 行中没有完整的标题，缺少：姓名、手机号、门店'],
		['a missing heading', '姓名,门店\nc,d', '第一个工作表的前 10 行中没有完整的标题，缺少：手机号'],
		[
			'headings in row 11',
			`${'x\n'.repeat(10)}姓名,手机号,门店\nc,d,e`,
			'第一个工作表的前 10 行中没有完整的标题，缺少：姓名、手机号、门店',
		],
		['a heading twice', csvOf([[...heading, '手机号'], ['c']]), '标题“手机号”出现了多次'],
	];
	const unreadable: (readonly [what: string, raw: Content, contentType: string, message: string])[] = [
		...badXlsx.map(([what, raw, message = notXlsx]) => [what, raw, xlsxType, message] as const),
		...badCsv.map(([what, raw, message]) => [what, raw, csvType, message] as const),
		['an old XLS file', oldXls, excelType, oldFormat],
		[
			'a page of HTML as an XLS file',
			'\uFEFF\r\n<html><table><tr><td>姓名</td></tr></table></html>',
			csvType,
			oldFormat,
		],
		['another encoding', 'x', `${csvType}; charset=latin1`, encodings],
	];
	test.each(unreadable)('%s', async (_, raw, contentType, message) => {
		const before = service.everything();
		for (const dryRun of [true, false]) {
			expectRefusal(await upload(raw, { contentType, dryRun }), 400, message);
		}
		expect(service.everything()).toEqual(before);
	});

	const shared = { type: 's', inside: '<v>0</v>' };
	const sheetOf = (count: number, cells: (line: number) => XmlCell[]) =>
		Object.fromEntries(Array.from({ length: count }, (_, line) => [line + 1, cells(line)]));
	const withTexts = (rows: Record<number, XmlCell[]>, strings: string) =>
		xlsxOf(rows, { more: { 'xl/sharedStrings.xml': `<sst>${strings}</sst>` } });
	const manyShared: XmlCell[] = Array(26).fill(shared);
	const longText = `<si><t>${'x'.repeat(4000)}</t></si>`;
	const manyLines = '一次最多导入 5000 行';
	const unpacked = '文件内容过多，请只保留要导入的行后重试';
	const tooMany: [what: string, raw: () => Content, contentType: string, message: string][] = [
		['5,001 lines', () => fileOfMany(5001), csvType, manyLines],
		['more lines, of which the last is not read any more', () => `${fileOfMany(5010)}\r\n"x`, csvType, manyLines],
		[
			'more lines of XLSX, of which the last are not read any more',
			() =>
				withTexts(
					sheetOf(5300, (line) => (line < 5020 ? ['x'] : manyShared)),
					longText,
				),
			xlsxType,
			manyLines,
		],
		['a ZIP bomb', () => withTexts({}, ' '.repeat(26_000_000)), xlsxType, unpacked],
		[
			'a text that many cells share',
			() =>
				withTexts(
					sheetOf(260, () => manyShared),
					longText,
				),
			xlsxType,
			unpacked,
		],
		['257 columns', () => csvOf([heading, Array(257).fill('x')]), csvType, '一行最多 256 列'],
		['more than 8 MiB', () => 'x'.repeat(8 * 1_048_576 + 1), csvType, '内容不能超过 8 MB'],
	];
	test.each(tooMany)('%s', async (_, make, contentType, message) => {
		expectRefusal(await upload(make(), { contentType, dryRun: true }), 413, message);
	});

	test('only above the limit: 5,000 lines are read, and any number of empty ones', async () => {
		expect((await checkFile(`${fileOfMany(5000)}${'\r\n,,,,,'.repeat(30_000)}`)).lines).toBe(5000);
	});

	test.each(['application/json', 'text/plain', ''])('a body of content type %p', async (contentType) => {
		expectInvalid(await upload(csvOf([heading]), { contentType }), 'body');
	});
});

describe('an export', () => {
	test('has everyone of a long list, in its order', async () => {
		await importFile(fileOfMany(450));
		const phonesIn = async (query: string) =>
			(await exported('csv', undefined, query)).slice(1).map(([, phone]) => phone);
		const phones = newPeople(450).map(([, phone]) => phone);
		expect(await phonesIn('')).toEqual(phones);
		expect(await phonesIn('&order=desc')).toEqual(phones.toReversed());
	});

	test('names roles so that an import finds them again', async () => {
		const ambiguous = [
			await service.asSuper('POST', '/api/roles', { code: 'one', name: '同名' }),
			await service.asSuper('POST', '/api/roles', { code: 'two', name: '同名' }),
			await service.asSuper('POST', '/api/roles', { code: 'three', name: 'a、b' }),
			await service.asSuper('POST', '/api/roles', { code: 'four', name: 'cashier' }),
		].map((answer) => expectStatus(answer, 201).id);
		await service.addEmployee(store.id, [2, ...ambiguous]);
		const [, [, , , roles] = []] = await exported('csv');
		expect(roles).toBe('店长、one、two、three、four');
	});
});

test('the template is a workbook with the headings, ready to be filled in and imported', async () => {
	const bytes = await fileOf('import/template', 'employees.xlsx');
	expect(textsIn(bytes)).toEqual([[...heading, '工号']]);
	// The headings stay visible, and the rows begin right below them.
	expect(xmlOf(bytes)).toContain('<pane ySplit="1" topLeftCell="A2" ');
	expectRefusal(await upload(bytes, { contentType: xlsxType }), 400, '第一个工作表中没有要导入的员工');
});

describe('files as people write them', () => {
	const phones = [newPhone(), newPhone(), newPhone()] as const;
	const spaced = (phone: string) => `+86 ${phone.slice(0, 3)}-${phone.slice(3, 7)} ${phone.slice(7)}`;
	const rows = [
		['二〇二六年新员工，共 3 人', '', '', '', '', ''],
		[],
		['序号', '员工姓名*', '手 机（必填）', '所属门店：', '岗位', '备注说明'],
		['1', '王芳', spaced(phones[0]), storeName, '店长 收银员', ''],
		['', '', '', '', '', ''],
		['2', '李伟', ` ${spaced(phones[1])}`, ` ${storeName} `, '/后厨 / 收银员、', '早班, 晚班'],
		[],
		['3', '张三', phones[2], storeName, '', '早班, 晚班'],
	];
	const ways: [what: string, raw: Content, contentType: string][] = [
		['commas', csvOf(rows), csvType],
		['semicolons', csvOf(rows).replaceAll('","', '";"'), csvType],
		['tabs', csvOf(rows).replaceAll('","', '"\t"'), csvType],
		['XLSX', xlsxOf(Object.fromEntries(rows.map((row, index) => [index + 1, row]))), xlsxType],
	];
	test.each(ways)('have a title, other headings, empty lines, blanks in roles: %s', async (_, raw, contentType) => {
		const dry = await checkFile(raw, { contentType });
		expect(dry).toMatchObject({
			lines: 3,
			problemTotal: 0,
			headingLine: 3,
			unreadColumns: ['序号'],
			withoutRole: 1,
			stores: [{ id: store.id, name: storeName, count: 3 }],
			roles: [
				{ name: '店长', count: 1 },
				{ name: '收银员', count: 2 },
				{ name: '后厨', count: 1 },
			],
		});
		await importFile(raw, { contentType });
		expect(service.rows('select phone from employees order by id')).toEqual(phones.map((phone) => ({ phone })));
	});

	test.each([
		['semicolons in quotes', `手机号,备注\r\n${phones[0]},"早班;周一;周二;周三"\r\n`],
		['two columns by tabs', `编号\t备注\r\n1\t早班\r\n2\t晚班\r\n`],
		['a title, and two semicolons in each line', `员工表\r\n编号,备注\r\n${'1,a;b;c\r\n'.repeat(12)}`],
		['commas in each line of semicolons', '编号;备注\r\n1;"a,b"\r\n2;a,b\r\n'],
		['thousands of commas in a cell', `手机号;备注\r\n13800138000;${','.repeat(3000)}\r\n`],
		['commas in the lines of a cell', '编号\t备注\n1\t"早班,周一\n晚班,周二\n夜班,周三"\n'],
	])('are read with the separator of their columns: %s', async (_, raw) => {
		const { headingLine, unreadColumns } = await checkFile(raw, { mode: 'update' });
		expect([headingLine > 0, unreadColumns]).toEqual([true, []]);
	});

	test('are read with the separator of their columns: an addition to the only known heading', async () => {
		const { unreadColumns } = await checkFile('手机号（必填）;年龄\r\n13800138000;30\r\n', { mode: 'update' });
		expect(unreadColumns).toEqual(['年龄']);
		const unknown = await upload('"客户";"年龄"\r\n"王芳";"30"\r\n');
		expectRefusal(unknown, 400, '第一个工作表的前 10 行中没有完整的标题，缺少：姓名、手机号、门店');
	});

	test('a single word for ids does not make headings of a title or a remark', async () => {
		const titled = `编号：,F-12\r\n姓名,手机号,门店\r\n某,${newPhone()},${storeName}\r\n`;
		expect(await checkFile(titled, { mode: 'auto' })).toMatchObject({ mode: 'add', headingLine: 2, problemTotal: 0 });
		const remarked = await upload('手机号,备注\r\n13800138000,编号\r\n13900139000,早班\r\n', { mode: 'auto' });
		expectRefusal(remarked, 400, '第一个工作表的前 10 行中没有完整的标题，缺少：姓名、门店');
	});

	test('a role’s name may contain a separator of roles, and a column that is read wins over another one', async () => {
		expectStatus(await service.asSuper('POST', '/api/roles', { code: 'deputy', name: '店长 / 副店长' }), 201);
		const raw = csvOf([
			['联系电话', '手机号', '姓名', '店铺', '职务', '', '合计'],
			['021-12345678', newPhone(), '某', storeName, '店长 / 副店长', 'x', ''],
		]);
		const dry = await checkFile(raw);
		expect(dry).toMatchObject({ problemTotal: 0, unreadColumns: ['联系电话', 'F 列', '合计'] });
		expect(dry.roles).toMatchObject([{ name: '店长 / 副店长', count: 1 }]);
	});

	test('200 different problems are named, and all are counted', async () => {
		const lines = Array.from({ length: 201 }, (_, index) => ['某', `1380013${index}`, storeName]);
		const raw = csvOf([heading, ...lines]);
		const { problems, groups, problemTotal } = await checkFile(raw);
		const details = detailsOf(await upload(raw));
		expect([problems.length, groups.length, details.length, problemTotal]).toEqual([200, 200, 200, 201]);
	});

	test('a problem has the first 50 characters of a longer value', async () => {
		const values = ['早'.repeat(50), `${'早'.repeat(49)}👍👍`, '👍'.repeat(51)];
		const { problems } = await checkFile(csvOf([heading, ...values.map((value) => ['某', ` ${value}`, storeName])]));
		expect(problems.map(({ value }: Body) => value)).toEqual([
			values[0],
			`${'早'.repeat(49)}👍…`,
			`${'👍'.repeat(50)}…`,
		]);
	});

	test('a problem has the name and the value, and equal ones are one group with their lines', async () => {
		const off = await service.addStore({ name: '城西店', status: 'INACTIVE' });
		const people = (count: number) => Array.from({ length: count }, () => ['某', newPhone(), off.name, '', '', '']);
		const late = ['张三', newPhone(), off.name, '店长 没有的', '', ''];
		const [wrong, right] = [
			['王芳', '138 0013', storeName],
			['李伟', newPhone(), storeName],
		];
		const raw = csvOf([heading, wrong, ...people(300), right, late]);
		const dry = await checkFile(raw);
		const [phone] = dry.problems;
		const cell = { line: 2, column: 'phone', name: '王芳', value: '138 0013' };
		expect(phone).toEqual({ code: 'wrong_format', ...cell, reason: '请输入 11 位手机号' });
		expect([dry.problems.length, dry.problemTotal]).toEqual([200, 303]);
		const whole = { name: '某', value: '城西店', reason: '门店“城西店”已禁用', code: 'store_inactive', count: 301 };
		const { line: _, ...only } = phone;
		expect(dry.groups).toEqual([
			{ ...only, count: 1, lines: [{ first: 2, last: 2 }] },
			{
				column: 'store',
				...whole,
				lines: [
					{ first: 3, last: 302 },
					{ first: 304, last: 304 },
				],
			},
			{
				column: 'roles',
				name: '张三',
				value: '店长 没有的',
				reason: '角色不存在或已删除：没有的',
				code: 'role_not_found',
				count: 1,
				lines: [{ first: 304, last: 304 }],
			},
		]);
		expect(dry.stores).toEqual([{ id: store.id, name: storeName, count: 1 }]);
	});

	test('the problems are answered as the file with a column that names them, which can be corrected and sent again', async () => {
		const born = { style: 1, inside: '<v>45000</v>' };
		const noDay = { style: 1, inside: '<v>2958466</v>' };
		const wide = Array<string>(21).fill('');
		const file = xlsxOf({
			2: ['新员工'],
			3: ['手机', '姓名', '门店', '生日'],
			7: ['138 0013', '王芳', '没有的店', born],
			9: [newPhone(), '=李伟', storeName, noDay, ...wide, '尾_x0001__xFFFE_'],
		});
		const before = service.everything();
		const { status, headers, bytes: marked } = await uploadTo('import/problems', file, { contentType: xlsxType });
		expect([status, headers.get('content-type')]).toEqual([200, xlsxType]);
		expect(service.everything()).toEqual(before);
		const xml = xmlOf(marked);
		expect(Array.from(xml.matchAll(/<row r="(\d+)"/g), ([, line]) => line)).toEqual(['2', '3', '7', '9']);
		expect(xml).toContain('<c r="AA9" s="1" t="inlineStr"><is><t xml:space="preserve">尾��</t>');
		expect(xml).not.toContain('<f>');
		const problems = '手机号：请输入 11 位手机号；门店：没有门店“没有的店”';
		expect(textsIn(marked).map((row) => row.slice(0, 5))).toEqual([
			['', '新员工', '', '', ''],
			['问题', '手机', '姓名', '门店', '生日'],
			[problems, '138 0013', '王芳', '没有的店', '2023-03-15'],
			['', expect.any(String), '=李伟', storeName, '2958466'],
		]);
		const again = await checkFile(marked, { contentType: xlsxType });
		expect(again).toMatchObject({ problemTotal: 2, unreadColumns: ['问题', '生日', 'AA 列'] });
	});
});

describe('the lines that a query leaves out', () => {
	test('are not there: the others are imported, and the file with only these has their problems', async () => {
		const [first, third] = [newPhone(), newPhone()];
		const raw = csvOf([
			['分店花名册'],
			heading,
			['王芳', first, storeName],
			['李伟', '123', storeName],
			['张三', third, storeName],
			['王芳', first, storeName],
		]);
		expect((await upload(raw)).status).toBe(400);
		const dry = await checkFile(raw, { skip: '4,6' });
		expect(dry).toMatchObject({ lines: 2, created: 2, problemTotal: 0 });
		expectRefusal(await upload(raw, { skip: '4' }), 400, '导入文件有 1 处问题');
		expect(await importFile(raw, { skip: '4,6' })).toMatchObject({ created: 2 });
		const { items } = await service.read('/api/employees');
		expect(items.map(({ phone }: Body) => phone)).toEqual([first, third]);
		const { bytes } = await uploadTo('import/problems', raw, { only: '4,6' });
		expect(textsIn(bytes).map((row) => row.slice(0, 3))).toEqual([
			['', '分店花名册', ''],
			['问题', '姓名', '手机号'],
			['手机号：请输入 11 位手机号', '李伟', '123'],
			[`手机号：手机号已存在：王芳（${storeName}）`, '王芳', first],
		]);
		expectRefusal(await upload(raw, { skip: '3,4,5,6' }), 400, '第一个工作表中没有要导入的员工');
	});

	test('leave cells that are merged with others merged', async () => {
		const line = () => ['某', newPhone(), storeName];
		const file = xlsxOf({ 1: heading, 2: line(), 3: line() }, { merged: ['D2:D3'] });
		const dry = await uploadTo('import', file, { contentType: xlsxType, dryRun: true, skip: '2' });
		expect(expectStatus(dry, 200).problems).toMatchObject([{ line: 3, column: 'roles', code: 'cell_merged' }]);
	});
});

describe('a store that does not exist', () => {
	test.each([
		['南京东店', '南京路店'],
		['南京路', '南京路店'],
		['南京路路店', '南京路店'],
		['京南路店', '南京路店'],
		['南京北路分店', undefined],
		['南路', undefined],
		['中山店', undefined],
		['𠮷野家一店', '𠮷野家店'],
	])('%s is close to %p', (text, name) => {
		expect(closeNameFinder(['南京路店', '静安寺店', '中山东店', '中山西店', '𠮷野家店'])(text)).toBe(name as string);
	});

	test('is compared with a limited number of names, because other requests wait', () => {
		const names = Array.from({ length: 20_000 }, (_, index) => `人民路${index}店`);
		const find = closeNameFinder(names);
		const found = names.map((name) => find(name.replace('路', '街')));
		expect([found[0], found[14], found[15], found.at(-1)]).toEqual(['人民路0店', '人民路14店', undefined, undefined]);
		expect(find('人民街0店')).toBe('人民路0店');
	});

	test('is answered with the name that it is close to, unless that store is disabled', async () => {
		await service.addStore({ name: '静安寺店', status: 'INACTIVE' });
		const raw = csvOf([heading, ['王芳', newPhone(), '人民东店'], ['李伟', newPhone(), '静安店']]);
		expect((await problemsOf(raw)).map(([, , reason]) => reason)).toEqual([
			`没有门店“人民东店”，是不是“${storeName}”？`,
			'没有门店“静安店”',
		]);
		const { token } = await service.addPerson(store.id, 'employee:view:store', 'employee:manage');
		const beyond = Array<string>(2).fill('只能查看和管理您负责的门店的员工');
		expect((await problemsOf(raw, { token })).map(([, , reason]) => reason)).toEqual(beyond);
	});
});

describe('an import that updates', () => {
	const columnNames = ['name', 'phone', 'store', 'roles', 'status', 'remark', 'id'];
	const typeOf = { csv: csvType, xlsx: xlsxType };
	const fileOfRows = (rows: string[][], format: 'csv' | 'xlsx') =>
		format === 'csv' ? csvOf(rows) : xlsxOf(Object.fromEntries(rows.map((row, index) => [index + 1, row])));

	async function recordsOf(request: () => Promise<unknown>): Promise<Body[]> {
		const [{ last } = {}] = service.rows('select max(id) as last from history');
		await request();
		return service.rows('select * from history where id > ? order by id', last);
	}

	test('an export changes exactly what was edited in it; without an edit it changes and records nothing', async () => {
		const stores = [store, await service.addStore({ name: '南京路店' }), await service.addStore({ name: '关门店' })];
		const names = ['王芳', '+x', '-y', '@z', '=1+1', "'张三", '欧阳 娜娜', 'a,b', 'c"d', 'e;=f', '<&>', '_x0041_'];
		const remarks = ['第一行\n- 第二行', '=cmd', 'line\n=2', 'tab\t+3', '"', '；＝全角', null];
		for (const [index, name] of names.entries()) {
			const roleIds = [[], [2], [2, 3], [3, 4, 5]][index % 4];
			const remark = remarks[index % remarks.length] ?? null;
			await service.addEmployee(stores[index % 3]?.id, roleIds, { name, remark });
		}
		expect((await exported('xlsx')).slice(1).map(([name]) => name)).toEqual(names);
		for (const cell of (await exported('csv')).flat()) expect(cell).not.toMatch(/^[\s"]*[=+\-@]/);
		await service.asSuper('PATCH', `/api/stores/${stores[2]?.id}`, { status: 'INACTIVE' });
		/** The changes of a row, by column. Either all rows get the next row's phone, or none does. */
		const edit = fc.record(
			{
				0: fc.constantFrom('赵六', '+钱七', '孙 八'),
				2: fc.constantFrom(storeName, '南京路店'),
				3: fc.subarray(['店长', '收银员', '后厨']).map((roles) => roles.join('、')),
				4: fc.constantFrom('启用', '禁用'),
				5: fc.constantFrom('', '晚班', '多\n行'),
			},
			{ requiredKeys: [] },
		);
		const indexes = Array.from(names.keys());
		const file = fc.record({
			edits: fc.array(edit, { minLength: names.length, maxLength: names.length }),
			exchangesPhones: fc.boolean(),
			columns: fc.shuffledSubarray([0, 1, 2, 3, 4, 5]),
			lines: fc.shuffledSubarray(indexes, { minLength: 1 }),
			format: fc.constantFrom('csv' as const, 'xlsx' as const),
			mode: fc.constantFrom('upsert' as const, 'update' as const),
		});
		const property = fc.asyncProperty(file, async ({ edits, exchangesPhones, columns, lines, format, mode }) => {
			const options = { contentType: typeOf[format], mode };
			const whole = { csv: await exportOf('csv'), xlsx: await exportOf('xlsx') };
			const untouched = await recordsOf(async () => {
				const counts = { lines: names.length, created: 0, updated: 0, unchanged: names.length };
				for (const each of ['csv', 'xlsx'] as const) {
					const same = await importFile(whole[each], { contentType: typeOf[each], mode });
					expect(same).toMatchObject({ ...counts, changes: [], problemTotal: 0 });
				}
			});
			expect(untouched).toEqual([]);

			const [sheet, before] = [await exportedWithIds(format), await exportedWithIds('xlsx')];
			const sent = exchangesPhones ? indexes : lines;
			const edited = (rows: string[][]) =>
				rows.map((row, line) => {
					if (line === 0 || !sent.includes(line - 1)) return row;
					const phone = exchangesPhones ? rows[(line % names.length) + 1]?.[1] : row[1];
					const { 0: name, ...others }: Record<number, string | undefined> = edits[line - 1] ?? {};
					// No new name may equal another employee's old name.
					const cells = { ...others, 0: name && `${name}${line}`, 1: phone } as Record<number, string | undefined>;
					return row.map((cell, column) => (columns.includes(column) ? (cells[column] ?? cell) : cell));
				});
			const wanted = edited(before);
			const changes = wanted.flatMap((row, line) =>
				row.flatMap((cell, column) => {
					const [id, was] = [Number(row[6]), before[line]?.[column]];
					return cell === was ? [] : { id, column: columnNames[column], before: was || null, after: cell || null };
				}),
			);
			const table = [edited(sheet)[0] ?? [], ...sent.map((index) => edited(sheet)[index + 1] ?? [])];
			const raw = fileOfRows(
				table.map((row) => [6, ...columns].map((column) => row[column] ?? '')),
				format,
			);
			const dry = await checkFile(raw, options);
			expect(await exportedWithIds('xlsx')).toEqual(before);
			const records = await recordsOf(async () => {
				const { groupId: _, ...result } = await importFile(raw, options);
				expect(result).toEqual(dry);
			});
			expect(await exportedWithIds('xlsx')).toEqual(wanted);
			const answered = dry.changes.map(({ line: _, name: __, ...change }: Body) => change);
			const order = (a: Body, b: Body) => a.id - b.id || a.column.localeCompare(b.column);
			expect(answered.toSorted(order)).toEqual(changes.toSorted(order));
			const touched = new Set(changes.map(({ id }) => id));
			expect(dry).toMatchObject({ created: 0, updated: touched.size, unchanged: sent.length - touched.size });
			// One record per employee, in one group that begins with a record for all.
			const ofPeople = records.filter(({ action }) => action === 'EMPLOYEE_UPDATE');
			expect(ofPeople.map(({ target_id }) => target_id).toSorted()).toEqual(Array.from(touched).toSorted());
			expect(records.length - ofPeople.length).toBe(touched.size > 1 ? 1 : 0);
			expect(records.slice(1).every(({ group_id }) => group_id === records[0]?.id)).toBe(true);
		});
		await fc.assert(property, { numRuns: 5 });
	});

	test('can give somebody the number that people who exchange their phones have meanwhile', async () => {
		const people = await Promise.all([1, 2, 3].map(() => service.addEmployee(store.id)));
		const phones = ['19999999999', people[2]?.phone, people[1]?.phone];
		const lines = people.map(({ id }, index) => `${id},${phones[index]}`);
		await service.addEmployee(store.id, [], { name: '张三', externalId: people[1]?.phone });
		const numbered = [
			'编号,手机号,工号',
			`${lines[0]},${people[1]?.phone}`,
			...lines.slice(1).map((line) => `${line},`),
		];
		const taken = `工号已存在：张三（${storeName}）`;
		expect(await problemsOf(numbered.join('\n'), { mode: 'update' })).toEqual([[2, 'externalId', taken]]);
		const answer = await service.importCsv('employees/import?mode=update', ['编号,手机号', ...lines]);
		expect(expectStatus(answer, 201)).toMatchObject({ updated: 3 });
	});

	test('finds people by their phones, adds the others, and leaves alone what has no column or an empty cell', async () => {
		const wang = await service.addEmployee(store.id, [2], { name: '王芳', remark: '早班' });
		const li = await service.addEmployee(store.id, [3], { name: '李伟', remark: '早班' });
		const fresh = newPhone();
		const rows = [
			['手机号', '姓名', '备注', '门店', '状态'],
			[showPhone(wang.phone), '', '', '', ''],
			[li.phone, '李维', '早班', String(store.id), '禁用'],
			[fresh, '张三', '', storeName, ''],
		];
		const counts = { lines: 3, created: 1, updated: 2, unchanged: 0, problemTotal: 0, losingRoles: 0 };
		const dry = await checkFile(csvOf(rows), { mode: 'upsert' });
		expect(dry).toMatchObject({ ...counts, stores: [{ id: store.id, count: 1 }], withoutRole: 1 });
		const found = await problemsOf(csvOf(rows), { mode: 'update' });
		expect(found).toEqual([[4, 'phone', '没有使用这个手机号的员工']]);
		expect(await importFile(csvOf(rows), { mode: 'upsert' })).toMatchObject(counts);
		// The import before it is no group of one that changes nothing.
		expect(await importFile(csvOf(rows), { mode: 'upsert' })).not.toHaveProperty('groupId');
		const { items } = await service.read('/api/employees');
		expect(items).toMatchObject([
			{ name: '王芳', remark: null, status: 'ACTIVE', roles: [{ id: 2 }] },
			{ name: '李维', remark: '早班', status: 'INACTIVE', roles: [{ id: 3 }] },
			{ name: '张三', phone: fresh, status: 'ACTIVE', roles: [] },
		]);
		const [newest] = (await service.read('/api/history?grouped=true')).items;
		const recorded = Object.entries({ created: 1, updated: 2 });
		const changes = recorded.map(([field, after]) => ({ field, before: null, after }));
		expect(newest).toMatchObject({ action: 'EMPLOYEE_IMPORT', group: { size: 4 }, changes });
		// A new name or a new phone is a correction. Both together may be another person, and the answer says so.
		const typed = [`${wang.id},王方,`, `${li.id},李维,${newPhone()}`, `${items[2].id},新来的,${newPhone()}`];
		const corrected = await checkFile(['编号,姓名,手机号', ...typed].join('\n'), { mode: 'update' });
		expect(corrected).toMatchObject({ updated: 3, replaced: 1 });
		// An empty roles cell removes all roles, and the answer says so.
		const lines = [`${wang.id},,`, `${li.id},,收银员、店长`, `${items[2].id},张山,`];
		const last = await importFile(['编号,姓名,角色', ...lines].join('\n'), { mode: 'update' });
		expect(last).toMatchObject({ updated: 3, losingRoles: 1, changeTotal: 3 });
		expect(last.changes.slice(0, 2)).toEqual([
			{ line: 2, id: wang.id, name: '王芳', column: 'roles', before: '店长', after: null },
			{ line: 3, id: li.id, name: '李维', column: 'roles', before: '收银员', after: '店长、收银员' },
		]);
	});

	test('with mode=auto does what the headings say: a file with ids changes people', async () => {
		const wang = await service.addEmployee(store.id, [2], { name: '王芳' });
		const rows = (...first: string[]) => csvOf([['名单'], [...first.slice(0, 1), '姓名', '手机号', '门店'], ...lines]);
		const lines = [[String(wang.id), '王芳芳', wang.phone, storeName]];
		const dry = (raw: Content) => checkFile(raw, { mode: 'auto' });
		expect(await dry(rows('编号'))).toMatchObject({ mode: 'upsert', created: 0, updated: 1, problemTotal: 0 });
		expect(await dry(rows('工号'))).toMatchObject({ mode: 'add', problemTotal: 1 });
		const remark = csvOf([heading, ['李伟', newPhone(), storeName, '', '', '编号']]);
		expect(await dry(remark)).toMatchObject({ mode: 'add', created: 1 });
		const { bytes } = await uploadTo('import/problems', rows('编号'), { mode: 'auto' });
		expect(textsIn(bytes)[1]).toEqual(['3', String(wang.id), '王芳', '姓名', '王芳', '王芳芳']);
	});

	test('gives the reason for each line that it refuses', async () => {
		const off = await service.addStore({ name: '关门店' });
		const add = (name: string, at = store.id) => service.addEmployee(at, [], { name });
		const [wang, li, zhao, qian] = [await add('王芳'), await add('李伟'), await add('赵六', off.id), await add('钱七')];
		const [wu, zheng, feng] = [await add('吴十'), await add('郑丁'), await add('冯戊')];
		const twins = [await add('卫辛'), await add('卫辛')];
		await service.asSuper('PATCH', `/api/stores/${off.id}`, { status: 'INACTIVE' });
		await service.asSuper('PATCH', `/api/employees/${qian.id}`, { externalId: 'Q-1' });
		await service.addEmployee(store.id, [], { name: '孙八', externalId: 'S-1' });
		const chen = await service.addEmployee(store.id, [], { name: '陈己', externalId: 'S-2' });
		await service.addEmployee(store.id, [], { name: '褚庚', externalId: 'S-3' });
		const row = ({ id, phone }: Body, name: string, at = '', roles = '店长', externalId = '') => {
			return [name, phone, at, roles, String(id), externalId];
		};
		const raw = csvOf([
			['姓名', '手机号', '门店', '角色', '编号', '工号'],
			row({ id: 999, phone: newPhone() }, '某'),
			row({ id: 'A1', phone: newPhone() }, '某'),
			row({ id: wang.id, phone: '' }, '', '关门店'),
			row({ id: '', phone: wang.phone }, '王芳'),
			row({ id: wang.id, phone: '' }, '王芳'),
			row({ id: li.id, phone: qian.phone }, '钱七', '', '店长', 'Q-1'),
			row({ id: zhao.id, phone: qian.phone }, '赵六', '关门店', '没有'),
			row({ id: '', phone: newPhone() }, ''),
			row({ id: '', phone: '' }, '某'),
			row({ id: qian.id, phone: '' }, '', '', '', 'S-1'),
			...[1, 2].map(() => row({ id: '', phone: newPhone() }, '周九', storeName, '', 'N-1')),
			row({ id: wu.id, phone: '' }, ''),
			row({ id: `00${zheng.id}`, phone: wu.phone }, ''),
			row({ id: feng.id, phone: '' }, '陈己', '', '', 'S-2'),
			row({ id: '', phone: chen.phone }, '褚庚', '', '', 'S-3'),
			row({ id: twins[0]?.id, phone: twins[1]?.phone }, '卫辛'),
			row({ id: '1'.repeat(16), phone: newPhone() }, '某'),
		]);
		expect(await problemsOf(raw, { mode: 'upsert' })).toEqual([
			[2, 'id', '没有编号为 999 的员工'],
			[3, 'id', '须为导出文件中的编号'],
			[4, 'store', '门店“关门店”已禁用'],
			[5, 'phone', '与第 4 行是同一员工'],
			[6, 'id', '与第 4 行的编号相同'],
			[7, 'id', `编号 ${li.id} 是李伟，与姓名和手机号不符`],
			[8, 'phone', '与第 7 行的手机号相同'],
			[8, 'roles', '角色不存在或已删除：没有'],
			[9, 'name', '必填'],
			[9, 'store', '必填'],
			[10, 'phone', '必填'],
			[10, 'store', '必填'],
			[11, 'externalId', `工号已存在：孙八（${store.name}）`],
			[13, 'externalId', '与第 12 行的工号相同'],
			[15, 'phone', `手机号已存在：吴十（${storeName}）`],
			[16, 'id', `编号 ${feng.id} 是冯戊，与姓名和工号不符`],
			[17, 'externalId', `工号已存在：褚庚（${store.name}）`],
			[18, 'phone', `手机号已存在：卫辛（${store.name}）`],
			[19, 'id', '须为导出文件中的编号'],
		]);
		const noKey = await upload(csvOf([['姓名', '门店'], ['某']]), { mode: 'update' });
		expectRefusal(noKey, 400, '第一个工作表的前 10 行中没有完整的标题，缺少：手机号');
	});

	test('no caller changes people with more rights, gives rights that they lack, or learns of other stores', async () => {
		const other = await service.addStore({ name: '别的店' });
		const stranger = await service.addEmployee(other.id, [], { name: '远' });
		const boss = await service.addEmployee(store.id, [1], { name: '老板' });
		const near = await service.addEmployee(store.id, [3], { name: '近' });
		const { token, id } = await service.addPerson(store.id, 'employee:view:store', 'employee:manage', 'store:view');
		const same = await importFile(await exportOf('csv', token), { token, mode: 'upsert' });
		expect(same).toMatchObject({ lines: 3, unchanged: 3, updated: 0 });
		const raw = csvOf([
			['姓名', '手机号', '门店', '角色', '编号'],
			['老板娘', boss.phone, '', 'admin', ''],
			['近', near.phone, '', '收银员、admin', ''],
			['远', stranger.phone, storeName, '', ''],
			['远', newPhone(), storeName, '', String(stranger.id)],
			['我', stranger.phone, '', '', String(id)],
			['', '', '别的店', '', ''],
		]);
		const problems = (mode: 'upsert' | 'update') => problemsOf(raw, { token, mode });
		const ofRest = [
			[6, 'phone', '与第 4 行的手机号相同'],
			[7, 'phone', '必填'],
		];
		const upward = [
			[2, null, expect.stringContaining('不能操作该员工：您没有“管理门店”、')],
			[3, 'roles', expect.stringContaining('超出您可以授予的范围：您没有“管理门店”、')],
		];
		const far = [5, 'id', '只能查看和管理您负责的门店的员工'];
		const unknown = [4, 'phone', '没有使用这个手机号的员工'];
		expect(await problems('update')).toEqual([...upward, unknown, far, ...ofRest]);
		const inUse = [4, 'phone', '手机号已存在'];
		expect((await problems('upsert')).slice(0, 4)).toEqual([...upward, inUse, far]);
	});

	test('finds no deleted employee, neither by id nor by phone', async () => {
		const gone = await service.addEmployee(store.id, [3], { name: '王芳' });
		await remove(gone);
		const heir = await service.addEmployee(store.id, [3], { name: '李伟', phone: gone.phone });
		const byId = `编号,姓名,角色\n${gone.id},某,店长`;
		for (const mode of ['upsert', 'update'] as const) {
			const reason = `没有编号为 ${gone.id} 的员工`;
			expect(await problemsOf(byId, { mode })).toEqual([[2, 'id', reason]]);
		}
		const { changes } = await importFile(`手机号,姓名\n${gone.phone},李维`, { mode: 'update' });
		expect(changes).toMatchObject([{ id: heir.id, before: '李伟', after: '李维' }]);
	});

	test('answers 500 changes and counts all of them; the file has all', async () => {
		await importFile(fileOfMany(550));
		const raw = csvOf([['手机号', '备注'], ...newPeople(550).map(([, phone = '']) => [phone, '早班'])]);
		const dry = await checkFile(raw, { mode: 'update' });
		expect([dry.changes.length, dry.changeTotal, dry.updated]).toEqual([500, 550, 550]);
		const { bytes } = await uploadTo('import/problems', raw, { mode: 'update' });
		const [titles, first, ...others] = textsIn(bytes);
		expect(titles).toEqual(['行', '编号', '员工', '列', '修改前', '修改后']);
		expect(first).toEqual(['2', '1', '某', '备注', '', '早班']);
		expect(others).toHaveLength(549);
	});
});

describe('an import with the tag of a dry run', () => {
	const phones = [newPhone(), newPhone(), newPhone()] as const;
	const raw = csvOf([
		['姓名', '手机号', '门店', '备注'],
		['王芳', phones[0], storeName, '晚班'],
		['李伟', phones[1], storeName, ''],
		['张三', phones[2], storeName, ''],
	]);
	const query = { mode: 'upsert' } as const;
	const addPeople = async () => [
		await service.addEmployee(store.id, [], { name: '王芳', phone: phones[0], remark: '早班' }),
		await service.addEmployee(store.id, [], { name: '李伟', phone: phones[1] }),
	];
	/** The headers of an import that expects what a dry run plans now. */
	async function expecting(file: string) {
		const { headers } = await upload(file, { ...query, dryRun: true });
		return { 'if-match': headers.get('etag') ?? '' };
	}
	const change = (id: number, body: Body) => service.asSuper('PATCH', `/api/employees/${id}`, body);
	const meanwhile: [what: string, act: (wang: number, li: number) => Promise<unknown>, status: 201 | 400 | 412][] = [
		['nothing happens', async () => undefined, 201],
		['a colleague changes what the file leaves as it is', (wang) => change(wang, { externalId: 'W-1' }), 201],
		['a colleague changes what the file replaces', (wang) => change(wang, { remark: '夜班' }), 412],
		['a colleague changes what the file had as it was', (_, li) => change(li, { name: '李维' }), 412],
		['a colleague deletes a person of the file', (_, id) => remove({ id }), 412],
		['a colleague adds a person of the file', () => service.addEmployee(store.id, [], { phone: phones[2] }), 412],
		['the store is disabled', () => service.asSuper('PATCH', `/api/stores/${store.id}`, { status: 'INACTIVE' }), 400],
	];
	test.each(meanwhile)('does what was planned or nothing, when %s', async (_, act, status) => {
		const [wang, li] = await addPeople();
		const headers = await expecting(raw);
		await act(wang?.id, li?.id);
		const before = service.everything();
		const answer = await upload(raw, { ...query, headers });
		expect(answer.status).toBe(status);
		if (status !== 201) expect(service.everything()).toEqual(before);
		if (status !== 412) return;
		expectRefusal(answer, 412, '内容已被他人修改');
		expect(detailsOf(answer)).toEqual([{ message: '检查之后有其他修改，请重新检查' }]);
		await importFile(raw, { ...query, headers: await expecting(raw) });
	});

	test('takes no other file; lines to skip and people to restore are chosen after the dry run', async () => {
		const [wang] = await addPeople();
		await remove(wang);
		const file = `${raw}\r\n某,1,,`;
		const options = { ...query, skip: '5', headers: await expecting(file) };
		expectRefusal(await upload(file.replace('张三', '张四'), options), 412);
		expect(await importFile(file, { ...options, restore: wang?.id })).toMatchObject({ created: 1, restored: 1 });
	});
});

describe('a line with the number of somebody who was deleted', () => {
	const phone = '13755555555';
	/** Adds an employee and deletes them. */
	async function addFormer(roleIds: number[] = [], fields: Body = {}): Promise<Body> {
		const former = await service.addEmployee(store.id, roleIds, { name: '林超', phone, ...fields });
		await remove(former);
		return former;
	}

	/** A deleted employee, and a file with their number. */
	async function fileWithFormer() {
		const former = await addFormer([3], { remark: '夜班' });
		const lines = [
			['林小超', phone, storeName, '店长'],
			['新人', newPhone(), storeName, ''],
		];
		return { former, raw: csvOf([heading.slice(0, 4), ...lines]) };
	}

	test('names the deleted person, and adds somebody new unless asked to restore them', async () => {
		const { former, raw } = await fileWithFormer();
		const named = { line: 2, id: former.id, name: '林超', storeName, leavesOn: null, deletedAt: expect.any(String) };
		const dry = await checkFile(raw);
		expect(dry).toMatchObject({ created: 2, restored: 0, former: [{ ...named, isRestored: false }] });
		const other = await service.addStore();
		const { token } = await service.addPerson(other.id, 'employee:manage', 'employee:view:store');
		const elsewhere = csvOf([heading.slice(0, 3), ['某人', phone, other.name]]);
		expect((await checkFile(elsewhere, { token })).former).toEqual([]);
		// Nobody decides about a line that is not imported.
		expect((await checkFile(raw.replace(storeName, '没有的店'))).former).toEqual([]);
		expect(await importFile(raw, { restore: former.id + 900 })).toMatchObject({ created: 2, restored: 0 });
		expect((await service.asSuper('GET', `/api/employees/${former.id}`)).status).toBe(404);
	});

	test('names the one who was deleted last, whoever was hired first', async () => {
		const first = await addFormer();
		service.tick();
		await addFormer();
		expectStatus(await service.asSuper('POST', `/api/employees/${first.id}/restore`), 200);
		service.tick();
		await remove(first);
		const { former } = await checkFile(csvOf([heading.slice(0, 3), ['林超', phone, storeName]]));
		expect(former).toMatchObject([{ id: first.id }]);
	});

	test.each([
		['their own', null, ['新人']],
		['one for one time', '2999-12-31T00:00:00.000Z', ['林小超', '新人']],
	])('with %s as the password gives a new one unless it is theirs', async (_, expiry, given) => {
		const { former, raw } = await fileWithFormer();
		const change = 'update employees set password_is_initial = 0, password_expires_at = ? where id = ?';
		service.alter((database) => database.run(change, [expiry, former.id]));
		const { passwords } = await importFile(raw, { restore: former.id, passwords: 'one-time' });
		expect(passwords.map(({ name }: Body) => name)).toEqual(given);
	});

	test('brings them back as the line says, with one group that is undone', async () => {
		const { former, raw } = await fileWithFormer();
		const query = { restore: former.id, passwords: 'one-time' } as const;
		const dry = await checkFile(raw, query);
		expect(dry).toMatchObject({ created: 1, restored: 1, former: [{ id: former.id, isRestored: true }] });
		const { groupId, passwords, restored } = await importFile(raw, query);
		expect([restored, passwords.map(({ name }: Body) => name)]).toEqual([1, ['林小超', '新人']]);
		const back = await service.read(`/api/employees/${former.id}`);
		const kept = { phone, status: 'ACTIVE', remark: '夜班', roles: [{ code: 'store_manager' }] };
		expect(back).toMatchObject({ name: '林小超', ...kept });
		const [record] = (await service.read('/api/history?grouped=true')).items;
		const group = { id: groupId, size: 3, undoUntil: expect.any(String) };
		const counts = Object.entries({ created: 1, updated: 0, restored: 1 });
		const changes = counts.map(([field, after]) => ({ field, before: null, after }));
		expect(record).toMatchObject({ action: 'EMPLOYEE_IMPORT', group, changes });
		service.tick();
		const undone = await service.undo(groupId);
		expect(expectStatus(undone, 200).changed).toBe(2);
		expect((await service.asSuper('GET', `/api/employees/${former.id}`)).status).toBe(404);
		const [undoing] = (await service.read('/api/history?grouped=true')).items;
		expect(undoing.changes).toEqual(changes);
	});

	test('keeps their external id where its cell is empty, unless another person has it', async () => {
		const column = [...heading.slice(0, 3), '工号'];
		const former = await addFormer([], { externalId: 'X1' });
		const load = (externalId: string, path = 'import') => {
			const fellow = ['新人', newPhone(), storeName, externalId];
			return uploadTo(path, csvOf([column, ['林超', phone, storeName, ''], fellow]), { restore: former.id });
		};
		const other = await service.addEmployee(store.id, [], { externalId: 'X1' });
		expect(detailsOf(await load('X2'))).toMatchObject([{ path: 'lines.2.externalId' }]);
		await service.asSuper('DELETE', `/api/employees/${other.id}`);
		expect(detailsOf(await load('X1'))).toMatchObject([{ path: 'lines.2.externalId' }]);
		const { bytes } = await load('X1', 'import/problems');
		expect(textsIn(bytes).map(([problem]) => problem)).toEqual(['问题', '工号：工号已存在', '']);
		expect(expectStatus(await load('X2'), 201)).toMatchObject({ created: 1, restored: 1 });
		const found = await service.read(`/api/employees/${former.id}?include=externalId`);
		expect(found).toMatchObject({ name: '林超', status: 'ACTIVE', externalId: 'X1' });
	});

	test('gets the former roles back without a column of roles, and a former role always ends when it did', async () => {
		const former = await service.addEmployee(store.id, [3], { name: '林超', phone });
		const body = { roleId: 4, until: '2999-12-31' };
		expectStatus(await service.asSuper('POST', `/api/employees/${former.id}/roles`, body), 200);
		for (const [roles, held] of [
			[[], [3, 4]],
			[['后厨'], [4]],
		] as const) {
			await remove(former);
			const raw = csvOf([heading.slice(0, 3 + roles.length), ['林超', phone, storeName, ...roles]]);
			const dry = await checkFile(raw, { restore: former.id });
			expect(dry.roles.map(({ id }: Body) => id)).toEqual(held);
			await importFile(raw, { restore: former.id });
			expect(await service.read(`/api/employees/${former.id}?include=activity`)).toMatchObject({
				roles: held.map((id) => ({ id })),
				roleEnds: [body],
			});
		}
	});

	test('comes back with an external id that nobody else of the file has; the history offers the undo once', async () => {
		const withDigit = (digit: number) => addFormer([], { phone: `1375555555${digit}`, externalId: 'P-1' });
		const people = [await withDigit(5), await withDigit(6)];
		const raw = csvOf([heading.slice(0, 3), ...people.map(({ name, phone }) => [name, phone, storeName])]);
		const query = { restore: people.map(({ id }) => id) };
		const { problems } = await checkFile(raw, query);
		expect(problems).toMatchObject([{ line: 3, column: 'externalId' }]);
		const refused = await upload(raw, query);
		expectRefusal(refused, 400);
		expect(detailsOf(refused)).toMatchObject([{ path: 'lines.3.externalId' }]);
		const numbered = people.map(({ name, phone }, index) => [name, phone, storeName, `P-${index}`]);
		const withTheirs = csvOf([[...heading.slice(0, 3), '工号'], ...numbered]);
		const { groupId } = await importFile(withTheirs, query);
		const offered = async () =>
			(await service.read('/api/history?grouped=true')).items.find(({ group }: Body) => group.id === groupId).group
				.undoUntil;
		expect(await offered()).toEqual(expect.any(String));
		expectStatus(await service.undo(groupId), 200);
		expect(await offered()).toBeNull();
	});

	test('is refused as for somebody new: nobody gives more than they have', async () => {
		const former = await addFormer();
		const { token } = await service.addPerson(store.id, 'employee:manage', 'employee:view:store');
		const raw = csvOf([heading.slice(0, 4), ['林超', phone, storeName, 'admin']]);
		const before = service.everything();
		expectRefusal(await upload(raw, { token, restore: former.id }), 400);
		expect(service.everything()).toEqual(before);
	});
});

test('a large change leaves the copying of the log to a later turn, behind waiting requests', async () => {
	const path = join(newFolder(), 'access.db');
	using db = openDatabase(path);
	db.$client.run('create table large (bytes)');
	const sizes: number[] = [];
	jest.useFakeTimers();
	for (let round = 0; round < 3; round += 1) {
		largeTransaction(db, () => db.$client.run('insert into large select randomblob(4500000)'));
		await Bun.file(path).slice(0, 1).bytes();
		expect(pagesToCopy(db)).toBeGreaterThan(1000);
		jest.runAllTimers();
		expect(pagesToCopy(db)).toBe(0);
		sizes.push(statSync(`${path}-wal`).size);
		expect(db.$client.query('pragma wal_autocheckpoint').values()).toEqual([[1000]]);
	}
	jest.useRealTimers();
	expect(sizes[2]).toBeLessThan(2 * (sizes[0] ?? 0));
});

function pagesToCopy({ $client }: Db): number {
	const [[, logged, copied] = []] = $client.query('pragma wal_checkpoint(noop)').values();
	return Number(logged) - Number(copied);
}
