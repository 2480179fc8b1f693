import { Component, type ComponentType, type ReactNode, useEffect } from 'react';
import { waitForService } from '../api/connection.ts';
import { createValue, useValue } from '../api/value.ts';

/** A script could not be loaded. */
class LoadFailure extends Error {}

/** A component in a script of its own, which `fetch` loads when it is first needed. */
export function late<Props = object>(fetch: () => Promise<ComponentType<Props>>) {
	const component = createValue<ComponentType<Props> | LoadFailure | undefined>(undefined);
	let isLoading = false;
	function load() {
		if (isLoading) return;
		isLoading = true;
		fetch().then(component.set, (cause) => component.set(new LoadFailure('a script could not be loaded', { cause })));
	}
	return { component, load };
}

export type Late<Props = object> = ReturnType<typeof late<Props>>;

/**
 * A late component after it has loaded. `lazy` and `Suspense` would show their fallback for at least 0.3 seconds.
 * @throws LoadFailure for a LoadBoundary, when the script cannot be loaded
 */
export function useLate<Props>(part: Late<Props>): ComponentType<Props> | undefined {
	const component = useValue(part.component);
	useEffect(() => part.load(), [part]);
	if (component instanceof LoadFailure) throw component;
	return component;
}

/** Takes the place of a page that is not there yet. */
export const loading = <p className="loading">正在加载…</p>;

/** Shows a late component. */
export function LateComponent({ part }: { part: Late }) {
	const Component = useLate(part);
	return Component ? <Component /> : loading;
}

/**
 * Replaces screens that could not be loaded: the network is down, or an upgrade gave the files other names. The page is
 * loaded again when the network is back. It works without Ant Design, whose script may be the missing one.
 */
export class LoadBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
	override state = { failed: false };

	static getDerivedStateFromError() {
		return { failed: true };
	}

	override async componentDidCatch(error: Error) {
		if (error instanceof LoadFailure && (await waitForService())) location.reload();
	}

	override render() {
		if (!this.state.failed) return this.props.children;
		return (
			<Failure title="页面无法加载" verb="刷新页面">
				<p>网络已断开，或系统刚刚升级。</p>
			</Failure>
		);
	}
}

/** Takes the place of a page that cannot be shown. */
export function Failure({ title, verb, children }: { title: string; verb: string; children?: ReactNode }) {
	return (
		<main className="failure" role="alert">
			<h1>{title}</h1>
			{children}
			<button type="button" className="plain-button" onClick={() => location.reload()}>
				{verb}
			</button>
		</main>
	);
}
