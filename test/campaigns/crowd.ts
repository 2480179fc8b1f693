/** Tests whether people can sign in while others try to block everybody. */
import { Connection, type WireAnswer } from '../connection.ts';
import { Server } from '../server.ts';
import { adminPassword, adminUsername, type Door, expectStatus, initialPassword } from '../world.ts';
import { type Campaign, type Figures, quantile, repeatDuring } from './campaign.ts';
import { requireDescriptors } from './vitals.ts';

interface Scale {
	/** Only every nth attack is made. It lasts `before` milliseconds until people sign in. */
	everyNth: number;
	before: number;
	/** The number of sign-ins of each person under each attack. */
	signIns: number;
	/** The connections of one attacker, and the networks of the largest attack. */
	connections: number;
	networks: number;
}

export const crowd: Campaign<Scale> = {
	name: 'crowd',
	claim: 'an account signs in at its device within two seconds, and others within five, however many crowd the sign-in',
	short: { everyNth: 4, before: 20, signIns: 1, connections: 2, networks: 3 },
	full: { everyNth: 1, before: 1000, signIns: 25, connections: 200, networks: 1000 },
	async run(scale, { report, judgesTimes }) {
		requireDescriptors(scale.networks + 200);
		const environment = { LOGIN_THROTTLE: 'on', TRUST_PROXY: '127.0.0.1' };
		return Server.with(async (server) => {
			const scene = { ...(await prepare(server, scale)), judgesTimes };
			const figures: Figures = {};
			for (const [index, [name, attack]] of Object.entries(attacksOn(scene, scale)).entries()) {
				if (index % scale.everyNth > 0) continue;
				figures[name] = await underAttack(scene, scale, attack, index);
				report(`${name}: ${figures[name]}`);
			}
			return figures;
		}, environment);
	},
};

/** The limits in milliseconds of a sign-in from a known device, of one from a new device, and of 99 % of reads. */
const within = { device: 2000, newcomer: 5000, read: 100 };
const [backOffice, employeeSide] = ['/api/auth/admin/login', '/api/auth/employee/login'] as const;

/** A sign-in as it comes through the proxy. */
interface SignIn {
	username: string;
	password: string;
	address: string;
	door: Door;
	/** The `Device-Token` of the last sign-in. */
	device?: string;
}

function ask(connection: Connection, attempt: SignIn): Promise<WireAnswer | undefined> {
	const { username, password, address, door, device } = attempt;
	return connection.ask({
		method: 'POST',
		path: door,
		headers: { 'x-forwarded-for': address, ...(device && { 'device-token': device }) },
		body: { username, password },
	});
}

/** The accounts, and where they sign in. */
interface Scene {
	server: Server;
	judgesTimes: boolean;
	/** A shop's address, which the cashier, the disabled employee and the manager share. */
	shop: string;
	administrator: SignIn;
	manager: SignIn;
	cashier: SignIn;
	disabled: SignIn;
	/** Employees who never signed in, at a shop that nobody attacks. */
	people: SignIn[];
}

async function prepare(server: Server, { signIns }: Scale): Promise<Omit<Scene, 'judgesTimes'>> {
	const shop = '203.0.113.50';
	const store = await server.addStore();
	const employee = async (role: string, door: Door): Promise<SignIn & { id: number }> => {
		const roleId = server.rows('select id from roles where code = ?', role)[0].id;
		const { id, phone } = await server.addEmployee(store.id, [roleId]);
		return { id, username: phone, password: initialPassword, address: shop, door };
	};
	const manager = await employee('store_manager', backOffice);
	const cashier = await employee('cashier', employeeSide);
	const disabled = await employee('cashier', employeeSide);
	// At another address, because an attack may have used up the shop's guesses.
	const address = '203.0.113.60';
	const people: SignIn[] = [];
	while (people.length < 2 * signIns) people.push({ ...(await employee('cashier', employeeSide)), address });
	await server.hashAdministratorAsOthers();
	const credentials = { username: adminUsername, password: adminPassword };
	const administrator: SignIn = { ...credentials, address: '203.0.113.7', door: backOffice };
	for (const account of [administrator, manager]) account.device = (await signIn(server, account)).device;
	for (const account of [cashier, disabled]) await signIn(server, account);
	expectStatus(await server.asSuper('PATCH', `/api/employees/${disabled.id}/status`, { status: 'INACTIVE' }), 200);
	return { server, shop, administrator, manager, cashier, disabled, people };
}

/**
 * Signs in. With `retries`, where times are not judged, it repeats after a 503. Returns the milliseconds and the
 * `Device-Token`.
 */
async function signIn(server: Server, attempt: SignIn, retries = false): Promise<{ took: number; device: string }> {
	const started = performance.now();
	for (;;) {
		const connection = await Connection.open(server.url);
		const answer = await ask(connection, attempt);
		connection.close();
		const device = /^device-token: (\S+)/im.exec(answer?.head ?? '')?.[1] ?? 'none';
		if (answer?.status === 200) return { took: performance.now() - started, device };
		if (!retries || answer?.status !== 503)
			throw new Error(`${attempt.username} at ${attempt.address} got ${answer?.status}`);
		await Bun.sleep(1000 * Number(/^retry-after: (\d+)/im.exec(answer.head)?.[1]));
	}
}

