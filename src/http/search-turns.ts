/**
 * Long lists are found one after the other, and others are served in between: counting what a million people have in common
 * takes 60 ms, and four such requests that arrive together would be answered in one go.
 */
import pLimit from 'p-limit';

/** Resolves when it is a request's turn to search. What it does without waiting is its turn. */
export type SearchTurn = () => Promise<void>;

/** The turns of a program. */
export function createSearchTurns(): SearchTurn {
	const line = pLimit(1);
	return () => line(() => new Promise((resolve) => setImmediate(resolve)));
}
