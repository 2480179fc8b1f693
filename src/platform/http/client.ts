/** The client that sent a request: its address, and a name that people recognise. */
import QuickLRU from 'quick-lru';
import type { Log } from '../machine/log.ts';
import { canonicalAddress, isWithin, type Network } from '../vocabulary/network.ts';

/** The address of the client that sent a request; `unknown` when its connection is gone. */
export type AddressOf = (request: Request) => string;

interface Options {
	/** Proxies whose `X-Forwarded-For` is used. */
	trusted: readonly Network[];
	/** The address at the other end of the connection. */
	peerOf: (request: Request) => string | undefined;
	log: Log;
}

/**
 * Finds the client: the other end of the connection, or, if that is a trusted proxy, the right-most address of
 * `X-Forwarded-For` that is not one. Entries further left are the client's own and prove nothing.
 * Our own code: proxy-addr returns entries that are not addresses, and does not remove ports.
 */
export function clientAddress({ trusted, peerOf, log }: Options): AddressOf {
	let isWarned = false;
	// Clients return, and parsing an address takes a tenth of the time of a small request.
	const known = new QuickLRU<string, string>({ maxSize: 1000 });
	return (request) => {
		const address = peerOf(request) ?? '';
		let peer = known.get(address);
		if (peer === undefined) {
			peer = canonicalAddress(address) ?? 'unknown';
			known.set(address, peer);
		}
		const forwarded = request.headers.get('x-forwarded-for');
		if (forwarded === null) return peer;
		if (isWithin(peer, trusted)) return clientBehind(peer, forwarded, trusted);
		const advice = 'X-Forwarded-For is ignored: if it comes from a proxy of yours, set TRUST_PROXY';
		if (!isWarned) log.warn(advice, { proxy: peer });
		isWarned = true;
		return peer;
	};
}

/** The right-most address that is no trusted proxy. A proxy that added something else than an address is the client. */
function clientBehind(proxy: string, forwarded: string, trusted: readonly Network[]): string {
	let address = proxy;
	for (const entry of forwarded.split(',').toReversed()) {
		const next = canonicalAddress(withoutPort(entry.trim()));
		if (next === undefined || !isWithin(address, trusted)) return address;
		address = next;
	}
	return address;
}

/** The address in `203.0.113.7:51234`, `[2001:db8::1]:443` or `[2001:db8::1]`; any other text as it is. */
function withoutPort(entry: string): string {
	const [, bracketed, plain] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(entry) ?? [];
	return bracketed ?? plain ?? entry;
}

type Names = readonly (readonly [name: string, pattern: RegExp])[];

/** The first match counts: many browsers also claim to be Chrome and Safari. */
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

/**
 * A short name that people recognise for the program behind a `User-Agent`, such as `Chrome · Windows`; null when it says
 * nothing. Our own code: ua-parser-js is under the AGPL, and a name without versions takes few lines.
 */
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
