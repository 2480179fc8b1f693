/** Two requests that get in each other's way, started together over connections of their own, in many rounds. */
import type { PermissionCode } from '../../src/vocabulary/permissions.ts';
import { withDependencies } from '../matrix.ts';
import { codes, seeded } from '../oracle.ts';
import type { Campaign, Figures } from './campaign.ts';
import { type Answer, initialPassword } from './rig.ts';
import { Chain, counted, dataOf } from './rights-chain.ts';

interface Scale {
	/** How often two requests meet, for each pair. */
	rounds: number;
	/** How often twenty requests meet, for each kind. */
	crowds: number;
	/** How often two meet of which one hashes. */
	hashingRounds: number;
	/** Whether each allowed outcome must have come up; a few rounds need not show them all. */
	everyOutcome: boolean;
}

type Start = () => Promise<Answer>;

/** Requests that meet. */
interface Meeting {
	name: string;
	/** The statuses that may come of it, in the order of the requests. */
	allowed: readonly string[];
	/** What each round needs, and its requests. */
	prepare(round: number): Promise<readonly Start[]>;
	/** What is wrong with what came of a round besides its statuses; nothing, when all is well. */
	verify?(answers: readonly Answer[]): string | undefined;
	/** How much later one starts than the other, in milliseconds; from round to round another. */
	lags?: readonly number[];
}

const shortLags = [0, 0.05, 0.1, 0.2, 0.4, 0.8, 1.5, 3];
/** A hash takes some 25 ms, and there are up to four in a round. */
const hashingLags = [0, 0.2, 1, 5, 12, 20, 30, 45];

export const races: Campaign<Scale> = {
	name: 'races',
	claim:
		'of requests that get in each other’s way one wins and the other is refused; nothing alive leans on the deleted',
	rows: 'R1 R2 R3 R4 R5 R6',
	short: { rounds: 12, crowds: 2, hashingRounds: 8, everyOutcome: false },
	full: { rounds: 1000, crowds: 100, hashingRounds: 1000, everyOutcome: true },
	run: (scale, tell) => Chain.on((chain) => hold(chain, scale, tell)),
};

async function hold(chain: Chain, scale: Scale, tell: (step: string) => void): Promise<Figures> {
	const { rounds, crowds, hashingRounds, everyOutcome } = scale;
	const home = (await chain.addStore()).id;
	const kinds = uniqueKinds(chain, home);
	const parts: [rounds: number, meetings: readonly Meeting[]][] = [
		[rounds, (await Promise.all(kinds.map((kind) => overValues(chain, kind)))).flat()],
		[crowds, kinds.map((kind) => crowd(chain, kind))],
		[rounds, [...overStores(chain, home), ...(await overRoles(chain, home)), ...(await overEmployees(chain, home))]],
		[hashingRounds, [await twoPasswords(chain, home)]],
		[Math.ceil(hashingRounds / 10), [deletedWhilePasswordChanges(chain, home)]],
	];
	const figures: Figures = {};
	for (const [rounds, meetings] of parts) {
		for (const meeting of meetings) {
			const outcomes = await meet(meeting, rounds);
			const shown = [...outcomes].map(([outcome, count]) => `${outcome} × ${counted(count)}`).join(', ');
			figures[meeting.name] = shown;
			tell(`${meeting.name}: ${shown}`);
			const missing = meeting.allowed.filter((outcome) => !outcomes.has(outcome));
			if (everyOutcome && missing.length > 0)
				throw new Error(`${meeting.name}: ${missing.join(' and ')} never came up`);
		}
	}
	const broken = chain.brokenRows();
	if (broken.length > 0) throw new Error(`alive, but leaning on the deleted: ${JSON.stringify(broken.slice(0, 5))}`);
	return figures;
}

