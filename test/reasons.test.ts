/** The reasons of refusals, and their English. Those of business rules are in `ruleRefusals` of oracle.ts. */
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reasonCodes, reasons } from '../src/platform/vocabulary/reasons.ts';
import { adminPassword, adminUsername, expectStatus, initialPassword, newPhone, Service } from './harness.ts';
import type { Body, Sent } from './http.ts';
import { csvType } from './oracle.ts';

const service = await Service.start();
const store = await service.addStore({ name: 'First' });
const closed = await service.addStore({ name: 'Closed', status: 'INACTIVE' });
const shop = await service.addStore({ name: 'Shop' });
const role = await service.addRole('store:view');
const cashier = await service.addPerson(shop.id);
const lead = await service.addPerson(shop.id, 'employee:manage', 'employee:view:store');
await service.addPoint('till:refund');
const boss = await service.addPerson(shop.id, 'role:view');
const ann = await service.addEmployee(store.id, [], { name: 'Ann' });
const former = await service.addEmployee(shop.id);
await service.asSuper('DELETE', `/api/employees/${former.id}`);
service.restoreBeforeEachTest();

const inDays = (days: number) => new Date(service.time.getTime() + days * 86_400_000).toISOString().slice(0, 10);
const hire = { storeId: store.id, name: 'Bo', phone: newPhone() };
const program = { name: 'Payroll', permissions: ['store:view'], endsOn: inDays(9) };
const ask = { permission: 'till:refund', subject: 'A-1', approver: ann.phone, code: '000000' };
const many = Array.from({ length: 21 }, (_, index) => index + 1);
const signIn = (username: string, password: string) => ({ body: { username, password } });
const form = { raw: 'name=New', contentType: 'application/x-www-form-urlencoded' };
const compressed = { raw: Bun.gzipSync('{}'), headers: { 'content-encoding': 'gzip' } };
const file = (text: string) => ({ raw: text, contentType: csvType });
const versioned = (tag: string) => ({ body: { name: 'Bo' }, headers: { 'if-match': tag } });
const twoChanges = { status: 'ACTIVE', storeId: 1 };
const unknown = { body: { permissions: ['stores:view'] } };

/** A wrong call, and the start of its detail: the path, the reason and the parameters of the reason. */
type Call = [request: string, detail: string, sent: Sent];

const { token } = cashier;
const asLead = { token: lead.token };
const person = `employees/${cashier.id}`;
const read = (path: string, detail: string): Call => [`GET ${path}`, detail, {}];
const post = (path: string, body: unknown, detail: string): Call => [`POST /api/${path}`, detail, { body }];
const patch = (path: string, body: unknown, detail: string): Call => [`PATCH /api/${path}`, detail, { body }];

const strangers: Call[] = [
	['GET /api/stores', 'headers.authorization token_', { token: '' }],
	['GET /api/stores', 'headers.authorization token_missing', { token: '', headers: { authorization: 'access_none' } }],
	['GET /api/stores', 'headers.authorization token_invalid', { token: 'a.b.c' }],
	['GET /api/stores', 'headers.authorization key_invalid', { token: 'access_none' }],
	['POST /api/auth/login', ' wrong_credentials', signIn('admin', 'a wrong one')],
	['POST /api/auth/login', 'body.password too_short minimum=8', signIn('admin', 'short')],
	['POST /api/auth/login', 'body.username required', { body: { name: 'admin' } }],
	['POST /api/auth/login', 'account.permissions no_back_office', signIn(ann.phone, initialPassword)],
	['POST /api/auth/employee/login', ' wrong_credentials', signIn(adminUsername, adminPassword)],
];

const forbidden: Call[] = [
	['GET /api/stores', 'account.permissions missing_permission permission=store:view', { token }],
	['GET /api/employees', 'account.permissions missing_any_permission permissions=employee:view:all|', { token }],
	['POST /api/approvals', 'account.permissions only_for_employees', { body: ask }],
	['POST /api/approvals', 'body.code wrong_code', { token, body: ask }],
	[`GET /api/employees/${ann.id}`, 'params.id out_of_reach', asLead],
	[`DELETE /api/stores/1/employees/${ann.id}`, 'params.storeId out_of_reach', asLead],
	[`DELETE /api/stores/3/employees/${boss.id}`, 'params.employeeId missing_rights missing=role:view', asLead],
	[`POST /api/employees/${former.id}/restore?storeId=1`, 'query.storeId out_of_reach', asLead],
	['POST /api/employees', 'body.storeId out_of_reach', { ...asLead, body: hire }],
	[`PATCH /api/${person}`, 'body.storeId out_of_reach', { ...asLead, body: { storeId: 1 } }],
	[`PATCH /api/${person}`, 'body.roleIds missing_rights missing=store:view|', { ...asLead, body: { roleIds: [1] } }],
];

