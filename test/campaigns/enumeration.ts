/** Tests whether a stranger who signs in or sends a key can learn what exists, from the answer or from its time. */
import type { Answer } from '../http.ts';
import { adminUsername, doors, expectStatus, initialPassword, newPhone, type World } from '../world.ts';
import { type Campaign, counted, type Figures, quantile, type Tools } from './campaign.ts';

interface Scale {
	/** The number of requests per group. */
	each: number;
}

/** The allowed difference of a group's median time from the unknown group's. */
const nearness = 0.1;

export const enumeration: Campaign<Scale> = {
	name: 'enumeration',
	claim: 'a refused sign-in or key reveals nobody’s existence, neither by its answer nor by its time',
	short: { each: 6 },
	full: { each: 300 },
	run: (scale, tools) => tools.onWorld((world) => hold(world, scale, tools)),
};

/** A kind of request that must be refused, at a sign-in route. */
interface Group {
	name: string;
	ask(door: string): Promise<Answer>;
}

async function hold(world: World, { each }: Scale, tools: Tools): Promise<Figures> {
	return {
		...(await compare('sign-ins', await signInsOn(world), each, tools)),
		...(await compare('keys', await keysOn(world), each, tools)),
	};
}

async function compare(what: string, groups: Group[], each: number, { report, judgesTimes }: Tools): Promise<Figures> {
	const took = new Map(groups.map(({ name }) => [name, [] as number[]]));
	let first: string | undefined;
	// Interleaved, so that a slower machine affects all groups alike. Each round asks every group at one route.
	for (let round = 0; round < each; round += 1) {
		const door = doors[round % doors.length] ?? doors[0];
		for (const { name, ask } of groups) {
			const started = performance.now();
			const answer = await ask(door);
			took.get(name)?.push(performance.now() - started);
			// The holder of an ended key may learn that it ended, because nobody guesses a key.
			const text = answer.text.replace('"key_ended"', '"key_invalid"');
			const shown = JSON.stringify([answer.status, text, ...headersOf(answer.headers)]);
			first ??= shown;
			if (answer.status !== 401 || shown !== first) throw new Error(`${name} at ${door}:\n${shown}, not\n${first}`);
		}
		if (round % 100 === 99) report(`${counted((round + 1) * groups.length)} ${what}`);
	}
	const medians = [...took].map(([name, values]) => [name, quantile(values, 0.5)] as const);
	// A few measurements prove nothing.
	if (judgesTimes) expectNear(medians);
	return {
		[`${what} refused alike`]: `${counted(each * groups.length)}, ${counted(each)} of each group`,
		[`the answer to ${what}`]: first ?? '',
		...Object.fromEntries(medians.map(([name, median]) => [`median of ${name}`, `${median.toFixed(2)} ms`])),
	};
}

/** The first key is unknown. */
async function keysOn(world: World): Promise<Group[]> {
	const keyAfter = async (happen: (id: number) => Promise<unknown>): Promise<string> => {
		const { id, key } = world.addProgram(['store:view']);
		await happen(id);
		return key;
	};
	const at = (id: number) => `/api/programs/${id}`;
	const replaced = (id: number) => world.asSuper('POST', `${at(id)}/key?at=once`);
	const keys = {
		'an unknown key': `access_${'x'.repeat(43)}`,
		'the key of a deleted program': await keyAfter((id) => world.asSuper('DELETE', at(id))),
		'a key that another one replaced': await keyAfter(replaced),
		'the key of a program past its end': await keyAfter(async (id) =>
			world.alter((database) => database.run("update programs set ends_on = '2000-01-01' where id = ?", [id])),
		),
	};
	return Object.entries(keys).map(([name, token]) => ({
		name,
		ask: () => world.send('GET', '/api/stores', { token }),
	}));
}

/** The first group is of unknown names. */
async function signInsOn(world: World): Promise<Group[]> {
	const [store, closed] = [await world.addStore(), await world.addStore()];
	/** The phone of a new employee after something happened to them. */
	const phoneAfter = async (happen?: (id: number) => Promise<unknown>, storeId = store.id): Promise<string> => {
		const { id, phone } = await world.addEmployee(storeId, [1]);
		await happen?.(id);
		return phone;
	};
	const disable = async (path: string) => expectStatus(await world.asSuper('PATCH', path, { status: 'INACTIVE' }), 200);
	const giveOneTime = (id: number) => world.giveOneTimePassword(id);
	const enableFactor = (id: number) => world.turnOnSecondFactor(world.tokenOf(id));
	const deleted = await phoneAfter(async (id) =>
		expectStatus(await world.asSuper('DELETE', `/api/employees/${id}`), 204),
	);
	await world.hashAdministratorAsOthers();
	const withWrongPassword: [name: string, username: string][] = [
		['an employee', await phoneAfter()],
		['a disabled employee', await phoneAfter((id) => disable(`/api/employees/${id}/status`))],
		['an employee of a disabled store', await phoneAfter(() => disable(`/api/stores/${closed.id}`), closed.id)],
		['an employee with a one-time password', await phoneAfter(giveOneTime)],
		['an employee with a second factor', await phoneAfter(enableFactor)],
		['the super administrator', adminUsername],
	];
	const signIn = (name: string, username: () => string, password: string): Group => {
		return { name, ask: (door) => world.send('POST', door, { body: { username: username(), password } }) };
	};
	return [
		signIn('the unknown', newPhone, initialPassword),
		signIn('the deleted, with the right password', () => deleted, initialPassword),
		...withWrongPassword.map(([who, username]) =>
			signIn(`${who}, with a wrong password`, () => username, 'not-the-initial-password'),
		),
	];
}

/** Names and values, except values that differ from request to request. */
function headersOf(headers: Headers): string[] {
	// The answers are compared whole, so their length says nothing more.
	const varying = ['x-request-id', 'date', 'content-length'];
	return [...headers].map(([name, value]) => (varying.includes(name) ? name : `${name}: ${value}`)).toSorted();
}

function expectNear(medians: readonly (readonly [name: string, median: number])[]): void {
	const unknown = medians[0]?.[1] ?? Number.NaN;
	const far = medians.filter(([, median]) => Math.abs(median / unknown - 1) > nearness);
	if (far.length > 0) throw new Error(`the unknown have a median time of ${unknown} ms, but ${far.join('; ')}`);
}
