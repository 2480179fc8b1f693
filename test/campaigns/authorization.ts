/** The permission matrix: what every set of permissions gets on every protected route. */
import { casesOn, expectedStatus, type Held, subsets } from '../matrix.ts';
import { codes, nameOf, protectedEndpoints } from '../oracle.ts';
import type { World } from '../world.ts';
import { type Campaign, type Chance, counted, type Figures, forEachAtOnce } from './campaign.ts';

interface Scale {
	/** How many of the 512 sets of codes: none, each code alone and all come first, the others at random. */
	sets: number;
}

/** How many requests are under way at once. */
const lanes = 8;

export const authorization: Campaign<Scale> = {
	name: 'authorization',
	claim: 'every set of permissions gets what the table says on every protected route',
	short: { sets: 13 },
	full: { sets: subsets.length },
	run: ({ sets }, { chance, onWorld }) => onWorld((world) => hold(world, sets, chance)),
};

interface Actor {
	name: string;
	held: Held;
	token: string | undefined;
}

/** Every set of codes, `*`, no role and no token, on every protected route. */
async function hold(world: World, sets: number, chance: Chance): Promise<Figures> {
	const [home, quiet, role] = [await world.addStore(), await world.addStore(), await world.addRole()];
	const [target, other] = [await world.addEmployee(home.id), await world.addEmployee(quiet.id)];
	const actors = await actorsIn(world, home.id, sets, chance);
	const cases = casesOn({ home, quiet, role, adminRoleId: 1, target, other });
	// Signing out ends the token that asks for it.
	const covered = new Set([...cases.map(({ endpoint }) => endpoint), 'POST /api/auth/logout']);
	const forgotten = protectedEndpoints.map(nameOf).filter((endpoint) => !covered.has(endpoint));
	if (forgotten.length > 0) throw new Error(`the matrix has no case for ${forgotten.join()}`);
	for (const each of cases) {
		const [method = ''] = each.endpoint.split(' ');
		await forEachAtOnce(actors, lanes, async ({ name, held, token }) => {
			const ask = () => world.send(method, each.path, { ...(token && { token }), body: each.body });
			const first = await ask();
			// On a machine that is busy otherwise, a password can wait for its turn for too long.
			const { status, text } = first.status === 503 ? await ask() : first;
			const expected = token === undefined ? 401 : expectedStatus(each, held);
			if (status === expected && text.includes('"FORBIDDEN"') === (expected === 403)) return;
			throw new Error(
				`${name}: ${method} ${each.path} ${JSON.stringify(each.body)}: ${status}, not ${expected}: ${text}`,
			);
		});
	}
	const asked = counted(cases.length * actors.length);
	return { 'requests as the table says': `${asked}, ${cases.length} cases, ${actors.length} actors` };
}

async function actorsIn(world: World, storeId: number, count: number, { random }: Chance): Promise<Actor[]> {
	const isPlain = ({ length }: readonly unknown[]) => length <= 1 || length === codes.length;
	const others = subsets.filter((set) => !isPlain(set)).toSorted(() => random() - 0.5);
	const chosen = [...subsets.filter(isPlain), ...others].slice(0, count);
	const actors: Actor[] = [];
	for (const permissions of chosen) {
		const { token } = await world.addPerson(storeId, ...permissions);
		actors.push({ name: permissions.join() || 'an empty role', held: new Set(permissions), token });
	}
	const { id } = await world.addEmployee(storeId);
	actors.push({ name: 'no role', held: new Set(), token: world.sign(`EMPLOYEE:${id}`, 1) });
	actors.push({ name: '*', held: new Set(['*']), token: world.superToken });
	actors.push({ name: 'a stranger', held: new Set(), token: undefined });
	return actors;
}
