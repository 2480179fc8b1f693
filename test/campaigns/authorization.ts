/** The permission matrix: the answer of every protected route to every set of permissions. */
import { type Actor, casesOn, refusalOf, subsets } from '../matrix.ts';
import { codes, ownCodes } from '../oracle.ts';
import type { World } from '../world.ts';
import { type Campaign, type Chance, counted, type Figures, forEachAtOnce } from './campaign.ts';

interface Scale {
	/** The number of the 512 sets of codes to try: first none, each code alone, a store manager's and all, then random ones. */
	sets: number;
}

/** The number of concurrent requests. */
const lanes = 8;

export const authorization: Campaign<Scale> = {
	name: 'authorization',
	claim: 'every set of permissions gets what the table says on every protected route',
	short: { sets: 14 },
	full: { sets: subsets.length },
	run: ({ sets }, { chance, onWorld }) => onWorld((world) => hold(world, sets, chance)),
};

/** `id` is that of an employee. */
interface NamedActor extends Actor {
	name: string;
	id?: number;
}

/**
 * Tries every set of codes, some with points of the chain, `*`, no role, a one-time password and no token, on every
 * protected route.
 */
async function hold(world: World, sets: number, chance: Chance): Promise<Figures> {
	for (const code of ownCodes) await world.addPoint(code);
	const [home, quiet] = [await world.addStore(), await world.addStore()];
	const [target, other] = [await world.addEmployee(home.id), await world.addEmployee(quiet.id)];
	const actors = await actorsIn(world, home.id, sets, chance);
	const [east, west] = [await world.addArea(), await world.addArea()];
	const someone = async (fields = {}) => world.addEmployee((await world.addStore(fields)).id);
	const [given, ended] = [await someone(), await someone()];
	const [inArea, endedInArea] = [await someone({ areaId: east.id }), await someone({ areaId: west.id })];
	const over = '2000-01-01';
	const reach = [
		{ store_id: given.storeId, area_id: null, ends_on: null },
		{ store_id: null, area_id: east.id, ends_on: '2999-12-31' },
		{ store_id: ended.storeId, area_id: null, ends_on: over },
		{ store_id: null, area_id: west.id, ends_on: over },
	];
	const rows = actors.flatMap(({ id }) =>
		id === undefined ? [] : reach.map((row) => ({ employee_id: id, ...row, given_at: over })),
	);
	world.insert('employee_reach', rows);
	const cases = casesOn({ home, quiet, area: east, target, other, given, inArea, ended, endedInArea });
	for (const each of cases) {
		const { method } = each.endpoint;
		await forEachAtOnce(actors, lanes, async (actor) => {
			const { token, name } = actor;
			const ask = () => world.send(method, each.path, { ...(token && { token }), body: each.body });
			const first = await ask();
			// On a busy machine, a password may wait too long for its turn.
			const { status, text } = first.status === 503 ? await ask() : first;
			const refused = status === 401 || status === 403 || status >= 500 ? status : undefined;
			const wanted = refusalOf(each, actor);
			if (refused === wanted) return;
			throw new Error(
				`${name}: ${method} ${each.path} ${JSON.stringify(each.body)} is not ${wanted}: ${status} ${text}`,
			);
		});
	}
	const asked = counted(cases.length * actors.length);
	return { 'requests as the table says': `${asked}, ${cases.length} cases, ${actors.length} actors` };
}

async function actorsIn(world: World, storeId: number, count: number, { random }: Chance): Promise<NamedActor[]> {
	const isPlain = (set: readonly string[]) =>
		set.length <= 1 || set.length === codes.length || set.join() === 'employee:view:store,employee:manage';
	const others = subsets.filter((set) => !isPlain(set)).toSorted(() => random() - 0.5);
	const chosen = [...subsets.filter(isPlain), ...others].slice(0, count);
	const actors: NamedActor[] = [];
	const ownSets = [[], ['till:refund'], ['till:price'], ownCodes] as const;
	const withOwn = chosen.map((set, index) => [...set, ...(ownSets[index % ownSets.length] ?? [])]);
	for (const permissions of withOwn) {
		const { id, token } = await world.addPerson(storeId, ...permissions);
		actors.push({ id, name: permissions.join() || 'an empty role', held: new Set(permissions), token });
	}
	for (const permissions of chosen) {
		const { key } = world.addProgram(permissions, storeId);
		const name = `a program with ${permissions.join() || 'nothing'}`;
		actors.push({ isProgram: true, name, held: new Set(permissions), token: key });
	}
	const { id } = await world.addEmployee(storeId);
	actors.push({ id, name: 'no role', held: new Set(), token: world.sign(`EMPLOYEE:${id}`, 1) });
	const newcomer = await world.addPerson(storeId, ...codes);
	await world.giveOneTimePassword(newcomer.id);
	const restricted = { mustSetPassword: true, name: 'a one-time password', held: new Set(codes) } as const;
	actors.push({ ...restricted, id: newcomer.id, token: world.tokenOf(newcomer.id) });
	actors.push({ name: '*', held: new Set(['*']), token: world.superToken });
	actors.push({ name: 'a stranger', held: new Set(), token: undefined });
	return actors;
}
