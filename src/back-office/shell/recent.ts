/** What an account opened last: only kinds and ids, in this browser. */
import { base } from '../api/base.ts';
import { isSignedIn, session } from '../api/session.ts';

export const kinds = ['employees', 'stores', 'roles'] as const;
export type Kind = (typeof kinds)[number];

/** One thing that has a page. */
export interface Opened {
	kind: Kind;
	id: string;
}

const maxRecent = 8;

function key(): string {
	const state = session.get();
	return `recent:${base}:${isSignedIn(state) ? state.account : ''}`;
}

/** The newest first. */
export function recentlyOpened(): readonly Opened[] {
	try {
		const stored: unknown = JSON.parse(localStorage.getItem(key()) ?? '[]');
		return Array.isArray(stored) ? stored.flatMap(openedAt) : [];
	} catch {
		// The browser may forbid to keep anything, and anybody can change what is kept.
		return [];
	}
}

/** Notes the thing whose page has this path, if it has one. */
export function noteOpened(path: string): void {
	const [opened] = openedAt(path);
	if (!opened) return;
	const others = recentlyOpened().filter(({ kind, id }) => kind !== opened.kind || id !== opened.id);
	const paths = [opened, ...others].slice(0, maxRecent).map(({ kind, id }) => `/${kind}/${id}`);
	try {
		localStorage.setItem(key(), JSON.stringify(paths));
	} catch {
		// Then nothing is remembered.
	}
}

function openedAt(path: unknown): Opened[] {
	const [, kind, id] = /^\/(\w+)\/([1-9]\d{0,14})$/.exec(String(path)) ?? [];
	const known = kinds.find((each) => each === kind);
	return known && id ? [{ kind: known, id }] : [];
}
