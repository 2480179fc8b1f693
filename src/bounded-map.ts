/**
 * A map of at most `limit` entries that keeps at least the newer half of them: what was not set again while as many
 * others were is forgotten. In two generations, for finding the oldest entry of a large Map takes longer than all else.
 */
export class BoundedMap<Key, Value> {
	readonly #half: number;
	#newer = new Map<Key, Value>();
	#older = new Map<Key, Value>();

	constructor(limit: number) {
		this.#half = Math.ceil(limit / 2);
	}

	get(key: Key): Value | undefined {
		return this.#newer.get(key) ?? this.#older.get(key);
	}

	set(key: Key, value: Value): void {
		if (this.#newer.size >= this.#half && !this.#newer.has(key)) {
			this.#older = this.#newer;
			this.#newer = new Map();
		}
		this.#newer.set(key, value);
	}

	delete(key: Key): void {
		this.#newer.delete(key);
		this.#older.delete(key);
	}
}
