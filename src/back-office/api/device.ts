/** Makes this browser known to the accounts that sign in here. The README of the back office says what is kept. */
import { serviceUrl } from './base.ts';

/** The key in `localStorage`; it has the path of the service in it, like that of the session. */
const name = `devices:${serviceUrl.pathname}`;

/** A till has some people, and a browser in an office few. */
const maxKept = 50;

/** The `Device-Token` of each username, the newest last. */
function kept(): [username: string, token: string][] {
	try {
		return Object.entries(JSON.parse(localStorage.getItem(name) ?? '{}'));
	} catch {
		return [];
	}
}

function keep(username: string, token: string): void {
	const others = kept().filter(([each]) => each !== username);
	const tokens = Object.fromEntries([...others, [username, token] as const].slice(-maxKept));
	try {
		localStorage.setItem(name, JSON.stringify(tokens));
	} catch {
		// Full or forbidden: no reason to refuse the sign-in.
	}
}

/** Makes a call with the password of an account, as a device that the account knows from then on. */
export async function onDevice<Reply extends { response: Response | undefined }>(
	username: string,
	call: (options: { headers: { 'device-token'?: string } }) => Promise<Reply>,
): Promise<Reply> {
	const known = new Map(kept()).get(username);
	const reply = await call({ headers: known === undefined ? {} : { 'device-token': known } });
	const token = reply.response?.headers.get('device-token');
	if (token) keep(username, token);
	return reply;
}
