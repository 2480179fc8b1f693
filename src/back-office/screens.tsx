import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { App, ConfigProvider, type ThemeConfig, theme as themes } from 'antd';
import locale from 'antd/locale/zh_CN';
import { useEffect, useState } from 'react';
import { Router } from 'wouter';
import { base, ownPageUrl, secondFactorUrl } from './api/base.ts';
import { asRefusal } from './api/refusal.ts';
import { isSignedIn, session } from './api/session.ts';
import { Shell } from './shell/shell.tsx';

/** Ant Design's colours that are too faint on their background (WCAG 2.2 asks for 4.5 to 1), and darker ones of its palette. */
const darkerColors: Record<string, string> = {
	'#1677ff': '#0958d9',
	'#4096ff': '#003eb3',
	'#52c41a': '#237804',
	'#faad14': '#874d00',
	'#ff4d4f': '#cf1322',
	'#ff7875': '#a8071a',
	'rgba(0,0,0,0.45)': 'rgba(0,0,0,0.62)',
};

function darken<Tokens extends object>(tokens: Tokens): Tokens {
	const pairs = Object.entries(tokens).map(([name, value]) => [name, darkerColors[value] ?? value]);
	return Object.fromEntries(pairs) as Tokens;
}

const theme: ThemeConfig = {
	algorithm: (seed) => darken(themes.defaultAlgorithm(seed)),
	token: {
		// Without motion: a loading sign whose request ends while it appears would stay for ever.
		motion: false,
		colorTextPlaceholder: 'rgba(0,0,0,0.56)',
		// A pointer on a row is one on its link.
		colorLinkHover: '#003eb3',
	},
};

/** All that a signed-in person sees. Made once for each account, so that no data of another account stays. */
export function Screens() {
	const [client] = useState(createClient);
	useEffect(
		() =>
			session.subscribe(() => {
				// Reads that failed while nobody was signed in are repeated.
				if (isSignedIn(session.get())) void client.invalidateQueries();
			}),
		[client],
	);
	return (
		<ConfigProvider locale={locale} theme={theme} button={{ autoInsertSpace: false }} wave={{ disabled: true }}>
			<App>
				<QueryClientProvider client={client}>
					<Router base={base}>
						<Shell />
					</Router>
				</QueryClientProvider>
			</App>
		</ConfigProvider>
	);
}

function createClient(): QueryClient {
	const client = new QueryClient({
		queryCache: new QueryCache({
			onError(error, { queryKey }) {
				const { status, asksFor } = asRefusal(error);
				if (asksFor) location.replace(asksFor === 'secondFactor' ? secondFactorUrl : ownPageUrl);
				// The account has lost a permission: update the menu and the buttons.
				else if (status === 403 && queryKey[0] !== 'own') void client.invalidateQueries({ queryKey: ['own'] });
			},
		}),
		defaultOptions: {
			queries: {
				networkMode: 'always',
				staleTime: 5_000,
				// Only an outage is worth another attempt.
				retry: (_, error) => asRefusal(error).isTemporary,
				retryDelay: (attempt) => Math.min(500 * 2 ** attempt, 4000),
			},
			mutations: { networkMode: 'always' },
		},
	});
	return client;
}
