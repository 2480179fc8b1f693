/**
 * Requests that get in each other's way, started together in many rounds, each a little later than the one before. A write that
 * hashes nothing is one turn of the only thread, so those over unique values and stores stand for the others. Those that hash are in
 * auth.test.ts.
 */
import type { Answer, Body } from '../http.ts';
import { expectStatus, newName, newPhone, type World } from '../world.ts';
import { type Campaign, counted, type Figures, type Tools } from './campaign.ts';

interface Scale {
	/** How often two requests meet, for each pair. */
	rounds: number;
}

type Start = () => Promise<Answer>;

/** What is wrong, if anything. */
type Problem = Promise<string | undefined> | string | undefined;

/** Requests that meet. */
interface Meeting {
	name: string;
	/** The statuses that may come of it, in the order of the requests. Each must come up. */
	allowed: readonly string[];
	/** Makes what a round needs: its requests, and a check of what came of them besides the statuses. */
	prepare(round: number): Promise<{ starts: readonly Start[]; verify(answers: readonly Answer[]): Problem }>;
}

export const races: Campaign<Scale> = {
	name: 'races',
	claim:
		'of requests that get in each other’s way one wins and the other is refused; no live row refers to a deleted one',
	short: { rounds: 12 },
	full: { rounds: 1000 },
	run: (scale, tools) => tools.onWorld((world) => hold(world, scale, tools)),
};

async function hold(world: World, scale: Scale, { report }: Tools): Promise<Figures> {
	const stage = stageOn(world, (await world.addStore()).id);
	const valued = await Promise.all(uniqueKinds(stage.home).map((kind) => overValues(stage, kind)));
	const meetings = [...valued.flat(), ...overStores(stage), ...overReach(stage)];
	const figures: Figures = {};
	const lasting = Math.max(0, ...world.customRoles());
	// There can be 1,000 roles and 500 areas at once.
	const tidy = async () => {
		await world.removeRoles(world.customRoles(lasting));
		for (const { id } of world.rows('select id from areas where deleted_at is null'))
			expectStatus(await world.asSuper('DELETE', `/api/areas/${id}`), 204);
	};
	for (const meeting of meetings) {
		const outcomes = await meet(meeting, scale, tidy);
		const shown = [...outcomes].map(([outcome, count]) => `${outcome} × ${counted(count)}`).join(', ');
		figures[meeting.name] = shown;
		report(`${meeting.name}: ${shown}`);
		const missing = meeting.allowed.filter((outcome) => !outcomes.has(outcome));
		if (missing.length > 0) throw new Error(`${meeting.name}: ${missing.join(' and ')} never came up`);
	}
	const broken = world.brokenRows();
	if (broken.length > 0) throw new Error(`live rows refer to deleted ones: ${JSON.stringify(broken.slice(0, 5))}`);
	return figures;
}

/** Runs the rounds of a meeting, with `tidy` before every hundredth; how often each outcome came up. */
async function meet(
	{ name, allowed, prepare }: Meeting,
	{ rounds }: Scale,
	tidy: () => Promise<void>,
): Promise<Map<string, number>> {
	const outcomes = new Map<string, number>();
	for (let round = 0; round < rounds; round += 1) {
		if (round % 100 === 0) await tidy();
		const { starts, verify } = await prepare(round);
		const answers = await together(starts, round);
		const outcome = answers.map(({ status }) => status).join();
		const wrong = allowed.includes(outcome) ? await verify(answers) : `${outcome} is not ${allowed.join(' or ')}`;
		if (wrong !== undefined) {
			const texts = answers.map(({ status, text }) => `${status} ${text}`).join('\n');
			throw new Error(`${name}, round ${round}: ${wrong}\n${texts}`);
		}
		outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
	}
	return outcomes;
}

/** Starts all together, each a little later than the one before, in odd rounds from the other end. Answers in their order. */
async function together(starts: readonly Start[], round: number): Promise<Answer[]> {
	const isReversed = round % 2 === 1;
	const inTurn = isReversed ? starts.toReversed() : starts;
	// Within one process the order is decided by microtasks and turns of the event loop, over sockets by time.
	const lag = [0, 0.05, 0.2, 0.8, 3][Math.floor(round / 2) % 5] ?? 0;
	const answers = await Promise.all(
		inTurn.map(async (start, place) => {
			const until = performance.now() + lag * place;
			while (performance.now() < until) await new Promise(setImmediate);
			return start();
		}),
	);
	return isReversed ? answers.toReversed() : answers;
}

