/** Reads the program's system calls: was an acknowledged change on the disk when it was acknowledged? */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from '../program.ts';
import { Server } from '../server.ts';
import { type Campaign, NotPossibleHere } from './campaign.ts';
import { Writers } from './writers.ts';

interface Scale {
	writes: number;
}

export const synced: Campaign<Scale> = {
	name: 'synced',
	claim: 'a change is acknowledged only after the log that holds it was synced to the disk',
	short: { writes: 10 },
	full: { writes: 1000 },
	async run({ writes }, { chance }) {
		if (Bun.which('strace') === null) throw new NotPossibleHere('it needs strace');
		const trace = join(newFolder(), 'trace');
		// With -D the program is the child, and strace beside it: signals reach the program.
		const command = ['strace', '-D', '-f', '-y', '-s', '12', '-e', calls, '-o', trace];
		const write = async (server: Server) => {
			const writers = new Writers(server, 1, chance);
			while (writers.acknowledged < writes) await writers.write();
			await server.program.end();
		};
		await Server.with(write, {}, command);
		const { acknowledged, syncs } = follow(readFileSync(trace, 'utf8').split('\n'));
		// One of the answers is a sign-in.
		if (acknowledged < writes) throw new Error(`of ${writes} changes the trace shows ${acknowledged} acknowledged`);
		if (syncs < writes) throw new Error(`${writes} changes were acknowledged, and the log was synced ${syncs} times`);
		return { writes, 'syncs of the log': syncs, 'answers before their sync': 0 };
	},
};

const calls = 'trace=pwrite64,pwritev,fsync,fdatasync,write,writev,sendto,sendmsg';

/** What a line of the trace means. A sync that another thread's call interrupts takes two lines, and counts at its end. */
const events = {
	written: /\bpwritev?(?:64)?\(\d+<[^>]*access\.db-wal>/,
	synced: /\bf(?:data)?sync\(\d+<[^>]*access\.db-wal>\)\s+= 0/,
	syncing: /\bf(?:data)?sync\(\d+<[^>]*access\.db-wal> <unfinished/,
	syncEnded: /<\.\.\. f(?:data)?sync resumed>\)\s+= 0/,
	answered: /\b(?:write|writev|sendto|sendmsg)\(.*"HTTP\/1\.1 20/,
};

/**
 * Reads a trace from its beginning. Every answer is about a change, except the first, a sign-in that follows the writes
 * of the first start. So a sync must precede each answer, and none may go out while a write is not synced.
 * @throws Error on an answer that was sent too early.
 */
function follow(lines: readonly string[]): { acknowledged: number; syncs: number } {
	let [acknowledged, syncs, syncsAtAnswer, isSyncing] = [0, 0, 0, false];
	/** The line that wrote to the log after the last sync. */
	let unsynced: string | undefined;
	for (const line of lines) {
		const event = (Object.keys(events) as (keyof typeof events)[]).find((name) => events[name].test(line));
		if (event === 'written') unsynced = line;
		if (event === 'syncing') isSyncing = true;
		if (event === 'synced' || (event === 'syncEnded' && isSyncing)) {
			syncs += 1;
			isSyncing = false;
			unsynced = undefined;
		}
		if (event !== 'answered') continue;
		if (unsynced !== undefined) throw new Error(`${line} comes before a sync of ${unsynced}`);
		if (syncs === syncsAtAnswer) throw new Error(`${line} comes without any sync`);
		syncsAtAnswer = syncs;
		acknowledged += 1;
	}
	return { acknowledged, syncs };
}
