/** Puts the bundled files into the compiled program. A part of the build only. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BunPlugin } from 'bun';
import { bundle, type Files } from './bundle.ts';

/** The plugin of the build, and the function that removes its temporary files. */
export async function embedding(): Promise<{ plugin: BunPlugin; remove: () => void }> {
	const folder = mkdtempSync(join(tmpdir(), 'access-back-office-'));
	const module = writeFiles(await bundle(11), folder);
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
function writeFiles({ entry, style, byName }: Files<Uint8Array>, folder: string): string {
	const imports: string[] = [];
	const entries = Array.from(byName, ([name, { type, br, gzip }], index) => {
		for (const [encoding, content] of Object.entries({ br, gz: gzip })) {
			const path = join(folder, `${name}.${encoding}`);
			writeFileSync(path, content);
			imports.push(`import ${encoding}${index} from ${JSON.stringify(path)} with { type: 'file' };`);
		}
		const file = `{ type: ${JSON.stringify(type)}, br: Bun.file(br${index}), gzip: Bun.file(gz${index}) }`;
		return `[${JSON.stringify(name)}, ${file}]`;
	});
	return `${imports.join('\n')}
const files = {
	entry: ${JSON.stringify(entry)},
	style: ${JSON.stringify(style)},
	byName: new Map([${entries.join(',\n')}]),
};
export async function loadFiles() { return files; }
`;
}