/** Holds the rounds of a meeting; how often each outcome came up. */
async function meet(meeting: Meeting, rounds: number): Promise<Map<string, number>> {
	const { name, allowed, prepare, verify, lags = shortLags } = meeting;
	const outcomes = new Map<string, number>();
	for (let round = 0; round < rounds; round += 1) {
		const lag = lags[Math.floor(round / 2) % lags.length] ?? 0;
		const answers = await together(await prepare(round), lag, round % 2 === 1);
		const outcome = summary(answers);
		const wrong = allowed.includes(outcome) ? verify?.(answers) : `${outcome} is not ${allowed.join(' or ')}`;
		if (wrong !== undefined) {
			const texts = answers.map(({ status, text }) => `${status} ${text}`).join('\n');
			throw new Error(`${name}, round ${round}, ${lag} ms apart: ${wrong}\n${texts}`);
		}
		outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
	}
	return outcomes;
}

/** Starts all together, each a lag after the one before; with `lastFirst` from the other end. Answers in their order. */
async function together(starts: readonly Start[], lag: number, lastFirst: boolean): Promise<Answer[]> {
	const inTurn = lastFirst ? starts.toReversed() : starts;
	const answers = await Promise.all(
		inTurn.map(async (start, place) => {
			await pass(lag * place);
			return start();
		}),
	);
	return lastFirst ? answers.toReversed() : answers;
}

/** Lets time pass more finely than timers do, while answers can still come in. */
async function pass(milliseconds: number): Promise<void> {
	const until = performance.now() + milliseconds;
	while (performance.now() < until) await new Promise(setImmediate);
}

/** The statuses in their order; of a crowd, how often each came. */
function summary(answers: readonly Answer[]): string {
	const statuses = answers.map(({ status }) => status);
	if (statuses.length === 2) return statuses.join();
	const groups = Map.groupBy(statuses.toSorted(), (status) => status);
	return [...groups].map(([status, all]) => `${all.length} of ${status}`).join();
}

const meetingOf = (
	name: string,
	allowed: readonly string[],
	prepare: Meeting['prepare'],
	more: Partial<Meeting> = {},
) => ({
	name,
	allowed,
	prepare,
	...more,
});

/** What has a value that only one may have: how it is made and how it is told. */
interface Kind {
	name: string;
	path: string;
	table: string;
	column: string;
	fresh: () => string;
	body: (value: string) => Record<string, unknown>;
}

function uniqueKinds(chain: Chain, home: number): Kind[] {
	return [
		{
			name: 'phone',
			path: '/api/employees',
			table: 'employees',
			column: 'phone',
			fresh: () => chain.newPhone(),
			body: (phone) => ({ storeId: home, name: 'somebody', phone }),
		},
		{
			name: 'store name',
			path: '/api/stores',
			table: 'stores',
			column: 'name',
			fresh: () => chain.newName('name'),
			body: (name) => ({ name }),
		},
		{
			name: 'role code',
			path: '/api/roles',
			table: 'roles',
			column: 'code',
			fresh: () => chain.newName('code'),
			body: (code) => ({ code, name: 'some role' }),
		},
	];
}

/** That the value of the round is alive as often as it should be. */
function aliveOnce(chain: Chain, { table, column }: Kind, value: string, times = 1): string | undefined {
	const query = `select id from ${table} where ${column} = ? and deleted_at is null`;
	const found = chain.rig.rows(query, value).length;
	return found === times ? undefined : `${column} ${value} is alive ${found} times`;
}

function crowd(chain: Chain, kind: Kind): Meeting {
	let value = '';
	const prepare = async () => {
		value = kind.fresh();
		const body = kind.body(value);
		return Array.from({ length: 20 }, () => () => chain.asSuper('POST', kind.path, body));
	};
	const verify = () => aliveOnce(chain, kind, value);
	return meetingOf(`one ${kind.name}, created 20 times`, ['1 of 201,19 of 409'], prepare, {
		verify,
		lags: [0, 0.05, 0.1],
	});
}

