/** `bun run build [--target NAME] [--outfile PATH]`: compiles the program to one file that needs nothing beside it. */
import { parseArgs } from 'node:util';
import { embedding } from '../back-office/serving/embed.ts';

const { values } = parseArgs({ options: { target: { type: 'string' }, outfile: { type: 'string' } } });

// The compiler refuses an unknown target.
const target = values.target as Bun.Build.CompileTarget | undefined;

// The target is part of the name, so that binaries of several platforms can lie side by side.
const outfile = values.outfile ?? `dist/access${target ? target.replace(/^bun/, '') : ''}`;

const backOffice = await embedding();
process.on('exit', backOffice.remove);
try {
	const { outputs } = await Bun.build({
		entrypoints: [`${import.meta.dir}/../main.ts`],
		compile: {
			outfile,
			...(target && { target }),
			// The binary must not read files of the folder that it is started from.
			autoloadDotenv: false,
			autoloadBunfig: false,
		},
		bytecode: true,
		// A module that is imported on demand becomes a chunk of its own, which a start does not load.
		format: 'esm',
		splitting: true,
		sourcemap: 'none',
		define: { 'process.env.NODE_ENV': '"production"' },
		plugins: [backOffice.plugin],
	});
	console.log(outputs.map((output) => output.path).join('\n'));
} catch (error) {
	const reason = error instanceof AggregateError ? error.errors.join('\n') : error;
	const hint = `\nThe runtime of ${target} is fetched from the internet: build where it can be reached.`;
	console.error(`${reason}${target ? hint : ''}`);
	process.exit(1);
}
