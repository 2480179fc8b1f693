/** Asking a manager for approval, with the six digits that only they see. */
import { beforeEach, describe, expect, spyOn, test } from 'bun:test';
import { NoopLogger } from 'drizzle-orm/logger';
import { createApprovalCodes } from '../src/features/approvals/codes.ts';
import { sentenceOf, textOf } from '../src/identity/history/sentence.ts';
import { type Contract, operationNamed } from './contract.ts';
import { type Answer, expectInvalid, expectRefusal, expectStatus, initialPassword, Service } from './harness.ts';
import { endpoints, fieldsOf } from './oracle.ts';
import { type Person, passwordKey, type World } from './world.ts';

const service = await Service.start();
const home = await service.addStore();
const other = await service.addStore();
await service.addPoint('till:refund', { title: '退款' });
await service.addPoint('till:price');
const cashier = await service.addPerson(home.id);
const colleague = await service.addPerson(home.id);
const manager = await service.addPerson(home.id, 'till:refund', 'till:price');
service.restoreBeforeEachTest();
// Starts at mid-minute, so that no test crosses into the next minute.
beforeEach(() => {
	service.time = new Date(Math.ceil(service.time.getTime() / 60_000) * 60_000 + 30_000);
});

const codeOf = async ({ token }: Person): Promise<string> =>
	(await service.read('/api/auth/me/approval-code', token)).code;
const subject = 'A-1024';
const ask = ({ token }: Person, fields: Record<string, unknown>) => {
	const body = { permission: 'till:refund', subject, approver: manager.phone, ...fields };
	return service.as(token, 'POST', '/api/approvals', body);
};
const minutes = (count: number) => {
	service.time = new Date(service.time.getTime() + count * 60_000);
};
const expectWrong = (answer: Answer) => expectRefusal(answer, 403, '授权码无效');
const expectNotHeld = (answer: Answer) => expectRefusal(answer, 403, '授权人没有此权限');

test('a code has six digits, and comes with the seconds for which it is shown', async () => {
	const { token } = manager;
	const own = () => service.read('/api/auth/me/approval-code', token);
	const first = await own();
	expect(first).toEqual({ code: expect.stringMatching(/^\d{6}$/), validFor: 30, wrongCodes: 0 });
	service.time = new Date(service.time.getTime() + 29_999);
	expect(await own()).toEqual({ ...first, validFor: 1 });
	service.time = new Date(service.time.getTime() + 1);
	expect(await own()).toEqual({ ...first, code: expect.not.stringMatching(first.code), validFor: 60 });
});

test('wrong codes of an employee for an approver leave one record in ten minutes; the approver sees their number', async () => {
	for (let count = 0; count < 11; count += 1) await ask(colleague, { code: '000000' });
	expectRefusal(await ask(colleague, { code: await codeOf(manager) }), 429);
	await ask(cashier, { code: '000000', approver: '13999999999' });
	expect(service.rows("select * from history where action = 'APPROVAL_REFUSED'")).toEqual([]);
	service.refusedSignIns.flush(service.time.toISOString(), { now: true });
	const { items } = await service.read('/api/history?action=APPROVAL_REFUSED');
	const [nameless, named] = items.map((record: never) => textOf(sentenceOf(record)));
	expect(named).toMatch(/^\S+ 输错了授权码 12 次（授权人：\S+）$/);
	expect(nameless).toMatch(/^\S+ 输错了授权码$/);
	expect(items[1]).toMatchObject({ actorId: colleague.id, targetId: manager.id, count: 12, reason: null });
	const told = () => service.read('/api/auth/me/approval-code', service.tokenOf(manager.id));
	expect((await told()).wrongCodes).toBe(12);
	service.tick(24 * 3600 + 1);
	expect((await told()).wrongCodes).toBe(0);
});

