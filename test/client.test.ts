/** The OpenAPI document in other tools: a linter, and a generated client in a project of its own. */
import { afterAll, beforeAll, expect, mock, test } from 'bun:test';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as typescript from '@typescript/typescript6';
import type { Document } from './contract.ts';
import { serveHere } from './installation.ts';
import { newFolder, type Program, removeFolders, root } from './program.ts';
import { given, newInstallation } from './server.ts';
import { adminPassword } from './world.ts';

const folder = newFolder();
let program: Program;
let document: Document;
beforeAll(async () => {
	program = await serveHere({ DATA_DIR: await newInstallation(), ...given });
	document = (await (await fetch(`${program.url}/swagger/json`)).json()) as Document;
});

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
});

/** A client program: requests with paths, queries and bodies, and mistakes that its compiler has to find. */
const consumer = `
import createClient from 'openapi-fetch';
import type { components, paths } from './api.d.ts';

interface Installation {
	url: string;
	adminPassword: string;
}

/** The data of an answer, or the message of a refusal. */
function resultOf<Success extends { data: unknown }>(answer: {
	data?: Success;
	error?: components['schemas']['Failure'];
}): Success['data'] | string {
	return answer.data ? answer.data.data : (answer.error?.error.message ?? 'neither data nor error');
}

export async function tour({ url, adminPassword }: Installation): Promise<unknown[]> {
	const visitor = createClient<paths>({ baseUrl: url });
	const signedIn = (token: string | undefined) =>
		createClient<paths>({ baseUrl: url, headers: { authorization: 'Bearer ' + token } });

	const signIn = await visitor.POST('/api/auth/admin/login', { body: { username: 'admin', password: adminPassword } });
	const admin = signedIn(signIn.data?.data.token);
	const me = await admin.GET('/api/auth/me');

	const store = await admin.POST('/api/stores', { body: { name: '人民路店', address: '人民路 1 号' } });
	const stores = await admin.GET('/api/stores');
	const role = await admin.POST('/api/roles', { body: { code: 'area_manager', name: '区域经理' } });
	const roleId = role.data?.data.id ?? 0;
	const policy = await admin.PUT('/api/permissions/roles/{roleId}', {
		params: { path: { roleId } },
		body: { permissions: ['store:view', 'employee:manage'] },
	});
	const storeId = store.data?.data.id ?? 0;
	const refused = await visitor.POST('/api/auth/login', { body: { username: 'admin', password: 'not-the-password' } });
	const found = await admin.GET('/api/employees', { params: { query: { keyword: '李', page: 1 } } });
	const disabled = await admin.PATCH('/api/stores/{id}', {
		params: { path: { id: storeId } },
		body: { status: 'INACTIVE' },
	});

	return [
		...[resultOf(me), resultOf(store), resultOf(stores), resultOf(role), resultOf(policy)],
		...[resultOf(refused), resultOf(found), resultOf(disabled)],
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

test('a client generated from the document compiles in strict mode and works', async () => {
	// The generator writes with the JavaScript API of TypeScript, which version 7 no longer has.
	mock.module('typescript', () => typescript);
	const { astToString, default: generate } = await import('openapi-typescript');
	writeFileSync(join(folder, 'api.d.ts'), astToString(await generate(JSON.stringify(document))));
	writeFileSync(join(folder, 'consumer.ts'), consumer);
	writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(strict));
	symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
	expect(await run('typescript/bin/tsc', ['--project', folder, '--checkers', '1'])).toEqual({
		code: 0,
		stdout: '',
		stderr: '',
	});

	const { tour } = await import(join(folder, 'consumer.ts'));
	const results = await tour({ url: program.url, adminPassword });
	expect(results).toEqual([
		expect.objectContaining({ accountType: 'SUPER_ADMIN', permissions: ['*'] }),
		expect.objectContaining({ id: 1, name: '人民路店', address: '人民路 1 号' }),
		[expect.objectContaining({ id: 1 })],
		expect.objectContaining({ code: 'area_manager', isSystem: false }),
		expect.objectContaining({ permissions: ['store:view', 'employee:view:all', 'employee:manage'] }),
		'用户名或密码错误',
		expect.objectContaining({ items: [] }),
		expect.objectContaining({ id: 1, status: 'INACTIVE' }),
	]);
});
