/** The layers of `src`, and the time limit of test files. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { hanging } from './hanging.ts';
import { words } from './oracle.ts';

setDefaultTimeout(hanging);

/**
 * The layers of `src/`, from the process down. A file imports only from its own folder and from lower layers. Within a
 * layer, a folder may import those listed after it, but not those before it.
 */
const layers = [
	['main.ts'],
	['commands'],
	['server'],
	['back-office'],
	['app.ts'],
	words(`
		features/openapi features/openid features/overview features/files features/employees features/own-account
		features/administrators features/approvals features/permissions features/programs features/changes
		features/health
	`),
	['features/auth'],
	['features/chain', 'features/stores', 'features/areas', 'features/roles', 'features/pinyin'],
	['identity/guard'],
	['identity/second-factor'],
	['identity/rights'],
	['identity/history'],
	['identity/session'],
	['platform/http'],
	['platform/database'],
	['platform/backup-copies'],
	['platform/machine'],
	['platform/vocabulary'],
	// A package for other projects.
	['client'],
] as const;

/** The layers of the back office: from the page down to the client of the service. */
const backOfficeLayers = [
	// The server's side: makes and serves the files that a browser loads.
	['serving'],
	['main.tsx'],
	['main.css', 'screens.tsx'],
	['styles.ts', 'theme.ts'],
	['shell', 'me', 'openid'],
	['person', 'stores', 'history', 'overview', 'roles', 'permissions', 'employees'],
	['account'],
	['session', 'forms', 'page'],
	['api'],
] as const;

const root = join(import.meta.dir, '../src');

interface Import {
	from: string;
	to: string;
}

/** Returns every import of a source file or style sheet, including types. A page imported as text does not count. */
function importsIn(sources: ReadonlyMap<string, string>): Import[] {
	return Array.from(sources).flatMap(([file, text]) =>
		Array.from(text.matchAll(/\b(?:from|import)[ (](['"])(\.[^'"]+)\1/g), ([, , path]) => ({
			from: file,
			to: normalize(join(dirname(file), path as string)),
		})).filter(({ to }) => !to.startsWith('..') && !to.endsWith('.md')),
	);
}

/** The groups that `ls src` shows. Each of their folders is a layer. */
const groups = ['features', 'identity', 'platform'];

/** The folder of a file that has a layer, or the file itself at the top of the tree. */
function roomOf(file: string): string {
	const [top = '', folder = ''] = file.split('/');
	return groups.includes(top) ? `${top}/${folder}` : top;
}

/** The imports that run up or sideways, as `from → to`. */
function wrongImports(sources: ReadonlyMap<string, string>, order: readonly string[]): string[] {
	return importsIn(sources)
		.filter(({ from, to }) => roomOf(from) !== roomOf(to))
		.filter(({ from, to }) => order.indexOf(roomOf(from)) >= order.indexOf(roomOf(to)))
		.map(({ from, to }) => `${from} → ${to}`);
}

/** The source files below a folder by their path; `package.json` and embedded files belong to no layer. */
const sourcesIn = (folder: string) =>
	new Map(
		readdirSync(folder, { recursive: true, encoding: 'utf8' })
			.filter((file) => /\.(?:tsx?|css)$/.test(file) && !file.endsWith('.d.ts'))
			.map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
	);

const trees: [folder: string, sources: ReadonlyMap<string, string>, order: readonly string[]][] = [
	['src', sourcesIn(root), layers.flat()],
	['src/back-office', sourcesIn(join(root, 'back-office')), backOfficeLayers.flat()],
];

test('the shared part of files imports no kind of file', () => {
	const shared = Array.from(sourcesIn(root)).filter(([file]) => /^features\/files\/(formats\/)?[^/]+$/.test(file));
	const features = importsIn(new Map(shared)).filter(({ to }) =>
		/^features\/(files\/(?!formats).+\/|employees\/|stores\/|roles\/)/.test(to),
	);
	expect([shared.length > 5, features]).toEqual([true, []]);
});

describe.each(trees)('the architecture of %s', (_, sources, order) => {
	test('every folder and top-level file has a layer, and every layer a file', () => {
		expect(new Set(Array.from(sources.keys(), roomOf))).toEqual(new Set(order));
	});

	test('no import runs upward or in a circle, types included', () => {
		expect(wrongImports(sources, order)).toEqual([]);
		// With the order reversed, all imports are wrong and must be found.
		expect(wrongImports(sources, order.toReversed()).length).toBeGreaterThan(100);
	});
});

test('every file with tests sets their limit before its first hook, since `bun test` takes a default for the first file only', () => {
	const withTests = readdirSync(import.meta.dir, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => [file, readFileSync(join(import.meta.dir, file), 'utf8')] as const)
		.filter(([, text]) => /import \{[^}]*\btest\b[^}]*\} from 'bun:test'/.test(text));
	expect(withTests.length).toBeGreaterThan(50);
	const sets =
		/^(\t?(setDefaultTimeout\(hanging|removeFoldersAfterAll\()\);$|const .* = await (Service\.start|startWithOpenid|openScreens)\()/m;
	const limited = ([, text]: readonly [string, string]) => {
		const { index = text.length } = sets.exec(text) ?? {};
		return index < text.length && !/^\t?beforeAll\(/m.test(text.slice(0, index));
	};
	const without = withTests.filter((each) => !limited(each)).map(([file]) => file);
	expect(without, 'without `setDefaultTimeout(hanging)` a test, or a hook before it, has five seconds').toEqual([]);
});
