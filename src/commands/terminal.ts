import type { LineSink } from '../log.ts';

/** What a command works with besides its options: the process, as arguments. */
export interface Terminal {
	/** The environment variables. */
	environment: Readonly<Record<string, string | undefined>>;
	/** For results. */
	stdout: LineSink & { isTTY?: boolean };
	/** For messages about the work. */
	stderr: LineSink;
	/** Writes results of any length: resolves when there is room for more. */
	writeOut(text: string): Promise<void>;
	/** Who runs the command. */
	user: string;
	/** Everything on standard input. */
	readInput(): Promise<string>;
	/** How to run another command of this program. */
	program: readonly string[];
	/** Calls back on SIGINT or SIGTERM, once. */
	onStop(stop: () => void): void;
	/** Calls back when something failed that nobody foresaw. */
	onUnforeseen(fail: (error: unknown) => void): void;
}