/** What the rounds of some meetings have in common. */
interface Setting<T> {
	/** What a round is about. */
	make(round: number): Promise<T>;
	verify?(answers: readonly Answer[], made: NoInfer<T>): Problem;
}

/** The names of the requests among what was made. */
type StartsOf<T> = { [K in keyof T]: T[K] extends Start ? K : never }[keyof T];

/** Meetings as a table: a name, what may come of it, and which two of the requests meet that were made. */
function tableOf<T>(
	{ make, verify }: Setting<T>,
	rows: readonly (readonly [name: string, allowed: string, first: StartsOf<T>, second: StartsOf<T>])[],
): Meeting[] {
	return rows.map(([name, allowed, ...requests]) => ({
		...{ name, allowed: allowed.split(' or ') },
		async prepare(round) {
			const made = await make(round);
			const starts = requests.map((each) => made[each] as Start);
			return { starts, verify: (answers) => verify?.(answers, made) };
		},
	}));
}

type Stage = ReturnType<typeof stageOn>;

/** A store, role or employee that was made. */
type Made = Record<'path' | 'phone', string> & { id: number };

/** What requests are about, and the requests of the super administrator, to be started later. */
function stageOn(world: World, home: number) {
	const start = (method: string) => (path: string, body?: unknown) => () => world.asSuper(method, path, body);
	const post = start('POST');
	const placed = (path: string, { id, phone }: Body): Made => ({ id, phone, path: `${path}/${id}` });
	return {
		...{ world, home, post, patch: start('PATCH'), remove: start('DELETE') },
		hire: (fields: object) => post('/api/employees', { storeId: home, name: '某', phone: newPhone(), ...fields }),
		store: async () => placed('/api/stores', await world.addStore()),
		employee: async (storeId = home) => placed('/api/employees', await world.addEmployee(storeId)),
	};
}

/** What has a value that must be unique among live rows: how it is made and stored. */
const uniqueKinds = (storeId: number) => [
	{ name: 'phone', table: 'employees', column: 'phone', fresh: newPhone, more: { storeId, name: '某' } },
	{ name: 'store name', table: 'stores', column: 'name', fresh: newName, more: {} },
	{ name: 'role code', table: 'roles', column: 'code', fresh: () => newName('code_'), more: { name: '某' } },
];
type Kind = ReturnType<typeof uniqueKinds>[number];

async function overValues({ world, post, patch, remove }: Stage, kind: Kind): Promise<Meeting[]> {
	const { name, table, column, fresh, more } = kind;
	const path = `/api/${table}`;
	const body = (value: string) => ({ ...more, [column]: value });
	const idOf = async (create: Start): Promise<number> => expectStatus(await create(), 201).id;
	const [one, other] = [await idOf(post(path, body(fresh()))), await idOf(post(path, body(fresh())))];
	const make = async () => {
		const value = fresh();
		const give = (id: number) => patch(`${path}/${id}`, { [column]: value });
		return { value, create: post(path, body(value)), give: give(one), giveOther: give(other) };
	};
	const makeTaken = async () => {
		const made = await make();
		return { ...made, release: remove(`${path}/${await idOf(made.create)}`) };
	};
	/** It lives as often as somebody was given it. */
	const verify = (answers: readonly Answer[], { value }: { value: string }) => {
		const times = answers.filter(({ status }) => status === 200 || status === 201).length;
		const found = world.rows(`select id from ${table} where ${column} = ? and deleted_at is null`, value).length;
		return found === times ? undefined : `${column} ${value} is alive ${found} times`;
	};
	return [
		...tableOf({ make, verify }, [
			[`one ${name}, created twice`, '201,409 or 409,201', 'create', 'create'],
			[`one ${name}, given to two`, '200,409 or 409,200', 'give', 'giveOther'],
		]),
		...tableOf({ make: makeTaken, verify }, [
			[`one ${name}, deleted and created again`, '204,201 or 204,409', 'release', 'create'],
			[`one ${name}, deleted twice`, '204,404 or 404,204', 'release', 'release'],
		]),
	];
}

