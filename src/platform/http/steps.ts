/** Long work in steps of a few milliseconds, between which other requests are served. */
import pLimit from 'p-limit';

/** Work that gives way at each `yield`. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Lets other requests run before each step. */
async function inTurns<T>(steps: Steps<T>): Promise<T> {
	for (;;) {
		await givenWay();
		const step = steps.next();
		if (step.done) return step.value;
	}
}

/** Resolves when others have been served. */
export function givenWay(): Promise<void> {
	return new Promise((resolve) => setImmediate(resolve));
}

/** All steps at once, where nobody else may change anything in between. */
export function toTheEnd<T>(steps: Steps<T>): T {
	for (;;) {
		const step = steps.next();
		if (step.done) return step.value;
	}
}

/** Runs a search when it is its turn. */
export type SearchInTurn = <T>(search: Steps<T>) => Promise<T>;

/** The turns of a program: what takes one step is done at once; other searches follow each other, and others are served in between. */
export function createSearchTurns(): SearchInTurn {
	const line = pLimit(1);
	return async (search) => {
		const first = search.next();
		return first.done ? first.value : line(() => inTurns(search));
	};
}
