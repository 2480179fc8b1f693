/**
 * The readings of Chinese characters, without tones and with v for ü. The text beside this file has the usual reading
 * of each character. Behind a blank line it has the readings of surnames that differ. Both are from pinyin-pro 3.29.4.
 */
import text from './pinyin.txt' with { type: 'text' };
import { fold } from './text-rule.ts';

type Readings = ReadonlyMap<string, string>;

let known: readonly [usual: Readings, surnames: Readings] | undefined;

/** The usual readings and the readings of surnames. The first call makes them, in some 30 milliseconds. */
export function loadReadings() {
	if (known) return known;
	const [usual, surnames] = text.split('\n\n');
	known = [parseReadings(usual), parseReadings(surnames)];
	return known;
}

function parseReadings(lines = ''): Readings {
	const readings = new Map<string, string>();
	for (const line of lines.split('\n')) {
		const [reading = '', characters = ''] = line.split(' ');
		for (const character of characters) readings.set(character, reading);
	}
	return readings;
}

/** The usual reading of each character of a text that has one. */
export function findReadings(text: string): Readings {
	const [usual] = loadReadings();
	const found = new Map<string, string>();
	for (const character of text) {
		const reading = usual.get(character);
		if (reading !== undefined) found.set(character, reading);
	}
	return found;
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
