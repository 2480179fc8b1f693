/** The listening socket: TLS, the port, and the end of the last requests. */
import { readFileSync } from 'node:fs';
import type { Server } from 'bun';
import type { Config } from '../config.ts';
import { messageOf, OperationError } from '../errors.ts';
import { unforeseen } from '../http/failure.ts';
import type { Log } from '../log.ts';

/** How long a stop waits for the requests in flight, in milliseconds. */
const drainingTime = 8000;

/** A certificate and its key, in PEM. */
export interface Tls {
	cert: string;
	key: string;
}

/** The configured certificate and key, or undefined without TLS. @throws OperationError naming the variable whose file cannot be read. */
export function readTls({ TLS_CERT_FILE, TLS_KEY_FILE }: Config): Tls | undefined {
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

/** Opens the port. @throws OperationError naming the address. */
export function listen(config: Config, tls: Tls | undefined, fetch: Fetch, log: Log): Server<unknown> {
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
export async function drain(server: Server<unknown>, log: Log): Promise<void> {
	const outcome = await Promise.race([server.stop(), Bun.sleep(drainingTime).then(() => 'late' as const)]);
	if (outcome === 'late') {
		log.warn('closing connections that did not finish', { pending: server.pendingRequests });
		await Promise.race([server.stop(true), Bun.sleep(500)]);
	}
	// The last answers are reported a turn after they are given.
	await new Promise((resolve) => setImmediate(resolve));
}
