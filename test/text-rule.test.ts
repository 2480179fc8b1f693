/** The rule for texts, compared with a second implementation that works by character, from its own tables. */
import { describe, expect, setDefaultTimeout, spyOn, test } from 'bun:test';
import fc from 'fast-check';
import { clean, followsRule, patternOf, type TextRule } from '../src/platform/vocabulary/text-rule.ts';
import { hanging } from './hanging.ts';

setDefaultTimeout(hanging);

/** Ranges of code points, as `first-last` in hexadecimal. */
const within = (ranges: string) => {
	const pairs = ranges.split(' ').map((range) => range.split('-').map((end) => Number.parseInt(end, 16)));
	return (point: number) => pairs.some(([first = 0, last = first]) => point >= first && point <= last);
};
const isBlank = within('9-a d 20 a0 1680 2000-200a 2028-2029 202f 205f 3000 feff');
const isRefused = within('0-8 b-c e-1f 7f-9f 202a-202e 2066-2069 d800-dfff fffe-ffff');
const isLineBreak = within('9-a d 2028-2029');
/** Limited to the characters of the test. */
const isInvisible = within(
	'9-d 20 a0 ad 300-36f 591 1160 200b-200f 2028-2029 2060 20dd 2800 3000 3099 3164 fe0f feff ffa0 fff9 1d173 e0001',
);

/** The invisible characters that the test uses, except the joiner and the selector of an emoji. */
const isIgnorable = within('ad 1160 200b-200f 2060 3164 fe0f feff ffa0 fff9 1d173 e0001');
const isEmoji = within('a9 1f300-1faff');
function isHidden(points: readonly number[], index: number): boolean {
	const [before = 0, point = 0, after = 0] = [points[index - 1], points[index], points[index + 1]];
	if (point === 0xfe0f) return !isEmoji(before);
	return point === 0x200d ? !(isEmoji(before) && isEmoji(after)) : isIgnorable(point);
}

/** Whether a text is allowed, rule by rule. */
function isAllowed(text: string, rule: TextRule): boolean {
	const { maximum, mayBeBlank, mustBeVisible, isUnmistakable, mayHaveLines } = rule;
	const points = [...text].map((character) => character.codePointAt(0) ?? 0);
	if (points.some(isRefused)) return false;
	const first = points.findIndex((point) => !isBlank(point));
	const last = points.findLastIndex((point) => !isBlank(point));
	const inside = first < 0 ? [] : points.slice(first, last + 1);
	if (!mayHaveLines && inside.some(isLineBreak)) return false;
	if (inside.some((point, index) => point === 0xd && inside[index + 1] !== 0xa)) return false;
	if (!mayBeBlank && inside.length === 0) return false;
	if (mustBeVisible && inside.every(isInvisible)) return false;
	if (isUnmistakable && inside.some((_, index) => isHidden(inside, index))) return false;
	return [...String.fromCodePoint(...inside).normalize('NFC')].length <= maximum;
}

const rules: [name: string, rule: TextRule][] = [
	['a name', { maximum: 6, mustBeVisible: true }],
	['a name that others are told from', { maximum: 6, mustBeVisible: true, isUnmistakable: true }],
	['a keyword', { maximum: 6 }],
	['an optional line', { maximum: 6, mayBeBlank: true }],
	['optional lines', { maximum: 6, mayBeBlank: true, mayHaveLines: true }],
];

const unit = fc.constantFrom(
	...'aZ1王😀é。\ufb2c\u0958\u212b',
	...['e\u0301', '\u1112\u1161\u11ab', '👩\u200d👧'],
	...' \u00a0\u3000\ufeff\t\n\r\u2028\u2029\v\f\u0085\0\u001b\u007f\u009f\u202a\u202e\u2066\u2069',
	...'\u00ad\u0301\u0591\u1160\u200b\u200d\u2060\u20dd\u2800\u3099\u3164\ufe0f\uffa0\ufff9\ufffd\ufffe\uffff',
	...['\r\n', '\ud800', '\udfff', '\u{1d173}', '\u{e0001}'],
);
const plain = fc.constantFrom('a', '王', '😀', 'e\u0301', ' ', '\n', '\u0301', '\u200b');
const text = fc.oneof(fc.string({ unit, maxLength: 9 }), fc.string({ unit: plain, maxLength: 9 }));

describe('texts', () => {
	test.each(rules)('%s: a text is allowed exactly if a second reading allows it', (_, rule) => {
		const counts = { allowed: 0, refused: 0 };
		const agrees = (sent: string) => {
			const allowed = isAllowed(sent, rule);
			counts[allowed ? 'allowed' : 'refused'] += 1;
			expect([JSON.stringify(sent), followsRule(sent, rule)]).toEqual([JSON.stringify(sent), allowed]);
		};
		fc.assert(fc.property(text, agrees), { numRuns: 5000, seed: 41 });
		expect(Math.min(counts.allowed, counts.refused)).toBeGreaterThan(500);
	});

	test.each(rules)('%s: whatever is allowed matches the published pattern', (_, rule) => {
		const pattern = new RegExp(patternOf(rule));
		const matches = (sent: string) => {
			if (followsRule(sent, rule))
				expect([JSON.stringify(sent), pattern.test(sent)]).toEqual([JSON.stringify(sent), true]);
		};
		fc.assert(fc.property(text, matches), { numRuns: 5000, seed: 43 });
	});

	test('a stored text follows the rule again, and cleaning it changes nothing', () => {
		const rule: TextRule = { maximum: 6, mustBeVisible: true };
		const stays = (sent: string) => {
			fc.pre(followsRule(sent, rule));
			const stored = clean(sent);
			const kept = [clean(stored) === stored, followsRule(stored, rule)];
			expect([JSON.stringify(sent), ...kept]).toEqual([JSON.stringify(sent), true, true]);
		};
		fc.assert(fc.property(text, stays), { numRuns: 2000, seed: 47 });
	});

	test('a body full of combining marks is refused before it is composed, which takes seconds', () => {
		const marks = `a${'\u0301\u0323'.repeat(250_000)}`;
		using compose = spyOn(String.prototype, 'normalize').mockReturnValue('');
		for (const [, rule] of rules) expect(followsRule(marks, { ...rule, maximum: 500 })).toBe(false);
		expect(compose).not.toHaveBeenCalled();
	});
});
