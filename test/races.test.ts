import { beforeAll, describe, expect, test } from 'bun:test';
import { noThrottle } from '../src/auth/throttle.ts';
import { type Answer, expectStatus, initialPassword, newName, newPhone, Service } from './harness.ts';
import { codes, seeded } from './oracle.ts';

const rounds = 50;

let service: Service;
beforeAll(async () => {
	service = await Service.start({ throttle: noThrottle });
});

/** Rows that are alive and lean on something deleted; there must never be one. */
function brokenRows(service: Service): unknown[] {
	const read = (query: string) => service.rows(query);
	return [
		...read(
			'select * from employees e join stores s on s.id = e.store_id where e.deleted_at is null and s.deleted_at is not null',
		),
		...read(
			'select * from employee_roles l join roles r on r.id = l.role_id where l.unbound_at is null and r.deleted_at is not null',
		),
		...read(
			'select * from employee_roles l join employees e on e.id = l.employee_id where l.unbound_at is null and e.deleted_at is not null',
		),
		...read(
			'select * from role_permissions p join roles r on r.id = p.role_id where p.deleted_at is null and r.deleted_at is not null',
		),
		...read("select * from employees where deleted_at is not null and status <> 'INACTIVE'"),
		...read('pragma foreign_key_check'),
	];
}

type Start = () => Promise<Answer>;

/**
 * Starts all together, each a little later than the one before, from either end in turn; answers in the given order.
 * From round to round "a little" grows from nothing over microtasks to turns of the event loop, so that every order
 * of what they do inside comes up.
 */
async function atOnce(round: number, ...starts: Start[]): Promise<Answer[]> {
	const lag = Math.floor(round / 2) % 8;
	const last = starts.length - 1;
	const begin = async (start: Start, place: number) => {
		for (let waited = 0; waited < lag * place; waited += 1) await (lag < 5 ? undefined : Bun.sleep(0));
		return start();
	};
	return Promise.all(starts.map((start, index) => begin(start, round % 2 ? last - index : index)));
}

const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status);
const conflicts = (count: number) => Array.from({ length: count }, () => 409);
const asSuper = (method: string, path: string, body?: unknown) => service.asSuper(method, path, body);

/** What has a value that only one may have: how to make it, and to give it to another. */
interface Kind {
	path: string;
	table: string;
	column: string;
	fresh: () => string;
	body: (value: string) => Promise<Record<string, unknown>>;
}

const kinds: Record<string, Kind> = {
	phone: {
		path: '/api/employees',
		table: 'employees',
		column: 'phone',
		fresh: newPhone,
		body: async (phone) => ({ storeId: (await homeStore()).id, name: '某', phone }),
	},
	'store name': {
		path: '/api/stores',
		table: 'stores',
		column: 'name',
		fresh: () => newName('门店'),
		body: async (name) => ({ name }),
	},
	'role code': {
		path: '/api/roles',
		table: 'roles',
		column: 'code',
		fresh: () => newName('code_'),
		body: async (code) => ({ code, name: '某' }),
	},
};

let home: Promise<{ id: number }> | undefined;

function homeStore(): Promise<{ id: number }> {
	home ??= service.addStore();
	return home;
}

const living = ({ table, column }: Kind, value: string) =>
	service.rows(`select id from ${table} where ${column} = ? and deleted_at is null`, value);

