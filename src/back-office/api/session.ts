/** The account that is signed in here and in the other tabs of this browser. Decision 0004 says where its token is. */
import type { SignIn } from '../../features/auth/model.ts';
import { serviceUrl } from './base.ts';
import { createValue } from './value.ts';

/** A signed-in account with its token. */
export interface Session {
	token: string;
	/** The account, such as `EMPLOYEE:7`: another account starts with fresh screens. */
	account: string;
	username?: string;
	/** The time at which the token was received, in milliseconds since 1970 by this machine's clock. */
	receivedAt: number;
}

/** Nobody is signed in. */
export interface Ended {
	/** The reason why the session ended, if the person did not sign out. */
	reason?: string | undefined;
	/** The account whose screens, with everything typed there, are still behind the sign-in. */
	account?: string | undefined;
	username?: string | undefined;
}

/** The key in `sessionStorage` and the name of the channel, for both pages of the installation with this prefix. */
const name = `session:${serviceUrl.pathname}`;

/** The session of this tab. */
export const session = createValue<Session | Ended>(JSON.parse(sessionStorage.getItem(name) ?? '{}'));

/** Whether somebody is signed in. */
export function isSignedIn(state: Session | Ended): state is Session {
	return 'token' in state;
}

/** The token of requests, if there is one. */
export function currentToken(): string | undefined {
	const state = session.get();
	return isSignedIn(state) ? state.token : undefined;
}

function saveSession(next: Session): void {
	sessionStorage.setItem(name, JSON.stringify(next));
	session.set(next);
}

/** Starts a session or replaces its token, in this tab and in the other tabs of the account. */
export function beginSession({ token, user }: Pick<SignIn, 'token' | 'user'>): void {
	const { account: before } = session.get();
	const account = `${user.accountType}:${user.id}`;
	const next = { token, account, username: user.username, receivedAt: Date.now() };
	saveSession(next);
	if (before !== undefined && before !== next.account) showFirstPage();
	tabs.postMessage({ kind: 'session', session: next } satisfies Message);
}

/** The token is no longer valid: the sign-in covers the screens, which stay as they are. */
export function endSession(reason: string): void {
	const { account, username } = session.get();
	sessionStorage.removeItem(name);
	session.set({ reason, account, username });
}

/** Signs out here and at the service. If the service cannot be reached, the person is signed out here all the same. */
export function signOut(): void {
	const headers = { authorization: `Bearer ${currentToken()}` };
	fetch(new URL('api/auth/logout', serviceUrl), { method: 'POST', headers, keepalive: true }).catch(() => undefined);
	leave();
}

/** Signs the account out in all tabs of this browser. */
export function leave(): void {
	const { account } = session.get();
	forget();
	if (account !== undefined) tabs.postMessage({ kind: 'left', account } satisfies Message);
}

function forget(): void {
	sessionStorage.removeItem(name);
	session.set({});
	showFirstPage();
}

/** The next account may not be allowed to see the present page. */
function showFirstPage(): void {
	history.replaceState(null, '', document.baseURI);
}

/** The messages between the tabs of this browser; no other origin can read them. */
type Message = { kind: 'ask' } | { kind: 'session'; session: Session } | { kind: 'left'; account: string };

const tabs = new BroadcastChannel(name);

tabs.onmessage = ({ data }: MessageEvent<Message>) => {
	const state = session.get();
	if (data.kind === 'ask' && isSignedIn(state)) tabs.postMessage({ kind: 'session', session: state } satisfies Message);
	// Two tabs may belong to two accounts. A tab adopts a session only if it has none, or one of the same account.
	if (data.kind === 'session' && (!isSignedIn(state) || state.account === data.session.account))
		saveSession(data.session);
	if (data.kind === 'left' && state.account === data.account) forget();
};

/** Asks the other tabs for their session; resolves when one has answered, or after a moment. */
export async function askOtherTabs(): Promise<void> {
	if (isSignedIn(session.get())) return;
	const { promise, resolve } = Promise.withResolvers<void>();
	const stop = session.subscribe(resolve);
	setTimeout(resolve, 100);
	tabs.postMessage({ kind: 'ask' } satisfies Message);
	await promise;
	stop();
}
