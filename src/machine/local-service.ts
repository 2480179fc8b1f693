/** The service as it answers on the machine itself. */
import type { Config } from './config.ts';

type Listening = Pick<Config, 'HOST' | 'PORT' | 'TLS_CERT_FILE'>;

/** Where the service answers: on the machine itself, or at `name` when it listens on every address. */
export function localUrl({ HOST, PORT, TLS_CERT_FILE }: Listening, name = '127.0.0.1'): string {
	const isEverywhere = HOST === '0.0.0.0' || HOST === '::';
	const host = isEverywhere ? name : HOST.includes(':') ? `[${HOST}]` : HOST;
	return `${TLS_CERT_FILE ? 'https' : 'http'}://${host}:${PORT}`;
}

/** Whether it answers that all is well. */
export async function isHealthy(config: Listening): Promise<boolean> {
	try {
		// The name in the certificate is that of the shop, not of this machine.
		const options = { tls: { rejectUnauthorized: false }, signal: AbortSignal.timeout(5000) };
		return (await fetch(new URL('/health', localUrl(config)), options)).ok;
	} catch {
		return false;
	}
}
