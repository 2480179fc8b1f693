/**
 * A short name of the program that sent a request, for people to recognise: `Chrome · Windows`.
 * Our own code: ua-parser-js is under the AGPL, and a name without versions takes few lines.
 */

type Names = readonly (readonly [name: string, pattern: RegExp])[];

/** The first that fits: many browsers also say that they are Chrome and Safari. */
const programs: Names = [
	['企业微信', /\bwxwork\//],
	['微信', /\bMicroMessenger\//],
	['钉钉', /\bDingTalk\//],
	['Edge', /\bEdg(?:e|A|iOS)?\//],
	['QQ 浏览器', /\bM?QQBrowser\//],
	['UC 浏览器', /\bUCBrowser\//],
	['华为浏览器', /\bHuaweiBrowser\//],
	['小米浏览器', /\bMiuiBrowser\//],
	['三星浏览器', /\bSamsungBrowser\//],
	['Opera', /\bOPR\//],
	['Firefox', /\b(?:Firefox|FxiOS)\//],
	['Chrome', /\b(?:Chrome|CriOS)\//],
	['Safari', /\bSafari\//],
];

const systems: Names = [
	['HarmonyOS', /\b(?:Open)?Harmony(?:OS)?\b/],
	['iPhone', /\biPhone\b/],
	['iPad', /\biPad\b/],
	['Android', /\bAndroid\b/],
	['Windows', /\bWindows\b/],
	['macOS', /\bMacintosh\b/],
	['ChromeOS', /\bCrOS\b/],
	['Linux', /\bLinux\b/],
];

/** The name that a `User-Agent` stands for; null when it says nothing. */
export function clientName(userAgent: string | null): string | null {
	const text = (userAgent ?? '').slice(0, 500);
	const nameIn = (names: Names) => names.find(([, pattern]) => pattern.test(text))?.[0];
	const names = [nameIn(programs) ?? firstProduct(text), nameIn(systems)];
	return names.filter((name) => name !== undefined).join(' · ') || null;
}

/** `curl` of `curl/8.5.0`. Everything that looks like a browser begins with `Mozilla`. */
function firstProduct(text: string): string | undefined {
	const product = /^[A-Za-z][\w.-]{0,29}(?=[/ ]|$)/.exec(text)?.[0];
	return product === 'Mozilla' ? undefined : product;
}