const addresses: Call[] = [
	read('/api/stores/999', ' not_found'),
	read('/api/stores/first', 'params.id wrong_type expected=integer'),
	read('/api/stores/0', 'params.id out_of_range minimum=1'),
	read('/api/employees?page=0', 'query.page out_of_range minimum=1'),
	read('/api/stores?pageSize=1000', 'query.pageSize out_of_range minimum=1 limit=100'),
	read('/api/employees?status=active', 'query.status not_one_of allowed=ACTIVE|INACTIVE'),
	read('/api/stores?includeInactive=yes', 'query.includeInactive wrong_type expected=boolean'),
	read('/api/employees?keyword=', 'query.keyword blank'),
	read('/api/stores?include=areas', 'query.include not_one_of allowed=area'),
	read('/api/history?from=1.2.2027', 'query.from wrong_format expected='),
];

const bodies: Call[] = [
	post('stores', [], 'body wrong_type expected=object'),
	['POST /api/stores', 'headers.content-type wrong_content_type allowed=application/json', form],
	['POST /api/stores', 'headers.content-type not_utf8', { raw: '{}', contentType: 'application/json; charset=GBK' }],
	['POST /api/stores', 'headers.content-encoding encoded_body', compressed],
	['POST /api/stores', 'body invalid_json_at line=1 column=10', { raw: '{"name": }' }],
	post('stores', {}, 'body.name required'),
	post('stores', { name: 1 }, 'body.name wrong_type expected=string'),
	post('stores', { name: 'x'.repeat(101) }, 'body.name too_long limit=100'),
	post('stores', { name: ' ' }, 'body.name blank'),
	post('stores', { name: 'a\nb' }, 'body.name control_character'),
	post('stores', { name: 'a\u200bb' }, 'body.name hidden_character'),
	post('stores', { name: 'New', status: null }, 'body.status not_one_of allowed=ACTIVE|INACTIVE'),
	patch(`stores/${store.id}`, {}, 'body needs_one_field allowed=name|address|phone'),
	[`DELETE /api/stores/${store.id}`, 'params.id in_use count=1', {}],
	post('employees', { ...hire, storeId: '1' }, 'body.storeId wrong_type expected=integer'),
	post('employees', { ...hire, storeId: 999 }, 'body.storeId store_not_found'),
	post('employees', { ...hire, storeId: closed.id }, 'body.storeId store_inactive'),
	post('employees', { ...hire, phone: '138-0013-8000' }, 'body.phone wrong_format expected=A mobile number'),
	post('employees', { ...hire, roleIds: 1 }, 'body.roleIds wrong_type expected=array'),
	post('employees', { ...hire, roleIds: many }, 'body.roleIds too_many limit=20'),
	post('stores/changes', { ids: [], change: { areaId: null } }, 'body.ids too_few minimum=1'),
	patch(person, { leavesOn: '1.2.2027' }, 'body.leavesOn wrong_format expected=The last day'),
	[`PATCH /api/${person}`, 'headers.if-match wrong_format expected=The ETag', versioned('x')],
	[`PATCH /api/${person}`, ' changed', versioned('"x"')],
	post('employees/changes', { ids: [1], change: twoChanges }, 'body.change takes_one_field allowed=storeId|status'),
	post('employees/changes', { ids: [1, 1], change: { status: 'ACTIVE' } }, 'body.ids repeated'),
	post('roles', { code: 'Lead', name: 'Lead' }, 'body.code wrong_format expected=1 to 50 characters'),
	[`PUT /api/permissions/roles/${role.id}`, 'body.permissions.0 not_one_of allowed=store:view|store:manage', unknown],
	post('employees/import', {}, 'body wrong_content_type allowed=text/csv|'),
	['POST /api/employees/import', 'body headings_missing allowed=phone|store', file('name,tel\nBo,1')],
	['POST /api/employees/import?only=2-9', 'query.only wrong_format expected=1 to 500, separated by commas.', file('')],
	['POST /api/employees/import', 'lines.2.phone wrong_format expected=', file('name,phone,store\nBo,1,First')],
];

/** A detail as its path, its reason and its parameters. */
const shown = ({ path = '', reason, message: _, ...rest }: Body): string => {
	const parameters = Object.entries(rest).map(([name, value]) => `${name}=${[value].flat().join('|')}`);
	return [path, reason, ...parameters].join(' ');
};

describe('the answer tells how to correct a wrong call:', () => {
	test.each([...strangers, ...forbidden, ...addresses, ...bodies])('%s: %s', async (request, detail, sent) => {
		const [method = '', path = ''] = request.split(' ');
		const headers = { ...sent.headers, 'accept-language': 'en' };
		const answer = await service.send(method, path, { token: service.superToken, ...sent, headers });
		const { message, details } = answer.body.error;
		expect(shown(details[0])).toStartWith(detail);
		expect([message, ...details.map((each: Body) => each.message)].join()).not.toMatch(/\p{Script=Han}/u);
		expect(answer.headers.get('vary')?.match(/accept-language/g)).toHaveLength(1);
	});
});

