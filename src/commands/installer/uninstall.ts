/** Taking an installation away. */
import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { units } from './install.ts';
import { type Places, serviceUser } from './places.ts';
import { run, type ServiceManager } from './service-manager.ts';

/**
 * Removes the service and the program; the data and the settings stay.
 * @param purged the folder of the data, which go for good then, with the settings and the user.
 * @returns what was removed.
 */
export async function uninstall(places: Places, manager: ServiceManager, purged?: string): Promise<string[]> {
	if (existsSync(places.unit)) await manager.disable();
	const written = Object.keys(units).flatMap((name) => [name, `${name}.new`]);
	const ours = [...written.map((name) => join(dirname(places.unit), name)), places.program, places.previous];
	const theirs = purged === undefined ? [] : [purged, places.settings, places.users];
	const there = [...ours, ...theirs].filter((path) => existsSync(path));
	for (const path of there) rmSync(path, { recursive: true });
	if (purged !== undefined && places.root === '/') await run(['userdel', serviceUser]).catch(() => {});
	return there;
}
