/** The OpenAPI document in other tools: a linter, and a generated client in a project of its own. */
import { beforeAll, expect, mock, spyOn, test } from 'bun:test';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as typescript from '@typescript/typescript6';
import { skipped, startBrowser } from './chromium.ts';
import { isShort } from './full.ts';
import { expectStatus, initialPassword, newPhone, Service } from './harness.ts';
import type { Body } from './http.ts';
import { removeFoldersAfterAll } from './installation.ts';
import { freePort, newFolder, root, runToEnd } from './program.ts';
import { Server } from './server.ts';
import { csvOf } from './spreadsheets.ts';

const folder = newFolder();
removeFoldersAfterAll();

/** The pages for integrators that have a program. */
const examples = ['till', 'hr', 'sync'];

/** Writes the programs beside their packages: the typed client as `bun add` installs it, but without its types. */
beforeAll(() => {
	for (const name of examples) {
		const page = readFileSync(join(root, `src/docs/integrators/${name}.md`), 'utf8');
		writeFileSync(join(folder, `${name}.ts`), /```ts\n(.*?)```/s.exec(page)?.[1] ?? '');
	}
	const packages = join(folder, 'node_modules');
	const client = join(packages, '@access/client');
	mkdirSync(client, { recursive: true });
	cpSync(join(root, 'src/client'), client, { recursive: true });
	Bun.spawnSync([process.execPath, 'run', 'build'], { cwd: client });
	for (const name of ['openapi-fetch', 'openapi-typescript-helpers', 'openid-client', 'papaparse', '@types'])
		symlinkSync(join(root, 'node_modules', name), join(packages, name));
});

const { text: document } = await (await Service.start()).send('GET', '/swagger/json');

/** Runs a tool that the project depends on. */
function run(script: string, args: string[], environment: Record<string, string> = {}) {
	const command = [process.execPath, join(root, 'node_modules', script), ...args];
	return runToEnd({ command, cwd: folder, environment: { HOME: folder, ...environment } });
}

