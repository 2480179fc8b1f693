/**
 * Kills at any moment. Clients change everything that can be changed and keep a history in the manner of Jepsen: an
 * acknowledged change must be there, a refused one must leave no trace, an unanswered one is there wholly or not at all.
 */
import { existsSync } from 'node:fs';
import type { Answer } from '../http.ts';
import { Server } from '../server.ts';
import { anyTime, type Campaign, type Figures, quantile } from './campaign.ts';
import {
	type EmployeeFacts,
	type Lines,
	namesOf,
	type Outcome,
	Owner,
	possibleOutcomes,
	send,
	type Wish,
	whatHappened,
} from './chain.ts';
import { branch, type Chance, naming, newChance } from './chance.ts';
import { readChain, requireSame, requireSound } from './database.ts';

interface Scale {
	/** How many times it is killed. */
	kills: number;
	/** How many times, in between, it is stopped in order instead. */
	stops: number;
	/** What the 99th percentile of the restarts must not exceed, in milliseconds. */
	slowestRestart: number;
	/** Each stop takes less than this, in milliseconds. */
	slowestStop: number;
}

export const kill: Campaign<Scale> = {
	name: 'kill',
	claim: 'a kill loses nothing that was acknowledged, and leaves nothing half done; a stop answers all that it does',
	short: { kills: 2, stops: 1, slowestRestart: anyTime, slowestStop: anyTime },
	full: { kills: 200, stops: 20, slowestRestart: 1000, slowestStop: 10_000 },
	run: (scale, report) => {
		const chance = newChance();
		return naming(chance, () => killAgainAndAgain(scale, chance, report));
	},
};

const clients = 8;

async function killAgainAndAgain(scale: Scale, chance: Chance, report: (step: string) => void): Promise<Figures> {
	return Server.with(async (server) => {
		const history = new History(server, chance);
		const restarts: number[] = [];
		const stops: number[] = [];
		for (let round = 1; round <= scale.kills + scale.stops; round += 1) {
			const signal = isStop(round, scale) ? 'SIGTERM' : 'SIGKILL';
			stops.push(await endWhileWriting(server, history, signal, chance));
			restarts.push(await timeRestart(server));
			await history.verify(signal);
			if (round % 20 === 0) report(`${round} ends, ${history.acknowledged} acknowledged writes, nothing lost`);
		}
		const slowestStop = Math.max(...stops);
		const p99 = quantile(restarts, 0.99);
		if (slowestStop >= scale.slowestStop) throw new Error(`a stop takes ${slowestStop} ms`);
		if (p99 >= scale.slowestRestart) throw new Error(`1 in 100 restarts takes ${p99} ms or more`);
		return {
			kills: scale.kills,
			'orderly stops': scale.stops,
			'slowest of them in ms': Math.round(slowestStop),
			...history.figures(),
			'restart p50, p99, max in ms': [quantile(restarts, 0.5), p99, Math.max(...restarts)].map(Math.round).join(', '),
			seed: chance.seed,
		};
	});
}

/** The stops are spread evenly over the rounds. */
function isStop(round: number, { kills, stops }: Scale): boolean {
	const rounds = kills + stops;
	return Math.floor((round * stops) / rounds) > Math.floor(((round - 1) * stops) / rounds);
}

/** How long an orderly stop took, in milliseconds; 0 for a kill. */
async function endWhileWriting(
	server: Server,
	history: History,
	signal: 'SIGTERM' | 'SIGKILL',
	{ below }: Chance,
): Promise<number> {
	const end = async () => {
		// Right after a start little is answered; many kills should hit a busy server.
		if (below(2) > 0) await history.answered(20);
		await Bun.sleep(20 + below(281));
		history.isEnding = true;
		const since = performance.now();
		return { code: await server.program.end(signal), took: performance.now() - since };
	};
	const [, { code, took }] = await Promise.all([history.write(), end()]);
	if (signal === 'SIGKILL') return 0;
	if (code !== 0) throw new Error(`an orderly stop exited with ${code}`);
	if (existsSync(`${server.database}-wal`)) throw new Error('an orderly stop left the log behind');
	return took;
}

/** From the start of the process to its first answer, in milliseconds. */
async function timeRestart(server: Server): Promise<number> {
	const started = performance.now();
	await server.restart();
	const { status } = await server.send('GET', '/health');
	if (status !== 200) throw new Error(`after a restart /health answers ${status}`);
	return performance.now() - started;
}

/** A client, and what may have come of the request that was never answered. */
interface Client {
	owner: Owner;
	undecided: Outcome[];
}

/** What the clients were answered, compared with what is stored. */
class History {
	/** Whether connections may be lost now. */
	isEnding = false;
	acknowledged = 0;
	readonly #server: Server;
	readonly #chance: Chance;
	readonly #clients: readonly Client[];
	/** What was there before the first change. */
	readonly #before: Lines;
	/** What was done since the last end, acknowledged or found done. */
	#done: Outcome[] = [];
	#refused = 0;
	#unanswered = 0;
	#foundDone = 0;
	#records = 0;
	#lastRecord = 0;
	#signIns = 0;

