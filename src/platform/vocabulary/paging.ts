/** Pages of lists. */

/** Which page is wanted; both from 1. */
export interface Paging {
	page: number;
	pageSize: number;
}

/** One page of a list, and how many items all pages have. */
export interface Page<Item> {
	items: Item[];
	total: number;
	/** Whether there are more than `total`. */
	totalIsMinimum?: boolean;
}

/** One page of a list that is in memory; past the end it is empty. */
export function paginate<Item>(list: readonly Item[], { page, pageSize }: Paging): Page<Item> {
	const start = (page - 1) * pageSize;
	return { items: list.slice(start, start + pageSize), total: list.length };
}
