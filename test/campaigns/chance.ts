/** The random numbers of a campaign: new ones in every run, the same ones with `CAMPAIGN_SEED`. */
import { seeded } from '../oracle.ts';

/** Numbers that follow from a seed. */
export type Chance = ReturnType<typeof seeded> & { seed: number };

/** The random numbers of this run, or of the run whose seed is in the environment. */
export function newChance(): Chance {
	const given = process.env.CAMPAIGN_SEED;
	const seed = given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given);
	return { ...seeded(seed), seed };
}

/** Another sequence, derived from the first: for clients that take turns in no fixed order. */
export function branch({ below }: Chance): Chance {
	const seed = below(2 ** 31);
	return { ...seeded(seed), seed };
}

/** Runs the work and adds the seed to the message of an error, so that the run can be repeated. */
export async function naming<T>({ seed }: Chance, work: () => Promise<T>): Promise<T> {
	try {
		return await work();
	} catch (error) {
		if (error instanceof Error) error.message += ` (CAMPAIGN_SEED=${seed})`;
		throw error;
	}
}
