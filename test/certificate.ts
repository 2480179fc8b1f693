import { expect } from 'bun:test';
import { join } from 'node:path';
import { newFolder } from './program.ts';

const ellipticCurve = 'ec -pkeyopt ec_paramgen_curve:prime256v1';

/** Makes a key and a self-signed certificate at a path without extension. Returns the settings that name both files. */
export function makeCertificate(
	path = join(newFolder(), 'server'),
	{ subject = '/CN=localhost', kind = ellipticCurve, days = 2 } = {},
) {
	const files = { TLS_KEY_FILE: `${path}.key`, TLS_CERT_FILE: `${path}.pem` };
	const command = `openssl req -x509 -nodes -days ${days} -subj ${subject} -addext subjectAltName=IP:127.0.0.1 -newkey ${kind}`;
	const made = Bun.spawnSync([...command.split(' '), '-keyout', files.TLS_KEY_FILE, '-out', files.TLS_CERT_FILE]);
	expect(made.success, made.stderr.toString()).toBe(true);
	return files;
}
