/** The addresses to which a program sends people back after they signed in or out. */

/** The form of an address: https, or http on the loopback addresses; without a user, a wildcard or a fragment. */
export const redirectPattern =
	'^(?:https://[^/?#*@\\s]+|http://(?:127\\.0\\.0\\.1|\\[::1\\])(?::\\d+)?)(?:[/?][^#\\s]*)?$';

const form = new RegExp(redirectPattern);

/** Whether an address can be registered: it has the form, as a browser writes it. */
export function isRedirectUri(text: string): boolean {
	return form.test(text) && [text, `${text}/`].includes(URL.parse(text)?.href ?? '');
}

/** Whether an address is one of the registered ones. On the loopback addresses, any port will do (RFC 8252, 7.3). */
export function isRegistered(registered: readonly string[], uri: string): boolean {
	return registered.map(withoutPort).includes(withoutPort(uri));
}

/** A loopback address without its port; any other address as it is. */
const withoutPort = (uri: string) => uri.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\])):\d+(?=\/|$)/, '$1');
