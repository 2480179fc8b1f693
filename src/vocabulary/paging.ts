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
}
