/** Requests that get in each other's way, started together in many rounds, each a little later than the one before. */
import type { PermissionCode } from '../../src/vocabulary/permissions.ts';
import type { Answer } from '../http.ts';
import { withDependencies } from '../matrix.ts';
import { codes, seeded } from '../oracle.ts';
import { expectStatus, initialPassword, newName, newPhone, type World } from '../world.ts';
import { type Campaign, counted, type Figures, onWorld, type Transport } from './campaign.ts';

interface Scale {
	transport: Transport;
	/** How often two requests meet, for each pair. */
	rounds: number;
	/** How often two meet of which one hashes. */
	hashingRounds: number;
}

type Start = () => Promise<Answer>;

/** Requests that meet. */
interface Meeting {
	name: string;
	/** The statuses that may come of it, in the order of the requests. Each must come up, unless `rare` lists it. */
	allowed: readonly string[];
	/** Outcomes that need not come up. */
	rare?: readonly string[];
	/** What each round needs, and its requests. */
	prepare(round: number): Promise<readonly Start[]>;
	/** What is wrong with the outcome of a round besides its statuses; undefined when nothing is. */
	verify?(answers: readonly Answer[]): Promise<string | undefined> | string | undefined;
	/** One of its requests hashes a password. */
	hashes?: true;
}

export const races: Campaign<Scale> = {
	name: 'races',
	claim:
		'of requests that get in each other’s way one wins and the other is refused; no live row refers to a deleted one',
	short: { transport: 'in this process', rounds: 24, hashingRounds: 16 },
	full: { transport: 'over a socket', rounds: 1000, hashingRounds: 1000 },
	run: (scale, { report }) => onWorld(scale.transport, (world) => hold(world, scale, report)),
};

async function hold(world: World, scale: Scale, report: (step: string) => void): Promise<Figures> {
	const { transport, rounds, hashingRounds } = scale;
	const home = (await world.addStore()).id;
	const kinds = uniqueKinds(home);
	const meetings = [
		...(await Promise.all(kinds.map((kind) => overValues(world, kind)))).flat(),
		...overStores(world, home),
		...(await overRoles(world, home)),
		...(await overEmployees(world, home)),
	];
	const parts: [rounds: number, meetings: readonly Meeting[]][] = [
		[rounds, meetings],
		[hashingRounds, [await twoPasswords(world, home)]],
		[Math.ceil(hashingRounds / 4), overPasswords(world, home)],
	];
	const figures: Figures = {};
	const lasting = Math.max(...world.customRoles());
	const tidy = async () => world.removeRoles(world.customRoles(lasting));
	for (const [rounds, meetings] of parts) {
		for (const meeting of meetings) {
			const outcomes = await meet(meeting, rounds, transport, tidy);
			const shown = [...outcomes].map(([outcome, count]) => `${outcome} × ${counted(count)}`).join(', ');
			figures[meeting.name] = shown;
			report(`${meeting.name}: ${shown}`);
			const missing = meeting.allowed.filter((outcome) => !outcomes.has(outcome) && !meeting.rare?.includes(outcome));
			if (missing.length > 0) throw new Error(`${meeting.name}: ${missing.join(' and ')} never came up`);
		}
	}
	const broken = world.brokenRows();
	if (broken.length > 0) throw new Error(`live rows refer to deleted ones: ${JSON.stringify(broken.slice(0, 5))}`);
	return figures;
}

/** Lets a little time pass. */
type Lag = () => Promise<void>;

/** More finely than timers do, while answers can still come in. */
const milliseconds =
	(count: number): Lag =>
	async () => {
		const until = performance.now() + count;
		while (performance.now() < until) await new Promise(setImmediate);
	};
const microtasks =
	(count: number): Lag =>
	async () => {
		for (let waited = 0; waited < count; waited += 1) await undefined;
	};