async function overValues(chain: Chain, kind: Kind): Promise<Meeting[]> {
	const { name, path, column, fresh } = kind;
	const make = async (value = fresh()): Promise<number> =>
		dataOf(await chain.asSuper('POST', path, kind.body(value)), 201).id;
	const [one, other] = [await make(), await make()];
	let value = '';
	const create = () => chain.asSuper('POST', path, kind.body(value));
	const give = (id: number) => () => chain.asSuper('PATCH', `${path}/${id}`, { [column]: value });
	const verify = () => aliveOnce(chain, kind, value);
	const fromFresh = (first: Start, second: Start) => async () => {
		value = fresh();
		return [first, second];
	};
	const fromMade = (starts: (id: number) => readonly Start[]) => async () => {
		value = fresh();
		return starts(await make(value));
	};
	const remove = (id: number) => () => chain.asSuper('DELETE', `${path}/${id}`);
	return [
		meetingOf(`one ${name}, created twice`, ['201,409', '409,201'], fromFresh(create, create), { verify }),
		meetingOf(`one ${name}, given to two`, ['200,409', '409,200'], fromFresh(give(one), give(other)), { verify }),
		meetingOf(`one ${name}, given and created`, ['200,409', '409,201'], fromFresh(give(one), create), { verify }),
		meetingOf(
			`one ${name}, deleted and created again`,
			['204,201', '204,409'],
			fromMade((id) => [remove(id), create]),
			{
				verify: ([, created]) => aliveOnce(chain, kind, value, created?.status === 201 ? 1 : 0),
			},
		),
		meetingOf(
			`one ${name}, deleted and given`,
			['204,200', '204,409'],
			fromMade((id) => [remove(id), give(one)]),
			{
				verify: ([, given]) => aliveOnce(chain, kind, value, given?.status === 200 ? 1 : 0),
			},
		),
		meetingOf(
			`one ${name}, deleted twice`,
			['204,404', '404,204'],
			fromMade((id) => [remove(id), remove(id)]),
			{
				verify: () => aliveOnce(chain, kind, value, 0),
			},
		),
	];
}

function overStores(chain: Chain, home: number): Meeting[] {
	const hire = (storeId: number) => () =>
		chain.asSuper('POST', '/api/employees', { storeId, name: 'somebody', phone: chain.newPhone() });
	const move = (id: number, storeId: number) => () => chain.asSuper('PATCH', `/api/employees/${id}`, { storeId });
	const remove = (id: number) => () => chain.asSuper('DELETE', `/api/stores/${id}`);
	const disable = (id: number) => () => chain.asSuper('PATCH', `/api/stores/${id}`, { status: 'INACTIVE' });
	/** A token of somebody who came into the store before it was disabled would outlive it. */
	const tokensEnded = ([, hired]: readonly Answer[]) => {
		if (hired?.status !== 201) return undefined;
		const [row] = chain.rig.rows('select token_version from employees where id = ?', hired.body.data.id);
		return row.token_version === 2 ? undefined : `the tokens of ${hired.body.data.id} live on`;
	};
	return [
		meetingOf('store deleted, hired into', ['204,400', '409,201'], async () => {
			const { id } = await chain.addStore();
			return [remove(id), hire(id)];
		}),
		meetingOf('store deleted, moved into', ['204,400', '409,200'], async () => {
			const [store, employee] = [await chain.addStore(), await chain.addEmployee(home)];
			return [remove(store.id), move(employee.id, store.id)];
		}),
		meetingOf('store deleted, its last employee too', ['204,204', '409,204'], async () => {
			const store = await chain.addStore();
			const { id } = await chain.addEmployee(store.id);
			return [remove(store.id), () => chain.asSuper('DELETE', `/api/stores/${store.id}/employees/${id}`)];
		}),
		meetingOf(
			'store disabled, hired into',
			['200,201', '200,400'],
			async () => {
				const { id } = await chain.addStore();
				return [disable(id), hire(id)];
			},
			{ verify: tokensEnded },
		),
		meetingOf('store disabled, moved into', ['200,200', '200,400'], async () => {
			const [store, employee] = [await chain.addStore(), await chain.addEmployee(home)];
			return [disable(store.id), move(employee.id, store.id)];
		}),
	];
}

