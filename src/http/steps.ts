/** Long work in steps of a few milliseconds, between which other requests are served. */
import pLimit from 'p-limit';

/** Work that gives way at each `yield`. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Lets other requests run between the steps. */
export async function inTurns<T>(steps: Steps<T>): Promise<T> {
	for (;;) {
		const step = steps.next();
		if (step.done) return step.value;
		await givenWay();
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

/** The turns of a program: one search after the other, and others are served in between. */
export function createSearchTurns(): SearchInTurn {
	const line = pLimit(1);
	return (search) =>
		line(async () => {
			await givenWay();
			return inTurns(search);
		});
}