/** Within one process the order is decided by microtasks and turns of the event loop, over sockets by time. */
const lags: Record<Transport, { usual: readonly Lag[]; hashing: readonly Lag[] }> = {
	'in this process': {
		usual: [...[0, 1, 2, 3, 5, 8].map(microtasks), ...[0.1, 0.5].map(milliseconds)],
		hashing: [0, 0.05, 0.1, 0.2, 0.4, 0.8, 1.5, 3].map(milliseconds),
	},
	'over a socket': {
		usual: [0, 0.05, 0.1, 0.2, 0.4, 0.8, 1.5, 3].map(milliseconds),
		// A hash takes some 25 ms, on a busy machine hundreds, and there are up to four in a round.
		hashing: [0, 0.2, 1, 5, 12, 30, 100, 600].map(milliseconds),
	},
};

/** Runs the rounds of a meeting, with `tidy` before every hundredth; how often each outcome came up. */
async function meet(
	meeting: Meeting,
	rounds: number,
	transport: Transport,
	tidy: () => Promise<void>,
): Promise<Map<string, number>> {
	const { name, allowed, prepare, verify, hashes } = meeting;
	const chosen = lags[transport][hashes ? 'hashing' : 'usual'];
	const outcomes = new Map<string, number>();
	for (let round = 0; round < rounds; round += 1) {
		if (round % 100 === 0) await tidy();
		const answers = await together(await prepare(round), round, chosen);
		const outcome = answers.map(({ status }) => status).join();
		const wrong = allowed.includes(outcome) ? await verify?.(answers) : `${outcome} is not ${allowed.join(' or ')}`;
		if (wrong !== undefined) {
			const texts = answers.map(({ status, text }) => `${status} ${text}`).join('\n');
			throw new Error(`${name}, round ${round}: ${wrong}\n${texts}`);
		}
		outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
	}
	return outcomes;
}

/** Starts all together, each a lag after the one before, in odd rounds from the other end. Answers in their order. */
async function together(starts: readonly Start[], round: number, lags: readonly Lag[]): Promise<Answer[]> {
	const lag = lags[Math.floor(round / 2) % lags.length] ?? microtasks(0);
	const isReversed = round % 2 === 1;
	const inTurn = isReversed ? starts.toReversed() : starts;
	const answers = await Promise.all(
		inTurn.map(async (start, place) => {
			for (let waited = 0; waited < place; waited += 1) await lag();
			return start();
		}),
	);
	return isReversed ? answers.toReversed() : answers;
}

/** Something with a value that must be unique among live rows: how it is made and stored. */
interface Kind {
	name: string;
	path: string;
	table: string;
	column: string;
	fresh: () => string;
	body: (value: string) => Record<string, unknown>;
}

function uniqueKinds(home: number): Kind[] {
	const inCode = () => newName('code_');
	const hired = { storeId: home, name: '某' };
	return [
		kindOf('phone', 'employees', 'phone', newPhone, (phone) => ({ ...hired, phone })),
		kindOf('store name', 'stores', 'name', newName, (name) => ({ name })),
		kindOf('role code', 'roles', 'code', inCode, (code) => ({ code, name: '某' })),
	];
}

function kindOf(name: string, table: string, column: string, fresh: Kind['fresh'], body: Kind['body']): Kind {
	return { name, path: `/api/${table}`, table, column, fresh, body };
}

/** Checks that the value of the round is alive as often as it should be. */
function alive(world: World, { table, column }: Kind, value: string, times = 1): string | undefined {
	const query = `select id from ${table} where ${column} = ? and deleted_at is null`;
	const found = world.rows(query, value).length;
	return found === times ? undefined : `${column} ${value} is alive ${found} times`;
}

