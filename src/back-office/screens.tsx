import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { App, ConfigProvider } from 'antd';
import locale from 'antd/es/locale/zh_CN';
import { useEffect, useState } from 'react';
import { Router } from 'wouter';
import { base, ownPageUrl, secondFactorUrl } from './api/base.ts';
import { asRefusal } from './api/refusal.ts';
import { isSignedIn, session } from './api/session.ts';
import { Shell } from './shell/shell.tsx';
import { useTheme } from './theme.ts';

/** The year and the month above the days of a calendar are buttons with a text, which their labels would hide. */
Object.assign(locale.DatePicker?.lang ?? {}, { yearSelect: '', monthSelect: '' });

/** All that a signed-in person sees. Made once for each account, so that no data of another account stays. */
export function Screens() {
	const [client] = useState(createClient);
	const theme = useTheme();
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
				else if (status === 403 && queryKey[0] !== 'own') readOwnAgain();
			},
		}),
		mutationCache: new MutationCache({
			onError(error) {
				const { status, asksFor } = asRefusal(error);
				// What the account has to do first is on another page, and a form would not survive the way there.
				if (status === 403 && !asksFor) readOwnAgain();
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

	/** The account may have lost a permission: updates the menu and the buttons. */
	function readOwnAgain() {
		void client.invalidateQueries({ queryKey: ['own'] });
	}
}
