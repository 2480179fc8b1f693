/** Mixed requests of several clients at once: reads, writes and refusals, each with the one status it must have. */
import { Connection, type WireAnswer } from '../connection.ts';
import type { Body } from '../http.ts';
import type { Server } from '../server.ts';
import { adminPassword, adminUsername, initialPassword } from '../world.ts';
import { branch, type Chance } from './campaign.ts';
import { Writer } from './writers.ts';

/** How much to send. */
export interface TrafficScale {
	requests: number;
	/** How many of the requests are sign-ins; each takes a good part of a core for some 50 ms. */
	signIns: number;
}

/** A request and the status it must be answered with; 0 for what its sender looks at. */
type Call = readonly [status: number, method: string, path: string, body?: unknown, as?: Caller];
type Caller = 'nobody' | 'cashier' | 'staff';

/** Those that are refused are as often as each of the reads. */
const calls: readonly Call[] = [
	...[
		...['/health', '/api/auth/me', '/api/permissions/me', '/api/permissions/policies', '/api/permissions/definitions'],
		...['/api/stores', '/api/stores?page=2&pageSize=5', '/api/stores/1', '/api/stores/1/employees', '/api/roles'],
		...['/api/roles/3', '/api/employees/7', '/api/employees?page=2&pageSize=10'],
		'/api/employees?keyword=%E5%91%98&status=ACTIVE',
	].map((path): Call => [200, 'GET', path]),
	...Array<Call>(6).fill([200, 'GET', '/api/employees?storeId=1&pageSize=5', undefined, 'staff']),
	[400, 'GET', '/api/employees?page=0'],
	[400, 'POST', '/api/stores', '{"name":"half'],
	[401, 'GET', '/api/stores', undefined, 'nobody'],
	[403, 'GET', '/api/employees', undefined, 'cashier'],
	[404, 'GET', '/api/nothing'],
	[409, 'POST', '/api/stores', { name: '东店' }],
];

/** How many administrators there are, whose ids are 1 to this. */
const staff = 40;

/** How many clients there are; each changes only what it made. */
export const clients = 10;

/** A store and people that no client changes, and the clients that use them. */
export class Traffic {
	/** How often each status was answered. */
	readonly statuses: Record<number, number> = {};
	readonly #server: Server;
	readonly #token: string;
	readonly #cashier: { phone: string; token: string };
	readonly #writers: readonly Writer[];
	#signIns = 0;
	#issued = 0;

	private constructor(server: Server, cashier: Body, chance: Chance) {
		this.#server = server;
		this.#token = server.superToken;
		this.#cashier = { phone: cashier.phone, token: server.tokenOf(cashier.id) };
		this.#writers = Array.from({ length: clients }, (_, digit) => new Writer(digit, branch(chance)));
	}

	/** Fills a new installation. */
	static async prepare(server: Server, chance: Chance): Promise<Traffic> {
		await server.hashAdministratorAsOthers();
		const { id } = await server.addStore({ name: '东店' });
		for (let hired = 0; hired < staff; hired += 1) await server.addEmployee(id, [1]);
		return new Traffic(server, await server.addEmployee(id, [3]), chance);
	}

	/**
	 * Sends requests from all clients at once, over connections that are kept alive.
	 * @throws Error when an answer is not the one that the request must have.
	 */
	async run({ requests, signIns }: TrafficScale, onAnswer: () => void = () => {}): Promise<void> {
		const signInEvery = Math.ceil(requests / signIns);
		let sent = 0;
		const work = async (writer: Writer) => {
			const connection = await Connection.open(this.#server.url);
			try {
				while (sent < requests) {
					sent += 1;
					if (sent % signInEvery === 0) await this.#send(connection, this.#signIn());
					else if (writer.chance.below(5) === 0) await this.#change(connection, writer);
					else await this.#send(connection, writer.chance.pick(calls));
					onAnswer();
				}
			} finally {
				connection.close();
			}
		};
		await Promise.all(this.#writers.map(work));
	}

	/** A change, which may be refused by a rule. */
	async #change(connection: Connection, writer: Writer): Promise<void> {
		const wish = writer.next();
		const { status, text } = await this.#send(connection, [0, wish.method, wish.path, wish.body]);
		writer.take(wish, { status, text, body: text === '' ? undefined : JSON.parse(text) });
	}

	/** The super administrator and an employee in turn, each with the right password and with a wrong one. */
	#signIn(): Call {
		this.#signIns += 1;
		const isAdministrator = this.#signIns % 4 < 2;
		const [username, right] = isAdministrator ? [adminUsername, adminPassword] : [this.#cashier.phone, initialPassword];
		const isWrong = this.#signIns % 2 === 0;
		const body = { username, password: isWrong ? 'a-wrong-password' : right };
		return [isWrong ? 401 : 200, 'POST', `/api/auth/${isAdministrator ? 'admin' : 'employee'}/login`, body];
	}

	/** There are more tokens of administrators than the server can remember. */
	#tokenOf(as: Caller | undefined): string | undefined {
		if (as !== 'staff') return { admin: this.#token, nobody: undefined, cashier: this.#cashier.token }[as ?? 'admin'];
		this.#issued += 1;
		const issuedAt = Math.floor(Date.now() / 1000) - (this.#issued % 3600);
		return this.#server.sign(`EMPLOYEE:${1 + (this.#issued % staff)}`, 1, issuedAt);
	}

	async #send(connection: Connection, [status, method, path, body, as]: Call): Promise<WireAnswer> {
		const answer = await connection.ask({ method, path, body, token: this.#tokenOf(as) });
		if (!answer || (status !== 0 && answer.status !== status)) {
			// What the program logged about it may come a little later.
			await Bun.sleep(300);
			const { output } = this.#server.program;
			const logged = output.split('\n').findLast((line) => /"level":"(?:error|warn)"/.test(line)) ?? '';
			const got = answer === undefined ? 'no answer' : `${answer.status} ${answer.text.slice(0, 300)}`;
			const sent = `${method} ${path} ${JSON.stringify(body)?.slice(0, 200)}`;
			throw new Error(`${sent} must be answered ${status}, but got ${got} ${logged}`);
		}
		this.statuses[answer.status] = (this.statuses[answer.status] ?? 0) + 1;
		return answer;
	}
}
