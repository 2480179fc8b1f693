/** The users and groups of this machine. */
import { readFileSync } from 'node:fs';
import { orUndefined } from '../vocabulary/errors.ts';

/** The operator, for the history: the user who called sudo, else the user of the process. */
export function getOperator(environment: Readonly<Record<string, string | undefined>>): string {
	return environment.SUDO_USER || userName(process.getuid?.());
}

/** The name of a user id, or `user 1234`: a container may run a process as a user without a name. */
export function userName(id: number | undefined): string {
	if (id === undefined) return 'unknown';
	const [name = `user ${id}`] = findUser(id);
	return name;
}

/** The id of a user (`passwd`) or group of the system below a root folder. Undefined if there is none. */
export function findId(root: string, kind: 'passwd' | 'group', name: string): number | undefined {
	const [, , id] = readEntries(`${root}/etc/${kind}`).find(([each]) => each === name) ?? [];
	return id === undefined ? undefined : Number(id);
}

/** The groups of a user of this machine, their own first. None for an id without a name. */
export function groupsOf(id: number): number[] {
	const [name, , , own] = findUser(id);
	if (name === undefined) return [];
	const others = readEntries('/etc/group').filter(([, , , members = '']) => members.split(',').includes(name));
	return [own, ...others.map(([, , group]) => group)].map(Number);
}

const findUser = (id: number) => readEntries('/etc/passwd').find(([, , each]) => Number(each) === id) ?? [];

/** Reads users or groups ourselves, because Bun's `userInfo` only repeats the variable USER, which a service may lack. */
function readEntries(path: string): string[][] {
	const lines = orUndefined(() => readFileSync(path, 'utf8'))?.split('\n') ?? [];
	return lines.map((line) => line.split(':'));
}