async function overValues(world: World, kind: Kind): Promise<Meeting[]> {
	const { name, path, column, fresh } = kind;
	const make = async (value = fresh()): Promise<number> =>
		expectStatus(await world.asSuper('POST', path, kind.body(value)), 201).id;
	const [one, other] = [await make(), await make()];
	let value = '';
	const create = () => world.asSuper('POST', path, kind.body(value));
	const give = (id: number) => () => world.asSuper('PATCH', `${path}/${id}`, { [column]: value });
	const remove = (id: number) => () => world.asSuper('DELETE', `${path}/${id}`);
	const fromFresh = (first: Start, second: Start) => async () => {
		value = fresh();
		return [first, second];
	};
	const fromMade = (starts: (id: number) => readonly Start[]) => async () => {
		value = fresh();
		return starts(await make(value));
	};
	/** Alive once if the second request won, else not at all. */
	const aliveIfSecondWon = ([, second]: readonly Answer[]) =>
		alive(world, kind, value, second !== undefined && second.status < 300 ? 1 : 0);
	const meetings: [name: string, allowed: string[], prepare: Meeting['prepare'], verify?: Meeting['verify']][] = [
		['created twice', ['201,409', '409,201'], fromFresh(create, create)],
		['given to two', ['200,409', '409,200'], fromFresh(give(one), give(other))],
		['given and created', ['200,409', '409,201'], fromFresh(give(one), create)],
		['deleted and created again', ['204,201', '204,409'], fromMade((id) => [remove(id), create]), aliveIfSecondWon],
		['deleted and given', ['204,200', '204,409'], fromMade((id) => [remove(id), give(one)]), aliveIfSecondWon],
		['deleted twice', ['204,404', '404,204'], fromMade((id) => [remove(id), remove(id)]), aliveIfSecondWon],
		[
			'created twice after its deletion',
			['201,409', '409,201'],
			async () => {
				value = fresh();
				expectStatus(await remove(await make(value))(), 204);
				return [create, create];
			},
		],
	];
	return meetings.map(([what, allowed, prepare, verify = () => alive(world, kind, value)]) => ({
		name: `one ${name}, ${what}`,
		allowed,
		prepare,
		verify: what === 'deleted twice' ? () => alive(world, kind, value, 0) : verify,
	}));
}

/** The requests of the super administrator, to be started later. */
const requestsTo = (world: World) => ({
	post: (path: string, body: unknown) => () => world.asSuper('POST', path, body),
	patch: (path: string, body?: unknown) => () => world.asSuper('PATCH', path, body),
	put: (path: string, body: unknown) => () => world.asSuper('PUT', path, body),
	remove: (path: string) => () => world.asSuper('DELETE', path),
});

/** Meetings as a table: a name, what may come of it, what each round needs, and the requests about that. */
function tableOf<T>(
	setUp: () => Promise<T>,
	rows: readonly [name: string, allowed: string[], requests: (made: T) => readonly Start[]][],
	verify?: Meeting['verify'],
): Meeting[] {
	return rows.map(([name, allowed, requests]) => ({
		...{ name, allowed, prepare: async () => requests(await setUp()) },
		...(verify && { verify }),
	}));
}

