/** Both pages: the sign-in, and below it the screens, which are loaded while somebody signs in. */
import './main.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { isOwnPage } from './api/base.ts';
import { askOtherTabs, isSignedIn, session } from './api/session.ts';
import { useValue } from './api/value.ts';
import { Awaited, LoadBoundary, late } from './page/late.tsx';
import { SignInDialog } from './session/sign-in.tsx';

const screens = late(async () =>
	isOwnPage ? (await import('./me/own-page.tsx')).OwnPage : (await import('./screens.tsx')).Screens,
);

function Page() {
	const state = useValue(session);
	return (
		<>
			{state.account !== undefined && (
				<LoadBoundary>
					<Awaited key={state.account} part={screens} fallback={<p className="loading">正在加载…</p>} />
				</LoadBoundary>
			)}
			{!isSignedIn(state) && <SignInDialog ended={state} />}
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
if (!isSignedIn(session.get())) setTimeout(screens.load, 200);
