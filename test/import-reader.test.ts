/** The process that reads an imported file: its limits and its end. */
import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { employeeLayout } from '../src/features/files/employees/layout.ts';
import type { ImportFile } from '../src/features/files/read-lines.ts';
import { decodeTable, runTask } from '../src/features/files/reader-task.ts';
import { createLog } from '../src/platform/machine/log.ts';
import type { AppError } from '../src/platform/vocabulary/errors.ts';
import { createImportReader, type ReaderLimits } from '../src/server/import-reader.ts';
import { removeFoldersAfterAll } from './installation.ts';
import { csvType, xlsxType } from './oracle.ts';
import { compiled, newFolder } from './program.ts';
import { serve } from './server.ts';
import { xlsxOf } from './spreadsheets.ts';
import { adminPassword, adminUsername } from './world.ts';

removeFoldersAfterAll();

const wide: ReaderLimits = { milliseconds: 60_000, memory: 2 ** 40, answer: 2 ** 24 };
const file: ImportFile = { mode: 'add', contentType: csvType, charset: undefined, bytes: new Uint8Array() };
/** Larger than the buffer of a process that does not read. */
const large: ImportFile = { ...file, bytes: new Uint8Array(2 ** 23) };

/** Reads with a program in place of this one. */
async function read(program: string[], limits: Partial<ReaderLimits> = {}, given = file) {
	const logged: string[] = [];
	const log = createLog({ write: (line) => logged.push(line) }, 'info');
	using reader = createImportReader(program, log, { ...wide, ...limits });
	const outcome = await reader.read(employeeLayout, given, new AbortController().signal).then(
		(table) => ({ table, refusal: undefined }),
		(refusal: AppError) => ({ table: undefined, refusal }),
	);
	return { ...outcome, logged };
}

const shell = (script: string) => ['/bin/sh', '-c', script];
const tooCostly = '文件过于复杂，请只保留要导入的员工后重试';

/** Waits until a process has written its id. */
async function startedIn(folder: string): Promise<number> {
	for (;;) {
		const pid = existsSync(`${folder}/pid`) ? Number(readFileSync(`${folder}/pid`, 'utf8')) : 0;
		if (pid > 0) return pid;
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

/** Empty for an ended process. */
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
		expect(table?.lines.map(({ number, values }) => [number, values.name, values.phone, values.store])).toEqual([
			[2, '王芳', '13800138001', '人民路店'],
			[3, '李伟', '13800138002', '人民路店'],
			[4, '欧阳娜娜', '13800138003', expect.stringMatching(/^(2|南京路店)$/)],
		]);
		expect(table?.lines.flatMap(({ problems }) => problems)).toEqual([]);
	});

	/** One text in thousands of cells: a small file, and 32 MB as the XML of a workbook. */
	const repeated = xlsxOf(
		Object.fromEntries([
			[1, ['姓名', '手机号', '门店']],
			...Array.from({ length: 50 }, (_, index) => [index + 2, Array(26).fill({ type: 's', inside: '<v>0</v>' })]),
		]),
		{ more: { 'xl/sharedStrings.xml': `<sst><si><t>${'"'.repeat(4096)}</t></si></sst>` } },
	);

	test('marks one text in thousands of cells without more memory, and leaves no reader behind when it is killed', async () => {
		const program = await serve();
		const token = await program.signIn(adminUsername, adminPassword);
		const status = () => readFileSync(`/proc/${program.pid}/status`, 'utf8');
		const [before, most] = [/VmRSS:\s+(\d+)/, /VmHWM:\s+(\d+)/].map((line) => () => Number(line.exec(status())?.[1]));
		const idle = before?.() ?? 0;
		const mark = () =>
			program.request('/api/employees/import/problems', {
				method: 'POST',
				headers: { 'content-type': xlsxType, authorization: `Bearer ${token}` },
				body: repeated,
			});
		// A reader has a low priority. On a busy machine it may not finish within its ten seconds.
		let answer = await mark();
		while (answer.status === 413) answer = await mark();
		expect(answer.status).toBe(200);
		expect(((most?.() ?? 0) - idle) / 1024).toBeLessThan(30);
		const readers = () => childrenOf(program.pid).filter(isReader);
		const markOn = async () => {
			for (;;) await mark();
		};
		const cut = markOn().catch(() => undefined);
		while (readers().length === 0) await Bun.sleep(1);
		const begun = readers();
		program.signal('SIGKILL');
		await cut;
		while (begun.some(isReader)) await Bun.sleep(1);
	});
});

