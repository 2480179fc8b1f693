/** Whether people can sign in while others try to keep everybody out. */
import { setTimeout as pause } from 'node:timers/promises';
import { Connection, type WireAnswer } from '../connection.ts';
import { Server } from '../server.ts';
import { adminPassword, adminUsername, expectStatus, initialPassword } from '../world.ts';
import { anyTime, type Campaign, type Figures, quantile } from './campaign.ts';
import { requireDescriptors, residentMegabytes } from './vitals.ts';

interface Scale {
	/** How long an attack lasts before people sign in, in milliseconds. */
	before: number;
	/** How many times each person signs in under each attack. */
	signIns: number;
	/** How many connections one attacker has, and from how many networks the largest attack comes. */
	connections: number;
	networks: number;
	/** How many sign in at the same moment. */
	atOnce: number;
	/** How long a sign-in may take from a known device and from a new one, and 99 of 100 reads beside it, in milliseconds. */
	signInWithin: number;
	newcomerWithin: number;
	readWithin: number;
}

export const crowd: Campaign<Scale> = {
	name: 'crowd',
	claim: 'an account signs in at its device within two seconds, and others within five, however many crowd the sign-in',
	short: {
		before: 20,
		signIns: 1,
		connections: 4,
		networks: 8,
		atOnce: 3,
		signInWithin: anyTime,
		newcomerWithin: anyTime,
		readWithin: anyTime,
	},
	full: {
		before: 1000,
		signIns: 25,
		connections: 200,
		networks: 1000,
		atOnce: 100,
		signInWithin: 2000,
		newcomerWithin: 5000,
		readWithin: 100,
	},
	async run(scale, { report }) {
		requireDescriptors(scale.networks + 200);
		const environment = { LOGIN_THROTTLE: 'on', TRUST_PROXY: '127.0.0.1' };
		return Server.with(async (server) => {
			const scene = await prepare(server, scale);
			const figures: Figures = {};
			for (const [index, [name, attack]] of Object.entries(attacksOn(scene, scale)).entries()) {
				figures[name] = await underAttack(scene, scale, attack, index);
				report(`${name}: ${figures[name]}`);
			}
			figures['clients that are gone'] = await behindGoneClients(scene, scale);
			figures['sign-ins at once'] = await atOnce(scene, scale);
			return figures;
		}, environment);
	},
};

const maxMegabytes = 300;
const loginPath = { 'back office': '/api/auth/admin/login', 'employee side': '/api/auth/employee/login' };
type Door = keyof typeof loginPath;

/** A sign-in as it comes through the proxy. */
interface SignIn {
	username: string;
	password: string;
	address: string;
	door: Door;
	/** The `Device-Token` of the sign-in before. */
	device?: string;
}

function ask(connection: Connection, attempt: SignIn): Promise<WireAnswer | undefined> {
	const { username, password, address, door, device } = attempt;
	return connection.ask({
		method: 'POST',
		path: loginPath[door],
		headers: { 'x-forwarded-for': address, ...(device && { 'device-token': device }) },
		body: { username, password },
	});
}

/** The accounts, and where they sign in. */
interface Scene {
	server: Server;
	/** A shop's address, which the cashier, the disabled employee and the manager share. */
	shop: string;
	administrator: SignIn;
	manager: SignIn;
	cashier: SignIn;
	disabled: SignIn;
	/** Employees who never signed in, at a shop that nobody attacks; one for each of those who sign in at the same moment. */
	people: SignIn[];
}

async function prepare(server: Server, { atOnce }: Scale): Promise<Scene> {
	const shop = '203.0.113.50';
	const store = await server.addStore();
	const employee = async (role: string, door: Door): Promise<SignIn & { id: number }> => {
		const roleId = server.rows('select id from roles where code = ?', role)[0].id;
		const { id, phone } = await server.addEmployee(store.id, [roleId]);
		return { id, username: phone, password: initialPassword, address: shop, door };
	};
	const manager = await employee('store_manager', 'back office');
	const cashier = await employee('cashier', 'employee side');
	const disabled = await employee('cashier', 'employee side');
	// At another address: an attack may have used up the guesses of the shop.
	const address = '203.0.113.60';
	const people: SignIn[] = [];
	for (let index = 0; index < atOnce; index += 1) {
		people.push({ ...(await employee('cashier', 'employee side')), address });
	}
	const administrator: SignIn = {
		username: adminUsername,
		password: adminPassword,
		address: '203.0.113.7',
		door: 'back office',
	};
	for (const account of [administrator, manager]) account.device = await expectIn(server, account);
	for (const account of [cashier, disabled]) await expectIn(server, account);
	expectStatus(await server.asSuper('PATCH', `/api/employees/${disabled.id}/status`, { status: 'INACTIVE' }), 200);
	return { server, shop, administrator, manager, cashier, disabled, people };
}

