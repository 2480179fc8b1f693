/** Backups beside a busy server, some of them killed on the way; each one that exists is restored and served. */
import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { compiled, newFolder, runToEnd, spawn } from '../program.ts';
import { environmentFor, Server, startProgram } from '../server.ts';
import { adminPassword } from '../world.ts';
import { type Campaign, type Figures, quantile } from './campaign.ts';
import { type Lines, lineName, lineOf, type Outcome, Owner, outcomeOf, send } from './chain.ts';
import { branch, type Chance, naming, newChance } from './chance.ts';
import { readChain, requireSound } from './database.ts';

interface Scale {
	backups: number;
	/** How many of them are killed. */
	kills: number;
	/** How many changes are made before the first one, so that a backup takes some time. */
	changesBefore: number;
}

export const backups: Campaign<Scale> = {
	name: 'backups',
	claim: 'a backup beside a busy server has everything acknowledged before it began, or leaves no file of its name',
	short: { backups: 4, kills: 2, changesBefore: 300 },
	full: { backups: 100, kills: 50, changesBefore: 5000 },
	run: (scale, report) => {
		const chance = newChance();
		return naming(chance, () => backUpAndRestore(scale, chance, report));
	},
};

const clients = 3;

async function backUpAndRestore(scale: Scale, chance: Chance, report: (step: string) => void): Promise<Figures> {
	const server = await Server.start();
	try {
		const chronicle = new Chronicle(server, chance);
		await chronicle.write(() => chronicle.changes >= scale.changesBefore);
		const target = newFolder();
		let isOver = false;
		const made: Attempt[] = [];
		const operator = async () => {
			try {
				for (let index = 0; index < scale.backups; index += 1) {
					// Every n-th is killed, from the second on: by then it is known how long a backup takes.
					const isDue = Math.floor(((index + 1) * scale.kills) / scale.backups) > made.filter(wasKilled).length;
					const kill = isDue && made.length > 0 ? killWithin(made, chance) : undefined;
					made.push(await backUp(server, chronicle, join(target, `${index}.db`), kill));
					if (made.length % 20 === 0) report(`${made.length} backups`);
				}
			} finally {
				isOver = true;
			}
		};
		await Promise.all([operator(), chronicle.write(() => isOver)]);
		const complete = made.filter(({ file }) => existsSync(file));
		for (const [index, attempt] of complete.entries()) {
			chronicle.requireWithin(attempt);
			await restoreAndServe(attempt.file, chance);
			if ((index + 1) % 20 === 0) report(`${index + 1} restored and served`);
		}
		const durations = made.filter((each) => !wasKilled(each)).map(({ milliseconds }) => milliseconds);
		return {
			backups: made.length,
			'killed, and of them complete before': [made.filter(wasKilled).length, complete.filter(wasKilled).length].join(
				', ',
			),
			'restored and served': complete.length,
			'changes acknowledged meanwhile': chronicle.changes - scale.changesBefore,
			'acknowledged before and missing': 0,
			'largest backup in MiB': (Math.max(...complete.map(({ file }) => statSync(file).size)) / 1024 / 1024).toFixed(1),
			'backup p50, max in ms': [quantile(durations, 0.5), Math.max(...durations)].map(Math.round).join(', '),
			'largest log in MiB': (chronicle.largestLog / 1024 / 1024).toFixed(1),
			seed: chance.seed,
		};
	} finally {
		await server.program.end('SIGKILL');
	}
}

/** When a backup is killed: so long after its start, or after it reported that it copies. */
interface Kill {
	since: 'start' | 'copying';
	milliseconds: number;
}

/** A backup that was made or killed. */
interface Attempt {
	file: string;
	kill: Kill | undefined;
	/** How long it took until it copied, and until its end. */
	untilCopying: number;
	milliseconds: number;
	/** How many states of each thing were acknowledged when it began. */
	known: ReadonlyMap<string, number>;
}

function wasKilled({ kill }: Attempt): boolean {
	return kill !== undefined;
}

/** Any moment of a backup, most often one while the copy is written. */
function killWithin(made: readonly Attempt[], { below, random }: Chance): Kill {
	const whole = made.filter((each) => !wasKilled(each));
	const since = below(4) > 0 ? 'copying' : 'start';
	const durations = whole.map((each) => each.milliseconds - (since === 'copying' ? each.untilCopying : 0));
	return { since, milliseconds: random() * quantile(durations, 0.5) };
}

