/** Forged tokens, made with knowledge of the secret, and the last second of good ones. */
import { type Forge, forgeries, forgeWith, mutate } from '../forgeries.ts';
import type { Answer } from '../http.ts';
import { notSignedIn, seeded } from '../oracle.ts';
import { expectStatus, jwtSecret, type World } from '../world.ts';
import { type Campaign, counted, type Figures, forEachAtOnce, onWorld, type Transport } from './campaign.ts';

interface Scale {
	transport: Transport;
	/** How many random mutations of good tokens. */
	mutations: number;
	/** How many tokens are watched while they end, in real time. */
	endings: number;
}

/** How many requests are under way at once. */
const lanes = 8;
const seed = 20_261_121;
/** How many bytes the head of a request may have. */
const longestHead = 16_384;

export const tokens: Campaign<Scale> = {
	name: 'tokens',
	claim: 'no forged or mutated token is accepted, and a good one is accepted until its last second and no longer',
	// In short, the end of a token is left to the `clock` campaign and to auth.test.ts, which need not wait for it.
	short: { transport: 'in this process', mutations: 500, endings: 0 },
	full: { transport: 'over a socket', mutations: 10_000, endings: 200 },
	run: (scale, report) => onWorld(scale.transport, (world) => hold(world, scale, report)),
};

async function hold(world: World, scale: Scale, report: (step: string) => void): Promise<Figures> {
	const { mutations, endings } = scale;
	const forges = await forgesOn(world);
	await expectGood(world, forges);
	for (const { good, forge } of forges) {
		await forEachAtOnce(Object.entries(forgeries), lanes, async ([name, make]) => {
			const token = make(forge);
			const answer = await ask(world, token);
			// A request with a longer head does not reach the program: the runtime refuses it as a whole.
			if (answer.status === 431 && token.length > longestHead) return;
			expectRefused(answer, `forged token "${name}" of ${good}`);
		});
	}
	report(`${Object.keys(forgeries).length} ways of forging on ${forges.length} accounts`);
	const chance = seeded(seed);
	const mutated = Array.from({ length: mutations }, () => mutate(chance.pick(forges).good, chance));
	await forEachAtOnce(mutated, lanes, async (token) => {
		expectRefused(await ask(world, token), `mutated token ${token}`);
	});
	report(`${counted(mutations)} mutations`);
	const asked = await watchEndings(world, endings);
	await expectGood(world, forges);
	return {
		accounts: forges.length,
		'forged tokens refused': counted(forges.length * Object.keys(forgeries).length),
		'mutated tokens refused': `${counted(mutations)} (seed ${seed})`,
		'tokens watched to their last second': `${counted(endings)}, in ${counted(asked)} requests`,
	};
}

const ask = (world: World, token: string) => world.send('GET', '/api/auth/me', { token });

function expectRefused({ status, body, text }: Answer, what: string): void {
	const { code, message } = body?.error ?? {};
	if (status === 401 && code === 'UNAUTHORIZED' && message === notSignedIn) return;
	throw new Error(`${what} got ${status}: ${text}`);
}

interface Attacked {
	good: string;
	forge: Forge;
}

/** Accounts of every sort to forge tokens of. */
async function forgesOn(world: World): Promise<Attacked[]> {
	const store = await world.addStore();
	const viewer = await world.addPerson(store.id, 'store:view');
	const manager = await world.addPerson(store.id, 'employee:view:store', 'employee:manage');
	const administrator = await world.addEmployee(store.id, [1]);
	const leaver = await world.addEmployee(store.id);
	expectStatus(await world.asSuper('DELETE', `/api/employees/${leaver.id}`), 204);
	const known = {
		secret: jwtSecret,
		epoch: world.tokenEpoch(),
		employeeId: viewer.id,
		deletedId: leaver.id,
		now: Math.floor(world.now().getTime() / 1000),
	};
	const good = [world.superToken, viewer.token, manager.token, world.tokenOf(administrator.id)];
	return good.map((token, index) => {
		const other = good[(index + 1) % good.length] ?? '';
		return { good: token, forge: forgeWith({ ...known, good: token, other }) };
	});
}

/** The tokens that are forged are good, and so is one made like the forged ones with nothing wrong in it. */
async function expectGood(world: World, forges: readonly Attacked[]): Promise<void> {
	for (const { good, forge } of forges) {
		for (const token of [good, forge.make(forge.header, forge.claims)]) expectStatus(await ask(world, token), 200);
	}
}

/** Uses tokens that end within two seconds until they are refused; how often it asked. */
async function watchEndings(world: World, count: number): Promise<number> {
	const lifetime = 7200;
	const [row] = world.rows('select token_version from administrators');
	const soon = Math.floor(Date.now() / 1000) + 2;
	let asked = 0;
	await forEachAtOnce(Array(count).keys(), lanes, async (index) => {
		// A second for each hundred, so that no request waits behind those of the others.
		const ends = soon + Math.floor(index / 100);
		const token = world.sign('SUPER_ADMIN:1', row.token_version, ends - lifetime);
		for (let status = 200; status === 200; asked += 1) {
			await Bun.sleep(Math.max(1, ends * 1000 - Date.now() - 20));
			const before = Date.now();
			({ status } = await ask(world, token));
			const after = Date.now();
			if (status === 200 && before >= ends * 1000) throw new Error(`${before - ends * 1000} ms after its end: 200`);
			if (status !== 200 && after < ends * 1000) throw new Error(`${ends * 1000 - after} ms before its end: ${status}`);
		}
	});
	return asked;
}
