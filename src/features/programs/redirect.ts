/** The addresses to which a program sends people back after they signed in or out. */

const loopback = /^http:\/\/(?:127\.0\.0\.1|\[::1\])(?=[:/]|$)(?::\d+)?/;

/** Whether an address can be registered: https, or http on the loopback addresses, as a browser writes it. */
export function isRedirectUri(text: string): boolean {
	const { href, hash, username, password, protocol, hostname } = URL.parse(text) ?? {};
	if (href !== text && href !== `${text}/`) return false;
	const isPlain = hash === '' && !text.includes('#') && username === '' && password === '' && !hostname?.includes('*');
	return isPlain && (protocol === 'https:' || loopback.test(text));
}

/** Whether an address is one of the registered ones. On the loopback addresses, any port will do (RFC 8252, 7.3). */
export function isRegistered(registered: readonly string[], uri: string): boolean {
	return registered.includes(uri) || (loopback.test(uri) && registered.map(withoutPort).includes(withoutPort(uri)));
}

function withoutPort(uri: string): string {
	const [start = ''] = loopback.exec(uri) ?? [];
	return start.replace(/:\d+$/, '') + uri.slice(start.length);
}