test('the document passes the linter without a warning', async () => {
	writeFileSync(join(folder, 'document.json'), document);
	const rules = join(root, 'test/client/redocly.yaml');
	const { stdout, stderr } = await run(
		'@redocly/cli/bin/cli.js',
		['lint', 'document.json', '--config', rules, '--format', 'json'],
		// Otherwise the linter would report its use and check for updates.
		{ REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
	);
	expect(stdout, stderr).toStartWith('{');
	const { problems, totals } = JSON.parse(stdout);
	expect(problems).toEqual([]);
	expect(totals).toEqual({ errors: 0, warnings: 0, ignored: 0 });
});

/** A client program with mistakes that the compiler must find; nobody runs it. The programs of the pages are correct. */
const consumer = `
import { createAccess, type Reason } from '@access/client';

export async function mistakes(): Promise<void> {
	const api = createAccess('');
	// @ts-expect-error There is no such reason.
	const reason: Reason = 'too_lazy';
	const path = { id: 1 };
	// @ts-expect-error There is no such path.
	await api.GET('/api/shops');
	// @ts-expect-error There is no such method.
	await api.DELETE('/api/stores');
	// @ts-expect-error A store needs a name.
	await api.POST('/api/stores', { body: { address: '人民路 1 号' } });
	// @ts-expect-error A name is a text.
	await api.PATCH('/api/stores/{id}', { params: { path }, body: { name: 1 } });
	// @ts-expect-error There are two statuses.
	await api.PATCH('/api/employees/{id}', { params: { path }, body: { status: 'CLOSED' } });
	// @ts-expect-error A permission is a text.
	await api.PUT('/api/permissions/roles/{roleId}', { params: { path: { roleId: 6 } }, body: { permissions: [1] } });
	// @ts-expect-error Pages are numbers.
	await api.GET('/api/employees', { params: { query: { page: 'first' } } });
	const { data } = await api.GET('/api/auth/me');
	// @ts-expect-error A sign-in has no such field.
	console.log(data?.data.password, reason);
}
`;

const strict = {
	compilerOptions: {
		target: 'ES2022',
		module: 'ESNext',
		moduleResolution: 'bundler',
		// As new projects of Vite have it.
		lib: ['ES2022', 'DOM'],
		types: [],
		strict: true,
		noUncheckedIndexedAccess: true,
		exactOptionalPropertyTypes: true,
		noUnusedLocals: true,
		noEmit: true,
		allowImportingTsExtensions: true,
		// The compiler treats the generated types as a library, but its own ones need no check.
		skipLibCheck: false,
		skipDefaultLibCheck: true,
	},
	include: ['consumer.ts', ...examples.map((name) => `${name}.ts`)],
};

test('a client generated from the document and the programs of the pages compile in strict mode, and mistakes are found', async () => {
	// The generator writes with the JavaScript API of TypeScript, which version 7 no longer has.
	mock.module('typescript', () => typescript);
	const { astToString, default: generate } = await import('openapi-typescript');
	writeFileSync(join(folder, 'node_modules/@access/client/api.d.ts'), astToString(await generate(document)));
	writeFileSync(join(folder, 'consumer.ts'), consumer);
	writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(strict));
	const compiled = await run('typescript/bin/tsc', ['--project', folder, '--checkers', '1'], { GOGC: 'off' });
	expect(compiled).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('the client is JavaScript: Node strips no types of a package; the answer of a proxy has no reasons', async () => {
	const path = join(folder, 'start.mjs');
	const script = "console.log(typeof createAccess('').GET, reasonsOf('<html>502</html>'));";
	writeFileSync(path, `import { createAccess, reasonsOf } from '@access/client';\n${script}`);
	const started = Bun.spawn([Bun.which('node') ?? process.execPath, path], { stdout: 'pipe' });
	expect(await started.stdout.text()).toBe('function []\n');
});

test('the client sends a file as it is, and everything else as JSON', async () => {
	const { createAccess } = await import(join(folder, 'node_modules/@access/client/index.js'));
	const fetch = async (request: Request) => Response.json(await request.text());
	const { POST } = createAccess('http://localhost', { fetch });
	const bodies = ['name,phone', new Blob(['PK']), { name: '一店' }].map((body) => POST('/api/stores', { body }));
	const sent = (await Promise.all(bodies)).map(({ data }) => data);
	expect(sent).toEqual(['name,phone', 'PK', '{"name":"一店"}']);
});

/** Serves a till's page at its own address. The page shows when it has started. */
async function serveTill(issuer: string): Promise<{ url: string; sign(clientId: string): void; stop(): void }> {
	const path = join(folder, 'till.ts');
	const insecure = 'client.None(), { execute: [client.allowInsecureRequests] })';
	writeFileSync(path, readFileSync(path, 'utf8').replace('client.None())', insecure));
	const { outputs } = await Bun.build({ entrypoints: [path], target: 'browser', format: 'esm' });
	const script = await outputs[0]?.text();
	let id = '';
	const page = () => `<title>till</title><body><script type="module">${script};
		globalThis.ahead = 0;
		globalThis.till = await createTill('${issuer}', '${id}', () => Date.now() + ahead);
		const cashier = await till.start();
		document.body.append(cashier ? 'the cashier is ' + cashier.name : 'nobody is signed in');
	</script>`;
	const headers = { 'content-type': 'text/html; charset=utf-8' };
	const till = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response(page(), { headers }) });
	return {
		url: `${till.url}`,
		sign: (clientId) => {
			id = clientId;
		},
		stop: () => void till.stop(true),
	};
}

