/** Clients that change everything that can be changed, and remember every answer: what must be stored, and what may be. */
import type { Answer } from '../http.ts';
import type { Server } from '../server.ts';
import { expectStatus } from '../world.ts';
import { branch, type Chance } from './campaign.ts';
import { type Effect, effectFound, effectOf, type Lines, Owner, type Wish } from './chain.ts';
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

/** A client that changes what it made, and those of its wishes that failed or were never answered. */
interface Client {
	owner: Owner;
	undecided: Wish[];
}

/** A change that is stored, and whose it is. */
export interface Done {
	owner: Owner;
	path: string;
	effect: Effect;
}

/** The clients of an installation, and everything that they were answered. */
export class Writers {
	/** Whether connections may be lost now. */
	isEnding = false;
	acknowledged = 0;
	refused = 0;
	unanswered = 0;
	/** Of the unanswered, those that were stored all the same. */
	foundDone = 0;
	/** The statuses of the failures. */
	readonly failures = new Set<number>();
	readonly #server: Server;
	readonly #token: string;
	readonly #before: Lines;
	readonly #clients: readonly Client[];
	#done: Done[] = [];

	constructor(server: Server, count: number, chance: Chance) {
		this.#server = server;
		this.#token = server.superToken;
		this.#before = readChain(server.database);
		const owners = Array.from({ length: count }, (_, digit) => new Owner(digit, branch(chance)));
		this.#clients = owners.map((owner) => ({ owner, undecided: [] }));
	}

	/** Each does something again and again until it is enough. */
	async each(work: (client: number) => Promise<unknown>, isEnough: () => boolean): Promise<void> {
		const repeat = async (_: Client, client: number) => {
			while (!isEnough()) await work(client);
		};
		await Promise.all(this.#clients.map(repeat));
	}

	/** A client sends what it likes, also what must be refused; connections may be lost. */
	async writeAnything(client: number): Promise<void> {
		const { owner, undecided } = this.#client(client);
		const wish = owner.next();
		const answer = await this.#ask(wish);
		if (answer === undefined) {
			this.unanswered += 1;
			undecided.push(wish);
			return;
		}
		this.#take(owner, wish, effectOf(wish, answer));
		if (answer.status < 300) this.acknowledged += 1;
		else this.refused += 1;
	}

	#send({ method, path, body }: Wish): Promise<Answer> {
		return this.#server.send(method, path, { token: this.#token, body });
	}

	/** The answer, or undefined when the connection was lost on the way. */
	async #ask(wish: Wish): Promise<Answer | undefined> {
		try {
			return await this.#send(wish);
		} catch (error) {
			if (this.isEnding) return undefined;
			throw error;
		}
	}

	/** One change of a client: whether it was acknowledged. One that failed must not be stored. */
	async write(client = 0): Promise<boolean> {
		const { owner } = this.#client(client);
		const wish = owner.nextChange();
		const answer = await this.#send(wish);
		if (answer.status < 500) {
			this.#take(owner, wish, effectOf(wish, answer));
			this.acknowledged += 1;
			return true;
		}
		requireFailure(answer);
		this.refused += 1;
		this.failures.add(answer.status);
		return false;
	}

	#client(number: number): Client {
		const client = this.#clients[number];
		if (client === undefined) throw new Error(`there is no client ${number}`);
		return client;
	}

	#take(owner: Owner, { path }: Wish, effect: Effect | undefined): void {
		if (!effect) return;
		owner.apply(effect);
		this.#done.push({ owner, path, effect });
	}

	/** A read may fail, if it says so. */
	async read(path: string): Promise<void> {
		const answer = await this.#server.send('GET', path, { token: this.#token });
		if (answer.status !== 200) requireFailure(answer);
	}

	/** @throws Error unless lists are still answered. */
	async requireReads(): Promise<void> {
		for (const path of ['/api/employees?pageSize=5', '/api/stores', '/api/auth/me'])
			expectStatus(await this.#server.send('GET', path, { token: this.#token }), 200);
	}

	/**
	 * What was changed since the last time.
	 * @throws Error unless exactly the acknowledged changes are stored, and of the undecided ones each wholly or not at all
	 */
	requireStored(): readonly Done[] {
		requireSound(this.#server.database);
		const actual = readChain(this.#server.database);
		for (const { owner, undecided } of this.#clients) {
			for (const wish of undecided.splice(0)) {
				const effect = effectFound(wish, actual);
				if (effect) this.foundDone += 1;
				this.#take(owner, wish, effect);
			}
		}
		requireSame(new Map([...this.#before, ...this.#clients.flatMap(({ owner }) => [...owner.lines])]), actual);
		return this.#done.splice(0);
	}

	/** @throws Error unless everybody writes again without a restart, the first one perhaps at a second attempt. */
	async requireRecovered(): Promise<void> {
		for (const client of this.#clients.keys()) {
			const isAcknowledged = (await this.write(client)) || (client === 0 && (await this.write(client)));
			if (!isAcknowledged) throw new Error('it does not write again');
		}
		expectStatus(await this.#server.send('GET', '/health'), 200);
		this.requireStored();
	}
}