function overStores(world: World, home: number): Meeting[] {
	const { post, patch, remove } = requestsTo(world);
	const setUp = async () => {
		const [store, { id }] = [await world.addStore(), await world.addEmployee(home)];
		return { id: store.id, path: `/api/stores/${store.id}`, employee: `/api/employees/${id}` };
	};
	const staffed = async () => {
		const { id } = await world.addStore();
		return { store: `/api/stores/${id}`, employee: (await world.addEmployee(id)).id };
	};
	const hire = (storeId: number) => post('/api/employees', { storeId, name: '某', phone: newPhone() });
	const disabled = { status: 'INACTIVE' };
	/** A person who entered the store just before it was disabled is refused like all others in it. */
	const tokensRefused = async ([, entered]: readonly Answer[]) => {
		if (entered === undefined || entered.status >= 400) return undefined;
		const { id } = entered.body.data;
		const { status } = await world.send('GET', '/api/auth/me', { token: world.tokenOf(id) });
		return status === 401 ? undefined : `a token of ${id} in a disabled store gets ${status}`;
	};
	return [
		...tableOf(setUp, [
			['store deleted, hired into', ['204,400', '409,201'], ({ id, path }) => [remove(path), hire(id)]],
			[
				'store deleted, moved into',
				['204,400', '409,200'],
				({ id, path, employee }) => [remove(path), patch(employee, { storeId: id })],
			],
		]),
		...tableOf(staffed, [
			[
				'store deleted, its last employee too',
				['204,204', '409,204'],
				({ store, employee }) => [remove(store), remove(`${store}/employees/${employee}`)],
			],
		]),
		...tableOf(
			setUp,
			[
				['store disabled, hired into', ['200,201', '200,400'], ({ id, path }) => [patch(path, disabled), hire(id)]],
				[
					'store disabled, moved into',
					['200,200', '200,400'],
					({ id, path, employee }) => [patch(path, disabled), patch(employee, { storeId: id })],
				],
			],
			tokensRefused,
		),
	];
}

async function overRoles(world: World, home: number): Promise<Meeting[]> {
	const { random } = seeded(6);
	const employee = await world.addEmployee(home);
	const lasting = await world.addRole();
	const hired = { storeId: home, name: '某' };
	const { post, patch, put, remove } = requestsTo(world);
	const policy = (id: number) => `/api/permissions/roles/${id}`;
	let submitted: PermissionCode[][] = [];
	/** The role must hold what one of both saves asked for, whole. */
	const heldWhole = (answers: readonly Answer[]) => {
		const wanted = submitted.map((permissions) => withDependencies(permissions).join());
		const answered = answers.map(({ body }) => body.data.permissions.join());
		if (answered.join(' and ') !== wanted.join(' and ')) return `the answers say ${answered.join(' and ')}`;
		const query = 'select permission from role_permissions where role_id = ? and deleted_at is null';
		const rows = world.rows(query, lasting.id).map(({ permission }) => permission);
		const held = codes.filter((code) => rows.includes(code)).join();
		const isOneOfBoth = wanted.includes(held) && rows.length === held.split(',').filter(Boolean).length;
		return isOneOfBoth ? undefined : `it holds ${rows.join()}, not ${wanted.join(' or ')}`;
	};
	return [
		...tableOf(async () => {
			const { id } = await world.addRole('store:view');
			return { id, role: `/api/roles/${id}`, employeeId: (await world.addEmployee(home)).id };
		}, [
			[
				'role deleted, bound',
				['204,400', '409,200'],
				({ id, role }) => [remove(role), patch(`/api/employees/${employee.id}`, { roleIds: [id] })],
			],
			[
				'role deleted, hired with',
				['204,400', '409,201'],
				({ id, role }) => [remove(role), post('/api/employees', { ...hired, phone: newPhone(), roleIds: [id] })],
			],
			[
				'role deleted, given',
				['204,400', '409,200'],
				({ id, role, employeeId }) => [remove(role), post(`/api/employees/${employeeId}/roles`, { roleId: id })],
			],
			[
				'role deleted, given permissions',
				['204,404', '204,200'],
				({ id, role }) => [remove(role), put(policy(id), { permissions: ['role:manage'] })],
			],
		]),
		{
			name: 'role given two sets of permissions',
			allowed: ['200,200'],
			async prepare() {
				submitted = [0.3, 0.6].map((share) => codes.filter(() => random() < share));
				return submitted.map((permissions) => put(policy(lasting.id), { permissions }));
			},
			verify: heldWhole,
		},
	];
}

