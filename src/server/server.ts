/** The running service: data folder, database, secrets, HTTP server and background work. */
import { createApp } from '../app.ts';
import { backOfficeRoutes, ownPageRoutes } from '../back-office/serving/routes.ts';
import { listAdministrators, seedAdministrator } from '../features/administrators/service.ts';
import { createApprovalCodes } from '../features/approvals/codes.ts';
import { commonHashForm, createPasswords, hashPassword, productionCost } from '../features/auth/password.ts';
import { findChainName } from '../features/chain/service.ts';
import { createSubscribers } from '../features/changes/subscribers.ts';
import { expireInBackground } from '../features/employees/expiry.ts';
import { leaveProgramGroups } from '../features/permissions/points.ts';
import { seedRoles } from '../features/roles/built-in.ts';
import { createLimits, noLimits } from '../identity/guard/attempts.ts';
import { createDevices } from '../identity/guard/device.ts';
import { createGuard } from '../identity/guard/guard.ts';
import { createRefusedSignIns, recordInBackground } from '../identity/guard/refused-sign-ins.ts';
import { pruneInBackground } from '../identity/history/retention.ts';
import { createSealing } from '../identity/second-factor/encryption.ts';
import { lostKeyProblem } from '../identity/second-factor/service.ts';
import { createTokens } from '../identity/session/tokens.ts';
import { logProblems } from '../platform/database/storage.ts';
import { getTokenEpoch } from '../platform/database/token-epoch.ts';
import { clientAddress } from '../platform/http/client.ts';
import { compressing } from '../platform/http/edge.ts';
import { type Config, defaultUsername } from '../platform/machine/config.ts';
import { dataFolderAt, lockFolder, makeDataFolder } from '../platform/machine/data-folder.ts';
import type { Log } from '../platform/machine/log.ts';
import { findWeakSecret, provideSecrets, type Secrets } from '../platform/machine/secrets.ts';
import { messageOf, OperationError } from '../platform/vocabulary/errors.ts';
import { isLoopback } from '../platform/vocabulary/network.ts';
import { isKeyExposed, readTls } from './certificate.ts';
import { createImportReader } from './import-reader.ts';
import { markInstalled, openInstallation, warnOfOtherAdministrator } from './installation.ts';
import { createListener, requireAddress } from './listen.ts';
import { createMetrics, serveMetrics } from './metrics.ts';
import { recordBackup, scheduleBackups } from './scheduled-backups.ts';

interface StartOptions {
	config: Config;
	log: Log;
	user: string;
	/** How to run another command of this program. */
	program: readonly string[];
	/** Whether to start with a new database although the folder had one before. */
	startsNew: boolean;
	/** Receives the secrets that this start made, before anything else can fail. */
	onSecretsMade(made: Secrets): void;
}

/**
 * Starts the service. @returns its address, and a function that stops it. @throws OperationError with one line for the
 * operator
 */