test('an approval is a record of the history, with a sentence, and in the list of the approver', async () => {
	const approval = expectStatus(await ask(cashier, { code: ` ${await codeOf(manager)} ` }), 201);
	const nameOf = ({ id }: Person) => service.rows('select id, name from employees where id = ?', id)[0];
	expect(approval).toEqual({
		id: expect.any(Number),
		at: service.time.toISOString(),
		permission: 'till:refund',
		subject,
		requestedBy: nameOf(cashier),
		approvedBy: nameOf(manager),
	});
	const { responses } = operationNamed((service.contract as Contract).document, 'requestApproval').operation;
	const example = Object(responses[201]?.content?.['application/json']?.example);
	expect(Object.keys(example.data)).toEqual(Object.keys(approval));
	const record = await service.read(`/api/history/${approval.id}`);
	expect(record).toMatchObject({ action: 'APPROVAL', actorId: cashier.id, targetId: manager.id });
	const [by, from] = [nameOf(cashier), nameOf(manager)].map(({ name }) => name);
	expect(textOf(sentenceOf(record))).toBe(`${by} 得到 ${from} 对“退款”的授权（${subject}）`);
	for (let made = 0; made < 20; made += 1)
		expectStatus(await ask(cashier, { code: await codeOf(manager), subject: `B-${made}` }), 201);
	const own = ({ token }: Person, query = '') => service.as(token, 'GET', `/api/auth/me/approvals${query}`);
	const given = expectStatus(await own(manager), 200);
	const newestFirst = Array.from({ length: 20 }, (_, index) => `B-${19 - index}`);
	expect(given.map((each: { subject: string }) => each.subject)).toEqual(newestFirst);
	expect(expectStatus(await own(cashier), 200)).toEqual([]);
	expect(given[0]).not.toHaveProperty('title');
	expectInvalid(await own(manager, '?include='), 'query.include');
	const [point] = await service.read('/api/permissions/points');
	const title = async () => expectStatus(await own(manager, '?include=title'), 200)[0].title;
	const pathOf = ({ id }: { id: number }) => `/api/permissions/points/${id}`;
	// The title stays the approved one, whatever happens to the point and its code.
	for (const title of ['退货', '看报表']) {
		service.tick();
		expectStatus(await service.asSuper('PATCH', pathOf(point), { title }), 200);
	}
	expect(await title()).toBe('退款');
	expectStatus(await service.asSuper('DELETE', pathOf(point)), 204);
	service.tick();
	await service.addPoint('till:refund', { title: '改价' });
	expect(await title()).toBe('退款');
	expect((await service.read(`/api/history/${given[0].id}`)).points).toEqual([{ code: 'till:refund', title: '退款' }]);
});

const subjects = ['constructor', 'till:refund', 'store:view', 'ACTIVE'];
test.each(subjects)('the sentence has the subject %s as it was typed', async (subject) => {
	const { id } = expectStatus(await ask(cashier, { code: await codeOf(manager), subject }), 201);
	const record = await service.read(`/api/history/${id}`);
	expect(textOf(sentenceOf(record))).toEndWith(`对“退款”的授权（${subject}）`);
});

test('a code is accepted in its minute and the next, once, and its successor is shown at once', async () => {
	const code = await codeOf(manager);
	minutes(1);
	expectStatus(await ask(cashier, { code }), 201);
	expectWrong(await ask(colleague, { code }));
	const next = await codeOf(manager);
	minutes(2);
	expectWrong(await ask(cashier, { code: next }));
	const present = await codeOf(manager);
	minutes(-1);
	expectWrong(await ask(cashier, { code: present }));
});

test('if twenty employees ask at once with one code, one is approved', async () => {
	const code = await codeOf(manager);
	const askers = await Promise.all(Array.from({ length: 20 }, () => service.addPerson(home.id)));
	const answers = await Promise.all(askers.map((each, index) => ask(each, { code, subject: `${index}` })));
	const statuses = [201, ...Array(10).fill(403), ...Array(9).fill(429)];
	expect(answers.map(({ status }) => status).toSorted()).toEqual(statuses);
	expect(service.rows("select * from history where action = 'APPROVAL'")).toHaveLength(1);
});

test('the same request again gets the same approval while its code lives; another subject, point or caller does not', async () => {
	const code = await codeOf(manager);
	const approval = expectStatus(await ask(cashier, { code }), 201);
	expectStatus(await ask(colleague, { code: await codeOf(manager) }), 201);
	expect(expectStatus(await ask(cashier, { code: ` ${code} ` }), 200)).toEqual(approval);
	expectWrong(await ask(cashier, { code, subject: 'B-1024' }));
	expectWrong(await ask(cashier, { code, permission: 'till:price' }));
	expectWrong(await ask(await service.addPerson(home.id), { code }));
	expect(service.rows("select * from history where action = 'APPROVAL'")).toHaveLength(2);
	minutes(2);
	expectWrong(await ask(cashier, { code }));
});

