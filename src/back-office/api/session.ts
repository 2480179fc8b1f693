/** Who is signed in, in this tab and in the others of this browser. README.md says why the token is kept where it is. */
import type { SignIn } from '../../auth/model.ts';
import { base } from './base.ts';
import { createValue } from './value.ts';

/** A sign-in that lives. */
export interface Session {
	token: string;
	/** The account, such as `EMPLOYEE:7`: the screens start afresh for another one. */
	account: string;
	/** When the token was received, in milliseconds since 1970 by this machine's clock. */
	receivedAt: number;
}

/** No session, and for the person the reason if it ended without their doing. */
export interface Ended {
	reason?: string;
	/** The account whose screens wait below the sign-in with what was typed. */
	account?: string;
}

/** Where the session is kept and spoken of. Another installation may be on the same origin, below another prefix. */
const name = `session:${base}`;

/** The session of this tab. */
export const session = createValue<Session | Ended>(stored() ?? {});

/** Whether somebody is signed in. */
export function isSignedIn(state: Session | Ended): state is Session {
	return 'token' in state;
}

/** The token that requests carry, if there is one. */
export function currentToken(): string | undefined {
	const state = session.get();
	return isSignedIn(state) ? state.token : undefined;
}

function stored(): Session | undefined {
	const text = sessionStorage.getItem(name);
	return text === null ? undefined : JSON.parse(text);
}

function keep(next: Session): void {
	sessionStorage.setItem(name, JSON.stringify(next));
	session.set(next);
}

/** Begins a session, or goes on with a new token, here and in the tabs that wait for one. */
export function beginSession({ token, user }: Pick<SignIn, 'token' | 'user'>): void {
	const { account: before } = session.get();
	const next = { token, account: `${user.accountType}:${user.id}`, receivedAt: Date.now() };
	keep(next);
	if (before !== undefined && before !== next.account) showFirstPage();
	tabs.postMessage({ kind: 'session', session: next } satisfies Message);
}

/** The token has ended: the screens stay as they are below the sign-in. */
export function endSession(reason: string): void {
	const { account } = session.get();
	sessionStorage.removeItem(name);
	session.set({ reason, ...(account && { account }) });
}

/** The person signs out of this browser: the token is forgotten in all of its tabs. */
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

/** The next account may have no use for the page of the last one. */
function showFirstPage(): void {
	history.replaceState(null, '', document.baseURI);
}

/** What tabs of this browser say to each other; no other origin can listen. */
type Message = { kind: 'ask' } | { kind: 'session'; session: Session } | { kind: 'left'; account: string };

const tabs = new BroadcastChannel(name);

tabs.onmessage = ({ data }: MessageEvent<Message>) => {
	const state = session.get();
	if (data.kind === 'ask' && isSignedIn(state)) tabs.postMessage({ kind: 'session', session: state } satisfies Message);
	// Two tabs may belong to two accounts: a session is taken over only where there is none, or the same one.
	if (data.kind === 'session' && (!isSignedIn(state) || state.account === data.session.account)) keep(data.session);
	if (data.kind === 'left' && state.account === data.account) forget();
};

/** Asks the other tabs for their session; resolves when one has answered, or after a moment. */
export async function askOtherTabs(): Promise<void> {
	if (isSignedIn(session.get())) return;
	await new Promise<void>((resolve) => {
		const stop = session.subscribe(resolve);
		setTimeout(() => {
			stop();
			resolve();
		}, 100);
		tabs.postMessage({ kind: 'ask' } satisfies Message);
	});
}
