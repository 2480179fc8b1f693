/** The page: the sign-in, and below it the screens, which are loaded while somebody signs in. */
import './page.css';
import { type ComponentType, lazy, StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { LoadBoundary } from './session/load-boundary.tsx';
import { askOtherTabs, isSignedIn, session } from './session/session.ts';
import { SignInDialog } from './session/sign-in.tsx';
import { useValue } from './session/value.ts';

let loading: Promise<{ default: ComponentType }> | undefined;

function loadScreens() {
	loading ??= Promise.all([import('./screens.tsx'), loadStyles()]).then(([screens]) => ({ default: screens.Screens }));
	return loading;
}

const Screens = lazy(loadScreens);

/** Ant Design's styles, for the screens only. */
function loadStyles(): Promise<unknown> {
	const link = Object.assign(document.createElement('link'), {
		rel: 'stylesheet',
		href: new URL(`assets/${ANT_DESIGN_STYLES}`, document.baseURI).href,
	});
	// Before the page's own styles, which refine them.
	document.head.prepend(link);
	return new Promise((resolve, reject) => {
		link.onload = resolve;
		link.onerror = reject;
	});
}

function Page() {
	const state = useValue(session);
	return (
		<>
			{state.account !== undefined && (
				<LoadBoundary>
					<Suspense fallback={<p className="loading">正在加载…</p>}>
						<Screens key={state.account} />
					</Suspense>
				</LoadBoundary>
			)}
			{!isSignedIn(state) && <SignInDialog reason={state.reason} />}
		</>
	);
}

await askOtherTabs();
const root = document.getElementById('root');
if (root) {
	createRoot(root).render(
		<StrictMode>
			<Page />
		</StrictMode>,
	);
}
if (!isSignedIn(session.get())) setTimeout(() => loadScreens().catch(() => undefined), 200);
