/** Makes the files that a browser loads. A part of the build, and of the program only when it runs from source. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** One file, compressed. */
export interface File<Content> {
	/** The media type with its charset. */
	type: string;
	br: Content;
	gzip: Content;
}

/** The files that the browser loads. The content is bytes, or a `Blob` when it is embedded in the program. */
export interface Files<Content = Uint8Array<ArrayBuffer> | Blob> {
	/** The script that starts the page. */
	entry: string;
	/** The style sheet of the page. */
	style: string;
	/** By name; each name holds a hash of its content. */
	byName: ReadonlyMap<string, File<Content>>;
}

type Bundled = Files<Uint8Array<ArrayBuffer>>;

const source = join(import.meta.dir, '..');

/** Brotli: 11 takes seconds and is for a build; 4 is for a developer who waits. */
type Quality = 4 | 11;

/**
 * Bundles the screens, split so that the sign-in loads alone, and compresses every file.
 * @throws AggregateError with the messages of the bundler.
 */
export async function bundle(quality: Quality): Promise<Bundled> {
	const { outputs } = await Bun.build({
		entrypoints: [join(source, 'main.tsx')],
		root: source,
		target: 'browser',
		splitting: true,
		minify: true,
		naming: '[name]-[hash].[ext]',
		define: { 'process.env.NODE_ENV': '"production"' },
	});
	const made = await Promise.all(
		outputs.map(async (output) => ({
			name: output.path.replace('./', ''),
			kind: output.kind,
			content: new Uint8Array(await output.arrayBuffer()),
		})),
	);
	const find = (kind: string, extension: string) =>
		made.find((file) => file.kind === kind && file.name.endsWith(extension))?.name ?? '';
	return {
		entry: find('entry-point', '.js'),
		style: find('asset', '.css'),
		byName: new Map(
			await Promise.all(made.map(async ({ name, content }) => [name, await compress(name, content, quality)] as const)),
		),
	};
}

const types: Record<string, string> = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' };

async function compress(name: string, content: Uint8Array, quality: Quality): Promise<File<Uint8Array<ArrayBuffer>>> {
	const type = types[name.split('.').at(-1) ?? ''];
	if (type === undefined) throw new Error(`no media type is known for ${name}`);
	const [br, gz] = await Promise.all([
		promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
		promisify(gzip)(content, { level: quality === 11 ? 9 : 5 }),
	]);
	return { type, br: new Uint8Array(br), gzip: new Uint8Array(gz) };
}

let latest: { stamp: string; files: Promise<Bundled> } | undefined;

/** The bundled files; bundled again only if a source file has changed. */
export function bundleWhenChanged(): Promise<Bundled> {
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