function overStores({ world, store, employee, hire, patch, remove }: Stage): Meeting[] {
	const make = async () => {
		const [{ id, path }, moved] = [await store(), await employee()];
		return {
			delete: remove(path),
			disable: patch(path, { status: 'INACTIVE' }),
			hireInto: hire({ storeId: id }),
			moveInto: patch(moved.path, { storeId: id }),
		};
	};
	const makeStaffed = async () => {
		const { id, path } = await store();
		return { delete: remove(path), leave: remove(`${path}/employees/${(await employee(id)).id}`) };
	};
	/** A person who entered the store just before it was disabled is refused like all others in it. */
	const verify = async ([, entered]: readonly Answer[]) => {
		if (entered === undefined || entered.status >= 400) return undefined;
		const { id } = entered.body.data;
		const { status } = await world.send('GET', '/api/auth/me', { token: world.tokenOf(id) });
		return status === 401 ? undefined : `a token of ${id} in a disabled store gets ${status}`;
	};
	return [
		...tableOf({ make }, [
			['store deleted, hired into', '204,400 or 409,201', 'delete', 'hireInto'],
			['store deleted, moved into', '204,400 or 409,200', 'delete', 'moveInto'],
		]),
		...tableOf({ make: makeStaffed }, [
			['store deleted, its last employee too', '204,204 or 409,204', 'delete', 'leave'],
		]),
		...tableOf({ make, verify }, [
			['store disabled, hired into', '200,201 or 200,400', 'disable', 'hireInto'],
			['store disabled, moved into', '200,200 or 200,400', 'disable', 'moveInto'],
		]),
	];
}

/** Stores and areas that are given and taken while their holders, or what is given, change. */
function overReach({ world, home, store, employee, patch, remove }: Stage): Meeting[] {
	const put =
		(path: string, body: object, headers = {}) =>
		() =>
			world.send('PUT', `${path}/reach`, {
				token: world.superToken,
				body: { stores: [], areas: [], ...body },
				headers,
			});
	const make = async () => {
		const [given, person, area] = [await store(), await employee(), await world.addArea()];
		const reach = { stores: [{ storeId: given.id }] };
		return {
			give: put(person.path, reach),
			giveArea: put(person.path, { areas: [{ areaId: area.id }] }),
			moveInto: patch(person.path, { storeId: given.id }),
			delete: remove(person.path),
			deleteStore: remove(given.path),
			deleteArea: remove(`/api/areas/${area.id}`),
		};
	};
	const makeManager = async () => {
		const [given, manager] = [await store(), await world.addPerson(home, 'employee:view:store', 'employee:manage')];
		const [person, path] = [await employee(given.id), `/api/employees/${manager.id}`];
		const read = await put(path, { stores: [{ storeId: given.id }] })();
		// The first check of a token takes longer: without it all would be taken before they are let in.
		expectStatus(await world.send('GET', '/api/auth/me', { token: manager.token }), 200);
		const change = (method: string, where: string, body?: object) => () =>
			world.send(method, where, { token: manager.token, body });
		const headers = { 'if-match': read.headers.get('etag') ?? '' };
		return {
			manager,
			take: put(path, {}, headers),
			prolong: put(path, { stores: [{ storeId: given.id, until: '2999-12-31' }] }, headers),
			edit: change('PATCH', person.path, { remark: '某' }),
			hire: change('POST', '/api/employees', { storeId: given.id, name: '某', phone: newPhone() }),
			editMany: change('POST', '/api/employees/changes', { ids: [person.id], change: { storeId: home } }),
		};
	};
	const isBefore = (_: unknown, { manager: { id } }: { manager: { id: number } }) => {
		const taken = "select max(id) from history where action = 'EMPLOYEE_REACH' and target_id = ?1";
		const later = `select id from history where actor_type = 'EMPLOYEE' and actor_id = ?1 and id > (${taken})`;
		return world.rows(later, id).length === 0 ? undefined : 'they wrote after their reach was taken';
	};
	return [
		...tableOf({ make }, [
			['store deleted, given', '204,200 or 204,400', 'deleteStore', 'give'],
			['area deleted, given', '204,200 or 204,400', 'deleteArea', 'giveArea'],
			['employee deleted, given a store', '204,200 or 204,404', 'delete', 'give'],
			['employee moved into a store, given it', '200,200 or 200,400', 'moveInto', 'give'],
		]),
		...tableOf({ make: makeManager, verify: isBefore }, [
			['reach taken, somebody in it changed', '200,200 or 200,403', 'take', 'edit'],
			['reach taken, somebody hired into it', '200,201 or 200,403', 'take', 'hire'],
			['reach taken, many in it moved', '200,200 or 200,403', 'take', 'editMany'],
		]),
		...tableOf({ make: makeManager }, [
			['one reach, replaced twice with its version', '200,412 or 412,200', 'take', 'prolong'],
		]),
	];
}
