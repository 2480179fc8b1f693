/** Headers that every answer carries: nothing here is for a browser to keep, frame or guess about. */
export const securityHeaders = {
	'cache-control': 'no-store',
	'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
	'cross-origin-resource-policy': 'same-origin',
	'referrer-policy': 'no-referrer',
	'x-content-type-options': 'nosniff',
	'x-frame-options': 'DENY',
} as const;

/** Also when the program itself speaks TLS: browsers are to come back by TLS only. */
export const transportSecurityHeader = { 'strict-transport-security': 'max-age=31536000' } as const;