/** Signs in; the `Device-Token` of the answer. */
async function expectIn(server: Server, attempt: SignIn): Promise<string> {
	const connection = await Connection.open(server.url);
	try {
		const answer = await ask(connection, attempt);
		if (answer?.status !== 200) throw new Error(`${attempt.username} at ${attempt.address} got ${answer?.status}`);
		return /^device-token: (\S+)/im.exec(answer.head)?.[1] ?? 'none';
	} finally {
		connection.close();
	}
}

/** How long a sign-in takes, in milliseconds. */
async function timeOf(server: Server, attempt: SignIn): Promise<number> {
	const started = performance.now();
	await expectIn(server, attempt);
	return performance.now() - started;
}

/** The same for somebody without a device, who tries again when the answer says so. */
async function timeWithRetries(server: Server, attempt: SignIn): Promise<number> {
	const started = performance.now();
	for (;;) {
		const connection = await Connection.open(server.url);
		const answer = await ask(connection, attempt);
		connection.close();
		if (answer?.status === 200) return performance.now() - started;
		if (answer?.status !== 503) throw new Error(`${attempt.username} at ${attempt.address} got ${answer?.status}`);
		await pause(1000 * Number(/^retry-after: (\d+)/im.exec(answer.head)?.[1]));
	}
}

/** Sends until it is ended. */
interface Attack {
	/** How many send at the same time. */
	lanes: number;
	/** The next sign-in of a lane. */
	next(lane: number, round: number): SignIn;
	/** The pause between the sign-ins of a lane, which then does not wait for answers; in milliseconds. */
	every?: number;
}

function attacksOn({ shop, cashier, disabled }: Scene, { connections, networks }: Scale): Record<string, Attack> {
	const stranger = (address: string, number: number): SignIn => ({
		username: `130${String(10_000_000 + (number % 89_999_999))}`,
		password: 'a-wrong-password',
		address,
		door: 'employee side',
	});
	const network = (index: number) => `198.${18 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`;
	const hex = (value: number) => (value & 255).toString(16);
	const backOffice: SignIn = { ...cashier, door: 'back office' };
	return {
		'one disabled employee, from elsewhere': {
			lanes: connections,
			next: () => ({ ...disabled, address: '198.51.100.1' }),
		},
		"one disabled employee, at the manager's address": { lanes: connections, next: () => disabled },
		'one cashier at the back office, from elsewhere': {
			lanes: connections,
			next: () => ({ ...backOffice, address: '198.51.100.1' }),
		},
		"one cashier at the back office, at the manager's address": { lanes: connections, next: () => backOffice },
		'one cashier at the back office, from many networks': {
			lanes: connections,
			next: (lane, round) => ({ ...backOffice, address: network(lane + round * connections) }),
		},
		'unknown names from an IPv6 /56, 100 a second': {
			lanes: 1,
			every: 10,
			next: (_, round) => stranger(`2001:db8:0:5${hex(round)}::${hex(round >> 8)}`, round),
		},
		'unknown names from many networks': {
			lanes: networks,
			next: (lane, round) => stranger(network(lane), lane + round * networks),
		},
		"the administrator's name from many networks": {
			lanes: networks,
			next: (lane) => ({ ...stranger(network(lane), 0), username: adminUsername, door: 'back office' }),
		},
		'unknown names at the address of the manager': {
			lanes: connections,
			next: (lane, round) => stranger(shop, lane + round * connections),
		},
	};
}

/** Both people sign in at their devices again and again, now and then somebody who has none, while reads are watched. */
async function underAttack(scene: Scene, scale: Scale, attack: Attack, index: number): Promise<string> {
	const { server, administrator, manager, people } = scene;
	const crowded = await begin(server, attack);
	const reads = watchReads(server);
	const took: number[] = [];
	const newcomersTook: number[] = [];
	try {
		await pause(scale.before);
		for (let time = 0; time < scale.signIns; time += 1) {
			for (const person of [administrator, manager]) took.push(await timeOf(server, person));
			// Another person each time, in a shop where nobody has signed in lately.
			const newcomer = time % 5 === 0 ? people[(index * 5 + time / 5) % people.length] : undefined;
			const address = `203.0.${114 + index}.${time}`;
			if (newcomer) newcomersTook.push(await timeWithRetries(server, { ...newcomer, address }));
		}
	} finally {
		await crowded.end();
	}
	const [slowest, slowestNewcomer] = [Math.max(...took), Math.max(...newcomersTook)];
	const read = quantile(await reads.end(), 0.99);
	const found = `${took.length} of ${took.length}, slowest ${slowest.toFixed(0)} ms; ${newcomersTook.length} without a device, slowest ${slowestNewcomer.toFixed(0)} ms; reads p99 ${read.toFixed(1)} ms; ${crowded.answers()}`;
	if (slowest > scale.signInWithin || slowestNewcomer > scale.newcomerWithin || read > scale.readWithin) {
		throw new Error(found);
	}
	return found;
}