async function backUp(server: Server, chronicle: Chronicle, file: string, kill: Kill | undefined): Promise<Attempt> {
	const known = chronicle.known();
	const started = performance.now();
	const child = spawn({
		command: [...compiled(), 'backup', file],
		environment: environmentFor(server.data),
	});
	const killLater = async () => {
		await Bun.sleep(kill?.milliseconds ?? 0);
		if (kill) child.kill('SIGKILL');
	};
	if (kill?.since === 'start') void killLater();
	let untilCopying = 0;
	let output = '';
	for await (const chunk of child.stderr) {
		if (output === '') {
			untilCopying = performance.now() - started;
			if (kill?.since === 'copying') void killLater();
		}
		output += new TextDecoder().decode(chunk);
	}
	const code = await child.exited;
	const milliseconds = performance.now() - started;
	if (!kill && code !== 0) throw new Error(`a backup ends with ${code}: ${output}`);
	if (!kill && !existsSync(file)) throw new Error(`a backup succeeds without its file ${file}`);
	return { file, kill, untilCopying, milliseconds, known };
}

/** Every state of each thing, in the order in which they were acknowledged. */
class Chronicle {
	changes = 0;
	largestLog = 0;
	readonly #server: Server;
	readonly #owners: readonly Owner[];
	readonly #before: Lines;
	readonly #lives = new Map<string, string[]>();

	constructor(server: Server, chance: Chance) {
		this.#server = server;
		this.#before = readChain(server.database);
		this.#owners = Array.from({ length: clients }, (_, digit) => new Owner(digit, branch(chance), { hashing: false }));
	}

	/** Writes until {@link stop}. */
	async write(isEnough: () => boolean): Promise<void> {
		const token = this.#server.superToken;
		const work = async (owner: Owner) => {
			while (!isEnough()) {
				const wishes = owner.next();
				const answers = await Promise.all(wishes.map((wish) => send(this.#server, token, wish)));
				this.#record(owner, outcomeOf(wishes, answers));
			}
		};
		await Promise.all(this.#owners.map(work));
	}

	#record(owner: Owner, outcome: Outcome): void {
		owner.apply(outcome);
		for (const effect of outcome.effects) {
			const name = lineName(effect.kind, effect.id ?? 0);
			const line = lineOf(effect);
			const life = this.#lives.get(name);
			if (life) life.push(line);
			else this.#lives.set(name, [line]);
		}
		if (outcome.effects.length > 0) this.changes += 1;
		const size = statSync(`${this.#server.database}-wal`, { throwIfNoEntry: false })?.size ?? 0;
		this.largestLog = Math.max(this.largestLog, size);
	}

	/** How many states of each thing are acknowledged by now. */
	known(): Map<string, number> {
		return new Map([...this.#lives].map(([name, life]) => [name, life.length]));
	}

	/** @throws Error when a backup is damaged, lacks an acknowledged change, or holds a change that was never made. */
	requireWithin({ file, known }: Attempt): void {
		requireSound(file);
		const copied = readChain(file);
		for (const [name, line] of this.#before) {
			if (copied.get(name) !== line) throw new Error(`${file} lacks ${name}`);
		}
		for (const [name, count] of known) {
			if (!copied.has(name)) throw new Error(`${file} lacks ${name}, acknowledged ${count} times before it`);
		}
		for (const [name, line] of copied) {
			if (this.#before.has(name)) continue;
			// Its state when the backup began, or a later one: the server went on writing.
			const possible = this.#lives.get(name)?.slice(Math.max(0, (known.get(name) ?? 0) - 1)) ?? [];
			if (!possible.includes(line)) throw new Error(`${file} has ${name} as ${line}, and not as it was by then`);
		}
	}
}

/** Restores a backup into a new installation, and uses that. */
async function restoreAndServe(file: string, chance: Chance): Promise<void> {
	const folder = newFolder();
	const data = join(folder, 'data');
	try {
		const restored = await runToEnd({ command: [...compiled(), 'restore', file], environment: environmentFor(data) });
		if (restored.code !== 0) throw new Error(`${file} cannot be restored: ${restored.stderr}`);
		const program = await startProgram(folder);
		try {
			const token = await program.signIn('admin', adminPassword);
			const lines = [...readChain(file)];
			const live = lines.filter(([name, line]) => name.startsWith('employee') && !JSON.parse(line).deleted);
			const listed = await program.send('GET', '/api/employees?pageSize=1', { token });
			const { total } = listed.body.data.pagination;
			if (total !== live.length) throw new Error(`${file} restored lists ${total} employees, not ${live.length}`);
			const name = `恢复 ${chance.below(2 ** 31)}`;
			const { status } = await program.send('POST', '/api/stores', { token, body: { name } });
			if (status !== 201) throw new Error(`${file} restored takes no new store: ${status}`);
		} finally {
			await program.end();
		}
		requireSound(join(data, 'access.db'));
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
