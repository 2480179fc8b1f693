import {
	MutationCache,
	notifyManager,
	QueryCache,
	QueryClient,
	type QueryFilters,
	useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { asRefusal } from './refusal.ts';
import { isSignedIn, session } from './session.ts';

// React knows of a request before the second click of a double click, which would otherwise send it twice.
notifyManager.setScheduler(queueMicrotask);

/** The cache of answers. Each account gets a new one, so that no data of another account remains. */
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
	useEffect(() => {
		// A reload would lose the answer, and with it new passwords.
		const warn = (event: BeforeUnloadEvent) => client.isMutating() > 0 && event.preventDefault();
		window.addEventListener('beforeunload', warn);
		return () => window.removeEventListener('beforeunload', warn);
	}, [client]);
	return client;
}

/** The reads of the screen that the service failed to answer. A refusal, such as for a missing permission, stands on its page. */
const failed: QueryFilters = {
	type: 'active',
	predicate: ({ state: { error } }) => error !== null && asRefusal(error).status >= 500,
};

/** Returns the function that repeats the reads that failed; undefined if none did. */
export function useReadAgain(): (() => void) | undefined {
	const client = useQueryClient();
	const cache = client.getQueryCache();
	const hasFailed = useSyncExternalStore(cache.subscribe, () => cache.findAll(failed).length > 0);
	return hasFailed ? () => void client.refetchQueries(failed) : undefined;
}

function createClient(): QueryClient {
	/** The account may have lost a permission, or must take a step first: updates the menu and the buttons. */
	const readOwnAgain = () => void client.invalidateQueries({ queryKey: ['own'] });
	const client = new QueryClient({
		queryCache: new QueryCache({
			onError(error, { queryKey }) {
				if (asRefusal(error).status === 403 && queryKey[0] !== 'own') readOwnAgain();
			},
		}),
		mutationCache: new MutationCache({
			onSuccess: () => void client.invalidateQueries(),
			onError(error) {
				const refusal = asRefusal(error);
				// A required step has its own page, and going there would lose the form.
				const isStep = refusal.has('own_password_required', 'second_factor_required');
				if (refusal.status === 403 && !isStep) readOwnAgain();
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
