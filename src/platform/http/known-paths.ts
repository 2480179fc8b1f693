/** Requests without a route: another method, or an unknown path. */
import { AppError, businessError } from '../vocabulary/errors.ts';
import { httpMessages } from './reply.ts';

/** The routes of an application, with paths as Elysia writes them. */
export type Routes = readonly { method: string; path: string }[];

/**
 * The refusal of a request that no route takes: 405 with the methods of the path, else 404, which names the path that
 * was probably meant.
 */
export function unknownPath({ method, url }: Pick<Request, 'method' | 'url'>, routes: Routes): AppError {
	const path = new URL(url).pathname;
	const allowed = methodsAt(routes, path);
	// A route can answer 404 itself.
	if (allowed.includes(method)) return new AppError('NOT_FOUND', httpMessages.unknownPath);
	if (allowed.length > 0)
		return businessError('METHOD_NOT_ALLOWED', 'method', httpMessages.wrongMethod(method, allowed));
	const single = path.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1');
	const meant = [single, `/api${single}`].find((each) => methodsAt(routes, each).length > 0);
	if (meant === undefined) return new AppError('NOT_FOUND', httpMessages.unknownPath);
	return businessError('NOT_FOUND', 'path', httpMessages.otherPath(meant));
}

function methodsAt(routes: Routes, path: string): string[] {
	const given = path.split('/');
	const methods = new Set(routes.filter((route) => fits(route.path, path, given)).map(({ method }) => method));
	if (methods.has('GET')) methods.add('HEAD');
	return Array.from(methods).toSorted();
}

function fits(template: string, path: string, given: readonly string[]): boolean {
	if (template.endsWith('/*')) return path.startsWith(template.slice(0, -1));
	const parts = template.split('/');
	const isSame = (part: string, index: number) =>
		part === given[index] || (part.startsWith(':') && given[index] !== '');
	return parts.length === given.length && parts.every(isSame);
}
