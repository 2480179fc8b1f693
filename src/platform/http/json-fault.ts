/** Finds the fault in a text that is not JSON, because `JSON.parse` does not say where it is. */

const blanks = '[\\t\\n\\r ]*';
// Unrolled, so that a text without its closing quote takes one pass.
const plain = '[^"\\\\\\u0000-\\u001f]*';
const string = `"${plain}(?:\\\\(?:["\\\\/bfnrt]|u[\\da-fA-F]{4})${plain})*"`;
const number = '-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?';
const token = new RegExp(`${blanks}(?:([{}[\\]:,])|(${string})|(?:${number}|true|false|null))`, 'y');

/** The tokens that may stand in each place: brackets, `:`, `,`, `s` for a text, `v` for another value. */
const possible = {
	value: '{[sv',
	'first value': '{[sv]',
	name: 's',
	'first name': 's}',
	colon: ':',
	next: ',}]',
} as const;

type Place = keyof typeof possible;

/** The line and the column, both from 1, at which a text stops being JSON. */
export function findJsonFault(text: string): { line: number; column: number } {
	const lines = text.slice(0, wellFormedLength(text)).split('\n');
	return { line: lines.length, column: Array.from(lines.at(-1) ?? '').length + 1 };
}

function wellFormedLength(text: string): number {
	const open: string[] = [];
	let place: Place | undefined = 'value';
	let end = 0;
	for (;;) {
		token.lastIndex = end;
		const found = token.exec(text);
		place = found ? placeAfter(found[1] ?? (found[2] === undefined ? 'v' : 's'), place, open) : undefined;
		// The fault comes after the blanks.
		if (!found || !place) return end + (/^[\t\n\r ]*/.exec(text.slice(end))?.[0].length ?? 0);
		end = token.lastIndex;
	}
}

/** The place after a token; undefined for one that may not stand there. `open` are the brackets around it. */
function placeAfter(sign: string, place: Place, open: string[]): Place | undefined {
	if (!possible[place].includes(sign)) return undefined;
	if (sign === ':') return 'value';
	if (sign === ',') return { '{': 'name', '[': 'value' }[open.at(-1) ?? ''] as Place | undefined;
	if (sign === 's' && possible[place].startsWith('s')) return 'colon';
	if (sign === '{' || sign === '[') {
		open.push(sign);
		return sign === '{' ? 'first name' : 'first value';
	}
	const opening = { '}': '{', ']': '[' }[sign];
	return opening === undefined || open.pop() === opening ? 'next' : undefined;
}
