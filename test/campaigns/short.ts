/** The short forms of campaigns as tests, for `bun run test:campaigns`; `bun run test:long` runs them at full length. */
import { expect, test } from 'bun:test';
import { removeFoldersAfterAll } from '../installation.ts';
import { noteUntested } from '../untested.ts';
import { type Campaign, hold, NotPossibleHere } from './campaign.ts';

// biome-ignore lint/suspicious/noExplicitAny: each campaign has a scale of its own, which only it looks into.
export function testShortForms(campaigns: readonly Campaign<any>[]): void {
	removeFoldersAfterAll();

	const rows = campaigns.map((campaign) => [campaign.name, campaign.claim, campaign] as const);
	test.each(rows)('short campaign %s: %s', async (name, _claim, campaign) => {
		try {
			expect(Object.keys(await hold(campaign, 'short', () => {})).length).toBeGreaterThan(1);
		} catch (error) {
			if (!(error instanceof NotPossibleHere)) throw error;
			noteUntested(`campaign ${name}`, error.message);
		}
	});
}
