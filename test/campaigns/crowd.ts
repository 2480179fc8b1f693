/** Whether people can sign in at their usual place while others try to keep everybody out. */
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
	/** A sign-in may take this long, in milliseconds, and 99 of 100 reads beside it this long. */
	signInWithin: number;
	readWithin: number;
}

export const crowd: Campaign<Scale> = {
	name: 'crowd',
	claim: 'an account signs in at its usual place within two seconds, however others crowd the sign-in',
	short: {
		before: 50,
		signIns: 1,
		connections: 12,
		networks: 24,
		atOnce: 8,
		signInWithin: anyTime,
		readWithin: anyTime,
	},
	full: {
		before: 1000,
		signIns: 25,
		connections: 200,
		networks: 1000,
		atOnce: 100,
		signInWithin: 2000,
		readWithin: 100,
	},
	async run(scale, report) {
		requireDescriptors(scale.networks + 200);
		const environment = { LOGIN_THROTTLE: 'on', TRUST_PROXY: '127.0.0.1' };
		return Server.with(async (server) => {
			const scene = await prepare(server, scale);
			const figures: Figures = {};
			for (const [name, attack] of Object.entries(attacksOn(scene, scale))) {
				figures[name] = await underAttack(scene, scale, attack);
				report(`${name}: ${figures[name]}`);
			}
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
}

function ask(connection: Connection, { username, password, address, door }: SignIn): Promise<WireAnswer | undefined> {
	return connection.ask({
		method: 'POST',
		path: loginPath[door],
		headers: { 'x-forwarded-for': address },
		body: { username, password },
	});
}

async function signIn(server: Server, attempt: SignIn): Promise<number> {
	const connection = await Connection.open(server.url);
	try {
		return (await ask(connection, attempt))?.status ?? 0;
	} finally {
		connection.close();
	}
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
	/** An employee who never signed in. */
	newcomer: SignIn;
	/** Employees, one for each of those who sign in at the same moment. */
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
	const newcomer = { ...(await employee('cashier', 'employee side')), address };
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
	for (const account of [administrator, manager, cashier, disabled]) await expectIn(server, account);
	expectStatus(await server.asSuper('PATCH', `/api/employees/${disabled.id}/status`, { status: 'INACTIVE' }), 200);
	return { server, shop, administrator, manager, cashier, disabled, newcomer, people };
}

async function expectIn(server: Server, attempt: SignIn): Promise<void> {
	const status = await signIn(server, attempt);
	if (status !== 200) throw new Error(`${attempt.username} at ${attempt.address} got ${status}`);
}

/** Sends until it is ended. */
interface Attack {
	/** How many send at the same time. */
	lanes: number;
	/** The next sign-in of a lane. */
	next(lane: number, round: number): SignIn;
}

function attacksOn({ shop, cashier, disabled }: Scene, { connections, networks }: Scale): Record<string, Attack> {
	const stranger = (address: string, number: number): SignIn => ({
		username: `130${String(10_000_000 + (number % 89_999_999))}`,
		password: 'a-wrong-password',
		address,
		door: 'employee side',
	});
	const network = (index: number) => `198.${18 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`;
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

/** Both people sign in at their usual places again and again, while reads are watched. */
async function underAttack(scene: Scene, scale: Scale, attack: Attack): Promise<string> {
	const { server, administrator, manager } = scene;
	const crowded = await begin(server, attack);
	const reads = watchReads(server);
	const took: number[] = [];
	try {
		await pause(scale.before);
		for (let time = 0; time < scale.signIns; time += 1) {
			for (const person of [administrator, manager]) {
				const started = performance.now();
				await expectIn(server, person);
				took.push(performance.now() - started);
			}
		}
	} finally {
		await crowded.end();
	}
	const slowest = Math.max(...took);
	const read = quantile(await reads.end(), 0.99);
	const found = `${took.length} of ${took.length}, slowest ${slowest.toFixed(0)} ms; reads p99 ${read.toFixed(1)} ms; ${crowded.answers()}`;
	if (slowest > scale.signInWithin || read > scale.readWithin) throw new Error(found);
	return found;
}

async function begin(server: Server, { lanes, next }: Attack) {
	const statuses = new Map<number, number>();
	const connections: Connection[] = [];
	let ended = false;
	async function lane(number: number): Promise<void> {
		const connection = await Connection.open(server.url);
		connections.push(connection);
		for (let round = 0; !ended && !connection.isClosed; round += 1) {
			const answer = await ask(connection, next(number, round));
			const status = answer?.status ?? 0;
			statuses.set(status, (statuses.get(status) ?? 0) + 1);
			// Asking again at once would only measure the speed of this campaign.
			if (status === 429 || status === 503) await pause(500);
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
