import type { Config } from '../machine/config.ts';
import type { Log } from '../machine/log.ts';
import type { Secrets } from '../machine/secrets.ts';

/** What a service is started with. */
export interface StartOptions {
	config: Config;
	log: Log;
	/** The user who runs the server. */
	user: string;
	/** How to run another command of this program. */
	program: readonly string[];
	/** Whether to start with a new database although the folder had one before. */
	startsNew: boolean;
	/** Receives the secrets that this start made, before anything else can fail. */
	onSecretsMade(made: Secrets): void;
	/** Receives what makes it impossible to go on. */
	onFatal(problem: string): void;
}