describe.each(Object.entries(kinds))('one %s', (_, kind) => {
	const { path, column, fresh } = kind;
	const make = async (value = fresh()): Promise<{ id: number }> =>
		expectStatus(await asSuper('POST', path, await kind.body(value)), 201);

	test.each([
		[2, rounds],
		[20, 10],
	])('created %d times at once: one 201, the rest 409', async (times, rounds) => {
		for (let round = 0; round < rounds; round += 1) {
			const value = fresh();
			const body = await kind.body(value);
			const answers = await atOnce(round, ...Array.from({ length: times }, () => () => asSuper('POST', path, body)));
			expect(statusesOf(answers).toSorted()).toEqual([201, ...conflicts(times - 1)]);
			expect(living(kind, value)).toHaveLength(1);
		}
	});

	test('given to two at once: one 200, one 409', async () => {
		const [one, other] = [await make(), await make()];
		for (let round = 0; round < rounds; round += 1) {
			const value = fresh();
			const answers = await atOnce(
				round,
				() => asSuper('PATCH', `${path}/${one.id}`, { [column]: value }),
				() => asSuper('PATCH', `${path}/${other.id}`, { [column]: value }),
			);
			expect(statusesOf(answers).toSorted()).toEqual([200, 409]);
			expect(living(kind, value)).toHaveLength(1);
		}
	});

	test('given to one and created at once: one of both', async () => {
		const { id } = await make();
		for (let round = 0; round < rounds; round += 1) {
			const value = fresh();
			const body = await kind.body(value);
			const [patched, posted] = await atOnce(
				round,
				() => asSuper('PATCH', `${path}/${id}`, { [column]: value }),
				() => asSuper('POST', path, body),
			);
			expect([[200, 409].join(), [409, 201].join()]).toContain([patched?.status, posted?.status].join());
			expect(living(kind, value)).toHaveLength(1);
		}
	});

	test('deleted and created again at once: free or taken, never twice', async () => {
		const seen = new Set<number>();
		for (let round = 0; round < rounds; round += 1) {
			const value = fresh();
			const body = await kind.body(value);
			const { id } = await make(value);
			const [deleted, created] = await atOnce(
				round,
				() => asSuper('DELETE', `${path}/${id}`),
				() => asSuper('POST', path, body),
			);
			expect(deleted?.status).toBe(204);
			expect(living(kind, value)).toHaveLength(created?.status === 201 ? 1 : 0);
			if (created?.status !== 201) expect(created?.body.error.code).toBe('CONFLICT');
			seen.add(created?.status ?? 0);
		}
		expect([...seen].toSorted()).toEqual([201, 409]);
	});

	test('created again twice at once after it was deleted: one 201', async () => {
		for (let round = 0; round < rounds; round += 1) {
			const value = fresh();
			const body = await kind.body(value);
			const { id } = await make(value);
			expect((await asSuper('DELETE', `${path}/${id}`)).status).toBe(204);
			const answers = await atOnce(
				round,
				() => asSuper('POST', path, body),
				() => asSuper('POST', path, body),
			);
			expect(statusesOf(answers).toSorted()).toEqual([201, 409]);
			expect(living(kind, value)).toHaveLength(1);
		}
	});

	test('deleted twice at once: one 204, one 404', async () => {
		for (let round = 0; round < rounds; round += 1) {
			const { id } = await make();
			const remove = () => asSuper('DELETE', `${path}/${id}`);
			expect(statusesOf(await atOnce(round, remove, remove)).toSorted()).toEqual([204, 404]);
		}
	});
});

/** Runs two requests against each other in many rounds; their statuses together must be among the allowed, and vary. */
async function duel(allowed: string[], prepare: () => Promise<[Start, Start]>, check?: (answers: Answer[]) => void) {
	const seen = new Set<string>();
	for (let round = 0; round < rounds; round += 1) {
		const answers = await atOnce(round, ...(await prepare()));
		const outcome = statusesOf(answers).join();
		expect(allowed).toContain(outcome);
		check?.(answers);
		seen.add(outcome);
	}
	expect([...seen].toSorted()).toEqual(allowed.toSorted());
}

describe('a store', () => {
	test('deleted while somebody is hired into it: never both', async () => {
		await duel(['204,400', '409,201'], async () => {
			const { id } = await service.addStore();
			const body = { storeId: id, name: '某', phone: newPhone() };
			return [() => asSuper('DELETE', `/api/stores/${id}`), () => asSuper('POST', '/api/employees', body)];
		});
	});

	test('deleted while somebody is moved into it: never both', async () => {
		await duel(['204,400', '409,200'], async () => {
			const { id } = await service.addStore();
			const employee = await service.addEmployee((await homeStore()).id);
			return [
				() => asSuper('DELETE', `/api/stores/${id}`),
				() => asSuper('PATCH', `/api/employees/${employee.id}`, { storeId: id }),
			];
		});
	});

	test('deleted while its last employee leaves: gone only after him', async () => {
		await duel(['204,204', '409,204'], async () => {
			const { id } = await service.addStore();
			const employee = await service.addEmployee(id);
			return [
				() => asSuper('DELETE', `/api/stores/${id}`),
				() => asSuper('DELETE', `/api/stores/${id}/employees/${employee.id}`),
			];
		});
	});

	test('disabled while somebody is hired into it: refused after it, his tokens ended before it', async () => {
		const check = ([, created]: Answer[]) => {
			if (created?.status !== 201) return;
			expect(created.body.data.storeStatus).toBe('ACTIVE');
			const [row] = service.rows('select token_version from employees where id = ?', created.body.data.id);
			expect(row.token_version).toBe(2);
		};
		const prepare = async (): Promise<[Start, Start]> => {
			const { id } = await service.addStore();
			const body = { storeId: id, name: '某', phone: newPhone() };
			return [
				() => asSuper('PATCH', `/api/stores/${id}`, { status: 'INACTIVE' }),
				() => asSuper('POST', '/api/employees', body),
			];
		};
		await duel(['200,201', '200,400'], prepare, check);
	});
});

