/** Unusable files: system calls that fail under the running program, damaged files at the start. */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NotStarted, newFolder, type Program, spawn } from '../program.ts';
import { Server, startProgram, withDatabase } from '../server.ts';
import { branch, type Campaign, type Chance, type Figures, NotPossibleHere, type Tools } from './campaign.ts';
import { requireFailure, Writers } from './writers.ts';

interface Scale {
	/** How many times calls of the system fail under the running program. */
	faults: number;
	/** How many writes succeed before each, and how many are tried beside it. */
	writes: { before: number; beside: number };
	/** How many changes are in the files that are damaged. */
	changes: number;
	/** How many damaged files it is started on. */
	damages: number;
}

/** A start is refused within this time, in milliseconds. */
const refusedWithin = 2000;

export const unusable: Campaign<Scale> = {
	name: 'unusable',
	claim: 'failing files are reported and survived; damaged ones are refused at the start and left untouched',
	short: { faults: 6, writes: { before: 2, beside: 8 }, changes: 15, damages: 5 },
	full: { faults: 120, writes: { before: 10, beside: 15 }, changes: 150, damages: 300 },
	run: async (scale, tools) => ({
		...(await failCalls(scale, branch(tools.chance))),
		...(await startDamaged(scale, tools)),
	}),
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

async function failCalls({ faults: rounds, writes }: Scale, chance: Chance): Promise<Figures> {
	if (Bun.which('strace') === null) return { 'failing calls': 'not possible here: it needs strace' };
	return Server.with(async (server) => {
		const writers = new Writers(server, 1, chance);
		for (let round = 0; round < rounds; round += 1) {
			for (let write = 0; write < writes.before; write += 1) await writers.write();
			const fault = faults[round % faults.length] ?? faults[0];
			await failing(server.program.pid, fault, chance.pick(frequencies), async () => {
				for (let write = 0; write < writes.beside; write += 1) {
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

/** A damage: its name, and what it makes of a file. */
interface Damage {
	name: string;
	/**
	 * When the start must detect it. `without a log`: pages in a log replace those in the file, so the damage may not be
	 * visible with one. `with a log`: an empty file alone is a new database, but has no log. `not always`: the damage may
	 * hit only the content of a row.
	 */
	seen: 'without a log' | 'with a log' | 'not always';
	apply(file: Buffer, chance: Chance): Buffer;
}

const pageSize = 4096;
const headerSize = 100;

/** Random damages; what always looks the same is in backups.test.ts. */
const damages: readonly Damage[] = [
	{
		name: 'bytes changed in a page',
		seen: 'not always',
		apply: (file, chance) => changeBytes(file, pageSize, file.length, chance),
	},
	{
		name: 'bytes changed in the header',
		seen: 'not always',
		apply: (file, chance) => changeBytes(file, 0, headerSize, chance),
	},
	{
		name: 'page of zeros',
		seen: 'not always',
		apply(file, { below }) {
			const start = pageSize * below(file.length / pageSize);
			return Buffer.from(file).fill(0, start, start + pageSize);
		},
	},
	{
		name: 'truncated',
		seen: 'without a log',
		apply: (file, { below }) => file.subarray(0, 2 + below(file.length - pageSize)),
	},
	// SQLite would take it for a new database and delete the log beside it.
	{ name: 'emptied', seen: 'with a log', apply: () => Buffer.alloc(0) },
];

function changeBytes(file: Buffer, from: number, to: number, { below }: Chance): Buffer {
	const damaged = Buffer.from(file);
	const start = from + below(to - from);
	const end = Math.min(to, start + 1 + below(64));
	for (let at = start; at < end; at += 1) damaged[at] = (damaged[at] ?? 0) ^ (1 + below(255));
	return damaged;
}

/** An installation that was killed and a copy that lost its log by an orderly end, to damage, and a token for both. */
async function install(changes: number, chance: Chance) {
	return Server.with(async (server) => {
		const writers = new Writers(server, 1, chance);
		while (writers.acknowledged < changes) await writers.write();
		const token = server.superToken;
		await server.program.end('SIGKILL');
		const whole = join(newFolder(), 'data');
		cpSync(server.data, whole, { recursive: true });
		// As a stop does.
		withDatabase(join(whole, 'access.db'), (database) => database.run('pragma wal_checkpoint(truncate)'));
		return { withLog: server.data, whole, token };
	});
}

async function startDamaged(
	{ changes, damages: count }: Scale,
	{ chance, report, judgesTimes }: Tools,
): Promise<Figures> {
	const { withLog, whole, token } = await install(changes, chance);
	/** How many reads failed at each start that served, and how long each other one took to be refused. */
	const failedReads: number[] = [];
	const refusals: number[] = [];
	const folder = newFolder();
	for (let index = 0; index < count; index += 1) {
		const damage = damages[index % damages.length] ?? chance.pick(damages);
		const hasLog = damage.seen === 'with a log' || chance.below(4) === 0;
		const started = performance.now();
		const served = await startOn(damage, hasLog ? withLog : whole, token, folder, chance).catch((error) => {
			throw new Error(`${damage.name}${hasLog ? ', with a log beside it' : ''}: ${error.message}`);
		});
		if (served) failedReads.push(served.failedReads);
		else refusals.push(performance.now() - started);
		if ((index + 1) % 50 === 0) report(`${index + 1} starts on damaged files`);
	}
	const slowest = Math.max(...refusals);
	if (judgesTimes && slowest > refusedWithin) throw new Error(`a start is refused after ${slowest} ms`);
	return {
		'starts on damaged files': count,
		'of them refused, served': `${refusals.length}, ${failedReads.length}`,
		'reads that failed where it served': failedReads.reduce((sum, each) => sum + each, 0),
		'slowest refusal in ms': Math.round(slowest),
	};
}

/** Starts on a damaged copy; undefined when that is refused. */
async function startOn(
	damage: Damage,
	base: string,
	token: string,
	folder: string,
	chance: Chance,
): Promise<{ failedReads: number } | undefined> {
	const data = join(folder, 'data');
	rmSync(data, { recursive: true, force: true });
	cpSync(base, data, { recursive: true });
	const database = join(data, 'access.db');
	writeFileSync(database, damage.apply(readFileSync(database), chance));
	const before = contentsOf(data);
	const mustSee = damage.seen === (before.has('access.db-wal') ? 'with a log' : 'without a log');
	const program = await startProgram(folder).catch((error): undefined => {
		if (!(error instanceof NotStarted)) throw error;
		const { code, stdout, stderr } = error.ended;
		const isOneLine = /^[^\n]+\n$/.test(stderr) && stdout === '';
		if (code !== 1 || !isOneLine) throw new Error(`it ends with ${code} and writes ${stdout}${stderr}`);
		const after = contentsOf(data);
		const changed = [...before.keys(), ...after.keys()].filter((name) => before.get(name) !== after.get(name));
		if (changed.length > 0) throw new Error(`it refuses to start, and changed ${changed.join(', ')}`);
	});
	try {
		if (program && mustSee) throw new Error('it serves from it');
		return program && { failedReads: await countFailedReads(program, token) };
	} finally {
		await program?.end('SIGKILL');
	}
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

/** What is in the files of a data folder, except the lock and the shared memory, which hold no data. */
function contentsOf(folder: string): Map<string, string> {
	const names = readdirSync(folder).filter((name) => !/^access\.(?:lock|db-shm)/.test(name));
	const contents = new Map(names.map((name) => [name, readFileSync(join(folder, name), 'latin1')]));
	// SQLite creates an empty log to read a database.
	if (contents.get('access.db-wal') === '') contents.delete('access.db-wal');
	return contents;
}
