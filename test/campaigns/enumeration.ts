/** Whether a stranger who tries to sign in can find out who exists: from the answer, or from the time it takes. */

import { totp } from '../totp.ts';
import { expectStatus, initialPassword, newPhone, type World } from '../world.ts';
import { type Campaign, counted, type Figures, onWorld, quantile, type Transport } from './campaign.ts';

interface Scale {
	transport: Transport;
	/** How many sign-ins of each group. */
	each: number;
	/** Whether times are compared; a few measurements prove nothing. */
	times: boolean;
}

const doors = ['/api/auth/login', '/api/auth/admin/login', '/api/auth/employee/login'];
/** By how much the median time of a group may differ from that of the unknown. */
const nearness = 0.1;

export const enumeration: Campaign<Scale> = {
	name: 'enumeration',
	claim: 'a refused sign-in reveals nobody’s existence, neither by its answer nor by its time',
	short: { transport: 'in this process', each: 6, times: false },
	full: { transport: 'over a socket', each: 300, times: true },
	run: (scale, { report }) => onWorld(scale.transport, (world) => hold(world, scale, report)),
};

/** A kind of sign-in that must be refused. */
interface Group {
	name: string;
	username: () => string;
	password: string;
}

async function hold(world: World, { each, times }: Scale, report: (step: string) => void): Promise<Figures> {
	const groups = await groupsOn(world);
	const took = new Map(groups.map(({ name }) => [name, [] as number[]]));
	let first: string | undefined;
	// Interleaved, so that a machine that gets slower gets slower for all; the doors turn at another pace than the groups.
	for (let round = 0; round < each; round += 1) {
		const door = doors[round % doors.length] ?? '';
		for (const { name, username, password } of groups) {
			const started = performance.now();
			const answer = await world.send('POST', door, { body: { username: username(), password } });
			took.get(name)?.push(performance.now() - started);
			const shown = JSON.stringify([answer.status, answer.text, ...headersOf(answer.headers)]);
			first ??= shown;
			if (answer.status !== 401 || shown !== first) throw new Error(`${name} at ${door}:\n${shown}, not\n${first}`);
		}
		if (round % 100 === 99) report(`${counted((round + 1) * groups.length)} sign-ins`);
	}
	const medians = [...took].map(([name, values]) => [name, quantile(values, 0.5)] as const);
	if (times) expectNear(medians);
	return {
		'sign-ins refused alike': `${counted(each * groups.length)}, ${counted(each)} of each group, at ${doors.length} doors`,
		'the answer': first ?? '',
		...Object.fromEntries(medians.map(([name, median]) => [`median of ${name}`, `${median.toFixed(1)} ms`])),
	};
}

/** The first group does not exist at all. */
async function groupsOn(world: World): Promise<Group[]> {
	const store = await world.addStore();
	const present = await world.addEmployee(store.id, [1]);
	const deleted = await world.addEmployee(store.id, [1]);
	expectStatus(await world.asSuper('DELETE', `/api/employees/${deleted.id}`), 204);
	const disabled = await world.addEmployee(store.id, [1]);
	expectStatus(await world.asSuper('PATCH', `/api/employees/${disabled.id}/status`, { status: 'INACTIVE' }), 200);
	const closed = await world.addStore();
	const inClosed = await world.addEmployee(closed.id, [1]);
	expectStatus(await world.asSuper('PATCH', `/api/stores/${closed.id}`, { status: 'INACTIVE' }), 200);
	const newcomer = await world.addEmployee(store.id, [1]);
	expectStatus(await world.asSuper('POST', `/api/employees/${newcomer.id}/one-time-password`), 200);
	const careful = await world.addEmployee(store.id, [1]);
	const [token, factor] = [world.tokenOf(careful.id), '/api/auth/me/second-factor'];
	const started = await world.send('POST', factor, { token, body: { password: initialPassword } });
	const code = totp(expectStatus(started, 200).secret, world.now());
	expectStatus(await world.send('PUT', factor, { token, body: { code } }), 200);
	const wrong = 'not-the-initial-password';
	const always = (username: string) => () => username;
	return [
		{ name: 'the unknown', username: () => newPhone(), password: initialPassword },
		{ name: 'a wrong password', username: always(present.phone), password: wrong },
		{ name: 'the deleted, with the right password', username: always(deleted.phone), password: initialPassword },
		{ name: 'the disabled, with a wrong password', username: always(disabled.phone), password: wrong },
		{ name: 'in a disabled store, with a wrong password', username: always(inClosed.phone), password: wrong },
		{ name: 'who has a one-time password, with a wrong one', username: always(newcomer.phone), password: wrong },
		{ name: 'who has a second factor, with a wrong password', username: always(careful.phone), password: wrong },
		{ name: 'the super administrator, with a wrong password', username: always('admin'), password: wrong },
	];
}

/** Names and values, except values that differ from request to request. */
function headersOf(headers: Headers): string[] {
	const varying = ['x-request-id', 'date'];
	return [...headers].map(([name, value]) => (varying.includes(name) ? name : `${name}: ${value}`)).toSorted();
}

function expectNear(medians: readonly (readonly [name: string, median: number])[]): void {
	const unknown = medians[0]?.[1] ?? Number.NaN;
	for (const [name, median] of medians) {
		const ratio = median / unknown;
		if (Math.abs(ratio - 1) > nearness) {
			throw new Error(`the median time of ${name} is ${ratio.toFixed(3)} times that of the unknown (${unknown} ms)`);
		}
	}
}
