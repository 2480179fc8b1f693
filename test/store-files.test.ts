import { beforeAll, beforeEach, expect, test } from 'bun:test';
import fc from 'fast-check';
import papa from 'papaparse';
import { expectRefusal, expectStatus, Service } from './harness.ts';
import type { Body } from './http.ts';
import { csvType, xlsxType } from './oracle.ts';
import { csvOf, textsIn, xlsxOf } from './spreadsheets.ts';

const heading = ['编号', '门店名称', '地址', '电话', '状态'];

let service: Service;
beforeAll(async () => {
	service = await Service.start();
	service.keep();
});
beforeEach(() => service.rewind());

type Format = 'csv' | 'xlsx';

async function send(method: string, path: string, raw?: string | Uint8Array<ArrayBuffer>, contentType = csvType) {
	const headers = { authorization: `Bearer ${service.superToken}`, ...(raw && { 'content-type': contentType }) };
	const request = new Request(`http://localhost/api/stores/${path}`, { method, headers, ...(raw && { body: raw }) });
	const answer = await service.app.handle(request);
	return { answer, bytes: new Uint8Array(await answer.arrayBuffer()) };
}

async function exported(format: Format, query = ''): Promise<string[][]> {
	const { answer, bytes } = await send('GET', `export?format=${format}${query}`);
	expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="stores.${format}"`);
	if (format === 'csv') return papa.parse<string[]>(new TextDecoder().decode(bytes).trimEnd()).data;
	return textsIn(bytes).map((row) => row.slice(0, heading.length));
}

function upload(raw: string | Uint8Array, query: string, contentType = csvType) {
	return service.send('POST', `/api/stores/import?${query}`, { token: service.superToken, raw, contentType });
}

/** A file, as it is written without ids into another installation. */
const chain = csvOf([
	['店名', '门店地址', '联系电话', '状态'],
	['人民路店', '人民路 1 号', '021-12345678', ''],
	[' 南京路店 ', '', '', 'INACTIVE'],
	["'=城西店", '第一行', "'=1", '启用'],
]);

test('stores are added, exported as they are, filtered, and imported again without a change or a record', async () => {
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
	expect(await exported('xlsx', '&status=INACTIVE')).toEqual([heading, rows[2] ?? []]);
	expect(await exported('xlsx', `&keyword=${encodeURIComponent('人民')}`)).toEqual([heading, rows[1] ?? []]);
	for (const cell of (await exported('csv')).flat()) expect(cell).not.toMatch(/^[\s"]*[=+\-@]/);
	const records = service.rows('select * from history');
	for (const format of ['csv', 'xlsx'] as const) {
		const { bytes } = await send('GET', `export?format=${format}`);
		const same = await upload(bytes, 'mode=upsert', format === 'csv' ? csvType : xlsxType);
		expect(expectStatus(same, 201)).toMatchObject({ created: 0, updated: 0, unchanged: 3, changeTotal: 0 });
	}
	expect(service.rows('select * from history')).toEqual(records);
});

test('an export changes exactly what was edited in it, also when stores exchange their names', async () => {
	for (const name of ['一店', '二店', '三店', '四店']) await service.addStore({ name, address: '某路', phone: '1' });
	const edit = fc.record(
		{ 2: fc.constantFrom('', '新路'), 3: fc.constantFrom('', '2'), 4: fc.constantFrom('启用', '禁用') },
		{ requiredKeys: [] },
	);
	const file = fc.record({
		edits: fc.array(edit, { minLength: 4, maxLength: 4 }),
		order: fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }),
		columns: fc.subarray([1, 2, 3, 4]),
		format: fc.constantFrom('csv' as const, 'xlsx' as const),
	});
	const property = fc.asyncProperty(file, async ({ edits, order, columns, format }) => {
		const [head = [], ...rows] = await exported('xlsx');
		const wanted = rows.map((row, index) => {
			const cells: Record<number, string | undefined> = { ...edits[index], 1: rows[order[index] ?? 0]?.[1] };
			return row.map((cell, column) => (columns.includes(column) ? (cells[column] ?? cell) : cell));
		});
		const table = [head, ...wanted].map((row) => [0, ...columns].map((column) => row[column] ?? ''));
		const raw = format === 'csv' ? csvOf(table) : xlsxOf(Object.fromEntries(table.map((row, line) => [line + 1, row])));
		const [{ last } = {}] = service.rows('select max(id) as last from history');
		const result = expectStatus(await upload(raw, 'mode=update', format === 'csv' ? csvType : xlsxType), 201);
		expect(await exported('xlsx')).toEqual([head, ...wanted]);
		const cells = wanted.flatMap((row, line) => row.filter((cell, column) => cell !== rows[line]?.[column]));
		const touched = wanted.filter((row, line) => row.join('\n') !== rows[line]?.join('\n')).length;
		expect(result).toMatchObject({ updated: touched, unchanged: 4 - touched, changeTotal: cells.length });
		const written = service.rows("select * from history where id > ? and action = 'STORE_UPDATE'", last);
		expect(written).toHaveLength(touched);
		expect(new Set(written.map(({ request_id }) => request_id)).size).toBe(touched > 0 ? 1 : 0);
		// What a store is called for a moment stands nowhere.
		expect(JSON.stringify(written)).not.toContain('\\u0000');
	});
	await fc.assert(property, { numRuns: 8 });
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
		const details = problems.map(({ line, column, reason }: Body) => ({
			path: `lines.${line}.${column}`,
			message: reason,
		}));
		const real = await upload(raw, `mode=${mode}`);
		expectRefusal(real, 400, 'BAD_REQUEST', `导入文件有 ${problems.length} 处问题`);
		expect(real.body.error.details).toEqual(details);
		return problems.map(({ line, column, reason }: Body) => [line, column, reason.slice(0, 8)]);
	};
	const always = [
		[2, 'address', '须为不超过 25'],
		[2, 'status', '须为 启用 或 '],
		[3, 'name', '须为 1 至 1'],
	];
	expect(await reasonsIn('add')).toEqual([
		[2, 'name', '门店名称已存在'],
		...always,
		[5, 'name', '与第 2 行的门'],
		[6, 'name', '必填'],
	]);
	expect(await reasonsIn('upsert')).toEqual([
		...always,
		[4, 'id', '没有编号为 9 '],
		[5, 'name', '与第 2 行的门'],
		[6, 'name', '必填'],
	]);
	const update = await reasonsIn('update');
	expect(update.at(-1)).toEqual([7, 'name', '没有使用这个门店']);
	expect(service.rows('select id from stores')).toEqual([{ id: one.id }, { id: two.id }]);
	expectRefusal(await upload(csvOf([heading]), ''), 400, 'BAD_REQUEST', '文件中没有要导入的门店');
	const { bytes } = await send('POST', 'import/problems?mode=upsert', raw);
	expect(textsIn(bytes)[3]?.slice(0, 3)).toEqual(['编号：没有编号为 9 的门店', '9', '三店']);
	const better = csvOf([
		['编号', '门店名称', '地址', '状态'],
		[String(one.id), '甲店', '某路', '禁用'],
		[String(two.id), '', '', ''],
	]);
	const changes = await send('POST', 'import/problems?mode=upsert', better);
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
	expectRefusal(await service.send('GET', '/api/auth/me', { token: person.token }), 401, 'UNAUTHORIZED');
});
