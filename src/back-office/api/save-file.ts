import { sendFile } from './client.ts';
import { refusalFrom } from './refusal.ts';

/**
 * Downloads a file. A plain link would not do, because the browser sends no token with it. `path` is relative to
 * the service.
 * @throws Refusal
 */
export async function saveFile(path: string, name: string) {
	const response = await sendFile(path);
	const content = await response.blob().catch(() => {
		throw refusalFrom(0, undefined, undefined);
	});
	saveContent(content, name);
}

/** Downloads what the page has already. */
export function saveContent(content: Blob, name: string): void {
	const url = URL.createObjectURL(content);
	Object.assign(document.createElement('a'), { href: url, download: name }).click();
	URL.revokeObjectURL(url);
}
