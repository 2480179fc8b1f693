/** The pages and comments: references lead somewhere, and one word stands for one thing. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hanging } from './hanging.ts';
import { root } from './program.ts';

setDefaultTimeout(hanging);

const files = Bun.spawnSync(['git', 'ls-files', '--cached', '--others', '--exclude-standard', 'src', 'test', '*.md'], {
	cwd: root,
})
	.stdout.toString()
	.split('\n')
	.filter((file) => /\.(?:tsx?|md)$/.test(file) && existsSync(join(root, file)))
	// This file names the forbidden words.
	.filter((file) => file !== 'test/prose.test.ts');

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const isPage = (file: string) => file.endsWith('.md');

/** Text without comment marks and line breaks, so that a sentence is found across lines. */
const flowing = (text: string) => text.replaceAll(/\n[ \t]*(?:\*(?!\/)|\/\/)?[ \t]*/g, ' ');

function headingsOf(page: string): Set<string> {
	const text = read(page).replaceAll(/^```[\s\S]*?^```/gm, '');
	return new Set(Array.from(text.matchAll(/^#+ +(.+?) *#*$/gm), ([, heading = '']) => heading.replaceAll('`', '')));
}

describe('references', () => {
	const anchorOf = (heading: string) =>
		heading
			.toLowerCase()
			.replaceAll(/[^\w -]/g, '')
			.replaceAll(' ', '-');

	test('every link from page to page leads to a file, and to one of its headings', () => {
		const broken = files.filter(isPage).flatMap((file) =>
			Array.from(read(file).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g), ([link, path = '', anchor]) => {
				const target = path === '' ? file : join(dirname(file), path);
				if (!existsSync(join(root, target))) return [`${file}: ${link}`];
				const isThere = anchor === undefined || Array.from(headingsOf(target), anchorOf).includes(anchor);
				return isThere ? [] : [`${file}: ${link}`];
			}).flat(),
		);
		expect(broken).toEqual([]);
	});

	/** Documents, sections and row codes that are not in the repository. */
	const outside = [
		/\bdecisions,/i,
		/\bspecification, section/i,
		/\(sections? \d/i,
		/\b(?:reliability|engineering|review|decisions|specification)\.md\b/i,
		/\.\.\/shared\b/,
		/\((?:[ADRS]\d{1,2})(?:(?:,| and)? [ADRS]\d{1,2})*\)/,
	];
	test('nothing refers to a document outside the repository', () => {
		const found = files.flatMap((file) =>
			outside.flatMap((pattern) => {
				const [citation] = pattern.exec(flowing(read(file))) ?? [];
				return citation === undefined ? [] : [`${file}: ${citation}`];
			}),
		);
		expect(found).toEqual([]);
	});
});

test('disabled is 禁用 in every text; only an import also understands 停用', () => {
	const understands = new Set(['src/features/files/cells.ts', 'test/import.test.ts']);
	const found = files.filter((file) => !isPage(file) && !understands.has(file) && read(file).includes('停用'));
	expect(found).toEqual([]);
});
