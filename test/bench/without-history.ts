/** Compiles the program so that it writes no history: what a change costs without its record. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const main = join(import.meta.dir, '../../src/main.ts');

/** Compiles it to a file, as `src/build.ts` compiles the program but for what writes the records. */
export async function compileWithoutHistory(outfile: string): Promise<void> {
	await Bun.build({
		entrypoints: [main],
		compile: { outfile, autoloadDotenv: false, autoloadBunfig: false },
		bytecode: true,
		define: { 'process.env.NODE_ENV': '"production"' },
		plugins: [
			{
				name: 'without history',
				setup: (build) => {
					build.onLoad({ filter: /src\/history\/record\.ts$/ }, ({ path }) => ({
						loader: 'ts',
						contents: withoutWriting(readFileSync(path, 'utf8')),
					}));
				},
			},
		],
	});
}

function withoutWriting(source: string): string {
	const renamed = source.replace(/export function (record|recordChange)\(/g, 'function $1Really(');
	return `${renamed}\nexport function record() {}\nexport function recordChange() {}\n`;
}
