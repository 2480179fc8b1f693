/** The running service: data folder, database, secrets and HTTP server put together. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Server } from 'bun';
import { createApp } from './app.ts';
import { createPasswords, productionCost } from './auth/password.ts';
import { createTokens } from './auth/tokens.ts';
import type { Config } from './config.ts';
import { closeDatabase, type Db, openDatabase } from './database/open.ts';
import { lacksAdministrator, seedAdministrator, seedRoles } from './database/seed.ts';
import { unforeseen } from './http/failure.ts';
import type { Log } from './log.ts';
import { provideSecrets, type SecretName } from './secrets.ts';

/** A start that failed, with what to change in one line. */
export class StartError extends Error {}

/** A service that answers requests. */
export interface Service {
	url: URL;
	/** The secrets that this start made. */
	made: Partial<Record<SecretName, string>>;
	/** Answers the requests in flight, takes no more, and closes the database. */
	stop(): Promise<void>;
}

/**
 * Starts the service.
 * @throws StartError, DatabaseError or SecretsError, each with one line for the operator.
 */
export async function startService(config: Config, log: Log): Promise<Service> {
	const clock = () => new Date();
	makeDataFolder(config.DATA_DIR);
	const db = openDatabase(join(config.DATA_DIR, 'access.db'));
	try {
		const { secrets, made } = provideSecrets(config.DATA_DIR, neededSecrets(db), config);
		const passwords = createPasswords(productionCost, secrets.INITIAL_EMPLOYEE_PASSWORD);
		seedRoles(db, clock().toISOString());
		if (lacksAdministrator(db)) {
			const hash = await passwords.hash(secrets.ADMIN_PASSWORD);
			seedAdministrator(db, config.ADMIN_USERNAME, hash, clock().toISOString());
		}
		const tokens = createTokens(secrets.JWT_SECRET, clock);
		const app = createApp({ db, passwords, tokens, clock, log });
		const server = listen(config, app.fetch, log);
		return {
			url: server.url,
			made: Object.fromEntries(made.map((name) => [name, secrets[name]])),
			async stop() {
				await server.stop();
				closeDatabase(db);
			},
		};
	} catch (error) {
		closeDatabase(db);
		throw error;
	}
}

function makeDataFolder(path: string): void {
	try {
		mkdirSync(path, { recursive: true, mode: 0o700 });
	} catch (error) {
		throw new StartError(`cannot make the folder DATA_DIR=${path}: ${messageOf(error)}`);
	}
}

/** The administrator's password is asked for on the first start only: later it is in the database. */
function neededSecrets(db: Db): SecretName[] {
	const always: SecretName[] = ['INITIAL_EMPLOYEE_PASSWORD', 'JWT_SECRET'];
	return lacksAdministrator(db) ? ['ADMIN_PASSWORD', ...always] : always;
}

function listen(config: Config, fetch: (request: Request) => Response | Promise<Response>, log: Log): Server<unknown> {
	try {
		return Bun.serve({
			port: config.PORT,
			hostname: config.HOST,
			fetch,
			error: (error) => unforeseen(error, log),
			development: false,
			// Two processes on one port and one database would be no error otherwise.
			reusePort: false,
			idleTimeout: 10,
			// Our own, smaller limit answers in the envelope; Bun's would close the connection.
			maxRequestBodySize: Number.MAX_SAFE_INTEGER,
		});
	} catch (error) {
		const place = `HOST=${config.HOST} PORT=${config.PORT}`;
		throw new StartError(`cannot listen on ${place}: ${messageOf(error)}`);
	}
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
