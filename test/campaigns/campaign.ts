/** A campaign: a safety claim that anybody can put to the test, in seconds or at length. */
import { noLimits } from '../../src/identity/guard/attempts.ts';
import { Service } from '../harness.ts';
import { seeded } from '../oracle.ts';
import { Server } from '../server.ts';
import type { World } from '../world.ts';

/** The figures of a campaign, in the order in which they are shown. */
export type Figures = Record<string, number | string>;

/** Random numbers from a seed. */
export type Chance = ReturnType<typeof seeded>;

/** The arguments of a campaign. */
export interface Tools {
	chance: Chance;
	report(step: string): void;
	/** Whether times count. Short forms run beside other tests, on a machine of any speed. */
	judgesTimes: boolean;
	/** Runs work on a new world without a throttle, then ends it. A short form runs in this process. */
	onWorld<T>(work: (world: World) => Promise<T>): Promise<T>;
}

/** A campaign at two scales: full for `bun run test:long`, and some seconds for `bun run test:campaigns`. */
export interface Campaign<Scale = unknown> {
	/** Its name on the command line. */
	name: string;
	/** The claim in one sentence. */
	claim: string;
	short: Scale;
	full: Scale;
	/** The seed of the short form, where other random numbers might prove too little in so short a time. */
	shortSeed?: number;
	/** Puts the claim to the test; throws on the first thing that refutes it. */
	run(scale: Scale, tools: Tools): Promise<Figures>;
}

// biome-ignore lint/suspicious/noExplicitAny: each campaign has a scale of its own, which only it looks into.
export type Campaigns = readonly Campaign<any>[];

/** A campaign that cannot run on this machine. */
export class NotPossibleHere extends Error {}

/** Runs a campaign, and names the seed of its random numbers, so that the run can be repeated with `CAMPAIGN_SEED`. */
export async function hold<Scale>(
	{ run, short, full, shortSeed }: Campaign<Scale>,
	form: 'short' | 'full',
	report: Tools['report'],
): Promise<Figures> {
	const isShort = form === 'short';
	const ownSeed = isShort ? shortSeed : undefined;
	const seed = Number(process.env.CAMPAIGN_SEED ?? ownSeed ?? Math.floor(Math.random() * 2 ** 31));
	const onWorld: Tools['onWorld'] = isShort ? onService : Server.with;
	try {
		const tools: Tools = { chance: seeded(seed), report, judgesTimes: !isShort, onWorld };
		return { ...(await run(isShort ? short : full, tools)), seed };
	} catch (error) {
		if (error instanceof Error && !(error instanceof NotPossibleHere)) error.message += ` (CAMPAIGN_SEED=${seed})`;
		throw error;
	}
}

/** Another sequence, derived from the first: for clients that take turns in no fixed order. */
export const branch = ({ below }: Chance): Chance => seeded(below(2 ** 31));

async function onService<T>(work: (world: World) => Promise<T>): Promise<T> {
	const service = await Service.start({ limits: noLimits });
	const result = await work(service);
	const errors = service.logged.filter((line) => line.includes('"level":"error"'));
	if (errors.length > 0) throw new Error(`the service logged ${errors.length} errors: ${errors[0]}`);
	return result;
}

/** Runs work on each value, some of them at once. */
export async function forEachAtOnce<T>(values: Iterable<T>, lanes: number, work: (value: T) => Promise<void>) {
	const left = values[Symbol.iterator]();
	const lane = async () => {
		for (let next = left.next(); !next.done; next = left.next()) await work(next.value);
	};
	await Promise.all(Array.from({ length: lanes }, lane));
}

/** Repeats other calls until some work is done. Returns the work's result. */
export async function repeatDuring<T>(work: () => Promise<T>, ...repeated: (() => Promise<unknown>)[]): Promise<T> {
	let isDone = false;
	const working = work().finally(() => {
		isDone = true;
	});
	const repeat = async (other: () => Promise<unknown>) => {
		while (!isDone) await other();
	};
	const [result] = await Promise.all([working, ...repeated.map(repeat)]);
	return result;
}

/** The value below which the given share of the values lies, such as 0.99. */
export function quantile(values: readonly number[], share: number): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Formats a count for people. */
export const counted = (count: number) => count.toLocaleString('en');
