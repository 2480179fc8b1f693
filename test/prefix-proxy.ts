import type { makeCertificate } from './certificate.ts';

type Certificate = ReturnType<typeof makeCertificate>;

/** Starts a reverse proxy for other servers, each below a prefix such as `/chain`. A certificate turns on TLS. */
export function prefixProxy(targets: Record<`/${string}`, string>, certificate?: Certificate) {
	return Bun.serve({
		...(certificate && { tls: { key: Bun.file(certificate.TLS_KEY_FILE), cert: Bun.file(certificate.TLS_CERT_FILE) } }),
		port: 0,
		hostname: '127.0.0.1',
		async fetch(request) {
			const { pathname, search } = new URL(request.url);
			const [prefix, target] = Object.entries(targets).find(([each]) => pathname.startsWith(`${each}/`)) ?? [];
			if (prefix === undefined) return new Response('', { status: 404 });
			const { method, headers } = request;
			const body = method === 'GET' ? null : await request.arrayBuffer();
			const path = pathname.slice(prefix.length);
			const tls = { rejectUnauthorized: false };
			return fetch(`${target}${path}${search}`, { method, headers, body, redirect: 'manual', decompress: false, tls });
		},
	});
}
