/** The listening socket: TLS, the port, and the end of the last requests. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { Server } from 'bun';
import type { Config } from '../config.ts';
import { messageOf, OperationError } from '../errors.ts';
import { explainFileError } from '../file-access.ts';
import { asCaller } from '../folder-owner.ts';
import { unforeseen } from '../http/failure.ts';
import type { Log } from '../log.ts';

/** How long a stop waits for the requests in flight, in milliseconds. */
const drainingTime = 8000;

/** How often the certificate's files are compared with those in use, in milliseconds. */
const renewalCheckInterval = 2000;

/** Key exchange with forward secrecy and authenticated encryption only: no RSA key exchange, no CBC. TLS 1.3 has no others. */
const ciphers = 'ECDHE+AESGCM:ECDHE+CHACHA20';

/** A certificate and its key, in PEM. */
interface Tls {
	cert: string;
	key: string;
	/** Changes when one of the files does. */
	version: string;
}

/** A port that is listened on. */
export interface Listener {
	url: URL;
	/** The address of the client that sent a request, or of the last proxy. */
	peerOf(request: Request): string | undefined;
	/**
	 * Lets the answer to a request take this many seconds in all, at most 255. Bun closes a connection whose answer is
	 * not complete after `idleTimeout`, even while parts of it are written.
	 */
	extendTimeout(request: Request, seconds: number): void;
	/** Takes no more requests and answers those in flight. */
	close(): Promise<void>;
}

type Fetch = (request: Request) => Response | Promise<Response>;

/**
 * Opens the port. A renewed certificate is used for new connections within seconds.
 * @throws OperationError naming the address, or the variable whose file cannot be used.
 */
export function listen(config: Config, fetch: Fetch, log: Log): Listener {
	let tls = readTls(config);
	const start = (port: number) => startServer({ config, port, tls, fetch, log });
	let server = start(config.PORT);
	// Known now only: a server that was stopped has no port any more.
	const port = server.port ?? config.PORT;
	let previous: Server<unknown> | undefined;
	let refused: string | undefined;

	function useRenewedCertificate(): void {
		try {
			const renewed = versionOf(config) === tls?.version ? undefined : readTls(config);
			if (renewed === undefined) return;
			tls = renewed;
			// Requests in flight are answered; Bun cannot change the certificate of a socket that listens.
			void server.stop();
			previous = server;
			server = start(port);
			refused = undefined;
			log.info('the certificate was renewed', { validTo: new X509Certificate(renewed.cert).validTo });
		} catch (error) {
			const problem = messageOf(error);
			if (problem !== refused) log.warn('the renewed certificate cannot be used', { error: problem });
			refused = problem;
		}
	}

	const timer = tls && setInterval(useRenewedCertificate, renewalCheckInterval);
	return {
		url: server.url,
		peerOf: (request) => (server.requestIP(request) ?? previous?.requestIP(request))?.address,
		extendTimeout(request, seconds) {
			server.timeout(request, seconds);
			previous?.timeout(request, seconds);
		},
		async close() {
			clearInterval(timer);
			await drain(server, log);
		},
	};
}

/** The configured certificate and key, or undefined without TLS. */
function readTls(config: Config): Tls | undefined {
	const { TLS_CERT_FILE, TLS_KEY_FILE } = config;
	if (TLS_CERT_FILE === undefined || TLS_KEY_FILE === undefined) return undefined;
	const version = versionOf(config);
	const [cert, key] = [readPem('TLS_CERT_FILE', TLS_CERT_FILE), readPem('TLS_KEY_FILE', TLS_KEY_FILE)];
	requirePair(cert, key, `TLS_CERT_FILE=${TLS_CERT_FILE} TLS_KEY_FILE=${TLS_KEY_FILE}`);
	return { cert, key, version };
}

function versionOf({ TLS_CERT_FILE, TLS_KEY_FILE }: Config): string {
	return asCaller(() =>
		[TLS_CERT_FILE, TLS_KEY_FILE]
			.map((path) => path && statSync(path, { throwIfNoEntry: false }))
			.map((found) => found && `${found.ino} ${found.mtimeMs} ${found.size}`)
			.join(),
	);
}

function readPem(variable: string, path: string): string {
	try {
		return asCaller(() => readFileSync(path, 'utf8'));
	} catch (error) {
		throw new OperationError(`cannot read ${variable}=${path}: ${explainFileError(path, error)}`);
	}
}

function requirePair(cert: string, key: string, files: string): void {
	let isPair: boolean;
	try {
		isPair = new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
	} catch (error) {
		throw new OperationError(`cannot use ${files}: ${messageOf(error)}`);
	}
	if (!isPair) throw new OperationError(`cannot use ${files}: the key does not belong to the certificate`);
}

interface Start {
	config: Config;
	port: number;
	tls: Tls | undefined;
	fetch: Fetch;
	log: Log;
}

function startServer({ config, port, tls, fetch, log }: Start): Server<unknown> {
	try {
		return asCaller(() =>
			Bun.serve({
				port,
				hostname: config.HOST,
				...(tls && { tls: { cert: tls.cert, key: tls.key, ciphers } }),
				fetch,
				error: (error) => unforeseen(error, log),
				development: false,
				// With it, two processes could listen on one port.
				reusePort: false,
				idleTimeout: 10,
				// Our own, smaller limit answers in the envelope; Bun's would close the connection.
				maxRequestBodySize: Number.MAX_SAFE_INTEGER,
			}),
		);
	} catch (error) {
		const place = `HOST=${config.HOST} PORT=${config.PORT}`;
		const files = tls ? ` TLS_CERT_FILE=${config.TLS_CERT_FILE} TLS_KEY_FILE=${config.TLS_KEY_FILE}` : '';
		throw new OperationError(`cannot listen on ${place}${files}: ${messageOf(error)}`);
	}
}

/** Stops a server; a client that never finishes its request must not delay the stop forever. */
async function drain(server: Server<unknown>, log: Log): Promise<void> {
	const outcome = await Promise.race([server.stop(), Bun.sleep(drainingTime).then(() => 'late' as const)]);
	if (outcome === 'late') {
		log.warn('closing connections that did not finish', { pending: server.pendingRequests });
		await Promise.race([server.stop(true), Bun.sleep(500)]);
	}
	// The last answers are logged one turn after they are given.
	await new Promise((resolve) => setImmediate(resolve));
}
