/** The OpenAPI document in other tools: a linter, and a generated client in a project of its own. */
import { afterAll, beforeAll, expect, mock, test } from 'bun:test';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as typescript from '@typescript/typescript6';
import type { Document } from './contract.ts';
import { compiled, newFolder, Program, removeFolders, root } from './program.ts';

const passwords = { ADMIN_PASSWORD: 'the-administrators-own', INITIAL_EMPLOYEE_PASSWORD: 'what-everybody-starts-with' };

const folder = newFolder();
let program: Program;
let document: Document;
beforeAll(async () => {
	program = await Program.start({ command: compiled(), cwd: folder, environment: passwords });
	document = (await (await fetch(`${program.url}/swagger/json`)).json()) as Document;
}, 60_000);

afterAll(removeFolders);

/** Runs a tool that the project depends on; what it printed. It gets nothing of the developer's own environment. */
async function run(script: string, args: string[], environment: Record<string, string> = {}) {
	const child = Bun.spawn([process.execPath, join(root, 'node_modules', script), ...args], {
		cwd: folder,
		env: { PATH: process.env.PATH ?? '', HOME: folder, ...environment },
		stdout: 'pipe',
		stderr: 'pipe',
	});
	const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
	return { code: await child.exited, stdout, stderr };
}

test('the document passes the linter without a warning', async () => {
	writeFileSync(join(folder, 'document.json'), JSON.stringify(document, null, '\t'));
	const rules = join(root, 'test/client/redocly.yaml');
	const { stdout, stderr } = await run(
		'@redocly/cli/bin/cli.js',
		['lint', 'document.json', '--config', rules, '--format', 'json'],
		// It would report its use and ask for newer versions otherwise.
		{ REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
	);
	expect(stdout, stderr).toStartWith('{');
	const { problems, totals } = JSON.parse(stdout);
	expect(problems).toEqual([]);
	expect(totals).toEqual({ errors: 0, warnings: 0, ignored: 0 });
}, 30_000);

/** A client program: the README's tour, and mistakes that its compiler has to find. */
const consumer = `
import createClient from 'openapi-fetch';
import type { components, paths } from './api.d.ts';

interface Installation {
	url: string;
	adminPassword: string;
	initialPassword: string;
}

/** The data of an answer, or the message of a refusal. */
function resultOf<Success extends { data: unknown }>(answer: {
	data?: Success;
	error?: components['schemas']['Failure'];
}): Success['data'] | string {
	return answer.data ? answer.data.data : (answer.error?.error.message ?? 'neither data nor error');
}

export async function tour({ url, adminPassword, initialPassword }: Installation): Promise<unknown[]> {
	const visitor = createClient<paths>({ baseUrl: url });
	const signedIn = (token: string | undefined) =>
		createClient<paths>({ baseUrl: url, headers: { authorization: 'Bearer ' + token } });

	const signIn = await visitor.POST('/api/auth/admin/login', { body: { username: 'admin', password: adminPassword } });
	const admin = signedIn(signIn.data?.data.token);
	const me = await admin.GET('/api/auth/me');

	const first = await admin.POST('/api/stores', { body: { name: '人民路店', address: '人民路 1 号' } });
	const second = await admin.POST('/api/stores', { body: { name: '南京路店', phone: '021-12345678' } });
	const stores = await admin.GET('/api/stores');
	const secondId = second.data?.data.id ?? 0;

	const role = await admin.POST('/api/roles', { body: { code: 'area_manager', name: '区域经理' } });
	const roleId = role.data?.data.id ?? 0;
	const policy = await admin.PUT('/api/permissions/roles/{roleId}', {
		params: { path: { roleId } },
		body: { permissions: ['store:view', 'employee:manage'] },
	});

	const managerHired = await admin.POST('/api/employees', {
		body: { storeId: first.data?.data.id ?? 0, name: '王芳', phone: '13800138000', roleIds: [roleId] },
	});
	const cashierHired = await admin.POST('/api/employees', {
		body: { storeId: secondId, name: '李伟', phone: '13900139000', roleIds: [3] },
	});

	const managerCredentials = { username: '13800138000', password: initialPassword };
	const cashierCredentials = { username: '13900139000', password: initialPassword };
	const managerSignIn = await visitor.POST('/api/auth/admin/login', { body: managerCredentials });
	const cashierSignIn = await visitor.POST('/api/auth/employee/login', { body: cashierCredentials });
	const refusedSignIn = await visitor.POST('/api/auth/admin/login', { body: cashierCredentials });
	const manager = signedIn(managerSignIn.data?.data.token);
	const cashier = signedIn(cashierSignIn.data?.data.token);
	const found = await manager.GET('/api/employees', { params: { query: { keyword: '李' } } });
	const cashierAccount = await cashier.GET('/api/auth/me');
	const notPermitted = await cashier.GET('/api/employees');

	const disabled = await admin.PATCH('/api/stores/{id}', {
		params: { path: { id: secondId } },
		body: { status: 'INACTIVE' },
	});
	const ended = await cashier.GET('/api/auth/me');
	const seen = await manager.GET('/api/employees/{id}', {
		params: { path: { id: cashierHired.data?.data.id ?? 0 } },
	});

	return [
		resultOf(me),
		resultOf(first),
		resultOf(second),
		resultOf(stores),
		resultOf(role),
		resultOf(policy),
		resultOf(managerHired),
		resultOf(cashierHired),
		resultOf(refusedSignIn),
		resultOf(found),
		resultOf(cashierAccount),
		resultOf(notPermitted),
		resultOf(disabled),
		resultOf(ended),
		resultOf(seen),
	];
}

/** Never called. */
export async function mistakes(): Promise<void> {
	const api = createClient<paths>();
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
	// @ts-expect-error There is no such permission.
	await api.PUT('/api/permissions/roles/{roleId}', { params: { path: { roleId: 6 } }, body: { permissions: ['*'] } });
	// @ts-expect-error Pages are numbers.
	await api.GET('/api/employees', { params: { query: { page: 'first' } } });
	const { data } = await api.GET('/api/auth/me');
	// @ts-expect-error What is signed in has no such field.
	console.log(data?.data.password);
}
`;

const strict = {
	compilerOptions: {
		target: 'ESNext',
		module: 'ESNext',
		moduleResolution: 'bundler',
		lib: ['ESNext', 'DOM'],
		types: [],
		strict: true,
		noUncheckedIndexedAccess: true,
		exactOptionalPropertyTypes: true,
		noUnusedLocals: true,
		noEmit: true,
		allowImportingTsExtensions: true,
		// The generated types are a library to the compiler.
		skipLibCheck: false,
	},
	include: ['consumer.ts'],
};

test('a client generated from the document compiles in strict mode and runs the tour', async () => {
	// The generator writes with the JavaScript API of TypeScript, which version 7 no longer has.
	mock.module('typescript', () => typescript);
	const { astToString, default: generate } = await import('openapi-typescript');
	writeFileSync(join(folder, 'api.d.ts'), astToString(await generate(JSON.stringify(document))));
	writeFileSync(join(folder, 'consumer.ts'), consumer);
	writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(strict));
	symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
	expect(await run('typescript/bin/tsc', ['--project', folder])).toEqual({ code: 0, stdout: '', stderr: '' });

	const { tour } = await import(join(folder, 'consumer.ts'));
	const results = await tour({
		url: program.url,
		adminPassword: passwords.ADMIN_PASSWORD,
		initialPassword: passwords.INITIAL_EMPLOYEE_PASSWORD,
	});
	expect(results).toEqual([
		expect.objectContaining({ accountType: 'SUPER_ADMIN', permissions: ['*'] }),
		expect.objectContaining({ id: 1, name: '人民路店', address: '人民路 1 号' }),
		expect.objectContaining({ id: 2, name: '南京路店', phone: '021-12345678' }),
		[expect.objectContaining({ id: 1 }), expect.objectContaining({ id: 2 })],
		expect.objectContaining({ code: 'area_manager', isSystem: false }),
		expect.objectContaining({ permissions: ['store:view', 'employee:view:all', 'employee:manage'] }),
		expect.objectContaining({ id: 1, roles: [expect.objectContaining({ code: 'area_manager' })] }),
		expect.objectContaining({ id: 2, roles: [expect.objectContaining({ code: 'cashier' })] }),
		'当前账号没有后台登录权限',
		expect.objectContaining({ items: [expect.objectContaining({ name: '李伟' })] }),
		expect.objectContaining({ accountType: 'EMPLOYEE', storeName: '南京路店', permissions: [] }),
		'没有权限执行此操作',
		expect.objectContaining({ id: 2, status: 'INACTIVE' }),
		'所属门店已被禁用',
		expect.objectContaining({ id: 2, storeStatus: 'INACTIVE' }),
	]);
}, 30_000);
