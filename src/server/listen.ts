/** The listening socket: its port, renewed certificates, and the last requests before a stop. */
import type { Server } from 'bun';
import type { Fetch } from '../platform/http/edge.ts';
import { answerUnforeseen } from '../platform/http/failure.ts';
import type { Config } from '../platform/machine/config.ts';
import { asCaller } from '../platform/machine/folder-owner.ts';
import type { Log } from '../platform/machine/log.ts';
import { userName } from '../platform/machine/user-name.ts';
import { codeOf, messageOf, OperationError } from '../platform/vocabulary/errors.ts';
import { readTls, type Tls } from './certificate.ts';

/** The time that a stop waits for the requests in flight, in milliseconds. A log without a reader adds 2.5 s. */
const drainingTime = 6000;

/** The interval at which the certificate's files are compared with the certificate in use, in milliseconds. */
const renewalCheckInterval = 2000;

/** Only forward secrecy and authenticated encryption: no RSA key exchange, no CBC. TLS 1.3 has nothing else. */
const ciphers = 'ECDHE+AESGCM:ECDHE+CHACHA20';

interface Socket {
	config: Config;
	log: Log;
	tls: Tls | undefined;
	server?: Server<unknown>;
	/** The server with the earlier certificate, which still answers requests in flight. */
	previous?: Server<unknown> | undefined;
	/** The logged problem of the renewed certificate. */
	loggedProblem?: string | undefined;
}

/** Makes the listener of a port. New connections get a renewed certificate within seconds. */
export function createListener(config: Config, tls: Tls | undefined, log: Log) {
	const socket: Socket = { config, log, tls };
	let timer: ReturnType<typeof setInterval> | undefined;
	return {
		/** Opens the port for requests. @throws OperationError naming the address */
		open(fetch: Fetch): URL {
			const server = startServer(socket, config.PORT, fetch);
			socket.server = server;
			// Kept for renewals, because a stopped server has no port.
			const port = server.port ?? config.PORT;
			if (tls) timer = setInterval(() => tryRenewal(socket, port, fetch), renewalCheckInterval);
			return server.url;
		},
		/** The address of a request's client, or of the last proxy. */
		peerOf: (request: Request) => (socket.server?.requestIP(request) ?? socket.previous?.requestIP(request))?.address,
		/** Allows an answer up to 255 seconds: after `idleTimeout`, Bun ends even an answer that is being written. */
		extendTimeout(request: Request, seconds: number): void {
			socket.server?.timeout(request, seconds);
			socket.previous?.timeout(request, seconds);
		},
		/** Refuses new requests and answers those in flight. */
		async close(): Promise<void> {
			clearInterval(timer);
			await Promise.all([socket.previous, socket.server].map((server) => server && drain(server, log)));
		},
	};
}

/** Uses a renewed certificate, if there is one. A problem is logged once. */
function tryRenewal(socket: Socket, port: number, fetch: Fetch): void {
	const { config, log } = socket;
	try {
		const renewed = readTls(config);
		if (renewed?.cert !== socket.tls?.cert || renewed?.key !== socket.tls?.key) {
			// Bun cannot change the certificate of a listening socket. Requests in flight are answered.
			void socket.server?.stop();
			socket.previous = socket.server;
			// Each check tries to open the port until it is open again, even with the old files.
			socket.tls = undefined;
			socket.server = startServer({ ...socket, tls: renewed }, port, fetch);
			socket.tls = renewed;
			log.info('the certificate was renewed', { validTo: renewed?.validTo });
		}
		socket.loggedProblem = undefined;
	} catch (error) {
		const problem = messageOf(error);
		if (problem !== socket.loggedProblem) log.warn('the renewed certificate cannot be used', { error: problem });
		socket.loggedProblem = problem;
	}
}

function startServer({ config: { HOST }, log, tls }: Socket, port: number, fetch: Fetch): Server<unknown> {
	try {
		return asCaller(() =>
			Bun.serve({
				port,
				hostname: HOST,
				...(tls && { tls: { cert: tls.cert, key: tls.key, ciphers } }),
				fetch,
				error: (error) => answerUnforeseen(error, log),
				development: false,
				// Otherwise two processes could listen on one port.
				reusePort: false,
				idleTimeout: 10,
				// Our own, smaller limit answers in the envelope. Bun's limit would close the connection.
				maxRequestBodySize: Number.MAX_SAFE_INTEGER,
			}),
		);
	} catch (error) {
		throw new OperationError(`cannot listen on HOST=${HOST} PORT=${port}: ${explainListening(error, port)}`);
	}
}

/** Explains why an address cannot be listened on, and what to change. */
export function explainListening(error: unknown, port: number): string {
	const code = codeOf(error);
	if (code === 'EACCES') {
		const remedy = 'choose a port from 1024 on, or give the unit AmbientCapabilities=CAP_NET_BIND_SERVICE';
		return `${userName(process.getuid?.())} may not use port ${port}, ${remedy}`;
	}
	if (code === 'EADDRINUSE' && port !== 0) return 'another program listens there, stop it or choose another port';
	return 'the host is not an address of this machine, choose one that is, or 0.0.0.0 for all';
}

/** Stops a server. A client that never finishes its request delays the stop only for a while. */
async function drain(server: Server<unknown>, log: Log): Promise<void> {
	const outcome = await Promise.race([server.stop(), Bun.sleep(drainingTime).then(() => 'late' as const)]);
	if (outcome === 'late') {
		log.warn('closing connections that did not finish', { pending: server.pendingRequests });
		await Promise.race([server.stop(true), Bun.sleep(500)]);
	}
}