test.skipIf(skipped || isShort)('the till of its page works for a day, while the service is killed', async () => {
	const port = freePort();
	const issuer = `http://127.0.0.1:${port}`;
	await Server.with(
		async (server) => {
			await using browser = await startBrowser();
			const tillPage = await serveTill(issuer);
			const program = { name: '收银台', permissions: [], isPublic: true };
			const addresses = { redirectUris: [tillPage.url], signOutUris: [tillPage.url] };
			const made = await server.asSuper('POST', '/api/programs', { ...program, ...addresses });
			tillPage.sign(`program-${expectStatus(made, 201).id}`);
			const page = await browser.newPage();
			/** Returns the till's answer or refusal. */
			const till = (call: string) =>
				page.evaluate(
					`(async () => till.${call})().catch((error) => error.reasons ?? error.constructor.name)`,
				) as Promise<Body>;
			const signIn = async (phone: string, password: string) => {
				await page.evaluate('void till.signIn()');
				await page.getByLabel('用户名或手机号').fill(phone);
				await page.getByLabel('密码', { exact: true }).fill(password);
				await page.getByRole('button', { name: '登录' }).click();
			};
			const shows = (text: string) => page.getByText(text).waitFor();
			const store = await server.addStore();
			for (const code of ['till:refund', 'till:open'] as const) await server.addPoint(code);
			const opening = await server.addRole('till:open');
			const first = await server.addEmployee(store.id, [opening.id], { name: '王芳' });
			const second = await server.addEmployee(store.id, [], { name: '李娜' });
			const manager = await server.addPerson(store.id, 'till:refund');

			await page.goto(tillPage.url);
			await shows('nobody is signed in');
			await signIn(first.phone, 'not-the-password');
			await shows('用户名或密码错误');
			await page.getByLabel('密码', { exact: true }).fill(initialPassword);
			await page.getByRole('button', { name: '登录' }).click();
			await shows('the cashier is 王芳');
			expect([await till("may('till:open')"), await till("may('till:refund')")] as unknown[]).toEqual([true, false]);
			const code = async () => {
				return (await server.read('/api/auth/me/approval-code', manager.token)).code;
			};
			const told = await code();
			const ask = (order: string, digits: string) =>
				till(`ask('till:refund', '${order}', '${manager.phone}', '${digits}')`);
			expect(await ask('A-1024', told)).toMatchObject({ subject: 'A-1024', approvedBy: { id: manager.id } });
			expect(await ask('A-1025', told)).toEqual(['wrong_code']);
			// A token ends when the service says so, whatever the till's clock says.
			await page.evaluate("sessionStorage.session = sessionStorage.session.replace('\"access\":\"', '$&x')");
			await page.reload();
			await shows('the cashier is 王芳');
			const renewed = page.waitForResponse((answer) => answer.url().endsWith('/openid/token'));
			const names = 'Promise.all([till.refresh(), till.refresh()]).then((both) => both.map(({ name }) => name))';
			expect(await page.evaluate(names)).toEqual(['王芳', '王芳']);
			expect((await renewed).status()).toBe(200);

			await server.program.end('SIGKILL');
			expect((await till("may('till:open')")) as unknown).toBe(true);
			for (const call of ['refresh()', "ask('till:refund', 'A-1', '1', '1')"])
				expect([call, await till(call)] as unknown[]).toEqual([call, 'Offline']);
			await page.evaluate('ahead = 131 * 60_000');
			expect((await till("may('till:open')")) as unknown).toBe(false);
			await page.evaluate('ahead = 0');
			await server.restart();
			expect(await till('refresh()')).toMatchObject({ name: '王芳' });
			await page.reload();
			await shows('the cashier is 王芳');
			await page.evaluate('void till.signOut()');
			await shows('nobody is signed in');

			const path = `/api/employees/${second.id}`;
			const { password: slip } = expectStatus(await server.asSuper('POST', `${path}/one-time-password`), 200);
			await signIn(second.phone, slip);
			await page.getByLabel('新密码').fill('shift-after-shift');
			await page.getByRole('button', { name: '保存并继续' }).click();
			await shows('the cashier is 李娜');
			expectStatus(await server.asSuper('PATCH', `${path}/status`, { status: 'INACTIVE' }), 200);
			expect((await till('refresh()')) as unknown).toBe('SignedOut');
			expect((await till('refresh()')) as unknown).toBe('SignedOut');
			tillPage.stop();
		},
		{ PORT: port, PUBLIC_URL: issuer, CORS_ORIGINS: 'dev' },
	);
});

