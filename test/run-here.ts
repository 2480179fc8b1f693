/** Commands of the program in the test process. */
import { spyOn } from 'bun:test';
import type { ProcessContext } from '../src/commands/process.ts';
import { runCommandLine } from '../src/commands/run.ts';
import { type Config, readConfig } from '../src/platform/machine/config.ts';
import { getOperator } from '../src/platform/machine/user-name.ts';
import { baseEnvironment, type Ended, fromSource } from './program.ts';

const { hash } = Bun.password;

/**
 * Runs a command line in this process, which is faster than a new process. The test does nothing else meanwhile. Use
 * `spawn`, `runToEnd` or `accessBinary` for a command that is killed, timed, run beside others or as another user. `run`
 * is the command line of another version.
 */
export async function runHere(
	args: string[],
	environment: Record<string, string> = {},
	input = '',
	more: Partial<ProcessContext> = {},
	run = runCommandLine,
): Promise<Ended> {
	const ended = { code: 0, stdout: '', stderr: '' };
	// A start that should fail, but does not, ends at once.
	const onStop: ProcessContext['onStop'] = (stop) => void (args[0] === 'restore' || stop());
	const context = contextHere(ended, environment, input, { onStop, ...more });
	const leave = enterProgram();
	try {
		ended.code = await run(context, args);
		return ended;
	} finally {
		leave();
	}
}

/** Runs `access copy-backup`, as a server with these settings does. */
export function copyHere(settings: Record<string, string>, given?: Config['given']): Promise<Ended> {
	const config = readConfig({ ...baseEnvironment, ...settings });
	return runHere(['copy-backup'], {}, JSON.stringify({ ...config, ...(given && { given }) }));
}

/** The context of a command in this process. Its output is in `ended`. */
export function contextHere(
	ended: Ended,
	environment: Record<string, string> = {},
	input = '',
	more: Partial<ProcessContext> = {},
): ProcessContext {
	return {
		environment: { ...baseEnvironment, ...environment },
		async write(text) {
			ended.stdout += text;
		},
		isTerminal: false,
		report(line) {
			ended.stderr += `${line}\n`;
		},
		user: getOperator(environment),
		userId: process.getuid?.(),
		ask: (_question, byDefault) => input || byDefault,
		input: new Blob([input]),
		program: fromSource,
		onStop() {},
		onUnforeseen() {},
		...more,
	};
}

/** The number of commands in this process. The first one changes the process, the last one restores it. */
let running = 0;
let leaveLast = () => {};

/** Makes files private, as the program does, and hashes cheap. Other tests cover the cost of sign-ins. */
function enterProgram(): () => void {
	running += 1;
	if (running === 1) {
		const mask = process.umask(0o077);
		const cheap = { algorithm: 'argon2id', memoryCost: 8, timeCost: 2 } as const;
		const hashing = spyOn(Bun.password, 'hash').mockImplementation((password) => hash(password, cheap));
		leaveLast = () => {
			hashing.mockRestore();
			process.umask(mask);
		};
	}
	return () => {
		running -= 1;
		if (running === 0) leaveLast();
	};
}
