import { type ComponentType, type ReactNode, useEffect } from 'react';
import { createValue, useValue, type Value } from '../api/value.ts';

/** A script could not be loaded. */
export class LoadFailure extends Error {}

/** A component in a script of its own. */
export interface Late<Props = object> {
	component: Value<ComponentType<Props> | undefined>;
	failure: Value<Error | undefined>;
	/** Starts loading the script. */
	load(): void;
}

/** A component that `fetch` loads when it is first needed. */
export function late<Props = object>(fetch: () => Promise<ComponentType<Props>>): Late<Props> {
	const component = createValue<ComponentType<Props> | undefined>(undefined);
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
 * A late component once it is there. `lazy` and `Suspense` would show their fallback for at least 0.3 seconds.
 * @throws LoadFailure for a LoadBoundary, when the script cannot be loaded
 */
export function useLate<Props>(part: Late<Props>): ComponentType<Props> | undefined {
	const failure = useValue(part.failure);
	useEffect(() => part.load(), [part]);
	if (failure) throw failure;
	return useValue(part.component);
}

/** Shows a late component. */
export function Awaited({ part, fallback }: { part: Late; fallback: ReactNode }) {
	const Component = useLate(part);
	return Component ? <Component /> : fallback;
}
