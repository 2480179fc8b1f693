/** `bun run screenshots [FOLDER [VIEW…]]`: PNG files of the views, or of some, on a desktop and a phone, light and dark. */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startBrowser } from '../chromium.ts';
import { removeFolders } from '../program.ts';
import { Server } from '../server.ts';
import { fillChain } from './chain.ts';
import { type View, views } from './views.ts';
import { Visit, viewports } from './visit.ts';

const kinds = ['desktop', 'phone'] as const;
const schemes = ['light', 'dark'] as const;

/** The printable area of a sheet of A4. */
const paper = { width: 680, height: 1009 };

const [, , given = '.screenshots', ...names] = process.argv;
const folder = resolve(given);
mkdirSync(folder, { recursive: true });
const [server, browser] = await Promise.all([Server.start({ CHAIN_NAME: '好邻居' }), startBrowser()]);

/** Takes pictures in all four variants. */
async function take(chosen: readonly View[]): Promise<void> {
	for (const kind of kinds) {
		for (const scheme of schemes) {
			for (const view of chosen.filter(({ name }) => names.length === 0 || names.includes(name))) {
				await takePicture(view, kind, scheme).catch((error) => console.error(`${kind} ${view.name}: ${error.message}`));
			}
		}
	}
}

async function takePicture(
	{ name, path, act, by }: View,
	kind: (typeof kinds)[number],
	colorScheme: (typeof schemes)[number],
) {
	const visit = await Visit.enter(browser, server, path, { id: by, kind });
	await visit.page.emulateMedia({ colorScheme });
	await visit.settles();
	await act?.(visit);
	await visit.settles();
	const file = (suffix = '') => ({ path: join(folder, `${kind}-${colorScheme}-${name}${suffix}.png`) });
	await visit.page.screenshot(file());
	if (name.startsWith('slip')) {
		await visit.page.setViewportSize(paper);
		await visit.page.emulateMedia({ media: 'print' });
		await visit.page.screenshot(file('-printed'));
		await visit.page.setViewportSize(viewports[kind]);
	}
	await visit.end();
}

// An empty chain.
await take(['overview', 'stores', 'employees'].map((path) => ({ name: `${path}-empty`, path })));
await fillChain(server);
await take(views);
await browser.close();
await server.program.end('SIGKILL');
await removeFolders();
console.log(folder);
