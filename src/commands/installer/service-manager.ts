/** Starting and stopping the service. */
import { OperationError } from '../../vocabulary/errors.ts';

/** What starts services on a machine; each call ends when that is done. */
export type ServiceManager = ReturnType<typeof systemd>;

const service = 'access.service';
const timer = 'access-watch.timer';

/** systemd. Below another root than `/` only `makeUser`, `enable` and `disable` are for it: the others act on this machine. */
export function systemd(root: string) {
	const isMachine = root === '/';
	const image = isMachine ? [] : [`--root=${root}`];
	return {
		/** Makes the user of the service. */
		makeUser: () => run(['systemd-sysusers', ...image]),
		/** Reads the units again, and lets the service and what watches it start with the machine. */
		async enable() {
			if (isMachine) await run(['systemctl', 'daemon-reload']);
			await run(['systemctl', ...image, 'enable', '--quiet', service, timer]);
			if (isMachine) await run(['systemctl', 'start', timer]);
		},
		/** Starts the service again with what is installed now; `within` in milliseconds. @throws OperationError with the reason */
		async restart(within: number) {
			await run(['systemctl', 'reset-failed', service]);
			// The unit tells when the service answers, so this waits for it.
			await run(['systemctl', 'restart', service], within);
		},
		stop: () => run(['systemctl', 'stop', service]),
		/** Stops it and no longer starts it with the machine. */
		async disable() {
			// An image need not have been built where systemd is.
			if (!isMachine && !Bun.which('systemctl')) return;
			await run(['systemctl', ...(isMachine ? ['--now'] : image), 'disable', '--quiet', service, timer]);
		},
		/** The newest lines of its log. */
		newestLines: () =>
			output(['journalctl', `_SYSTEMD_UNIT=${service}`, '--lines', '5', '--output', 'cat', '--no-pager']),
	};
}

/**
 * Runs a command of the system.
 * @param within milliseconds after which it is ended.
 * @throws OperationError with what it said.
 */
export async function run(command: readonly string[], within?: number): Promise<void> {
	const child = Bun.spawn([...command], { stdout: 'ignore', stderr: 'pipe', ...(within && { timeout: within }) });
	const [said, code] = await Promise.all([child.stderr.text(), child.exited]);
	if (code === 0) return;
	const reason = child.signalCode ? `it took longer than ${(within ?? 0) / 1000} seconds` : said.split('\n', 1)[0];
	// What the program itself says is a sentence; other commands are named.
	throw new OperationError(command[0] === 'env' ? `${reason}` : `${command.join(' ')} failed: ${reason}`);
}

async function output(command: readonly string[]): Promise<string> {
	const child = Bun.spawn([...command], { stdout: 'pipe', stderr: 'ignore' });
	return (await child.stdout.text()).trim();
}
