import { type ComponentType, type ReactNode, useEffect } from 'react';
import { createValue, useValue, type Value } from '../api/value.ts';

/** A script could not be loaded. */
export class LoadFailure extends Error {}

/** A component in a script of its own. */
export interface Late {
	component: Value<ComponentType | undefined>;
	failure: Value<Error | undefined>;
	/** Starts loading the script. */
	load(): void;
}

/** A component that `fetch` loads when it is first needed. */
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
 * Shows a late component. `lazy` and `Suspense` would show the fallback for at least 0.3 seconds. A script that cannot be
 * loaded is thrown as a LoadFailure, for a LoadBoundary.
 */
export function Awaited({ part, fallback }: { part: Late; fallback: ReactNode }) {
	const Component = useValue(part.component);
	const failure = useValue(part.failure);
	useEffect(() => part.load(), [part]);
	if (failure) throw failure;
	return Component ? <Component /> : fallback;
}
