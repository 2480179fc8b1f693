/** The log: one line for each request, as JSON or for people, without secrets. */
import { describe, expect, spyOn, test } from 'bun:test';
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { Elysia } from 'elysia';
import * as refused from '../src/identity/guard/refused-sign-ins.ts';
import { requestLog } from '../src/platform/http/request-log.ts';
import { batchLines, createLog, type LogLevel, logLevels } from '../src/platform/machine/log.ts';
import type { Sent } from './http.ts';
import { removeFoldersAfterAll, secretsOf, serveHere } from './installation.ts';
import { newFolder, startAtTerminal } from './program.ts';
import { given, newInstallation, withDatabase } from './server.ts';
import { adminPassword, initialPassword, newName } from './world.ts';

removeFoldersAfterAll();

/** The lines that a log writes while it is used. */
type Log = ReturnType<typeof createLog>;
function linesOf(use: (log: Log) => void, level: LogLevel = 'debug', forPeople = false): string[] {
	const lines: string[] = [];
	use(createLog({ write: (line) => lines.push(line) }, level, { forPeople }));
	return lines;
}

/** Values that imitate a line of the log, or move a terminal's cursor. */
const breaks = ['x\r\nforged', 'x\rforged', 'x\u2028forged\u2029forged', 'x\u001b[2Jforged'];
const forgeries = ['x\n{"level":"info","message":"forged"}', ...breaks, 'x" level="error', ''];

describe('a log for programs', () => {
	test('is one JSON object a line, with time, level, message and fields', () => {
		const [line = '', ...others] = linesOf((log) => log.warn('something', { id: 7, list: ['a'], absent: undefined }));
		expect(others).toEqual([]);
		expect(line).toEndWith('\n');
		const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
		expect(JSON.parse(line)).toEqual({ time, level: 'warn', message: 'something', id: 7, list: ['a'] });
	});

	test.each(forgeries)('writes %j on one line', (value) => {
		const [line = ''] = linesOf((log) => log.info('said', { value, nested: { value } }));
		expect(line.match(/[\r\n]/g)).toEqual(['\n']);
		expect(JSON.parse(line)).toMatchObject({ message: 'said', value, nested: { value } });
	});
});

describe('a log for people', () => {
	const line = (fields: Record<string, unknown>) => linesOf((log) => log.error('something', fields), 'debug', true)[0];

	test('is the time of day, the level, the message, and name=value', () => {
		expect(line({ id: 'a-1', status: 200, list: [1, 'x'], absent: undefined, text: 'two words' })).toMatch(
			/^\d\d:\d\d:\d\d ERROR something id=a-1 status=200 list=\[1,"x"\] text="two words"\n$/,
		);
	});

	test.each(forgeries)('writes %j on one line', (value) => {
		const shown = line({ value, nested: { value } }) ?? '';
		expect(shown.match(/\p{Cc}/gu)).toEqual(['\n']);
		expect(shown).toContain(` value=${JSON.stringify(value)} `);
	});

	test('shows the stack of an error', () => {
		const { stack } = new Error('cause');
		expect(line({ error: 'cause', stack })).toMatch(/^\S+ ERROR something error=cause\nError: cause\n {4}at .*\n$/s);
	});
});

test.each([...logLevels])('a log of level %s reports that level and higher ones', (level) => {
	const reported = linesOf((log) => {
		for (const own of ['debug', 'info', 'warn', 'error'] as const) log[own](own);
	}, level).map((line) => JSON.parse(line).level);
	const isHigher = (own: LogLevel) => logLevels.indexOf(own) >= logLevels.indexOf(level);
	expect(reported).toEqual((['debug', 'info', 'warn', 'error'] as const).filter(isHigher));
});

test('the line of a request is written with its answer, which no hook keeps in memory', async () => {
	const lines: string[] = [];
	const app = new Elysia()
		.use(requestLog(createLog({ write: (line) => lines.push(line) }, 'info'), () => ''))
		.get('/now', () => ['a long list'])
		.get('/later', async ({ status }) => status(201, ['a long list']))
		.get('/own', () => Response.json(['a long list'], { status: 401 }));
	for (const path of ['now', 'later', 'own']) await app.handle(new Request(`http://localhost/${path}`));
	expect(lines.map((line) => JSON.parse(line).status)).toEqual([200, 201, 401]);
	expect(app.event.afterResponse).toBeUndefined();
});

