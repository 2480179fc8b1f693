/** The short forms of campaigns as tests, for `bun run test:campaigns`; `bun run test:long` runs them at full length. */
import { expect, test } from 'bun:test';
import { removeFoldersAfterAll } from '../installation.ts';
import { noteUntested } from '../untested.ts';
import { type Campaigns, hold, NotPossibleHere } from './campaign.ts';

export function testShortForms(campaigns: Campaigns): void {
	removeFoldersAfterAll();
	test.each(campaigns)('short campaign $name: $claim', async (campaign) => {
		try {
			expect(Object.keys(await hold(campaign, 'short', () => {})).length).toBeGreaterThan(1);
		} catch (error) {
			if (!(error instanceof NotPossibleHere)) throw error;
			noteUntested(`campaign ${campaign.name}`, error.message);
		}
	});
}
