import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';

/**
 * Who runs this process, for the history: the user who became another one with sudo, else the user's name, else his
 * number, for a container may run it as a user without a name.
 */
export function nameOfUser(environment: Record<string, string | undefined>): string {
	return environment.SUDO_USER || nameInList(process.getuid?.()) || userInfo().username;
}

/** Without the variable USER, which a service need not have, Bun's `userInfo` knows no name. */
function nameInList(id: number | undefined): string | undefined {
	if (id === undefined) return undefined;
	try {
		const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
		const line = lines.map((each) => each.split(':')).find(([, , number]) => number === String(id));
		return line?.[0] || `user ${id}`;
	} catch {
		return undefined;
	}
}