describe('a reader', () => {
	test('gets no variables of the server, and works outside of the data folder', async () => {
		const answer = '{"code":"BAD_REQUEST","reason":{"message":""},"mistake":"%s %s"}';
		const { refusal } = await read(shell(`printf '${answer}' "$(cat /proc/$$/environ)" "$(pwd)"`));
		expect(refusal).toMatchObject({ code: 'BAD_REQUEST', cause: { message: 'BUN_JSC_useFTLJIT=0 /' } });
	});

	test('that meets a mistake of this program tells its place, not its message', async () => {
		const name = () => {
			throw new TypeError('13800138000');
		};
		const layout = { ...employeeLayout, parsers: { ...employeeLayout.parsers, name } };
		const bytes = new TextEncoder().encode('姓名,手机号,门店\n王芳');
		const parts = await Array.fromAsync(runTask(layout, { ...file, resource: 'employees', bytes }));
		expect(parts.join()).not.toContain('13800138000');
		const cause = expect.objectContaining({ message: expect.stringMatching(/^TypeError\n.*import-reader.test.ts/) });
		expect(() => decodeTable(parts.join())).toThrow(expect.objectContaining({ message: '文件无法读取', cause }));
	});

	const hungry = 'const kept = []; for (;;) { kept.push(new Uint8Array(2 ** 22).fill(1)); await 0; }';
	const stopped: [what: string, program: string[], limits: Partial<ReaderLimits>][] = [
		['takes too long', shell('exec sleep 600'), { milliseconds: 100 }],
		['takes too much memory', [process.execPath, '-e', hungry], { memory: 200 * 2 ** 20 }],
		['answers too much', shell('exec cat /dev/zero'), { answer: 2 ** 20 }],
		['fails', shell('exit 1'), {}],
		['is killed by the system', shell('kill -KILL $$'), {}],
	];
	test.each(stopped)('that %s is a refusal and a warning', async (_, program, limits) => {
		const { refusal, logged } = await read(program, limits, large);
		expect(refusal).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', message: tooCostly });
		expect(refusal?.details).toEqual([{ path: 'body', reason: 'file_too_complex', message: tooCostly }]);
		const warning = { level: 'warn', message: 'the reader of an import was stopped' };
		expect(logged.map((line) => JSON.parse(line))).toMatchObject([warning]);
	});

	test('that cannot be started is a 503 that says when to come back', async () => {
		const { refusal } = await read(['/there/is/no/such/program']);
		expect(refusal).toMatchObject({ code: 'SERVICE_UNAVAILABLE', message: '服务繁忙，请稍后再试', retryAfter: 5 });
	});

	test.each(['its caller has gone', 'the server stops'])('ends when %s, without a warning', async (when) => {
		const folder = newFolder();
		const logged: string[] = [];
		const log = createLog({ write: (line) => logged.push(line) }, 'info');
		const reader = createImportReader(shell(`echo $$ > ${folder}/pid; exec sleep 600`), log, wide);
		const caller = new AbortController();
		const reading = reader.read(employeeLayout, file, caller.signal).catch((error) => error);
		const pid = await startedIn(folder);
		if (when === 'the server stops') reader[Symbol.dispose]();
		else caller.abort();
		expect([await reading, logged]).toEqual([expect.any(Error), []]);
		expect(await hasEnded(pid)).toBe(true);
	});
});
