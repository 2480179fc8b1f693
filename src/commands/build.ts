/** `bun run build [--target NAME] [--outfile PATH]`: compiles the program to one file that needs nothing beside it. */
import { parseArgs } from 'node:util';
import { embedding } from '../back-office/serving/embed.ts';

const { values } = parseArgs({ options: { target: { type: 'string' }, outfile: { type: 'string' } } });

// The compiler refuses what is none.
const target = values.target as Bun.Build.CompileTarget | undefined;

// Binaries for several platforms do not replace each other.
const outfile = values.outfile ?? `dist/access${target ? target.replace(/^bun/, '') : ''}`;

const backOffice = await embedding();
process.on('exit', backOffice.remove);
try {
	const { outputs } = await Bun.build({
		entrypoints: [`${import.meta.dir}/../main.ts`],
		compile: {
			outfile,
			...(target && { target }),
			// The binary must not depend on what is in the folder it is started from.
			autoloadDotenv: false,
			autoloadBunfig: false,
		},
		bytecode: true,
		// What is imported when it is needed becomes a chunk of its own, which a start does not load.
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
	fail(`${reason}${target ? hint : ''}`, 1);
}

function fail(message: string, code: number): never {
	console.error(message);
	process.exit(code);
}
