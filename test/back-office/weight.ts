/** How much a browser loads. */

/** Returns the kilobytes of a usable sign-in page in Brotli and gzip: the page, the files it names, and their imports. */
export async function weighSignIn(page: string): Promise<{ br: number; gzip: number }> {
	const html = await (await fetch(page)).text();
	const named = html.matchAll(/(?:src|href)="([^"]*assets\/[^"]+)"/g);
	const needed = new Set(Array.from(named, ([, file = '']) => new URL(file, page).href));
	const sizes = { br: html.length, gzip: html.length };
	for (const url of needed) {
		const script = await (await fetch(url)).text();
		for (const [, name = ''] of script.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) needed.add(new URL(name, url).href);
		for (const encoding of ['br', 'gzip'] as const) {
			const answer = await fetch(url, { headers: { 'accept-encoding': encoding }, decompress: false });
			sizes[encoding] += (await answer.arrayBuffer()).byteLength;
		}
	}
	return { br: sizes.br / 1000, gzip: sizes.gzip / 1000 };
}
