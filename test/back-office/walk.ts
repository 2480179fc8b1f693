/** A part of `bun run test:back-office`: every view on a desktop and a phone, light and dark. */
import { afterAll, describe, expect, test } from 'bun:test';
import { fillChain } from './chain.ts';
import { openScreens } from './screens.ts';
import { views } from './views.ts';
import { tooSmall, Visit } from './visit.ts';

const { browser, server } = await openScreens();
await fillChain(server);

let inspected = 0;
afterAll(() => console.log(`axe-core was content with ${inspected} views`));

describe.each([
	['desktop', 'light', 'all'],
	['desktop', 'dark', 'pages'],
	['phone', 'light', 'pages'],
	['phone', 'dark', 'all'],
] as const)('on a %s, %s', (kind, colorScheme, which) => {
	test.each(views.filter(({ act }) => which === 'all' || !act))('$name', async ({ path, act, by }) => {
		const visit = await Visit.enter(browser, server, path, { id: by, kind });
		await visit.page.emulateMedia({ colorScheme });
		await visit.settles();
		await act?.(visit);
		await visit.settles();
		await visit.satisfies();
		if (kind === 'phone') expect(await visit.page.evaluate(tooSmall)).toEqual([]);
		inspected += 1;
	});
});
