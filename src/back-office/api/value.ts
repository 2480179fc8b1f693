import { useSyncExternalStore } from 'react';

/** A value outside of React; components are rendered again when it changes. */
export interface Value<T> {
	get(): T;
	set(value: T): void;
	/** Returns the function that ends the subscription. */
	subscribe(listener: () => void): () => void;
}

/** Makes a value. */
export function createValue<T>(initial: T): Value<T> {
	let current = initial;
	const listeners = new Set<() => void>();
	return {
		get: () => current,
		set(value) {
			if (Object.is(value, current)) return;
			current = value;
			for (const listener of listeners) listener();
		},
		subscribe(listener) {
			listeners.add(listener);
			return () => void listeners.delete(listener);
		},
	};
}

/** The present value, in a component that is rendered again when it changes. */
export function useValue<T>(value: Value<T>): T {
	return useSyncExternalStore(value.subscribe, value.get);
}