	constructor(server: Server, chance: Chance) {
		this.#server = server;
		this.#chance = chance;
		this.#before = readChain(server.database);
		this.#clients = Array.from({ length: clients }, (_, digit) => ({
			owner: new Owner(digit, branch(chance)),
			undecided: [],
		}));
	}

	/** Lets all clients write until the server is gone. */
	async write(): Promise<void> {
		this.isEnding = false;
		this.#done = [];
		const token = this.#server.superToken;
		try {
			await Promise.all(this.#clients.map((client) => this.#writeAs(client, token)));
		} finally {
			this.isEnding = true;
		}
	}

	async #writeAs(client: Client, token: string): Promise<void> {
		while (!this.isEnding) {
			const wishes = client.owner.next();
			const answers = await Promise.all(wishes.map((wish) => this.#ask(wish, token)));
			const outcomes = possibleOutcomes(wishes, answers);
			this.#count(answers);
			const [outcome] = outcomes;
			if (outcomes.length === 1 && outcome && !answers.includes(undefined)) this.#take(client.owner, outcome);
			else client.undecided = outcomes;
		}
	}

	/** The answer, or undefined when the connection was lost on the way. */
	async #ask(wish: Wish, token: string): Promise<Answer | undefined> {
		try {
			return await send(this.#server, token, wish);
		} catch (error) {
			if (this.isEnding) return undefined;
			throw error;
		}
	}

	/** Resolves once so many more writes were answered, or writing has ended. */
	async answered(count: number): Promise<void> {
		const enough = this.acknowledged + this.#refused + count;
		while (!this.isEnding && this.acknowledged + this.#refused < enough) await Bun.sleep(5);
	}

	#count(answers: readonly (Answer | undefined)[]): void {
		for (const answer of answers) {
			if (answer === undefined) this.#unanswered += 1;
			else if (answer.status < 300) this.acknowledged += 1;
			else this.#refused += 1;
		}
	}

	#take(owner: Owner, outcome: Outcome): void {
		owner.apply(outcome);
		if (outcome.effects.length > 0) this.#done.push(outcome);
	}

	/**
	 * Compares everything with the database after a restart.
	 * @throws Error when they differ
	 */
	async verify(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
		requireSound(this.#server.database);
		const actual = readChain(this.#server.database);
		const foundDone = this.#foundDone;
		this.#decide(actual);
		if (signal === 'SIGTERM' && this.#foundDone > foundDone) throw new Error('a stop did what it never answered');
		requireSame(this.#expected(), actual);
		this.#verifyRecords();
		await this.#verifyPasswords();
	}

	/** Every change since the last end has exactly one record, and every record its change. */
	#verifyRecords(): void {
		const query =
			'select id, target_type, target_id from history where id > ? and target_type in (?, ?, ?) order by id';
		const records = this.#server.rows(query, this.#lastRecord, 'STORE', 'ROLE', 'EMPLOYEE');
		this.#lastRecord = records.at(-1)?.id ?? this.#lastRecord;
		const recorded = records.map((row) => `${row.target_type} ${row.target_id}`).toSorted();
		const done = this.#done.map(({ effects: [effect] }) => `${effect?.kind.toUpperCase()} ${effect?.id}`).toSorted();
		const differs = recorded.findIndex((each, index) => each !== done[index]);
		if (differs !== -1 || recorded.length !== done.length) {
			const at = differs === -1 ? recorded.length : differs;
			throw new Error(`${done.length} changes, ${recorded.length} records: ${recorded[at]} recorded, ${done[at]} done`);
		}
		this.#records += recorded.length;
	}

	/** Finds out the outcome of the requests that were never answered. */
	#decide(actual: Lines): void {
		const names = namesOf(actual);
		for (const client of this.#clients) {
			const { owner, undecided } = client;
			client.undecided = [];
			const outcome = whatHappened(undecided, actual, names);
			if (outcome) {
				this.#foundDone += 1;
				this.#take(owner, outcome);
			} else if (undecided.length === 1) {
				// Nothing else was possible: its rival was refused because of it.
				throw new Error(`somebody was refused because of what is not there: ${JSON.stringify(undecided)}`);
			}
		}
	}

	#expected(): Lines {
		return new Map([...this.#before, ...this.#clients.flatMap(({ owner }) => [...owner.lines()])]);
	}

	/** Some employees whose password was changed or reset since the last end sign in with the present one. */
	async #verifyPasswords(): Promise<void> {
		const touched = this.#done.flatMap(({ fulfilled, effects }) =>
			fulfilled?.path.includes('/password') ? effects.map(({ id }) => id) : [],
		);
		const chosen = new Set(touched.toSorted(() => this.#chance.random() - 0.5).slice(0, 2));
		for (const { owner } of this.#clients) {
			for (const [id, facts] of owner.live('employee').filter(([each]) => chosen.has(each))) {
				await this.#verifySignIn(owner, id, facts);
			}
		}
	}

	async #verifySignIn(owner: Owner, id: number, { phone, password, ...facts }: EmployeeFacts): Promise<void> {
		const credentials = { username: phone, password };
		const { status, body } = await this.#server.send('POST', '/api/auth/employee/login', { body: credentials });
		// A disabled account gets another message for the right password than for a wrong one.
		const isActive = facts.status === 'ACTIVE' && owner.get('store', facts.storeId).status === 'ACTIVE';
		const isRight = status === 200 ? isActive : /禁用/.test(body.error.message);
		if (!isRight) throw new Error(`employee ${id} cannot sign in with the right password: ${status}`);
		this.#signIns += 1;
	}

	figures(): Figures {
		return {
			'acknowledged writes': this.acknowledged,
			'refused writes': this.#refused,
			'unanswered writes': this.#unanswered,
			'unanswered and done': this.#foundDone,
			'lost, half done or never acknowledged': 0,
			'changes with exactly one record each': this.#records,
			'sign-ins with the present password': this.#signIns,
		};
	}
}
