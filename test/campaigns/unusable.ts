/** Unusable files: system calls that fail under the running program, damaged files at the start. */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Ended, NotStarted, newFolder, type Program, spawn } from '../program.ts';
import { Server, startProgram } from '../server.ts';
import { anyTime, type Campaign, type Figures, NotPossibleHere } from './campaign.ts';
import { branch, type Chance, naming, newChance } from './chance.ts';
import { type Damage, damages } from './damage.ts';
import { requireFailure, Writers } from './failing.ts';

interface Scale {
	/** How many times calls of the system fail under the running program. */
	faults: number;
	/** How many changes are in the files that are damaged. */
	changes: number;
	/** How many damaged files it is started on. */
	damages: number;
	/** A start is refused within this time, in milliseconds. */
	refusedWithin: number;
}

export const unusable: Campaign<Scale> = {
	name: 'unusable',
	claim: 'failing files are reported and survived; damaged ones are refused at the start and left untouched',
	short: { faults: 6, changes: 50, damages: 5, refusedWithin: anyTime },
	full: { faults: 120, changes: 150, damages: 300, refusedWithin: 2000 },
	run: (scale, report) => {
		const chance = newChance();
		return naming(chance, async () => ({
			...(await failCalls(scale.faults, branch(chance))),
			...(await startDamaged(scale, branch(chance), report)),
			seed: chance.seed,
		}));
	},
};

/** Which calls fail, and how: a read-only, broken or full medium, and a disk that loses what was written. */
const faults = [
	{ calls: 'pwrite64', error: 'EROFS' },
	{ calls: 'pwrite64', error: 'EIO' },
	{ calls: 'pwrite64', error: 'ENOSPC' },
	{ calls: 'fsync,fdatasync', error: 'EIO' },
	{ calls: 'pread64', error: 'EIO' },
	{ calls: 'pread64,pwrite64,fsync,fdatasync', error: 'EIO' },
] as const;

/** Every call fails, or one in some, so that failures also hit the middle of a change. */
const frequencies = ['', ':when=1+2', ':when=2+5', ':when=3+11'] as const;

async function failCalls(rounds: number, chance: Chance): Promise<Figures> {
	if (Bun.which('strace') === null) return { 'failing calls': 'not possible here: it needs strace' };
	return Server.with(async (server) => {
		const writers = new Writers(server, 1, chance);
		for (let round = 0; round < rounds; round += 1) {
			for (let write = 0; write < 10; write += 1) await writers.write();
			const fault = faults[round % faults.length] ?? faults[0];
			await failing(server.program.pid, fault, chance.pick(frequencies), async () => {
				for (let write = 0; write < 15; write += 1) {
					await writers.write();
					await writers.read(chance.pick(['/api/employees?pageSize=5', '/api/stores', '/health']));
				}
			});
			await writers.requireRecovered();
		}
		const { refused } = writers;
		if (refused < rounds) throw new Error(`only ${refused} writes were refused: the calls did not fail`);
		return { 'times calls failed': rounds, 'writes refused meanwhile': refused };
	});
}

/** Makes calls of a process fail while the work is done. */
async function failing(
	pid: number,
	{ calls, error }: (typeof faults)[number],
	frequency: string,
	work: () => Promise<void>,
): Promise<void> {
	const inject = ['-e', `trace=${calls}`, '-e', `inject=${calls}:error=${error}${frequency}`];
	const strace = spawn({ command: ['strace', '-f', '-o', '/dev/null', ...inject, '-p', String(pid)] });
	try {
		await attached(strace.stderr);
		await work();
	} finally {
		strace.kill('SIGTERM');
		await strace.exited;
	}
}

async function attached(stderr: ReadableStream<Uint8Array>): Promise<void> {
	let text = '';
	const decoder = new TextDecoder();
	for await (const chunk of stderr) {
		text += decoder.decode(chunk, { stream: true });
		if (/attached/.test(text)) return;
	}
	throw new NotPossibleHere(`strace may not attach: ${text}`);
}

/** An installation that ended, to damage copies of. */
interface Installed {
	data: string;
	/** A token of its super administrator. */
	token: string;
}

async function install(changes: number, chance: Chance, end: 'SIGTERM' | 'SIGKILL'): Promise<Installed> {
	return Server.with(async (server) => {
		const writers = new Writers(server, 1, chance);
		for (let write = 0; write < changes; write += 1) await writers.write();
		const token = server.superToken;
		await server.program.end(end);
		return { data: server.data, token };
	});
}

