/** Importing and exporting stores. */
import { expect, test } from 'bun:test';
import papa from 'papaparse';
import { expectRefusal, expectStatus, Service } from './harness.ts';
import type { Body } from './http.ts';
import { csvType, xlsxType } from './oracle.ts';
import { csvOf, textsIn } from './spreadsheets.ts';

const heading = ['编号', '门店名称', '地址', '电话', '状态'];

const service = await Service.start();
service.restoreBeforeEachTest();

type Format = 'csv' | 'xlsx';

async function exported(format: Format): Promise<string[][]> {
	const { headers, text, bytes } = await service.asSuper('GET', `/api/stores/export?format=${format}`);
	expect(headers.get('content-disposition')).toBe(`attachment; filename="stores.${format}"`);
	if (format === 'csv') return papa.parse<string[]>(text.trimEnd()).data;
	return textsIn(bytes).map((row) => row.slice(0, heading.length));
}

const send = (path: string, raw: string | Uint8Array, contentType = csvType) =>
	service.send('POST', `/api/stores/${path}`, { token: service.superToken, raw, contentType });
const upload = (raw: string | Uint8Array, query: string, contentType?: string) =>
	send(`import?${query}`, raw, contentType);

/** A file without ids, for an import into another installation. */
const chain = csvOf([
	['店名', '门店地址', '联系电话', '状态'],
	['人民路店', '人民路 1 号', '021-12345678', ''],
	[' 南京路店 ', '', '', 'INACTIVE'],
	["'=城西店", '第一行', "'=1", '启用'],
]);

test('there are at most 20,000 stores that are not deleted, however they are added', async () => {
	const at = service.time.toISOString();
	const rows = Array.from({ length: 19_999 }, (_, index) => ({
		name: `店${index}`,
		status: index % 2 ? 'ACTIVE' : 'INACTIVE',
		created_at: at,
		updated_at: at,
		deleted_at: index === 0 ? at : null,
	}));
	service.insert('stores', rows);
	const two = csvOf([['门店名称'], ['东店'], ['西店']]);
	expect(expectStatus(await upload(two, 'dryRun=true'), 200)).toMatchObject({ created: 2, problemTotal: 0 });
	expectStatus(await service.asSuper('POST', '/api/stores', { name: '新店' }), 201);
	for (const refused of [
		await upload(two, 'dryRun=true'),
		await upload(two, ''),
		await upload(two, 'mode=upsert'),
		await send('import/problems', two),
	])
		expectRefusal(refused, 400, '门店数量已达上限（20000 个）');
	expectStatus(await upload(csvOf([['门店名称'], ['东店']]), 'mode=upsert'), 201);
	const full = await service.asSuper('POST', '/api/stores', { name: '满店' });
	expectRefusal(full, 400, '门店数量已达上限（20000 个）');
	expectStatus(await service.importCsv('stores/import?mode=update', ['编号,电话', '2,1']), 201);
	expectStatus(await service.asSuper('DELETE', '/api/stores/2'), 204);
	expectStatus(await service.asSuper('POST', '/api/stores', { name: '满店' }), 201);
});