async function overEmployees(world: World, home: number): Promise<Meeting[]> {
	const [role, elsewhere, chosen] = [await world.addRole(), await world.addStore(), await world.addEmployee(home)];
	const roles: number[] = [];
	for (let made = 0; made < 4; made += 1) roles.push((await world.addRole()).id);
	const sets = [roles.slice(0, 3), roles.slice(2)];
	const { post, patch, remove } = requestsTo(world);
	const many = (id: number, status = 'INACTIVE') => post('/api/employees/changes', { ids: [id], change: { status } });
	const deleted = async () => {
		const [{ id, phone }, store] = [await world.addEmployee(home), await world.addStore()];
		const path = `/api/employees/${id}`;
		expectStatus(await remove(path)(), 204);
		return {
			phone,
			store,
			restore: post(`${path}/restore`, undefined),
			into: post(`${path}/restore?storeId=${store.id}`, undefined),
		};
	};
	const changes: [name: string, path: string, body?: object][] = [
		['renamed', '', { name: newName() }],
		['enabled', '/status', { status: 'ACTIVE' }],
		['disabled', '', { status: 'INACTIVE' }],
		['given a role', '', { roleIds: [role.id] }],
		['moved', '', { storeId: elsewhere.id }],
		['given a phone', '', { phone: newPhone() }],
		['reset', '/password/reset'],
	];
	return [
		...tableOf(
			async () => `/api/employees/${(await world.addEmployee(home)).id}`,
			changes.map(([name, path, body]) => [
				`employee deleted, ${name}`,
				['204,200', '204,404'],
				(employee) => [remove(employee), patch(employee + path, body)],
			]),
		),
		...tableOf(
			() => world.addEmployee(home),
			[
				[
					'employee deleted, given one more role',
					['204,200', '204,404'],
					({ id }) => [remove(`/api/employees/${id}`), post(`/api/employees/${id}/roles`, { roleId: role.id })],
				],
				[
					'employee deleted, disabled among many',
					['204,200', '204,404'],
					({ id }) => [remove(`/api/employees/${id}`), many(id)],
				],
			],
		),
		...tableOf(deleted, [
			['employee restored twice', ['200,409', '409,200'], ({ restore }) => [restore, restore]],
			[
				'employee restored, their phone given',
				['200,409', '409,201'],
				({ restore, phone }) => [restore, post('/api/employees', { storeId: home, name: '某', phone })],
			],
			[
				'employee restored into a store that is deleted',
				['200,409', '400,204'],
				({ into, store }) => [into, remove(`/api/stores/${store.id}`)],
			],
		]),
		...tableOf(async () => {
			const { id } = await world.addEmployee(home);
			const { groupId } = expectStatus(await many(id)(), 200);
			await world.later();
			return post(`/api/employees/changes/${groupId}/undo`, undefined);
		}, [['change of many undone twice', ['200,409', '409,200'], (undo) => [undo, undo]]]),
		{
			name: 'employee given two sets of roles',
			allowed: ['200,200'],
			prepare: async () => sets.map((roleIds) => patch(`/api/employees/${chosen.id}`, { roleIds })),
			verify() {
				const query =
					'select role_id from employee_roles where employee_id = ? and unbound_at is null order by role_id';
				const held = world.rows(query, chosen.id).map(({ role_id }) => role_id);
				return sets.some((set) => set.join() === held.join()) ? undefined : `they hold ${held.join()}`;
			},
		},
	];
}

const newPassword = 'a-new-password';

async function twoPasswords(world: World, home: number): Promise<Meeting> {
	const { id } = await world.addEmployee(home);
	let oldPassword = initialPassword;
	let wanted: string[] = [];
	const change = (newPassword: string) => {
		const body = { oldPassword, newPassword };
		return () => world.asSuper('PATCH', `/api/employees/${id}/password`, body);
	};
	return {
		name: 'two passwords from one old one',
		allowed: ['200,400', '400,200'],
		hashes: true,
		async prepare(round) {
			wanted = [`first-password-${round}`, `second-password-${round}`];
			return wanted.map(change);
		},
		/** The next round starts from the one that won, so it would fail if the other one had been stored. */
		verify(answers) {
			oldPassword = wanted[answers[0]?.status === 200 ? 0 : 1] ?? '';
			return undefined;
		},
	};
}

