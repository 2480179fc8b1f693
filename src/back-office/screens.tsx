import { StyleProvider } from '@ant-design/cssinjs';
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { App, ConfigProvider } from 'antd';
import locale from 'antd/locale/zh_CN';
import { useEffect, useState } from 'react';
import { Router } from 'wouter';
import { base } from './api/base.ts';
import { asRefusal } from './api/refusal.ts';
import { isSignedIn, session } from './api/session.ts';
import { Shell } from './shell/shell.tsx';

/**
 * Ant Design writes its variables into style elements even though the style sheet has them, and the content security
 * policy forbids that: in an element that is not on the page they have no effect.
 */
const offPage = document.createElement('div');

// Without motion: a loading sign whose request ends while it appears would stay for ever.
const theme = { zeroRuntime: true, hashed: false, cssVar: { key: 'ant-design-variables' }, token: { motion: false } };

/** What a person sees who is signed in: made once for each account, so that nothing of another one stays. */
export function Screens() {
	const [client] = useState(createClient);
	useEffect(
		() =>
			session.subscribe(() => {
				// What was refused while nobody was signed in is read again.
				if (isSignedIn(session.get())) void client.invalidateQueries();
			}),
		[client],
	);
	const [overlays, setOverlays] = useState<HTMLElement | null>(null);
	return (
		<StyleProvider container={offPage}>
			{/* A container of its own: in the body, an overlay would lock scrolling with a style element. */}
			<div ref={setOverlays} />
			<ConfigProvider
				locale={locale}
				theme={theme}
				button={{ autoInsertSpace: false }}
				wave={{ disabled: true }}
				{...(overlays && { getPopupContainer: () => overlays })}
			>
				<App>
					<QueryClientProvider client={client}>
						<Router base={base}>{overlays && <Shell />}</Router>
					</QueryClientProvider>
				</App>
			</ConfigProvider>
		</StyleProvider>
	);
}

function createClient(): QueryClient {
	const client = new QueryClient({
		queryCache: new QueryCache({
			onError(error) {
				// A permission was taken away meanwhile: the menu and the buttons follow.
				if (asRefusal(error).status === 403) void client.invalidateQueries({ queryKey: ['own'] });
			},
		}),
		defaultOptions: {
			queries: {
				networkMode: 'always',
				staleTime: 5_000,
				// What fails for a moment is tried until it works; the rest is for the person to decide.
				retry: (_, error) => asRefusal(error).isTemporary,
				retryDelay: (attempt) => Math.min(500 * 2 ** attempt, 4000),
			},
			mutations: { networkMode: 'always' },
		},
	});
	return client;
}
