/** Where a request comes from (README, "Behind a proxy"). */
import type { Log } from '../log.ts';
import { canonicalAddress, isWithin, type Network } from '../network.ts';

/** The address of the client that sent a request; `unknown` when its connection is gone. */
export type AddressOf = (request: Request) => string;

/** What {@link clientAddress} works with. */
interface Options {
	/** Proxies whose word is taken for whom they forward. */
	trusted: readonly Network[];
	/** The address at the other end of the connection. */
	peerOf: (request: Request) => string | undefined;
	log: Log;
}

/**
 * Finds the client: the other end of the connection, or, when that is a trusted proxy, the right-most address of
 * `X-Forwarded-For` that is none. What stands further left is what the client said of itself.
 */
export function clientAddress({ trusted, peerOf, log }: Options): AddressOf {
	let warned = false;
	function warnOnce(proxy: string): void {
		if (warned) return;
		warned = true;
		log.warn('X-Forwarded-For is ignored: if it comes from a proxy of yours, set TRUST_PROXY', { proxy });
	}
	return (request) => {
		const peer = canonicalAddress(peerOf(request) ?? '') ?? 'unknown';
		const forwarded = request.headers.get('x-forwarded-for');
		if (forwarded === null) return peer;
		if (!isWithin(peer, trusted)) {
			warnOnce(peer);
			return peer;
		}
		return lastUntrusted(peer, forwarded.split(','), trusted);
	};
}

function lastUntrusted(peer: string, hops: string[], trusted: readonly Network[]): string {
	let address = peer;
	for (const hop of hops.toReversed()) {
		const next = canonicalAddress(hop.trim());
		// Whatever a proxy passed on that is no address came from the client.
		if (next === undefined) return address;
		address = next;
		if (!isWithin(address, trusted)) return address;
	}
	return address;
}