describe('a role', () => {
	test('deleted while it is bound: never both', async () => {
		const employee = await service.addEmployee((await homeStore()).id);
		await duel(['204,400', '409,200'], async () => {
			const { id } = await service.addRole('store:view');
			return [
				() => asSuper('DELETE', `/api/roles/${id}`),
				() => asSuper('PATCH', `/api/employees/${employee.id}`, { roleIds: [id] }),
			];
		});
	});

	test('deleted while somebody is hired with it: never both', async () => {
		await duel(['204,400', '409,201'], async () => {
			const { id } = await service.addRole('store:view');
			const body = { storeId: (await homeStore()).id, name: '某', phone: newPhone(), roleIds: [id] };
			return [() => asSuper('DELETE', `/api/roles/${id}`), () => asSuper('POST', '/api/employees', body)];
		});
	});

	test('deleted while it is given permissions: what is deleted holds none', async () => {
		await duel(['204,404', '204,200'], async () => {
			const { id } = await service.addRole('store:view');
			return [
				() => asSuper('DELETE', `/api/roles/${id}`),
				() => asSuper('PUT', `/api/permissions/roles/${id}`, { permissions: ['role:manage'] }),
			];
		});
	});

	test('given two sets at once: holds one of them, whole', async () => {
		const { id } = await service.addRole();
		const first = ['store:view', 'store:manage', 'permission:view'];
		const second = ['role:view', 'employee:view:all', 'employee:manage', 'permission:view'];
		const winners = new Set<string>();
		const put = (permissions: string[]) => () => asSuper('PUT', `/api/permissions/roles/${id}`, { permissions });
		for (let round = 0; round < rounds; round += 1) {
			const answers = await atOnce(
				round,
				put(['store:manage', 'permission:view']),
				put(['employee:manage', 'role:view', 'permission:view']),
			);
			expect(answers.map((answer) => expectStatus(answer, 200).permissions)).toEqual([first, second]);
			const held = service
				.rows('select permission from role_permissions where role_id = ? and deleted_at is null', id)
				.map(({ permission }) => permission);
			const ordered = codes.filter((code) => held.includes(code));
			expect(held).toHaveLength(ordered.length);
			expect([first.join(), second.join()]).toContain(ordered.join());
			winners.add(ordered.join());
		}
		expect(winners.size).toBe(2);
	});
});

