/**
 * A write-ahead log that is cut off, or has a changed byte, as a power cut or a bad disk leaves it. The database must then
 * be in the state after some acknowledged change, with every change whose log was intact.
 */
import type { Database } from 'bun:sqlite';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { closeDatabase, openDatabase } from '../../src/database/open.ts';
import { newFolder } from '../program.ts';
import { Server, startProgram } from '../server.ts';
import type { Campaign, Figures } from './campaign.ts';
import { Owner, outcomeOf, send } from './chain.ts';
import { type Chance, naming, newChance } from './chance.ts';
import { look, requireSound } from './database.ts';

interface Scale {
	/** How many logs are made. */
	logs: number;
	/** How often they are damaged in all. */
	damages: number;
	/** One in so many times the program itself is started, not only its function that opens a database. */
	everyForProgram: number;
	/** How large a log is at least, in pages. */
	pages: number;
}

export const tornLog: Campaign<Scale> = {
	name: 'torn-log',
	claim: 'however its log is damaged, the database is in the state of the last acknowledged change before the damage',
	short: { logs: 1, damages: 60, everyForProgram: 30, pages: 250 },
	full: { logs: 4, damages: 1000, everyForProgram: 100, pages: 600 },
	run: (scale, report) => {
		const chance = newChance();
		return naming(chance, () => tearLogs(scale, chance, report));
	},
};

async function tearLogs(scale: Scale, chance: Chance, report: (step: string) => void): Promise<Figures> {
	const counts = { changes: 0, commits: 0, cut: 0, flipped: 0, overwritten: 0, 'opened by the program': 0 };
	const folder = newFolder();
	let damages = 0;
	for (let log = 1; log <= scale.logs; log += 1) {
		const recorded = await record(scale.pages, chance);
		counts.changes += recorded.states.length - 1;
		counts.commits += recorded.commitEnds.length;
		for (; damages < (scale.damages * log) / scale.logs; damages += 1) {
			const damage = damageTo(recorded.log, chance);
			counts[damage.kind] += 1;
			const path = layOut(folder, recorded, damage);
			const byProgram = damages % scale.everyForProgram === 0;
			if (byProgram) counts['opened by the program'] += 1;
			requirePrefix(recorded, damage, byProgram ? await openByProgram(folder, path) : openHere(path));
			requireSound(path);
		}
		report(`${damages} damages, each left a state that was acknowledged`);
	}
	return { damages, ...counts, 'not a prefix, damaged or lost before the damage': 0, seed: chance.seed };
}

/** A database with its log, and the changes that led to it. */
interface Recorded {
	database: Buffer;
	log: Buffer;
	/** The content of the tables: before the first change in the log, and after each one. */
	states: State[];
	/** Where the commits end in the log. */
	commitEnds: number[];
}

/** The content of the tables when so many commits were in the log. */
interface State {
	commits: number;
	content: string;
}

/** Lets the program make changes until its log was restarted at least once and is long enough. */
async function record(pages: number, chance: Chance): Promise<Recorded> {
	const server = await Server.start();
	const readLog = () => readFileSync(`${server.database}-wal`);
	try {
		const owner = new Owner(0, chance, { hashing: false });
		const token = server.superToken;
		let states: State[] = [];
		let content = stateOf(server.database);
		let salts = saltsOf(readLog());
		for (let hasStartedOver = false; ; ) {
			const wish = owner.nextChange();
			owner.apply(outcomeOf([wish], [await send(server, token, wish)]));
			const log = readLog();
			if (!salts.equals(saltsOf(log))) {
				hasStartedOver = true;
				salts = saltsOf(log);
				// Without any of its commits the state is this one, or the next if a background commit began the log.
				states = [{ commits: -1, content }];
			}
			content = stateOf(server.database);
			const frames = framesOf(log);
			states.push({ commits: commitEndsOf(frames).length, content });
			// A log of a thousand pages is checkpointed: damage after that would hit what is already in the database.
			if (hasStartedOver && frames.length >= pages && frames.length < foldedAt) break;
		}
		await server.program.end('SIGKILL');
		const log = readLog();
		const commitEnds = commitEndsOf(framesOf(log));
		const database = readFileSync(server.database);
		// A piece of the old log behind the new one is enough.
		return { database, log: log.subarray(0, (commitEnds.at(-1) ?? 0) + 65_536), states, commitEnds };
	} finally {
		await server.program.end('SIGKILL');
	}
}

