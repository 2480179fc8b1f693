/** Mixed requests of several clients at once: reads, writes and refusals, each with the one status it must have. */
import { Connection, type WireAnswer, type WireRequest } from '../connection.ts';
import type { Server } from '../server.ts';
import { adminPassword, initialPassword } from '../world.ts';

/** A request and the status it must be answered with. */
interface Call extends WireRequest {
	status: number;
	/** Records something from the answer. */
	learn?(answer: WireAnswer): void;
}

/** How much to send. */
export interface TrafficScale {
	requests: number;
	/** How many of the requests are sign-ins; each takes a good part of a core for some 50 ms. */
	signIns: number;
}

const builtIn = { admin: 1, cashier: 3 };
const staff = 40;
const phonesFrom = 13_000_000_000;

/** Stores and people that no client changes, and the clients that use them. */
export class Traffic {
	/** How often each status was answered. */
	readonly statuses: Record<number, number> = {};
	/** How many requests were answered. */
	answered = 0;
	readonly server: Server;
	readonly superToken: string;
	readonly cashierToken: string;
	#phones = phonesFrom;
	#names = 0;

	private constructor(server: Server) {
		this.server = server;
		this.superToken = server.superToken;
		this.cashierToken = server.tokenOf(staff + 1);
	}

	/** Fills a new installation. */
	static async prepare(server: Server): Promise<Traffic> {
		const token = server.superToken;
		for (const name of ['东店', '西店', '南店']) await server.send('POST', '/api/stores', { token, body: { name } });
		for (let index = 0; index <= staff; index += 1) {
			const roleIds = [index < staff ? builtIn.admin : builtIn.cashier];
			const phone = String(19_900_000_000 + index);
			await server.send('POST', '/api/employees', { token, body: { storeId: 1, name: '老员工', phone, roleIds } });
		}
		return new Traffic(server);
	}

	/**
	 * Sends requests from several clients at once, over connections that are kept alive.
	 * @throws Error when an answer is not the one that the request must have.
	 */
	async run(scale: TrafficScale, clients: number, onAnswer: () => void = () => {}): Promise<void> {
		const all = await Promise.all(Array.from({ length: clients }, (_, index) => Client.join(this, index)));
		const signInEvery = scale.signIns === 0 ? Number.POSITIVE_INFINITY : Math.ceil(scale.requests / scale.signIns);
		let sent = 0;
		const work = async (client: Client) => {
			while (sent < scale.requests) {
				sent += 1;
				await client.send(sent % signInEvery === 0 ? signIn(client, sent) : client.next());
				onAnswer();
			}
		};
		try {
			await Promise.all(all.map(work));
		} finally {
			for (const client of all) client.leave();
		}
	}

	newPhone(): string {
		this.#phones += 1;
		return String(this.#phones);
	}

	newName(): string {
		this.#names += 1;
		return `新来的${this.#names}`;
	}

	/** A token of an administrator; there are more of them than the server can cache. */
	staffToken(index: number): string {
		return this.server.sign(`EMPLOYEE:${1 + (index % staff)}`, 1, Math.floor(Date.now() / 1000) - (index % 3600));
	}
}

/** A client that sends one request after the other and knows what it made. */
class Client {
	readonly traffic: Traffic;
	readonly employees: number[] = [];
	readonly stores: number[] = [];
	count: number;
	readonly #connection: Connection;

	private constructor(traffic: Traffic, connection: Connection, index: number) {
		this.traffic = traffic;
		this.#connection = connection;
		// Each client begins at another place in the plan.
		this.count = index * 1009;
	}

	static async join(traffic: Traffic, index: number): Promise<Client> {
		return new Client(traffic, await Connection.open(traffic.server.program.url), index);
	}

	leave(): void {
		this.#connection.close();
	}

	/** The next request of the plan. */
	next(): Call {
		this.count += 1;
		// 37 and 100 share no divisor, so every request of the plan has its turn and neighbours are sent far apart.
		const make = plan[(this.count * 37) % plan.length] ?? me;
		return make(this, this.count);
	}

	async send(call: Call): Promise<void> {
		const answer = await this.#connection.ask(call);
		if (answer?.status !== call.status) {
			// What the program logged about it may come a little later.
			await Bun.sleep(300);
			throw new Error(refutation(call, answer, this.traffic.server));
		}
		call.learn?.(answer);
		const { traffic } = this;
		traffic.answered += 1;
		traffic.statuses[answer.status] = (traffic.statuses[answer.status] ?? 0) + 1;
	}

	/** A read by the super administrator. */
	get(path: string, status = 200): Call {
		return { method: 'GET', path, token: this.traffic.superToken, status };
	}

