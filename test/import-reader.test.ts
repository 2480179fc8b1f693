import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLog } from '../src/machine/log.ts';
import { createImportReader, type ReaderLimits } from '../src/server/import-reader.ts';
import { employeeLayout } from '../src/sheets/employees/layout.ts';
import type { ImportFile } from '../src/sheets/read-file.ts';
import type { AppError } from '../src/vocabulary/errors.ts';
import { csvType, xlsxType } from './oracle.ts';
import { compiled, newFolder, removeFolders } from './program.ts';
import { serve } from './server.ts';
import { csvOf } from './spreadsheets.ts';
import { adminPassword, adminUsername } from './world.ts';

afterAll(removeFolders);

const wide: ReaderLimits = { milliseconds: 60_000, memory: 2 ** 40 };
const file: ImportFile = { mode: 'add', contentType: csvType, charset: undefined, bytes: new Uint8Array() };
/** More than a process has room for that does not read it. */
const large: ImportFile = { ...file, bytes: new Uint8Array(2 ** 23) };
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

/** The processes that wrote their ids there, once there are so many. */
async function startedIn(folder: string, count: number): Promise<number[]> {
	for (;;) {
		const lines = existsSync(`${folder}/pids`) ? readFileSync(`${folder}/pids`, 'utf8').split('\n').slice(0, -1) : [];
		if (lines.length >= count) return lines.map(Number);
		await Bun.sleep(1);
	}
}

async function hasEnded(pid: number): Promise<true> {
	while (existsSync(`/proc/${pid}`)) await Bun.sleep(1);
	return true;
}

function childrenOf(pid: number): number[] {
	const tasks = readdirSync(`/proc/${pid}/task`);
	const children = tasks.map((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8'));
	return children.join('').trim().split(' ').map(Number);
}

/** Empty when it has ended. */
function commandLineOf(pid: number): string {
	try {
		return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
	} catch {
		return '';
	}
}

const isReader = (pid: number) => commandLineOf(pid).includes('read-import');

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

	test('leaves no reader behind when it is killed', async () => {
		const program = await serve();
		const token = await program.signIn(adminUsername, adminPassword);
		const headers = { 'content-type': csvType, authorization: `Bearer ${token}` };
		const body = csvOf([['姓名', '手机号', '门店']]);
		await program.request('/api/employees/import?dryRun=true', { method: 'POST', headers, body });
		const startedAhead = () => childrenOf(program.pid).filter(isReader);
		while (startedAhead().length === 0) await Bun.sleep(1);
		const readers = startedAhead();
		program.signal('SIGKILL');
		while (readers.some(isReader)) await Bun.sleep(1);
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
		const { refusal, logged } = await read(program, limits, large);
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

	const idle = (folder: string) => shell(`echo $$ >> ${folder}/pids; exec sleep 600`);

	test('ends when the caller has gone', async () => {
		const folder = newFolder();
		const caller = new AbortController();
		const reading = read(idle(folder), {}, file, caller.signal);
		const [pid = 0] = await startedIn(folder, 1);
		caller.abort();
		expect((await reading).refusal).toBeDefined();
		expect(await hasEnded(pid)).toBe(true);
	});

	test('ends when the server stops', async () => {
		const folder = newFolder();
		const reader = createImportReader(idle(folder), createLog({ write() {} }, 'info'), wide);
		const reading = reader.read(employeeLayout, file, never).catch((error) => error);
		const [pid = 0] = await startedIn(folder, 1);
		reader[Symbol.dispose]();
		expect(await reading).toBeInstanceOf(Error);
		expect(await hasEnded(pid)).toBe(true);
	});
});

describe('the next reader', () => {
	/** A program that leaves its id in a folder, and says it as the column that it did not read. */
	const saying = (folder: string) =>
		shell(`echo $$ >> ${folder}/pids; cat > ${folder}/input
			printf '[{"end":{"headingLine":1,"unreadColumns":["%s"]}}]\\n' $$`);
	function start(maxWait?: number) {
		const folder = newFolder();
		const reader = createImportReader(saying(folder), createLog({ write() {} }, 'info'), wide, maxWait);
		const readingPid = async () => Number((await reader.read(employeeLayout, file, never)).unreadColumns);
		return { folder, reader, readingPid };
	}

	test('is started when a file has been read, and ends with the server', async () => {
		const { folder, reader, readingPid } = start();
		const first = await readingPid();
		const started = await startedIn(folder, 2);
		expect(started).toEqual([first, expect.any(Number)]);
		expect(await readingPid()).toBe(started[1] ?? 0);
		const [, , last = 0] = await startedIn(folder, 3);
		reader[Symbol.dispose]();
		expect(await hasEnded(last)).toBe(true);
	});

	test('is another one when that has ended', async () => {
		const { folder, reader, readingPid } = start();
		await readingPid();
		const [, second = 0] = await startedIn(folder, 2);
		process.kill(second, 'SIGKILL');
		// Without a turn of this process in between, as when it is busy.
		while (!readFileSync(`/proc/${second}/stat`, 'utf8').includes(') Z ')) Bun.sleepSync(1);
		const third = await readingPid();
		expect(await startedIn(folder, 3)).toContain(third);
		expect(third).not.toBe(second);
		reader[Symbol.dispose]();
	});

	test('ends when no file comes', async () => {
		const { folder, reader, readingPid } = start(1);
		await readingPid();
		while (childrenOf(process.pid).some((pid) => commandLineOf(pid).includes(folder))) await Bun.sleep(1);
		reader[Symbol.dispose]();
	});
});
