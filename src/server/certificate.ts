/** The certificate of TLS and its private key. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { Config } from '../machine/config.ts';
import { explainFileError, requireRegularFile } from '../machine/file-access.ts';
import { asCaller } from '../machine/folder-owner.ts';
import { OperationError } from '../vocabulary/errors.ts';

/** A certificate and its key, in PEM. */
export interface Tls {
	cert: string;
	key: string;
	/** When the certificate ends. */
	validTo: Date;
	/** Changes when one of the files does. */
	version: string;
}

/**
 * The configured certificate and key, or undefined without TLS.
 * @throws OperationError naming the variable whose file cannot be used, or both when they do not belong together.
 */
export function readTls(config: Config): Tls | undefined {
	const { TLS_CERT_FILE, TLS_KEY_FILE } = config;
	if (TLS_CERT_FILE === undefined || TLS_KEY_FILE === undefined) return undefined;
	const version = tlsVersion(config);
	const cert = readPem('TLS_CERT_FILE', TLS_CERT_FILE);
	const key = readPem('TLS_KEY_FILE', TLS_KEY_FILE);
	const [certificate] = orFail(
		() => chainIn(cert),
		`TLS_CERT_FILE=${TLS_CERT_FILE} has no certificate, or a damaged one: give the chain in PEM`,
	);
	const privateKey = orFail(
		() => createPrivateKey(key),
		`TLS_KEY_FILE=${TLS_KEY_FILE} is not a usable private key: give an RSA or EC key in PEM, without a passphrase`,
	);
	if (!certificate.checkPrivateKey(privateKey)) {
		const files = `TLS_CERT_FILE=${TLS_CERT_FILE} and TLS_KEY_FILE=${TLS_KEY_FILE}`;
		throw new OperationError(`${files} do not belong together: give the key that the certificate was made for`);
	}
	return { cert, key, version, validTo: certificate.validToDate };
}

/** What changes when one of the files does. */
export function tlsVersion({ TLS_CERT_FILE, TLS_KEY_FILE }: Config): string {
	return asCaller(() => [TLS_CERT_FILE, TLS_KEY_FILE].map(versionOf).join());
}

function versionOf(path: string | undefined): string {
	try {
		const { ino, mtimeMs, size } = statSync(path ?? '');
		return `${ino} ${mtimeMs} ${size}`;
	} catch {
		return 'none';
	}
}

/** Whether others than the owner and the group can read a private key. */
export function isKeyExposed(path: string): boolean {
	return asCaller(() => (statSync(path).mode & 0o007) !== 0);
}

/**
 * The certificates of a PEM file. One by one, because a TLS context that cannot be made leaves an error behind, which
 * Bun throws at the next hash.
 */
function chainIn(pem: string): [X509Certificate, ...X509Certificate[]] {
	const [first = pem, ...others] = pem.match(/-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----/gs) ?? [];
	return [new X509Certificate(first), ...others.map((each) => new X509Certificate(each))];
}

function readPem(variable: string, path: string): string {
	try {
		return asCaller(() => {
			requireRegularFile(path, 'give a PEM file');
			return readFileSync(path, 'utf8');
		});
	} catch (error) {
		const problem = error instanceof OperationError ? error.message : explainFileError(path, error);
		throw new OperationError(`${variable}: ${problem}`);
	}
}

function orFail<T>(work: () => T, problem: string): T {
	try {
		return work();
	} catch {
		// OpenSSL's own words say nothing to an operator.
		throw new OperationError(problem);
	}
}
