/** The running service: data folder, database, secrets and HTTP server put together. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Server } from 'bun';
import { createApp } from './app.ts';
import { lacksAdministrator, seedAdministrator } from './auth/administrator.ts';
import { recallKnownPlaces } from './auth/known-places.ts';
import { createPasswords, type Passwords, productionCost } from './auth/password.ts';
import { createThrottle, noThrottle } from './auth/throttle.ts';
import { createTokens } from './auth/tokens.ts';
import type { Config } from './config.ts';
import { type DataFolder, dataFolderAt, lockFolder, makeDataFolder, makeFolder } from './data-folder.ts';
import { backUp, backupName } from './database/backup.ts';
import { closeDatabase, type DatabaseFacts, type Db, openDatabase } from './database/open.ts';
import { provideTokenEpoch, seedRoles } from './database/seed.ts';
import { messageOf, OperationError } from './errors.ts';
import { keepHistory } from './history/housekeeping.ts';
import { operator } from './history/record.ts';
import { createRefusedSignIns } from './history/refused-sign-ins.ts';
import { clientAddress } from './http/client-address.ts';
import { unforeseen } from './http/failure.ts';
import type { Log } from './log.ts';
import { provideSecrets, type SecretName, type Secrets } from './secrets.ts';

/** A service that answers requests. */
export interface Service {
	url: URL;
	/** Resolves when the installation has its administrator: on the first start, a moment after it listens. */
	installed: Promise<void>;
	/** Takes no more requests, answers those in flight, closes the database and lets go of the folder. */
	stop(): Promise<void>;
}

/** What a service is started with. */
export interface StartOptions {
	config: Config;
	log: Log;
	/** Who runs the server. */
	user: string;
	/** Told of the secrets that this start made, before anything else can fail. */
	onSecretsMade(made: Secrets): void;
}

/** How long a stop waits for the requests in flight, in milliseconds. */
const drainingTime = 8000;

/**
 * Starts the service.
 * @throws OperationError with one line for the operator.
 */
export async function startService({ config, log, user, onSecretsMade }: StartOptions): Promise<Service> {
	const clock = () => new Date();
	const folder = dataFolderAt(config.DATA_DIR);
	const stack = new AsyncDisposableStack();
	try {
		makeDataFolder(folder);
		const lock = lockFolder(folder);
		stack.defer(() => lock.release());
		const db = openDatabase(folder.database, {
			beforeUpgrade: (facts) => backUpBeforeUpgrade(folder, facts, clock(), log),
			progress: everyTwoSeconds((step) => log.info(step)),
		});
		stack.defer(() => closeDatabase(db));
		const { secrets, made } = provideSecrets(folder.secrets, neededSecrets(db), config);
		onSecretsMade(made);
		const passwords = createPasswords(productionCost, secrets.INITIAL_EMPLOYEE_PASSWORD);
		seedRoles(db, clock().toISOString());
		const administrator = { username: config.ADMIN_USERNAME, password: secrets.ADMIN_PASSWORD };
		const installed = installAdministrator({ db, passwords, clock, user }, administrator);
		const throttle = config.LOGIN_THROTTLE === 'on' ? createThrottle(() => performance.now()) : noThrottle;
		const refusedSignIns = createRefusedSignIns(db, () => performance.now());
		const tokens = createTokens(secrets.JWT_SECRET, provideTokenEpoch(db), clock, config.JWT_SECRET_PREVIOUS);
		const tls = readTls(config);
		// The application is there before the server that knows its peers.
		let server: Server<unknown> | undefined;
		const app = createApp({
			db,
			passwords,
			tokens,
			clock,
			log,
			addressOf: clientAddress({
				trusted: config.TRUST_PROXY,
				peerOf: (request) => server?.requestIP(request)?.address,
				log,
			}),
			refusedSignIns,
			throttle,
			installed,
			tls: tls !== undefined,
			corsOrigins: config.CORS_ORIGINS,
			swagger: config.SWAGGER === 'on',
		});
		server = listen(config, tls, app.fetch, log);
		const listening = server;
		stack.defer(keepHistory({ db, refusedSignIns, historyDays: config.HISTORY_DAYS, clock, log }));
		stack.defer(() => drain(listening, log));
		// Everything else comes after the first requests; a stop in the meantime waits for it.
		const prepared = installed.then(() => {
			recallKnownPlaces(db, throttle, clock());
			return passwords.prepare();
		});
		stack.defer(() => prepared);
		return { url: server.url, installed, stop: () => stack.disposeAsync() };
	} catch (error) {
		await stack.disposeAsync();
		throw error;
	}
}

