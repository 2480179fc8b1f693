/** Mixed requests of several clients at once: reads, writes and refusals, each with the one status it must have. */
import { Connection, type WireAnswer, type WireRequest } from '../connection.ts';
import type { Server } from '../server.ts';
import { adminPassword, adminUsername, initialPassword } from '../world.ts';

/** How much to send. */
export interface TrafficScale {
	requests: number;
	/** How many of the requests are sign-ins; each takes a good part of a core for some 50 ms. */
	signIns: number;
}

/** A request and the status it must be answered with. */
type Call = readonly [status: number, method: string, path: string, body?: unknown, token?: string];

const builtIn = { admin: 1, cashier: 3 };
const staff = 40;
const nobody = '';

/** Stores and people that no client changes, and the clients that use them. */
export class Traffic {
	readonly server: Server;
	/** How often each status was answered. */
	readonly statuses: Record<number, number> = {};
	readonly #cashier: string;
	#count = 0;

	private constructor(server: Server) {
		this.server = server;
		this.#cashier = server.tokenOf(staff + 1);
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

	/** Somebody new in a store. */
	newPerson(storeId: number) {
		this.#count += 1;
		return { storeId, name: `新来的${this.#count}`, phone: String(13_000_000_000 + this.#count) };
	}

	/**
	 * Sends requests from several clients at once, over connections that are kept alive.
	 * @throws Error when an answer is not the one that the request must have.
	 */
	async run({ requests, signIns }: TrafficScale, clients: number, onAnswer: () => void = () => {}): Promise<void> {
		const signInEvery = Math.ceil(requests / signIns);
		let sent = 0;
		const work = async (_: unknown, index: number) => {
			const connection = await Connection.open(this.server.program.url);
			const client = new Client(this, connection, index * 1009);
			try {
				while (sent < requests) {
					sent += 1;
					if (sent % signInEvery === 0) await client.send(signIn(sent));
					else await client.next();
					onAnswer();
				}
			} finally {
				connection.close();
			}
		};
		await Promise.all(Array.from({ length: clients }, work));
	}

	/** Reads and refusals: 80 of 100 requests. */
	call(count: number): Call {
		const calls = count % 4 === 0 ? this.#refusals : count % 8 === 1 ? this.#byStaff(count) : this.#reads(count);
		return calls[Math.floor(count / 4) % calls.length] ?? [200, 'GET', '/health'];
	}

	/** An administrator; there are more of them than the server can cache. */
	#byStaff(count: number): Call[] {
		const token = this.server.sign(
			`EMPLOYEE:${1 + (count % staff)}`,
			1,
			Math.floor(Date.now() / 1000) - (count % 3600),
		);
		return [[200, 'GET', '/api/employees?storeId=1&pageSize=5', undefined, token]];
	}

	#reads(count: number): Call[] {
		const paths = [
			'/api/auth/me',
			'/api/permissions/me',
			'/api/permissions/policies',
			'/api/permissions/definitions',
			'/api/stores',
			`/api/stores?page=${1 + (count % 3)}&pageSize=5`,
			'/api/stores/2',
			'/api/stores/2/employees',
			'/api/roles',
			`/api/roles/${1 + (count % 5)}`,
			`/api/employees?page=${1 + (count % 4)}&pageSize=10`,
			'/api/employees?keyword=%E5%91%98&status=ACTIVE',
			`/api/employees/${1 + (count % staff)}`,
			'/health',
		];
		return paths.map((path) => [200, 'GET', path]);
	}

	get #refusals(): Call[] {
		const person = { storeId: 1, name: '某', phone: '19900000000' };
		return [
			[400, 'GET', '/api/employees?page=0'],
			[400, 'POST', '/api/stores', '{"name":"half'],
			[400, 'POST', '/api/employees', { ...person, storeId: 999_999, phone: '13900000000' }],
			[400, 'POST', '/api/auth/login', { username: adminUsername, password: 'short' }],
			[401, 'GET', '/api/stores', undefined, nobody],
			[401, 'GET', '/api/stores', undefined, 'not.a.token'],
			[403, 'GET', '/api/employees', undefined, this.#cashier],
			[403, 'DELETE', '/api/stores/1', undefined, this.#cashier],
			[404, 'GET', '/api/employees/999999999'],
			[404, 'GET', '/api/nothing'],
			[404, 'DELETE', '/api/stores/999999999'],
			[409, 'POST', '/api/stores', { name: '东店' }],
			[409, 'POST', '/api/employees', person],
			[409, 'DELETE', '/api/roles/1'],
		];
	}
}

/** The super administrator and an employee in turn, each with the right password and with a wrong one. */
function signIn(count: number): Call {
	const [username, right] = count % 4 < 2 ? [adminUsername, adminPassword] : ['19900000000', initialPassword];
	const isWrong = count % 2 === 0;
	const body = { username, password: isWrong ? 'a-wrong-password' : right };
	return [isWrong ? 401 : 200, 'POST', '/api/auth/login', body];
}

/** A client that sends one request after the other and knows what it made. */
class Client {
	readonly #traffic: Traffic;
	readonly #connection: Connection;
	readonly #employees: number[] = [];
	readonly #stores: number[] = [];
	/** Each client begins at another place. */
	#count: number;

	constructor(traffic: Traffic, connection: Connection, count: number) {
		this.#traffic = traffic;
		this.#connection = connection;
		this.#count = count;
	}

	/** One request in five writes. */
	async next(): Promise<void> {
		this.#count += 1;
		if (this.#count % 5 === 0) await this.#write(Math.floor(this.#count / 5) % 7);
		else await this.send(this.#traffic.call(this.#count));
	}

	async #write(turn: number): Promise<void> {
		const [employee] = this.#employees;
		const { name, ...person } = this.#traffic.newPerson(2);
		if (turn === 0) {
			const permissions = this.#count % 2 === 0 ? ['store:view'] : ['store:view', 'role:view'];
			await this.send([200, 'PUT', '/api/permissions/roles/4', { permissions }]);
		} else if (turn === 1) await this.#turnOver('/api/stores', this.#stores, 2, { name, address: '路' });
		else if (turn < 4 && employee !== undefined) {
			await this.send([200, 'PATCH', `/api/employees/${employee}`, { name, remark: '改名' }]);
		} else await this.#turnOver('/api/employees', this.#employees, 4, { ...person, name, roleIds: [builtIn.cashier] });
	}

	/** Makes one while there are few and removes one while there are many, so that there are never more. */
	async #turnOver(path: string, made: number[], many: number, body: unknown): Promise<void> {
		const leaving = made.length > many ? made.shift() : undefined;
		if (leaving !== undefined) await this.send([204, 'DELETE', `${path}/${leaving}`]);
		else made.push(JSON.parse((await this.send([201, 'POST', path, body])).text).data.id);
	}

	async send([status, method, path, body, token = this.#traffic.server.superToken]: Call): Promise<WireAnswer> {
		const { server, statuses } = this.#traffic;
		const request: WireRequest = { method, path, body, token: token === nobody ? undefined : token };
		const answer = await this.#connection.ask(request);
		if (answer?.status !== status) {
			// What the program logged about it may come a little later.
			await Bun.sleep(300);
			throw new Error(refutation(request, status, answer, server));
		}
		statuses[status] = (statuses[status] ?? 0) + 1;
		return answer;
	}
}

function refutation(
	{ method, path, body }: WireRequest,
	status: number,
	answer: WireAnswer | undefined,
	server: Server,
) {
	const request = `${method} ${path} ${body === undefined ? '' : JSON.stringify(body).slice(0, 200)}`;
	const got = answer === undefined ? 'no answer' : `${answer.status} ${answer.text.slice(0, 300)}`;
	const logged = server.program.output.split('\n').findLast((line) => /"level":"(?:error|warn)"/.test(line)) ?? '';
	return `${request} must be answered ${status}, but got ${got} ${logged}`;
}
