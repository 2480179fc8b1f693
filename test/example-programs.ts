/** The example programs of the integrators' pages, as files beside their packages. */
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './program.ts';

/** The pages with an example program. */
export const examples = ['till', 'hr', 'sync'] as const;

/** Writes the program of a page into a folder. @returns its path. */
export function writeExample(folder: string, name: (typeof examples)[number]): string {
	const page = readFileSync(join(root, `src/docs/integrators/${name}.md`), 'utf8');
	const path = join(folder, `${name}.ts`);
	writeFileSync(path, /```ts\n(.*?)```/s.exec(page)?.[1] ?? '');
	addPackages(join(folder, 'node_modules'));
	return path;
}

/** Installs the typed client as `bun add` does, but without its types, and the other packages of the programs. */
function addPackages(packages: string): void {
	if (existsSync(packages)) return;
	mkdirSync(join(packages, '@access'), { recursive: true });
	const client = join(packages, '@access/client');
	cpSync(join(root, 'src/client'), client, { recursive: true });
	Bun.spawnSync([process.execPath, 'run', 'build'], { cwd: client });
	for (const name of ['openapi-fetch', 'openapi-typescript-helpers', 'openid-client', 'papaparse', '@types'])
		symlinkSync(join(root, 'node_modules', name), join(packages, name));
}
