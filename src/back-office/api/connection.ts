/** Whether the service can be reached: a notice is shown while it cannot, and disappears by itself. */

import { serviceUrl } from './base.ts';
import { createValue } from './value.ts';

/** What stands in the way at this moment, for people; undefined when nothing does. */
export const outage = createValue<string | undefined>(undefined);

/** How long to wait before the service is asked again, in milliseconds. */
const pause = 1000;
let probing = false;

/** Takes note of how a request ended: its status, or 0 when no answer came. */
export function reportAnswer(status: number): void {
	if (status === 0) outage.set('无法连接服务器，正在重新连接…已填写的内容不会丢失。');
	else if (status >= 502 && status <= 504) outage.set('服务暂时不可用，请稍后再试。已填写的内容不会丢失。');
	else outage.set(undefined);
	if (outage.get() !== undefined && !probing) void probe();
}

async function probe(): Promise<void> {
	probing = true;
	while (outage.get() !== undefined) {
		await new Promise((resolve) => setTimeout(resolve, pause));
		if (await answers()) outage.set(undefined);
	}
	probing = false;
}

async function answers(): Promise<boolean> {
	const response = await fetch(new URL('health', serviceUrl)).catch(() => undefined);
	return response?.ok === true;
}

/** Whether the service cannot be reached at this moment: if so, shows the notice, and resolves once it can be reached. */
export async function wasOutage(): Promise<boolean> {
	if (await answers()) return false;
	reportAnswer(0);
	return new Promise((resolve) => {
		const stop = outage.subscribe(() => {
			if (outage.get() !== undefined) return;
			stop();
			resolve(true);
		});
	});
}
