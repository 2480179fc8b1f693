/** Taking an installation away. */
import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Places, serviceUser } from './places.ts';
import { run, type ServiceManager } from './service-manager.ts';

/**
 * Removes the service and the program; the data and the settings stay.
 * @returns what was removed.
 */
export async function uninstall(places: Places, manager: ServiceManager): Promise<string[]> {
	if (existsSync(places.unit)) await manager.disable();
	const units = ['access.service', 'access-watch.service', 'access-watch.timer'].map((name) =>
		join(dirname(places.unit), name),
	);
	return remove([...units, ...units.map((unit) => `${unit}.new`), places.program, places.previous]);
}

/** Removes the data, the settings and the user as well, for good. @returns what was removed. */
export async function purge(places: Places, data: string): Promise<string[]> {
	const removed = remove([data, places.settings, places.users]);
	if (places.root === '/') await run(['userdel', serviceUser]).catch(() => {});
	return removed;
}

function remove(paths: readonly string[]): string[] {
	const there = paths.filter((path) => existsSync(path));
	for (const path of there) rmSync(path, { recursive: true });
	return there;
}