/** Passwords that are changed, or used to sign in, while something else happens to the account. */
function overPasswords(world: World, home: number): Meeting[] {
	let target: { id: number; phone: string };
	let manager: { id: number; token: string };
	const hire = async () => {
		target = await world.addEmployee(home);
		return `/api/employees/${target.id}`;
	};
	const change =
		(path: string, oldPassword: string, token = world.superToken) =>
		() =>
			world.send('PATCH', `${path}/password`, { token, body: { oldPassword, newPassword } });
	const signIn = (password: string) => world.login('/api/auth/employee/login', target.phone, password);
	/** Which of the passwords let in. */
	const works = async (...passwords: string[]) => {
		const working = [];
		for (const password of passwords) if ((await signIn(password)).status === 200) working.push(password);
		return working.join();
	};
	return [
		{
			name: 'employee deleted, their password changed',
			allowed: ['204,200', '204,404'],
			rare: ['204,200'],
			hashes: true,
			async prepare() {
				const path = await hire();
				return [() => world.asSuper('DELETE', path), change(path, initialPassword)];
			},
			verify: async () => ((await works(initialPassword, newPassword)) === '' ? undefined : 'they can sign in'),
		},
		{
			name: 'password changed and reset',
			allowed: ['200,200', '400,200'],
			rare: ['200,200'],
			hashes: true,
			async prepare() {
				const path = await hire();
				const body = { oldPassword: initialPassword, newPassword: 'an-old-password' };
				expectStatus(await world.asSuper('PATCH', `${path}/password`, body), 200);
				return [change(path, 'an-old-password'), () => world.asSuper('PATCH', `${path}/password/reset`)];
			},
			// A refused change left the reset in force; an accepted one came first, because it needed the old password.
			async verify() {
				const working = await works(initialPassword, newPassword, 'an-old-password');
				return working === initialPassword ? undefined : `what works is ${working}`;
			},
		},
		{
			name: 'manager disabled while they change a password',
			allowed: ['200,200', '401,200'],
			rare: ['200,200'],
			hashes: true,
			async prepare() {
				const path = await hire();
				const { id, token } = await world.addPerson(home, 'employee:view:all', 'employee:manage');
				manager = { id, token };
				// The first check of a token takes longer: without it they would be disabled before they are let in.
				expectStatus(await world.send('GET', '/api/auth/me', { token }), 200);
				return [
					change(path, initialPassword, token),
					() => world.asSuper('PATCH', `/api/employees/${id}/status`, { status: 'INACTIVE' }),
				];
			},
			// The history is written with each change, so it says in which order they were made.
			verify([changed]) {
				const [{ disabled }] = world.rows(
					"select max(id) as disabled from history where target_type = 'EMPLOYEE' and target_id = ?",
					manager.id,
				);
				const [{ later }] = world.rows(
					'select count(*) as later from history where actor_type = ? and actor_id = ? and id > ?',
					'EMPLOYEE',
					manager.id,
					disabled,
				);
				if (later > 0) return 'they changed a password after they were disabled';
				if (changed?.status !== 401 || changed.body.error.message === '账号已被禁用') return undefined;
				return `they got ${changed.text}`;
			},
		},
		{
			name: 'employee disabled while they sign in',
			allowed: ['200,200', '401,200'],
			rare: ['200,200', '401,200'],
			hashes: true,
			async prepare() {
				const path = await hire();
				return [() => signIn(initialPassword), () => world.asSuper('PATCH', `${path}/status`, { status: 'INACTIVE' })];
			},
			async verify([signedIn]) {
				if (signedIn?.status !== 200) return undefined;
				const { status } = await world.send('GET', '/api/auth/me', { token: signedIn.body.data.token });
				return status === 401 ? undefined : `the token of a disabled account gets ${status}`;
			},
		},
	];
}