describe('the holder of a formerly genuine token or key learns why it is refused:', () => {
	const expectReason = async (given: string, reason: string) => {
		const { status, body } = await service.as(given, 'GET', '/api/permissions/me');
		expect([status, body.error.message]).toEqual([401, '未登录或登录已失效']);
		expect(shown(body.error.details[0])).toBe(`headers.authorization ${reason}`);
	};
	const ofPerson: [what: string, end: () => Promise<unknown> | unknown, reason: string][] = [
		['a token that has expired', () => service.tick(7200), 'token_expired'],
		['a token that was signed out', () => service.as(token, 'POST', '/api/auth/logout'), 'token_ended'],
		['a token before a reset', () => service.asSuper('PATCH', `/api/${person}/password/reset`), 'token_ended'],
		['a token of a deleted account', () => service.asSuper('DELETE', `/api/${person}`), 'account_gone'],
	];
	test.each(ofPerson)('%s', async (_, end, reason) => {
		await end();
		await expectReason(token, reason);
	});

	const renew = (id: number, query = '') => service.asSuper('POST', `/api/programs/${id}/key${query}`);
	const ofProgram: [what: string, end: (id: number) => Promise<unknown> | unknown, reason: string][] = [
		['a key after its last day', () => service.tick(11 * 86_400), 'key_ended'],
		['a key that was replaced at once', (id) => renew(id, '?at=once'), 'key_ended'],
		['a key that was deleted', (id) => service.asSuper('DELETE', `/api/programs/${id}`), 'key_invalid'],
		['a key that was replaced an hour ago', (id) => renew(id).then(() => service.tick(3600)), 'key_ended'],
	];
	test.each(ofProgram)('%s', async (_, end, reason) => {
		const { id, key } = expectStatus(await service.asSuper('POST', '/api/programs', program), 201);
		await service.read('/api/permissions/me', key);
		await end(id);
		await expectReason(key, reason);
	});

	test('a forged token that has expired is only invalid, as every other one is', async () => {
		const forged = `${token.slice(0, -4)}AAAA`;
		service.tick(7200);
		await expectReason(forged, 'token_invalid');
	});
});

const languages: [accepted: string, isEnglish: boolean][] = [
	['en', true],
	['EN', true],
	// Browsers send these by themselves.
	['en-US,en;q=0.9', false],
	['en-US', false],
	['zh-CN,zh;q=0.9,en;q=0.8', false],
	['', false],
	['*', false],
	['de', false],
	['en;q=0', false],
	['eng', false],
];
test.each(languages)('with Accept-Language: %s, a refusal is in English: %p', async (accepted, isEnglish) => {
	const headers = { 'accept-language': accepted };
	const { body } = await service.send('GET', '/api/stores/999', { token: service.superToken, headers });
	expect(body.error.message).toBe(isEnglish ? 'It does not exist.' : '门店不存在');
});

test('the problems of a file have their words too, and are in English on request', async () => {
	const lines = file('name,phone,store\nBo,1,Nowhere');
	const headers = { 'accept-language': 'en' };
	const path = '/api/employees/import?dryRun=true';
	const answer = await service.send('POST', path, { token: service.superToken, headers, ...lines });
	const { problems } = expectStatus(answer, 200);
	expect(problems.map(({ column, code, reason }: Body) => [column, code, reason])).toEqual([
		['phone', 'wrong_format', expect.stringMatching(/^It is not in the right form. Expected: A mobile number/)],
		['store', 'store_not_found', 'The store does not exist.'],
	]);
});

describe('the list of reasons', () => {
	test('is in the document, each with its text', () => {
		const { enum: listed, description } = service.contract?.document.components.schemas.Reason ?? {};
		expect(listed).toEqual(reasonCodes);
		for (const [code, text] of Object.entries(reasons)) expect(description).toContain(`| ${code} | ${text} |`);
	});

	test('has no unused reason but the retired one', () => {
		const root = join(import.meta.dir, '..');
		const sources = Array.from(new Bun.Glob('src/{features,identity,platform,server}/**/*.ts').scanSync(root));
		const given = sources
			.filter((name) => !name.endsWith('/reasons.ts'))
			.map((name) => readFileSync(join(root, name), 'utf8'))
			.join();
		const unused = reasonCodes.filter((code) => !given.includes(`'${code}'`) && !given.includes(`\t${code}:`));
		// Programs may know it from earlier versions.
		expect(unused).toEqual(['last_one']);
	});
});
