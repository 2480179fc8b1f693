/** The settings file: variables for the server and every command, in the format of systemd's `EnvironmentFile=`. */

/**
 * Parses the text of a settings file: `NAME=value` lines, `#` or `;` comments and empty lines. A value may be quoted.
 * A line that systemd would read differently is a problem, and so is a second line with the same name.
 * @param path names the text in a problem
 */
export function parseSettings(text: string, path: string) {
	const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
	const found = new Map<string, string>();
	const problems: string[] = [];
	for (const [index, line] of lines.entries()) {
		if (/^\s*([#;].*)?$/.test(line)) continue;
		const { name = '', value = '', fault } = parseLine(line);
		const problem = fault ?? (found.has(name) ? `sets ${name} again: remove one` : undefined);
		if (problem === undefined) found.set(name, value);
		else problems.push(`${path} line ${index + 1} ${problem}`);
	}
	return { settings: Object.fromEntries(found), problems };
}

function parseLine(line: string): { name?: string; value?: string; fault?: string } {
	const [, name, text] = /^\s*([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
	if (name === undefined || text === undefined) return { fault: 'is not NAME=value' };
	const [, , quoted] = /^(["'])(.*)\1$/.exec(text) ?? [];
	const value = quoted ?? text;
	// systemd has other rules for these lines, so the server and a command would get different values.
	if (/\\/.test(text) || (quoted === undefined ? /^["']/.test(text) : value.includes(text.charAt(0)))) {
		return { fault: 'has a backslash or an unmatched quote: a value may be enclosed in quotes' };
	}
	return { name, value };
}

/** Values as text, and the names of the secrets that are given besides them. */
export interface GivenSettings {
	settings: Readonly<Record<string, string>>;
	secrets: readonly string[];
}

/**
 * The text of a settings file. A comment names the secrets and the values that it cannot hold, so that a person can enter
 * them again.
 */
export function formatSettings({ settings, secrets }: GivenSettings): string {
	const lines = Object.entries(settings).map(([name, value]) => ({ name, line: formatLine(name, value) }));
	const missing = [...secrets, ...lines.flatMap(({ name, line }) => (line === undefined ? [name] : []))];
	const note = missing.length > 0 ? [`# Given on that machine and not copied: ${missing.join(', ')}`] : [];
	return [...note, ...lines.flatMap(({ line }) => line ?? []), ''].join('\n');
}

/** The line of a setting, quoted if needed. Undefined for a value that no line can hold. */
export function formatLine(name: string, value: string): string | undefined {
	if (/[\\\r\n]/.test(value)) return undefined;
	if (!/^["'\s]|\s$/.test(value)) return `${name}=${value}`;
	const quote = ['"', "'"].find((each) => !value.includes(each));
	return quote && `${name}=${quote}${value}${quote}`;
}
