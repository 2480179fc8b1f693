/** Pages of lists. */

/** The requested page. Both numbers start at 1. */
export interface Paging {
	page: number;
	pageSize: number;
}

/** One page of a list, and the number of items on all pages. */
export interface Page<Item> {
	items: Item[];
	total: number;
	/** Whether there are more than `total`. */
	totalIsMinimum?: boolean;
}

/** One page of a list in memory. A page past the end is empty. */
export function paginate<Item>(list: readonly Item[], { page, pageSize }: Paging): Page<Item> {
	const start = (page - 1) * pageSize;
	return { items: list.slice(start, start + pageSize), total: list.length };
}
