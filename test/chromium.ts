/** A real Chromium that knows no other host than the program under test. */
import { type Browser, chromium, type Page } from 'playwright-core';
import { hanging } from './hanging.ts';
import { noteUntested } from './untested.ts';

/** The headless shell has the same engine, and needs a quarter less processor time. */
const executablePath = process.env.WITHOUT_BROWSER
	? null
	: (Bun.which('chromium-headless-shell') ?? Bun.which('chromium'));

/** Whether tests in a browser are left out. CI has to run them as an ordinary user; root's run leaves them out. */
export const skipped = executablePath === null && !process.env.CI;
if (skipped) noteUntested('pages in a browser', 'there is no Chromium: apt-get install chromium-headless-shell');

/** Starts Chromium; no name leads anywhere. */
export function startBrowser(): Promise<Browser> {
	if (executablePath === null) throw new Error('there is no Chromium: .ci/run has to install it');
	return chromium.launch({
		executablePath,
		// Without UTF-8 every download is called "download".
		env: { ...process.env, LC_ALL: 'C.UTF-8' },
		args: [
			'--disable-quic',
			'--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
			// A page lives for seconds: to optimize its scripts takes more than it saves, and tabs share what is compiled.
			'--js-flags=--no-opt --no-maglev',
			'--process-per-site',
		],
	});
}

/** From now on what a page does that it must not: requests to other hosts, errors of scripts, breaches of the policy. */
export function complaintsOf(page: Page, url: string): string[] {
	// Before the test itself, so that it says what it waited for.
	page.setDefaultTimeout(hanging / 2);
	const complaints: string[] = [];
	page.on('request', (request) => {
		const { origin, protocol } = new URL(request.url());
		if (origin !== new URL(url).origin && !['data:', 'blob:'].includes(protocol)) complaints.push(request.url());
	});
	page.on('pageerror', (error) => complaints.push(error.stack ?? error.message));
	page.on('console', (message) => {
		// Chromium reports what the service refuses, and what it cannot reach; the screens say so themselves.
		const isRefusal = message.text().startsWith('Failed to load resource');
		if (['error', 'warning'].includes(message.type()) && !isRefusal) complaints.push(message.text());
	});
	return complaints;
}