describe('an employee', () => {
	const changes: [name: string, path: string, body: () => Promise<unknown>][] = [
		['renamed', '', async () => ({ name: newName() })],
		['enabled', '/status', async () => ({ status: 'ACTIVE' })],
		['disabled', '', async () => ({ status: 'INACTIVE' })],
		['given a role', '', async () => ({ roleIds: [(await service.addRole('store:view')).id] })],
		['moved', '', async () => ({ storeId: (await service.addStore()).id })],
		['given a phone', '', async () => ({ phone: newPhone() })],
		['reset', '/password/reset', async () => undefined],
	];
	test.each(changes)('deleted while he is %s: done before or 404', async (_, path, body) => {
		await duel(['204,200', '204,404'], async () => {
			const { id } = await service.addEmployee((await homeStore()).id);
			const change = await body();
			return [
				() => asSuper('DELETE', `/api/employees/${id}`),
				() => asSuper('PATCH', `/api/employees/${id}${path}`, change),
			];
		});
	});

	test('deleted while his password is changed: 200 or 404, and nobody signs in', async () => {
		for (let round = 0; round < rounds; round += 1) {
			const { id, phone } = await service.addEmployee((await homeStore()).id);
			const body = { oldPassword: initialPassword, newPassword: 'a-new-password' };
			const [deleted, changed] = await atOnce(
				round,
				() => asSuper('DELETE', `/api/employees/${id}`),
				() => asSuper('PATCH', `/api/employees/${id}/password`, body),
			);
			expect(deleted?.status).toBe(204);
			expect([200, 404]).toContain(changed?.status ?? 0);
			for (const password of [initialPassword, 'a-new-password']) {
				expect((await service.login('/api/auth/employee/login', phone, password)).status).toBe(401);
			}
		}
	});

	test('whose password is changed twice from one old one: one 200, and that one counts', async () => {
		const { id, phone } = await service.addEmployee((await homeStore()).id);
		let oldPassword = initialPassword;
		for (let round = 0; round < rounds; round += 1) {
			const wanted = [`first-password-${round}`, `second-password-${round}`];
			const answers = await atOnce(
				round,
				...wanted.map(
					(newPassword) => () => asSuper('PATCH', `/api/employees/${id}/password`, { oldPassword, newPassword }),
				),
			);
			expect(statusesOf(answers).toSorted()).toEqual([200, 400]);
			expect(answers.find(({ status }) => status === 400)?.body.error.code).toBe('BAD_REQUEST');
			const won = answers[0]?.status === 200 ? 0 : 1;
			const [winner = '', loser = ''] = won === 0 ? wanted : wanted.toReversed();
			expect((await service.login('/api/auth/employee/login', phone, loser)).status).toBe(401);
			expect((await service.login('/api/auth/employee/login', phone, winner)).status).toBe(200);
			oldPassword = winner;
		}
	});

	test('whose password is changed and reset at once has one of both, and it is the last that was acknowledged', async () => {
		for (let round = 0; round < rounds; round += 1) {
			const { id, phone } = await service.addEmployee((await homeStore()).id);
			await asSuper('PATCH', `/api/employees/${id}/password`, {
				oldPassword: initialPassword,
				newPassword: 'an-old-password',
			});
			const [changed, reset] = await atOnce(
				round,
				() =>
					asSuper('PATCH', `/api/employees/${id}/password`, {
						oldPassword: 'an-old-password',
						newPassword: 'a-new-password',
					}),
				() => asSuper('PATCH', `/api/employees/${id}/password/reset`),
			);
			expect(reset?.status).toBe(200);
			expect([200, 400]).toContain(changed?.status ?? 0);
			const tried = [initialPassword, 'a-new-password', 'an-old-password'];
			const statuses = [];
			for (const password of tried)
				statuses.push((await service.login('/api/auth/employee/login', phone, password)).status);
			// A change that was refused left the reset standing; one that was made came before it, for it asked for the old one.
			expect(statuses).toEqual([200, 401, 401]);
		}
	});

	test('who is disabled while he changes a password: nothing of his is written after it', async () => {
		const own = await Service.start();
		// What is written says in which order it was.
		own.db.$client.run('create table written (place integer primary key, id integer)');
		own.db.$client.run(
			'create trigger writing after update on employees begin insert into written (id) values (new.id); end',
		);
		const { id: storeId } = await own.addStore();
		const { id } = await own.addEmployee(storeId);
		let oldPassword = initialPassword;
		const seen = new Set<number>();
		for (let round = 0; round < rounds; round += 1) {
			const manager = await own.addPerson(storeId, 'employee:view:all', 'employee:manage');
			// The first look at a token takes longer than the rest: without it he would be disabled before he is let in.
			expectStatus(await own.send('GET', '/api/auth/me', { token: manager.token }), 200);
			const body = { oldPassword, newPassword: `a-new-password-${round}` };
			own.db.$client.run('delete from written');
			const [changed, disabled] = await atOnce(
				round,
				() => own.send('PATCH', `/api/employees/${id}/password`, { token: manager.token, body }),
				() => own.asSuper('PATCH', `/api/employees/${manager.id}/status`, { status: 'INACTIVE' }),
			);
			expect(disabled?.status).toBe(200);
			const written = own.rows('select id from written order by place').map((row) => row.id);
			expect(written).toEqual(changed?.status === 200 ? [id, manager.id] : [manager.id]);
			if (changed?.status === 200) oldPassword = body.newPassword;
			else expect(changed?.body.error).toMatchObject({ code: 'UNAUTHORIZED', message: '账号已被禁用' });
			seen.add(changed?.status ?? 0);
		}
		expect(seen).toContain(401);
	});

	test('who signs in while he is disabled: no token of it lives on', async () => {
		for (let round = 0; round < rounds; round += 1) {
			const { id, phone } = await service.addEmployee((await homeStore()).id);
			const [signedIn, disabled] = await atOnce(
				round,
				() => service.login('/api/auth/employee/login', phone, initialPassword),
				() => asSuper('PATCH', `/api/employees/${id}/status`, { status: 'INACTIVE' }),
			);
			expect(disabled?.status).toBe(200);
			expect([200, 401]).toContain(signedIn?.status ?? 0);
			expectStatus(await asSuper('PATCH', `/api/employees/${id}/status`, { status: 'ACTIVE' }), 200);
			if (signedIn?.status !== 200) continue;
			expect((await service.send('GET', '/api/auth/me', { token: signedIn.body.data.token })).status).toBe(401);
		}
	});

	test('given two sets of roles at once: holds one of them, whole', async () => {
		const { id } = await service.addEmployee((await homeStore()).id);
		const roles: number[] = [];
		for (let made = 0; made < 4; made += 1) roles.push((await service.addRole()).id);
		const [first, second] = [roles.slice(0, 3), roles.slice(2)];
		const winners = new Set<string>();
		for (let round = 0; round < rounds; round += 1) {
			const answers = await atOnce(
				round,
				() => asSuper('PATCH', `/api/employees/${id}`, { roleIds: first }),
				() => asSuper('PATCH', `/api/employees/${id}`, { roleIds: second }),
			);
			expect(statusesOf(answers)).toEqual([200, 200]);
			const held = service
				.rows('select role_id from employee_roles where employee_id = ? and unbound_at is null order by role_id', id)
				.map((row) => row.role_id)
				.join();
			expect([first.join(), second.join()]).toContain(held);
			winners.add(held);
		}
		expect(winners.size).toBe(2);
	});
});

