/**
 * Conflicting requests, started together in many rounds, one a little later than the other. A write without a hash is one
 * turn of the only thread, so those on phones and stores stand for all, with some on reach: a change of many lets others
 * go first. Writes with a hash are in auth.test.ts.
 */
import type { Answer, Body } from '../http.ts';
import { expectStatus, newPhone, type World } from '../world.ts';
import { type Campaign, counted, type Figures, type Tools } from './campaign.ts';

interface Scale {
	rounds: number;
}

type Start = () => Promise<Answer>;

/** Two conflicting requests: the allowed statuses, each of which must occur, and the function that makes a round's pair. */
type Race = readonly [allowed: string, make: () => Promise<readonly [Start, Start]>];

export const races: Campaign<Scale> = {
	name: 'races',
	claim:
		'of requests that get in each other’s way one wins and the other is refused; no live row refers to a deleted one',
	short: { rounds: 12 },
	full: { rounds: 1000 },
	run: (scale, tools) => tools.onWorld((world) => hold(world, scale, tools)),
};

async function hold(world: World, { rounds }: Scale, { report }: Tools): Promise<Figures> {
	const home: number = (await world.addStore()).id;
	const all = { ...overPhones(world, home), ...overStores(world, home), ...overReach(world, home) };
	const figures: Figures = {};
	for (const [name, [allowed, make]] of Object.entries(all)) {
		const outcomes: Record<string, number> = Object.fromEntries(allowed.split(' or ').map((outcome) => [outcome, 0]));
		for (let round = 0; round < rounds; round += 1) {
			// The limit is 1,000 roles.
			if (round % 100 === 0) await world.removeRoles(world.customRoles());
			const answers = await together(await make(), round);
			const outcome = answers.map(({ status }) => status).join();
			if (outcomes[outcome] === undefined)
				throw new Error(`${name}, round ${round}: not ${allowed}\n${answers.map(({ text }) => text).join('\n')}`);
			outcomes[outcome] += 1;
		}
		figures[name] = Object.entries(outcomes)
			.map(([outcome, count]) => `${outcome} × ${counted(count)}`)
			.join(', ');
		report(`${name}: ${figures[name]}`);
		if (Object.values(outcomes).includes(0)) throw new Error(`${name}: not all came up: ${figures[name]}`);
	}
	const broken = [...world.brokenRows(), ...world.rows(actedWithoutReach)];
	if (broken.length > 0) throw new Error(`rows that must not be: ${JSON.stringify(broken.slice(0, 5))}`);
	return figures;
}

/** Actions after the actor's store access was revoked. */
const actedWithoutReach = `
	select done.* from history as done join (
		select target_id, max(id) as id from history where action = 'EMPLOYEE_REACH' group by target_id
	) as taken on done.actor_type = 'EMPLOYEE' and done.actor_id = taken.target_id and done.id > taken.id`;

/** Starts both requests, one a little later; in odd rounds the second one first. Returns the answers in order. */
async function together([first, second]: readonly [Start, Start], round: number): Promise<Answer[]> {
	// Within a process, microtasks and turns of the event loop decide the order; over sockets, time does.
	const lag = [0, 0.05, 0.2, 0.8, 3][Math.floor(round / 2) % 5] ?? 0;
	const late = async (start: Start) => {
		const until = performance.now() + lag;
		while (performance.now() < until) await new Promise(setImmediate);
		return start();
	};
	if (round % 2 === 0) return Promise.all([first(), late(second)]);
	return (await Promise.all([second(), late(first)])).toReversed();
}

/** A request of the super administrator, to be started later. */
const asking =
	(world: World) =>
	(method: string, path: string, body?: unknown): Start =>
	() =>
		world.asSuper(method, path, body);

