/** The settings file: variables for the server and for every command, in the form that systemd's `EnvironmentFile=` reads. */
import { readFileSync } from 'node:fs';

/** One line of the file that cannot be used. */
export class SettingsError extends Error {}

/**
 * The variables in a settings file: `NAME=value` lines, `#` or `;` comments and empty lines. A value may be enclosed in
 * single or double quotes. A later line wins over an earlier one.
 * @throws SettingsError for a line that systemd would read in another way, naming the file and the line; an error of
 * the operating system when the file cannot be read.
 */
export function readSettingsFile(path: string): Record<string, string> {
	const lines = readFileSync(path, 'utf8')
		.replace(/^\uFEFF/, '')
		.split(/\r?\n/);
	return Object.fromEntries(
		lines.flatMap((line, index) => (/^\s*([#;].*)?$/.test(line) ? [] : [settingOf(line, `${path} line ${index + 1}`)])),
	);
}

function settingOf(line: string, place: string): [name: string, value: string] {
	const [, name, text] = /^\s*([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
	if (name === undefined || text === undefined) throw new SettingsError(`${place} is not NAME=value`);
	const [, , quoted] = /^(["'])(.*)\1$/.exec(text) ?? [];
	const value = quoted ?? text;
	// systemd has rules of its own for these. Reading them differently would give the server and a command different values.
	if (/\\/.test(text) || (quoted === undefined ? /^["']/.test(text) : value.includes(text.charAt(0)))) {
		throw new SettingsError(
			`${place} has a backslash or an unmatched quote: a value may be enclosed in quotes, no more`,
		);
	}
	return [name, value];
}
