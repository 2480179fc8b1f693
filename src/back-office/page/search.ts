import { createContext } from 'react';
import { useSearchParams } from 'wouter';
import { dayPattern } from '../../platform/vocabulary/day.ts';

/** Returns the address of a list by its path, with its last filters. */
export const ListAddress = createContext((path: string) => path);

/** The parts of an address that exclude no row. */
const unfiltering = ['page', 'pageSize'];

/** Reads and changes the part of the address behind the question mark: a list's filters and its page. */
export function useSearch() {
	const [parameters, setParameters] = useSearchParams();
	const get = (name: string) => parameters.get(name)?.trim() || undefined;
	/** The value if it is one of these, otherwise undefined, because people can type any address. */
	const oneOf = <const Value extends string>(name: string, values: readonly Value[]) =>
		values.find((value) => value === get(name));
	/** The value if it is a positive integer in the form of the routes. */
	const integer = (name: string) => (/^[1-9]\d{0,14}$/.test(get(name) ?? '') ? Number(get(name)) : undefined);
	return {
		get,
		oneOf,
		integer,
		/** The value if it has the form of a day, such as `2026-11-21`. */
		day: (name: string) => (new RegExp(dayPattern).test(get(name) ?? '') ? get(name) : undefined),
		paging: { page: integer('page') ?? 1, pageSize: Number(oneOf('pageSize', ['20', '50', '100']) ?? 20) },
		/** The names of the active filters. */
		filters: Array.from(parameters.keys()).filter((name) => !unfiltering.includes(name)),
		/**
		 * Changes values. Unless `page` is among them, the first page is shown again. With `replace`, the browser's history
		 * skips the present values.
		 */
		set(values: Record<string, string | undefined>, options?: { replace: boolean }) {
			setParameters((before) => {
				const next = new URLSearchParams(before);
				next.delete('page');
				for (const [name, value] of Object.entries(values)) {
					if (value === undefined || value === '') next.delete(name);
					else next.set(name, value);
				}
				return next;
			}, options);
		},
		clear: () => setParameters({}),
		/** Adds the present values to a path. */
		keep: (path: string) => (parameters.size === 0 ? path : `${path}?${parameters}`),
	};
}

export type Search = ReturnType<typeof useSearch>;
