/** Whether a secret, or a detail of the implementation, ever leaks. */
import { join } from 'node:path';
import { wireTextOf } from '../connection.ts';
import { exampleOf } from '../contract.ts';
import { totp } from '../totp.ts';
import { doors } from '../world.ts';
import type { Campaign } from './campaign.ts';
import { type Origin, TrappedSite } from './trapped-site.ts';

interface Scale {
	rounds: number;
	/** The installations of each round, by where their secrets come from. */
	origins: readonly Origin[];
	/** Of each operation and door one in so many abuses is tried, of the next one others. */
	everyNth: number;
}

export const canary: Campaign<Scale> = {
	name: 'canary',
	claim: 'no password, token, key, phone or implementation detail leaks into an answer, a log or a file',
	short: { rounds: 1, origins: ['made'], everyNth: 3 },
	full: { rounds: 10, origins: ['given', 'made'], everyNth: 1 },
	async run({ rounds, origins, everyNth }, { report }) {
		const sites: TrappedSite[] = [];
		for (let round = 0; round < rounds; round += 1) {
			sites.push(...(await Promise.all(origins.map((origin) => holdRound(origin, everyNth)))));
			report(`round ${round + 1}: held`);
		}
		const sum = (of: (site: TrappedSite) => number) => sites.reduce((total, site) => total + of(site), 0);
		return {
			installations: sites.length,
			'their secrets': origins.join(', '),
			'answers searched': sum(({ answers }) => answers),
			'searched in all (MB)': Math.round(sum(({ bytes }) => bytes) / 1e6),
			'forms of secrets searched for': sum(({ trap }) => trap.size),
		};
	},
};

