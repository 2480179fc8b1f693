import { sendFile } from './client.ts';
import { refusalFrom } from './refusal.ts';

/**
 * Downloads a file. A plain link would not do, because the browser sends no token with it. `path` is relative to
 * the service. `onReceived` is called with the number of bytes that have come so far.
 * @throws Refusal
 */
export async function saveFile(path: string, name: string, onReceived: (bytes: number) => void = () => {}) {
	const response = await sendFile(path);
	let received = 0;
	const counted = response.body?.pipeThrough(
		new TransformStream<Uint8Array, Uint8Array>({
			transform(part, controller) {
				received += part.byteLength;
				onReceived(received);
				controller.enqueue(part);
			},
		}),
	);
	const content = await new Response(counted).blob().catch(() => {
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