test('stores are added, exported as they are, and imported again without a change or a record', async () => {
	const counts = { lines: 3, updated: 0, unchanged: 0, changes: [], problemTotal: 0 };
	expect(expectStatus(await upload(chain, 'mode=add&dryRun=true'), 200)).toMatchObject({ ...counts, created: 3 });
	expect(service.rows('select id from stores')).toEqual([]);
	expect(expectStatus(await upload(chain, ''), 201)).toMatchObject({ ...counts, created: 3 });
	const rows = [
		heading,
		['1', '人民路店', '人民路 1 号', '021-12345678', '启用'],
		['2', '南京路店', '', '', '禁用'],
		['3', '=城西店', '第一行', '=1', '启用'],
	];
	expect(await exported('xlsx')).toEqual(rows);
	for (const cell of (await exported('csv')).flat()) expect(cell).not.toMatch(/^[\s"]*[=+\-@]/);
	const records = service.rows('select * from history');
	for (const format of ['csv', 'xlsx'] as const) {
		const { bytes } = await service.asSuper('GET', `/api/stores/export?format=${format}`);
		const same = await upload(bytes, 'mode=upsert', format === 'csv' ? csvType : xlsxType);
		expect(expectStatus(same, 201)).toMatchObject({ created: 0, updated: 0, unchanged: 3, changeTotal: 0 });
	}
	expect(service.rows('select * from history')).toEqual(records);
});

test('an export changes exactly what was edited in it, also when stores exchange their names', async () => {
	for (const name of ['一店', '二店', '三店']) await service.addStore({ name, address: '某路', phone: '1' });
	const [{ last } = {}] = service.rows('select max(id) as last from history');
	const [head = [], one = [], two = [], three = []] = await exported('xlsx');
	const wanted = [one.with(1, '二店').with(2, '新路'), two.with(1, '一店').with(4, '禁用'), three];
	const result = expectStatus(await upload(csvOf([head, ...wanted]), 'mode=update'), 201);
	expect(result).toMatchObject({ updated: 2, unchanged: 1, changeTotal: 4 });
	expect(await exported('xlsx')).toEqual([head, ...wanted]);
	const written = service.rows("select * from history where id > ? and action = 'STORE_UPDATE'", last);
	expect(written.map(({ target_id }) => target_id)).toEqual([1, 2]);
	expect(new Set(written.map(({ request_id }) => request_id)).size).toBe(1);
	// No record has the temporary name of a store.
	expect(JSON.stringify(written)).not.toContain('\\u0000');
});

test('each line follows the rules of a single store, and all or none are kept', async () => {
	const [one, two] = [await service.addStore({ name: '一店' }), await service.addStore({ name: '二店' })];
	const raw = csvOf([
		heading,
		['', '一店', 'x'.repeat(256), '', '在营'],
		['', '三店\n分店', '', '', ''],
		['9', '三店', '', '', ''],
		[String(two.id), '一店', '', '', ''],
		['', '', '某路', '', ''],
		['', '四店', '', '', ''],
	]);
	const reasonsIn = async (mode: string) => {
		const { problems } = expectStatus(await upload(raw, `dryRun=true&mode=${mode}`), 200);
		expectRefusal(await upload(raw, `mode=${mode}`), 400, `导入文件有 ${problems.length} 处问题`);
		return problems.map(({ line, column, reason }: Body) => [line, column, reason.slice(0, 8)]);
	};
	expect(await reasonsIn('add')).toEqual([
		[2, 'name', '门店名称已存在'],
		[2, 'address', '最多 255 个'],
		[2, 'status', '须为 启用 或 '],
		[3, 'name', '请输入 1 至 '],
		[5, 'name', '与第 2 行的门'],
		[6, 'name', '必填'],
	]);
	expect((await reasonsIn('update')).at(-1)).toEqual([7, 'name', '没有使用这个门店']);
	expect(service.rows('select id from stores')).toEqual([{ id: one.id }, { id: two.id }]);
	expectRefusal(await upload(csvOf([heading]), ''), 400, '第一个工作表中没有要导入的门店');
	const { bytes } = await send('import/problems?mode=upsert', raw);
	expect(textsIn(bytes)[3]?.slice(0, 3)).toEqual(['编号：没有编号为 9 的门店', '9', '三店']);
	const better = csvOf([
		['编号', '门店名称', '地址', '状态'],
		[String(one.id), '甲店', '某路', '禁用'],
		[String(two.id), '', '', ''],
	]);
	const changes = await send('import/problems?mode=upsert', better);
	expect(
		textsIn(changes.bytes)
			.slice(1)
			.map((row) => row.slice(2)),
	).toEqual([
		['一店', '门店名称', '一店', '甲店'],
		['一店', '地址', '', '某路'],
		['一店', '状态', '启用', '禁用'],
	]);
	const person = await service.addPerson(one.id, 'store:view');
	expectStatus(await upload(better, 'mode=update'), 201);
	expectRefusal(await service.as(person.token, 'GET', '/api/auth/me'), 401);
});
