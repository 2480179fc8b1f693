/** The process: reads the environment, starts the service, and stops it when told to. */
import { ConfigError, readConfig } from './config.ts';
import { DatabaseError } from './database/open.ts';
import { createLog } from './log.ts';
import { SecretsError, secretsPath } from './secrets.ts';
import { type Service, StartError, startService } from './service.ts';

// Before anything is created: the data is nobody else's to read.
process.umask(0o077);

const log = createLog((line) => process.stderr.write(line));

main().catch((error: unknown) => {
	process.stderr.write(isExpected(error) ? `${error.message}\n` : `${Bun.inspect(error)}\n`);
	process.exit(1);
});

async function main(): Promise<void> {
	const config = readConfig(process.env);
	const service = await startService(config, log);
	announce(service, config.DATA_DIR);
	for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop(service));
}

/** Failures that the operator can do something about, told without a stack. */
function isExpected(error: unknown): error is Error {
	return [ConfigError, DatabaseError, SecretsError, StartError].some((kind) => error instanceof kind);
}

/** Passwords are shown to a person at a terminal and never to a log. */
function announce({ url, made }: Service, dataDir: string): void {
	const names = Object.keys(made);
	if (names.length > 0) {
		const { ADMIN_PASSWORD, INITIAL_EMPLOYEE_PASSWORD } = made;
		if (process.stdout.isTTY) {
			if (ADMIN_PASSWORD) console.log(`Administrator password: ${ADMIN_PASSWORD}`);
			if (INITIAL_EMPLOYEE_PASSWORD) console.log(`Initial employee password: ${INITIAL_EMPLOYEE_PASSWORD}`);
		}
		console.log(`Made ${names.join(', ')} and kept them in ${secretsPath(dataDir)}`);
	}
	console.log(`Listening on ${url.origin} (Swagger UI: ${new URL('/swagger', url)})`);
}

async function stop(service: Service): Promise<void> {
	await service.stop();
	process.exit(0);
}
