/** Tests whether a secret or an implementation detail ever leaks. */

import { join } from 'node:path';
import type { WireRequest } from '../connection.ts';
import { totp } from '../totp.ts';
import { doors } from '../world.ts';
import type { Campaign } from './campaign.ts';
import { type Trap, TrappedSite } from './trapped-site.ts';

type Part = Partial<WireRequest>;

interface Scale {
	/** Sends only every nth of the requests that abuse an operation. */
	everyNth: number;
}

export const canary: Campaign<Scale> = {
	name: 'canary',
	claim: 'no password, token, key, phone or implementation detail leaks into an answer, a log or a file',
	short: { everyNth: 5 },
	full: { everyNth: 1 },
	async run({ everyNth }) {
		const { answers, bytes, trap } = await hold(everyNth);
		return {
			'answers searched': answers,
			'searched in all (MB)': Math.round(bytes / 1e6),
			'forms of secrets searched for': trap.size,
		};
	},
};

async function hold(everyNth: number): Promise<TrappedSite> {
	const site = await TrappedSite.start();
	try {
		await useSecrets(site);
		await abuseEveryRoute(site, everyNth);
		await abuseSignIn(site, doors);
		await useCommands(site);
		site.searchEverything('while it runs');
		await site.program.end('SIGTERM');
		site.searchEverything('after a stop');
		await site.restart();
		await abuseSignIn(site, doors.slice(1, 2));
		await site.program.end('SIGKILL');
		site.searchEverything('after a kill');
		return site;
	} finally {
		await site.program.end('SIGKILL');
	}
}

/** Uses every operation that makes, takes or shows a secret or a phone. The ids are those of a new installation. */
async function useSecrets(site: TrappedSite): Promise<void> {
	const { ADMIN_PASSWORD: adminPassword, INITIAL_EMPLOYEE_PASSWORD: initialPassword } = site.secrets;
	await site.sendWell('POST', '/api/stores', { name: '东店' });
	const phone = await hire(site, '王芳', 1);
	const file = 'name,phone,store\n赵丽,13811113333,1\n';
	site.phones.add('13811113333');
	await site.sendWell('POST', '/api/employees/import', file, { 'content-type': 'text/csv' });
	await site.sendWell('GET', `/api/employees?keyword=${phone}`);
	await site.sendWell('GET', `/api/employees/export?format=csv&keyword=${phone}`);
	await site.sendWell('POST', '/api/auth/login', { username: 'admin', password: adminPassword });
	await site.sendWell('POST', '/api/auth/renew');
	for (const door of doors) await site.sendWell('POST', door, { username: phone, password: initialPassword });
	const newPassword = site.trap.bait(' 新密码 "\\%');
	await site.sendWell('PATCH', '/api/employees/1/password', { oldPassword: initialPassword, newPassword });
	await site.sendWell('POST', '/api/auth/employee/login', { username: phone, password: newPassword });
	await site.sendWell('PATCH', '/api/employees/1/password/reset');
	const again = { oldPassword: initialPassword, newPassword: site.trap.bait() };
	await site.sendWell('PATCH', '/api/employees/1/password', again);
	await usePrograms(site);
	await useSecondFactors(site, phone, again.newPassword);
	await useApprovals(site);
	await site.sendWell('POST', '/api/employees/1/one-time-password');
	const [{ password }] = (await site.sendWell('POST', '/api/employees/one-time-passwords', { ids: [1] })).items;
	await site.sendWell('POST', '/api/auth/employee/login', { username: phone, password });
	await site.sendWell('GET', '/api/history?pageSize=100');
	// To a new password and back.
	const passing = site.trap.bait();
	for (const [oldPassword, newPassword] of [
		[adminPassword, passing],
		[passing, adminPassword],
	]) {
		site.token = (await site.sendWell('PATCH', '/api/auth/me/password', { oldPassword, newPassword })).token;
	}
	await site.sendWell('POST', '/api/auth/logout');
	await site.signIn();
}

/** Hires into the first store, and returns the phone. */
async function hire(site: TrappedSite, name: string, ...roleIds: number[]): Promise<string> {
	const phone = `1381111${2000 + site.phones.size}`;
	site.phones.add(phone);
	await site.sendWell('POST', '/api/employees', { storeId: 1, name, phone, roleIds });
	return phone;
}

