/** The running service: data folder, database, secrets, HTTP server and background work put together. */
import { createApp } from '../app.ts';
import { createPasswords, hashPassword, productionCost } from '../auth/password.ts';
import { backOfficeRoutes } from '../back-office/serving/routes.ts';
import { logProblems } from '../database/storage.ts';
import { provideTokenEpoch } from '../database/token-epoch.ts';
import { createDevices } from '../guard/device.ts';
import { createGuard } from '../guard/guard.ts';
import { createLimits, noLimits } from '../guard/limits.ts';
import { createRefusedSignIns } from '../guard/refused-sign-ins.ts';
import { clientAddress } from '../http/client-address.ts';
import { type Config, defaultUsername } from '../machine/config.ts';
import { dataFolderAt, type FolderLock, lockFolder, makeDataFolder } from '../machine/data-folder.ts';
import type { Log } from '../machine/log.ts';
import { isWeakSecret, provideSecrets } from '../machine/secrets.ts';
import { seedRoles } from '../roles/built-in.ts';
import { createSealing } from '../second-factor/sealing.ts';
import { lostKeyProblem } from '../second-factor/service.ts';
import { createTokens } from '../session/tokens.ts';
import { messageOf, OperationError } from '../vocabulary/errors.ts';
import { isLoopback } from '../vocabulary/network.ts';
import { findAdministrator, seedAdministrator } from './administrator.ts';
import { inspectInBackground } from './background-inspection.ts';
import { isKeyExposed, readTls } from './certificate.ts';
import { createImportReader } from './import-reader.ts';
import { markInstalled, openInstallation, warnOfLostPasswords, warnOfOtherAdministrator } from './installation.ts';
import { createListener } from './listen.ts';
import { createMetrics, serveMetrics } from './metrics.ts';
import { scheduleBackups } from './scheduled-backups.ts';
import type { StartOptions } from './start-options.ts';
import { endOnTime, keepHistory, mergeInBackground } from './upkeep.ts';

/**
 * Starts the service.
 * @returns where it answers, and `stop`: it takes no more requests, answers those in flight, closes the database and releases
 * the folder.
 * @throws OperationError with one line for the operator.
 */
export async function startService(options: StartOptions) {
	await using stack = new AsyncDisposableStack();
	const url = await startOn(stack, options);
	const running = stack.move();
	return { url, stop: () => running.disposeAsync() };
}

/** Everything that lives as long as the service goes on the stack, which ends it in reverse order. */
async function startOn(stack: AsyncDisposableStack, options: StartOptions): Promise<URL> {
	const { config, user, program, startsNew, onSecretsMade, onFatal } = options;
	const clock = () => new Date();
	const folder = dataFolderAt(config.DATA_DIR);
	const metrics = config.METRICS_LISTEN && createMetrics(folder);
	const log = metrics?.counting(options.log) ?? options.log;
	// First: a start that fails for it makes nothing.
	const tls = readTls(config);
	makeDataFolder(folder);
	const lock = stack.use(lockFolder(folder));
	const db = stack.use(openInstallation(folder, { startsNew, log }, clock));
	logProblems(db.storage, log);
	markInstalled(folder);
	const isFirstStart = findAdministrator(db) === undefined;
	const { secrets, made } = provideSecrets(folder.secrets, config, { needsAdministrator: isFirstStart });
	onSecretsMade(made);
	// Both at once: a hash takes as long as the rest of a start.
	const [passwords, firstHash] = await Promise.all([
		createPasswords(productionCost, secrets),
		secrets.ADMIN_PASSWORD === undefined ? undefined : hashPassword(secrets.ADMIN_PASSWORD, productionCost),
	]).catch((error) => {
		throw new OperationError(`the first passwords could not be hashed: ${messageOf(error)}`);
	});
	const startedAt = clock().toISOString();
	seedRoles(db, startedAt);
	if (firstHash) seedAdministrator(db, user, config.ADMIN_USERNAME ?? defaultUsername, firstHash, startedAt);
	const guard = createGuard(config.LOGIN_THROTTLE === 'on' ? createLimits(() => performance.now()) : noLimits);
	const refusedSignIns = createRefusedSignIns(db, () => performance.now());
	const signing = [secrets.JWT_SECRET, provideTokenEpoch(db), clock, config.JWT_SECRET_PREVIOUS] as const;
	const tokens = createTokens(...signing);
	const devices = createDevices(...signing);
	const sealing = createSealing(secrets.SECOND_FACTOR_KEY);
	const importReader = stack.use(createImportReader(program, log));
	const listener = createListener(config, tls, log);
	const app = createApp({
		db,
		passwords,
		tokens,
		sealing,
		clock,
		log,
		readImport: importReader.read,
		addressOf: clientAddress({ trusted: config.TRUST_PROXY, peerOf: listener.peerOf, log }),
		extendTimeout: listener.extendTimeout,
		refusedSignIns,
		guard,
		devices,
		requirements: {
			ownPassword: config.REQUIRE_OWN_PASSWORD === 'on',
			secondFactor: config.SECOND_FACTOR === 'required',
		},
		tls: tls !== undefined,
		corsOrigins: config.CORS_ORIGINS,
		swagger: config.SWAGGER === 'on',
	});
	if (config.BACK_OFFICE === 'on') app.use(backOfficeRoutes(config.CHAIN_NAME));
	stack.defer(endOnTime({ db, clock, log }));
	const url = listener.open(app.fetch);
	if (metrics && config.METRICS_LISTEN) stack.defer(serveMetrics(metrics.text, config.METRICS_LISTEN));
	stack.defer(mergeInBackground(db));
	stack.defer(keepHistory({ db, refusedSignIns, historyDays: config.HISTORY_DAYS, clock, log }));
	stack.defer(() => listener.close());
	for (const problem of config.misspelt) log.warn(problem);
	warnOfWeakSettings(config, log);
	const lostKey = lostKeyProblem({ db, sealing });
	if (lostKey) log.warn(lostKey);
	const warned = isFirstStart ? undefined : warnOfOtherAdministrator(db, config, log);
	stack.defer(() => warned);
	stack.defer(warnOfLostPasswords(db, passwords.oneTime, clock, log));
	stack.defer(watchLock(lock, onFatal));
	stack.defer(inspectInBackground(folder, { program, log, onFatal }));
	stack.defer(scheduleBackups({ config, program, log }));
	return url;
}

function warnOfWeakSettings({ HOST, JWT_SECRET, TLS_CERT_FILE, TLS_KEY_FILE }: Config, log: Log): void {
	if (TLS_CERT_FILE === undefined && !isLoopback(HOST)) {
		log.warn('listening beyond this machine without TLS: passwords can be read on the network', { host: HOST });
	}
	if (TLS_KEY_FILE !== undefined && isKeyExposed(TLS_KEY_FILE)) {
		log.warn('every user of this machine can read the private key: run chmod o= on it', { file: TLS_KEY_FILE });
	}
	if (JWT_SECRET !== undefined && isWeakSecret(JWT_SECRET)) {
		log.warn('JWT_SECRET is easy to guess: give 32 random bytes or more', { bytes: Buffer.byteLength(JWT_SECRET) });
	}
}

/** Looks every second whether the folder is still this server's. @returns a function that ends it. */
function watchLock(lock: FolderLock, onFatal: (problem: string) => void): () => void {
	const timer = setInterval(() => {
		if (lock.isHeld()) return;
		clearInterval(timer);
		onFatal('access.lock was removed, and another process has taken the data folder');
	}, 1000);
	return () => clearInterval(timer);
}