/** Hashing takes as long as all the rest of the first start: only signing in has to wait for it. */
async function installAdministrator(
	{ db, passwords, clock, user }: { db: Db; passwords: Passwords; clock: () => Date; user: string },
	{ username, password }: { username: string; password: string },
): Promise<void> {
	if (!lacksAdministrator(db)) return;
	seedAdministrator(db, operator(user), username, await passwords.hash(password), clock().toISOString());
}

/** Lets a report through at most once in two seconds. */
function everyTwoSeconds(report: (step: string) => void): (step: string) => void {
	let last = performance.now();
	return (step) => {
		if (performance.now() - last < 2000) return;
		last = performance.now();
		report(step);
	};
}

/** An upgrade can be undone by restoring what it started from. */
function backUpBeforeUpgrade(folder: DataFolder, facts: DatabaseFacts, at: Date, log: Log): void {
	const { schemaVersion, pendingMigrations } = facts;
	makeFolder(folder.backups);
	const target = join(folder.backups, backupName(at, `before-upgrade-from-${schemaVersion}`));
	backUp(folder.database, target, (step) => log.info(`backup before the upgrade: ${step}`));
	log.info('migrating the database', { from: schemaVersion, migrations: pendingMigrations, backup: target });
}

/** The administrator's password is asked for on the first start only: later it is in the database. */
function neededSecrets(db: Db): SecretName[] {
	const always: SecretName[] = ['INITIAL_EMPLOYEE_PASSWORD', 'JWT_SECRET'];
	return lacksAdministrator(db) ? ['ADMIN_PASSWORD', ...always] : always;
}

interface Tls {
	cert: string;
	key: string;
}

function readTls({ TLS_CERT_FILE, TLS_KEY_FILE }: Config): Tls | undefined {
	if (TLS_CERT_FILE === undefined || TLS_KEY_FILE === undefined) return undefined;
	return { cert: readPem('TLS_CERT_FILE', TLS_CERT_FILE), key: readPem('TLS_KEY_FILE', TLS_KEY_FILE) };
}

function readPem(variable: string, path: string): string {
	try {
		return readFileSync(path, 'utf8');
	} catch (error) {
		throw new OperationError(`cannot read ${variable}=${path}: ${messageOf(error)}`);
	}
}

type Fetch = (request: Request) => Response | Promise<Response>;

function listen(config: Config, tls: Tls | undefined, fetch: Fetch, log: Log): Server<unknown> {
	try {
		return Bun.serve({
			port: config.PORT,
			hostname: config.HOST,
			...(tls && { tls }),
			fetch,
			error: (error) => unforeseen(error, log),
			development: false,
			// Two processes on one port would be no error otherwise.
			reusePort: false,
			idleTimeout: 10,
			// Our own, smaller limit answers in the envelope; Bun's would close the connection.
			maxRequestBodySize: Number.MAX_SAFE_INTEGER,
		});
	} catch (error) {
		const place = `HOST=${config.HOST} PORT=${config.PORT}`;
		const files = tls ? ` TLS_CERT_FILE=${config.TLS_CERT_FILE} TLS_KEY_FILE=${config.TLS_KEY_FILE}` : '';
		throw new OperationError(`cannot listen on ${place}${files}: ${messageOf(error)}`);
	}
}

/** A client that never finishes its request must not hold the stop forever. */
async function drain(server: Server<unknown>, log: Log): Promise<void> {
	const outcome = await Promise.race([server.stop(), Bun.sleep(drainingTime).then(() => 'late' as const)]);
	if (outcome === 'late') {
		log.warn('closing connections that did not finish', { pending: server.pendingRequests });
		await Promise.race([server.stop(true), Bun.sleep(500)]);
	}
	// The last answers are reported a turn after they are given.
	await new Promise((resolve) => setImmediate(resolve));
}