async function usePrograms(site: TrappedSite): Promise<void> {
	const endsOn = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
	const { token } = site;
	const permissions = ['store:view', 'employee:view:all'];
	const made = await site.sendWell('POST', '/api/programs', { name: '同步', permissions, endsOn });
	site.token = (await site.sendWell('POST', `/api/programs/${made.id}/key`)).key;
	await site.sendWell('GET', '/api/stores');
	const { items } = await site.sendWell('GET', '/api/changes?limit=1000');
	if (items.length === 0) throw new Error('the feed says nothing');
	site.token = token;
}

/** A cashier asks for an approval, and a manager gives it. */
async function useApprovals(site: TrappedSite): Promise<void> {
	const { token } = site;
	const permission = 'till:refund';
	await site.sendWell('POST', '/api/permissions/points', { code: permission, title: '退款' });
	const role = await site.sendWell('POST', '/api/roles', { code: 'refunds', name: '退款' });
	await site.sendWell('PUT', `/api/permissions/roles/${role.id}`, { permissions: [permission] });
	const [asker, approver] = [await hire(site, '收银员', role.id), await hire(site, '店长', role.id)];
	const signIn = async (username: string) => {
		const password = site.secrets.INITIAL_EMPLOYEE_PASSWORD;
		site.token = (await site.sendWell('POST', '/api/auth/employee/login', { username, password })).token;
	};
	await signIn(approver);
	const { code } = await site.sendWell('GET', '/api/auth/me/approval-code');
	await signIn(asker);
	await site.sendWell('POST', '/api/approvals', { permission, subject: 'A-1024', approver, code });
	site.token = token;
}

/** Uses second factors: the administrator turns theirs off, and a manager removes an employee's. */
async function useSecondFactors(site: TrappedSite, username: string, ownPassword: string): Promise<void> {
	const { ADMIN_PASSWORD: password } = site.secrets;
	const path = '/api/auth/me/second-factor';
	const enable = async (password: string): Promise<string> => {
		const { secret } = await site.sendWell('POST', path, { password });
		return (await site.sendWell('PUT', path, { code: totp(secret, new Date()) })).recoveryCodes[0];
	};
	const renewed = { password, code: await enable(password) };
	const { recoveryCodes } = await site.sendWell('POST', `${path}/recovery-codes`, renewed);
	await site.sendWell('DELETE', path, { password, code: recoveryCodes[0] });
	const { token } = site;
	site.token = (await site.sendWell('POST', '/api/auth/login', { username, password: ownPassword })).token;
	await enable(ownPassword);
	site.token = token;
	await site.sendWell('DELETE', '/api/employees/1/second-factor');
}

/** Puts secrets where none belongs, as a careless or hostile client would, at every operation of the document. */
async function abuseEveryRoute(site: TrappedSite, everyNth: number): Promise<void> {
	const { trap } = site;
	let made = 0;
	for (const { method, template, operation } of site.endpoints) {
		const path = template.replaceAll(/\{\w+\}/g, '987654');
		const requests: Part[] = [
			...addressesWith(trap, path),
			...headersWith(trap, site.token),
			{ path: template.replaceAll(/\{\w+\}/g, trap.bait()) },
			...(operation.requestBody ? bodiesWith(trap) : []),
		];
		for (const request of requests) {
			made += 1;
			if (made % everyNth === 0) await site.send({ method, path, token: site.token, ...request });
		}
		// The token has ended.
		if (template === '/api/auth/logout') await site.signIn();
	}
}

function addressesWith(trap: Trap, path: string): Part[] {
	const names = ['keyword', 'password', 'token', 'access_token', 'page', 'status', 'storeId', trap.bait()];
	const query = names.map((name) => `${name}=${encodeURIComponent(trap.bait(' 密&?#"\'<>'))}`).join('&');
	return [`?${query}`, `?keyword=${trap.bait('%')}`, `/${trap.bait()}`].map((more) => ({ path: path + more }));
}

