/** A client that reads without pause and reports its waits. It has its own thread, because making files takes long. */
import { exchange } from '../http.ts';

declare const self: Worker;

self.onmessage = async ({ data: url }: MessageEvent<string>) => {
	for (;;) {
		const since = performance.now();
		const { status } = await exchange((init) => fetch(`${url}/health`, init), 'GET', {});
		self.postMessage({ status, wait: performance.now() - since });
		await Bun.sleep(2);
	}
};