/** How starts on damaged files went. */
interface Starts {
	refused: number;
	served: number;
	failedReads: number;
	slowestRefusal: number;
}

async function startDamaged(
	{ changes, damages: count, refusedWithin }: Scale,
	chance: Chance,
	report: (step: string) => void,
): Promise<Figures> {
	const whole = await install(changes, chance, 'SIGTERM');
	const withLog = await install(changes, chance, 'SIGKILL');
	const starts: Starts = { refused: 0, served: 0, failedReads: 0, slowestRefusal: 0 };
	const folder = newFolder();
	for (let index = 0; index < count; index += 1) {
		const damage = damages[index % damages.length] ?? chance.pick(damages);
		const hasLog = damage.seen === 'with a log' || chance.below(4) === 0;
		await startOn(damage, hasLog ? withLog : whole, folder, chance, starts).catch((error) => {
			throw new Error(`${damage.name}${hasLog ? ', with a log beside it' : ''}: ${error.message}`);
		});
		if ((index + 1) % 50 === 0) report(`${index + 1} starts on damaged files`);
	}
	if (starts.slowestRefusal > refusedWithin) throw new Error(`a start is refused after ${starts.slowestRefusal} ms`);
	return {
		'starts on damaged files': count,
		'of them refused, served': `${starts.refused}, ${starts.served}`,
		'reads that failed where it served': starts.failedReads,
		'slowest refusal in ms': Math.round(starts.slowestRefusal),
	};
}

async function startOn(damage: Damage, base: Installed, folder: string, chance: Chance, starts: Starts): Promise<void> {
	const data = join(folder, 'data');
	rmSync(data, { recursive: true, force: true });
	cpSync(base.data, data, { recursive: true });
	const database = join(data, 'access.db');
	writeFileSync(database, damage.apply(readFileSync(database), chance));
	const before = contentsOf(data);
	const started = performance.now();
	try {
		const program = await startProgram(folder);
		try {
			if (isToBeSeen(damage, before.has('access.db-wal'))) throw new Error('it serves from it');
			starts.failedReads += await countFailedReads(program, base.token);
		} finally {
			await program.end('SIGKILL');
		}
		starts.served += 1;
	} catch (error) {
		if (!(error instanceof NotStarted)) throw error;
		requireOneLine(error.ended);
		requireUntouched(before, contentsOf(data));
		starts.refused += 1;
		starts.slowestRefusal = Math.max(starts.slowestRefusal, performance.now() - started);
	}
}

function isToBeSeen({ seen }: Damage, hasLog: boolean): boolean {
	return seen === (hasLog ? 'with a log' : 'without a log');
}

function requireOneLine({ code, stdout, stderr }: Ended): void {
	const isOneLine = /^[^\n]+\n$/.test(stderr) && stdout === '';
	if (code !== 1 || !isOneLine) throw new Error(`it ends with ${code} and writes ${stdout}${stderr}`);
}

/** It may serve when no damage is detected: then a failed read is reported like every failure, and the process survives. */
async function countFailedReads(program: Program, token: string): Promise<number> {
	let failed = 0;
	for (const path of ['/health', '/api/employees?pageSize=100', '/api/stores?includeInactive=true', '/api/roles']) {
		const answer = await program.send('GET', path, { token });
		if (answer.status < 500) continue;
		requireFailure(answer);
		failed += 1;
	}
	return failed;
}

/** The files of a data folder and their content, except the lock and the shared-memory file, which hold no data. */
function contentsOf(folder: string): Map<string, Buffer> {
	const names = readdirSync(folder).filter((name) => !/^access\.(?:lock|db-shm)/.test(name));
	return new Map(names.map((name) => [name, readFileSync(join(folder, name))]));
}

function requireUntouched(before: ReadonlyMap<string, Buffer>, after: ReadonlyMap<string, Buffer>): void {
	for (const [name, content] of before) {
		if (!after.get(name)?.equals(content)) throw new Error(`it refuses to start, and changed ${name}`);
	}
	// SQLite creates an empty log to read a database.
	const added = [...after].flatMap(([name, { length }]) =>
		before.has(name) || (name === 'access.db-wal' && length === 0) ? [] : [name],
	);
	if (added.length > 0) throw new Error(`it refuses to start, and left ${added.join(', ')}`);
}
