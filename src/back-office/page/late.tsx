import { type ComponentType, type ReactNode, useEffect } from 'react';
import { createValue, useValue, type Value } from '../api/value.ts';

/** A script could not be loaded. */
export class LoadFailure extends Error {}

/** A component whose script is loaded apart. */
export interface Late {
	component: Value<ComponentType | undefined>;
	failure: Value<Error | undefined>;
	/** Begins to load it, before it is shown. */
	load(): void;
}

/** Prepares a component that `fetch` loads when it is first needed. */
export function late(fetch: () => Promise<ComponentType>): Late {
	const component = createValue<ComponentType | undefined>(undefined);
	const failure = createValue<Error | undefined>(undefined);
	let isLoading = false;
	function load() {
		if (isLoading) return;
		isLoading = true;
		fetch().then(component.set, (cause) => failure.set(new LoadFailure('a script could not be loaded', { cause })));
	}
	return { component, failure, load };
}

/**
 * Shows a late component: what `lazy` and `Suspense` do, without React's pause of 0.3 seconds before it replaces a
 * fallback. A script that cannot be loaded is thrown, for a LoadBoundary.
 */
export function Awaited({ part, fallback }: { part: Late; fallback: ReactNode }) {
	const Component = useValue(part.component);
	const failure = useValue(part.failure);
	useEffect(() => part.load(), [part]);
	if (failure) throw failure;
	return Component ? <Component /> : fallback;
}
