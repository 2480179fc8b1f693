/** Makes the files that a browser loads. A part of the build, and of the program only when it runs from source. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { BuildArtifact } from 'bun';

/** One file, compressed. */
export interface File {
	/** The media type with its charset. */
	type: string;
	br: Blob;
	gzip: Blob;
}

/** The files that the browser loads. */
export interface Files {
	/** The script that starts the page. */
	entry: string;
	/** The style sheet of the page. */
	style: string;
	/** By name; each name holds a hash of its content. */
	byName: ReadonlyMap<string, File>;
}

const source = join(import.meta.dir, '..');

/** Brotli: 11 takes seconds and is for a build; 4 is for a developer who waits. */
type Quality = 4 | 11;

/**
 * Bundles the screens, split so that the sign-in loads alone, and compresses every file.
 * @throws AggregateError with the messages of the bundler.
 */
export async function bundle(quality: Quality): Promise<Files> {
	const { outputs } = await Bun.build({
		entrypoints: [join(source, 'main.tsx')],
		root: source,
		target: 'browser',
		splitting: true,
		minify: true,
		naming: '[name]-[hash].[ext]',
		define: { 'process.env.NODE_ENV': '"production"' },
	});
	const nameOf = ({ path = '' }: Partial<BuildArtifact> = {}) => path.replace('./', '');
	const find = (kind: string, extension: string) =>
		nameOf(outputs.find((output) => output.kind === kind && output.path.endsWith(extension)));
	const files = outputs.map(async (output) => [nameOf(output), await compress(output, quality)] as const);
	return { entry: find('entry-point', '.js'), style: find('asset', '.css'), byName: new Map(await Promise.all(files)) };
}

const types: Record<string, string> = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' };

async function compress(output: BuildArtifact, quality: Quality): Promise<File> {
	const type = types[output.path.split('.').at(-1) ?? ''];
	if (type === undefined) throw new Error(`no media type is known for ${output.path}`);
	const content = await output.arrayBuffer();
	const [br, gz] = await Promise.all([
		promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
		promisify(gzip)(content, { level: quality === 11 ? 9 : 5 }),
	]);
	return { type, br: new Blob([br]), gzip: new Blob([gz]) };
}

let latest: { stamp: string; files: Promise<Files> } | undefined;

/** The bundled files; bundled again only if a source file has changed. */
export function bundleWhenChanged(): Promise<Files> {
	const stamp = stampOf(source);
	if (latest?.stamp !== stamp) latest = { stamp, files: bundle(4) };
	const { files } = latest;
	// A failure is not kept: its cause may be outside this folder.
	files.catch(() => {
		latest = undefined;
	});
	return files;
}

function stampOf(folder: string): string {
	return readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.map((name) => `${name} ${statSync(join(folder, name)).mtimeMs}`)
		.join();
}
