/** The addresses to which a program sends people back after they signed in or out. */

/** The form of an address: https, or http on the loopback addresses; without a user, a wildcard or a fragment. */
export const redirectPattern =
	'^(?:https://[^/?#*@\\s]+|http://(?:127\\.0\\.0\\.1|\\[::1\\])(?::\\d+)?)(?:[/?][^#\\s]*)?$';

const form = new RegExp(redirectPattern);

/** Whether an address can be registered: it has the form, as a browser writes it. */
export function isRedirectUri(text: string): boolean {
	return form.test(text) && [text, `${text}/`].includes(URL.parse(text)?.href ?? '');
}

const loopback = /^http:\/\/(?:127\.0\.0\.1|\[::1\])(?=[:/]|$)(?::\d+)?/;

/** Whether an address is one of the registered ones. On the loopback addresses, any port will do (RFC 8252, 7.3). */
export function isRegistered(registered: readonly string[], uri: string): boolean {
	return registered.includes(uri) || (loopback.test(uri) && registered.map(withoutPort).includes(withoutPort(uri)));
}

function withoutPort(uri: string): string {
	const [start = ''] = loopback.exec(uri) ?? [];
	return start.replace(/:\d+$/, '') + uri.slice(start.length);
}
