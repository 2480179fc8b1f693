/** Whether the service can be reached: a notice is shown while it cannot, and disappears by itself. */

import { serviceUrl } from './base.ts';
import { createValue } from './value.ts';

/** The reason why the service cannot be used now, as a text for people; undefined when it can. */
export const outage = createValue<string | undefined>(undefined);

/** The time between two attempts to reach the service, in milliseconds. */
const pause = 1000;

/** Pending until the service can be reached again. */
let probing: Promise<void> | undefined;

/** Shows or removes the notice after a request: its status, or 0 if there was no answer. */
export function reportAnswer(status: number): void {
	if (status === 0) outage.set('无法连接服务器，正在重新连接…已填写的内容不会丢失。');
	else if (status >= 502 && status <= 504) outage.set('服务暂时不可用，请稍后再试。已填写的内容不会丢失。');
	else outage.set(undefined);
	if (outage.get() !== undefined) probing ??= probe();
}

async function probe(): Promise<void> {
	while (outage.get() !== undefined) {
		await new Promise((resolve) => setTimeout(resolve, pause));
		if (await answers()) outage.set(undefined);
	}
	probing = undefined;
}

async function answers(): Promise<boolean> {
	const response = await fetch(new URL('health', serviceUrl)).catch(() => undefined);
	return response?.ok === true;
}

/** Waits until the service can be reached, and shows the notice meanwhile. @returns whether it had to wait */
export async function waitForService(): Promise<boolean> {
	if (await answers()) return false;
	reportAnswer(0);
	await probing;
	return true;
}