function headersWith(trap: Trap, token: string): Part[] {
	const credentials = [
		`Bearer ${trap.bait()}.${trap.bait()}.${trap.bait()}`,
		`Bearer ${token}${trap.bait()}`,
		`Bearer access_${trap.bait()}`,
		`Basic ${Buffer.from(`admin:${trap.bait()}`).toString('base64')}`,
	];
	const names = ['x-request-id', 'user-agent', 'origin', 'referer', 'cookie', 'x-forwarded-for', 'accept', 'x-api-key'];
	const headers = Object.fromEntries(names.map((name) => [name, trap.bait()]));
	const asked = { 'access-control-request-method': trap.bait(), 'access-control-request-headers': trap.bait() };
	return [
		...credentials.map((authorization) => ({ token: undefined, headers: { authorization } })),
		{ headers },
		{ headers: { ...headers, host: `${trap.bait()}!` } },
		{ method: 'OPTIONS', headers: { ...headers, ...asked } },
	];
}

function bodiesWith(trap: Trap): Part[] {
	// Too long for the name of an area or an administrator: a valid name would be created, and returned in the answer.
	const bait = trap.bait(' 密"\\'.padEnd(40, 'x'));
	const fields = 'username password oldPassword newPassword name code phone status roleIds permissions'.split(' ');
	const filled = (value: unknown) => ({ ...Object.fromEntries(fields.map((field) => [field, value])), [bait]: bait });
	const form = `username=admin&password=${trap.bait()}`;
	return [
		filled(bait),
		filled([bait]),
		filled({ [bait]: bait }),
		filled(bait.repeat(60)),
		[bait],
		`{"password":"${trap.bait()}"`,
		`${trap.bait()}{`,
		`{"a":"\\u00${trap.bait()}"}`,
		{ [bait]: bait.repeat(40_000) },
	]
		.map((body): Part => ({ body }))
		.concat(['text/plain', trap.bait()].map((type) => ({ body: form, headers: { 'content-type': type } })));
}

/** Sends wrong passwords, and passwords in the wrong place. */
async function abuseSignIn(site: TrappedSite, paths: readonly string[]): Promise<void> {
	const { trap, secrets } = site;
	const [phone, stranger] = ['13811112222', '13922223333'];
	site.phones.add(stranger);
	for (const path of paths) {
		for (const body of [
			{ username: phone, password: trap.bait() },
			{ username: stranger, password: trap.bait(' 密') },
			{ username: trap.bait(), password: 'admin-or-so' },
			{ username: secrets.ADMIN_PASSWORD.slice(0, 50), password: secrets.ADMIN_PASSWORD },
			{ username: 'admin', password: secrets.INITIAL_EMPLOYEE_PASSWORD },
			{ username: phone, Password: trap.bait(), passwort: trap.bait() },
		])
			await site.send({ method: 'POST', path, body });
		await site.send({ method: 'POST', path: `${path}?username=${phone}&password=${trap.bait()}` });
	}
	const body = { oldPassword: trap.bait(), newPassword: trap.bait() };
	await site.send({ method: 'PATCH', path: '/api/employees/1/password', token: site.token, body });
}

/** Runs the commands, also with misplaced secrets. At the end the administrator has another password. */
async function useCommands(site: TrappedSite): Promise<void> {
	const { trap } = site;
	const backup = `backup ${join(site.folder, 'copy.db')}`;
	for (const line of [backup, 'check --json', 'history export --format jsonl', 'report initial-passwords']) {
		const { code, stdout, stderr } = await site.run(line.split(' '));
		if (code !== 0) throw new Error(`access ${line} ended with ${code}: ${stderr}${stdout}`);
	}
	const wrong = [
		{ JWT_SECRET: trap.bait().slice(0, 30) },
		{ ADMIN_PASSWORD: trap.bait('x'.repeat(128)) },
		{ INITIAL_EMPLOYEE_PASSWORD: trap.bait('x'.repeat(128)), PORT: 'no port' },
		{ ADMIN_PASSWORD: trap.bait(), DATA_DIR: '/proc/nowhere' },
		{ ADMIN_PASSWORD: trap.bait() },
	];
	for (const environment of wrong) {
		const { code } = await site.run(['serve'], { environment });
		if (code !== 1) throw new Error(`a start with ${Object.keys(environment)} wrong ended with ${code}`);
	}
	await site.run(['admin', 'reset-password', '--stdin'], { input: `${trap.bait('x'.repeat(128))}\n` });
	const { code } = await site.run(['admin', 'reset-password', '--stdin'], { input: `${trap.bait(' 新"\\')}\n` });
	if (code !== 0) throw new Error('access admin reset-password --stdin failed');
}