describe('lines in batches', () => {
	const turn = () => new Promise((resolve) => setImmediate(resolve));
	/** A writer whose reader takes the next batch on request. */
	function newReader() {
		const written: string[] = [];
		let release = () => {};
		const sink = batchLines((lines) => {
			written.push(lines);
			return new Promise((resolve) => {
				release = resolve;
			});
		}, 10);
		return { written, sink, take: () => release() };
	}

	test('are written at once, in order, at the end of the turn, or by a flush, once', async () => {
		const { written, sink, take } = newReader();
		sink.write('1\n');
		sink.write('2\n');
		expect(written).toEqual([]);
		await turn();
		expect(written).toEqual(['1\n2\n']);
		take();
		sink.write('3\n');
		const flushed = sink.flush();
		await turn();
		take();
		await flushed;
		expect(written).toEqual(['1\n2\n', '3\n']);
	});

	test('beyond the limit are dropped while the reader stalls, and their number is reported', async () => {
		const { written, sink, take } = newReader();
		sink.write('first\n');
		await turn();
		for (const line of ['a234\n', 'b234\n', 'lost\n', 'lost\n', 'lost\n']) sink.write(line);
		await turn();
		expect(written).toEqual(['first\n']);
		take();
		await turn();
		expect(written).toEqual(['first\n', expect.stringMatching(/^a234\nb234\n\{.*"level":"warn".*"count":3\}\n$/)]);
		take();
		sink.write('last\n');
		await turn();
		expect(written.at(-1)).toBe('last\n');
	});
});

