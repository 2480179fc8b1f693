/** The running service: data folder, database, secrets, HTTP server and background work. */
import { createApp, type Dependencies } from '../app.ts';
import type { Site } from '../back-office/serving/page.ts';
import { backOfficeRoutes, openidPage, ownPageRoutes } from '../back-office/serving/routes.ts';
import { listAdministrators, seedAdministrator } from '../features/administrators/service.ts';
import { createApprovalCodes } from '../features/approvals/codes.ts';
import { createPasswords, hashPassword, productionCost } from '../features/auth/password.ts';
import { findChainName } from '../features/chain/service.ts';
import { createSubscribers } from '../features/changes/subscribers.ts';
import { expireInBackground } from '../features/employees/expiry.ts';
import { openapiRoutes } from '../features/openapi/routes.ts';
import { moveOutOfProgramGroups } from '../features/permissions/points.ts';
import { seedRoles } from '../features/roles/built-in.ts';
import { createLimits, noLimits } from '../identity/guard/attempts.ts';
import { createDevices } from '../identity/guard/device.ts';
import { createGuard } from '../identity/guard/guard.ts';
import { createRefusedSignIns, recordInBackground } from '../identity/guard/refused-sign-ins.ts';
import { operator } from '../identity/history/record.ts';
import { pruneInBackground } from '../identity/history/retention.ts';
import { createSecretCipher } from '../identity/second-factor/encryption.ts';
import { lostKeyProblem } from '../identity/second-factor/service.ts';
import { createTokens } from '../identity/session/tokens.ts';
import { findKeyProblem } from '../platform/backup-copies/key.ts';
import { findInnerPlaceProblem } from '../platform/backup-copies/place.ts';
import type { Db } from '../platform/database/open.ts';
import { logProblems } from '../platform/database/storage.ts';
import { getTokenEpoch } from '../platform/database/token-epoch.ts';
import { clientAddress } from '../platform/http/client.ts';
import { compressing } from '../platform/http/edge.ts';
import { type Config, defaultUsername } from '../platform/machine/config.ts';
import { lockFolder, makeDataFolder } from '../platform/machine/data-folder.ts';
import type { Log } from '../platform/machine/log.ts';
import { findWeakSecret, provideSecrets, type Secrets } from '../platform/machine/secrets.ts';
import { messageOf, OperationError } from '../platform/vocabulary/errors.ts';
import { isLoopback } from '../platform/vocabulary/network.ts';
import { findExposedKey, readTls } from './certificate.ts';
import { createImportReader } from './import-reader.ts';
import { markInstalled, openInstallation, warnOfOtherAdministrator } from './installation.ts';
import { createListener } from './listen.ts';
import { createMetrics, serveMetrics } from './metrics.ts';
import { createProvider, openidProblem } from './openid.ts';
import { scheduleBackups } from './scheduled-backups.ts';

