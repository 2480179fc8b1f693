/** How the program must answer while its disk fails. */
import type { Answer } from '../http.ts';
import type { Server } from '../server.ts';

/** @throws Error unless an answer is the error envelope with a 5xx status. */
export function requireFailure({ status, body, text }: Answer): void {
	const error = body?.error;
	const isEnvelope =
		body?.success === false &&
		typeof error?.message === 'string' &&
		Array.isArray(error.details) &&
		error.code === { 500: 'INTERNAL_SERVER_ERROR', 503: 'SERVICE_UNAVAILABLE' }[status];
	if (!isEnvelope) throw new Error(`a failure must be the error envelope, and is ${status} ${text}`);
}

/** @throws Error unless lists are still answered. */
export async function requireRead(server: Server, token: string): Promise<void> {
	for (const path of ['/api/employees?pageSize=5', '/api/stores', '/api/auth/me']) {
		const { status, text } = await server.send('GET', path, { token });
		if (status !== 200) throw new Error(`GET ${path} must still be answered, and is ${status} ${text}`);
	}
}
