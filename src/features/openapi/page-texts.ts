import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const files = 'README sign-in openid permissions approvals people files copies till hr sync ../changelog'.split(' ');

/**
 * The text of each page by the name of its file, in the order of the menu. Imported as a Bun macro: the bundler reads
 * the files, so the binary carries the pages.
 */
export function readPages(): Record<string, string> {
	const folder = join(import.meta.dir, '../../docs/integrators');
	return Object.fromEntries(files.map((file) => [basename(file), readFileSync(join(folder, `${file}.md`), 'utf8')]));
}
