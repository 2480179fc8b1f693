/** The running service: data folder, database, secrets and HTTP server put together. */
import { join } from 'node:path';
import type { Server } from 'bun';
import { createApp } from '../app.ts';
import { createPasswords, productionCost } from '../auth/password.ts';
import { createRefusedSignIns } from '../auth/refused-sign-ins.ts';
import { createThrottle, noThrottle } from '../auth/throttle.ts';
import { backOfficeRoutes } from '../back-office/serving/routes.ts';
import type { Config } from '../config.ts';
import { type DataFolder, dataFolderAt, lockFolder, makeDataFolder, makeFolder } from '../data-folder.ts';
import { backUp, backupName } from '../database/backup.ts';
import { closeDatabase, type DatabaseFacts, openDatabase } from '../database/open.ts';
import { provideTokenEpoch } from '../database/token-epoch.ts';
import { fillSearchIndex } from '../employees/search-index.ts';
import { clientAddress } from '../http/client-address.ts';
import type { Log } from '../log.ts';
import { seedRoles } from '../roles/built-in.ts';
import { provideSecrets, type Secrets } from '../secrets.ts';
import { createTokens } from '../session/tokens.ts';
import { keepHistory } from './history-upkeep.ts';
import { installAdministrator, neededSecrets } from './installation.ts';
import { drain, listen, readTls } from './listen.ts';

/** A service that answers requests. */
export interface Service {
	url: URL;
	/** Resolves when the administrator exists: on the first start, a moment after the server listens. */
	administratorReady: Promise<void>;
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
			afterMigration: fillSearchIndex,
			progress: everyTwoSeconds((step) => log.info(step)),
		});
		stack.defer(() => closeDatabase(db));
		const { secrets, made } = provideSecrets(folder.secrets, neededSecrets(db), config);
		onSecretsMade(made);
		const passwords = createPasswords(productionCost, secrets.INITIAL_EMPLOYEE_PASSWORD);
		seedRoles(db, clock().toISOString());
		const administrator = { username: config.ADMIN_USERNAME, password: secrets.ADMIN_PASSWORD };
		const administratorReady = installAdministrator({ db, passwords, clock, user }, administrator);
		// The administrator's hash goes first, so that the first sign-in waits for as little as possible.
		const passwordsReady = administratorReady.then(() => passwords.prepare());
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
			administratorReady,
			passwordsReady,
			tls: tls !== undefined,
			corsOrigins: config.CORS_ORIGINS,
			swagger: config.SWAGGER === 'on',
		});
		if (config.BACK_OFFICE === 'on') app.use(backOfficeRoutes());
		server = listen(config, tls, app.fetch, log);
		const listening = server;
		stack.defer(keepHistory({ db, refusedSignIns, historyDays: config.HISTORY_DAYS, clock, log }));
		stack.defer(() => drain(listening, log));
		// A stop waits for the work of the start.
		stack.defer(() => passwordsReady);
		return { url: server.url, administratorReady, stop: () => stack.disposeAsync() };
	} catch (error) {
		await stack.disposeAsync();
		throw error;
	}
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
