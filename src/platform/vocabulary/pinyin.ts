/**
 * The readings of Chinese characters, without tones and with v for ü. The text beside this file has the usual reading
 * of each character. Behind a blank line it has the readings of surnames that differ. Both are from pinyin-pro 3.29.4.
 */
import text from './pinyin.txt' with { type: 'text' };
import { fold } from './text-rule.ts';

type Readings = ReadonlyMap<string, string>;

let known: readonly Readings[] | undefined;

/** The usual readings and the readings of surnames. The first call makes them, in some 30 milliseconds. */
export function loadReadings(): readonly [usual: Readings, surnames: Readings] {
	known ??= text.split('\n\n').map(
		(lines) =>
			new Map(
				lines.split('\n').flatMap((line) => {
					const [reading = '', characters = ''] = line.split(' ');
					return Array.from(characters, (character): [string, string] => [character, reading]);
				}),
			),
	);
	const [usual = new Map(), surnames = new Map()] = known;
	return [usual, surnames];
}

/** The usual reading of each character of a text that has one. */
export function findReadings(text: string): Readings {
	const [usual] = loadReadings();
	return new Map(
		Array.from(new Set(text)).flatMap((character): [string, string][] => {
			const reading = usual.get(character);
			return reading === undefined ? [] : [[character, reading]];
		}),
	);
}

/**
 * The spellings that people type for a name: its pinyin and its initials, from each of its characters on, each behind a
 * blank. A surname with a reading of its own has both readings.
 */
export function spellName(name: string): string {
	const [usual, surnames] = loadReadings();
	const characters = Array.from(fold(name));
	const syllables = characters.map((each) => usual.get(each) ?? each).filter((each) => /^[a-z0-9]/.test(each));
	const surname = surnames.get(characters[0] ?? '');
	const parts = syllables.map((_, start) => syllables.slice(start));
	if (surname !== undefined) parts.push([surname, ...syllables.slice(1)]);
	const starts = parts.flatMap((part) => [part.join(''), part.map(([initial]) => initial).join('')]);
	return Array.from(new Set(starts), (start) => ` ${start}`).join('');
}