/** Answers requests as a proxy does while the service is away, until it is restored. */
function answerInPlaceOf(path: string) {
	const { fetch } = globalThis;
	const answer = (request: Request) =>
		request.url.includes(path) ? new Response('not here', { status: 404 }) : fetch(request);
	return spyOn(globalThis, 'fetch').mockImplementation((async (request: Request) => answer(request)) as typeof fetch);
}

test('the HR script of its page hires, moves, enables and disables from a file, and goes on wherever it was killed', () =>
	Server.with(async (server) => {
		const { applyFile } = await import(join(folder, 'hr.ts'));
		const [home, other] = [await server.addStore(), await server.addStore()];
		const closed = await server.addStore({ status: 'INACTIVE' });
		const { key } = server.addProgram(['store:view', 'employee:view:all', 'employee:manage']);
		const there = (name: string, status = 'ACTIVE') => server.addEmployee(home.id, [], { name, status });
		const [moving, leaving, back] = [await there('移"动"'), await there('离开'), await there('回来', 'INACTIVE')];
		const twice = newPhone();
		const file = csvOf([
			['phone', 'name', 'store', 'status'],
			[newPhone(), '新人', home.name, 'ACTIVE'],
			[moving.phone, moving.name, other.name, 'ACTIVE'],
			[leaving.phone, leaving.name, closed.name, 'INACTIVE'],
			[back.phone, back.name, other.name, 'ACTIVE'],
			[newPhone(), '早已离职', home.name, 'INACTIVE'],
			[newPhone(), '没有店', closed.name, 'ACTIVE'],
			['139', '号码短', home.name, 'ACTIVE'],
			...['ACTIVE', 'INACTIVE'].map((status) => [twice, '两行', home.name, status]),
			[newPhone(), '拼错', home.name, 'active'],
		]);
		const run = (): AsyncGenerator<string> => applyFile(server.url.replace(/\/$/, ''), key, file);
		const told = async () => (await Array.fromAsync(run())).map((line) => line.replace(/^\d+ /, ''));
		const { fetch } = globalThis;
		const lost = spyOn(globalThis, 'fetch').mockImplementation((async (request: Request) => {
			const answer = await fetch(request);
			if (request.method === 'POST') throw new Error('the connection is lost');
			return answer;
		}) as typeof fetch);
		expect(await run().next().catch(String)).toBe('Error: the connection is lost');
		lost.mockRestore();
		const proxy = answerInPlaceOf('/employees?');
		expect(await run().next().catch(String)).toBe('Error: 404 no answer');
		proxy.mockRestore();
		expect((await run().next()).value).toBe(`${moving.phone} ${moving.name} moved`);
		const wrong = [
			`没有店 left alone: there is no open store ${closed.name}`,
			'号码短 left alone: 请求参数无效; 请输入 11 位手机号',
			...Array(2).fill('两行 left alone: this number has several lines'),
			'拼错 left alone: status is neither ACTIVE nor INACTIVE',
		];
		expect(await told()).toEqual(['离开 disabled', '回来 moved', '回来 enabled', ...wrong]);
		expect(await told()).toEqual(wrong);
		const people = server.rows('select name, store_id, status from employees order by id');
		expect(people.map(({ name, store_id, status }) => [name, store_id, status])).toEqual([
			[moving.name, other.id, 'ACTIVE'],
			['离开', home.id, 'INACTIVE'],
			['回来', other.id, 'ACTIVE'],
			['新人', home.id, 'ACTIVE'],
		]);
		const records = server.rows("select count(*) as total from history where actor_type = 'PROGRAM'");
		expect(records).toEqual([{ total: 4 }]);
	}));

/** The store for the page's sync. It fails after some steps, as if it was killed. */
class KeptCopy {
	readonly things = new Map<string, Body>();
	kept: string | undefined;
	stepsLeft = 0;

