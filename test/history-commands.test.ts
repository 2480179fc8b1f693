/** `access history export` and `access report initial-passwords`, as an operator runs them while the server runs. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import papa from 'papaparse';
import type { HistoryRecord, ShownRecord } from '../src/identity/history/model.ts';
import { peakMegabytes } from './campaigns/vitals.ts';
import { removeFoldersAfterAll, serveHere } from './installation.ts';
import { compiled, logLines, newFolder, type Program, root } from './program.ts';
import { runHere } from './run-here.ts';
import { given, newInstallation, withDatabase } from './server.ts';
import { inZone } from './zone.ts';

removeFoldersAfterAll();

const folder = newFolder();
const environment = { DATA_DIR: folder, ...given };
const access = (...args: string[]) => runHere(args, environment);

let program: Program;
let token: string;

async function change(method: string, path: string, body?: unknown): Promise<void> {
	const answer = await program.send(method, path, { token, body });
	if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
}

beforeAll(async () => {
	await newInstallation(folder);
	program = await serveHere(environment);
	token = await program.signIn('admin', given.ADMIN_PASSWORD);
	await change('POST', '/api/stores', { name: '=1+1', address: '甲,"乙"' });
	await change('POST', '/api/stores', { name: '南京路店' });
	for (const [index, name] of ['王芳', '李伟', '张敏'].entries())
		await change('POST', '/api/employees', { storeId: 2 - (index % 2), name, phone: `1380000000${index + 1}` });
	const passwords = { oldPassword: given.INITIAL_EMPLOYEE_PASSWORD, newPassword: 'a-password-of-their-own' };
	await change('PATCH', '/api/employees/3/password', passwords);
});

afterAll(() => program.end());

describe('history export', () => {
	inZone('UTC');

	/** The lines of an export. */
	const exported = async (...args: string[]) =>
		(await access('history', 'export', '--format', 'jsonl', ...args)).stdout.split('\n').filter(Boolean);

	test('as JSON lines has the records of GET /api/history, oldest first', async () => {
		const listed = await program.send('GET', '/api/history?pageSize=100', { token });
		const { code, stdout, stderr } = await access('history', 'export', '--format', 'jsonl');
		expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
		const lines: HistoryRecord[] = logLines(stdout);
		const items: ShownRecord[] = listed.body.data.items;
		expect(lines).toEqual(items.toReversed().map(({ group: _, mentioned: __, ...record }) => record));
		expect(lines.length).toBeGreaterThan(7);
	});

	test('as a table starts with a byte order mark, is RFC 4180 and has no formulas', async () => {
		const { stdout: text } = await access('history', 'export');
		expect(text.startsWith('\uFEFFid,at,action,')).toBe(true);
		const [head = [], ...rows] = papa.parse<string[]>(text.slice(1), { newline: '\r\n', skipEmptyLines: true }).data;
		const listed = await program.send('GET', '/api/history?pageSize=100', { token });
		const records: HistoryRecord[] = listed.body.data.items.toReversed();
		expect(rows.length).toBe(records.length);
		for (const [index, record] of records.entries()) {
			const row = Object.fromEntries(head.map((name, column) => [name, rows[index]?.[column]]));
			const name = record.targetName === '=1+1' ? "'=1+1" : (record.targetName ?? '');
			expect(row).toMatchObject({ id: String(record.id), at: record.at, action: record.action, targetName: name });
			expect(JSON.parse(row.changes ?? '')).toEqual(record.changes);
		}
	});

	test('has the records at or after --from and before --to', async () => {
		const all = await exported();
		const middle = JSON.parse(all[4] ?? '').at;
		const [before, after] = [await exported('--to', middle), await exported('--from', middle)];
		expect([...before, ...after]).toEqual(all);
		expect(after.every((line) => JSON.parse(line).at >= middle)).toBe(true);
		expect(await exported('--to', '2001-01-01')).toEqual([]);
	});

	test.each([
		['a time without a zone', (local: string) => local.slice(0, 23)],
		['a date', (local: string) => local.slice(0, 10)],
	])('reads %s in the time zone of the machine', async (_, written) => {
		process.env.TZ = 'Asia/Shanghai';
		const lines = await exported();
		// The same instant on a clock in Shanghai, which is always eight hours ahead of UTC.
		const at = Date.parse(JSON.parse(lines[4] ?? '').at);
		const from = written(new Date(at + 8 * 3_600_000).toISOString());
		const instant = new Date(`${from.includes('T') ? from : `${from}T00:00`}+08:00`).toISOString();
		const expected = lines.filter((line) => JSON.parse(line).at >= instant);
		expect(await exported('--from', from)).toEqual(expected);
		expect(await exported('--to', from)).toEqual(lines.slice(0, -expected.length));
	});

	test.each([
		[['--format', 'xlsx'], /^error: option '--format <format>' argument 'xlsx' is invalid\. .*csv, jsonl\.\n$/],
		[['--from', 'yesterday'], /^error: option '--from <time>' argument 'yesterday' is invalid\. .*2026-11-21[^\n]*\n$/],
		[['--from', '2026-11-01', '--to', '2026-11-01'], /^error: --from \S+ is not before --to \S+\n$/],
		[['--to', '2026-13-01'], /^error: option '--to <time>' argument '2026-13-01' is invalid\. .*2026-11-21[^\n]*\n$/],
	] as const)('refuses %p as wrong use, in one line', async (args, message) => {
		const ended = await access('history', 'export', ...args);
		expect(ended).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
	});

	test('needs no more memory for more records', async () => {
		const memoryFor = async (records: number) => {
			const filled = newFolder();
			const copy = join(filled, 'access.db');
			expect((await access('backup', copy)).code).toBe(0);
			fill(copy, records);
			const output = join(filled, 'history.jsonl');
			const child = Bun.spawn([...compiled(), 'history', 'export', '--format', 'jsonl'], {
				cwd: root,
				env: { ...environment, DATA_DIR: filled },
				stdout: Bun.file(output),
			});
			const peak = await peakMegabytes(child);
			expect(child.exitCode).toBe(0);
			expect(readFileSync(output, 'utf8').split('\n').length).toBeGreaterThan(records);
			return { peak, size: statSync(output).size };
		};
		const [few, many] = [await memoryFor(10_000), await memoryFor(60_000)];
		expect(many.size).toBeGreaterThan(40_000_000);
		expect(many.peak - few.peak).toBeLessThan(50);
	});

	/** Adds records, each with half a kilobyte of changes. */
	function fill(path: string, records: number): void {
		const changes = JSON.stringify([{ field: 'remark', before: null, after: '早'.repeat(150) }]);
		withDatabase(path, (database) => {
			database.run('pragma synchronous = off');
			const insert = `insert into history
				(at, action, actor_type, actor_id, actor_name, changes, count, group_id, search_text, "left", moved, new_roles)
				with recursive number(value) as (select 1 union all select value + 1 from number where value < ?)
				select '2099-01-01T00:00:00.000Z', 'SIGN_IN', 'SUPER_ADMIN', 1, 'admin', ?, 1, value, 'admin', 0, 0, 0 from number`;
			database.run(insert, [records, changes]);
		});
	}
});