const foldedAt = 1000;
const headerSize = 32;
const frameHeaderSize = 24;
const pageSize = 4096;

/** A page in a log; a marked one ends a transaction. */
interface Frame {
	end: number;
	isCommit: boolean;
}

/** The salt in the header of a log and in each of its pages; it changes whenever the log restarts. */
function saltsOf(log: Buffer): Buffer {
	return log.subarray(16, 24);
}

function commitEndsOf(frames: readonly Frame[]): number[] {
	return frames.flatMap(({ end, isCommit }) => (isCommit ? [end] : []));
}

/** The valid pages of a log: those with the salts of its header, as SQLite's file format says. */
function framesOf(log: Buffer): Frame[] {
	const frames: Frame[] = [];
	const size = frameHeaderSize + pageSize;
	for (let start = headerSize; start + size <= log.length; start += size) {
		if (log.compare(log, 16, 24, start + 8, start + 16) !== 0) break;
		frames.push({ end: start + size, isCommit: log.readUInt32BE(start + 4) > 0 });
	}
	return frames;
}

/** The content of the tables, except those that the program derives from others between changes. */
function stateOf(path: string): string {
	return look(path, contentOf);
}

function contentOf(database: Database): string {
	const tables = database.query("select name from sqlite_schema where type = 'table' order by name").values().flat();
	const compared = tables.filter((table) => !/^history_|_search/.test(String(table)));
	const rows = compared.map((table) => database.query(`select * from "${table}"`).values());
	return String(Bun.hash(JSON.stringify(rows.flat().map((row) => row.map(readable)))));
}

function readable(value: unknown): unknown {
	return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
}

interface Damage {
	kind: 'cut' | 'flipped' | 'overwritten';
	log: Buffer;
	/** Where it begins. */
	at: number;
}

function damageTo(log: Buffer, { below, pick }: Chance): Damage {
	const kind = pick(['cut', 'flipped', 'overwritten'] as const);
	const at = below(log.length);
	if (kind === 'cut') return { kind, at, log: log.subarray(0, at) };
	const damaged = Buffer.from(log);
	if (kind === 'flipped') {
		damaged[at] = (damaged[at] ?? 0) ^ (1 + below(255));
		return { kind, at, log: damaged };
	}
	damaged.fill(pick([0, 0xff]), at, at + 512);
	return { kind, at: firstDifference(log, damaged, at), log: damaged };
}

/** The first byte from `start` on that differs, or the length when none does: zeros over zeros are no damage. */
function firstDifference(one: Buffer, other: Buffer, start: number): number {
	let position = start;
	while (position < one.length && one[position] === other[position]) position += 1;
	return position;
}

/** Puts the database and the damaged log where the program looks for them. */
function layOut(folder: string, { database }: Recorded, { log }: Damage): string {
	const data = join(folder, 'data');
	rmSync(data, { recursive: true, force: true });
	mkdirSync(data, { mode: 0o700 });
	writeFileSync(join(data, 'access.db-wal'), log);
	writeFileSync(join(data, 'access.db'), database);
	return join(data, 'access.db');
}

/** Opens it as the program does; its content then. */
function openHere(path: string): string {
	const db = openDatabase(path);
	try {
		return contentOf(db.$client);
	} finally {
		closeDatabase(db);
	}
}

/** Lets the program serve from it; its content then. */
async function openByProgram(folder: string, path: string): Promise<string> {
	const program = await startProgram(folder);
	try {
		const { status } = await program.send('GET', '/health');
		if (status !== 200) throw new Error(`with a damaged log /health answers ${status}`);
		return stateOf(path);
	} finally {
		await program.end();
	}
}

/**
 * Between two changes the program may have made a background commit, before or after the second change.
 * @throws Error unless everything is there that was intact before the damage, and nothing of what follows.
 */
function requirePrefix({ states, commitEnds }: Recorded, { kind, at }: Damage, content: string): void {
	const whole = commitEnds.filter((end) => end <= at).length;
	const earlier = states.findLastIndex(({ commits }) => commits <= whole);
	const later = states[earlier]?.commits === whole ? earlier : Math.min(earlier + 1, states.length - 1);
	if (content === states[earlier]?.content || content === states[later]?.content) return;
	const found = states.findIndex((state) => state.content === content);
	const is = found === -1 ? 'a state that never was' : `the state after change ${found}`;
	throw new Error(`a log that was ${kind} at ${at} leaves ${is}, not that after change ${earlier}`);
}
