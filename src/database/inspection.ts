/** The inspection of a whole database that may be in use. */
import type { Database } from 'bun:sqlite';
import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { sizeOf } from '../machine/file-access.ts';
import { codeOf } from '../vocabulary/errors.ts';
import { withCopy } from './backup.ts';
import { connect, integrityProblem, maxInspected } from './open.ts';

/** What the inspection leaves free for a server beside it, in bytes. */
const spareRoom = 100_000_000;

/** What an inspection says: what is wrong with the database, or how many bytes it needs for a copy; nothing if it is sound. */
export interface Inspected {
	problem?: string | undefined;
	roomNeeded?: number;
}

/** The path beside which a copy for an inspection is made; see {@link withCopy}. */
export function inspectedCopy(path: string): string {
	return `${path}-inspected`;
}

/**
 * Inspects a database by SQLite's own check: a small one itself, a larger one as a copy. While a check reads the database
 * itself, a server cannot start its write-ahead log over, and a check takes about twice as long as copying.
 */
export function inspect(client: Database, path: string): Inspected {
	if (sizeOf(path) <= maxInspected) return { problem: integrityProblem(client) };
	const { bavail, bsize } = statfsSync(dirname(path));
	const roomNeeded = sizeOf(path) + sizeOf(`${path}-wal`) + spareRoom;
	if (bavail * bsize < roomNeeded) return { roomNeeded };
	try {
		return withCopy(client, inspectedCopy(path), (copy) => {
			using copied = connect(copy, { readonly: true });
			return { problem: integrityProblem(copied) };
		});
	} catch (error) {
		// The copy cannot grow: others filled the disk meanwhile, or a quota is smaller than the disk.
		if (/^SQLITE_(FULL|IOERR_WRITE)/.test(codeOf(error))) return { roomNeeded };
		throw error;
	}
}
