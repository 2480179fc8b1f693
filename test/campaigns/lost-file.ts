/** Database files are removed or replaced under the running program, then put back. */
import { copyFileSync, existsSync, linkSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { hanging } from '../hanging.ts';
import type { Answer } from '../http.ts';
import { Server } from '../server.ts';
import { anyTime, type Campaign, type Figures } from './campaign.ts';
import { type Outcome, Owner, possibleOutcomes, send, type Wish, whatHappened } from './chain.ts';
import { branch, type Chance, naming, newChance } from './chance.ts';
import { readChain, requireSame, requireSound } from './database.ts';
import { requireFailure } from './failing.ts';

interface Scale {
	/** How many times each loss happens. */
	rounds: number;
	/** How many writes are refused while the loss is known. */
	refusals: number;
	/** A loss, or a return, is noticed within this time, in milliseconds. */
	noticedWithin: number;
}

export const lostFile: Campaign<Scale> = {
	name: 'lost-file',
	claim: 'a removed or replaced database file is noticed within 5 s; writes are refused until it is back',
	short: { rounds: 1, refusals: 20, noticedWithin: anyTime },
	full: { rounds: 40, refusals: 100, noticedWithin: 5000 },
	run: async (scale, report) => {
		const chance = newChance();
		return naming(chance, async () => {
			const found = await Promise.all(losses.map((loss) => loseAgainAndAgain(loss, scale, branch(chance), report)));
			const slowest = (figure: (each: Found) => number) => Math.round(Math.max(...found.map(figure)));
			const [notice, comeback] = [slowest((each) => each.slowestNotice), slowest((each) => each.slowestReturn)];
			if (Math.max(notice, comeback) > scale.noticedWithin)
				throw new Error(`noticed after ${notice} and ${comeback} ms`);
			const sum = (figure: (each: Found) => number) => found.reduce((total, each) => total + figure(each), 0);
			return {
				losses: losses.length * scale.rounds,
				'acknowledged writes': sum(({ acknowledged }) => acknowledged),
				'refused writes': sum(({ refused }) => refused),
				'acknowledged between the loss and its notice': sum(({ beforeNotice }) => beforeNotice),
				'lost, or there though refused': 0,
				'longest until noticed, in ms': notice,
				'longest until it worked again, in ms': comeback,
				seed: chance.seed,
			} satisfies Figures;
		});
	},
};

/** Some write when the loss comes, others come after it. */
const clients = { before: 2, after: 2 };

interface Loss {
	name: string;
	/** Takes something out of a data folder; gives what puts it back. */
	take(data: string): () => void;
}

const losses: readonly Loss[] = [
	{ name: 'database taken away', take: (data) => takeAway(data, ['access.db']) },
	{ name: 'log taken away', take: (data) => takeAway(data, ['access.db-wal']) },
	{ name: 'all files taken away', take: (data) => takeAway(data, ['access.db', 'access.db-wal', 'access.db-shm']) },
	{ name: 'database replaced', take: (data) => replace(data, 'access.db') },
	{ name: 'log replaced', take: (data) => replace(data, 'access.db-wal') },
	{ name: 'folder taken away', take: takeFolderAway },
];

function takeAway(data: string, names: readonly string[]): () => void {
	const aside = join(data, '..', 'aside');
	mkdirSync(aside, { recursive: true });
	for (const name of names) renameSync(join(data, name), join(aside, name));
	return () => {
		for (const name of names) renameSync(join(aside, name), join(data, name));
	};
}

/** An earlier copy replaces a file in one step, as in a restore by hand. */
function replace(data: string, name: string): () => void {
	const path = join(data, name);
	const aside = join(data, '..', `${name}.aside`);
	const other = join(data, '..', `${name}.other`);
	copyFileSync(path, other);
	linkSync(path, aside);
	renameSync(other, path);
	return () => renameSync(aside, path);
}

function takeFolderAway(data: string): () => void {
	renameSync(data, `${data}-aside`);
	return () => renameSync(`${data}-aside`, data);
}

interface Found {
	acknowledged: number;
	refused: number;
	beforeNotice: number;
	slowestNotice: number;
	slowestReturn: number;
}

async function loseAgainAndAgain(
	{ name, take }: Loss,
	scale: Scale,
	chance: Chance,
	report: (step: string) => void,
): Promise<Found> {
	const server = await Server.start();
	try {
		const trial = new Trial(server, chance);
		for (let round = 1; round <= scale.rounds; round += 1) await trial.lose(take, scale.refusals);
		report(`${name} ${scale.rounds} times`);
		await stopWhileLost(server, take);
		await server.restart();
		trial.verify();
		return trial.found;
	} catch (error) {
		if (error instanceof Error) error.message = `${name}: ${error.message}`;
		throw error;
	} finally {
		await server.program.end('SIGKILL');
	}
}

/** A stop in the meantime is orderly and harms nothing that is put back later. */
async function stopWhileLost(server: Server, take: Loss['take']): Promise<void> {
	const putBack = take(server.data);
	const code = await server.program.end();
	putBack();
	if (code !== 0) throw new Error(`a stop without the files exited with ${code}`);
	if (!existsSync(server.database)) throw new Error('a stop without the files removed the database');
}

/** The stage of a loss: none, present but perhaps not noticed yet, or reported by /health. */
type Phase = 'in place' | 'lost' | 'noticed';

/** An installation whose files are lost, and clients that keep writing. */
class Trial {
	readonly found: Found = { acknowledged: 0, refused: 0, beforeNotice: 0, slowestNotice: 0, slowestReturn: 0 };
	readonly #server: Server;
	readonly #token: string;
	readonly #owners: readonly Owner[];
	readonly #before: Map<string, string>;
	#phase: Phase = 'in place';
	#isOver = false;
	/** Possible outcomes of writes during which a file was removed. */
	#undecided: { owner: Owner; possible: Outcome[] }[] = [];

	constructor(server: Server, chance: Chance) {
		this.#server = server;
		this.#token = server.superToken;
		this.#before = readChain(server.database);
		this.#owners = Array.from(
			{ length: clients.before + clients.after },
			(_, digit) => new Owner(digit, branch(chance), { hashing: false }),
		);
	}

	/** Removes and puts back files while everybody writes, then compares everything with the database. */
	async lose(take: Loss['take'], refusals: number): Promise<void> {
		this.#isOver = false;
		const loss = Promise.withResolvers<void>();
		const nemesis = async () => {
			try {
				await this.#growth('acknowledged', 20);
				const putBack = take(this.#server.data);
				this.#phase = 'lost';
				loss.resolve();
				try {
					this.found.slowestNotice = Math.max(this.found.slowestNotice, await this.#until(503));
					this.#phase = 'noticed';
					await this.#growth('refused', refusals);
					await this.#read();
				} finally {
					this.#phase = 'in place';
					putBack();
				}
				this.found.slowestReturn = Math.max(this.found.slowestReturn, await this.#until(200));
				await this.#growth('acknowledged', 5);
			} finally {
				this.#isOver = true;
				loss.resolve();
			}
		};
		const writing = this.#owners.map(async (owner, index) => {
			if (index >= clients.before) await loss.promise;
			await this.#write(owner);
		});
		await Promise.all([nemesis(), ...writing]);
		this.verify();
	}

	/** Waits for so many more writes of a kind. */
	async #growth(figure: 'acknowledged' | 'refused', count: number): Promise<void> {
		const enough = this.found[figure] + count;
		const deadline = performance.now() + hanging;
		while (this.found[figure] < enough) {
			if (performance.now() > deadline) throw new Error(`no more writes are ${figure}, in ${hanging} ms`);
			await Bun.sleep(2);
		}
	}

	/** How long it takes until /health answers so, in milliseconds. */
	async #until(status: 200 | 503): Promise<number> {
		const started = performance.now();
		for (;;) {
			const health = await this.#server.send('GET', '/health');
			if (health.status !== 200) requireFailure(health);
			const elapsed = performance.now() - started;
			if (health.status === status) return elapsed;
			if (elapsed > hanging) throw new Error(`/health is still ${health.status} after ${hanging} ms, not ${status}`);
			await Bun.sleep(10);
		}
	}

	/** Reads may succeed or fail. */
	async #read(): Promise<void> {
		const answer = await this.#server.send('GET', '/api/employees?pageSize=5', { token: this.#token });
		if (answer.status !== 200) requireFailure(answer);
	}

	async #write(owner: Owner): Promise<void> {
		while (!this.#isOver) {
			const wish = owner.nextChange();
			const phaseWhenSent = this.#phase;
			const answer = await send(this.#server, this.#token, wish);
			if (answer.status < 500) {
				if (phaseWhenSent === 'noticed' && this.#phase === 'noticed') {
					throw new Error(`${wish.method} ${wish.path} is answered ${answer.status} though the loss is known`);
				}
				if (this.#phase !== 'in place') this.found.beforeNotice += 1;
				const [outcome] = possibleOutcomes([wish], [answer]);
				if (outcome) owner.apply(outcome);
				this.found.acknowledged += 1;
			} else if (this.#noteRefusal(owner, wish, answer, phaseWhenSent)) return;
		}
	}

	/** Whether the outcome is unknown: the loss may have come between the commit and the answer. */
	#noteRefusal(owner: Owner, wish: Wish, answer: Answer, phaseWhenSent: Phase): boolean {
		requireFailure(answer);
		if (answer.status !== 503) throw new Error(`a write is refused with ${answer.status}, not with 503`);
		this.found.refused += 1;
		const isUndecided = phaseWhenSent === 'in place' && this.#phase !== 'in place';
		if (isUndecided) this.#undecided.push({ owner, possible: possibleOutcomes([wish], [undefined]) });
		return isUndecided;
	}

	/** @throws Error unless exactly the acknowledged changes are stored. */
	verify(): void {
		requireSound(this.#server.database);
		const actual = readChain(this.#server.database);
		for (const { owner, possible } of this.#undecided.splice(0)) {
			const outcome = whatHappened(possible, actual);
			if (outcome) owner.apply(outcome);
		}
		requireSame(new Map([...this.#before, ...this.#owners.flatMap((owner) => [...owner.lines()])]), actual);
	}
}