	#do(work: () => void): Promise<void> {
		this.stepsLeft -= 1;
		if (this.stepsLeft < 0) return Promise.reject(new Error('killed'));
		return Promise.resolve(work());
	}

	cursor = () => Promise.resolve(this.kept);
	saveCursor = (cursor: string) =>
		this.#do(() => {
			this.kept = cursor;
		});
	put = (kind: string, thing: Body) => this.#do(() => void this.things.set(`${kind} ${thing.id}`, thing));
	remove = (kind: string, id: number) => this.#do(() => void this.things.delete(`${kind} ${id}`));
	ids = (kind: string) => {
		const keys = [...this.things.keys()].filter((key) => key.startsWith(`${kind} `));
		return Promise.resolve(keys.map((key) => Number(key.split(' ')[1])));
	};
}

test('the sync of its page has everybody, wherever it was killed, and after a restore', () =>
	Server.with(async (server) => {
		const { follow } = await import(join(folder, 'sync.ts'));
		const { key } = server.addProgram(['employee:view:all', 'store:view', 'role:view']);
		const copy = new KeptCopy();
		const url = server.url.replace(/\/$/, '');
		const newest = async () => (await server.read('/api/changes?newest=true')).next;
		/** Follows until nothing is left, or until it is killed. */
		async function goOn(): Promise<'killed' | undefined> {
			try {
				if (copy.kept !== (await newest()))
					for await (const _ of follow(url, key, copy)) if (copy.kept === (await newest())) break;
			} catch (error) {
				expect(error).toEqual(new Error('killed'));
				return 'killed';
			}
			return undefined;
		}
		async function expectSame(): Promise<void> {
			for (let steps = 0; ; steps += 1) {
				copy.stepsLeft = steps;
				if ((await goOn()) !== 'killed') break;
			}
			const [stores, roles]: [Body[], Body[]] = [
				await server.read('/api/stores?includeInactive=true'),
				await server.read('/api/roles'),
			];
			const { items } = await server.read('/api/employees?pageSize=100');
			const people = items.map(({ storeName: _, storeStatus: __, statusTags: ___, roles: held, ...own }: Body) => {
				return { ...own, roleIds: held.map(({ id }: Body) => id) };
			});
			const all = Object.entries({ STORE: stores, ROLE: roles, EMPLOYEE: people as Body[] });
			const wanted = new Map(all.flatMap(([kind, some]) => some.map((each) => [`${kind} ${each.id}`, each] as const)));
			expect(copy.things).toEqual(wanted);
		}
		const [home, other] = [await server.addStore(), await server.addStore({ status: 'INACTIVE' })];
		const role = await server.addRole();
		const [one, two, three] = [0, 1, 2].map(() => server.addEmployee(home.id, [role.id]));
		const [leaving, moving, back] = [await one, await two, await three] as [Body, Body, Body];
		await expectSame();
		await server.asSuper('PATCH', `/api/stores/${other.id}`, { status: 'ACTIVE' });
		await server.asSuper('DELETE', `/api/employees/${leaving.id}`);
		await server.asSuper('PATCH', `/api/employees/${moving.id}`, { storeId: other.id, roleIds: [] });
		await server.asSuper('DELETE', `/api/employees/${back.id}`);
		const proxy = answerInPlaceOf('/employees/');
		copy.stepsLeft = 100;
		expect(await follow(url, key, copy).next().catch(String)).toBe('Error: 404 no answer');
		proxy.mockRestore();
		await expectSame();
		await server.asSuper('POST', `/api/employees/${back.id}/restore`);
		await server.asSuper('DELETE', `/api/roles/${role.id}`);
		await expectSame();
		// A restore removes items that only the copy has, without a record of it.
		server.alter((database) => database.run("update installation set token_epoch = 'restored'"));
		copy.things.set('EMPLOYEE 99', { id: 99 });
		await expectSame();
	}));