async function holdRound(origin: Origin, everyNth: number): Promise<TrappedSite> {
	const site = await TrappedSite.start(origin, everyNth);
	try {
		await useEveryRoute(site);
		await abuseEveryRoute(site);
		await abuseSignIn(site, doors);
		await abuseTheWire(site);
		await useCommands(site, everyNth);
		site.searchEverything('while it runs');
		site.searchCommandLine();
		site.checkCoverage();
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

/** Everything goes well: the ids are those of a new installation. */
async function useEveryRoute(site: TrappedSite): Promise<void> {
	const { ADMIN_PASSWORD: adminPassword, INITIAL_EMPLOYEE_PASSWORD: initialPassword } = site.secrets;
	const phone = '13811112222';
	for (const each of [phone, '13811113333', '13811114444']) site.phones.add(each);
	await site.sendWell('POST', '/api/stores', { name: '东店' });
	await site.sendWell('POST', '/api/stores', { name: '西店', phone: '021-5555' });
	await site.sendWell('PATCH', '/api/stores/2', { address: '西路' });
	await site.sendWell('POST', '/api/roles', { code: 'area', name: '区域' });
	await site.sendWell('POST', '/api/roles', { code: 'gone', name: '区域' });
	await site.sendWell('PATCH', '/api/roles/7', { description: '要走了' });
	await site.sendWell('DELETE', '/api/roles/7');
	await site.sendWell('PUT', '/api/permissions/roles/6', { permissions: ['store:view', 'employee:view:all'] });
	await site.sendWell('POST', '/api/employees', { storeId: 1, name: '王芳', phone, roleIds: [6] });
	await site.sendWell('POST', '/api/employees', { storeId: 1, name: '李伟', phone: '13811113333' });
	await site.sendWell('POST', '/api/employees', { storeId: 2, name: '张敏', phone: '13811114444' });
	await site.sendWell('PATCH', '/api/employees/2', { remark: '好' });
	await site.sendWell('PATCH', '/api/employees/2/status', { status: 'INACTIVE' });
	await site.sendWell('DELETE', '/api/employees/2');
	await site.sendWell('DELETE', '/api/stores/2/employees/3');
	await site.sendWell('DELETE', '/api/stores/2');
	await site.sendWell('POST', '/api/stores', { name: '北店' });
	// biome-ignore lint/suspicious/noThenProperty: a field of the API, and its text is no function.
	await site.sendWell('POST', '/api/stores/3/close', { moveTo: 1, then: 'DELETE' });
	await site.sendWell('POST', '/api/auth/renew');
	const file = 'name,phone,store\n赵丽,13811113333,1\n';
	await site.sendWell('POST', '/api/employees/import?dryRun=true', file, { 'content-type': 'text/csv' });
	await site.sendWell('POST', '/api/employees/import/problems', file, { 'content-type': 'text/csv' });
	const stores = '门店名称\n南店\n';
	await site.sendWell('POST', '/api/stores/import?dryRun=true', stores, { 'content-type': 'text/csv' });
	await site.sendWell('POST', '/api/stores/import/problems', stores, { 'content-type': 'text/csv' });
	await site.sendWell('POST', '/api/employees/2/restore');
	await site.sendWell('POST', '/api/employees/1/roles', { roleId: 3, until: '2999-12-31' });
	const many = { ids: [1, 2], change: { status: 'INACTIVE' } };
	const { groupId } = await site.sendWell('POST', '/api/employees/changes', many);
	await site.sendWell('POST', `/api/employees/changes/${groupId}/undo`);
	// The reads of the document with its examples, whose ids exist by now.
	for (const { path, query } of site.endpoints.filter(({ method }) => method === 'GET').map(exampleOf))
		await site.sendWell('GET', `${path}?${new URLSearchParams(query)}`);
	await site.sendWell('GET', '/swagger');
	await site.sendWell('GET', `/api/employees?keyword=${phone}`);
	await site.sendWell('POST', '/api/auth/login', { username: 'admin', password: adminPassword });
	for (const door of doors) await site.sendWell('POST', door, { username: phone, password: initialPassword });
	const newPassword = site.trap.bait(' 新密码 "\\%');
	await site.sendWell('PATCH', '/api/employees/1/password', { oldPassword: initialPassword, newPassword });
	await site.sendWell('POST', '/api/auth/employee/login', { username: phone, password: newPassword });
	await site.sendWell('PATCH', '/api/employees/1/password/reset');
	const again = { oldPassword: initialPassword, newPassword: site.trap.bait() };
	await site.sendWell('PATCH', '/api/employees/1/password', again);
	await useSecondFactors(site, phone, again.newPassword);
	await useOneTimePasswords(site, phone);
	await useOwnAccount(site, adminPassword);
}

/** Of the administrator, who turns it off, and of an employee whose second factor a manager removes. */
async function useSecondFactors(site: TrappedSite, username: string, ownPassword: string): Promise<void> {
	const { ADMIN_PASSWORD: password } = site.secrets;
	const path = '/api/auth/me/second-factor';
	const enable = async (password: string): Promise<string> => {
		const { secret } = await site.sendWell('POST', path, { password });
		site.trap.add('the key of a second factor', secret);
		const { recoveryCodes } = await site.sendWell('PUT', path, { code: totp(secret, new Date()) });
		for (const code of recoveryCodes) {
			for (const written of [code, code.replaceAll('-', '')]) site.trap.add('a recovery code', written);
		}
		return recoveryCodes[0];
	};
	const code = await enable(password);
	await site.sendWell('DELETE', path, { password, code });
	const { token } = site;
	site.token = (await site.sendWell('POST', '/api/auth/login', { username, password: ownPassword })).token;
	await enable(ownPassword);
	site.token = token;
	await site.sendWell('DELETE', '/api/employees/1/second-factor');
}

/** Nobody sees one but who asked for it, however it is written. */
async function useOneTimePasswords(site: TrappedSite, username: string): Promise<void> {
	const ways = [
		() => site.sendWell('POST', '/api/employees/1/one-time-password'),
		async () => (await site.sendWell('POST', '/api/employees/one-time-passwords', { ids: [1] })).items[0],
	];
	for (const give of ways) {
		const { password } = await give();
		for (const written of [password, password.replaceAll('-', '')]) site.trap.add('a one-time password', written);
		await site.sendWell('POST', '/api/auth/employee/login', { username, password });
	}
}

/** The administrator changes the password there and back, and signs out. */
async function useOwnAccount(site: TrappedSite, ownPassword: string): Promise<void> {
	const passing = site.trap.bait();
	for (const [oldPassword, newPassword] of [
		[ownPassword, passing],
		[passing, ownPassword],
	]) {
		site.token = (await site.sendWell('PATCH', '/api/auth/me/password', { oldPassword, newPassword })).token;
	}
	await site.sendWell('POST', '/api/auth/logout');
	await site.signIn();
}

/** What a careless or hostile client puts where no secret belongs, at every operation of the document. */
async function abuseEveryRoute(site: TrappedSite): Promise<void> {
	for (const { method, template, operation } of site.endpoints) {
		site.beginAbuse();
		await abuseAddress(site, method, template);
		await abuseHeaders(site, method, template);
		if (operation.requestBody) await abuseBody(site, method, template);
		// Its token is gone.
		if (template === '/api/auth/logout') await site.signIn();
	}
}

/** A path of an operation whose ids name nothing that exists. */
const nowhere = (template: string) => template.replaceAll(/\{\w+\}/g, '987654');

async function abuseAddress(site: TrappedSite, method: string, template: string): Promise<void> {
	const { trap, token } = site;
	const bait = encodeURIComponent(trap.bait(' 密&?#"\'<>'));
	const names = ['keyword', 'password', 'token', 'access_token', 'page', 'status', 'storeId', trap.bait()];
	const queries = [...names.map((each) => `${each}=${bait}`), bait, `=${bait}`, `keyword=${trap.bait('%')}`];
	for (const query of queries) await site.abuse({ method, path: `${nowhere(template)}?${query}`, token });
	await site.abuse({ method, path: template.replaceAll(/\{\w+\}/g, trap.bait()), token });
	await site.abuse({ method, path: `${nowhere(template)}/${trap.bait()}`, token });
	await site.abuse({ method, path: `${nowhere(template)}?keyword=${trap.bait()}` });
}

async function abuseHeaders(site: TrappedSite, method: string, template: string): Promise<void> {
	const { trap, token } = site;
	const path = nowhere(template);
	const credentials = [
		`Bearer ${trap.bait()}`,
		`Bearer ${trap.bait()}.${trap.bait()}.${trap.bait()}`,
		`Bearer ${token}${trap.bait()}`,
		`Bearer ${token}, Bearer ${trap.bait()}`,
		`Basic ${Buffer.from(`admin:${trap.bait()}`).toString('base64')}`,
		trap.bait(),
	];
	for (const authorization of credentials) await site.abuse({ method, path, headers: { authorization } });
	const names = ['x-request-id', 'user-agent', 'origin', 'referer', 'cookie', 'x-forwarded-for', 'accept', 'x-api-key'];
	const headers = Object.fromEntries(names.map((name) => [name, trap.bait()]));
	await site.abuse({ method, path, token, headers });
	await site.abuse({ method, path, headers: { ...headers, host: `${trap.bait()}!` } });
	const preflight = {
		...headers,
		'access-control-request-method': trap.bait(),
		'access-control-request-headers': trap.bait(),
	};
	await site.abuse({ method: 'OPTIONS', path, headers: preflight });
}

async function abuseBody(site: TrappedSite, method: string, template: string): Promise<void> {
	const { trap, token } = site;
	const path = nowhere(template);
	const send = (body: unknown, headers: Record<string, string> = {}) =>
		site.abuse({ method, path, token, body, headers });
	const bait = trap.bait(' 密"\\');
	const names = 'username password oldPassword newPassword name code phone status roleIds permissions';
	const fields = names.split(' ');
	await send(Object.fromEntries(fields.map((field) => [field, [bait]])));
	await send(Object.fromEntries(fields.map((field) => [field, { [bait]: bait }])));
	await send(Object.fromEntries(fields.map((field) => [field, bait.repeat(60)])));
	await send({ status: bait, phone: bait, code: bait, roleIds: bait, permissions: [bait], storeId: bait });
	await send({ pasword: bait, oldpassword: bait, new_password: bait, [bait]: bait });
	await send({ password: bait, oldPassword: bait });
	await send([bait]);
	await send(JSON.stringify(bait));
	for (const text of [
		`{"password":"${trap.bait()}"`,
		`{"password":${trap.bait()}}`,
		`${trap.bait()}{`,
		`{"a":"\\u00${trap.bait()}"}`,
	]) {
		await send(text);
		await site.abuse({ method, path, body: text });
	}
	await send({ password: bait, filling: 'x'.repeat(1_100_000) });
	await send({ [bait]: bait.repeat(40_000) });
	const form = `username=admin&password=${trap.bait()}`;
	const types = [
		'application/x-www-form-urlencoded',
		'text/plain',
		'multipart/form-data; boundary=x',
		trap.bait(),
		`application/json; charset=${trap.bait()}`,
	];
	for (const type of types) await send(form, { 'content-type': type });
}

/** Passwords that are wrong, and passwords in the wrong place. */
async function abuseSignIn(site: TrappedSite, paths: readonly string[]): Promise<void> {
	const { trap, secrets } = site;
	const phone = '13811112222';
	const stranger = '13922223333';
	site.phones.add(stranger);
	for (const path of paths) {
		site.beginAbuse();
		const send = (body: unknown) => site.abuse({ method: 'POST', path, body });
		await send({ username: phone, password: trap.bait() });
		await send({ username: stranger, password: trap.bait(' 密') });
		await send({ username: trap.bait(), password: 'admin-or-so' });
		await send({ username: secrets.ADMIN_PASSWORD.slice(0, 50), password: secrets.ADMIN_PASSWORD });
		await send({ username: 'admin', password: secrets.INITIAL_EMPLOYEE_PASSWORD });
		await send({ username: phone, password: trap.bait('x'.repeat(128)) });
		await send({ username: trap.bait('x'.repeat(50)), password: trap.bait() });
		await send({ username: phone, Password: trap.bait(), passwort: trap.bait() });
		await site.abuse({ method: 'POST', path: `${path}?username=${phone}&password=${trap.bait()}` });
	}
	const change = { method: 'PATCH', path: '/api/employees/1/password', token: site.token };
	await site.abuse({ ...change, body: { oldPassword: trap.bait(), newPassword: trap.bait() } });
	await site.abuse({ ...change, body: { oldPassword: trap.bait(), newPassword: trap.bait('x'.repeat(128)) } });
	await site.abuse({ ...change, body: { oldPassword: trap.bait() } });
}

/** Malformed HTTP, and addresses that do not exist. */
async function abuseTheWire(site: TrappedSite): Promise<void> {
	const { trap } = site;
	const address = { method: 'GET', token: site.token };
	for (const path of [
		`/${trap.bait()}`,
		`/api/${trap.bait()}`,
		`/swagger/${trap.bait()}`,
		`//${trap.bait()}/api/stores`,
	]) {
		await site.send({ ...address, path });
	}
	await site.send({ ...address, path: '/api/stores', headers: { 'x-long': trap.bait('x'.repeat(20_000)) } });
	await site.send({ ...address, path: `/api/stores?keyword=${trap.bait('x'.repeat(20_000))}` });
	const whole = wireTextOf({ method: 'GET', path: '/api/stores' });
	for (const text of [
		whole.replace('GET', trap.bait()),
		whole.replace('HTTP/1.1', trap.bait()),
		whole.replace('host:', `${trap.bait()}\r\nhost:`),
		whole.replace('\r\n\r\n', `\r\ncontent-length: ${trap.bait()}\r\n\r\n`),
		whole.replace('\r\n\r\n', `\r\ntransfer-encoding: chunked\r\n\r\n${trap.bait()}\r\n`),
	]) {
		await site.sendText(text);
	}
}

/** The commands, with wrongly given secrets too. At the end the administrator has another password. */
async function useCommands(site: TrappedSite, everyNth: number): Promise<void> {
	const { trap } = site;
	const commands = [
		['backup', join(site.folder, 'copy.db')],
		['check'],
		['history', 'export'],
		['report', 'initial-passwords'],
		['backup'],
		['backup', '--json', join(site.folder, 'other.db')],
		['check', '--json'],
		['history', 'export', '--format', 'jsonl'],
	];
	for (const args of everyNth > 1 ? commands.slice(0, 4) : commands) {
		const { code, stdout, stderr } = await site.run(args);
		if (code !== 0) throw new Error(`access ${args.join(' ')} ended with ${code}: ${stderr}${stdout}`);
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