describe('report initial-passwords', () => {
	test('lists them by store', async () => {
		const stdout = '=1+1 (1)\n  13800000002 李伟 (2)\n\n南京路店 (2)\n  13800000001 王芳 (1)\n';
		expect(await access('report', 'initial-passwords')).toEqual({ code: 0, stdout, stderr: '' });
	});

	test('--json writes one line of JSON for each employee', async () => {
		const { stdout } = await access('report', 'initial-passwords', '--json');
		expect(logLines(stdout)).toEqual([
			{ storeId: 1, storeName: '=1+1', id: 2, name: '李伟', phone: '13800000002' },
			{ storeId: 2, storeName: '南京路店', id: 1, name: '王芳', phone: '13800000001' },
		]);
	});
});

test.each([
	['the user name of the operator', {}, Bun.spawnSync(['id', '-un']).stdout.toString().trim()],
	['the user before sudo', { SUDO_USER: 'alice' }, 'alice'],
])('a command is recorded with %s', async (_, more, actorName) => {
	const reset = ['admin', 'reset-password', '--stdin'];
	expect(await runHere(reset, { ...environment, ...more }, 'another-password\n')).toMatchObject({ code: 0 });
	const { stdout } = await access('history', 'export', '--format', 'jsonl');
	expect(logLines(stdout).at(-1)).toMatchObject({
		action: 'ADMINISTRATOR_PASSWORD_RESET',
		actorType: 'OPERATOR',
		actorId: null,
		actorName,
		address: null,
		requestId: null,
		targetType: 'ADMINISTRATOR',
		targetName: 'admin',
		changes: [],
	});
});
