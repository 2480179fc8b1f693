/** Files of an installation that a person may change, and that an upgrade replaces only while nobody did. */
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const mark = /^# Made by access install; a changed file is kept \(([0-9a-f]{16})\)\.\n/;

/** A text with a first line by which a change of the rest is seen. */
export function marked(text: string): string {
	return `# Made by access install; a changed file is kept (${digestOf(text)}).\n${text}`;
}

/** What is at a path: nothing, a text that `marked` made and nobody changed, or what a person wrote. */
export function stateOf(path: string): 'absent' | 'ours' | 'changed' {
	if (!existsSync(path)) return 'absent';
	const text = readFileSync(path, 'utf8');
	const [line, digest] = mark.exec(text) ?? [];
	return line !== undefined && digestOf(text.slice(line.length)) === digest ? 'ours' : 'changed';
}

/** Puts a file in the place of another one in one step. */
export function writeFile(path: string, text: string, mode: number): void {
	mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
	const incoming = `${path}.new`;
	rmSync(incoming, { force: true });
	writeFileSync(incoming, text, { flag: 'wx' });
	chmodSync(incoming, mode);
	renameSync(incoming, path);
}

function digestOf(text: string): string {
	return new Bun.CryptoHasher('sha256').update(text).digest('hex').slice(0, 16);
}