	/** A write by the super administrator. */
	write(method: string, path: string, status: number, body?: unknown): Call {
		return { method, path, token: this.traffic.superToken, body, status };
	}
}

function refutation({ method, path, body, status }: Call, answer: WireAnswer | undefined, server: Server): string {
	const request = `${method} ${path} ${body === undefined ? '' : JSON.stringify(body).slice(0, 200)}`;
	const got = answer === undefined ? 'no answer' : `${answer.status} ${answer.text.slice(0, 300)}`;
	const logged = server.program.output.split('\n').findLast((line) => /"level":"(?:error|warn)"/.test(line)) ?? '';
	return `${request} must be answered ${status}, but got ${got} ${logged}`;
}

type Make = (client: Client, count: number) => Call;

const me: Make = (client) => client.get('/api/auth/me');

const reads: Make[] = [
	me,
	(client) => client.get('/api/permissions/me'),
	(client) => client.get('/api/permissions/policies'),
	(client) => client.get('/api/permissions/definitions'),
	(client) => client.get('/api/stores'),
	(client, count) => client.get(`/api/stores?page=${1 + (count % 3)}&pageSize=5`),
	(client) => client.get('/api/stores/2'),
	(client) => client.get('/api/stores/2/employees'),
	(client) => client.get('/api/roles'),
	(client, count) => client.get(`/api/roles/${1 + (count % 5)}`),
	(client, count) => client.get(`/api/employees?page=${1 + (count % 4)}&pageSize=10`),
	(client) => client.get('/api/employees?keyword=%E5%91%98&status=ACTIVE'),
	(client, count) => client.get(`/api/employees/${1 + (count % staff)}`),
	() => ({ method: 'GET', path: '/health', status: 200 }),
];

/** Hires while there are few and dismisses while there are many, so that there are never more. */
const turnover: Make = (client) => {
	const { traffic, employees } = client;
	const leaving = employees.length > 4 ? employees.shift() : undefined;
	if (leaving !== undefined) return client.write('DELETE', `/api/employees/${leaving}`, 204);
	const body = { storeId: 2, name: traffic.newName(), phone: traffic.newPhone(), roleIds: [builtIn.cashier] };
	return {
		...client.write('POST', '/api/employees', 201, body),
		learn: ({ text }) => void employees.push(JSON.parse(text).data.id),
	};
};

const opening: Make = (client) => {
	const { traffic, stores } = client;
	const closing = stores.length > 2 ? stores.shift() : undefined;
	if (closing !== undefined) return client.write('DELETE', `/api/stores/${closing}`, 204);
	return {
		...client.write('POST', '/api/stores', 201, { name: traffic.newName(), address: '路' }),
		learn: ({ text }) => void stores.push(JSON.parse(text).data.id),
	};
};

const rename: Make = (client, count) => {
	const [employee] = client.employees;
	if (employee === undefined) return turnover(client, count);
	return client.write('PATCH', `/api/employees/${employee}`, 200, { name: client.traffic.newName(), remark: '改名' });
};

const assign: Make = (client, count) => {
	const permissions = count % 2 === 0 ? ['store:view'] : ['store:view', 'role:view'];
	return client.write('PUT', '/api/permissions/roles/4', 200, { permissions });
};

const byStaff: Make = ({ traffic }, count) => ({
	method: 'GET',
	path: '/api/employees?storeId=1&pageSize=5',
	token: traffic.staffToken(count),
	status: 200,
});

const refusals: Make[] = [
	(client) => client.get('/api/employees?page=0', 400),
	(client) => client.write('POST', '/api/stores', 400, '{"name":"half'),
	(client) => client.write('POST', '/api/employees', 400, { storeId: 999_999, name: '某', phone: '13900000000' }),
	() => ({ method: 'GET', path: '/api/stores', status: 401 }),
	() => ({ method: 'GET', path: '/api/stores', token: 'not.a.token', status: 401 }),
	(client) => client.write('POST', '/api/auth/login', 400, { username: 'admin', password: 'short' }),
	({ traffic }) => ({ method: 'GET', path: '/api/employees', token: traffic.cashierToken, status: 403 }),
	({ traffic }) => ({ method: 'DELETE', path: '/api/stores/1', token: traffic.cashierToken, status: 403 }),
	(client) => client.get('/api/employees/999999999', 404),
	(client) => client.get('/api/nothing', 404),
	(client) => client.write('DELETE', '/api/stores/999999999', 404),
	(client) => client.write('POST', '/api/stores', 409, { name: '东店' }),
	(client) => client.write('POST', '/api/employees', 409, { storeId: 1, name: '某', phone: '19900000000' }),
	(client) => client.write('DELETE', '/api/roles/1', 409),
];

/** A hundred requests: 66 reads, 20 refusals, 14 that write. */
const plan: readonly Make[] = [
	...times(4, reads),
	...times(10, [byStaff]),
	...times(1, refusals),
	...refusals.slice(0, 6),
	...times(7, [turnover]),
	...times(3, [rename]),
	...times(2, [opening]),
	...times(2, [assign]),
];

function times(count: number, makes: readonly Make[]): Make[] {
	return Array.from({ length: count }, () => makes).flat();
}

/** The super administrator and an employee in turn, each with the right password and with a wrong one. */
function signIn(client: Client, count: number): Call {
	const [username, right] = count % 4 < 2 ? ['admin', adminPassword] : ['19900000000', initialPassword];
	const isWrong = count % 2 === 0;
	const body = { username, password: isWrong ? 'a-wrong-password' : right };
	return client.write('POST', '/api/auth/login', isWrong ? 401 : 200, body);
}