async function overRoles(chain: Chain, home: number): Promise<Meeting[]> {
	const { random } = seeded(6);
	const employee = await chain.addEmployee(home);
	const lasting = await chain.addEmptyRole();
	const remove = (id: number) => () => chain.asSuper('DELETE', `/api/roles/${id}`);
	const put = (id: number, permissions: readonly PermissionCode[]) => () =>
		chain.asSuper('PUT', `/api/permissions/roles/${id}`, { permissions });
	let submitted: PermissionCode[][] = [];
	/** The role must hold what one of both saves asked for, whole. */
	const heldWhole = (answers: readonly Answer[]) => {
		const wanted = submitted.map((permissions) => withDependencies(permissions).join());
		const told = answers.map(({ body }) => body.data.permissions.join());
		if (told.join(' and ') !== wanted.join(' and ')) return `the answers tell ${told.join(' and ')}`;
		const query = 'select permission from role_permissions where role_id = ? and deleted_at is null';
		const rows = chain.rig.rows(query, lasting.id).map(({ permission }) => permission);
		const held = codes.filter((code) => rows.includes(code)).join();
		const isOneOfBoth = wanted.includes(held) && rows.length === held.split(',').filter(Boolean).length;
		return isOneOfBoth ? undefined : `it holds ${rows.join()}, not ${wanted.join(' or ')}`;
	};
	return [
		meetingOf('role deleted, bound', ['204,400', '409,200'], async () => {
			const { id } = await chain.addEmptyRole();
			return [remove(id), () => chain.asSuper('PATCH', `/api/employees/${employee.id}`, { roleIds: [id] })];
		}),
		meetingOf('role deleted, hired with', ['204,400', '409,201'], async () => {
			const { id } = await chain.addEmptyRole();
			const body = { storeId: home, name: 'somebody', phone: chain.newPhone(), roleIds: [id] };
			return [remove(id), () => chain.asSuper('POST', '/api/employees', body)];
		}),
		meetingOf('role deleted, given permissions', ['204,404', '204,200'], async () => {
			const { id } = await chain.addEmptyRole();
			return [remove(id), put(id, ['role:manage'])];
		}),
		meetingOf(
			'role given two sets of permissions',
			['200,200'],
			async () => {
				submitted = [0.3, 0.6].map((share) => codes.filter(() => random() < share));
				return submitted.map((permissions) => put(lasting.id, permissions));
			},
			{ verify: heldWhole },
		),
	];
}

async function overEmployees(chain: Chain, home: number): Promise<Meeting[]> {
	const [role, elsewhere] = [await chain.addEmptyRole(), await chain.addStore()];
	const changes: [name: string, path: string, body: () => unknown][] = [
		['renamed', '', () => ({ name: chain.newName('name') })],
		['enabled', '/status', () => ({ status: 'ACTIVE' })],
		['disabled', '', () => ({ status: 'INACTIVE' })],
		['given a role', '', () => ({ roleIds: [role.id] })],
		['moved', '', () => ({ storeId: elsewhere.id })],
		['given a phone', '', () => ({ phone: chain.newPhone() })],
		['reset', '/password/reset', () => undefined],
	];
	return changes.map(([name, path, body]) =>
		meetingOf(`employee deleted, ${name}`, ['204,200', '204,404'], async () => {
			const { id } = await chain.addEmployee(home);
			return [
				() => chain.asSuper('DELETE', `/api/employees/${id}`),
				() => chain.asSuper('PATCH', `/api/employees/${id}${path}`, body()),
			];
		}),
	);
}

async function twoPasswords(chain: Chain, home: number): Promise<Meeting> {
	const { id } = await chain.addEmployee(home);
	let oldPassword = initialPassword;
	let wanted: string[] = [];
	const change = (newPassword: string) => {
		const body = { oldPassword, newPassword };
		return () => chain.asSuper('PATCH', `/api/employees/${id}/password`, body);
	};
	return {
		name: 'two passwords from one old one',
		allowed: ['200,400', '400,200'],
		lags: hashingLags,
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

function deletedWhilePasswordChanges(chain: Chain, home: number): Meeting {
	const body = { oldPassword: initialPassword, newPassword: 'a-new-password' };
	return {
		name: 'employee deleted, his password changed',
		allowed: ['204,200', '204,404'],
		// The change takes two hashes, on a busy machine some hundreds of milliseconds: now and then it must be done first.
		lags: [0, 1, 30, 100, 600],
		async prepare() {
			const { id } = await chain.addEmployee(home);
			return [
				() => chain.asSuper('DELETE', `/api/employees/${id}`),
				() => chain.asSuper('PATCH', `/api/employees/${id}/password`, body),
			];
		},
	};
}
