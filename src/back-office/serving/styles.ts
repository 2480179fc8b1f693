/**
 * Ant Design's style sheet without the components that the screens do not use: Ant Design would otherwise write its
 * styles at run time, which a strict content security policy forbids.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** The class that carries Ant Design's variables; the screens give it as `cssVar.key`. */
const variablesClass = 'ant-design-variables';

/** Components that no screen uses, by the name in their classes. A screen that begins to use one removes it here. */
export const unusedComponents = (
	'affix anchor avatar badge border-beam breadcrumb carousel cascader collapse color-picker divider float-btn ' +
	'image input-number list listy masonry mentions notification otp picker popconfirm popover qrcode rate ribbon ' +
	'segmented slider space splitter steps switch table tabs timeline tour transfer tree tree-select ' +
	'typography upload watermark'
).split(' ');

/** Ant Design's colours that are too faint on their background (WCAG 2.2 asks for 4.5 to 1), and darker ones of its palette. */
const darkerColors: [faint: RegExp, dark: string][] = [
	[/#1677ff/gi, '#0958d9'],
	[/#4096ff/gi, '#003eb3'],
	[/#52c41a/gi, '#237804'],
	[/#faad14/gi, '#874d00'],
	[/#ff4d4f/gi, '#cf1322'],
	[/#ff7875/gi, '#a8071a'],
	[/rgba\(0,0,0,0\.45\)/g, 'rgba(0,0,0,0.62)'],
	[/(?<=--ant-color-text-placeholder:)rgba\(0,0,0,0\.25\)/g, 'rgba(0,0,0,0.56)'],
];

/** The style sheet, without line breaks between rules. */
export function usedStyles(): string {
	const path = createRequire(import.meta.url).resolve('antd/dist/antd.css');
	const rules = splitRules(readFileSync(path, 'utf8'));
	// The sheet holds variables for each theme that it was made with; those of the last one are complete.
	const classes = rules.flatMap((rule) => /^\.css-var-[\w-]+/.exec(rule) ?? []);
	const others = new Set(classes).difference(new Set([classes.at(-1)]));
	const sheet = rules
		.filter((rule) => !others.has(/^\.css-var-[\w-]+/.exec(rule)?.[0] ?? '') && !isUnused(rule))
		.map((rule) => rule.replaceAll(/\.css-var-[\w-]+/g, `.${variablesClass}`))
		.join('');
	return darkerColors.reduce((text, [faint, dark]) => text.replace(faint, dark), sheet);
}

const unused = new RegExp(`^\\.ant-(?:${unusedComponents.join('|')})(?![a-z])`);

function isUnused(rule: string): boolean {
	const selectors = rule.slice(0, rule.indexOf('{')).split(',');
	return selectors.every((selector) => unused.test(selector.trim()));
}

/** The rules at the top of a style sheet, each with its braces. */
function splitRules(sheet: string): string[] {
	const rules: string[] = [];
	let depth = 0;
	let start = 0;
	for (const { 0: brace, index } of sheet.matchAll(/[{}]/g)) {
		depth += brace === '{' ? 1 : -1;
		if (depth > 0) continue;
		rules.push(sheet.slice(start, index + 1));
		start = index + 1;
	}
	return rules;
}