test('an approval is shown to both people, and to holders of its point, except those of other stores', async () => {
	const { id } = expectStatus(await ask(cashier, { code: await codeOf(manager) }), 201);
	expectStatus(await service.asSuper('PATCH', `/api/employees/${manager.id}`, { roleIds: [] }), 200);
	const [point, sees] = ['till:refund', 'employee:view:store'] as const;
	const program = (...given: Parameters<World['addProgram']>) => ({ token: service.addProgram(...given).key });
	const callers: [what: string, status: number, caller: { token: string }][] = [
		['a program with the id of the employee', 404, program(['till:price'], null, cashier.id)],
		['the employee who asked', 200, cashier],
		['the approver', 200, manager],
		['a super administrator', 200, { token: service.superToken }],
		['a holder in the store', 200, await service.addPerson(home.id, point)],
		['a holder who sees everybody', 200, await service.addPerson(other.id, point, 'employee:view:all')],
		['a program of the chain', 200, program([point])],
		['a program of the store', 200, program([point, sees], home.id)],
		['a colleague', 404, colleague],
		['a holder of another point', 404, await service.addPerson(home.id, 'till:price', 'employee:view:all')],
		['a holder in another store', 404, await service.addPerson(other.id, point, sees)],
		['a program of another store', 404, program([point, sees], other.id)],
	];
	for (const [what, status, { token }] of callers) {
		for (const path of [`/api/approvals/${id}`, `/api/approvals?subject=${subject}`]) {
			expect([what, path, (await service.as(token, 'GET', path)).status]).toEqual([what, path, status]);
		}
	}
	expectStatus(await service.asSuper('GET', `/api/history/${id - 1}`), 200);
	expectRefusal(await service.asSuper('GET', `/api/approvals/${id - 1}`), 404, '授权不存在');
});

describe('an approval is refused in one way for', () => {
	const fullWidth = (code: string) => code.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)));
	test.each<[what: string, typed: (code: string) => string]>([
		['a wrong code', (code) => String((Number(code) + 1) % 1e6).padStart(6, '0')],
		['no code at all', () => ''],
		['a code in other digits', fullWidth],
		['a longer code', (code) => `${code}0`],
	])('%s', async (_, typed) => expectWrong(await ask(cashier, { code: typed(await codeOf(manager)) })));

	test.each(['13700000000', 'admin'])('the unknown approver %s', async (approver) => {
		expectWrong(await ask(cashier, { code: await codeOf(manager), approver }));
	});

	const of = () => `/api/employees/${manager.id}`;
	test.each<[what: string, meanwhile: () => Promise<Answer>]>([
		['a disabled approver', () => service.asSuper('PATCH', `${of()}/status`, { status: 'INACTIVE' })],
		['a deleted approver', () => service.asSuper('DELETE', of())],
		['an approver without any point of the chain', () => service.asSuper('PATCH', of(), { roleIds: [1] })],
		['an approver who may only set a password', () => service.asSuper('POST', `${of()}/one-time-password`)],
	])('%s', async (_, meanwhile) => {
		const code = await codeOf(manager);
		await meanwhile();
		expectWrong(await ask(cashier, { code }));
	});

	test('an approver whose store is disabled', async () => {
		const far = await service.addPerson(other.id, 'till:refund', 'employee:view:all');
		const code = await codeOf(far);
		await service.asSuper('PATCH', `/api/stores/${other.id}`, { status: 'INACTIVE' });
		expectWrong(await ask(cashier, { code, approver: far.phone }));
	});

	test('the code of somebody else, and the caller', async () => {
		expectWrong(await ask(cashier, { code: await codeOf(await service.addPerson(home.id, 'till:refund')) }));
		expectWrong(await ask(manager, { code: await codeOf(manager) }));
	});

	test('an approver without this point or out of reach, with a message of its own, and the code stays good', async () => {
		const far = await service.addPerson(other.id, 'till:refund');
		const holder = await service.addPerson(home.id, 'till:price');
		for (const approver of [far, holder]) {
			const code = await codeOf(approver);
			expectNotHeld(await ask(cashier, { code, approver: approver.phone }));
			expect(await codeOf(approver)).toBe(code);
		}
		const price = { code: await codeOf(holder), approver: holder.phone, permission: 'till:price' };
		expectStatus(await ask(cashier, price), 201);
		const everywhere = await service.addPerson(other.id, 'till:refund', 'employee:view:all');
		expectStatus(await ask(cashier, { code: await codeOf(everywhere), approver: everywhere.phone }), 201);
	});
});

