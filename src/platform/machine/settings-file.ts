/** The settings file: variables for the server and for every command, in the form that systemd's `EnvironmentFile=` reads. */
import { readFileSync } from 'node:fs';
import { OperationError } from '../vocabulary/errors.ts';
import { withExplanation } from './file-access.ts';

/**
 * The variables in a settings file: `NAME=value` lines, `#` or `;` comments and empty lines; a value may be quoted.
 * @throws OperationError for a line that systemd would read in another way, or a name that an earlier line gives
 */
export function readSettingsFile(path: string): Record<string, string> {
	return settingsIn(
		withExplanation(path, () => readFileSync(path, 'utf8')),
		path,
	);
}

/** The same of a text. @param path what an error calls it */
export function settingsIn(text: string, path: string): Record<string, string> {
	const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
	const found = new Map<string, string>();
	for (const [index, text] of lines.entries()) {
		if (/^\s*([#;].*)?$/.test(text)) continue;
		const place = `${path} line ${index + 1}`;
		const [name, value] = settingOf(text, place);
		if (found.has(name)) throw new OperationError(`${place} sets ${name} again: remove one`);
		found.set(name, value);
	}
	return Object.fromEntries(found);
}

function settingOf(line: string, place: string): [name: string, value: string] {
	const [, name, text] = /^\s*([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
	if (name === undefined || text === undefined) throw new OperationError(`${place} is not NAME=value`);
	const [, , quoted] = /^(["'])(.*)\1$/.exec(text) ?? [];
	const value = quoted ?? text;
	// systemd has rules of its own for these. Reading them differently would give the server and a command different values.
	if (/\\/.test(text) || (quoted === undefined ? /^["']/.test(text) : value.includes(text.charAt(0)))) {
		throw new OperationError(`${place} has a backslash or an unmatched quote: a value may be enclosed in quotes`);
	}
	return [name, value];
}

/** What a settings file of these values says. Secrets, and what such a file cannot hold, are named: a person gives them again. */
export function settingsText(given: {
	settings: Readonly<Record<string, string>>;
	secrets: readonly string[];
}): string {
	const lines = Object.entries(given.settings).map(([name, value]) => ({ name, line: lineOf(name, value) }));
	const missing = [...given.secrets, ...lines.flatMap(({ name, line }) => (line === undefined ? [name] : []))];
	const note = missing.length > 0 ? [`# Given on that machine and not copied: ${missing.join(', ')}`] : [];
	return [...note, ...lines.flatMap(({ line }) => line ?? []), ''].join('\n');
}

function lineOf(name: string, value: string): string | undefined {
	if (/[\\\r\n]/.test(value)) return undefined;
	if (!/^["'\s]|\s$/.test(value)) return `${name}=${value}`;
	const quote = ['"', "'"].find((each) => !value.includes(each));
	return quote && `${name}=${quote}${value}${quote}`;
}
