/** A real Chromium that reaches no host except the program under test. */
import { type Browser, chromium, type Page } from 'playwright-core';
import { hanging } from './hanging.ts';
import { noteUntested } from './untested.ts';

/** The headless shell has the same engine, and needs a quarter less processor time. */
const executablePath = process.env.WITHOUT_BROWSER
	? null
	: (Bun.which('chromium-headless-shell') ?? Bun.which('chromium'));

/** Whether browser tests are skipped. CI must run them as an ordinary user; a run as root skips them. */
export const skipped = executablePath === null && !process.env.CI;
if (skipped) noteUntested('pages in a browser', 'there is no Chromium: apt-get install chromium-headless-shell');

/** Starts Chromium without name resolution. */
export function startBrowser(): Promise<Browser> {
	if (executablePath === null) throw new Error('there is no Chromium: .ci/run has to install it');
	return chromium.launch({
		executablePath,
		// Without UTF-8 every download is called "download".
		env: { ...process.env, LC_ALL: 'C.UTF-8' },
		args: [
			'--disable-quic',
			'--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
			// A tab lives for a minute, so the last stage of optimizing its scripts costs more than it saves. Tabs share compiled code.
			'--js-flags=--no-opt',
			'--process-per-site',
		],
	});
}

/** Collects what a page must not do from now on: requests to other hosts, script errors, breaches of the policy. */
export function complaintsOf(page: Page, url: string): string[] {
	// Shorter than the test's limit, so the error names the wait.
	page.setDefaultTimeout(hanging / 2);
	const complaints: string[] = [];
	page.on('request', (request) => {
		const { origin, protocol } = new URL(request.url());
		if (origin !== new URL(url).origin && !['data:', 'blob:'].includes(protocol)) complaints.push(request.url());
	});
	page.on('pageerror', (error) => complaints.push(error.stack ?? error.message));
	page.on('console', (message) => {
		// Chromium logs refused requests and unreachable hosts, which the screens report themselves.
		const isRefusal = message.text().startsWith('Failed to load resource');
		if (['error', 'warning'].includes(message.type()) && !isRefusal) complaints.push(message.text());
	});
	return complaints;
}
