import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isOwnPage, secondFactorUrl } from './base.ts';
import { asRefusal } from './refusal.ts';
import { isSignedIn, session } from './session.ts';

/** The cache of answers. Each account gets a new one, so that no data of another account stays. */
export function useOwnClient(): QueryClient {
	const [client] = useState(createClient);
	useEffect(
		() =>
			session.subscribe(() => {
				// Reads that failed while nobody was signed in are repeated.
				if (isSignedIn(session.get())) void client.invalidateQueries();
			}),
		[client],
	);
	return client;
}

function createClient(): QueryClient {
	const client = new QueryClient({
		queryCache: new QueryCache({
			onError(error, { queryKey }) {
				const { status, asksFor } = asRefusal(error);
				if (asksFor === 'secondFactor' && !isOwnPage) location.replace(secondFactorUrl());
				else if (status === 403 && queryKey[0] !== 'own') readOwnAgain();
			},
		}),
		mutationCache: new MutationCache({
			onSuccess: () => void client.invalidateQueries(),
			onError(error) {
				const { status, asksFor } = asRefusal(error);
				// The page for the required step is another one, and leaving would lose the form.
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
