/** Looks for problems of an installation or upgrade as the user of the service, before the service stops. */
import { existsSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answers, findInnerPlaceProblem, isBucket, isInside, placeAt } from '../../platform/backup-copies/place.ts';
import { listBackups } from '../../platform/database/backup.ts';
import { inspectDatabase, readSchemaVersion } from '../../platform/database/open.ts';
import { schemaVersion } from '../../platform/database/schema-version.ts';
import type { Config } from '../../platform/machine/config.ts';
import { freeBytesAt, isThere, sizeOf, withExplanation } from '../../platform/machine/file-access.ts';
import { asUser, type UserIds } from '../../platform/machine/folder-owner.ts';
import { OperationError } from '../../platform/vocabulary/errors.ts';

/** Free space that has to remain beside the new backup, in bytes, because the service goes on. */
const spare = 20_000_000;

/**
 * Inspects the database that the program at a path will use. @param backsUp whether a backup comes first
 * @returns the number of pending migrations. @throws OperationError if it cannot use it, or the disk has no room
 */
export function inspectData(
	user: UserIds,
	{ folder: { path, database, backups } }: Config,
	{ program, backsUp }: { program: string; backsUp: boolean },
): number {
	return asUser(user, () => {
		// Fails with the names of the owner and the user if root copied the folder here.
		if (isThere(path)) withExplanation(path, () => readdirSync(path));
		if (!isThere(database)) return 0;
		if (readSchemaVersion(database) > schemaVersion)
			throw new OperationError(explainDowngrade(database, backups, program));
		const pendingMigrations = schemaVersion - inspectDatabase(database, 'quick');
		// Room for the backup, and for the log of a migration.
		const copies = pendingMigrations > 0 ? 2 : 1;
		if (backsUp || pendingMigrations > 0)
			requireRoom(path, 'the backup before the upgrade', copies * (sizeOf(database) + sizeOf(`${database}-wal`)));
		return pendingMigrations;
	});
}

/** The commands for an older program whose database a newer program has migrated. */
function explainDowngrade(database: string, backups: string, program: string): string {
	const newer = `${database} has schema ${readSchemaVersion(database)}, but this program knows ${schemaVersion}`;
	const { past } = listBackups(backups);
	const upgrades = past.filter(({ kind }) => kind === 'before-upgrade').map(({ name }) => join(backups, name));
	const backup = upgrades.findLast((path) => readSchemaVersion(path) <= schemaVersion);
	if (backup === undefined) return `${newer}: install the version that wrote it`;
	const commands = `systemctl stop access && "${program}" restore --unsealed "${backup}", then "${program}" install`;
	return `${newer}; to go back to this program and lose all later changes, run ${commands}`;
}

/** @throws OperationError when the disk of a folder has no room for the named thing, and for the service to go on */
export function requireRoom(folder: string, what: string, bytes: number): void {
	const [free, needed] = [freeBytesAt(folder), bytes + spare];
	if (free >= needed) return;
	const inMegabytes = (each: number) => `${Math.ceil(each / 1e6)} MB`;
	const problem = `the disk of ${folder} has ${inMegabytes(free)} free, but ${what} needs ${inMegabytes(needed)}`;
	throw new OperationError(`${problem}: make room`);
}

/** Refuses a new place that would get no copies, or lose them with the data. @throws OperationError */
export async function requireUsefulPlace(config: Config, hidden: readonly string[]): Promise<void> {
	const real = (path = '') => (existsSync(path) ? realpathSync(path) : path);
	const [DATA_DIR, BACKUP_TO] = [real(config.DATA_DIR), real(config.BACKUP_TO)];
	const above = hidden.find((folder) => isInside(real(folder), BACKUP_TO));
	const unseen =
		above && `${BACKUP_TO} is in ${above}, which the service cannot see: choose another, such as /mnt/copies`;
	const problem = unseen ?? findInnerPlaceProblem({ DATA_DIR, BACKUP_TO });
	if (problem !== undefined) throw new OperationError(problem);
	if (config.BACKUP_TO !== undefined) await placeAt(config.BACKUP_TO, config).list();
}

/** Writes a file to the place of copies and removes it. The keys of a bucket must let it be read, too. @throws OperationError */
export async function tryPlace(user: UserIds, config: Config, patience = 60_000): Promise<void> {
	const { BACKUP_TO } = config;
	if (BACKUP_TO === undefined) return;
	const [name, text] = [`.access-${crypto.randomUUID()}`, 'written to try the place of copies'];
	if (isBucket(BACKUP_TO)) {
		const place = placeAt(BACKUP_TO, config);
		await place.write(name, new Blob([text]).stream());
		await Array.fromAsync(place.read(name));
		return await place.remove(name);
	}
	if (!(await answers(BACKUP_TO, patience)))
		throw new OperationError(`cannot use ${BACKUP_TO}: it did nothing for ${patience / 1000} seconds, mount it again`);
	const path = join(BACKUP_TO, name);
	const tryFolder = () => {
		writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
		rmSync(path);
	};
	asUser(user, () => withExplanation(BACKUP_TO, tryFolder));
}
