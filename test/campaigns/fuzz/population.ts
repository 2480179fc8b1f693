/** The resources that exist, learned from the answers: so that requests also name existing and deleted ones. */

import { nounOfName } from './schema.ts';

/** How many deleted ids of a kind are remembered. */
const mostDeleted = 100;

/** The ids of every kind of resource, by the noun that stands for it in paths. */
export class Population {
	readonly #live = new Map<string, Set<number>>();
	readonly #deleted = new Map<string, number[]>();
	readonly #protected = new Set<string>();
	/** What each resource belongs to: for a `storeId` in an answer, the id under `stores`. */
	readonly #belongings = new Map<string, Map<string, number>>();

	get nouns(): string[] {
		return [...this.#live.keys()];
	}

	/** Protects a resource from changes: the campaign depends on it. */
	protect(noun: string, id: number): void {
		this.#protected.add(`${noun}/${id}`);
		this.#live.get(noun)?.delete(id);
	}

	isProtected(noun: string, id: string): boolean {
		return this.#protected.has(`${noun}/${id}`);
	}

	add(noun: string, id: number): void {
		this.#of(noun).add(id);
	}

	/** Records what a resource belongs to. */
	note(noun: string, resource: Record<string, unknown>): void {
		const belongings = Object.entries(resource).flatMap(([name, value]): [string, number][] => {
			const other = nounOfName(name);
			return other !== undefined && typeof value === 'number' ? [[other, value]] : [];
		});
		if (belongings.length > 0) this.#belongings.set(`${noun}/${resource.id}`, new Map(belongings));
	}

	belongings(noun: string, id: number): ReadonlyMap<string, number> {
		return this.#belongings.get(`${noun}/${id}`) ?? new Map();
	}

	remove(noun: string, id: number): void {
		this.#of(noun).delete(id);
		this.#belongings.delete(`${noun}/${id}`);
		const deleted = this.#deleted.get(noun) ?? [];
		deleted.push(id);
		if (deleted.length > mostDeleted) deleted.shift();
		this.#deleted.set(noun, deleted);
	}

	/** Makes an id the last one that {@link oldest} would name. */
	postpone(noun: string, id: number): void {
		if (this.#of(noun).delete(id)) this.#of(noun).add(id);
	}

	oldest(noun: string): number | undefined {
		return this.#of(noun).values().next().value;
	}

	count(noun: string): number {
		return this.#of(noun).size;
	}

	/** One of the live ids of a kind; 1 when there is none. */
	live(noun: string, nth: number): number {
		return pick([...this.#of(noun)], nth);
	}

	/** One of the deleted ids of a kind. */
	deleted(noun: string, nth: number): number {
		return pick(this.#deleted.get(noun) ?? [], nth);
	}

	/** An id that is another kind's. */
	foreign(nth: number): number {
		return this.live(this.nouns[nth % this.nouns.length] ?? '', nth);
	}

	#of(noun: string): Set<number> {
		const known = this.#live.get(noun) ?? new Set();
		this.#live.set(noun, known);
		return known;
	}
}

function pick(ids: readonly number[], nth: number): number {
	return ids[nth % ids.length] ?? 1;
}