describe('a server', () => {
	test('writes one line for each request, with its route, status and account', async () => {
		const folder = await newInstallation();
		const program = await serveHere({ DATA_DIR: folder, ...given });
		const expected: Record<string, unknown>[] = [];

		/** Sends a request and notes the expected log line. @returns the token in the answer */
		async function send(request: string, status: number, known: Record<string, string> = {}, sent: Sent = {}) {
			const [method = '', path = ''] = request.split(' ');
			const answer = await program.send(method, path, sent);
			expect([request, answer.status]).toEqual([request, status]);
			expected.push({ id: answer.headers.get('x-request-id'), method, status, ...known });
			return answer.body?.data?.token;
		}
		const signIn = (door: string, username: string, password: string, status: number) =>
			send(`POST /api/auth/${door}`, status, { route: `/api/auth/${door}` }, { body: { username, password } });
		const phone = '13812345678';

		const token = await signIn('login', 'admin', adminPassword, 200);
		await signIn('admin/login', 'admin', 'a-wrong-password', 401);
		const account = { account: 'SUPER_ADMIN:1' };
		const stores = { ...account, route: '/api/stores' };
		await send('POST /api/stores', 201, stores, { token, body: { name: '甲店' } });
		await send('POST /api/stores', 409, stores, { token, body: { name: '甲店' } });
		await send('POST /api/stores', 400, stores, { token, raw: '{"name":"李四的店"' });
		const employees = { ...account, route: '/api/employees' };
		const employee = { storeId: 1, name: '王芳', phone };
		await send('POST /api/employees', 201, employees, { token, body: employee });
		await send(`GET /api/employees?keyword=${phone}`, 200, employees, { token });
		await send(`GET /api/employees/${phone}x`, 400, { ...account, route: '/api/employees/:id' }, { token });
		await send(`GET /${phone}/${encodeURIComponent('王芳')}`, 404);
		const own = await signIn('employee/login', phone, initialPassword, 200);
		await send('GET /api/employees', 403, { account: 'EMPLOYEE:1', route: '/api/employees' }, { token: own });
		await send('GET /api/stores', 401, { route: '/api/stores' }, { token: 'an.invalid.token' });
		await send('GET /health', 200, { route: '/health' });
		await send('GET /swagger', 200, { route: '/swagger' });
		await send('GET /health', 400, {}, { headers: { host: 'x/y' } });
		await send('POST /api/auth/login', 413, { route: '/api/auth/login' }, { raw: ' '.repeat(1_100_000) });
		// This hidden change makes the next request fail unexpectedly.
		withDatabase(join(folder, 'access.db'), (database) => {
			database.run('pragma busy_timeout = 5000; alter table employee_roles rename to elsewhere');
		});
		const another = { ...employee, phone: '13812345679', roleIds: [1] };
		await send('POST /api/employees', 500, employees, { token, body: another });
		await program.wrote(new RegExp(`"message":"request","id":"${expected.at(-1)?.id}".*\n`));
		await program.end();

		const requests = program.log.filter(({ message }) => message === 'request');
		const common = { level: 'info', message: 'request', ms: expect.any(Number), address: '127.0.0.1' };
		const time = expect.stringMatching(/Z$/);
		expect(requests).toEqual(expected.map((line) => ({ ...line, ...common, time })));
		expect(new Set(requests.map(({ id }) => id)).size).toBe(expected.length);
		const failure = { message: 'request failed', id: expected.at(-1)?.id, error: expect.any(String) };
		expect(program.log.filter(({ level }) => level === 'error')).toEqual([expect.objectContaining(failure)]);
		const personal = `${phone}|王芳|甲店|李四|${initialPassword}|${adminPassword}|invalid`;
		expect(program.output).not.toMatch(new RegExp(personal));
	});

	test('warns once of database files that are gone, and says once that they are back', async () => {
		const folder = await newInstallation();
		const [path, away] = [join(folder, 'access.db'), join(folder, 'away.db')];
		using made = spyOn(refused, 'createRefusedSignIns');
		const program = await serveHere({ DATA_DIR: folder, ...given });
		const recording = spyOn(made.mock.results[0]?.value as refused.RefusedSignIns, 'flush');
		const token = await program.signIn('admin', adminPassword);
		const open = () => program.send('POST', '/api/stores', { token, body: { name: newName('店') } });
		expect((await open()).status).toBe(201);
		renameSync(path, away);
		while ((await open()).status !== 503);
		for (let round = 0; round < 5; round += 1) {
			expect((await open()).status).toBe(503);
			expect((await program.send('GET', '/health')).status).toBe(503);
			expect((await program.send('GET', '/api/stores', { token })).status).toBe(200);
		}
		const wrong = { username: 'admin', password: 'a-wrong-password' };
		expect((await program.send('POST', '/api/auth/login', { body: wrong })).status).toBe(401);
		const tries = recording.mock.calls.length;
		while (recording.mock.calls.length < tries + 2) await Bun.sleep(20);
		renameSync(away, path);
		while ((await program.send('GET', '/health')).status !== 200) await Bun.sleep(50);
		expect((await open()).status).toBe(201);
		await program.end();
		const isNews = ({ message }: { message: string }) =>
			!/^(listening|request|stopping|stopped|programs cannot sign people in.*)$/.test(message);
		const problem = `cannot use ${path}: it was removed or replaced, put it back or restart on a restored one`;
		expect(program.log.filter(isNews).map(({ level, message, problem }) => ({ level, message, problem }))).toEqual([
			{ level: 'warn', message: 'the database cannot be used, changes are answered with 503', problem },
			{ level: 'info', message: 'the database can be used again', problem: undefined },
		]);
	});

	test('stops in order while its files are gone, and leaves them alone', async () => {
		const folder = join(newFolder(), 'data');
		const program = await serveHere({ DATA_DIR: await newInstallation(folder), ...given });
		renameSync(folder, `${folder}-aside`);
		expect([await program.end(), existsSync(folder)]).toEqual([0, false]);
		expect(existsSync(join(`${folder}-aside`, 'access.db'))).toBe(true);
	});

	test('with LOG_LEVEL=debug writes the reasons of a refusal', async () => {
		const program = await serveHere({ DATA_DIR: await newInstallation(), ...given, LOG_LEVEL: 'debug' });
		const { headers } = await program.send('POST', '/api/auth/login', { body: { username: 1, password: 'a-secret' } });
		await program.end();
		const line = { message: 'refused', id: headers.get('x-request-id'), reasons: ['body.username wrong_type'] };
		expect(program.log.filter(({ level }) => level === 'debug')).toMatchObject([line]);
	});

	test('at a terminal writes for people, and shows the passwords that it made, once', async () => {
		const folder = newFolder();
		const start = async () => {
			const shown = await startAtTerminal({ DATA_DIR: folder });
			await fetch(`${shown.url}/api/stores`);
			while (!/ request .*\r\n/.test(shown.output)) await Bun.sleep(5);
			shown.child.kill('SIGTERM');
			expect(await shown.child.exited).toBe(0);
			while (!shown.output.includes('stopped')) await Bun.sleep(5);
			return shown.output.trim().split('\r\n');
		};
		const first = await start();
		const secrets = secretsOf(folder);
		expect(first).toContain(`Administrator: admin, password: ${secrets.ADMIN_PASSWORD}`);
		expect(first).toContain(`Initial employee password: ${secrets.INITIAL_EMPLOYEE_PASSWORD}`);
		expect(first.join()).not.toContain(secrets.JWT_SECRET);
		const request = / INFO {2}request id=\S+ method=GET route=\/api\/stores status=401 ms=\S+ address=127\.0\.0\.1$/;
		expect(first).toContainEqual(expect.stringMatching(request));
		const second = (await start()).join('\n');
		expect(second).not.toContain('password: ');
		for (const secret of Object.values(secrets)) expect(second).not.toContain(String(secret));
	});
});
