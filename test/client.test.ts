/** The OpenAPI document in other tools: a linter, and a generated client in a project of its own. */
import { afterAll, expect, mock, test } from 'bun:test';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as typescript from '@typescript/typescript6';
import { expectStatus, initialPassword, Service } from './harness.ts';
import { newFolder, removeFolders, root } from './program.ts';
import { Server } from './server.ts';

const folder = newFolder();
const page = join(root, 'src/openapi/till.md');
afterAll(removeFolders);

const { text: document } = await (await Service.start()).send('GET', '/swagger/json');

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
	writeFileSync(join(folder, 'document.json'), document);
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

/** A client program that nobody runs: requests with paths, queries and bodies, and mistakes that its compiler has to find. */
const consumer = `
import createClient from 'openapi-fetch';
import type { components, paths } from './api.d.ts';

/** The data of an answer, or the message of a refusal. */
function resultOf<Success extends { data: unknown }>(answer: {
	data?: Success;
	error?: components['schemas']['Failure'];
}): Success['data'] | string {
	return answer.data ? answer.data.data : (answer.error?.error.message ?? 'neither data nor error');
}

export async function tour(): Promise<unknown[]> {
	const api = createClient<paths>();
	const signIn = await api.POST('/api/auth/admin/login', { body: { username: 'admin', password: 'a-password' } });
	const token: string | undefined = signIn.data?.data.token;
	const store = await api.POST('/api/stores', { body: { name: token ?? '人民路店', address: null } });
	const roleId: number = (await api.POST('/api/roles', { body: { code: 'area', name: '区域' } })).data?.data.id ?? 0;
	const body = { permissions: ['store:view', 'employee:manage'] } as const;
	const policy = await api.PUT('/api/permissions/roles/{roleId}', {
		params: { path: { roleId } },
		body: { permissions: [...body.permissions] },
	});
	const found = await api.GET('/api/employees', { params: { query: { keyword: '李', page: 1 } } });
	return [resultOf(store), resultOf(await api.GET('/api/stores')), resultOf(policy), resultOf(found)];
}

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
	// @ts-expect-error A permission is a text.
	await api.PUT('/api/permissions/roles/{roleId}', { params: { path: { roleId: 6 } }, body: { permissions: [1] } });
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
	include: ['consumer.ts', 'till.ts'],
};

test('a client generated from the document and the till of its page compile in strict mode, and mistakes are found', async () => {
	// The generator writes with the JavaScript API of TypeScript, which version 7 no longer has.
	mock.module('typescript', () => typescript);
	const { astToString, default: generate } = await import('openapi-typescript');
	writeFileSync(join(folder, 'api.d.ts'), astToString(await generate(document)));
	writeFileSync(join(folder, 'consumer.ts'), consumer);
	writeFileSync(join(folder, 'till.ts'), /```ts\n(.*?)```/s.exec(readFileSync(page, 'utf8'))?.[1] ?? '');
	writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(strict));
	symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
	expect(await run('typescript/bin/tsc', ['--project', folder, '--checkers', '1'])).toEqual({
		code: 0,
		stdout: '',
		stderr: '',
	});
});

test('the till of its page signs a cashier in, checks a point and asks a manager', () =>
	Server.with(async (server) => {
		const { createTill, Refused } = await import(join(folder, 'till.ts'));
		const store = await server.addStore();
		await server.addPoint('till:refund');
		const [asking, manager] = [await server.addPerson(store.id), await server.addPerson(store.id, 'till:refund')];
		const till = createTill(server.url.replace(/\/$/, ''));
		const cashier = await till.signIn(asking.phone, initialPassword);
		expect(cashier.may('till:refund')).toBe(false);
		expect((await till.signIn(manager.phone, initialPassword)).may('till:refund')).toBe(true);
		const answer = await server.send('GET', '/api/auth/me/approval-code', { token: manager.token });
		const { code } = expectStatus(answer, 200);
		const approval = await cashier.ask('till:refund', 'A-1024', manager.phone, code);
		expect(approval).toMatchObject({ permission: 'till:refund', subject: 'A-1024', approvedBy: { id: manager.id } });
		const again = cashier.ask('till:refund', 'A-1025', manager.phone, code);
		expect(await again.catch((error: unknown) => error)).toEqual(new Refused('授权码无效'));
	}));
