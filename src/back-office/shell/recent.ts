/** The pages that an account opened last: only paths, in this browser. */
import { base } from '../api/base.ts';
import { isSignedIn, session } from '../api/session.ts';

/** The things with a page of their own. */
const pattern = /^\/(employees|stores|roles)\/[1-9]\d{0,14}$/;

const maxRecent = 8;

function key(): string {
	const state = session.get();
	return `recent:${base}:${isSignedIn(state) ? state.account : ''}`;
}

/** The paths of the pages, the newest first. */
export function recentlyOpened(): readonly string[] {
	try {
		const stored: unknown = JSON.parse(localStorage.getItem(key()) ?? '[]');
		return Array.isArray(stored) ? stored.filter((path) => pattern.test(path)) : [];
	} catch {
		// The browser may forbid to keep anything, and anybody can change what is kept.
		return [];
	}
}

/** Notes the thing whose page has this path, if it has one. */
export function noteOpened(path: string): void {
	if (!pattern.test(path)) return;
	const others = recentlyOpened().filter((each) => each !== path);
	try {
		localStorage.setItem(key(), JSON.stringify([path, ...others].slice(0, maxRecent)));
	} catch {
		// Then nothing is remembered.
	}
}
