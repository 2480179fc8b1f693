/** The programs of the integrators' pages, as files beside the packages of this project. */
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './program.ts';

/** The pages with an example program. */
export const examples = ['till', 'hr', 'sync'] as const;

/** Writes the program of a page into a folder. @returns its path. */
export function writeExample(folder: string, name: (typeof examples)[number]): string {
	const page = readFileSync(join(root, `src/docs/integrators/${name}.md`), 'utf8');
	const path = join(folder, `${name}.ts`);
	writeFileSync(path, /```ts\n(.*?)```/s.exec(page)?.[1] ?? '');
	const packages = join(folder, 'node_modules');
	if (!existsSync(packages)) symlinkSync(join(root, 'node_modules'), packages);
	return path;
}
