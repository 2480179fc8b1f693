/** A disk that is filled under the running program and then freed again. */
import { join } from 'node:path';
import { Server } from '../server.ts';
import type { Campaign, Figures } from './campaign.ts';
import { Owner, outcomeOf, send } from './chain.ts';
import { branch, type Chance, naming, newChance } from './chance.ts';
import { readChain, requireSame, requireSound } from './database.ts';
import { requireFailure, requireRead } from './failing.ts';
import { SmallDisk } from './small-disk.ts';

interface Scale {
	/** How many times it is filled. */
	rounds: number;
	/** How many writes are refused in each. */
	refusals: number;
	/** How many writes at most succeed before: so that the disk fills at every length of the log. */
	writes: number;
}

export const diskFull: Campaign<Scale> = {
	name: 'disk-full',
	claim:
		'on a full disk writes are refused and leave nothing, reads continue, and everything recovers once there is space',
	short: { rounds: 3, refusals: 15, writes: 60 },
	full: { rounds: 60, refusals: 60, writes: 400 },
	run: (scale, report) => {
		const chance = newChance();
		return naming(chance, () => onSmallDisk(scale, chance, report));
	},
};

/** Beside a database of some MiB there is room for its log, of 4 MiB. */
const mebibytes = 24;
const clients = 4;

async function onSmallDisk(scale: Scale, chance: Chance, report: (step: string) => void): Promise<Figures> {
	const disk = new SmallDisk(mebibytes);
	try {
		const server = await Server.start({ DATA_DIR: join(disk.path, 'data') });
		try {
			return await fillAgainAndAgain(disk, server, scale, chance, report);
		} finally {
			await server.program.end('SIGKILL');
		}
	} finally {
		disk.unmount();
	}
}

async function fillAgainAndAgain(
	disk: SmallDisk,
	server: Server,
	scale: Scale,
	chance: Chance,
	report: (step: string) => void,
): Promise<Figures> {
	const before = readChain(server.database);
	const writers = Array.from({ length: clients }, (_, digit) => new Writer(server, digit, branch(chance)));
	const expected = () => new Map([...before, ...writers.flatMap(({ owner }) => [...owner.lines()])]);
	const total = (count: (writer: Writer) => number) => writers.reduce((sum, writer) => sum + count(writer), 0);
	/** Resolves when a count has grown by so much. */
	const counter = (count: (writer: Writer) => number, growth: number) => {
		const enough = total(count) + growth;
		return () => total(count) >= enough;
	};
	let secondAttempts = 0;
	for (let round = 1; round <= scale.rounds; round += 1) {
		const acknowledged = counter(({ acknowledged }) => acknowledged, chance.below(scale.writes));
		await Promise.all(writers.map((writer) => writer.writeUntil(acknowledged)));
		disk.fill(chance.below(256 * 1024));
		const refused = counter(({ refused }) => refused, scale.refusals);
		await Promise.all(writers.map((writer) => writer.writeUntil(refused, () => disk.fill(0))));
		requireSame(expected(), readChain(server.database));
		disk.makeRoom();
		for (const [index, writer] of writers.entries()) {
			if (await writer.write()) continue;
			if (index > 0 || !(await writer.write())) throw new Error('with room again a write is still refused');
			secondAttempts += 1;
		}
		await requireHealthy(server);
		requireSound(server.database);
		requireSame(expected(), readChain(server.database));
		report(`filled ${round} times`);
	}
	return {
		'times filled': scale.rounds,
		'acknowledged writes': total(({ acknowledged }) => acknowledged),
		'refused writes': total(({ refused }) => refused),
		'reads meanwhile': total(({ reads }) => reads),
		'rows of refused writes': 0,
		'first writes that needed a second attempt': secondAttempts,
		seed: chance.seed,
	};
}

async function requireHealthy(server: Server): Promise<void> {
	const { status, text } = await server.send('GET', '/health');
	if (status !== 200) throw new Error(`with room again /health answers ${status} ${text}`);
}

/** A client that keeps writing and reading. */
class Writer {
	readonly owner: Owner;
	acknowledged = 0;
	refused = 0;
	reads = 0;
	readonly #server: Server;
	readonly #token: string;

	constructor(server: Server, digit: number, chance: Chance) {
		this.owner = new Owner(digit, chance, { hashing: false });
		this.#server = server;
		this.#token = server.superToken;
	}

	/** Writes until it is stopped; now and then reads after a refusal. */
	async writeUntil(isEnough: () => boolean, afterWrite = () => {}): Promise<void> {
		while (!isEnough()) {
			if (await this.write()) afterWrite();
			else await this.#read();
		}
	}

	/** One change: whether it was acknowledged. */
	async write(): Promise<boolean> {
		const wish = this.owner.nextChange();
		const answer = await send(this.#server, this.#token, wish);
		if (answer.status >= 500) {
			requireFailure(answer);
			this.refused += 1;
			return false;
		}
		this.owner.apply(outcomeOf([wish], [answer]));
		this.acknowledged += 1;
		return true;
	}

	async #read(): Promise<void> {
		await requireRead(this.#server, this.#token);
		const health = await this.#server.send('GET', '/health');
		if (health.status !== 200) requireFailure(health);
		this.reads += 1;
	}
}