async function begin(server: Server, { lanes, next, every }: Attack) {
	const statuses = new Map<number, number>();
	const connections: Connection[] = [];
	let ended = false;
	const count = ({ status }: { status: number } = { status: 0 }) =>
		statuses.set(status, (statuses.get(status) ?? 0) + 1);
	/** Asks once, on a connection of its own. */
	async function send(attempt: SignIn): Promise<void> {
		const connection = await Connection.open(server.url);
		connections.push(connection);
		count(await ask(connection, attempt));
		connection.close();
	}
	async function sendEvery(milliseconds: number, number: number): Promise<void> {
		for (let round = 0; !ended; round += 1) {
			void send(next(number, round)).catch(() => {});
			await pause(milliseconds);
		}
	}
	async function lane(number: number): Promise<void> {
		if (every !== undefined) return sendEvery(every, number);
		const connection = await Connection.open(server.url);
		connections.push(connection);
		for (let round = 0; !ended && !connection.isClosed; round += 1) {
			const answer = await ask(connection, next(number, round));
			count(answer);
			// Asking again at once would only measure the speed of this campaign.
			if (answer?.status === 429 || answer?.status === 503) await pause(500);
		}
	}
	const running = Array.from({ length: lanes }, (_, number) => lane(number));
	return {
		async end(): Promise<void> {
			ended = true;
			for (const connection of connections) connection.close();
			await Promise.all(running);
		},
		answers: () =>
			`the crowd got ${Array.from(statuses, ([status, total]) => `${total} × ${status || 'none'}`).join(', ')}`,
	};
}

/** The times of a read of the signed-in account, every 20 ms, in milliseconds. */
function watchReads(server: Server) {
	const took: number[] = [];
	const token = server.superToken;
	let ended = false;
	const reading = (async () => {
		const connection = await Connection.open(server.url);
		while (!ended) {
			const started = performance.now();
			const answer = await connection.ask({ method: 'GET', path: '/api/auth/me', token });
			if (answer?.status !== 200) throw new Error(`a read got ${answer?.status}`);
			took.push(performance.now() - started);
			await pause(20);
		}
		connection.close();
	})();
	return {
		async end(): Promise<number[]> {
			ended = true;
			await reading;
			return took;
		},
	};
}

/** Many strangers ask and hang up; then somebody signs in from a new place, without waiting behind them. */
async function behindGoneClients({ server, people }: Scene, { networks, signInWithin }: Scale): Promise<string> {
	const total = Math.min(networks, 300);
	const connections = await Promise.all(Array.from({ length: total }, () => Connection.open(server.url)));
	for (const [index, connection] of connections.entries()) {
		const username = `1310000${1000 + index}`;
		const address = `198.51.100.${index % 250}`;
		void ask(connection, { username, password: 'a-wrong-password', address, door: 'employee side' });
	}
	await pause(200);
	for (const connection of connections) connection.close();
	const [newcomer] = people;
	if (!newcomer) throw new Error('there is nobody to sign in');
	const took = await timeOf(server, newcomer);
	const found = `${total} hung up; a sign-in from a new place then took ${took.toFixed(0)} ms`;
	if (took > signInWithin) throw new Error(found);
	return found;
}

/** As many people as there are sign in at the same moment, then one person as often; all of them get in. */
async function atOnce({ server, manager, people }: Scene, { atOnce: total, readWithin }: Scale): Promise<string> {
	const reads = watchReads(server);
	const started = performance.now();
	await Promise.all(people.map((person) => expectIn(server, person)));
	await Promise.all(Array.from({ length: total }, () => expectIn(server, manager)));
	const took = performance.now() - started;
	const read = quantile(await reads.end(), 0.99);
	const megabytes = residentMegabytes(server.program.pid);
	const found = `${total} people and one person ${total} times, in ${took.toFixed(0)} ms; reads p99 ${read.toFixed(1)} ms; ${megabytes} MB`;
	if (read > readWithin || megabytes >= maxMegabytes) throw new Error(found);
	return found;
}