export async function startService(options: StartOptions) {
	const { config, user, program, startsNew, onSecretsMade } = options;
	// The stack holds everything that lives as long as the service, and ends it in reverse order.
	await using stack = new AsyncDisposableStack();
	const clock = () => new Date();
	const folder = dataFolderAt(config.DATA_DIR);
	const metrics = config.METRICS_LISTEN && createMetrics(folder, config);
	const log = metrics?.counting(options.log) ?? options.log;
	// Read first: a start that fails here creates nothing.
	const tls = readTls(config);
	await requireAddress(config);
	makeDataFolder(folder);
	stack.use(lockFolder(folder));
	const db = stack.use(openInstallation(folder, { startsNew, log }, clock));
	logProblems(db.storage, log);
	markInstalled(folder);
	const isFirstStart = listAdministrators(db).length === 0;
	const { secrets, made } = provideSecrets(folder.secrets, config, { needsAdministrator: isFirstStart });
	onSecretsMade(made);
	const requirements = {
		ownPassword: config.REQUIRE_OWN_PASSWORD === 'on',
		secondFactor: config.SECOND_FACTOR === 'required',
	};
	const chainName = () => findChainName(db) ?? config.CHAIN_NAME;
	const passwords = createPasswords(secrets, {
		cost: productionCost,
		commonest: commonHashForm(db),
		chainName,
		...requirements,
	});
	const startedAt = clock().toISOString();
	seedRoles(db, startedAt);
	leaveProgramGroups(db, startedAt, log);
	if (secrets.ADMIN_PASSWORD !== undefined) {
		const hash = await hashPassword(secrets.ADMIN_PASSWORD, productionCost).catch((error) => {
			throw new OperationError(`the administrator's password could not be hashed: ${messageOf(error)}`);
		});
		seedAdministrator(db, user, config.ADMIN_USERNAME ?? defaultUsername, hash, startedAt);
	}
	const guard = createGuard(config.LOGIN_THROTTLE === 'on' ? createLimits(() => performance.now()) : noLimits);
	const refusedSignIns = createRefusedSignIns(db, () => performance.now());
	const signing = [secrets.JWT_SECRET, getTokenEpoch(db), clock] as const;
	const tokens = createTokens(...signing);
	const devices = createDevices(...signing);
	const sealing = createSealing(secrets.SECOND_FACTOR_KEY);
	const approvalCodes = createApprovalCodes(secrets.PASSWORD_KEY);
	const importReader = stack.use(createImportReader(program, log));
	const listener = createListener(config, tls, log);
	const waiting = createSubscribers(db);
	const app = createApp({
		db,
		passwords,
		tokens,
		sealing,
		approvalCodes,
		chainName,
		clock,
		log,
		importReader,
		waiting,
		addressOf: clientAddress({ trusted: config.TRUST_PROXY, peerOf: listener.peerOf, log }),
		extendTimeout: listener.extendTimeout,
		refusedSignIns,
		guard,
		devices,
		requirements,
		tls: tls !== undefined,
		corsOrigins: config.CORS_ORIGINS,
		swagger: config.SWAGGER === 'on',
	});
	// These pages exist without a back office, too: every employee must be able to set a password.
	const site = () => ({ chainName: chainName(), publicUrl: config.PUBLIC_URL });
	app.use(ownPageRoutes(site, listener.extendTimeout));
	if (config.BACK_OFFICE === 'on') app.use(backOfficeRoutes(site, listener.extendTimeout));
	stack.defer(expireInBackground({ db, clock, log }));
	const url = listener.open(compressing(app.fetch));
	if (metrics && config.METRICS_LISTEN) stack.defer(serveMetrics(metrics.text, config.METRICS_LISTEN));
	stack.defer(pruneInBackground(db, config.HISTORY_DAYS, clock, log));
	stack.defer(recordInBackground(refusedSignIns, clock, log));
	stack.defer(() => listener.close());
	for (const problem of config.ignored) log.warn(problem);
	warnOfWeakSettings(config, log);
	const lostKey = lostKeyProblem({ db, sealing });
	if (lostKey) log.warn(lostKey);
	const warned = isFirstStart ? undefined : warnOfOtherAdministrator(db, config, log);
	stack.defer(() => warned);
	stack.defer(scheduleBackups({ config, program, log, record: () => recordBackup(db, clock()) }));
	// Deferred last, so it ends first: waiting requests are answered at once.
	stack.defer(() => waiting.end());
	const running = stack.move();
	return { url, stop: () => running.disposeAsync() };
}

function warnOfWeakSettings(config: Config, log: Log): void {
	const { HOST, TLS_CERT_FILE, TLS_KEY_FILE } = config;
	if (TLS_CERT_FILE === undefined && !isLoopback(HOST)) {
		log.warn('listening beyond this machine without TLS: passwords can be read on the network', { host: HOST });
	}
	if (TLS_KEY_FILE !== undefined && isKeyExposed(TLS_KEY_FILE)) {
		log.warn('every user of this machine can read the private key: run chmod o= on it', { file: TLS_KEY_FILE });
	}
	for (const problem of findWeakSecret(config)) log.warn(problem);
}
