/** What a campaign is: a claim of safety that anybody can put to the test, in minutes or at length. */

/** What a campaign measured and counted, in the order in which it is shown. */
export type Figures = Record<string, number | string>;

/** A campaign at two scales: the full one of `bun run test:long`, and a short one that is part of every test run. */
export interface Campaign<Scale = unknown> {
	/** As it is named on the command line. */
	name: string;
	/** What it claims, in one sentence. */
	claim: string;
	/** The rows of the safety requirements that it covers, such as `D1 D2`. */
	rows: string;
	short: Scale;
	full: Scale;
	/** Puts the claim to the test; throws on the first thing that refutes it. `tell` is for progress. */
	run(scale: Scale, tell: (step: string) => void): Promise<Figures>;
}

/** A campaign that cannot be held on this machine. */
export class NotPossibleHere extends Error {}

/** The value below which the given share of the values lies, such as 0.99. */
export function quantile(values: readonly number[], share: number): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
