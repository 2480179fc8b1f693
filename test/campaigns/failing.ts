/** Clients of a program whose disk or files fail: what they must be answered meanwhile, and what must be stored after it. */
import type { Answer } from '../http.ts';
import type { Server } from '../server.ts';
import { type Lines, type Outcome, Owner, outcomeOf, possibleOutcomes, send, whatHappened } from './chain.ts';
import { branch, type Chance } from './chance.ts';
import { readChain, requireSame, requireSound } from './database.ts';

/** @throws Error unless an answer is the error envelope with a 5xx status. */
export function requireFailure({ status, body, text }: Omit<Answer, 'headers'>): void {
	const error = body?.error;
	const isEnvelope =
		body?.success === false &&
		typeof error?.message === 'string' &&
		Array.isArray(error.details) &&
		error.code === { 500: 'INTERNAL_SERVER_ERROR', 503: 'SERVICE_UNAVAILABLE' }[status];
	if (!isEnvelope) throw new Error(`a failure must be the error envelope, and is ${status} ${text}`);
}

/** A client that changes what it made. */
class Writer {
	readonly owner: Owner;
	/** What may have come of refused changes. */
	undecided: Outcome[][] = [];

	constructor(digit: number, chance: Chance) {
		this.owner = new Owner(digit, chance, { hashing: false });
	}
}

/** The clients of an installation, and everything that they were answered. */
export class Writers {
	acknowledged = 0;
	refused = 0;
	/** The statuses of the refusals. */
	readonly refusals = new Set<number>();
	readonly #server: Server;
	readonly #token: string;
	readonly #before: Lines;
	readonly #writers: readonly Writer[];

	constructor(server: Server, count: number, chance: Chance) {
		this.#server = server;
		this.#token = server.superToken;
		this.#before = readChain(server.database);
		this.#writers = Array.from({ length: count }, (_, digit) => new Writer(digit, branch(chance)));
	}

	/** Each does something again and again until it is enough. */
	async each(work: (client: number) => Promise<void>, isEnough: () => boolean): Promise<void> {
		const repeat = async (_: Writer, client: number) => {
			while (!isEnough()) await work(client);
		};
		await Promise.all(this.#writers.map(repeat));
	}

	/** One change of a client: whether it was acknowledged. A refused one must not be stored, unless `mayBeStored`. */
	async write(client = 0, { mayBeStored = false } = {}): Promise<boolean> {
		const writer = this.#writers[client];
		if (writer === undefined) throw new Error(`there is no client ${client}`);
		const wish = writer.owner.nextChange();
		const answer = await send(this.#server, this.#token, wish);
		if (answer.status < 500) {
			writer.owner.apply(outcomeOf([wish], [answer]));
			this.acknowledged += 1;
			return true;
		}
		requireFailure(answer);
		this.refused += 1;
		this.refusals.add(answer.status);
		if (mayBeStored) writer.undecided.push(possibleOutcomes([wish], [undefined]));
		return false;
	}

	/** A read may fail, if it says so. */
	async read(path: string): Promise<void> {
		const answer = await this.#server.send('GET', path, { token: this.#token });
		if (answer.status !== 200) requireFailure(answer);
	}

	/** @throws Error unless lists are still answered. */
	async requireReads(): Promise<void> {
		for (const path of ['/api/employees?pageSize=5', '/api/stores', '/api/auth/me']) {
			const { status, text } = await this.#server.send('GET', path, { token: this.#token });
			if (status !== 200) throw new Error(`GET ${path} must still be answered, and is ${status} ${text}`);
		}
	}

	/** @throws Error unless exactly the acknowledged changes are stored. */
	requireStored(): void {
		requireSound(this.#server.database);
		const actual = readChain(this.#server.database);
		for (const { owner, undecided } of this.#writers) {
			for (const possible of undecided.splice(0)) {
				const outcome = whatHappened(possible, actual);
				if (outcome) owner.apply(outcome);
			}
		}
		requireSame(new Map([...this.#before, ...this.#writers.flatMap(({ owner }) => [...owner.lines()])]), actual);
	}

	/** @throws Error unless everybody writes again without a restart, the first one perhaps at a second attempt. */
	async requireRecovered(): Promise<void> {
		for (const client of this.#writers.keys()) {
			const isAcknowledged = (await this.write(client)) || (client === 0 && (await this.write(client)));
			if (!isAcknowledged) throw new Error('it does not write again');
		}
		const { status, text } = await this.#server.send('GET', '/health');
		if (status !== 200) throw new Error(`it writes again, and /health is ${status} ${text}`);
		this.requireStored();
	}
}
