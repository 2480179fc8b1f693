import { useEffect, useState, useSyncExternalStore } from 'react';

/** Creates a value outside of React. Components that use it are rendered again when it changes. */
export function createValue<T>(initial: T) {
	let current = initial;
	const listeners = new Set<() => void>();
	return {
		get: () => current,
		set(value: T) {
			if (Object.is(value, current)) return;
			current = value;
			for (const listener of listeners) listener();
		},
		/** Returns the function that ends the subscription. */
		subscribe(listener: () => void) {
			listeners.add(listener);
			return () => void listeners.delete(listener);
		},
	};
}

/** The present value, in a component that is rendered again when it changes. */
export function useValue<T>(value: ReturnType<typeof createValue<T>>): T {
	return useSyncExternalStore(value.subscribe, value.get);
}

/** The time in milliseconds since 1970, updated at an interval in milliseconds, or never without one. */
export function useNow(every: number | undefined): number {
	const [now, setNow] = useState(Date.now);
	useEffect(() => {
		if (every === undefined) return;
		const timer = setInterval(() => setNow(Date.now()), every);
		return () => clearInterval(timer);
	}, [every]);
	return now;
}
