import { type Config, readConfig } from '../config.ts';
import { dataFolderAt } from '../data-folder.ts';
import { batchLines, createLog, type LineSink, type Log } from '../log.ts';
import { isLoopback } from '../network.ts';
import type { Secrets } from '../secrets.ts';
import { inspectInBackground } from '../server/background-inspection.ts';
import { scheduleBackups } from '../server/scheduled-backups.ts';
import { type Service, startService } from '../server/server.ts';
import type { Terminal } from './terminal.ts';

/**
 * `access serve`: serves until it is told to stop; 0 then, and 1 after an unforeseen failure.
 * @throws ConfigError, OperationError when it cannot start.
 */
export async function serve(terminal: Terminal): Promise<number> {
	const config = readConfig(terminal.environment);
	const lines = batchLines((batch) => void terminal.stdout.write(batch));
	try {
		return await serveUntilStopped(terminal, config, lines);
	} finally {
		lines.flush();
	}
}

async function serveUntilStopped(terminal: Terminal, config: Config, lines: LineSink): Promise<number> {
	const log = createLog(lines, config.LOG_LEVEL, { forPeople: terminal.stdout.isTTY === true });
	const onSecretsMade = (made: Secrets) => tellSecrets(made, dataFolderAt(config.DATA_DIR).secrets, terminal, log);
	const service = await startService({ config, log, user: terminal.user, onSecretsMade });
	announce(service, config.HOST, log);
	let stopBackups = () => {};
	let stopInspection = () => {};
	const code = await new Promise<number>((resolve) => {
		terminal.onStop(() => resolve(0));
		terminal.onUnforeseen((error) => {
			log.error('unforeseen failure, stopping', { error: Bun.inspect(error) });
			resolve(1);
		});
		// A backup without the administrator would be none of this installation.
		service.administratorReady.then(() => {
			stopBackups = scheduleBackups(config, terminal.program, log);
		});
		const onDamage = (problem: string) => {
			log.error('the database is damaged, stopping', { problem });
			resolve(1);
		};
		stopInspection = inspectInBackground(config.DATA_DIR, terminal.program, onDamage);
	});
	log.info('stopping');
	stopInspection();
	stopBackups();
	await service.stop();
	log.info('stopped');
	return code;
}

/** Passwords are shown to a person at a terminal, and never to a log. */
function tellSecrets(made: Secrets, file: string, { stdout }: Terminal, log: Log): void {
	const names = Object.keys(made);
	if (names.length > 0) log.info('made secrets', { names, file });
	if (stdout.isTTY !== true) return;
	if (made.ADMIN_PASSWORD) stdout.write(`Administrator password: ${made.ADMIN_PASSWORD}\n`);
	if (made.INITIAL_EMPLOYEE_PASSWORD) stdout.write(`Initial employee password: ${made.INITIAL_EMPLOYEE_PASSWORD}\n`);
}

function announce({ url }: Service, host: string, log: Log): void {
	if (url.protocol === 'http:' && !isLoopback(host)) {
		log.warn('listening beyond this machine without TLS: passwords can be read on the network', { host });
	}
	log.info('listening', { url: url.origin, swagger: new URL('/swagger', url).href });
}