/** Repeated sign-ins. */
interface Attack {
	/** The number of parallel senders. */
	lanes: number;
	next(lane: number, round: number): SignIn;
}

function attacksOn({ shop, cashier, disabled }: Scene, { connections, networks }: Scale): Record<string, Attack> {
	const stranger = (address: string, number: number): SignIn => ({
		username: `130${String(10_000_000 + (number % 89_999_999))}`,
		password: 'a-wrong-password',
		address,
		door: employeeSide,
	});
	const network = (index: number) => `198.${18 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`;
	const hex = (value: number) => (value & 255).toString(16);
	const ofOne = (next: Attack['next']): Attack => ({ lanes: connections, next });
	const ofMany = (next: Attack['next']): Attack => ({ lanes: networks, next });
	return {
		'one disabled employee, from elsewhere': ofOne(() => ({ ...disabled, address: '198.51.100.1' })),
		"one disabled employee, at the manager's address": ofOne(() => disabled),
		'one cashier at the back office, from many networks': ofOne((lane, round) => ({
			...cashier,
			door: backOffice,
			address: network(lane + round * connections),
		})),
		'unknown names from an IPv6 /56': ofOne((lane, round) =>
			stranger(`2001:db8:0:5${hex(round)}::${hex(lane)}`, lane + round * connections),
		),
		'unknown names from many networks': ofMany((lane, round) => stranger(network(lane), lane + round * networks)),
		"the administrator's name from many networks": ofMany((lane) => ({
			...stranger(network(lane), 0),
			username: adminUsername,
			door: backOffice,
		})),
		'unknown names at the address of the manager': ofOne((lane, round) => stranger(shop, lane + round * connections)),
	};
}

/** Watches reads while both people sign in at their devices, and now and then a newcomer without a device. */
async function underAttack(scene: Scene, scale: Scale, attack: Attack, index: number): Promise<string> {
	const { server, administrator, manager, people } = scene;
	const crowded = crowdOf(server, attack);
	const took: number[] = [];
	const newcomersTook: number[] = [];
	const signInAll = async () => {
		await Bun.sleep(scale.before);
		for (let time = 0; time < scale.signIns; time += 1) {
			for (const person of [administrator, manager]) took.push((await signIn(server, person, !scene.judgesTimes)).took);
			// Another person each time, in a shop without recent sign-ins.
			const newcomer = time % 5 === 0 ? people[(index * 5 + time / 5) % people.length] : undefined;
			const address = `203.0.${114 + index}.${time}`;
			if (newcomer) newcomersTook.push((await signIn(server, { ...newcomer, address }, true)).took);
		}
	};
	const attacked = () => repeatDuring(() => signInAll().finally(crowded.hangUp), ...crowded.lanes);
	const read = await readP99(server, attacked).finally(crowded.hangUp);
	const [slowest, slowestNewcomer] = [Math.max(...took), Math.max(...newcomersTook)];
	const found = [
		`${took.length} of ${took.length}, slowest ${slowest.toFixed(0)} ms`,
		`${newcomersTook.length} without a device, slowest ${slowestNewcomer.toFixed(0)} ms`,
		`reads p99 ${read.toFixed(1)} ms`,
		crowded.answers(),
	].join('; ');
	const isSlow = slowest > within.device || slowestNewcomer > within.newcomer || read > within.read;
	if (scene.judgesTimes && isSlow) throw new Error(found);
	return found;
}

/** Returns the lanes of an attack, to be repeated. */
function crowdOf(server: Server, { lanes, next }: Attack) {
	const statuses = new Map<number, number>();
	const connections = new Map<number, Connection>();
	function lane(number: number): () => Promise<void> {
		let round = 0;
		return async () => {
			const known = connections.get(number);
			const connection = !known || known.isClosed ? await Connection.open(server.url) : known;
			connections.set(number, connection);
			const { status } = (await ask(connection, next(number, round))) ?? { status: 0 };
			statuses.set(status, (statuses.get(status) ?? 0) + 1);
			round += 1;
			// Asking again at once would only measure the speed of this campaign.
			if (status === 429 || status === 503) await Bun.sleep(500);
		};
	}
	return {
		lanes: Array.from({ length: lanes }, (_, number) => lane(number)),
		hangUp() {
			for (const connection of connections.values()) connection.close();
		},
		answers: () =>
			`the crowd got ${Array.from(statuses, ([status, total]) => `${total} × ${status || 'none'}`).join(', ')}`,
	};
}

/** Reads the account every 20 ms during some work. Returns the milliseconds that 99 of 100 reads stay below. */
async function readP99(server: Server, work: () => Promise<unknown>): Promise<number> {
	const took: number[] = [];
	const token = server.superToken;
	const connection = await Connection.open(server.url);
	await repeatDuring(work, async () => {
		const started = performance.now();
		const answer = await connection.ask({ method: 'GET', path: '/api/auth/me', token });
		if (answer?.status !== 200) throw new Error(`a read got ${answer?.status}`);
		took.push(performance.now() - started);
		await Bun.sleep(20);
	});
	connection.close();
	return quantile(took, 0.99);
}
