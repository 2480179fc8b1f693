/** Makes this browser known to the accounts that sign in here. The README of the back office says what is kept. */
import { serviceUrl } from './base.ts';

/** The key in `localStorage`. It contains the path of the service, like the key of the session. */
const name = `devices:${serviceUrl.pathname}`;

/** The number of accounts that a browser keeps: a till has several users, an office only a few. */
const maxTokens = 50;

/** The `Device-Token` of each username, the newest last. */
function readTokens(): [username: string, token: string][] {
	try {
		return Object.entries(JSON.parse(localStorage.getItem(name) ?? '{}'));
	} catch {
		return [];
	}
}

function saveToken(username: string, token: string): void {
	const others = readTokens().filter(([each]) => each !== username);
	const tokens = Object.fromEntries([...others, [username, token] as const].slice(-maxTokens));
	try {
		localStorage.setItem(name, JSON.stringify(tokens));
	} catch {
		// The storage is full or forbidden. That is no reason to refuse the sign-in.
	}
}

/** Makes a call with an account's password. Afterwards the account knows this device. */
export async function onDevice<Reply extends { response: Response | undefined }>(
	username: string,
	call: (options: { headers: { 'device-token'?: string } }) => Promise<Reply>,
): Promise<Reply> {
	const known = new Map(readTokens()).get(username);
	const reply = await call({ headers: known === undefined ? {} : { 'device-token': known } });
	const token = reply.response?.headers.get('device-token');
	if (token) saveToken(username, token);
	return reply;
}
