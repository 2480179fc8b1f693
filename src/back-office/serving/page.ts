import type { Files } from './bundle.ts';

/** The installation's settings for pages; a page leaves out those that are not set. */
export interface Site {
	chainName?: string | undefined;
	/** The address at which people open it, with a slash at the end. */
	publicUrl?: string | undefined;
}

/** The differences between the pages. */
export interface Page {
	/** The title before the name of the chain; absent for the back office. */
	title?: string;
	/** The path to the page itself from the address in the browser. */
	base?: string;
	/** The content of the sign-in page of OpenID Connect. */
	openid?: object;
}

/** A page as HTML. Its addresses are relative, so that they also hold behind a proxy that adds a prefix. */
export function htmlOf(
	{ entry, style }: Files,
	{ chainName = '', publicUrl = '' }: Site,
	{ title, base = './', openid }: Page,
): string {
	const name = [title, chainName].filter(Boolean).join(' · ') || '门店管理后台';
	const assets = '../back-office/assets';
	return `<!doctype html>
<html lang="zh-CN">
<head>
<meta charset="utf-8">
<base href="${base}">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="chain-name" content="${Bun.escapeHTML(chainName)}">
<meta name="public-url" content="${Bun.escapeHTML(publicUrl)}">
<meta name="utc-offset" content="${-new Date().getTimezoneOffset()}">
<meta name="openid" content="${openid ? Bun.escapeHTML(JSON.stringify(openid)) : ''}">
<title>${Bun.escapeHTML(name)}</title>
<link rel="icon" href="${iconOf(chainName)}">
<link rel="stylesheet" href="${assets}/${style}">
<script type="module" src="${assets}/${entry}"></script>
</head>
<body>
<div id="root"></div>
<noscript>${Bun.escapeHTML(name)}需要启用 JavaScript。</noscript>
</body>
</html>
`;
}

/** The first character of the chain's name, or the icon of a shop. */
function iconOf(chainName: string): string {
	const [initial = ''] = chainName;
	const sign = initial ? `<text x="16" y="22" ${letter}>${Bun.escapeHTML(initial)}</text>` : shop;
	const picture = `<rect width="32" height="32" rx="8" fill="#0b6b58"/>${sign}`;
	return `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${picture}</svg>`)}`;
}

const letter = 'font-family="sans-serif" font-size="18" font-weight="bold" text-anchor="middle" fill="#fff"';

const shop =
	'<path d="M7 14l2-6h14l2 6v1a3 3 0 0 1-6 0 3 3 0 0 1-6 0 3 3 0 0 1-6 0zM9 19v6h14v-6" fill="none" stroke="#fff" ' +
	'stroke-width="2" stroke-linejoin="round"/>';
