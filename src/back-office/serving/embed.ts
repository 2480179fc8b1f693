/** Puts the bundled files into the compiled program. A part of the build only. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BunPlugin } from 'bun';
import { bundle, type Files } from './bundle.ts';

/** The plugin of the build, and the function that removes its temporary files. */
export async function embedding(): Promise<{ plugin: BunPlugin; remove: () => void }> {
	const folder = mkdtempSync(join(tmpdir(), 'access-back-office-'));
	const module = await writeFiles(await bundle(11), folder);
	return {
		plugin: {
			name: 'back-office',
			setup(build) {
				build.onLoad({ filter: /back-office[\\/]serving[\\/]files\.ts$/ }, () => ({ contents: module, loader: 'ts' }));
			},
		},
		remove: () => rmSync(folder, { recursive: true, force: true }),
	};
}

/** Writes every file in both encodings; the module that stands for `files.ts`, in which importing a file gives its path. */
async function writeFiles({ entry, style, byName }: Files, folder: string): Promise<string> {
	const imports: string[] = [];
	const writing = Array.from(byName, async ([name, { type, br, gzip }], index) => {
		const contents = Object.entries({ br, gz: gzip }).map(([encoding, content]) => {
			const path = join(folder, `${name}.${encoding}`);
			imports.push(`import ${encoding}${index} from ${JSON.stringify(path)} with { type: 'file' };`);
			return Bun.write(path, content);
		});
		await Promise.all(contents);
		const file = `{ type: ${JSON.stringify(type)}, br: Bun.file(br${index}), gzip: Bun.file(gz${index}) }`;
		return `[${JSON.stringify(name)}, ${file}]`;
	});
	const entries = await Promise.all(writing);
	return `${imports.join('\n')}
const files = {
	entry: ${JSON.stringify(entry)},
	style: ${JSON.stringify(style)},
	byName: new Map([${entries.join(',\n')}]),
};
export async function loadFiles() { return files; }
`;
}
