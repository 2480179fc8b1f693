import { AppError } from '../errors.ts';
import { httpMessages } from './messages.ts';

const wellFormed = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?$/i;

/** Elysia looks for the path from the 12th character of the URL: a shorter authority would hide a part of it. */
const shortestAuthority = 4;

/**
 * Refuses a request whose `Host` is missing, malformed or so short that the route would not be the one in the
 * path (decisions, "`Host`").
 * @throws AppError VALIDATION_ERROR
 */
export function requireHost({ url, headers }: Request): void {
	const host = headers.get('host');
	const start = url.indexOf('//') + 2;
	const tooShort = url.indexOf('/', start) - start < shortestAuthority;
	if (url.startsWith('/') || tooShort || (host !== null && !wellFormed.test(host))) {
		throw new AppError('VALIDATION_ERROR', httpMessages.invalid, {
			details: [{ path: 'headers.host', message: httpMessages.badHost }],
		});
	}
}
