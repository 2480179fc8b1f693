/** The start of every page: the sign-in, and below it the screens, which are loaded while somebody signs in. */
import './main.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { isOwnPage, settingOf } from './api/base.ts';
import { askOtherTabs, isSignedIn, session } from './api/session.ts';
import { useValue } from './api/value.ts';
import { LateComponent, LoadBoundary, late } from './page/late.tsx';
import { SignInDialog } from './session/sign-in.tsx';

const screens = late(async () =>
	isOwnPage ? (await import('./me/own-page.tsx')).OwnPage : (await import('./screens.tsx')).Screens,
);

/** The state of the sign-in page of OpenID Connect; undefined on the other pages. */
const openid = settingOf('openid');

const openidPage = late(async () => {
	const { OpenidPage } = await import('./openid/openid-page.tsx');
	return () => <OpenidPage state={JSON.parse(openid ?? '')} />;
});

function Page() {
	const state = useValue(session);
	return (
		<>
			{state.account !== undefined && <LateComponent key={state.account} part={screens} />}
			{!isSignedIn(state) && <SignInDialog ended={state} />}
		</>
	);
}

if (!openid) await askOtherTabs();
const root = document.getElementById('root');
if (root) {
	const page = openid ? <LateComponent part={openidPage} /> : <Page />;
	createRoot(root).render(
		<StrictMode>
			<LoadBoundary>{page}</LoadBoundary>
		</StrictMode>,
	);
}
if (!openid && !isSignedIn(session.get())) setTimeout(screens.load, 200);
