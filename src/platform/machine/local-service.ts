/** The address of the service on the machine itself, and its health. */
import type { Config } from './config.ts';

type Listening = Pick<Config, 'HOST' | 'PORT' | 'TLS_CERT_FILE'>;

/** The address of the service. A service that listens on every address is reached at `name`. */
export function localUrl({ HOST, PORT, TLS_CERT_FILE }: Listening, name = '127.0.0.1'): string {
	const isEverywhere = HOST === '0.0.0.0' || HOST === '::';
	const host = isEverywhere ? name : HOST;
	const inUrl = host.includes(':') ? `[${host}]` : host;
	return `${TLS_CERT_FILE ? 'https' : 'http'}://${inUrl}:${PORT}`;
}

/** The address of the back office: below `PUBLIC_URL`, else below the address of the service. */
export function backOfficeUrl(
	{ PUBLIC_URL, ...config }: Listening & Pick<Config, 'PUBLIC_URL'>,
	name?: string,
): string {
	return new URL('back-office/', PUBLIC_URL ?? localUrl(config, name)).href;
}

/** The status of the health check, 200 when all is well. Undefined without an answer. */
export async function findHealthStatus(config: Listening): Promise<number | undefined> {
	// The certificate has the name of the shop, not of this machine.
	const tls = { rejectUnauthorized: false };
	// A proxy in the environment, such as HTTP_PROXY, does not reach this machine.
	const options = { tls, proxy: false, signal: AbortSignal.timeout(5000) } as const;
	const answer = await fetch(`${localUrl(config)}/health`, options).catch(() => undefined);
	return answer?.status;
}
