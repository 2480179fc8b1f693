/** Headers of every answer: a browser must not cache it, frame it or guess its type. */
export const securityHeaders = {
	'cache-control': 'no-store',
	'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
	'cross-origin-resource-policy': 'same-origin',
	'referrer-policy': 'no-referrer',
	'x-content-type-options': 'nosniff',
	'x-frame-options': 'DENY',
} as const;

/** One more when the program itself speaks TLS: browsers must use TLS from then on. */
export const transportSecurityHeader = { 'strict-transport-security': 'max-age=31536000' } as const;
