/** A real Chromium that knows no other host than the program under test. */
import { type Browser, chromium } from 'playwright-core';
import { noteUntested } from './untested.ts';

/** The headless shell has the same engine, and needs a quarter less processor time. */
const executablePath = Bun.which('chromium-headless-shell') ?? Bun.which('chromium');

/** Whether tests in a browser are left out. CI has to run them. */
export const skipped = executablePath === null && !process.env.CI;
if (skipped) noteUntested('pages in a browser', 'there is no Chromium: apt-get install chromium-headless-shell');

/** Starts Chromium; no name leads anywhere. */
export function startBrowser(): Promise<Browser> {
	if (executablePath === null) throw new Error('there is no Chromium: .ci/run has to install it');
	return chromium.launch({
		executablePath,
		// Chromium has no sandbox for root.
		chromiumSandbox: process.getuid?.() !== 0,
		args: [
			...['--disable-quic', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
			// A page lives for seconds: to optimize its scripts takes more than it saves, and tabs share what is compiled.
			...['--js-flags=--no-opt --no-maglev', '--process-per-site'],
		],
	});
}
