import type { Reach } from '../../identity/rights/model.ts';

/** The areas and stores given to an employee, each with its last day. */
export function reachLines({ areas, stores }: Reach): string[] {
	const line = (name: string, ...more: string[]) => (more.length > 0 ? `${name}（${more.join('，')}）` : name);
	const end = (until: string | null) => (until ? [`到 ${until} 为止`] : []);
	return [
		...areas.map(({ areaName, stores, until }) => line(areaName, `${stores} 家门店`, ...end(until))),
		...stores.map(({ storeName, until }) => line(storeName, ...end(until))),
	];
}
