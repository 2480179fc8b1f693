/** A browser and a server for all tests of a file. */
import { afterAll, afterEach, setDefaultTimeout } from 'bun:test';
import type { Browser } from 'playwright-core';
import { skipped, startBrowser } from '../chromium.ts';
import { hanging } from '../hanging.ts';
import { removeFolders } from '../program.ts';
import { Server } from '../server.ts';
import { type Guest, Visit } from './visit.ts';

interface Screens {
	browser: Browser;
	server: Server;
	/** Starts a visit of a signed-in person. */
	enter(path?: string, guest?: Guest): Promise<Visit>;
}

/** Opens a browser and a server for all tests of the file. Without Chromium, the tests are skipped. */
export async function openScreens(environment: Record<string, string> = {}): Promise<Screens> {
	setDefaultTimeout(hanging);
	if (skipped) return {} as Screens;
	let browser: Browser | undefined;
	afterEach(Visit.endAll);
	afterAll(async () => {
		await browser?.close();
		await removeFolders();
	});
	const server = await Server.start(environment);
	const opened = await startBrowser();
	browser = opened;
	return { browser, server, enter: (path = '', guest = {}) => Visit.enter(opened, server, path, guest) };
}
