/** The certificate of TLS and its private key. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { Config } from '../platform/machine/config.ts';
import { shellWord, withExplanation } from '../platform/machine/file-access.ts';
import { asCaller } from '../platform/machine/folder-owner.ts';
import { OperationError, orUndefined } from '../platform/vocabulary/errors.ts';

export type Tls = NonNullable<ReturnType<typeof readTls>>;

/**
 * The configured certificate and key in PEM, and the end of the certificate. Undefined without TLS.
 * @throws OperationError naming the variable with an unusable file, or both variables if the files do not belong
 * together
 */
export function readTls({ TLS_CERT_FILE, TLS_KEY_FILE }: Config) {
	if (TLS_CERT_FILE === undefined || TLS_KEY_FILE === undefined) return undefined;
	const cert = readPem('TLS_CERT_FILE', TLS_CERT_FILE);
	const key = readPem('TLS_KEY_FILE', TLS_KEY_FILE);
	const [certFile, keyFile] = [`TLS_CERT_FILE=${TLS_CERT_FILE}`, `TLS_KEY_FILE=${TLS_KEY_FILE}`];
	// The words of OpenSSL mean nothing to an operator.
	const certificate = orUndefined(() => parseChain(cert));
	if (!certificate) throw new OperationError(`${certFile} has no certificate, or a damaged one: give the chain in PEM`);
	const privateKey = orUndefined(() => createPrivateKey(key));
	const usable = 'an RSA or EC key in PEM, without a passphrase';
	if (!privateKey) throw new OperationError(`${keyFile} is not a usable private key: give ${usable}`);
	if (!certificate.checkPrivateKey(privateKey)) {
		const remedy = 'give the key that the certificate was made for';
		throw new OperationError(`${certFile} and ${keyFile} do not belong together: ${remedy}`);
	}
	return { cert, key, validTo: certificate.validToDate };
}

/** The problem of a private key that users besides the owner and the group can read. */
export function findExposedKey({ TLS_KEY_FILE: path }: Config): string | undefined {
	const isExposed = path !== undefined && asCaller(() => (statSync(path).mode & 0o007) !== 0);
	return isExposed ? `every user of this machine can read ${path}: run chmod o= ${shellWord(path)}` : undefined;
}

/**
 * The first certificate of a PEM file. All are parsed, one by one, because a TLS context that fails leaves an error
 * behind, which Bun throws at the next hash.
 */
function parseChain(pem: string): X509Certificate | undefined {
	const found = pem.match(/-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----/gs) ?? [pem];
	const [first] = found.map((each) => new X509Certificate(each));
	return first;
}

function readPem(variable: string, path: string): string {
	return withExplanation(path, () => asCaller(() => readFileSync(path, 'utf8')), `${variable}: `);
}
