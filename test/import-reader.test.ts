import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLog } from '../src/machine/log.ts';
import { createImportReader, type ReaderLimits } from '../src/server/import-reader.ts';
import { employeeLayout } from '../src/sheets/employees/layout.ts';
import type { ImportFile } from '../src/sheets/read-file.ts';
import type { AppError } from '../src/vocabulary/errors.ts';
import { csvType, xlsxType } from './oracle.ts';
import { compiled, newFolder, removeFolders } from './program.ts';
import { csvOf } from './spreadsheets.ts';

afterAll(removeFolders);

const wide: ReaderLimits = { milliseconds: 60_000, memory: 2 ** 40 };
const file: ImportFile = { mode: 'add', contentType: csvType, charset: undefined, bytes: new Uint8Array() };
const never = new AbortController().signal;

/** Reads with a program that stands for this one. */
async function read(program: string[], limits: Partial<ReaderLimits> = {}, given = file, signal = never) {
	const logged: string[] = [];
	using reader = createImportReader(program, createLog({ write: (line) => logged.push(line) }, 'info'), {
		...wide,
		...limits,
	});
	const outcome = await reader.read(employeeLayout, given, signal).then(
		(table) => ({ table, refusal: undefined }),
		(refusal: AppError) => ({ table: undefined, refusal }),
	);
	return { ...outcome, logged };
}

const shell = (script: string) => ['/bin/sh', '-c', script];
const tooCostly = '文件过于复杂，请只保留要导入的员工后重试';

describe('the compiled program', () => {
	test.each([
		['libreoffice.xlsx', xlsxType, undefined],
		['libreoffice-gb18030.csv', csvType, 'gb18030'],
	])('reads %s in a process of its own', async (name, contentType, charset) => {
		const bytes = new Uint8Array(readFileSync(join(import.meta.dir, 'fixtures', name)));
		const { table } = await read(compiled(), {}, { ...file, contentType, charset, bytes });
		expect(table?.lines.map((line) => [line.number, line.name, line.phone, line.store])).toEqual([
			[2, '王芳', '13800138001', '人民路店'],
			[3, '李伟', '13800138002', '人民路店'],
			[4, '欧阳娜娜', '13800138003', expect.stringMatching(/^(2|南京路店)$/)],
		]);
		expect(table?.problems).toEqual([]);
	});

	test('hands on thousands of problems', async () => {
		const rows = Array.from({ length: 4000 }, () => ['', 'x', '人民路店']);
		const bytes = new TextEncoder().encode(csvOf([['姓名', '手机号', '门店'], ...rows]));
		const { table } = await read(compiled(), {}, { ...file, bytes });
		expect([table?.lines.length, table?.problems.length]).toEqual([4000, 8000]);
	});
});

describe('a reader', () => {
	test('gets no variables, and works outside of the data folder', async () => {
		const { refusal } = await read(shell('printf \'[{"mistake":"%s %s"}]\\n\' "$(cat /proc/$$/environ)" "$(pwd)"'));
		expect(refusal).toMatchObject({ code: 'BAD_REQUEST', message: '文件无法读取', cause: { message: ' /' } });
	});

	const hungry = 'const kept = []; for (;;) { kept.push(new Uint8Array(2 ** 22).fill(1)); await 0; }';
	const stopped: [what: string, program: string[], limits: Partial<ReaderLimits>][] = [
		['takes too long', shell('exec sleep 600'), { milliseconds: 100 }],
		['takes too much memory', [process.execPath, '-e', hungry], { memory: 200 * 2 ** 20 }],
		['ends without an end of its output', shell('printf \'[{"line":{"number":2}}]\\n\''), {}],
		['is killed by the system', shell('kill -KILL $$'), {}],
	];
	test.each(stopped)('that %s is a refusal and a warning', async (_, program, limits) => {
		const { refusal, logged } = await read(program, limits);
		expect(refusal).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', message: tooCostly });
		expect(refusal?.details).toEqual([{ path: 'body', message: tooCostly }]);
		expect(logged.map((line) => JSON.parse(line))).toMatchObject([
			{ level: 'warn', message: 'the reader of an import was stopped' },
		]);
	});

	test('that cannot be started is a 503 that says when to come back', async () => {
		const { refusal } = await read(['/there/is/no/such/program']);
		expect(refusal).toMatchObject({ code: 'SERVICE_UNAVAILABLE', message: '服务繁忙，请稍后再试', retryAfter: 5 });
	});

	const waiting = (folder: string) => shell(`echo $$ > ${folder}/pid; exec sleep 600`);
	const pidIn = async (folder: string) => {
		while (!existsSync(`${folder}/pid`) || readFileSync(`${folder}/pid`, 'utf8') === '') await Bun.sleep(1);
		return Number(readFileSync(`${folder}/pid`, 'utf8'));
	};
	const hasEnded = async (pid: number) => {
		while (existsSync(`/proc/${pid}`)) await Bun.sleep(1);
		return true;
	};

	test('ends when the caller has gone', async () => {
		const folder = newFolder();
		const caller = new AbortController();
		const reading = read(waiting(folder), {}, file, caller.signal);
		const pid = await pidIn(folder);
		caller.abort();
		expect((await reading).refusal).toBeDefined();
		expect(await hasEnded(pid)).toBe(true);
	});

	test('ends when the server stops', async () => {
		const folder = newFolder();
		const reader = createImportReader(waiting(folder), createLog({ write() {} }, 'info'), wide);
		const reading = reader.read(employeeLayout, file, never).catch((error) => error);
		const pid = await pidIn(folder);
		reader[Symbol.dispose]();
		expect(await reading).toBeInstanceOf(Error);
		expect(await hasEnded(pid)).toBe(true);
	});
});