interface StartOptions {
	config: Config;
	log: Log;
	user: string;
	/** The beginning of a command line that runs another command of this program. */
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
export async function startService(given: StartOptions) {
	const { config } = given;
	// The stack holds everything that lives as long as the service, and ends it in reverse order.
	await using stack = new AsyncDisposableStack();
	const metrics = config.METRICS_LISTEN && createMetrics(config);
	const options = { ...given, log: metrics?.counting(given.log) ?? given.log };
	const { log } = options;
	// Read first: a start that fails here creates nothing.
	const tls = readTls(config);
	const { db, secrets, isFirstStart } = openData(options, stack);
	await seed(db, secrets, options);
	const listener = createListener(config, tls, log);
	const importReader = stack.use(createImportReader(options.program, log));
	const site = () => ({ chainName: findChainName(db) ?? config.CHAIN_NAME, publicUrl: config.PUBLIC_URL });
	const openid = await createProvider(config, clock, (...shown) => openidPage(site(), ...shown));
	const parts = createParts({ db, secrets, config, log, site, listener, importReader, openid, tls: tls !== undefined });
	// Before the first request: a role that ended while the service was stopped must not be used.
	stack.defer(expireInBackground({ db, clock, log }));
	const url = listener.open(compressing(createSite(parts, site, config).fetch));
	startBackgroundWork(parts, options, stack);
	stack.defer(() => listener.close());
	if (metrics && config.METRICS_LISTEN) stack.defer(serveMetrics(metrics.text, config.METRICS_LISTEN, log));
	warnOfSettings(parts, config, log);
	const warned = isFirstStart ? undefined : warnOfOtherAdministrator(db, config, log);
	// A stop waits for the warning, which reads the database.
	stack.defer(() => warned);
	// Deferred last, so it ends first: waiting requests are answered at once.
	stack.defer(() => parts.subscribers.end());
	const running = stack.move();
	return { url, stop: () => running.disposeAsync() };
}

function startBackgroundWork(
	{ db, log, refusedSignIns }: Dependencies,
	{ config, program }: StartOptions,
	stack: AsyncDisposableStack,
): void {
	stack.defer(pruneInBackground(db, config.HISTORY_DAYS, clock, log));
	stack.defer(recordInBackground(refusedSignIns, clock, log));
	stack.defer(scheduleBackups({ config, program, log, db }));
}

const clock = () => new Date();

type ProvidedSecrets = ReturnType<typeof provideSecrets>['secrets'];

/** Locks the data folder, opens its database and reads or makes the secrets. */
function openData({ config, log, startsNew, onSecretsMade }: StartOptions, stack: AsyncDisposableStack) {
	const { folder } = config;
	makeDataFolder(folder);
	stack.use(lockFolder(folder));
	const db = stack.use(openInstallation(config, { startsNew, log }));
	logProblems(db.storage, log);
	markInstalled(folder);
	const isFirstStart = listAdministrators(db).length === 0;
	const { secrets, made } = provideSecrets(folder.secrets, config, isFirstStart);
	onSecretsMade(made);
	return { db, secrets, isFirstStart };
}

/** Adds the built-in roles and the first administrator where they are missing. */
async function seed(db: Db, { ADMIN_PASSWORD }: ProvidedSecrets, { config, user, log }: StartOptions): Promise<void> {
	const at = clock().toISOString();
	seedRoles(db, at);
	moveOutOfProgramGroups(db, at, log);
	if (ADMIN_PASSWORD === undefined) return;
	const passwordHash = await hashPassword(ADMIN_PASSWORD, productionCost).catch((error) => {
		throw new OperationError(`the administrator's password could not be hashed: ${messageOf(error)}`);
	});
	seedAdministrator(db, operator(user, at), { username: config.ADMIN_USERNAME ?? defaultUsername, passwordHash });
}

interface PartOptions extends Pick<Dependencies, 'db' | 'log' | 'importReader' | 'openid' | 'tls'> {
	config: Config;
	secrets: ProvidedSecrets;
	/** A super administrator can change the name of the chain at any time. */
	site: () => Site;
	listener: ReturnType<typeof createListener>;
}

function createParts({ config, secrets, site, listener, ...given }: PartOptions): Dependencies {
	const { db, log } = given;
	const requirements = {
		ownPassword: config.REQUIRE_OWN_PASSWORD === 'on',
		secondFactor: config.SECOND_FACTOR === 'required',
	};
	const chainName = () => site().chainName;
	const tokenEpoch = getTokenEpoch(db);
	return {
		...given,
		chainName,
		clock,
		requirements,
		passwords: createPasswords(secrets, { cost: productionCost, chainName, ...requirements }),
		tokens: createTokens(secrets.JWT_SECRET, tokenEpoch),
		devices: createDevices(secrets.JWT_SECRET, tokenEpoch, clock),
		secretCipher: createSecretCipher(secrets.SECOND_FACTOR_KEY),
		approvalCodes: createApprovalCodes(secrets.PASSWORD_KEY),
		subscribers: createSubscribers(db),
		addressOf: clientAddress({ trusted: config.TRUST_PROXY, peerOf: listener.peerOf, log }),
		extendTimeout: listener.extendTimeout,
		refusedSignIns: createRefusedSignIns(db, () => performance.now()),
		guard: createGuard(config.LOGIN_THROTTLE === 'on' ? createLimits(() => performance.now()) : noLimits),
		corsOrigins: config.CORS_ORIGINS,
	};
}

/** The service with its pages. `/me/` is there without a back office: every employee must be able to set a password. */
function createSite(parts: Dependencies, site: () => Site, { SWAGGER, BACK_OFFICE }: Config) {
	const app = createApp(parts);
	if (SWAGGER === 'on') app.use(openapiRoutes(app));
	app.use(ownPageRoutes(site, parts.extendTimeout));
	if (BACK_OFFICE === 'on') app.use(backOfficeRoutes(site, parts.extendTimeout));
	return app;
}

function warnOfSettings({ db, secretCipher }: Dependencies, config: Config, log: Log): void {
	const noProvider = openidProblem(config);
	if (noProvider) log.info('programs cannot sign people in (OpenID Connect)', { reason: noProvider });
	const { HOST: host, TLS_CERT_FILE } = config;
	if (TLS_CERT_FILE === undefined && !isLoopback(host)) {
		log.warn('listening beyond this machine without TLS: passwords can be read on the network', { host });
	}
	const found = [findExposedKey, findWeakSecret, findKeyProblem, findInnerPlaceProblem].map((find) => find(config));
	for (const problem of [...config.ignored, ...found, lostKeyProblem({ db, secretCipher })]) {
		if (problem) log.warn(problem);
	}
}
