/** The short form of every campaign; `bun run test:long` runs them at full length. */
import { afterAll, describe, expect, test } from 'bun:test';
import { campaigns } from './campaigns/all.ts';
import { NotPossibleHere } from './campaigns/campaign.ts';
import { removeFolders } from './program.ts';

afterAll(removeFolders);

describe('short campaign', () => {
	test.each(campaigns.map((campaign) => [campaign.name, campaign.claim, campaign] as const))(
		'%s: %s',
		async (_, _claim, { short, run }) => {
			try {
				expect(Object.keys(await run(short, () => {})).length).toBeGreaterThan(0);
			} catch (error) {
				if (!(error instanceof NotPossibleHere)) throw error;
				console.warn(`skipped: ${error.message}`);
			}
		},
		120_000,
	);
});
