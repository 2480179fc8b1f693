/** The service as it answers on the machine itself. */
import type { Config } from './config.ts';

type Listening = Pick<Config, 'HOST' | 'PORT' | 'TLS_CERT_FILE'>;

/** Where the service answers: on the machine itself, or at `name` when it listens on every address. */
export function localUrl({ HOST, PORT, TLS_CERT_FILE }: Listening, name = '127.0.0.1'): string {
	const isEverywhere = HOST === '0.0.0.0' || HOST === '::';
	const host = isEverywhere ? name : HOST.includes(':') ? `[${HOST}]` : HOST;
	return `${TLS_CERT_FILE ? 'https' : 'http'}://${host}:${PORT}`;
}

/** Where people open the back office: below `PUBLIC_URL`, else where the service answers. */
export function backOfficeUrl(
	{ PUBLIC_URL, ...config }: Listening & Pick<Config, 'PUBLIC_URL'>,
	name?: string,
): string {
	return new URL('back-office/', PUBLIC_URL ?? localUrl(config, name)).href;
}

/** The status that it answers when it is asked for its health, 200 when all is well; undefined when nobody answers. */
export async function healthStatus(config: Listening): Promise<number | undefined> {
	try {
		// The name in the certificate is that of the shop, not of this machine.
		const options = { tls: { rejectUnauthorized: false }, signal: AbortSignal.timeout(5000) };
		return (await fetch(new URL('/health', localUrl(config)), options)).status;
	} catch {
		return undefined;
	}
}