test('stores that an approver was given count while a role lets them see the people of stores', async () => {
	const [refunds, sees] = [await service.addRole('till:refund'), await service.addRole('employee:view:store')];
	const { id, phone: approver } = await service.addEmployee(other.id, [refunds.id, sees.id]);
	const askThem = async () => {
		const token = service.tokenOf(id);
		return ask(cashier, { code: await codeOf({ ...manager, id, token }), approver });
	};
	expectNotHeld(await askThem());
	await service.giveReach(id, { stores: [home.id] });
	expectStatus(await askThem(), 201);
	await service.asSuper('PATCH', `/api/employees/${id}`, { roleIds: [refunds.id] });
	expectNotHeld(await askThem());
});

test('an approval changes nobody: the undo of an import deletes an approver', async () => {
	const role = await service.addRole('till:refund');
	const phone = '13712345678';
	const lines = ['姓名,手机号,门店,角色', `新店长,${phone},${home.name},${role.name}`];
	const { groupId } = expectStatus(await service.importCsv('employees/import', lines), 201);
	const [{ id }] = service.rows('select id from employees where phone = ?', phone);
	minutes(1);
	const changed = service.changeOwnPassword(service.tokenOf(id), initialPassword, 'quiet-river-42');
	const { token } = expectStatus(await changed, 200);
	const code = await codeOf({ ...manager, id, token });
	expectStatus(await ask(cashier, { code, approver: phone }), 201);
	expectStatus(await service.undo(groupId), 200);
});

const forEmployees = endpoints.filter(({ employeesOnly }) => employeesOnly);
test.each(fieldsOf(forEmployees, 'body'))('%s accepts a good %s, and no bad one', async (_, name, __, field) => {
	for (const value of field.bad) expectInvalid(await ask(cashier, { code: '', [name]: value }), `body.${name}`);
	for (const value of field.good) {
		service.forgetAttempts();
		expectWrong(await ask(cashier, { code: 'none', [name]: value }));
	}
});

test('a caller who may not ask is refused first, then an unknown point, then the code', async () => {
	const body = { permission: 'till:refund', subject, approver: manager.phone, code: '1' };
	for (const path of ['/api/auth/me/approval-code', '/api/auth/me/approvals'])
		expectRefusal(await service.asSuper('GET', path), 403);
	expectRefusal(await service.asSuper('POST', '/api/approvals', {}), 403);
	expectRefusal(await service.as(cashier.token, 'GET', '/api/auth/me/approval-code'), 403);
	for (const permission of ['store:view', 'till:nothing', '*', ''])
		expectInvalid(await ask(cashier, { ...body, permission }), 'body.permission');
	expectWrong(await ask(cashier, body));
	await service.asSuper('POST', `/api/employees/${cashier.id}/one-time-password`);
	expectRefusal(await ask({ ...cashier, token: service.tokenOf(cashier.id) }, {}), 403, '请先设置自己的密码');
	await service.asSuper('POST', `/api/employees/${manager.id}/one-time-password`);
	const restricted = service.tokenOf(manager.id);
	expectRefusal(await service.as(restricted, 'GET', '/api/auth/me/approval-code'), 403, '请先设置自己的密码');
});

