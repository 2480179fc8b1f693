/** `bun run screenshots [FOLDER]`: a picture of every page on a desktop and a phone, light and dark, as PNG files. */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startBrowser } from '../chromium.ts';
import { removeFolders } from '../program.ts';
import { Server } from '../server.ts';
import { adminPassword, adminUsername } from '../world.ts';
import { fillChain } from './chain.ts';
import { scenes } from './scenes.ts';
import { Visit, viewports } from './visit.ts';

const kinds = ['desktop', 'phone'] as const;
const schemes = ['light', 'dark'] as const;
type Kind = (typeof kinds)[number];
type Scheme = (typeof schemes)[number];

/** What fits on a sheet of A4 between its margins. */
const paper = { width: 680, height: 1009 };

const folder = resolve(process.argv[2] ?? '.screenshots');
mkdirSync(folder, { recursive: true });
const [server, browser] = await Promise.all([Server.start({ CHAIN_NAME: '好邻居' }), startBrowser()]);
for (const kind of kinds) {
	for (const colorScheme of schemes) await takeEmpty(kind, colorScheme);
}
await fillChain(server);

/** Takes the pages of a chain that has nothing yet. */
async function takeEmpty(kind: Kind, colorScheme: Scheme): Promise<void> {
	const visit = await Visit.openAsSuper(browser, server.url, '', kind);
	await visit.page.emulateMedia({ colorScheme });
	for (const path of ['overview', 'stores', 'employees']) {
		await visit.load(path);
		await visit.page.waitForLoadState('networkidle');
		await visit.page.screenshot({ path: join(folder, `${kind}-${colorScheme}-${path}-empty.png`) });
	}
	await visit.end();
}

/** Takes all pictures of one kind. */
async function takeAll(kind: Kind, colorScheme: Scheme): Promise<void> {
	const visit = await Visit.open(browser, server.url, '', kind);
	await visit.page.emulateMedia({ colorScheme });
	const take = (name: string) => visit.page.screenshot({ path: join(folder, `${kind}-${colorScheme}-${name}.png`) });
	await visit.page.getByLabel('密码').waitFor();
	await take('sign-in');
	await visit.signIn(adminUsername, adminPassword);
	for (const [name, path, act] of scenes) {
		await visit.load(path);
		await visit.page.locator('.header, .own').first().waitFor();
		await visit.page.waitForLoadState('networkidle');
		await act?.(visit);
		await visit.page.waitForTimeout(300);
		await take(name);
		if (!name.startsWith('slip')) continue;
		await visit.page.setViewportSize(paper);
		await visit.page.emulateMedia({ media: 'print' });
		await take(`${name}-printed`);
		await visit.page.emulateMedia({ media: null });
		await visit.page.setViewportSize(viewports[kind]);
		await visit.closeSlips();
	}
	if (kind === 'phone') {
		await visit.goto('employees');
		await visit.button('更多').click();
		await visit.page.waitForTimeout(300);
		await take('menu');
	}
	await visit.end();
}

for (const kind of kinds) {
	for (const colorScheme of schemes) await takeAll(kind, colorScheme);
}
await browser.close();
await server.program.end('SIGKILL');
await removeFolders();
console.log(folder);