test('a storm of everything at once: no 5xx, and nothing alive leans on something deleted', async () => {
	const { below, pick } = seeded(11);
	const phones = Array.from({ length: 5 }, newPhone);
	const names = Array.from({ length: 5 }, () => newName('风'));
	const storm = await Service.start();
	const id = () => 1 + below(8);
	const requests: (() => [method: string, path: string, body?: unknown])[] = [
		() => ['POST', '/api/stores', { name: pick(names) }],
		() => ['PATCH', `/api/stores/${id()}`, { name: pick(names), status: pick(['ACTIVE', 'INACTIVE']) }],
		() => ['PATCH', `/api/stores/${id()}`, { status: 'ACTIVE' }],
		() => ['DELETE', `/api/stores/${id()}`],
		() => ['POST', '/api/roles', { code: `storm_${below(4)}`, name: pick(names) }],
		() => ['PATCH', `/api/roles/${5 + id()}`, { code: `storm_${below(4)}` }],
		() => ['DELETE', `/api/roles/${5 + id()}`],
		() => ['PUT', `/api/permissions/roles/${5 + id()}`, { permissions: [pick(codes), pick(codes)] }],
		() => ['POST', '/api/employees', { storeId: id(), name: pick(names), phone: pick(phones), roleIds: [5 + id()] }],
		() => ['POST', '/api/employees', { storeId: id(), name: pick(names), phone: pick(phones) }],
		() => ['PATCH', `/api/employees/${id()}`, { storeId: id(), phone: pick(phones) }],
		() => ['PATCH', `/api/employees/${id()}`, { roleIds: [5 + id(), 5 + id()] }],
		() => ['PATCH', `/api/employees/${id()}/password/reset`],
		() => ['DELETE', `/api/employees/${id()}`],
		() => ['GET', `/api/employees?pageSize=100&keyword=${below(10)}`],
		() => ['GET', '/api/permissions/policies'],
	];
	const seen = new Set<number>();
	for (let round = 0; round < rounds; round += 1) {
		const batch = Array.from({ length: 20 }, () => pick(requests)());
		const starts = batch.map(
			([method, path, body]) =>
				() =>
					storm.asSuper(method, path, body),
		);
		for (const { status } of await atOnce(round, ...starts)) seen.add(status);
	}
	expect([...seen].filter((status) => status >= 500)).toEqual([]);
	expect([200, 201, 204, 400, 404, 409].filter((status) => !seen.has(status))).toEqual([]);
	expect(brokenRows(storm)).toEqual([]);
});

test('after all of it nothing had failed, and nothing alive leans on something deleted', () => {
	expect(service.rows('select * from employees').length).toBeGreaterThan(rounds);
	expect(service.logged.filter((line) => JSON.parse(line).level === 'error')).toEqual([]);
	expect(brokenRows(service)).toEqual([]);
});
