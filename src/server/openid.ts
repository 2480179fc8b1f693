/** The provider of OpenID Connect of an installation. */
import { readFileSync } from 'node:fs';
import { createSigningKeys, makeSigningKey } from '../features/openid/keys.ts';
import type { Provider } from '../features/openid/page.ts';
import type { Config } from '../platform/machine/config.ts';
import { addOpenidKey, parseSecrets, readSecrets, type StoredKey } from '../platform/machine/secrets.ts';
import { OperationError } from '../platform/vocabulary/errors.ts';
import { isLoopback } from '../platform/vocabulary/network.ts';

/** The reason why programs cannot sign people in; undefined if they can. */
export function openidProblem({ PUBLIC_URL: url }: Pick<Config, 'PUBLIC_URL'>): string | undefined {
	if (url === undefined) return 'PUBLIC_URL is not set';
	const { protocol, hostname } = new URL(url);
	const isSafe = protocol === 'https:' || isLoopback(hostname.replace(/^\[|\]$/g, ''));
	return isSafe ? undefined : 'PUBLIC_URL begins with http:, so passwords could be read on the network';
}

/** Creates the provider, and its key on the first start with one. @returns undefined where it is off */
export async function createProvider(
	config: Config,
	clock: () => Date,
	page: Provider['page'],
): Promise<Provider | undefined> {
	if (config.PUBLIC_URL === undefined || openidProblem(config) !== undefined) return undefined;
	const { secrets } = config.folder;
	if (!readSecrets(secrets).OPENID_KEYS) addOpenidKey(secrets, await makeSigningKey(clock().toISOString()));
	const keys = createSigningKeys(() => readKeys(secrets), clock);
	return { issuer: config.PUBLIC_URL.replace(/\/$/, ''), keys, page };
}

/** The keys in the file at this moment, because a command can add one. */
function readKeys(path: string): readonly [StoredKey, ...StoredKey[]] {
	const [newest, ...older] = parseSecrets(readFileSync(path, 'utf8'), path).OPENID_KEYS ?? [];
	if (!newest) throw new OperationError(`${path} has no key of OpenID Connect: start the server again`);
	return [newest, ...older];
}
