/** Mixed requests of several clients at once: reads, writes and refusals, each with the one status it must have. */
import { Connection, type WireAnswer } from '../connection.ts';
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
type Caller = 'admin' | 'nobody' | 'cashier' | 'staff';

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

/** Fills a new installation with a store and people that no client changes. Gives what sends requests, and how often each status was answered. */
export async function trafficOn(server: Server, chance: Chance) {
	await server.hashAdministratorAsOthers();
	const { id } = await server.addStore({ name: '东店' });
	for (let hired = 0; hired < staff; hired += 1) await server.addEmployee(id, [1]);
	const cashier = await server.addEmployee(id, [3]);
	const writers = Array.from({ length: clients }, (_, digit) => new Writer(digit, branch(chance)));
	const [admin, ofCashier] = [server.superToken, server.tokenOf(cashier.id)];
	const statuses: Record<number, number> = {};
	let [signIns, issued] = [0, 0];

	/** There are more tokens of administrators than the server can remember. */
	function ofStaff(): string {
		issued += 1;
		return server.sign(`EMPLOYEE:${1 + (issued % staff)}`, 1, Math.floor(Date.now() / 1000) - (issued % 3600));
	}
	const tokens: Record<Caller, () => string | undefined> = {
		admin: () => admin,
		nobody: () => undefined,
		cashier: () => ofCashier,
		staff: ofStaff,
	};

	/** The super administrator and an employee in turn, each with the right password and with a wrong one. */
	function signIn(): Call {
		signIns += 1;
		const isAdministrator = signIns % 4 < 2;
		const [username, right] = isAdministrator ? [adminUsername, adminPassword] : [cashier.phone, initialPassword];
		const isWrong = signIns % 2 === 0;
		const body = { username, password: isWrong ? 'a-wrong-password' : right };
		return [isWrong ? 401 : 200, 'POST', `/api/auth/${isAdministrator ? 'admin' : 'employee'}/login`, body];
	}

	async function send(connection: Connection, [status, method, path, body, as = 'admin']: Call): Promise<WireAnswer> {
		const answer = await connection.ask({ method, path, body, token: tokens[as]() });
		if (answer && (status === 0 || answer.status === status)) {
			statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
			return answer;
		}
		// What the program logged about it may come a little later.
		await Bun.sleep(300);
		const logged = server.program.output.split('\n').findLast((line) => /"level":"(?:error|warn)"/.test(line)) ?? '';
		const got = answer === undefined ? 'no answer' : `${answer.status} ${answer.text.slice(0, 300)}`;
		const sent = `${method} ${path} ${JSON.stringify(body)?.slice(0, 200)}`;
		throw new Error(`${sent} must be answered ${status}, but got ${got} ${logged}`);
	}

	/** A change, which may be refused by a rule. */
	async function change(connection: Connection, writer: Writer): Promise<void> {
		const wish = writer.next();
		const { status, text } = await send(connection, [0, wish.method, wish.path, wish.body]);
		writer.take(wish, { status, text, body: text === '' ? undefined : JSON.parse(text) });
	}

	/** All clients send at once, over connections that are kept alive. @throws Error when an answer is not the one that it must be. */
	async function run(scale: TrafficScale, onAnswer: () => void = () => {}): Promise<void> {
		const signInEvery = Math.ceil(scale.requests / scale.signIns);
		let sent = 0;
		const work = async (writer: Writer) => {
			const connection = await Connection.open(server.url);
			while (sent < scale.requests) {
				sent += 1;
				if (sent % signInEvery === 0) await send(connection, signIn());
				else if (writer.chance.below(5) === 0) await change(connection, writer);
				else await send(connection, writer.chance.pick(calls));
				onAnswer();
			}
			connection.close();
		};
		await Promise.all(writers.map(work));
	}
	return { statuses, run };
}
