/** What a command needs of the process that runs it, as arguments, so that nothing below `main.ts` touches globals. */
export interface ProcessContext {
	/** The environment variables. */
	environment: Readonly<Record<string, string | undefined>>;
	/** Writes results to standard output; resolves when the text is written, or when nobody reads it any more. */
	write(text: string): Promise<void>;
	/** Whether standard output is a terminal, which a person reads. */
	isTerminal: boolean;
	/** Writes one line about the work to standard error. */
	report(line: string): void;
	/** The name of the user who runs the command. */
	user: string;
	/** The id of that user; undefined where users have none. */
	userId: number | undefined;
	/** The operating system, such as `linux`. */
	platform: string;
	/** Asks at the terminal; an empty answer, or none, stands for the default. */
	ask(question: string, byDefault: string): string;
	/** Everything on standard input, as a text. */
	readInput(): Promise<string>;
	/** The same as bytes. */
	readBytes(): Promise<Uint8Array>;
	/** How to run another command of this program. */
	program: readonly string[];
	/** Calls back on SIGINT or SIGTERM, and on SIGHUP unless it is ignored. */
	onStop(stop: () => void): void;
	/** Calls back on an error that nothing caught. */
	onUnforeseen(fail: (error: unknown) => void): void;
}