/** Races over a value that must be unique among live rows: a phone stands for the names and codes of all tables. */
function overPhones(world: World, storeId: number): Record<string, Race> {
	const ask = asking(world);
	const path = '/api/employees';
	const fresh = () => ({ storeId, name: '某', phone: newPhone() });
	const made = async (body = fresh()) => `${path}/${expectStatus(await world.asSuper('POST', path, body), 201).id}`;
	const twice = async () => {
		const create = ask('POST', path, fresh());
		return [create, create] as const;
	};
	const toTwo = async () => {
		const given = { phone: newPhone() };
		return [ask('PATCH', await made(), given), ask('PATCH', await made(), given)] as const;
	};
	const again = async () => {
		const body = fresh();
		return [ask('DELETE', await made(body)), ask('POST', path, body)] as const;
	};
	const gone = async () => {
		const remove = ask('DELETE', await made());
		return [remove, remove] as const;
	};
	return {
		'one phone, created twice': ['201,409 or 409,201', twice],
		'one phone, given to two': ['200,409 or 409,200', toTwo],
		'one phone, deleted and created again': ['204,201 or 204,409', again],
		'one phone, deleted twice': ['204,404 or 404,204', gone],
	};
}

function overStores(world: World, home: number): Record<string, Race> {
	const ask = asking(world);
	const hireInto = (storeId: number) => ask('POST', '/api/employees', { storeId, name: '某', phone: newPhone() });
	const moveInto = async (storeId: number) =>
		ask('PATCH', `/api/employees/${(await world.addEmployee(home)).id}`, { storeId });
	/** Races the end of a new store against an arrival. */
	const meeting = (end: [string, object?], come: (storeId: number) => Start | Promise<Start>) => async () => {
		const { id } = await world.addStore();
		return [ask(end[0], `/api/stores/${id}`, end[1]), await come(id)] as const;
	};
	const leave = async (storeId: number) =>
		ask('DELETE', `/api/stores/${storeId}/employees/${(await world.addEmployee(storeId)).id}`);
	const disable: [string, object] = ['PATCH', { status: 'INACTIVE' }];
	return {
		'store deleted, hired into': ['204,400 or 409,201', meeting(['DELETE'], hireInto)],
		'store deleted, moved into': ['204,400 or 409,200', meeting(['DELETE'], moveInto)],
		'store deleted, its last employee too': ['204,204 or 409,204', meeting(['DELETE'], leave)],
		'store disabled, hired into': ['200,201 or 200,400', meeting(disable, hireInto)],
		'store disabled, moved into': ['200,200 or 200,400', meeting(disable, moveInto)],
	};
}

/** Races of granting and revoking stores: with their deletion, with a change of many people, and with each other. */
function overReach(world: World, home: number): Record<string, Race> {
	const put = (person: Body, given?: Body, headers = {}): Start => {
		const body = { stores: given ? [{ storeId: given.id }] : [], areas: [] };
		return () => world.send('PUT', `/api/employees/${person.id}/reach`, { token: world.superToken, headers, body });
	};
	const giving = async () => {
		const given = await world.addStore();
		return [asking(world)('DELETE', `/api/stores/${given.id}`), put(await world.addEmployee(home), given)] as const;
	};
	/** Revokes a manager's store while the manager moves its people. */
	const taking = async () => {
		const given = await world.addStore();
		const manager = await world.addPerson(home, 'employee:view:store', 'employee:manage');
		const { token } = manager;
		expectStatus(await put(manager, given)(), 200);
		// A token's first check is slow: without this, the store would always be gone before the request.
		expectStatus(await world.send('GET', '/api/auth/me', { token }), 200);
		const body = { ids: [(await world.addEmployee(given.id)).id], change: { storeId: home } };
		return [put(manager), () => world.send('POST', '/api/employees/changes', { token, body })] as const;
	};
	const replacing = async () => {
		const [given, person] = [await world.addStore(), await world.addEmployee(home)];
		const { headers } = await put(person, given)();
		const version = { 'if-match': headers.get('etag') ?? '' };
		return [put(person, undefined, version), put(person, await world.addStore(), version)] as const;
	};
	return {
		'store deleted, given': ['204,200 or 204,400', giving],
		'reach taken, many in it moved': ['200,200 or 200,403', taking],
		'one reach, replaced twice with its version': ['200,412 or 412,200', replacing],
	};
}
