/** The settings file: variables for the server and every command, in the format of systemd's `EnvironmentFile=`. */
import { readFileSync } from 'node:fs';
import { OperationError } from '../vocabulary/errors.ts';
import { withExplanation } from './file-access.ts';

/**
 * Reads a settings file: `NAME=value` lines, `#` or `;` comments and empty lines. A value may be quoted.
 * @throws OperationError for a line that systemd would read differently, or a second line with the same name
 */
export function readSettingsFile(path: string): Record<string, string> {
	const text = withExplanation(path, () => readFileSync(path, 'utf8'));
	return parseSettings(text, path);
}

/** Parses the text of a settings file. @param path names the text in an error */
export function parseSettings(text: string, path: string): Record<string, string> {
	const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
	const found = new Map<string, string>();
	for (const [index, text] of lines.entries()) {
		if (/^\s*([#;].*)?$/.test(text)) continue;
		const place = `${path} line ${index + 1}`;
		const [name, value] = parseLine(text, place);
		if (found.has(name)) throw new OperationError(`${place} sets ${name} again: remove one`);
		found.set(name, value);
	}
	return Object.fromEntries(found);
}

function parseLine(line: string, place: string): [name: string, value: string] {
	const [, name, text] = /^\s*([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
	if (name === undefined || text === undefined) throw new OperationError(`${place} is not NAME=value`);
	const [, , quoted] = /^(["'])(.*)\1$/.exec(text) ?? [];
	const value = quoted ?? text;
	// systemd has other rules for these lines, so the server and a command would get different values.
	if (/\\/.test(text) || (quoted === undefined ? /^["']/.test(text) : value.includes(text.charAt(0)))) {
		throw new OperationError(`${place} has a backslash or an unmatched quote: a value may be enclosed in quotes`);
	}
	return [name, value];
}

/**
 * The text of a settings file. A comment names the secrets and the values that it cannot hold, for a person to give
 * again.
 */
export function formatSettings(given: {
	settings: Readonly<Record<string, string>>;
	secrets: readonly string[];
}): string {
	const lines = Object.entries(given.settings).map(([name, value]) => ({ name, line: formatLine(name, value) }));
	const missing = [...given.secrets, ...lines.flatMap(({ name, line }) => (line === undefined ? [name] : []))];
	const note = missing.length > 0 ? [`# Given on that machine and not copied: ${missing.join(', ')}`] : [];
	return [...note, ...lines.flatMap(({ line }) => line ?? []), ''].join('\n');
}

function formatLine(name: string, value: string): string | undefined {
	if (/[\\\r\n]/.test(value)) return undefined;
	if (!/^["'\s]|\s$/.test(value)) return `${name}=${value}`;
	const quote = ['"', "'"].find((each) => !value.includes(each));
	return quote && `${name}=${quote}${value}${quote}`;
}
