/** The pages are short enough to read and complete where they list things. The tour of the README works. */
import { expect, test } from 'bun:test';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import packageJson, { version } from '../package.json';
import { describeVariables, secretNames } from '../src/platform/machine/config.ts';
import { campaigns } from './campaigns/all.ts';
import { removeFoldersAfterAll, serveHere } from './installation.ts';
import { newFolder, root } from './program.ts';
import { runHere } from './run-here.ts';
import { noteUntested } from './untested.ts';

removeFoldersAfterAll();

const read = (page: string) => readFileSync(join(root, page), 'utf8');
const readme = read('README.md');

function sectionOf(page: string, heading: string): string {
	return (
		read(page)
			.split(/^## /m)
			.find((part) => part.startsWith(heading)) ?? ''
	);
}

/** The shell blocks of a section, one after the other. */
function scriptOf(heading: string): string {
	const section = sectionOf('README.md', heading);
	return Array.from(section.matchAll(/```sh\n(.*?)```/gs), ([, block]) => block).join('\n');
}

test.each([
	['README.md', 120],
	['src/back-office/README.md', 70],
	['src/docs/contributing.md', 160],
	['test/bench/README.md', 60],
] as const)('%s has at most %d lines', (page, limit) => {
	expect(read(page).trimEnd().split('\n').length).toBeLessThanOrEqual(limit);
});

const listed = Bun.spawnSync(['git', 'ls-files', '--cached', '--others', '--exclude-standard', '*.md'], { cwd: root });
const pages = listed.stdout
	.toString()
	.split('\n')
	.filter((page) => page !== '' && existsSync(join(root, page)));

test('all pages together have at most 20,000 words', () => {
	expect(pages.length).toBeGreaterThan(20);
	expect(pages.flatMap((page) => read(page).match(/\S+/g) ?? []).length).toBeLessThanOrEqual(20_000);
});

test('the README shows two pictures, each of at most 80 kB', () => {
	const pictures = Array.from(readme.matchAll(/<img alt="[^"]+" src="([^"]+)"/g), ([, path = '']) => path);
	expect(pictures.length).toBe(2);
	expect(pictures.filter((path) => statSync(join(root, path)).size > 80_000)).toEqual([]);
});

test('every command of the figures exists', () => {
	const section = sectionOf('src/docs/security.md', 'Claims and figures');
	const commands = Array.from(section.matchAll(/, `([a-z:]+)(?: ([a-z-]+))?`\)\.$/gm), ([, script = '', option]) => ({
		script,
		option,
	}));
	const bench = read('test/bench/run.ts');
	const exists = ({ script, option }: (typeof commands)[number]) =>
		script in packageJson.scripts &&
		(option === undefined ||
			(script === 'bench' ? bench.includes(`'${option}'`) : campaigns.some(({ name }) => name === option)));
	expect(commands.length).toBeGreaterThan(5);
	expect(commands.filter((command) => !exists(command))).toEqual([]);
});

test('the changelog has a section for every version from 1.0.0 on that package.json had, newest first', () => {
	const sections = read('src/docs/changelog.md').split(/^## /m).slice(1);
	const described = sections.map((section) => section.split('\n')[0] ?? '');
	// A shallow clone has at least the present version.
	const changes = ['log', '--format=', '--patch', '-G"version":', '--', 'package.json'];
	const { stdout } = Bun.spawnSync(['git', ...changes], { cwd: root });
	const earlier = Array.from(stdout.toString().matchAll(/^\+\t"version": "(.+)"/gm), ([, earlier = '']) => earlier);
	const released = [version, ...earlier].filter((each) => Bun.semver.order(each, '1.0.0') >= 0);
	expect(released.filter((each) => !described.includes(each))).toEqual([]);
	expect(described).toEqual(described.toSorted(Bun.semver.order).toReversed());
	for (const part of ['\nUpgrade: ', '\nBreaking: ']) {
		expect(sections.filter((section) => !section.includes(part))).toEqual([]);
	}
});

const operators = ['src/docs/operating.md', 'src/docs/settings.md'].map(read).join('\n');

/** The default of each variable, as the help shows it. */
const defaults = Object.fromEntries(
	Array.from(describeVariables().matchAll(/^ {2}([A-Z\d_]+) .*\((.*)\)$/gm), ([, name = '', value]) => [name, value]),
);

test('the page of the settings names every variable of the configuration with its default, and no other', () => {
	const settings = read('src/docs/settings.md');
	expect(Object.keys(defaults).length).toBeGreaterThan(15);
	const missing = Object.keys(defaults).filter((name) => !settings.includes(`\`${name}\``));
	expect(missing, 'a new variable needs a line in settings.md').toEqual([]);
	const known = ['NAME', 'SETTINGS_FILE', ...Object.keys(defaults), ...secretNames.map((name) => `${name}_FILE`)];
	const named = Array.from(operators.matchAll(/`([A-Z][A-Z\d_]+)[=`]/g), ([, name = '']) => name);
	expect(named.filter((name) => !known.includes(name))).toEqual([]);
	const pairs = settings.matchAll(/`([A-Z\d_]+)` \(`([^`]+)`[;)]/g);
	const shown = Array.from(pairs, ([, name = '', value]) => [name, value]);
	expect(shown.length).toBeGreaterThan(10);
	expect(shown).toEqual(shown.map(([name = '']) => [name, defaults[name]]));
});

/** The options of each command of the program, by words such as `admin add`, from their help. */
async function optionsOfCommands(above: string[] = []): Promise<Map<string, string[]>> {
	const { stdout } = await runHere([...above, '--help']);
	const [, list = ''] = /^Commands:\n(.*?)\n\n/ms.exec(stdout) ?? [];
	const all = Array.from(list.matchAll(/^ {2}([a-z-]+)/gm), ([, name = '']) => name);
	const names = all.filter((name) => name !== 'help');
	const options = Array.from(stdout.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm), ([, name = '']) => name);
	const below = await Promise.all(names.map((name) => optionsOfCommands([...above, name])));
	return new Map([[above.join(' '), options], ...below.flatMap((each) => [...each])]);
}

test('the pages for operators name every command and option of the program, and all pages name no other', async () => {
	const commands = await optionsOfCommands();
	const groups = ['', 'admin', 'openid', 'history', 'report'];
	const isUnnamed = (name: string) => !groups.includes(name) && !operators.includes(`access ${name}`);
	const unnamed = [...commands.keys()].filter(isUnnamed);
	expect(unnamed, 'a new command is named in operating.md').toEqual([]);
	const isSetting = (option: string) => option.slice(2).replaceAll('-', '_').toUpperCase() in defaults;
	const options = new Set([...commands.values()].flat());
	const common = ['--help', '--version'];
	const inPagesOf = (each: string) => common.includes(each) || isSetting(each) || operators.includes(each);
	expect([...options].filter((each) => !inPagesOf(each))).toEqual([]);
	// A command stands at the beginning of a span or of a line, or behind a command of the shell.
	const inPages = /(?:^|`|sudo (?:-E )?|&& )(?:\.\/)?(?:old-)?access ((?:-|[a-z]).*?)(?:`|$| &&)/gm;
	const lines = pages.flatMap((page) => Array.from(read(page).matchAll(inPages), ([, line = '']) => line));
	expect(lines.length).toBeGreaterThan(30);
	const isUnknown = (line: string) => {
		const words = line.split(' ');
		const prefixes = [2, 1].map((count) => words.slice(0, count).join(' '));
		const command = prefixes.find((name) => commands.has(name)) ?? '';
		const given = words.filter((word) => word.startsWith('--'));
		const isGroup = groups.includes(command) && words[0] !== given[0];
		return isGroup || given.some((option) => !commands.get(command)?.includes(option));
	};
	expect(lines.filter(isUnknown)).toEqual([]);
});

test('the list of dependencies names every package of package.json and no other', () => {
	const rows = sectionOf('src/docs/contributing.md', 'Dependencies').matchAll(/^- (`[^:]+`): /gm);
	const listed = Array.from(rows, ([, names = '']) => names.replaceAll('`', '').split(', ')).flat();
	const { dependencies, devDependencies } = packageJson;
	expect(listed.toSorted()).toEqual(Object.keys({ ...dependencies, ...devDependencies }).toSorted());
});

test('the page of the campaigns names every campaign and no other', () => {
	const claims = sectionOf('test/campaigns/README.md', 'The claims');
	const named = Array.from(claims.matchAll(/^- `([a-z-]+)`/gm), ([, name]) => name);
	expect(named.toSorted()).toEqual(campaigns.map(({ name }) => name).toSorted());
});

/** Interactive shells, which parse pasted text by other rules than a script. */
const shells: [name: string, ...options: string[]][] = [
	['bash', '--norc', '-i'],
	['zsh', '-f', '-i'],
];

test.each(shells)('the tour of the README works when it is pasted into %s', async (name, ...options) => {
	const shell = Bun.which(name);
	if (shell === null) {
		noteUntested(`the tour of the README in ${name}`, `there is no ${name}`);
		return;
	}
	const cwd = newFolder();
	await using program = await serveHere({ DATA_DIR: join(cwd, 'data') });
	const port = new URL(program.url).port;
	const script = scriptOf('Five minutes').replaceAll('localhost:3000', `127.0.0.1:${port}`);
	const running = Bun.spawn([shell, ...options, '-s'], {
		cwd,
		env: { PATH: process.env.PATH ?? '', HOME: cwd, LANG: 'C.UTF-8' },
		stdin: new Blob([script]),
		stdout: 'pipe',
		stderr: 'pipe',
	});
	const [output, errors] = await Promise.all([running.stdout.text(), running.stderr.text()]);
	const answers = output
		.split('\n')
		.filter((line) => line.startsWith('{'))
		.map((line) => JSON.parse(line));
	const said = answers.map(({ data, error }) => error?.message ?? data);
	expect(said, errors).toEqual([
		expect.objectContaining({ accountType: 'SUPER_ADMIN', permissions: ['*'] }),
		expect.objectContaining({ id: 1, name: '人民路店' }),
		expect.objectContaining({ id: 6, code: 'area_manager', isSystem: false }),
		expect.objectContaining({ permissions: ['store:view', 'employee:view:all', 'employee:manage'] }),
		expect.objectContaining({ id: 1, roles: [expect.objectContaining({ code: 'area_manager' })] }),
		expect.objectContaining({ id: 2, roles: [expect.objectContaining({ code: 'cashier' })] }),
		'当前账号没有后台登录权限',
		expect.objectContaining({ items: [expect.objectContaining({ name: '李伟' })] }),
		expect.objectContaining({ id: 2, status: 'INACTIVE' }),
		'账号已被禁用',
	]);
});