describe('wrong codes', () => {
	const guess = (by: Person, approver = manager.phone) => ask(by, { code: 'wrong', approver });

	test('are counted for the employee who asks: ten, then waits, for every approver; an approval clears the count', async () => {
		const numbers = Array.from({ length: 12 }, (_, index) => `1370000${String(index).padStart(4, '0')}`);
		for (const number of numbers.slice(0, 9)) expectWrong(await guess(cashier, number));
		expectStatus(await ask(cashier, { code: await codeOf(manager) }), 201);
		for (const number of numbers.slice(0, 9)) expectWrong(await guess(cashier, number));
		expectWrong(await guess(cashier, numbers[9]));
		const late = await ask(cashier, { code: await codeOf(manager) });
		expectRefusal(late, 429);
		expect(late.headers.get('retry-after')).toBe('1');
		service.tick();
		expectWrong(await guess(cashier, numbers[10]));
		const again = await guess(cashier, numbers[11]);
		expect([again.status, again.headers.get('retry-after')]).toEqual([429, '2']);
	});

	test('are counted against an approver, also after an approval: an accomplice could clear the count for others', async () => {
		for (let made = 0; made < 9; made += 1) expectWrong(await guess(cashier));
		expectStatus(await ask(cashier, { code: await codeOf(manager) }), 201);
		expectWrong(await guess(await service.addPerson(home.id)));
		expectRefusal(await guess(await service.addPerson(home.id)), 429);
	});

	test('are counted at a number that nobody has, too, for all who ask', async () => {
		const nobody = '13700000000';
		for (let made = 0; made < 10; made += 1) expectWrong(await guess(await service.addPerson(home.id), nobody));
		expectRefusal(await guess(cashier, nobody), 429);
		// Other callers may still ask, and an early refusal counts against nobody.
		const holder = await service.addPerson(home.id, 'till:refund');
		expectStatus(await ask(cashier, { code: await codeOf(holder), approver: holder.phone }), 201);
	});

	test('answer the longer wait when both the employee who asks and the approver have to wait', async () => {
		for (let made = 0; made < 10; made += 1) expectWrong(await guess(await service.addPerson(home.id)));
		service.tick();
		expectWrong(await guess(await service.addPerson(home.id)));
		for (let made = 0; made < 10; made += 1) expectWrong(await guess(cashier, `1370000000${made}`));
		const waits = [await guess(cashier, '13700000010'), await guess(cashier)];
		expect(waits.map(({ headers }) => headers.get('retry-after'))).toEqual(['1', '2']);
	});

	test('with an id in place of a number count against nobody', async () => {
		for (let made = 0; made < 10; made += 1)
			expectWrong(await guess(await service.addPerson(home.id), String(manager.id)));
		expectStatus(await ask(cashier, { code: await codeOf(manager) }), 201);
	});

	test('keep nobody from signing in, and no other refusal counts', async () => {
		const far = await service.addPerson(other.id, 'till:refund');
		const code = await codeOf(far);
		for (let made = 0; made < 12; made += 1) expectNotHeld(await ask(cashier, { code, approver: far.phone }));
		for (let made = 0; made < 12; made += 1) expectInvalid(await ask(cashier, { permission: 'no:point', code }));
		for (let made = 0; made < 11; made += 1) await guess(cashier);
		for (const { phone } of [cashier, manager]) expectStatus(await service.signIn(phone), 200);
	});
});

test('a code is good for nothing else, and without the key the database gives none', async () => {
	const code = await codeOf(manager);
	const signIn = { username: manager.phone, password: `${code}00`, code };
	expectRefusal(await service.send('POST', '/api/auth/employee/login', { body: signIn }), 401);
	const factor = { token: manager.token, body: { password: initialPassword } };
	expectStatus(await service.send('POST', '/api/auth/me/second-factor', factor), 200);
	const enabled = await service.as(manager.token, 'PUT', '/api/auth/me/second-factor', { code });
	expectRefusal(enabled, 400, '动态验证码错误');
	const [row] = service.rows('select approvals_given from employees where id = ?', manager.id);
	const approver = { id: manager.id, approvalsGiven: row.approvals_given };
	const at = service.time.toISOString();
	expect(createApprovalCodes(passwordKey).show(approver, at).code).toBe(code);
	expect(createApprovalCodes(`${passwordKey}.`).show(approver, at).code).not.toBe(code);
	expect(createApprovalCodes(passwordKey).show({ ...approver, id: approver.id + 1 }, at).code).not.toBe(code);
});

test('a number that nobody has costs the same statements as that of an employee, or of a manager who approved', async () => {
	for (let count = 0; count < 3; count += 1) {
		expectStatus(await ask(colleague, { code: await codeOf(manager) }), 201);
		minutes(1);
	}
	// The first request of the cashier reads the permissions of roles into memory.
	expectWrong(await ask(cashier, { code: '0' }));
	const reads = [];
	for (const approver of ['13700000000', colleague.phone, manager.phone]) {
		using read = spyOn(NoopLogger.prototype, 'logQuery');
		expectWrong(await ask(cashier, { approver, code: '0' }));
		reads.push(read.mock.calls.map((call: unknown[]) => call[0]));
	}
	const [ofNobody = [], ...ofOthers] = reads;
	expect(ofNobody.length).toBeGreaterThan(3);
	expect(ofOthers).toEqual([ofNobody, ofNobody]);
});

test('a long code or number costs no more than a short one: none is composed', async () => {
	const marks = '\u0316\u0301'.repeat(1900);
	using composing = spyOn(String.prototype, 'normalize');
	expectWrong(await ask(cashier, { approver: marks, code: marks }));
	expect(composing.mock.contexts.filter((text) => String(text).length > 100)).toEqual([]);
});
